"""Which joints are beyond their limits, and by how much; values brought back within them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, overload

import numpy as np
import numpy.typing as npt

from armwright.errors import JointVectorError, ModelError
from armwright.hrdf import Actuator
from armwright.kinematics.arrays import (
    FloatArray,
    JointValues,
    check_each,
    joint_vectors,
    one_of,
    read_only,
    some_by_name,
)
from armwright.kinematics.robot import ModelData
from armwright.reprs import one_line_repr

Quantity = Literal["position", "velocity", "effort"]
QUANTITIES: tuple[Quantity, ...] = ("position", "velocity", "effort")
_UNITS = {
    "position": ("rad", "m"),
    "velocity": ("rad/s", "m/s"),
    "effort": ("N m", "N"),
}


@dataclass(frozen=True, slots=True)
class LimitViolation:
    """One joint beyond one limit.

    Attributes:
        joint: Name of the joint.
        index: Its place in q.
        quantity: "position", "velocity" or "effort".
        value: What it is [rad, rad/s, N m; m, m/s, N for a sliding joint].
        limit: The limit that it is beyond, likewise.
        excess: How far beyond, more than 0.
        unit: The unit of the three.
    """

    joint: str
    index: int
    quantity: Quantity
    value: float
    limit: float
    excess: float
    unit: str

    def __str__(self) -> str:
        """Return one line for a person."""
        side = "above" if self.value > self.limit else "below"
        return (
            f"joint {self.joint!r}: {self.quantity} {self.value:.6g} {self.unit} is "
            f"{self.excess:.3g} {self.unit} {side} the limit of {self.limit:.6g}"
        )

    __repr__ = one_line_repr


def has_position_limits(model: ModelData) -> npt.NDArray[np.bool_]:
    """Whether each joint has a finite lower or upper position limit, shape (dof,)."""
    lower, upper = np.isfinite(model.position_limits)
    limited: npt.NDArray[np.bool_] = lower | upper
    limited.setflags(write=False)
    return limited


def continuous_efforts(model: ModelData) -> FloatArray:
    """What each joint can hold for long, shape (dof,) [N m or N]; nan where nobody says.

    From the part catalog, never above ``max_efforts``. For the built-in actuators it is
    inferred from the number in the type name (X8-16: 16 N m), which nobody publishes as such.
    """
    efforts = np.full(model.dof, np.nan)
    for joint, number in enumerate(model.joint_elements):
        element = model.elements[number]
        if isinstance(element, Actuator) and element.part.continuous_effort is not None:
            efforts[joint] = min(element.part.continuous_effort, model.max_efforts[joint])
    return read_only(efforts)


def check_limits(
    model: ModelData,
    q: JointValues | None = None,
    v: JointValues | None = None,
    tau: JointValues | None = None,
) -> tuple[LimitViolation, ...]:
    """Find the joints that are beyond their limits.

    A value that is exactly at a limit is within it.

    Args:
        q: Positions, shape (dof,) [rad or m], against ``position_limits``; or {joint name: number}
            of some joints, of which alone is spoken then.
        v: Velocities, shape (dof,) [rad/s or m/s], against ``max_speeds``.
        tau: Efforts, shape (dof,) [N m or N], against ``max_efforts``.

    Returns:
        One entry for each joint and quantity, positions first; empty when all is well.

    Raises:
        JointVectorError: If a length is wrong or a number is not finite.
        ModelError: If nothing was given.

    Example:
        >>> limited = model.with_position_limits([-1] * 6, [1] * 6)
        >>> print(*limited.check_limits(q=[0, 0, 1.5, 0, 0, 0]))
        joint 'J3_elbow': position 1.5 rad is 0.5 rad above the limit of 1
    """
    if q is None and v is None and tau is None:
        raise ModelError("check_limits: expected at least one of q, v and tau, got none")
    found: list[LimitViolation] = []
    for quantity, name, given in zip(QUANTITIES, ("q", "v", "tau"), (q, v, tau), strict=True):
        if given is None:
            continue
        values = _some_or_all(model, given, name)
        lower, upper = _bounds(model, quantity)
        for index in np.flatnonzero((values < lower) | (values > upper)).tolist():
            value = float(values[index])
            limit = float(upper[index] if value > upper[index] else lower[index])
            slides = int(model.joint_slides[index])
            found.append(
                LimitViolation(
                    joint=model.joint_names[index],
                    index=index,
                    quantity=quantity,
                    value=value,
                    limit=limit,
                    excess=abs(value - limit),
                    unit=_UNITS[quantity][slides],
                )
            )
    return tuple(found)


@overload
def clip(
    model: ModelData,
    values: Mapping[str, float],
    quantity: Literal["position", "velocity", "effort"] = "position",
) -> dict[str, float]: ...


@overload
def clip(
    model: ModelData,
    values: npt.ArrayLike,
    quantity: Literal["position", "velocity", "effort"] = "position",
) -> FloatArray: ...


def clip(
    model: ModelData,
    values: JointValues,
    quantity: Literal["position", "velocity", "effort"] = "position",
) -> FloatArray | dict[str, float]:
    """Bring joint values within the limits.

    Args:
        values: Shape (..., dof); or {joint name: number} of some joints.
        quantity: What they are: positions [rad or m], velocities or efforts.

    Returns:
        The nearest values within the limits, a fresh array of the same shape; of a mapping, one
        of the same joints.

    Raises:
        JointVectorError: If the length is wrong or a number is not finite.
        ModelError: If there is no such quantity.
    """
    which = one_of(quantity, QUANTITIES, "quantity")
    lower, upper = _bounds(model, which)
    if isinstance(values, Mapping):
        some = np.clip(_some_or_all(model, values, "values"), lower, upper)
        return {name: float(some[model.joint_names.index(name)]) for name in values}
    clipped: FloatArray = np.clip(
        joint_vectors(values, model.dof, "values", joints=model.joint_names), lower, upper
    )
    return clipped


def _some_or_all(model: ModelData, given: JointValues, name: str) -> FloatArray:
    """Return joint values, shape (dof,); NaN, beyond no limit, where a mapping is silent."""
    if not isinstance(given, Mapping):
        return model._joint_vector(given, name)
    nothing = np.full(model.dof, np.nan)
    values = some_by_name(given, model.joint_names, nothing, name, JointVectorError)
    places = [model.joint_names.index(joint) for joint in given]
    check_each(
        values[places],
        np.isfinite(values[places]),
        name,
        "a finite number",
        JointVectorError,
        joints=list(given),
    )
    return values


def _bounds(model: ModelData, quantity: str) -> tuple[FloatArray, FloatArray]:
    """Return the lower and upper limits of a quantity, shape (dof,) each."""
    if quantity == "position":
        return model.position_limits[0], model.position_limits[1]
    largest = model.max_speeds if quantity == "velocity" else model.max_efforts
    return -largest, largest
