"""Nearly singular poses, and the two sides of them that branches lie on."""

import math

from armwright.kinematics._kernels.declare import helper

from .layout import MOVES
from .rows import column_gram

# A pose is nearly singular when the smallest pivot of J J^T, in joint units, is below this: about
# the square of the smallest singular value.
SINGULAR = 4e-4


@helper
def is_near_singular(P, J, A):
    """Whether some pivot of the smaller Gram matrix of J is small."""
    rows, n = J.shape
    n_moving = 0
    for j in range(n):
        if P[1 + j, MOVES] != 0.0:
            n_moving += 1
    if rows <= n_moving:
        for r in range(rows):
            for t in range(r + 1):
                s = 0.0
                for j in range(n):
                    s += J[r, j] * J[t, j]
                A[r, t] = s
        return smallest_pivot(A, rows) < SINGULAR
    k = column_gram(P, MOVES, J, A)
    return smallest_pivot(A, k) < SINGULAR


@helper
def smallest_pivot(A, k):
    """Smallest pivot of L D L^T, in the lower triangle; 0 as soon as one is not positive."""
    smallest = math.inf
    for i in range(k):
        for j in range(i):
            s = A[i, j]
            for m in range(j):
                s -= A[i, m] * A[j, m] * A[m, m]
            A[i, j] = s / A[j, j]
        s = A[i, i]
        for m in range(i):
            s -= A[i, m] * A[i, m] * A[m, m]
        if not s > 1e-15:
            return 0.0
        A[i, i] = s
        smallest = min(smallest, s)
    return smallest


@helper
def complete(J, B):
    """Copy J into B, orthonormal, with rows below for what J leaves out; just copy a tall J."""
    rows, n = J.shape
    for r in range(rows):
        for j in range(n):
            B[r, j] = J[r, j]
        if rows <= n:
            orthogonalize(B, r)
    for r in range(rows, n):
        best = 0
        largest = -1.0
        for j in range(n):  # the unit vector that is least covered so far
            left = 1.0
            for t in range(r):
                left -= B[t, j] * B[t, j]
            if left > largest:
                largest = left
                best = j
        for j in range(n):
            B[r, j] = 1.0 if j == best else 0.0
        orthogonalize(B, r)
        orthogonalize(B, r)


@helper
def orthogonalize(B, r):
    """Make row r of B a unit vector orthogonal to the rows before it."""
    n = B.shape[1]
    for t in range(r):
        s = 0.0
        for j in range(n):
            s += B[r, j] * B[t, j]
        for j in range(n):
            B[r, j] -= s * B[t, j]
    s = 0.0
    for j in range(n):
        s += B[r, j] * B[r, j]
    s = 1.0 / math.sqrt(s) if s > 1e-20 else 0.0
    for j in range(n):
        B[r, j] *= s


@helper
def determinant_sign(J, B, A):
    """Sign of the determinant of J, completed by the lower rows of B; of B^T J when J is tall."""
    rows, n = J.shape
    for r in range(n):
        for j in range(n):
            if rows > n:
                s = 0.0
                for t in range(rows):
                    s += B[t, r] * J[t, j]
                A[r, j] = s
            else:
                A[r, j] = J[r, j] if r < rows else B[r, j]
    sign = 1.0
    for i in range(n):
        pivot = i
        for r in range(i + 1, n):
            if abs(A[r, i]) > abs(A[pivot, i]):
                pivot = r
        if abs(A[pivot, i]) < 1e-12:
            return 0.0
        if pivot != i:
            sign = -sign
            for j in range(n):
                A[i, j], A[pivot, j] = A[pivot, j], A[i, j]
        if A[i, i] < 0.0:
            sign = -sign
        for r in range(i + 1, n):
            f = A[r, i] / A[i, i]
            for j in range(i, n):
                A[r, j] -= f * A[i, j]
    return sign
