"""Bring solutions into the limits, choose their twins, sort them; check targets on the way in."""

import math

from armwright.kinematics._kernels.declare import helper

from .all_layout import (
    COUNT,
    DISTANCE,
    FARTHEST,
    LOWER,
    N_DOF,
    N_JOINTS,
    OUTSIDE,
    ROW,
    SINGULAR,
    TURN,
    UNIT,
    UPPER,
    WEAKEST,
    Q,
)

SLACK = 1e-9  # outside by less than this is rounding; pulled onto the limit
GOOD = 1e-9  # how far from a rotation a target may be before Python looks at it


@helper
def usable(goal):
    """Whether a target is a finite 4x4 pose whose rotation is one."""
    if goal.shape[0] != 4 or goal.shape[1] != 4:
        return False
    if goal[3, 0] != 0.0 or goal[3, 1] != 0.0 or goal[3, 2] != 0.0 or goal[3, 3] != 1.0:
        return False
    a, b, c = goal[0, 0], goal[0, 1], goal[0, 2]
    d, e, f = goal[1, 0], goal[1, 1], goal[1, 2]
    g, h, i = goal[2, 0], goal[2, 1], goal[2, 2]
    # The last row must be the cross product of the others, which must be unit and across.
    off = max(
        max(max(abs(a * a + b * b + c * c - 1.0), abs(d * d + e * e + f * f - 1.0)), abs(a * d + b * e + c * f)),
        max(max(abs(b * f - c * e - g), abs(c * d - a * f - h)), abs(a * e - b * d - i)),
    )  # fmt: skip
    return off <= GOOD and 0.0 * goal[0, 3] + 0.0 * goal[1, 3] + 0.0 * goal[2, 3] == 0.0


@helper
def near(reference):
    """Whether a reference is not so far away that twins near it lose digits."""
    largest = 0.0
    for j in range(reference.shape[0]):
        largest = max(largest, abs(reference[j]))
    return largest <= FARTHEST


@helper
def target(goal):
    """The target as a placement."""
    return (
        goal[0, 0], goal[0, 1], goal[0, 2], goal[0, 3], goal[1, 0], goal[1, 1],
        goal[1, 2], goal[1, 3], goal[2, 0], goal[2, 1], goal[2, 2], goal[2, 3],
    )  # fmt: skip


@helper
def inside(q, lower, upper, turn, reference):
    """The twin of q within the limits that is nearest to the reference, and whether there is one."""
    if turn > 0.0:
        q += turn * math.floor((reference - q) / turn + 0.5)
        if q > upper + SLACK:
            q -= turn * math.ceil((q - upper - SLACK) / turn)
        elif q < lower - SLACK:
            q += turn * math.ceil((lower - SLACK - q) / turn)
    return min(max(q, lower), upper), lower - SLACK <= q <= upper + SLACK


@helper
def finish(P, S, reference, count):
    """Turn rows 1 to count from x into q, drop what the limits forbid, sort by distance."""
    k = int(P[0, N_JOINTS])
    n = int(P[0, N_DOF])
    kept = 0
    singular = math.inf
    for r in range(1, count + 1):
        to = kept + 1
        distance = 0.0
        possible = True
        for j in range(n):
            row = k + 2 + j
            lower = P[row, LOWER]
            upper = P[row, UPPER]
            i = int(P[row, ROW])
            if i == 0:
                q = min(max(reference[j], lower), upper)
            else:
                q, fits = inside(S[r, i - 1] / P[i, UNIT], lower, upper, P[row, TURN], reference[j])
                if not fits:
                    possible = False
                    break
            # Rows move up: row `to` is not below r, and its x is read before it is written.
            S[to, Q + j] = q
            distance += (q - reference[j]) ** 2
        if not possible:
            continue
        for c in range(Q):
            S[to, c] = S[r, c]
        S[to, DISTANCE] = math.sqrt(distance)
        singular = min(singular, S[to, WEAKEST])
        kept += 1
        for s in range(kept, 1, -1):  # insert
            if not S[s, DISTANCE] < S[s - 1, DISTANCE]:
                break
            for c in range(Q + n):
                swap = S[s, c]
                S[s, c] = S[s - 1, c]
                S[s - 1, c] = swap
    S[0, COUNT] = kept
    S[0, OUTSIDE] = count - kept
    S[0, SINGULAR] = singular
