"""Rotations and rigid transforms as arrays: log and exp maps, products, errors.

All functions take any number of leading axes. ``T_A_B`` is the pose of B in A. Twists are linear
first, angular second.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .arrays import FloatArray, as_array, as_poses, check_angles, scaled_quaternions


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
    R = as_array(R, (..., 3, 3), "R")
    check_angles(R, "R")
    quat_wxyz = scaled_quaternions(R)
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
    v = as_array(v, (..., 3), "v")
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


def _first_sign(xyz: FloatArray) -> FloatArray:
    """Return the sign of the first component that is not 0, shape (..., 1)."""
    x, y, z = (np.sign(xyz[..., i : i + 1]) for i in range(3))
    sign: FloatArray = np.where(x != 0, x, np.where(y != 0, y, z))
    return sign
