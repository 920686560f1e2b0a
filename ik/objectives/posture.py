"""Joint positions to stay near."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from armwright.errors import ObjectiveError
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FloatArray, check_each, frozen, row

from .base import LARGEST, check_weight
from .secondary import SecondaryObjective, SecondarySum


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PostureObjective(SecondaryObjective):
    """Joint positions to stay near, as a secondary goal; made by ``posture``.

    Attributes:
        q_ref: Shape (n_dof,) [rad or m].
        weight: Among several postures.
    """

    name: ClassVar[str] = "posture"

    q_ref: FloatArray
    weight: float
    key: bytes = field(repr=False)

    def add_to(self, total: SecondarySum) -> None:
        """Add one spring for each joint.

        Raises:
            ObjectiveError: If the length does not fit the model.
        """
        if self.q_ref.size != total.model.dof:
            raise ObjectiveError(
                f"posture, q_ref: expected {total.model.dof} numbers, one per joint, "
                f"got {self.q_ref.size}"
            )
        total.stiffness += self.weight
        total.pull += self.weight * self.q_ref

    def residual(self, model: RobotModel, q: FloatArray, limits: FloatArray) -> FloatArray:
        """Return q_ref - q, shape (n_dof,) [rad or m]."""
        return self.q_ref - q


def posture(q_ref: npt.ArrayLike, *, weight: float = 1.0) -> PostureObjective:
    """Stay near a posture, as far as everything else allows.

    A secondary goal: it moves the joints only where the other objectives leave them free, and
    never counts for success. Alone, it is simply taken, within the limits. Lowers the sum of the
    squared distances, halved, in radians of the joints' outputs (slides: metres times 2 / reach).

    Args:
        q_ref: Shape (n_dof,) [rad or m].
        weight: Positive; matters only between several secondary goals.

    Returns:
        The objective; its residual is q_ref - q, shape (n_dof,).

    Raises:
        ObjectiveError: If q_ref is not a vector of finite numbers.
    """
    reference = row(q_ref, None, "posture, q_ref", ObjectiveError)
    expected = f"finite numbers of at most {LARGEST:g}"
    check_each(reference, abs(reference) <= LARGEST, "posture, q_ref", expected, ObjectiveError)
    weight = check_weight("posture", weight)
    key = b"posture" + np.array(weight).tobytes() + reference.tobytes()
    return PostureObjective(q_ref=frozen(reference), weight=weight, key=key)
