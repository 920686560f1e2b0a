"""How far a frame is from its target, as the vectors that the solver drives to zero."""

import math

from armwright.kinematics._kernels.declare import helper, inline


@inline
def turn_between(A, B):
    """Rotation vector that turns placement A onto placement B: log(R_B R_A^T), world axes.

    The angle comes from atan2 of sine and cosine, exact for tiny angles; near a half turn the axis
    comes from the symmetric part, where the skew part has lost it.
    """
    a0, a1, a2, _, a3, a4, a5, _, a6, a7, a8, _ = A
    b0, b1, b2, _, b3, b4, b5, _, b6, b7, b8, _ = B
    m00 = b0 * a0 + b1 * a1 + b2 * a2
    m11 = b3 * a3 + b4 * a4 + b5 * a5
    m22 = b6 * a6 + b7 * a7 + b8 * a8
    m01 = b0 * a3 + b1 * a4 + b2 * a5
    m02 = b0 * a6 + b1 * a7 + b2 * a8
    m12 = b3 * a6 + b4 * a7 + b5 * a8
    m10 = b3 * a0 + b4 * a1 + b5 * a2
    m20 = b6 * a0 + b7 * a1 + b8 * a2
    m21 = b6 * a3 + b7 * a4 + b8 * a5
    x = m21 - m12
    y = m02 - m20
    z = m10 - m01
    s = math.sqrt(x * x + y * y + z * z)  # twice the sine
    c = m00 + m11 + m22 - 1.0  # twice the cosine
    if s < 1e-4:
        if c > 0.0:
            f = 0.5 + s * s / 48.0  # asin(s / 2) / s to second order
            return x * f, y * f, z * f
        return half_turn(m00, m11, m22, m01 + m10, m02 + m20, m12 + m21, x, y, z, math.atan2(s, c))
    f = math.atan2(s, c) / s
    return x * f, y * f, z * f


@helper
def half_turn(m00, m11, m22, m01, m02, m12, x, y, z, angle):
    """Rotation vector of nearly half a turn; m01, m02, m12 are sums of both off-diagonal entries.

    Near half a turn R + R^T = 2 c + 2 (1 - c) a a^T with c close to -1: the column with the
    largest diagonal gives the axis a, and the skew part (x, y, z) its sign.
    """
    if m00 >= m11 and m00 >= m22:
        u, v, w = 1.0 + 2.0 * m00 - (m00 + m11 + m22), m01, m02
    elif m11 >= m22:
        u, v, w = m01, 1.0 + 2.0 * m11 - (m00 + m11 + m22), m12
    else:
        u, v, w = m02, m12, 1.0 + 2.0 * m22 - (m00 + m11 + m22)
    f = angle / math.sqrt(u * u + v * v + w * w)
    if u * x + v * y + w * z < 0.0:
        f = -f
    return u * f, v * f, w * f


@inline
def axis_error(A, tx, ty, tz):
    """Turn that brings the z axis of placement A onto t, about A's own x and y axes, and its angle.

    Exactly two numbers, because a turn about the axis itself changes nothing. Opposite axes turn
    about x.
    """
    a0, a1, a2, _, a3, a4, a5, _, a6, a7, a8, _ = A
    # The target seen from A: the shortest turn is about (-along_y, along_x).
    along_x = a0 * tx + a3 * ty + a6 * tz
    along_y = a1 * tx + a4 * ty + a7 * tz
    s = math.sqrt(along_x * along_x + along_y * along_y)
    angle = math.atan2(s, a2 * tx + a5 * ty + a8 * tz)
    if s < 1e-12:
        return (0.0 if angle < 1.0 else angle), 0.0, angle
    return -along_y * angle / s, along_x * angle / s, angle
