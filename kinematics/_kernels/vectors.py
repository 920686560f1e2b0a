"""Vectors as triples of numbers: they stay in registers.

Sums are formed in the order in which they are written here, everywhere: results keep their bits
whichever kernel asks.
"""

from .declare import inline

ZERO = (0.0, 0.0, 0.0)


@inline
def triple(M, i, c):
    """The vector in row i of a table, from column c."""
    return (M[i, c], M[i, c + 1], M[i, c + 2])


@inline
def put(M, i, c, a):
    """Write a vector into row i of a table, from column c."""
    M[i, c] = a[0]
    M[i, c + 1] = a[1]
    M[i, c + 2] = a[2]


@inline
def increase(M, i, c, a):
    """Add a vector to row i of a table, from column c."""
    M[i, c] += a[0]
    M[i, c + 1] += a[1]
    M[i, c + 2] += a[2]


@inline
def put_column(M, r, c, a):
    """Write a vector into column c of a table, from row r."""
    M[r, c] = a[0]
    M[r + 1, c] = a[1]
    M[r + 2, c] = a[2]


@inline
def plus(a, b):
    """Sum."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@inline
def minus(a, b):
    """Difference."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@inline
def times(a, s):
    """A vector times a number."""
    return (a[0] * s, a[1] * s, a[2] * s)


@inline
def dot(a, b):
    """Inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inline
def cross(a, b):
    """Vector product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@inline
def plus_cross(a, b, c):
    """Return a + b x c: the velocity of a point from that of another, or a torque about it."""
    return (
        a[0] + b[1] * c[2] - b[2] * c[1],
        a[1] + b[2] * c[0] - b[0] * c[2],
        a[2] + b[0] * c[1] - b[1] * c[0],
    )


@inline
def six(M, i, c):
    """Six numbers in row i of a table, from column c."""
    return (M[i, c], M[i, c + 1], M[i, c + 2], M[i, c + 3], M[i, c + 4], M[i, c + 5])


@inline
def matrix_times(B, a):
    """A 3x3 matrix, nine numbers by rows, times a vector."""
    x, y, z = a
    return (
        B[0] * x + B[1] * y + B[2] * z,
        B[3] * x + B[4] * y + B[5] * z,
        B[6] * x + B[7] * y + B[8] * z,
    )


@inline
def transpose(B):
    """The transpose of a 3x3 matrix, nine numbers by rows."""
    return (B[0], B[3], B[6], B[1], B[4], B[7], B[2], B[5], B[8])


@inline
def symmetric(S):
    """A symmetric 3x3 matrix, six numbers xx yy zz xy xz yz, as nine by rows."""
    xx, yy, zz, xy, xz, yz = S
    return (xx, xy, xz, xy, yy, yz, xz, yz, zz)


@inline
def product(B, C):
    """The product of two 3x3 matrices, nine numbers by rows."""
    return (
        B[0] * C[0] + B[1] * C[3] + B[2] * C[6], B[0] * C[1] + B[1] * C[4] + B[2] * C[7], B[0] * C[2] + B[1] * C[5] + B[2] * C[8],
        B[3] * C[0] + B[4] * C[3] + B[5] * C[6], B[3] * C[1] + B[4] * C[4] + B[5] * C[7], B[3] * C[2] + B[4] * C[5] + B[5] * C[8],
        B[6] * C[0] + B[7] * C[3] + B[8] * C[6], B[6] * C[1] + B[7] * C[4] + B[8] * C[7], B[6] * C[2] + B[7] * C[5] + B[8] * C[8],
    )  # fmt: skip
