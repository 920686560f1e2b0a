"""Joints near the middle of their limits."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FloatArray

from .base import check_weight
from .secondary import SecondaryObjective, SecondarySum


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CenteringObjective(SecondaryObjective):
    """Joints in the middle of their limits, as a secondary goal; made by ``centering``.

    Attributes:
        weight: Against other secondary goals.
    """

    name: ClassVar[str] = "centering"
    needs_limits: ClassVar[bool] = True

    weight: float
    key: str = field(repr=False)

    def add_to(self, total: SecondarySum) -> None:
        """Add one spring for each joint that has a middle."""
        middle, half = middles(total.limits)
        strong = np.zeros(total.model.dof)
        strong[half > 0.0] = self.weight / (total.unit * half)[half > 0.0] ** 2
        total.stiffness += strong
        total.pull += strong * middle

    def residual(self, model: RobotModel, q: FloatArray, limits: FloatArray) -> FloatArray:
        """Return middle - q, shape (dof,) [rad or m]; 0 for joints that are left alone."""
        middle, half = middles(limits)
        to_go: FloatArray = np.where(half > 0.0, middle - q, 0.0)
        return to_go


def centering(*, weight: float = 1.0) -> CenteringObjective:
    """Keep joints near the middle of their limits, as far as everything else allows.

    A secondary goal. Lowers the sum of ((q - middle) / half range)^2, halved, over the joints with
    two limits, those of ``joint_limits`` included; a joint without them is left alone.

    Args:
        weight: Positive; matters only between several secondary goals.

    Returns:
        The objective; its residual is middle - q, shape (dof,) [rad or m], 0 for joints that
        are left alone.

    Raises:
        ObjectiveError: If the weight is not usable.
    """
    weight = check_weight("centering", weight)
    return CenteringObjective(weight=weight, key=f"centering {weight!r}")


def middles(limits: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return middle and half range of every joint, shape (dof,); 0 where a limit is missing."""
    both = np.isfinite(limits).all(axis=0)
    lower, upper = np.where(both, limits, 0.0)
    return 0.5 * (lower + upper), 0.5 * (upper - lower)
