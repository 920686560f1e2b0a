"""What the second derivatives of the cost hold besides J^T J, where a frame turns.

With them the steps of a polish are Newton steps, which soon come to rest also in the long flat
valleys that a target out of reach leaves. Joint a comes before joint b on the chain; za and zb are
their axes in the world; everything is in joint units.
"""

import math

from armwright.kinematics._kernels.declare import helper
from armwright.kinematics._kernels.layout import CHAIN_JOINT, CHAIN_SCALE, CHAIN_SLIDES


@helper
def curve_turn(P, W, C, chain, k, wo, x, y, z):
    """Add what the second derivatives of half the squared angle lack, for the turn (x, y, z) to go.

    With r the rotation vector to go and t its length, joint a before b:
    (1 - t/2 cot t/2) (za . zb - (r . za) (r . zb) / t^2) + r . (za x zb) / 2.
    The first comes from the inverse of the derivative of the exponential map (Bullo and Murray,
    Proportional derivative control on the Euclidean group, 1995), the second from the axes, which
    turn themselves.
    """
    square = x * x + y * y + z * z
    if square < 1e-4:
        c = 1.0 / 12.0 + square / 720.0
    else:
        half = 0.5 * math.sqrt(square)
        c = (1.0 - half * math.cos(half) / math.sin(half)) / square
    for b in range(k):
        if P[chain + b, CHAIN_SLIDES] != 0.0:
            continue
        j = int(P[chain + b, CHAIN_JOINT])
        f = wo * wo if P[chain + b, CHAIN_SCALE] > 0.0 else -wo * wo
        u = f * W[b, 3]
        v = f * W[b, 4]
        w = f * W[b, 5]
        along = c * (x * u + y * v + z * w)
        # Vector whose product with the axis of a is the entry.
        p = c * square * u - along * x + 0.5 * (v * z - w * y)
        q = c * square * v - along * y + 0.5 * (w * x - u * z)
        r = c * square * w - along * z + 0.5 * (u * y - v * x)
        for a in range(b + 1):
            if P[chain + a, CHAIN_SLIDES] == 0.0:
                s = p * W[a, 3] + q * W[a, 4] + r * W[a, 5]
                put_pair(
                    C,
                    j,
                    int(P[chain + a, CHAIN_JOINT]),
                    s if P[chain + a, CHAIN_SCALE] > 0.0 else -s,
                )


@helper
def curve_axis(P, W, C, A, chain, k, wo, x, y, angle):
    """Add what the second derivatives of half the squared angle lack, for the axis of A.

    With d the frame's axis, n the axis of the turn to go, m = n x d and t the angle, joint a before
    b: (zb . m) ((1 - t cot t) (za . m) + t (za . d)).
    """
    s = math.sqrt(x * x + y * y)
    if s < 1e-12:
        return
    x /= s
    y /= s
    cot = math.cos(angle) / max(math.sin(angle), 1e-3)
    # m = (x X + y Y) x Z = y X - x Y
    mx = y * A[0] - x * A[1]
    my = y * A[4] - x * A[5]
    mz = y * A[8] - x * A[9]
    for b in range(k):
        if P[chain + b, CHAIN_SLIDES] != 0.0:
            continue
        j = int(P[chain + b, CHAIN_JOINT])
        f = wo * wo if P[chain + b, CHAIN_SCALE] > 0.0 else -wo * wo
        f *= mx * W[b, 3] + my * W[b, 4] + mz * W[b, 5]
        p = f * ((1.0 - angle * cot) * mx + angle * A[2])
        q = f * ((1.0 - angle * cot) * my + angle * A[6])
        r = f * ((1.0 - angle * cot) * mz + angle * A[10])
        for a in range(b + 1):
            if P[chain + a, CHAIN_SLIDES] == 0.0:
                s = p * W[a, 3] + q * W[a, 4] + r * W[a, 5]
                put_pair(
                    C,
                    j,
                    int(P[chain + a, CHAIN_JOINT]),
                    s if P[chain + a, CHAIN_SCALE] > 0.0 else -s,
                )


@helper
def put_pair(C, j, m, c):
    """Add an entry and its mirror image to a symmetric matrix."""
    C[j, m] += c
    if m != j:
        C[m, j] += c
