"""Rotations and rigid transforms as arrays: log and exp maps, products, errors.

All functions take any number of leading axes. ``T_A_B`` is the pose of B in A. Twists are linear
first, angular second.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from armwright.errors import ModelError

FloatArray = npt.NDArray[np.float64]
LARGEST = 1e50  # of a motion, place or force: products of a few of them do not overflow


def rotation_vector(R: npt.ArrayLike) -> FloatArray:
    """Compute the log of rotations: axis times angle.

    Accurate for every angle from 0 to pi: small angles keep all their digits, and near pi the
    axis comes from the symmetric part of the matrix. A matrix that is not quite a rotation (by
    rounding, or by few digits) gives the vector of a rotation nearby, never NaN.

    Args:
        R: Rotation matrices, shape (..., 3, 3).

    Returns:
        Rotation vectors, shape (..., 3) [rad]; their length is at most pi. At an angle of
        exactly pi, where v and -v are the same rotation, the first component of the axis that is
        not 0 is positive.

    Raises:
        ModelError: If the shape is wrong, a number is not finite, or a matrix is a mirror image or
            otherwise far from a rotation.
    """
    R = as_numbers(R, "R", (3, 3))
    _check_rotations(R)
    # Unit quaternion by the largest of four candidates (Shepperd 1978): no cancellation, no arccos.
    xx, yy, zz = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    squares = np.stack([1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz])
    sx, sy, sz = (
        R[..., 2, 1] - R[..., 1, 2],
        R[..., 0, 2] - R[..., 2, 0],
        R[..., 1, 0] - R[..., 0, 1],
    )
    xy, xz, yz = (
        R[..., 0, 1] + R[..., 1, 0],
        R[..., 0, 2] + R[..., 2, 0],
        R[..., 1, 2] + R[..., 2, 1],
    )
    candidates = np.stack(
        [
            np.stack([squares[0], sx, sy, sz], axis=-1),
            np.stack([sx, squares[1], xy, xz], axis=-1),
            np.stack([sy, xy, squares[2], yz], axis=-1),
            np.stack([sz, xz, yz, squares[3]], axis=-1),
        ]
    )
    best = np.argmax(squares, axis=0)
    quat_wxyz = np.take_along_axis(candidates, best[None, ..., None], axis=0)[0]
    w, xyz = quat_wxyz[..., :1], quat_wxyz[..., 1:]
    xyz = np.where(w < 0, -xyz, xyz)
    length = np.linalg.norm(xyz, axis=-1, keepdims=True)
    angle = 2 * np.arctan2(length, np.abs(w))
    half_turn = (w == 0) & (_first_sign(xyz) < 0)
    axis = np.divide(xyz, length, out=np.zeros_like(xyz), where=length > 0)
    result: FloatArray = np.where(half_turn, -axis, axis) * angle
    return result


def rotation_matrix(v: npt.ArrayLike) -> FloatArray:
    """Compute the exp of rotation vectors: the inverse of ``rotation_vector``.

    Args:
        v: Rotation vectors, shape (..., 3) [rad].

    Returns:
        Rotation matrices, shape (..., 3, 3).

    Raises:
        ModelError: If the shape is wrong or a number is not finite.
    """
    v = as_numbers(v, "v", (3,))
    angle = np.linalg.norm(v, axis=-1)[..., None, None]
    # sin(a) / a and (1 - cos(a)) / a^2 = 1/2 (sin(a/2) / (a/2))^2, exact at 0 through sinc.
    V = skew(v)
    R: FloatArray = np.eye(3) + np.sinc(angle / np.pi) * V
    R += 0.5 * np.sinc(angle / (2 * np.pi)) ** 2 * (V @ V)
    return R


def pose_error(T_a: npt.ArrayLike, T_b: npt.ArrayLike) -> FloatArray:
    """Compute how far pose b is from pose a.

    Args:
        T_a: Poses in the world, shape (..., 4, 4).
        T_b: Poses in the world, shape (..., 4, 4); leading axes broadcast.

    Returns:
        Shape (..., 6): position of b minus position of a [m], then the rotation vector of
        R_b R_a^T [rad]; both in world axes.

    Raises:
        ModelError: If a matrix has a wrong shape, is not finite, or is not a pose.
    """
    T_a = as_poses(T_a, "T_a")
    T_b = as_poses(T_b, "T_b")
    turn = rotation_vector(T_b[..., :3, :3] @ np.swapaxes(T_a[..., :3, :3], -1, -2))
    shift = T_b[..., :3, 3] - T_a[..., :3, 3]
    return np.concatenate([shift, turn], axis=-1)


def invert(T: npt.ArrayLike) -> FloatArray:
    """Invert poses, shape (..., 4, 4): ``invert(T_A_B)`` is ``T_B_A``.

    Raises:
        ModelError: If a matrix has a wrong shape, is not finite, or is not a pose.
    """
    T = as_poses(T, "T")
    result = np.zeros_like(T)
    R_t = np.swapaxes(T[..., :3, :3], -1, -2)
    result[..., :3, :3] = R_t
    result[..., :3, 3] = -(R_t @ T[..., :3, 3:])[..., 0]
    result[..., 3, 3] = 1.0
    return result


def adjoint(T: npt.ArrayLike) -> FloatArray:
    """Compute the matrices that move twists from B to A.

    Args:
        T: Poses T_A_B, shape (..., 4, 4).

    Returns:
        Shape (..., 6, 6), so that ``V_A = adjoint(T_A_B) @ V_B`` for twists with the linear part
        first: (R, [t]x R; 0, R).

    Raises:
        ModelError: If a matrix has a wrong shape, is not finite, or is not a pose.

    References:
        Lynch and Park, Modern Robotics, 2017, definition 3.20 (angular first there).
    """
    T = as_poses(T, "T")
    R = T[..., :3, :3]
    Ad = np.zeros((*T.shape[:-2], 6, 6))
    Ad[..., :3, :3] = R
    Ad[..., 3:, 3:] = R
    Ad[..., :3, 3:] = skew(T[..., :3, 3]) @ R
    return Ad


def skew(v: npt.ArrayLike) -> FloatArray:
    """Return the matrices of the cross product, (..., 3, 3): ``skew(a) @ b = cross(a, b)``."""
    v = np.asarray(v, dtype=np.float64)
    V = np.zeros((*v.shape, 3))
    V[..., 0, 1], V[..., 0, 2] = -v[..., 2], v[..., 1]
    V[..., 1, 0], V[..., 1, 2] = v[..., 2], -v[..., 0]
    V[..., 2, 0], V[..., 2, 1] = -v[..., 1], v[..., 0]
    return V


def as_pose(T: npt.ArrayLike, name: str) -> FloatArray:
    """Return one pose as a fresh array (4, 4), after checking it.

    Args:
        T: Homogeneous matrix; its rotation may be off by about 3e-6, as in the file format.
        name: What to call it in a message.

    Raises:
        ModelError: If it has a wrong shape, is not finite, or is not a pose; a last row that is
            not 0 0 0 1 makes the message ask whether the matrix is transposed.
    """
    T = as_poses(T, name)
    if T.ndim != 2:
        raise ModelError(f"{name}: expected shape (4, 4), got {T.shape}")
    R = T[:3, :3]
    off = float(np.abs(R @ R.T - np.eye(3)).max())
    if off > ROTATION_TOLERANCE:
        raise ModelError(
            f"{name}: expected a rotation in the upper left 3x3, got one whose columns are off "
            f"from unit length and right angles by {off:.2g}. Is a scale in it?"
        )
    if np.linalg.det(R) < 0:
        raise ModelError(f"{name}: expected a rotation in the upper left 3x3, got a mirror image")
    _check_size(T[:3, 3], f"{name}: expected a translation")
    return T


ROTATION_TOLERANCE = 6e-6  # of R R^T, twice the tolerance of R itself
FAR_FROM_A_ROTATION = 0.1  # of R R^T; two digits are near enough for an angle
ROW_TOLERANCE = 1e-9  # of the last row: what products and inverses leave


def as_poses(T: npt.ArrayLike, name: str) -> FloatArray:
    """Return poses as a fresh array (..., 4, 4), after checking shape, numbers and last row.

    Raises:
        ModelError: See ``as_pose``; rotations are not checked here.
    """
    T = as_numbers(T, name, (4, 4))
    off = np.abs(T[..., 3, :] - (0.0, 0.0, 0.0, 1.0)).max(axis=-1)
    if (off > ROW_TOLERANCE).any():
        row = T[..., 3, :].reshape(-1, 4)[off.ravel().argmax()]
        raise ModelError(
            f"{name}: expected 0 0 0 1 in the last row, got {' '.join(f'{x:g}' for x in row)}. "
            "Is the matrix transposed? The translation belongs in the last column."
        )
    T[..., 3, :] = (0.0, 0.0, 0.0, 1.0)
    return T


def as_numbers(
    value: Any, name: str, tail: tuple[int, ...], *, bounded: bool = False
) -> FloatArray:
    """Return finite numbers as a fresh C-contiguous float64 array of shape (..., *tail).

    Args:
        value: The numbers.
        name: What to call them in a message.
        tail: Shape of one item.
        bounded: Whether numbers beyond ``LARGEST`` are refused, as their products overflow.

    Raises:
        ModelError: If the value is not numeric, has another shape, is not finite, or is too large.
    """
    shape = "(" + ", ".join(["...", *map(str, tail)]) + ")"
    array = numeric(value)
    if array is None:
        raise ModelError(f"{name}: expected numbers of shape {shape}, got {short(value)}")
    if array.shape[max(array.ndim - len(tail), 0) :] != tail:
        raise ModelError(f"{name}: expected shape {shape}, got {array.shape}")
    if not np.isfinite(array).all():
        bad = array[~np.isfinite(array)][0]
        raise ModelError(f"{name}: expected finite numbers of shape {shape}, got {bad}")
    if bounded:
        _check_size(array, f"{name}: expected numbers")
    return array


def numeric(value: Any) -> FloatArray | None:
    """Return real numbers as a fresh C-contiguous float64 array, None for anything else.

    Booleans, text, complex numbers, objects and ragged lists are not numbers here, nor is an array
    in which something is masked: what lies under a mask is not meant.
    """
    try:
        array = np.asarray(value)
    except ValueError:  # ragged lists
        return None
    if array.dtype.kind not in "fiu":
        return None
    if isinstance(value, np.ma.MaskedArray) and np.any(value.mask):
        return None
    if array.dtype.itemsize <= 8:
        return np.array(array, dtype=np.float64, order="C")
    with np.errstate(over="ignore"):  # a long double beyond the range becomes inf, and is refused
        return np.array(array, dtype=np.float64, order="C")


def short(value: Any) -> str:
    """Describe a value in a message: its text, cut, or the type of an array."""
    if isinstance(value, np.ndarray):
        kind = "a masked array" if isinstance(value, np.ma.MaskedArray) else "an array"
        return f"{kind} of {value.dtype} with shape {value.shape}"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _check_size(array: FloatArray, expected: str) -> None:
    """Raise ModelError for numbers whose products overflow."""
    if np.abs(array).max(initial=0.0) > LARGEST:
        bad = array[np.abs(array) > LARGEST][0]
        raise ModelError(f"{expected} of at most {LARGEST:g}, got {bad:g}")


def _check_rotations(R: FloatArray) -> None:
    """Raise ModelError for what is no rotation at all: it has no angle, and 0 would be a lie."""
    with np.errstate(over="ignore", invalid="ignore"):
        off = np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max(axis=(-1, -2), initial=0.0)
        if not (off < FAR_FROM_A_ROTATION).all():
            raise ModelError(
                "R: expected a rotation, got a matrix whose rows are off from unit length and "
                f"right angles by {off.max():.2g}"
            )
    if (np.linalg.det(R) < 0.0).any():
        raise ModelError("R: expected a rotation, got a mirror image; are two axes swapped?")


def _first_sign(xyz: FloatArray) -> FloatArray:
    """Return the sign of the first component that is not 0, shape (..., 1)."""
    x, y, z = (np.sign(xyz[..., i : i + 1]) for i in range(3))
    sign: FloatArray = np.where(x != 0, x, np.where(y != 0, y, z))
    return sign
