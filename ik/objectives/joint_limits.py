"""Hard limits of the joints, narrower than the model's own."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from armwright.errors import ObjectiveError
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FloatArray, row, warn_of_degrees
from armwright.kinematics.engine import lazy

from .base import Objective

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.ik._kernels import targets as _targets_kernels  # noqa: F401

_in_order = lazy(__name__, "_in_order", "armwright.ik._kernels.targets")

_ndarray = np.ndarray
_FLOAT = np.dtype(np.float64)  # native: Numba may mistake another byte order for it


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class JointLimits(Objective):
    """Hard limits; made by ``joint_limits``.

    Attributes:
        lower: Shape (n_dof,) [rad or m]; -inf where there is none.
        upper: Shape (n_dof,) [rad or m]; inf where there is none.
    """

    name: ClassVar[str] = "joint_limits"

    lower: FloatArray
    upper: FloatArray
    key: bytes = field(repr=False)

    @property
    def key_but_limits(self) -> str:
        """One for all limits: they are often new with every call."""
        return "any limits"

    def narrow(self, model: RobotModel, limits: FloatArray) -> None:
        """Intersect joint limits, shape (2, n_dof), with these, in place.

        Raises:
            ObjectiveError: If the length is wrong, or a joint is left without room.
        """
        if self.lower.size != model.dof:
            raise ObjectiveError(
                f"joint_limits: expected {model.dof} numbers, one per joint, got {self.lower.size}"
            )
        np.maximum(limits[0], self.lower, out=limits[0])
        np.minimum(limits[1], self.upper, out=limits[1])
        for j in np.flatnonzero(limits[0] > limits[1]).tolist():
            low, high = model.position_limits[:, j].tolist()
            raise ObjectiveError(
                f"joint_limits, joint {model.joint_names[j]!r} (q[{j}]): "
                f"{self.lower[j]:g} to {self.upper[j]:g} has nothing in common with its other "
                f"limits (the model's are {low:g} to {high:g})"
            )

    def residual(self, model: RobotModel, q: FloatArray, limits: FloatArray) -> FloatArray:
        """Return nothing, shape (0,): limits always hold."""
        return np.zeros(0)


class WideJointLimits(JointLimits):
    """Limits beyond a turn: they may be degrees, which is said once the model is known."""

    __slots__ = ()

    def narrow(self, model: RobotModel, limits: FloatArray) -> None:
        """Intersect joint limits with these; warn when they look like degrees."""
        JointLimits.narrow(self, model, limits)
        pair = np.stack((self.lower, self.upper))
        warn_of_degrees("joint_limits", pair, model.joint_slides, model.joint_names)


def joint_limits(lower: npt.ArrayLike, upper: npt.ArrayLike) -> JointLimits:
    """Keep every joint within limits, at every step of the search and in the answer.

    They narrow the limits of the model; a seed outside is pulled in. Those of turning joints that
    look like degrees warn where they are first used.

    Args:
        lower: Shape (n_dof,) [rad or m]; -inf for none.
        upper: Shape (n_dof,) [rad or m]; inf for none.

    Returns:
        The objective; no rows.

    Raises:
        ObjectiveError: If a limit is NaN, lower is above upper, or the lengths differ.
    """
    if (
        lower.__class__ is upper.__class__ is _ndarray
        and lower.dtype is upper.dtype is _FLOAT
        and lower.ndim == upper.ndim == 1
    ):
        low, high = lower.copy(), upper.copy()
        code = _in_order(low, high)
        if code == 1:
            low, high = _limits(lower, upper)
    else:
        low, high = _limits(lower, upper)
        code = _in_order(low, high)
    key = b"limits" + low.tobytes() + high.tobytes()
    low.setflags(write=False)
    high.setflags(write=False)
    kind = JointLimits if code == 0 else WideJointLimits
    return kind(lower=low, upper=high, key=key)


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
        raise ObjectiveError(f"limits: expected ik.joint_limits(lower, upper), got {limits!r}")
    return (limits,)
