"""How velocity and acceleration go from body to body, in whichever axes: the steps of the recursions.

Letters: w angular velocity, e angular acceleration, a classical acceleration of the body's origin.
A rate matrix B = [e]x + [w]x [w]x maps a point of a body to its acceleration relative to the
body's origin.
"""

from .declare import inline
from .vectors import cross, plus, plus_cross, times


@inline
def rate_matrix(w, e):
    """Rows of [e]x + [w]x [w]x: point of a body to its acceleration relative to the origin."""
    wx, wy, wz = w
    ex, ey, ez = e
    xx = wx * wx
    yy = wy * wy
    zz = wz * wz
    xy = wx * wy
    xz = wx * wz
    yz = wy * wz
    return (-yy - zz, xy - ez, xz + ey, xy + ez, -xx - zz, yz - ex, xz - ey, yz + ex, -xx - yy)


@inline
def plus_rates(a, B, p):
    """Return a + B p: acceleration of a point from that of the origin."""
    x, y, z = p
    return (
        a[0] + B[0] * x + B[1] * y + B[2] * z,
        a[1] + B[3] * x + B[4] * y + B[5] * z,
        a[2] + B[6] * x + B[7] * y + B[8] * z,
    )


@inline
def relative_acceleration(w, e, p):
    """B p without the matrix: e x p + w x (w x p)."""
    return plus_cross(cross(e, p), w, cross(w, p))


@inline
def add_joint_rates(slides, z, a, w, e):
    """Motion beyond a joint that moves with z about or along its axis, but for its acceleration.

    All in the same axes. Returns a, w, e.
    """
    c = cross(w, z)
    if slides != 0.0:
        return plus(a, times(c, 2.0)), w, e
    return a, plus(w, z), plus(e, c)
