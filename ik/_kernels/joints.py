"""Joint windows, starts, and the bookkeeping of the best points; shared by all IK kernels."""

import math

import numpy as np

from armwright.kinematics._kernels.declare import helper, inline
from armwright.kinematics._kernels.rigid import finite

from .layout import BEST, E_BEST, E_POOL, FREE, HIGH, ITERATIONS, LOW, LOWER, MOVES, N_POOL, NOW, OFFSET, ORIENTATION_ERROR, POOL, POSITION_ERROR, START_BEST, STARTS, STATIONARY, STRIDE, TRAVEL, TURN, UNIT, UPPER, WRAPS  # fmt: skip

# The damping follows the error cost up to this cost, which is beyond what a pose within reach can have:
# a target far down an unlimited slide would stop all steps.
FAR = 10.0

# Beyond it a tolerance says nothing [m]; half a turn is the one for angles.
MOST_POSITION_TOLERANCE = 1e3

# Twins of values at one end of a window are tried when the other end is this near [joint units].
AT_THE_END = 1e-2

# Least pivot, or damping: two joints in line make a matrix singular as the damping goes to 0.
TINY = 1e-14


@inline
def fit(x, low, high, turn):
    """Bring a joint value into its window: a whole-turn twin if one lies inside, else a bound.

    Outside on both sides, the bound that is nearer on the circle is taken. ``turn`` is 0 for a
    sliding joint, which has no twins.
    """
    if low <= x <= high:
        return x
    if x < low:
        if turn == 0.0:
            return low
        x += turn * np.ceil((low - x) / turn)
        if x <= high:
            return max(x, low)
        return high if x - high < low + turn - x else low
    if turn == 0.0:
        return high
    x -= turn * np.ceil((x - high) / turn)
    if x >= low:
        return min(x, high)
    return low if low - x < x + turn - high else high


@inline
def open_window(P, S, j, q):
    """Set the window of joint j: its limits, but at most one whole turn, around q."""
    lower = P[1 + j, LOWER]
    upper = P[1 + j, UPPER]
    turn = P[1 + j, TURN]
    wraps = turn > 0.0 and upper - lower >= turn * (1.0 - 1e-12)
    if wraps and upper - lower > turn:
        lower = min(max(q - 0.5 * turn, lower), upper - turn)
        upper = lower + turn if upper == math.inf else min(lower + turn, upper)
    S[1 + j, LOW] = lower
    S[1 + j, HIGH] = upper
    S[1 + j, WRAPS] = 1.0 if wraps else 0.0


@helper
def begin(P, S, q0, position_tolerance, orientation_tolerance):
    """Open the windows around the seed and pull it in; False when an input is not usable."""
    n = S.shape[0] - 1
    if q0.shape[0] != n or not finite(q0):
        return False
    if not (0.0 < position_tolerance <= MOST_POSITION_TOLERANCE):
        return False
    if not (0.0 < orientation_tolerance <= math.pi):
        return False
    for j in range(n):
        q = q0[j]
        open_window(P, S, j, q)
        q = fit(q, S[1 + j, LOW], S[1 + j, HIGH], P[1 + j, TURN])
        S[1 + j, NOW] = q
        S[1 + j, BEST] = q
        S[1 + j, FREE] = 1.0
        S[1 + j, START_BEST] = q
    S[0, E_BEST] = math.inf
    S[0, POSITION_ERROR] = math.inf
    S[0, ORIENTATION_ERROR] = math.inf
    S[0, ITERATIONS] = 0.0
    S[0, STARTS] = 0.0
    S[0, STATIONARY] = 0.0
    for k in range(N_POOL):
        S[0, E_POOL + k] = math.inf
    return True


@helper
def restart(P, S, q0, start):
    """Go to start number ``start`` (from 1) of the low-discrepancy sequence.

    Additive recurrence, u_j = offset_j + start * stride_j mod 1, stretched over the window. Joints
    that no objective depends on stay at the seed.
    """
    for j in range(S.shape[0] - 1):
        if P[1 + j, MOVES] == 0.0:
            continue
        low = S[1 + j, LOW]
        high = S[1 + j, HIGH]
        if P[1 + j, TURN] == 0.0:  # an unlimited sliding joint: its travel around the seed
            middle = min(max(q0[j], low), high)
            low = max(low, middle - P[1 + j, TRAVEL])
            high = min(high, middle + P[1 + j, TRAVEL])
        u = P[1 + j, OFFSET] + start * P[1 + j, STRIDE]
        S[1 + j, NOW] = min(low + (u - np.floor(u)) * (high - low), high)


@helper
def to_twins(P, S, q0, stay):
    """Move values in NOW from one end of a whole turn to the other, where that is nearer to the seed.

    A target at half a turn is met at either end, and the search steps over it as it comes. Returns
    whether anything was moved; then it has to be seen whether the target is still met. With
    ``stay`` the window of what was moved ends there, so that no step leads over it again.
    """
    moved = False
    for j in range(S.shape[0] - 1):
        if S[1 + j, WRAPS] == 0.0:
            continue
        turn = P[1 + j, TURN]
        q = S[1 + j, NOW]
        way = q - q0[j]
        if abs(way) > 0.5 * turn:
            twin = q - math.copysign(turn, way)
            end = min(max(twin, S[1 + j, LOW]), S[1 + j, HIGH])
            if abs(end - twin) * P[1 + j, UNIT] <= AT_THE_END and abs(end - q0[j]) < abs(way):
                S[1 + j, NOW] = end
                moved = True
                if stay:
                    S[1 + j, WRAPS] = 0.0
                    S[1 + j, LOW] = max(S[1 + j, LOW], end - 0.5 * turn)
                    S[1 + j, HIGH] = min(S[1 + j, HIGH], end + 0.5 * turn)
    return moved


@helper
def distance(P, S, q0, column):
    """Squared distance of joint values in the state from the seed [joint units]."""
    total = 0.0
    for j in range(S.shape[0] - 1):
        way = P[1 + j, UNIT] * (S[1 + j, column] - q0[j])
        total += way * way
    return total


@helper
def keep(S, cost, position_error, orientation_error):
    """Remember the best point of this start as the answer so far."""
    n = S.shape[0] - 1
    S[0, E_BEST] = cost
    S[0, POSITION_ERROR] = position_error
    S[0, ORIENTATION_ERROR] = orientation_error
    for j in range(n):
        S[1 + j, BEST] = S[1 + j, START_BEST]


@helper
def pool(S, cost):
    """Put the best point of this start into the pool, in place of the worst one there."""
    n = S.shape[0] - 1
    worst = 0
    for k in range(1, N_POOL):
        if S[0, E_POOL + k] > S[0, E_POOL + worst]:
            worst = k
    if cost < S[0, E_POOL + worst]:
        S[0, E_POOL + worst] = cost
        for j in range(n):
            S[1 + j, POOL + worst] = S[1 + j, START_BEST]
