"""Checks of what is asked for, quickly; what they do not take, ``kinematics.arrays`` judges."""

import math

from armwright.kinematics._kernels.declare import I8, IN1, OUT2, entry, helper
from armwright.kinematics._kernels.nearest import nearer_rotation

LARGEST = 1e30  # squared distance that is not looked at more closely
# Of R^T R - 1. The gate measures R R^T - 1 and takes 5e-4: what is nearer than this is a rotation by
# either measure, so that arrays and lists are judged alike.
SURELY_ROTATION = 1e-4
EXACT = 1e-15
ONE_TURN = 2.0 * math.pi

nearer = helper(nearer_rotation)


@entry(OUT2, returns=I8)
def put_right(T):
    """Bring the rotation of a pose (4, 4) to the nearest one; 1, and nothing done, if in doubt.

    The same bits as ``kinematics.arrays.nearest_rotation`` gives.
    """
    a, b, c = T[0, 0], T[0, 1], T[0, 2]
    d, e, f = T[1, 0], T[1, 1], T[1, 2]
    g, h, i = T[2, 0], T[2, 1], T[2, 2]
    x, y, z = T[0, 3], T[1, 3], T[2, 3]
    if not (T[3, 0] == 0.0 and T[3, 1] == 0.0 and T[3, 2] == 0.0 and T[3, 3] == 1.0):
        return 1
    if not x * x + y * y + z * z <= LARGEST:
        return 1
    aa = abs(a * a + d * d + g * g - 1.0)
    bb = abs(b * b + e * e + h * h - 1.0)
    cc = abs(c * c + f * f + i * i - 1.0)
    if not (aa <= SURELY_ROTATION and bb <= SURELY_ROTATION and cc <= SURELY_ROTATION):
        return 1  # NaN comes this way too, which a maximum may lose
    off = max(
        max(max(aa, bb), max(cc, abs(a * b + d * e + g * h))),
        max(abs(a * c + d * f + g * i), abs(b * c + e * f + h * i)),
    )
    if off > SURELY_ROTATION:
        return 1
    if a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0.0:
        return 1
    if off <= EXACT:
        return 0
    while off > EXACT:
        a, b, c, d, e, f, g, h, i = nearer(a, b, c, d, e, f, g, h, i)
        off = 3.0 * off * off
    T[0, 0] = a
    T[0, 1] = b
    T[0, 2] = c
    T[1, 0] = d
    T[1, 1] = e
    T[1, 2] = f
    T[2, 0] = g
    T[2, 1] = h
    T[2, 2] = i
    return 0


@entry(IN1, IN1, returns=I8)
def in_order(lower, upper):
    """Whether joint limits leave room.

    0; 1 if they do not, are NaN or differ in number; 2 if they do, and one is beyond a turn.
    """
    if lower.shape[0] != upper.shape[0]:
        return 1
    code = 0
    for j in range(lower.shape[0]):
        low, high = lower[j], upper[j]
        if not (low <= high and low < math.inf and high > -math.inf):
            return 1
        if (ONE_TURN < abs(low) < math.inf) or (ONE_TURN < abs(high) < math.inf):
            code = 2
    return code
