"""First and second moments of bodies as nine numbers, and what moves a body that has them.

The numbers are h (3), then J as xx yy zz xy xz yz: h = sum of m r [kg m] and J = sum of m r r^T
[kg m^2], r from the origin of the frame they are in.

A body whose origin accelerates with a, and which turns with the rate matrix B of ``rates.py``,
needs the wrench, about its origin,

    f = m a + B h        t = h x a + skew(B J)
"""

from .declare import inline
from .rates import plus_rates
from .rigid import axes, origin, rotate
from .vectors import product, symmetric

SINGULAR = 1e-12  # a joint that moves less than this part of its bodies' inertia moves none,
NOWHERE = 1e-16  # as does one whose masses are within 1e-8 m of its axis [m^2]


@inline
def nine(M, i, c):
    """The nine numbers in row i of a table, from column c."""
    return (
        M[i, c], M[i, c + 1], M[i, c + 2], M[i, c + 3], M[i, c + 4], M[i, c + 5],
        M[i, c + 6], M[i, c + 7], M[i, c + 8],
    )  # fmt: skip


@inline
def put_nine(M, i, c, S):
    """Write nine numbers into row i of a table, from column c."""
    M[i, c] = S[0]
    M[i, c + 1] = S[1]
    M[i, c + 2] = S[2]
    M[i, c + 3] = S[3]
    M[i, c + 4] = S[4]
    M[i, c + 5] = S[5]
    M[i, c + 6] = S[6]
    M[i, c + 7] = S[7]
    M[i, c + 8] = S[8]


@inline
def turned(A, S):
    """The same numbers along other axes: R h and R J R^T, with R of the placement A."""
    R0, R1, R2, R3, R4, R5, R6, R7, R8 = axes(A)
    hx, hy, hz, xx, yy, zz, xy, xz, yz = S
    a0, a1, a2, a3, a4, a5, a6, a7, a8 = product(axes(A), symmetric((xx, yy, zz, xy, xz, yz)))
    gx, gy, gz = rotate(A, (hx, hy, hz))
    return (
        gx, gy, gz,
        a0 * R0 + a1 * R1 + a2 * R2, a3 * R3 + a4 * R4 + a5 * R5, a6 * R6 + a7 * R7 + a8 * R8,
        a0 * R3 + a1 * R4 + a2 * R5, a0 * R6 + a1 * R7 + a2 * R8, a3 * R6 + a4 * R7 + a5 * R8,
    )  # fmt: skip


@inline
def carried(A, m, S):
    """The numbers of a mass m in the frame that A is placed in, about that frame's origin."""
    return shifted(origin(A), m, turned(A, S))


@inline
def shifted(p, m, S):
    """The numbers of a mass m about the point from which its origin is at p.

    With r = p + s: h' = h + m p, and J' = J + h' p^T + p h^T.
    """
    x, y, z = p
    hx, hy, hz, xx, yy, zz, xy, xz, yz = S
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


@inline
def inertial_wrench(m, S, a, B):
    """Force and torque about its origin that move a body with acceleration a and rate matrix B."""
    b0, b1, b2, b3, b4, b5, b6, b7, b8 = B
    hx, hy, hz, xx, yy, zz, xy, xz, yz = S
    ax, ay, az = a
    force = plus_rates((m * ax, m * ay, m * az), B, (hx, hy, hz))
    torque = (
        hy * az - hz * ay + (b6 * xy + b7 * yy + b8 * yz) - (b3 * xz + b4 * yz + b5 * zz),
        hz * ax - hx * az + (b0 * xz + b1 * yz + b2 * zz) - (b6 * xx + b7 * xy + b8 * xz),
        hx * ay - hy * ax + (b3 * xx + b4 * xy + b5 * xz) - (b0 * xy + b1 * yy + b2 * yz),
    )
    return force, torque


@inline
def angular_momentum(S, w):
    """Of a body that turns with w about the point that its nine numbers are about."""
    x, y, z = w
    _, _, _, xx, yy, zz, xy, xz, yz = S
    return (
        (yy + zz) * x - xy * y - xz * z,
        (xx + zz) * y - xy * x - yz * z,
        (xx + yy) * z - xz * x - yz * y,
    )


@inline
def joint_column(slides, s, m, S):
    """Wrench that gives a mass m with these numbers acceleration s along or about the z axis."""
    hx, hy, _, xx, yy, _, _, xz, yz = S
    if slides != 0.0:
        return (0.0, 0.0, s * m), (s * hy, -s * hx, 0.0)
    return (-s * hy, s * hx, 0.0), (-s * xz, -s * yz, s * (xx + yy))
