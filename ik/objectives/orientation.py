"""The axes of a frame turned as a rotation matrix says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt
from numpy import ndarray

from armwright.copies import stays_read_only
from armwright.errors import ObjectiveError
from armwright.ik._kernels import layout
from armwright.kinematics import rotation_vector
from armwright.kinematics.arrays import FLOAT, FloatArray, as_rotation
from armwright.kinematics.engine import lazy
from armwright.kinematics.naming import FrameKey
from armwright.reprs import one_line_repr

from .base import check_weight
from .target import EYE, KernelRow, TargetObjective, create, slots_of

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.ik._kernels import targets as _targets_kernels  # noqa: F401

# Arrays that are as they should be are judged by kernels, in a twentieth of the time; they say no
# more than that something is wrong, and the slower checks then say what.
_put_right = lazy(__name__, "_put_right", "armwright.ik._kernels.targets")


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OrientationObjective(TargetObjective):
    """Axes of a frame turned as wanted; made by ``orientation``.

    Attributes:
        R_world_frame: Target, shape (3, 3).
    """

    name: ClassVar[str] = "orientation"
    orientation_rows: ClassVar[slice | None] = slice(0, 3)
    advice: ClassVar[str] = "use the tip axis objective or lower the orientation weight"
    kernel_code: ClassVar[float] = layout.ORIENTATION
    shown: ClassVar[tuple[str, Any]] = ("R_world_frame", np.s_[:3, :3])

    R_world_frame: FloatArray

    def count_errors(self) -> int:
        """Return 3."""
        return 3

    def kernel_row(self) -> KernelRow:
        """Return the row for the kernels."""
        return KernelRow(layout.ORIENTATION, self.count_errors(), 0.0, self.weight, 0.0, 0.0, 0.0)

    def error_of(self, T_world_frame: FloatArray) -> FloatArray:
        """Return the turn that is still to go, a rotation vector, world axes, shape (3,) [rad]."""
        return rotation_vector(self.R_world_frame @ T_world_frame[:3, :3].T)

    def slope_of(self, T_world_frame: FloatArray, J_world_frame: FloatArray) -> FloatArray:
        """Return the angular rows."""
        return J_world_frame[3:]

    __repr__ = one_line_repr


_slots = slots_of(OrientationObjective)


def orientation(
    R: npt.ArrayLike,
    *,
    weight: float = 1.0,
    frame_type: str = "endeffector",
    index: int | None = None,
    tag: str | None = None,
    frame: FrameKey | None = None,
) -> OrientationObjective:
    """Ask for the axes of a frame to be turned as a rotation matrix says.

    Args:
        R: R_world_frame, shape (3, 3): its columns are the frame's axes in the world.
        weight: Positive factor on the error; see ``solve`` for how metres and radians compare.
        frame_type: Kind of frame; this and the next three as in ``ik.position``.
        index: Number of the frame, or None.
        tag: Tag of the frame's element, or None.
        frame: The frame by itself, or None.

    Returns:
        The objective; three rows.

    Raises:
        ObjectiveError: If R is not a rotation: wrong shape, not finite, or off by more than
            four digits allow: R R^T by 5e-4. Others are made exact.
    """
    target = EYE.copy()
    plain = R.__class__ is ndarray and R.dtype is FLOAT and R.shape == (3, 3)
    if plain:
        target[:3, :3] = R
    if not plain or _put_right(target) != 0:
        target[:3, :3] = as_rotation(R, "orientation", ObjectiveError, kept=0.0)
    if weight.__class__ is not float or weight != 1.0:
        weight = check_weight("orientation", weight)
    return create(
        OrientationObjective, _slots, target, "orientation", weight, frame_type, index, tag, frame
    )
