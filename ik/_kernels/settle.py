"""Settle: bring joints that the objectives leave free towards a posture."""

import numpy as np

from armwright.kinematics._kernels.declare import F8, IN2, OUT2, entry, helper

from .joints import FAR, keep, open_window
from .layout import (
    BEST,
    E_BEST,
    FREE,
    ITERATIONS,
    LONGEST,
    LOWER,
    N_ROWS,
    NOW,
    ORIENTATION_ERROR,
    POSITION_ERROR,
    REFERENCE,
    START_BEST,
    STEP,
    TURN,
    UNIT,
    UPPER,
    WRAPS,
)
from .rows import advance, evaluate, freeze, gram_step, release


@entry(IN2, OUT2, F8, F8)
def settle(P, S, position_tolerance, orientation_tolerance):
    """Move the answer towards the posture without leaving the target.

    Projected gradient: a step in the null space of the objectives, then Newton steps back onto the
    target. A step counts only when the target is met as well as before and the posture is nearer.
    """
    n = S.shape[0] - 1
    rows = int(P[0, N_ROWS])
    J = np.empty((rows, n))
    e = np.empty(rows)
    W = np.empty((int(P[0, LONGEST]), 6))
    k = min(rows, n)
    A = np.empty((k, k))
    b = np.empty(k)
    C = np.empty((0, 0))
    position_tolerance = max(position_tolerance, S[0, POSITION_ERROR])
    orientation_tolerance = max(orientation_tolerance, S[0, ORIENTATION_ERROR])
    for j in range(n):
        q = S[1 + j, BEST]
        turn = P[1 + j, TURN]
        if turn > 0.0:  # a whole turn changes nothing but the posture
            twin = q + turn * np.round((P[1 + j, REFERENCE] - q) / turn)
            if P[1 + j, LOWER] <= twin <= P[1 + j, UPPER]:
                q = twin
        S[1 + j, START_BEST] = q
        S[1 + j, NOW] = q
    kept_cost = S[0, E_BEST]
    kept_position = S[0, POSITION_ERROR]
    kept_orientation = S[0, ORIENTATION_ERROR]
    distance = posture_distance(P, S)
    pace = 1.0
    returning = False
    tries = 0
    for _ in range(1000):
        cost, position_error, orientation_error = evaluate(P, S, J, e, W, C)
        met = position_error <= position_tolerance and orientation_error <= orientation_tolerance
        back = False
        if returning and met:
            new = posture_distance(P, S)
            back = not new < distance
            returning = False
            if not back:
                fell = distance - new
                distance = new
                pace = min(1.0, 2.0 * pace)
                kept_cost = cost
                kept_position = position_error
                kept_orientation = orientation_error
                for j in range(n):
                    S[1 + j, START_BEST] = S[1 + j, NOW]
                if fell < 1e-9 * distance:
                    break
        elif returning and (tries == 8 or not cost < 0.3):
            back = True
        if back:
            returning = False
            pace *= 0.5
            if pace < 1e-2:
                break
            for j in range(n):
                S[1 + j, NOW] = S[1 + j, START_BEST]
            continue
        if not returning:
            for j in range(n):
                open_window(P, S, j, S[1 + j, NOW])
                S[1 + j, WRAPS] = 0.0  # going round would lead away from the posture
        free_step(P, S, J, e, A, b, cost, not returning)
        if returning:
            tries += 1
            S[0, ITERATIONS] += 1.0
        else:
            largest = 0.0
            for j in range(n):
                largest = max(largest, abs(S[1 + j, STEP]))
                S[1 + j, STEP] *= pace
            if largest < 1e-7:
                break
            returning = True
            tries = 0
        advance(P, S, 0.5, 0.0)
    keep(S, kept_cost, kept_position, kept_orientation)


@helper
def posture_distance(P, S):
    """Squared distance of NOW from the posture, in joint units."""
    total = 0.0
    for j in range(S.shape[0] - 1):
        d = P[1 + j, UNIT] * (P[1 + j, REFERENCE] - S[1 + j, NOW])
        total += d * d
    return total


@helper
def free_step(P, S, J, e, A, b, cost, posture):
    """Put a step within the windows into STEP.

    For the posture: the part of the way there that leaves the objectives alone. Else: the damped
    Gauss-Newton step back onto the target.
    """
    n = S.shape[0] - 1
    release(S)
    lam = 1e-9 if posture else 0.1 * min(cost, FAR)
    while True:
        if posture:
            for r in range(e.shape[0]):
                s = 0.0
                for j in range(n):
                    if S[1 + j, FREE] != 0.0:
                        s += J[r, j] * P[1 + j, UNIT] * (P[1 + j, REFERENCE] - S[1 + j, NOW])
                e[r] = s
        gram_step(S, J, e, A, b, lam)
        if posture:
            for j in range(n):
                if S[1 + j, FREE] != 0.0:
                    S[1 + j, STEP] = (
                        P[1 + j, UNIT] * (P[1 + j, REFERENCE] - S[1 + j, NOW]) - S[1 + j, STEP]
                    )
        if not freeze(S):
            return
