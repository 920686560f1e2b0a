"""Position and orientation of a frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt
from numpy import ndarray

from armwright.copies import stays_read_only
from armwright.errors import ObjectiveError
from armwright.ik._kernels import layout
from armwright.kinematics import pose_error
from armwright.kinematics.arrays import FLOAT, FloatArray, as_pose
from armwright.kinematics.engine import lazy
from armwright.kinematics.naming import FrameKey
from armwright.reprs import one_line_repr

from .base import LARGEST, check_weight
from .target import KernelRow, TargetObjective, create, slots_of

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.ik._kernels import targets as _targets_kernels  # noqa: F401

# Arrays that are as they should be are judged by kernels, in a twentieth of the time; they say no
# more than that something is wrong, and the slower checks then say what.
_put_right = lazy(__name__, "_put_right", "armwright.ik._kernels.targets")


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PoseObjective(TargetObjective):
    """Position and orientation of a frame; made by ``pose``.

    Attributes:
        T_world_frame: Target, shape (4, 4).
    """

    name: ClassVar[str] = "pose"
    position_rows: ClassVar[slice | None] = slice(0, 3)
    orientation_rows: ClassVar[slice | None] = slice(3, 6)
    advice: ClassVar[str] = "use the tip axis objective or lower the orientation weight"
    kernel_code: ClassVar[float] = layout.POSE
    shown: ClassVar[tuple[str, Any]] = ("T_world_frame", np.s_[:, :])

    T_world_frame: FloatArray

    def count_errors(self) -> int:
        """Return 6."""
        return 6

    def wanted_point(self) -> FloatArray | None:
        """Return the target's origin, shape (3,)."""
        return self.T_world_frame[:3, 3]

    def kernel_row(self) -> KernelRow:
        """Return the row for the kernels."""
        return KernelRow(layout.POSE, self.count_errors(), self.weight, self.weight, 1.0, 1.0, 1.0)

    def error_of(self, T_world_frame: FloatArray) -> FloatArray:
        """Return what is still to go, shape (6,): [m], then a rotation vector, world axes [rad]."""
        return pose_error(T_world_frame, self.T_world_frame)

    def slope_of(self, T_world_frame: FloatArray, J_world_frame: FloatArray) -> FloatArray:
        """Return all rows."""
        return J_world_frame

    __repr__ = one_line_repr


_slots = slots_of(PoseObjective)


def pose(
    T: npt.ArrayLike,
    *,
    weight: float = 1.0,
    frame_type: str = "endeffector",
    index: int | None = None,
    tag: str | None = None,
    frame: FrameKey | None = None,
) -> PoseObjective:
    """Ask for position and orientation of a frame.

    Args:
        T: T_world_frame, shape (4, 4) [m].
        weight: Positive factor on the error; see ``solve`` for how metres and radians compare.
        frame_type: Kind of frame; this and the next three as in ``ik.position``.
        index: Number of the frame, or None.
        tag: Tag of the frame's element, or None.
        frame: The frame by itself, or None.

    Returns:
        The objective; six rows.

    Raises:
        ObjectiveError: If T is not a pose: wrong shape, not finite, last row not 0 0 0 1 (a
            transposed matrix), or its rotation is none. One that is printed with four digits is
            taken, and made exact.
    """
    if T.__class__ is ndarray and T.dtype is FLOAT and T.shape == (4, 4):
        target: FloatArray = T.copy()
        if _put_right(target) != 0:
            target = as_pose(T, "pose", ObjectiveError, kept=0.0, most=LARGEST)
    else:
        target = as_pose(T, "pose", ObjectiveError, kept=0.0, most=LARGEST)
    if weight.__class__ is not float or weight != 1.0:
        weight = check_weight("pose", weight)
    return create(PoseObjective, _slots, target, "pose", weight, frame_type, index, tag, frame)
