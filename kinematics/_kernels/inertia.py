"""First and second moments of bodies as nine numbers: h (3), then J as xx yy zz xy xz yz.

h = sum of m r [kg m] and J = sum of m r r^T [kg m^2], r from the origin of the frame they are in.
"""

from .declare import inline


@inline
def nine(M, i, c):
    """The nine numbers in row i of a table, from column c."""
    return (
        M[i, c], M[i, c + 1], M[i, c + 2], M[i, c + 3], M[i, c + 4], M[i, c + 5],
        M[i, c + 6], M[i, c + 7], M[i, c + 8],
    )  # fmt: skip


@inline
def turned(A, S):
    """The same numbers along other axes: R h and R J R^T, with R of the placement A."""
    R0, R1, R2, _, R3, R4, R5, _, R6, R7, R8, _ = A
    ux, uy, uz, xx, yy, zz, xy, xz, yz = S
    a0 = R0 * xx + R1 * xy + R2 * xz
    a1 = R0 * xy + R1 * yy + R2 * yz
    a2 = R0 * xz + R1 * yz + R2 * zz
    a3 = R3 * xx + R4 * xy + R5 * xz
    a4 = R3 * xy + R4 * yy + R5 * yz
    a5 = R3 * xz + R4 * yz + R5 * zz
    a6 = R6 * xx + R7 * xy + R8 * xz
    a7 = R6 * xy + R7 * yy + R8 * yz
    a8 = R6 * xz + R7 * yz + R8 * zz
    return (
        R0 * ux + R1 * uy + R2 * uz, R3 * ux + R4 * uy + R5 * uz, R6 * ux + R7 * uy + R8 * uz,
        a0 * R0 + a1 * R1 + a2 * R2, a3 * R3 + a4 * R4 + a5 * R5, a6 * R6 + a7 * R7 + a8 * R8,
        a0 * R3 + a1 * R4 + a2 * R5, a0 * R6 + a1 * R7 + a2 * R8, a3 * R6 + a4 * R7 + a5 * R8,
    )  # fmt: skip


@inline
def carried(A, m, S):
    """The numbers of a mass m in the frame that A is placed in, about that frame's origin.

    With r = p + R s: h' = R h + m p, and J' = R J R^T + h' p^T + p (R h)^T.
    """
    x = A[3]; y = A[7]; z = A[11]  # fmt: skip
    hx, hy, hz, xx, yy, zz, xy, xz, yz = turned(A, S)
    gx = hx + m * x
    gy = hy + m * y
    gz = hz + m * z
    return (
        gx, gy, gz,
        xx + (hx + gx) * x, yy + (hy + gy) * y, zz + (hz + gz) * z,
        xy + gx * y + x * hy, xz + gx * z + x * hz, yz + gy * z + y * hz,
    )  # fmt: skip


@inline
def add(M, i, c, S):
    """Add nine numbers to row i of a table, from column c."""
    hx, hy, hz, xx, yy, zz, xy, xz, yz = S
    M[i, c] += hx
    M[i, c + 1] += hy
    M[i, c + 2] += hz
    M[i, c + 3] += xx
    M[i, c + 4] += yy
    M[i, c + 5] += zz
    M[i, c + 6] += xy
    M[i, c + 7] += xz
    M[i, c + 8] += yz
