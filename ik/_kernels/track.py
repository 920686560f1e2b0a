"""One step of following a target: as near as the joints may come without leaving their branch.

Uses the tables of ``layout.py``, with TURN 0 everywhere, because whole-turn twins are jumps here.
"""

import math

import numpy as np

from armwright.kinematics._kernels.declare import F8, I8, IN1, IN2, OUT2, entry, helper

from .layout import (
    BEST,
    FIRST,
    FOUND,
    FREE,
    HIGH,
    ITERATIONS,
    LONGEST,
    LOW,
    LOWER,
    MOVES,
    N_ROWS,
    NEAR,
    NOW,
    ORIENTATION_ERROR,
    POSITION_ERROR,
    REGULAR,
    SPARE,
    TARGET,
    UNIT,
    UPPER,
    WRAPS,
)
from .polish import descend
from .rows import advance, curved_gram, evaluate, newton_step, release, solve_in_place
from .track_sides import complete, determinant_sign, is_near_singular

# What a step returns.
ON_TARGET = 0
BY_STEP = 1
BY_SINGULARITY = 2
BY_LIMIT = 3
STUCK = 4

PUSH = 0.05  # joint units, off a saddle
FARTHEST = 1e30  # of a target, as ``LARGEST`` of the objectives: its square stays far from overflow


# Where a step tries from, in this order; what is not needed is left out.
HERE = 0
PUSHED = 1  # off a saddle: back toward the last regular pose, or both ways when there is none
PUSHED_BACK = 2
LOOK_BACK = 3  # no try, only a look at the last regular pose
MIRRORED = 4
REGAINED = 5
DONE = 6


@entry(IN2, IN1, OUT2, F8, F8, returns=I8)
def track_step(P, step, S, position_tolerance, orientation_tolerance):
    """Move the joint values BEST toward the target, none by more than its step.

    Where two branches meet (a straight elbow) both may lead on within one step. The one on the
    side of the last regular pose is taken; sides are told apart by the sign of the determinant of
    J. With more joints than rows it is completed by the joint motions that did not move the frame
    there, with fewer it is that of J_there^T J.

    Args:
        P: The program.
        step: Most that each joint may move, (n,).
        S: The state.
        position_tolerance: Where a step stops [m]; ten times as much counts as on target.
        orientation_tolerance: The same [rad].
    """
    n = S.shape[0] - 1
    open_box(P, S, step)
    rows = int(P[0, N_ROWS])
    J = np.empty((rows, n))
    F = np.empty((rows, n))
    B = np.empty((max(rows, n), n))
    e = np.empty(rows)
    W = np.empty((int(P[0, LONGEST]), 6))
    A = np.empty((n, n))
    b = np.empty(n)
    C = np.empty((n, n))
    flat = np.empty((0, 0))
    was_near = S[0, NEAR] != 0.0
    began = 0.0
    cost = math.inf
    side = 0.0
    near = False
    reached = False
    answer = STUCK
    S[0, ITERATIONS] = 0.0
    phase = HERE
    while phase != DONE:
        K = flat
        new = math.inf
        new_position = 0.0
        new_orientation = 0.0
        arrived = False
        if phase != LOOK_BACK:
            first, new, new_position, new_orientation, arrived = approach(
                P, S, J, e, W, A, b, K, position_tolerance, orientation_tolerance
            )
            if phase == HERE:
                began = first
                K = C
            if not arrived:
                new, new_position, new_orientation, _ = descend(P, S, J, e, W, A, b, C, 12)
        if not arrived:
            evaluate(P, S, J, e, W, K)
        is_near = is_near_singular(P, J, A)
        accepted = phase == HERE
        if phase == LOOK_BACK:
            phase = DONE
            if not is_near:
                complete(J, B)
                side = determinant_sign(J, B, A)
                if side * determinant_sign(F, B, A) < 0.0:
                    phase = MIRRORED
        elif phase == HERE:
            phase = DONE
            arrived = arrived or (
                new_position <= 10.0 * position_tolerance
                and new_orientation <= 10.0 * orientation_tolerance
            )
            if not arrived and is_saddle(S, J, A, b, C):
                phase = PUSHED
            elif may_have_crossed(P, S, arrived, is_near or was_near):
                phase = LOOK_BACK
        elif phase < LOOK_BACK:
            accepted = arrived or new < 0.999 * cost
            if accepted:
                phase = LOOK_BACK if may_have_crossed(P, S, arrived, True) else DONE
            else:
                both = phase == PUSHED and farthest(P, S, FOUND, REGULAR) < 1e-6
                phase = PUSHED_BACK if both else DONE
        else:
            accepted = arrived or (not reached and new < began)
            accepted = accepted and determinant_sign(J, B, A) == side
            phase = DONE if accepted else phase + 1
        if accepted:
            cost = new
            near = is_near
            reached = arrived
            S[0, POSITION_ERROR] = new_position
            S[0, ORIENTATION_ERROR] = new_orientation
            copy(S, NOW, FOUND)
            remember(J, F)
            if not reached:
                answer = what_holds(P, S, J, e, step, began, near or was_near)
        if phase != DONE:
            begin(P, S, phase)
    copy(S, FOUND, BEST)
    if not near:
        copy(S, FOUND, REGULAR)
    S[0, NEAR] = 1.0 if near else 0.0
    return ON_TARGET if reached else answer


@entry(OUT2, IN2, I8, returns=I8)
def take_pose(P, T, row):
    """Write a pose (4, 4) into a row of the program; 0 unless it is one to 12 digits and near."""
    if T.shape[0] != 4 or T.shape[1] != 4:
        return 0
    for c in range(4):
        if T[3, c] != (1.0 if c == 3 else 0.0):
            return 0
    for r in range(3):
        if not abs(T[r, 3]) <= FARTHEST:
            return 0
        for c in range(r + 1):
            s = T[0, r] * T[0, c] + T[1, r] * T[1, c] + T[2, r] * T[2, c]
            if not abs(s - (1.0 if r == c else 0.0)) < 1e-12:
                return 0
    x = T[1, 0] * T[2, 1] - T[2, 0] * T[1, 1]
    y = T[2, 0] * T[0, 1] - T[0, 0] * T[2, 1]
    z = T[0, 0] * T[1, 1] - T[1, 0] * T[0, 1]
    if x * T[0, 2] + y * T[1, 2] + z * T[2, 2] < 0.0:
        return 0
    for r in range(3):
        for c in range(4):
            P[row, TARGET + 4 * r + c] = T[r, c]
    return 1


@helper
def open_box(P, S, step):
    """Intersect limits and step around the joint values; never empty.

    A joint outside its limits moves back in by whole steps.
    """
    for j in range(S.shape[0] - 1):
        q = S[1 + j, BEST]
        low = max(q - step[j], P[1 + j, LOWER])
        high = min(q + step[j], P[1 + j, UPPER])
        S[1 + j, FIRST] = q
        S[1 + j, LOW] = min(low, q + step[j])
        S[1 + j, HIGH] = max(high, q - step[j])
        S[1 + j, NOW] = min(max(q, S[1 + j, LOW]), S[1 + j, HIGH])
        S[1 + j, WRAPS] = 0.0


@helper
def approach(P, S, J, e, W, A, b, C, position_tolerance, orientation_tolerance):
    """Gauss-Newton from NOW as long as the cost falls; returns the first cost and what is reached.

    When reached, J and e are those of NOW.
    """
    first = math.inf
    cost = math.inf
    position_error = math.inf
    orientation_error = math.inf
    copy(S, NOW, SPARE)  # stays if not even the first cost is a number
    for round_ in range(13):
        new, new_position, new_orientation = evaluate(P, S, J, e, W, C)
        if round_ == 0:
            first = new
        if new_position <= position_tolerance and new_orientation <= orientation_tolerance:
            return first, new, new_position, new_orientation, True
        if not new < cost:
            break
        fell = cost - new
        cost, position_error, orientation_error = new, new_position, new_orientation
        copy(S, NOW, SPARE)
        if round_ == 12 or fell < 0.01 * cost:
            break
        newton_step(S, J, e, A, b, cost)
        advance(P, S, 0.2 + 2.0 * math.sqrt(2.0 * cost), 0.0)
        S[0, ITERATIONS] += 1.0
    copy(S, SPARE, NOW)
    return first, cost, position_error, orientation_error, False


@helper
def copy(S, source, target):
    """Copy joint values from one column to another."""
    for j in range(S.shape[0] - 1):
        S[1 + j, target] = S[1 + j, source]


@helper
def remember(J, F):
    """Copy a Jacobian."""
    for r in range(J.shape[0]):
        for j in range(J.shape[1]):
            F[r, j] = J[r, j]


@helper
def farthest(P, S, one, other):
    """Largest way of a joint from one column of S to another, in joint units."""
    largest = 0.0
    for j in range(S.shape[0] - 1):
        largest = max(largest, P[1 + j, UNIT] * abs(S[1 + j, other] - S[1 + j, one]))
    return largest


@helper
def may_have_crossed(P, S, arrived, near):
    """Whether this step may have gone through a singular pose to another branch."""
    far = farthest(P, S, FIRST, NOW)  # in this step
    return far > 0.1 or (near and (arrived or far > 1e-3))


@helper
def is_saddle(S, J, A, b, C):
    """Whether the curvature of the cost over the free joints is not positive everywhere."""
    n = S.shape[0] - 1
    release(S)
    for j in range(n):
        g = 0.0
        for r in range(J.shape[0]):
            g += J[r, j] * J[r, j]
        if S[1 + j, NOW] <= S[1 + j, LOW] or S[1 + j, NOW] >= S[1 + j, HIGH] or g == 0.0:
            S[1 + j, FREE] = 0.0
    k = curved_gram(S, J, A, C)
    for i in range(k):
        b[i] = 0.0
    return not solve_in_place(A, b, k)


@helper
def begin(P, S, phase):
    """Put the point where a phase tries from into NOW, inside the box."""
    n = S.shape[0] - 1
    largest = farthest(P, S, FOUND, REGULAR)
    for j in range(n):
        q = S[1 + j, REGULAR]
        if phase == MIRRORED:
            q = 2.0 * S[1 + j, FIRST] - S[1 + j, FOUND]
        elif phase == PUSHED and largest > 1e-6:  # a little way back to the last regular pose
            q = S[1 + j, FOUND] + (q - S[1 + j, FOUND]) * min(1.0, PUSH / largest)
        elif phase < LOOK_BACK:  # in no direction that symmetry may have made useless
            u = 0.618034 * (j + 1)
            d = PUSH * (0.5 + u - np.floor(u)) / P[1 + j, UNIT]
            q = S[1 + j, FOUND] + (d if (j + phase) % 2 == 0 else -d) * P[1 + j, MOVES]
        if phase != LOOK_BACK:
            q = min(max(q, S[1 + j, LOW]), S[1 + j, HIGH])
        S[1 + j, NOW] = q


@helper
def what_holds(P, S, J, e, step, began, near):
    """Say what keeps the joints from the target: their step, a singular pose, a limit, or all."""
    by_step = False
    by_limit = False
    reach = 0.0
    least = 0.0
    for r in range(e.shape[0]):
        least += e[r] * e[r]
    least = 1e-6 * math.sqrt(least)
    for j in range(S.shape[0] - 1):
        g = 0.0
        for r in range(e.shape[0]):
            g += J[r, j] * e[r]
        q = S[1 + j, NOW]
        if P[1 + j, MOVES] != 0.0:
            reach = max(reach, P[1 + j, UNIT] * step[j])
        if (g > least and q >= S[1 + j, HIGH]) or (g < -least and q <= S[1 + j, LOW]):
            bound = P[1 + j, UPPER] if g > 0.0 else P[1 + j, LOWER]
            if q == bound:
                by_limit = True
            else:
                by_step = True
    if by_step:
        quick = math.sqrt(2.0 * began) < 0.5 * reach
        return BY_SINGULARITY if near and quick else BY_STEP
    return BY_LIMIT if by_limit else STUCK
