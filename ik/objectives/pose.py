"""Position and orientation of a frame."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from armwright.errors import ObjectiveError
from armwright.ik._kernels import layout
from armwright.ik.checks import FloatArray, array, check_size, positive_weight, rotation, words
from armwright.kinematics import pose_error
from armwright.kinematics.engine import lazy

from .target import KernelRow, TargetObjective, create, key_of, slots_of

# Arrays that are as they should be are judged by kernels, in a twentieth of the time; they say no
# more than that something is wrong, and the slower checks then say what.
_put_right = lazy(__name__, "_put_right", "armwright.ik._kernels.targets")

_ndarray = np.ndarray
_FLOAT = np.dtype(np.float64)  # native: Numba may mistake another byte order for it


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


_slots = slots_of(PoseObjective)


def pose(
    T: npt.ArrayLike,
    *,
    weight: float = 1.0,
    frame_type: str = "endeffector",
    index: int | None = None,
    tag: str | None = None,
) -> PoseObjective:
    """Ask for position and orientation of a frame.

    Args:
        T: T_world_frame, shape (4, 4) [m].
        weight: Positive factor on the error; see ``solve`` for how metres and radians compare.
        frame_type: Kind of frame: "endeffector", "output", "input", "com", ...
        index: Number of the frame among those of its kind.
        tag: Tag of the element, instead of the index.

    Returns:
        The objective; six rows.

    Raises:
        ObjectiveError: If T is not a pose: wrong shape, not finite, last row not 0 0 0 1 (a
            transposed matrix), or its rotation is none.
    """
    if T.__class__ is _ndarray and T.dtype is _FLOAT and T.shape == (4, 4):
        target: FloatArray = T.copy()
        if _put_right(target) != 0:
            target = _pose(T)
    else:
        target = _pose(T)
    if weight.__class__ is not float or weight != 1.0:
        weight = positive_weight("pose", weight)
    key = key_of("pose", weight, frame_type, index, tag)
    return create(PoseObjective, _slots, target, key, weight, frame_type, index, tag)


def _pose(T: npt.ArrayLike) -> FloatArray:
    """Check a pose; a fresh array with the nearest rotation, shape (4, 4)."""
    matrix = array("pose", T, (4, 4), "a 4x4 pose")
    bottom = matrix[3].tolist()
    if bottom != [0.0, 0.0, 0.0, 1.0]:
        ask = "; is the matrix transposed?" if matrix[:3, 3].tolist() == [0.0] * 3 else ""
        raise ObjectiveError(f"pose: the last row is {words(bottom)}, expected 0 0 0 1{ask}")
    check_size("pose", "the position", matrix[:3, 3].tolist())
    matrix[:3, :3] = rotation("pose", matrix[:3, :3])
    return matrix
