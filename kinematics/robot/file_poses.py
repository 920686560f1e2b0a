"""Poses and rotations of a description, as files hold them.

The file format has a limit of its own for rotations, near ours and measured in another way. What
builders and models take has to be readable again once it is written.
"""

from armwright.hrdf import Pose
from armwright.hrdf.elements import Rotation
from armwright.hrdf.formula import rotation_problem
from armwright.kinematics.arrays import FloatArray, nearest_rotation


def fit_rotation(R: FloatArray) -> Rotation:
    """Return a checked rotation (3, 3), as it is if a file can hold it, else the nearest one."""
    numbers = _nine(R)
    return _nine(nearest_rotation(R)) if rotation_problem(numbers) else numbers


def _nine(R: FloatArray) -> Rotation:
    """Return a rotation row by row."""
    a, b, c, d, e, f, g, h, i = R.ravel().tolist()
    return a, b, c, d, e, f, g, h, i


def fit_pose(T: FloatArray) -> Pose:
    """Return a checked pose (4, 4) with its rotation as ``fit_rotation`` gives it."""
    x, y, z = T[:3, 3].tolist()
    return Pose(fit_rotation(T[:3, :3]), (x, y, z))
