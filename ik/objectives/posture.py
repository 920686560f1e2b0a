"""Joint positions to stay near."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from armwright.copies import stays_read_only
from armwright.errors import ObjectiveError
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import (
    FloatArray,
    JointValues,
    check_each,
    frozen,
    row,
    values_by_name,
)
from armwright.reprs import one_line_repr

from .base import LARGEST, check_weight, split_names
from .secondary import SecondaryObjective, SecondarySum


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PostureObjective(SecondaryObjective):
    """Joint positions to stay near, as a secondary goal; made by ``posture``.

    Attributes:
        q_ref: Shape (dof,) [rad or m], in the order of ``joints`` when there are any.
        weight: Among several postures.
        joints: Names of the joints, when it was given by name; (): in the order of q.
    """

    name: ClassVar[str] = "posture"

    q_ref: FloatArray
    weight: float
    key: bytes = field(repr=False)
    joints: tuple[str, ...] = ()

    def add_to(self, total: SecondarySum) -> None:
        """Add one spring for each joint.

        Raises:
            ObjectiveError: If the length does not fit the model, or the names do not.
        """
        q_ref = self._in_order(total.model)
        if self.q_ref.size != total.model.dof:
            raise ObjectiveError(
                f"posture, q_ref: expected {total.model.dof} numbers, one per joint, "
                f"got {self.q_ref.size}"
            )
        total.stiffness += self.weight
        total.pull += self.weight * q_ref

    def residual(self, model: RobotModel, q: FloatArray, limits: FloatArray) -> FloatArray:
        """Return q_ref - q, shape (dof,) [rad or m]."""
        return self._in_order(model) - q

    def _in_order(self, model: RobotModel) -> FloatArray:
        """Return the posture in the order of q."""
        if not self.joints:
            return self.q_ref
        given = dict(zip(self.joints, self.q_ref.tolist(), strict=True))
        found = values_by_name(given, model.joint_names, "posture, q_ref", ObjectiveError)
        assert found is not None
        return found

    __repr__ = one_line_repr


def posture(q_ref: JointValues, *, weight: float = 1.0) -> PostureObjective:
    """Stay near a posture, as far as everything else allows.

    A secondary goal: it moves the joints only where the other objectives leave them free, and
    never counts for success. Alone, it is simply taken, within the limits. Lowers the sum of the
    squared distances, halved, in radians of the joints' outputs (slides: metres times 2 / reach).

    Args:
        q_ref: Shape (dof,) [rad or m], or a mapping of every joint's name to its position.
        weight: Positive; matters only between several secondary goals.

    Returns:
        The objective; its residual is q_ref - q, shape (dof,).

    Raises:
        ObjectiveError: If q_ref is not a vector of finite numbers.
    """
    joints, values = split_names(q_ref, "posture, q_ref")
    reference = row(values, None, "posture, q_ref", ObjectiveError)
    expected = f"finite numbers of at most {LARGEST:g}"
    check_each(reference, abs(reference) <= LARGEST, "posture, q_ref", expected, ObjectiveError)
    weight = check_weight("posture", weight)
    key = b"posture" + np.array(weight).tobytes() + reference.tobytes() + repr(joints).encode()
    return PostureObjective(q_ref=frozen(reference), weight=weight, key=key, joints=joints)
