"""Hard limits of the joints, narrower than the model's own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt
from numpy import ndarray

from armwright.copies import stays_read_only
from armwright.errors import ObjectiveError
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import (
    FLOAT,
    FloatArray,
    JointValues,
    row,
    some_by_name,
    warn_of_degrees,
)
from armwright.kinematics.engine import lazy
from armwright.reprs import one_line_repr, short

from .base import Objective, split_names

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.ik._kernels import targets as _targets_kernels  # noqa: F401

_in_order = lazy(__name__, "_in_order", "armwright.ik._kernels.targets")


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class JointLimits(Objective):
    """Hard limits; made by ``joint_limits``.

    Attributes:
        lower: Shape (dof,) [rad or m]; -inf where there is none.
        upper: Shape (dof,) [rad or m]; inf where there is none.
        joints: Names of the joints that both are for, when they were given by name; (): in the
            order of q.
    """

    name: ClassVar[str] = "joint_limits"

    lower: FloatArray
    upper: FloatArray
    key: bytes = field(repr=False)
    joints: tuple[str, ...] = ()

    @property
    def key_but_limits(self) -> str:
        """One for all limits: they are often new with every call."""
        return "any limits"

    def narrow(self, model: RobotModel, limits: FloatArray) -> None:
        """Intersect joint limits, shape (2, dof), with these, in place.

        Raises:
            ObjectiveError: If the length is wrong, there is no joint of a name, or a joint is left
                without room.
        """
        lower, upper = self._in_order(model) if self.joints else (self.lower, self.upper)
        if lower.size != model.dof:
            raise ObjectiveError(
                f"joint_limits: expected {model.dof} numbers, one per joint, got {lower.size}"
            )
        np.maximum(limits[0], lower, out=limits[0])
        np.minimum(limits[1], upper, out=limits[1])
        for j in np.flatnonzero(limits[0] > limits[1]).tolist():
            low, high = model.position_limits[:, j].tolist()
            raise ObjectiveError(
                f"joint_limits, joint {model.joint_names[j]!r} (q[{j}]): "
                f"{lower[j]:g} to {upper[j]:g} has nothing in common with its other "
                f"limits (the model's are {low:g} to {high:g})"
            )

    def residual(self, model: RobotModel, q: FloatArray, limits: FloatArray) -> FloatArray:
        """Return nothing, shape (0,): limits always hold."""
        return np.zeros(0)

    def _in_order(self, model: RobotModel) -> tuple[FloatArray, FloatArray]:
        """Return both limits in the order of q; joints that are not named have none."""
        given = (
            dict(zip(self.joints, limit.tolist(), strict=True))
            for limit in (self.lower, self.upper)
        )
        none = np.full(model.dof, np.inf)
        low, high = (
            some_by_name(limit, model.joint_names, free, "joint_limits", ObjectiveError)
            for limit, free in zip(given, (-none, none), strict=True)
        )
        return low, high

    __repr__ = one_line_repr


class WideJointLimits(JointLimits):
    """Limits beyond a turn: they may be degrees, which is said once the model is known."""

    __slots__ = ()

    def narrow(self, model: RobotModel, limits: FloatArray) -> None:
        """Intersect joint limits with these; warn when they look like degrees."""
        JointLimits.narrow(self, model, limits)
        pair = np.stack((self.lower, self.upper))
        warn_of_degrees("joint_limits", pair, model.joint_slides, model.joint_names)


def joint_limits(lower: JointValues, upper: JointValues) -> JointLimits:
    """Keep every joint within limits, at every step of the search and in the answer.

    They narrow the limits of the model; a seed outside is pulled in. Those of turning joints that
    look like degrees warn where they are first used.

    Args:
        lower: Shape (dof,) [rad or m]; -inf for none. Or {joint name: number}; joints that are
            not named have none.
        upper: The same; inf for none. By name when the lower ones are.

    Returns:
        The objective; no rows.

    Raises:
        ObjectiveError: If a limit is NaN, lower is above upper, or the lengths differ.
    """
    joints: tuple[str, ...] = ()
    if (
        lower.__class__ is upper.__class__ is ndarray
        and lower.dtype is upper.dtype is FLOAT
        and lower.ndim == upper.ndim == 1
    ):
        low, high = lower.copy(), upper.copy()
        code = _in_order(low, high)
        if code == 1:
            low, high = _limits(lower, upper)
    else:
        joints, lower, upper = _named(lower, upper)
        low, high = _limits(lower, upper)
        code = _in_order(low, high)
    key = b"limits" + low.tobytes() + high.tobytes()
    if joints:
        key += repr(joints).encode()
    low.setflags(write=False)
    high.setflags(write=False)
    kind = JointLimits if code == 0 else WideJointLimits
    return kind(lower=low, upper=high, key=key, joints=joints)


def _named(
    lower: JointValues, upper: JointValues
) -> tuple[tuple[str, ...], npt.ArrayLike, npt.ArrayLike]:
    """Return the names of the joints that either limit names, and both for these."""
    if isinstance(lower, Mapping) and isinstance(upper, Mapping):
        joints = tuple(dict.fromkeys([*lower, *upper]))
        low, high = (
            split_names({name: limit.get(name, free) for name in joints}, f"joint_limits, {side}")
            for limit, free, side in ((lower, -math.inf, "lower"), (upper, math.inf, "upper"))
        )
        return joints, low[1], high[1]
    if isinstance(lower, Mapping) or isinstance(upper, Mapping):
        raise ObjectiveError("joint_limits: expected both limits by name, or neither")
    return (), lower, upper


def _limits(lower: npt.ArrayLike, upper: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Check limits; fresh arrays."""
    low = row(lower, None, "joint_limits, lower", ObjectiveError)
    high = row(upper, None, "joint_limits, upper", ObjectiveError)
    if low.size != high.size:
        raise ObjectiveError(
            f"joint_limits, upper: expected {low.size} numbers as in lower, got {high.size}"
        )
    for j, (a, b) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        where = f"joint_limits, joint {j + 1} (q[{j}])"
        if math.isnan(a) or math.isnan(b):
            raise ObjectiveError(f"{where}: NaN; use -inf or inf for a joint without a limit")
        if a > b:
            raise ObjectiveError(f"{where}: lower {a:g} is above upper {b:g}; are they swapped?")
        if a == math.inf or b == -math.inf:
            raise ObjectiveError(f"{where}: {a:g} to {b:g} leaves no room")
    return low, high


def only_limits(limits: object) -> tuple[JointLimits, ...]:
    """Check the argument ``limits``: none, or what ``joint_limits`` made."""
    if limits is None:
        return ()
    if not isinstance(limits, JointLimits):
        raise ObjectiveError(f"limits: expected ik.joint_limits(lower, upper), got {short(limits)}")
    return (limits,)
