"""Rotations, quaternions, directions and poses, as users hand them over.

One tolerance holds everywhere: the entries of R R^T - 1 may be up to 5e-4, so that every rotation
printed with four digits is taken. A rotation that is off by less than 6e-6 keeps its bits, one
that is off by more is replaced by the nearest rotation; what needs exact ones (``kept=0``) has
every rotation replaced. Beyond the tolerance the error says how far off it is, and what to do.
"""

import math
from typing import Any

import numpy as np

from armwright.errors import ModelError
from armwright.kinematics._kernels.nearest import nearer_rotation

from .checks import FINITE, LARGEST, Hints, Shape, as_array
from .conversion import FloatArray, words

ROTATION_TOLERANCE = 5e-4  # of R R^T - 1, entry by entry
KEPT = 6e-6  # of the same: up to here nothing is changed
UNIT_TOLERANCE = 1e-3  # of the length of a quaternion
FAR_FROM_A_ROTATION = 0.1  # of R R^T - 1; nearer than that it has an angle
ROW_TOLERANCE = 1e-9  # of the last row of a pose: what products and inverses leave

_EXACT = 1e-15
_FEW_DIGITS = 0.05  # of R R^T - 1, where two digits are left
_LEAST_SCALE = 2e-3  # three digits may look like a factor that is nearer to 1
_LAST_ROW = [0.0, 0.0, 0.0, 1.0]
_MEND = "U, _, Vt = np.linalg.svd(R); R = U @ Vt"
_ROTATION_HINTS: Hints = {
    (3,): "Are these angles, or a rotation vector? Make a matrix of them",
    (4,): "Is it a quaternion? Make a matrix of it",
    (4, 4): "Is it a pose? Its rotation is T[:3, :3]",
}
_POSE_HINTS: Hints = {
    (3,): "Is it a point? A pose has the translation in its last column",
    (7,): "Are these a point and a quaternion? Make a matrix of them",
    (16,): "Are these all numbers of a pose, row by row? Then reshape(4, 4) makes one",
    (3, 3): "Is it a rotation? T = np.eye(4); T[:3, :3] = R makes a pose of it",
    (3, 4): "Is the last row missing, 0 0 0 1?",
}


def as_pose(
    T: Any,
    name: str,
    error: type[Exception] = ModelError,
    *,
    kept: float = KEPT,
    most: float = LARGEST,
) -> FloatArray:
    """Return one pose as a fresh array (4, 4); its last row becomes 0 0 0 1 exactly.

    Args:
        T: Homogeneous matrix.
        name: What to call it in a message.
        error: What to raise if it has a wrong shape, is not finite, or is not a pose.
        kept: Up to which distance its rotation keeps its bits, see above.
        most: The largest size of a coordinate of its translation.
    """
    pose = as_array(T, (4, 4), name, error, hints=_POSE_HINTS)
    if pose[3].tolist() != _LAST_ROW:
        _mend_last_rows(pose, name, error)
    for coordinate in pose[:3, 3].tolist():
        if abs(coordinate) > most:
            raise error(f"{name}: expected a translation of at most {most:g}, got {coordinate:g}")
    R = pose[:3, :3]
    mended = mend_rotation(R, name, error, kept)
    if mended is not R:
        pose[:3, :3] = mended
    return pose


def as_poses(T: Any, name: str, error: type[Exception] = ModelError) -> FloatArray:
    """Return poses as a fresh array (..., 4, 4), with exact last rows.

    Shape, numbers and last rows are checked, rotations are not: see ``check_angles``.
    """
    poses = as_array(T, (..., 4, 4), name, error, hints=_POSE_HINTS)
    _mend_last_rows(poses, name, error)
    return poses


def as_rotation(
    R: Any,
    name: str,
    error: type[Exception] = ModelError,
    *,
    kept: float = KEPT,
    nine: bool = False,
) -> FloatArray:
    """Return one rotation as a fresh array (3, 3).

    Args:
        R: Rotation matrix.
        name: What to call it in a message.
        error: What to raise if it has a wrong shape, is not finite, or is not a rotation.
        kept: Up to which distance it keeps its bits, see above.
        nine: Whether nine numbers in a row, row by row, will do as well.
    """
    shapes: list[Shape] = [(3, 3), (9,)] if nine else [(3, 3)]
    matrix = as_array(R, shapes, name, error, hints=_ROTATION_HINTS)
    return mend_rotation(matrix.reshape(3, 3), name, error, kept)


def as_orientation(
    value: Any, name: str, error: type[Exception] = ModelError, *, kept: float = KEPT
) -> FloatArray:
    """Return a rotation, shape (3, 3), from a matrix or from a quaternion, scalar first."""
    numbers = as_array(value, (...,), name, error)
    if numbers.shape == (4,):
        return rotation_from_quaternion(numbers, name, error)
    if numbers.shape != (3, 3):
        raise error(
            f"{name}: expected a rotation matrix, shape (3, 3), or a quaternion, scalar first, "
            f"shape (4,), got shape {numbers.shape}"
        )
    return mend_rotation(numbers, name, error, kept)


def rotation_from_quaternion(
    quat_wxyz: Any, name: str, error: type[Exception] = ModelError
) -> FloatArray:
    """Return the rotation of a quaternion, scalar first, shape (3, 3).

    Its length may be off from 1 by 1e-3, as it is with three digits; it is normalized.
    """
    quat = as_array(quat_wxyz, (4,), name, error)
    length = math.hypot(*quat.tolist())
    if not abs(length - 1.0) <= UNIT_TOLERANCE:
        hint = "The scalar stands first, w x y z; no rotation is 1 0 0 0"
        if np.abs(quat).max() > 1.0 + UNIT_TOLERANCE:
            hint = f"Are these angles, or an axis and an angle? {hint}"
        raise error(f"{name}: expected a quaternion of length 1, got length {length:.6g}. {hint}")
    w, x, y, z = (quat / float(np.sqrt(quat @ quat))).tolist()
    return np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    )


def quaternions_from_rotations(R: FloatArray) -> FloatArray:
    """Return rotation matrices, shape (..., 3, 3), as quaternions (w, x, y, z), w not negative."""
    scaled = scaled_quaternions(R)
    found = scaled / np.linalg.norm(scaled, axis=-1, keepdims=True)
    upright: FloatArray = np.where(found[..., :1] < 0.0, -found, found)
    return upright


def scaled_quaternions(R: FloatArray) -> FloatArray:
    """Return rotation matrices, shape (..., 3, 3), as quaternions (w, x, y, z) of any length.

    They are 4 q times the largest of the four, so that nothing is divided by a small number, nor
    an arc cosine taken (Shepperd 1978).
    """
    xx, yy, zz = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    squares = np.stack(  # four times each, by w, x, y, z
        [1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz]
    )
    x, y, z = (R[..., k, j] - R[..., j, k] for j, k in ((1, 2), (2, 0), (0, 1)))  # 4 w x, ...
    xy, xz, yz = (R[..., j, k] + R[..., k, j] for j, k in ((0, 1), (0, 2), (1, 2)))  # 4 x y, ...
    products = np.stack(
        [
            np.stack([squares[0], x, y, z], axis=-1),
            np.stack([x, squares[1], xy, xz], axis=-1),
            np.stack([y, xy, squares[2], yz], axis=-1),
            np.stack([z, xz, yz, squares[3]], axis=-1),
        ]
    )  # (4, ..., 4): 4 q q^T
    largest = np.argmax(squares, axis=0)
    result: FloatArray = np.take_along_axis(products, largest[None, ..., None], axis=0)[0]
    return result


def as_direction(value: Any, name: str, error: type[Exception] = ModelError) -> FloatArray:
    """Return a direction of any length but zero with length 1, shape (3,)."""
    a, b, c = as_array(value, (3,), name, error).tolist()
    largest = max(abs(a), abs(b), abs(c))
    if largest == 0.0:
        raise error(f"{name}: expected a direction such as [0, 0, -1], got three zeros")
    a, b, c = a / largest, b / largest, c / largest  # squares of tiny or huge numbers stay in range
    length = math.sqrt(a * a + b * b + c * c)
    return np.array([a / length, b / length, c / length])


def mend_rotation(
    R: FloatArray, name: str, error: type[Exception] = ModelError, kept: float = KEPT
) -> FloatArray:
    """Return a matrix (3, 3) itself, or the nearest rotation, as this page says.

    Args:
        R: Finite numbers.
        name: What to call it in a message.
        error: What to raise if it is off by too much, or a mirror image.
        kept: Up to which distance it keeps its bits.
    """
    off, determinant = _off(R)
    if not off <= ROTATION_TOLERANCE or determinant < 0.0:
        raise error(f"{name}: expected a rotation, got {_problem(R, ROTATION_TOLERANCE)}")
    return R if off <= kept else nearest_rotation(R)


def nearest_rotation(R: FloatArray) -> FloatArray:
    """Return the rotation nearest to a matrix (3, 3) that is one up to the tolerance.

    It is the orthogonal factor of the polar decomposition, U V^T for the singular value
    decomposition U S V^T. A matrix that is off by less than 1e-15 comes back itself.
    """
    a, b, c, d, e, f, g, h, i = nine = tuple(R.ravel().tolist())
    off = max(
        abs(a * a + d * d + g * g - 1.0), abs(b * b + e * e + h * h - 1.0),
        abs(c * c + f * f + i * i - 1.0), abs(a * b + d * e + g * h),
        abs(a * c + d * f + g * i), abs(b * c + e * f + h * i),
    )  # fmt: skip
    if off <= _EXACT:
        return R
    while off > _EXACT:
        nine = nearer_rotation(*nine)
        off = 3.0 * off * off
    return np.array(nine).reshape(3, 3)


def check_angles(R: FloatArray, name: str, error: type[Exception] = ModelError) -> None:
    """Raise if one of many matrices (..., 3, 3) is so far from a rotation that it has no angle.

    What is only measured, and not made part of a model, may be off by 0.1: two digits are enough.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        off = np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max(axis=(-1, -2), initial=0.0)
        bad = ~(off < FAR_FROM_A_ROTATION) | (np.linalg.det(R) < 0.0)
    if bad.any():
        worst = R[bad][0]
        raise error(f"{name}: expected a rotation, got {_problem(worst, FAR_FROM_A_ROTATION)}")


def _mend_last_rows(T: FloatArray, name: str, error: type[Exception]) -> None:
    """Make the last row of every pose exact; raise if it is not 0 0 0 1 up to rounding."""
    off = np.abs(T[..., 3, :] - _LAST_ROW).max(axis=-1)
    if (off > ROW_TOLERANCE).any():
        worst = T.reshape(-1, 4, 4)[off.ravel().argmax()]
        hint = ""
        if np.abs(worst[:, 3] - _LAST_ROW).max() <= ROW_TOLERANCE:
            hint = (
                ". Is the matrix transposed? The translation belongs in the last column: pass T.T"
            )
        raise error(f"{name}: expected 0 0 0 1 in the last row, got {words(worst[3])}{hint}")
    T[..., 3, :] = _LAST_ROW


def _off(R: FloatArray) -> tuple[float, float]:
    """Return the largest entry of R R^T - 1, and the determinant of R; shape (3, 3)."""
    (a, b, c), (d, e, f), (g, h, i) = R.tolist()
    off = max(
        abs(a * a + b * b + c * c - 1.0), abs(d * d + e * e + f * f - 1.0),
        abs(g * g + h * h + i * i - 1.0), abs(a * d + b * e + c * f),
        abs(a * g + b * h + c * i), abs(d * g + e * h + f * i),
    )  # fmt: skip
    return off, a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def _problem(R: FloatArray, tolerance: float) -> str:
    """Say in what way a matrix (3, 3) is no rotation, and what to do about it."""
    off, determinant = _off(R)
    if determinant < 0.0 and off <= max(_FEW_DIGITS, tolerance):
        return (
            "a mirror image (determinant -1): with a column turned round, or two swapped, it would "
            "be a rotation. Are two axes swapped?"
        )
    text = (
        f"a matrix whose rows are off from unit length and right angles by {off:.2g}, where "
        f"{tolerance:g} would do. "
    )
    columns = np.array([math.hypot(*column) for column in R.T.tolist()])
    scale = columns.mean()
    scaled = determinant > 0.0 and abs(scale - 1.0) > _LEAST_SCALE and scale < FINITE
    if scaled and _off(R / scale)[0] <= ROTATION_TOLERANCE:
        return f"{text}Is a scale in it? Divided by {scale:.6g} it is a rotation"
    if off <= _FEW_DIGITS:
        return f"{text}Give more digits (repr, np.save), or take the nearest rotation: {_MEND}"
    if columns.all() and _off((R / columns).T)[0] <= ROTATION_TOLERANCE:
        return f"{text}Is a scale in it? Its columns have the lengths {words(columns)}"
    return f"{text}Are all nine numbers there, row by row? The nearest rotation is {_MEND}"
