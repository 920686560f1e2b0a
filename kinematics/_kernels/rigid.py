"""Rigid placements as 12 numbers, the rows of the 3x4 matrix: they stay in registers.

Arrays of placements are 2-D with one placement per row; ``block`` takes the column where it
starts. Constant columns let the compiler drop the handling of negative indices. Vectors are
triples, see ``vectors.py``.
"""

import math

from .checks import finite as finite  # for the kernels of IK
from .declare import inline
from .vectors import matrix_times, plus_cross, transpose

IDENTITY = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)


@inline
def mul(A, B):
    """Product of two placements."""
    a0, a1, a2, ax, a3, a4, a5, ay, a6, a7, a8, az = A
    b0, b1, b2, bx, b3, b4, b5, by, b6, b7, b8, bz = B
    return (
        a0 * b0 + a1 * b3 + a2 * b6, a0 * b1 + a1 * b4 + a2 * b7, a0 * b2 + a1 * b5 + a2 * b8, a0 * bx + a1 * by + a2 * bz + ax,
        a3 * b0 + a4 * b3 + a5 * b6, a3 * b1 + a4 * b4 + a5 * b7, a3 * b2 + a4 * b5 + a5 * b8, a3 * bx + a4 * by + a5 * bz + ay,
        a6 * b0 + a7 * b3 + a8 * b6, a6 * b1 + a7 * b4 + a8 * b7, a6 * b2 + a7 * b5 + a8 * b8, a6 * bx + a7 * by + a8 * bz + az,
    )  # fmt: skip


@inline
def rotz(A, angle):
    """A times a turn by an angle about its own z axis."""
    return turn(A, math.sin(angle), math.cos(angle))


@inline
def turn(A, s, c):
    """A times a turn about its own z axis by the angle of a sine and a cosine."""
    a0, a1, a2, ax, a3, a4, a5, ay, a6, a7, a8, az = A
    return (
        a0 * c + a1 * s, a1 * c - a0 * s, a2, ax,
        a3 * c + a4 * s, a4 * c - a3 * s, a5, ay,
        a6 * c + a7 * s, a7 * c - a6 * s, a8, az,
    )  # fmt: skip


@inline
def slide(A, d):
    """A times a shift by d along its own z axis."""
    a0, a1, a2, ax, a3, a4, a5, ay, a6, a7, a8, az = A
    return (a0, a1, a2, ax + a2 * d, a3, a4, a5, ay + a5 * d, a6, a7, a8, az + a8 * d)


@inline
def move(A, slides, d):
    """A times the motion of a joint about or along its own z axis."""
    if slides != 0.0:
        return slide(A, d)
    return rotz(A, d)


@inline
def moved(A, slides, T, i):
    """A times the motion of joint i, from a table of ``sines.py``."""
    if slides != 0.0:
        return slide(A, T[0, i])
    return turn(A, T[1, i], T[2, i])


@inline
def block(M, i, c):
    """The placement in row i of a table, from column c."""
    return (
        M[i, c], M[i, c + 1], M[i, c + 2], M[i, c + 3], M[i, c + 4], M[i, c + 5],
        M[i, c + 6], M[i, c + 7], M[i, c + 8], M[i, c + 9], M[i, c + 10], M[i, c + 11],
    )  # fmt: skip


@inline
def store(M, i, A):
    """Write a placement into row i of a table, from column 0."""
    for k in range(12):
        M[i, k] = A[k]


@inline
def write_matrix(T, A):
    """Write a placement as a homogeneous matrix, (4, 4)."""
    T[0, 0] = A[0]; T[0, 1] = A[1]; T[0, 2] = A[2]; T[0, 3] = A[3]  # fmt: skip
    T[1, 0] = A[4]; T[1, 1] = A[5]; T[1, 2] = A[6]; T[1, 3] = A[7]  # fmt: skip
    T[2, 0] = A[8]; T[2, 1] = A[9]; T[2, 2] = A[10]; T[2, 3] = A[11]  # fmt: skip
    T[3, 0] = 0.0; T[3, 1] = 0.0; T[3, 2] = 0.0; T[3, 3] = 1.0  # fmt: skip


@inline
def from_matrix(T):
    """The placement in a homogeneous matrix, (4, 4)."""
    return (
        T[0, 0], T[0, 1], T[0, 2], T[0, 3], T[1, 0], T[1, 1], T[1, 2], T[1, 3],
        T[2, 0], T[2, 1], T[2, 2], T[2, 3],
    )  # fmt: skip


@inline
def at_origin(A):
    """The same axes with the origin at 0."""
    return (A[0], A[1], A[2], 0.0, A[4], A[5], A[6], 0.0, A[8], A[9], A[10], 0.0)


@inline
def origin(A):
    """Where a placement has its origin."""
    return (A[3], A[7], A[11])


@inline
def axis(A):
    """The z axis of a placement."""
    return (A[2], A[6], A[10])


@inline
def axes(A):
    """The rotation of a placement, nine numbers by rows."""
    return (A[0], A[1], A[2], A[4], A[5], A[6], A[8], A[9], A[10])


@inline
def rotate(A, a):
    """A vector of the placed frame in the axes that it is placed in: R a."""
    return matrix_times(axes(A), a)


@inline
def rotate_back(A, a):
    """A vector in the axes of the placed frame: R^T a."""
    return matrix_times(transpose(axes(A)), a)


@inline
def to_parent(A, force, torque):
    """A wrench on a body in the axes and about the origin of the frame that it is placed in."""
    f = rotate(A, force)
    return f, plus_cross(rotate(A, torque), origin(A), f)
