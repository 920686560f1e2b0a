"""The axes of a frame turned as a rotation matrix says."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from armwright.ik._kernels import layout
from armwright.ik.checks import FloatArray, array, positive_weight, rotation
from armwright.kinematics import rotation_vector
from armwright.kinematics.engine import lazy

from .target import EYE, KernelRow, TargetObjective, create, key_of, slots_of

# Arrays that are as they should be are judged by kernels, in a twentieth of the time; they say no
# more than that something is wrong, and the slower checks then say what.
_put_right = lazy(__name__, "_put_right", "armwright.ik._kernels.targets")

_ndarray = np.ndarray
_FLOAT = np.dtype(np.float64)  # native: Numba may mistake another byte order for it


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


_slots = slots_of(OrientationObjective)


def orientation(
    R: npt.ArrayLike,
    *,
    weight: float = 1.0,
    frame_type: str = "endeffector",
    index: int | None = None,
    tag: str | None = None,
) -> OrientationObjective:
    """Ask for the axes of a frame to be turned as a rotation matrix says.

    Args:
        R: R_world_frame, shape (3, 3): its columns are the frame's axes in the world.
        weight: Positive factor on the error; see ``solve`` for how metres and radians compare.
        frame_type: Kind of frame: "endeffector", "output", "input", "com", ...
        index: Number of the frame among those of its kind.
        tag: Tag of the element, instead of the index.

    Returns:
        The objective; three rows.

    Raises:
        ObjectiveError: If R is not a rotation: wrong shape, not finite, off by more than 1e-4, or
            a reflection.
    """
    target = EYE.copy()
    plain = R.__class__ is _ndarray and R.dtype is _FLOAT and R.shape == (3, 3)
    if plain:
        target[:3, :3] = R
    if not plain or _put_right(target) != 0:
        target[:3, :3] = rotation(
            "orientation", array("orientation", R, (3, 3), "a 3x3 rotation matrix")
        )
    if weight.__class__ is not float or weight != 1.0:
        weight = positive_weight("orientation", weight)
    key = key_of("orientation", weight, frame_type, index, tag)
    return create(OrientationObjective, _slots, target, key, weight, frame_type, index, tag)
