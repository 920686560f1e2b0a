"""Search, polish and settle for any mix of objectives on any frames of any tree."""

import math

import numpy as np

from armwright.kinematics._kernels.declare import F8, I8, IN1, IN2, OUT2, entry, helper

from .joints import begin, keep, open_window, pool, restart
from .layout import (
    BAD_SEED,
    BEST,
    E_BEST,
    E_POOL,
    FREE,
    ITERATIONS,
    LONGEST,
    LOWER,
    N_POOL,
    N_ROWS,
    NOT_REACHED,
    NOW,
    ORIENTATION_ERROR,
    POLISH,
    POOL,
    POSITION_ERROR,
    REACHED,
    REFERENCE,
    SEARCH,
    SPARE,
    START_BEST,
    STARTS,
    STATIONARY,
    STEP,
    TURN,
    UNIT,
    UPPER,
    WRAPS,
)
from .rows import advance, evaluate, freeze, gram_step, newton_step, release, solve_in_place


@entry(IN2, IN1, OUT2, F8, F8, I8, I8, I8, returns=I8)
def solve_any(P, q0, S, position_tolerance, orientation_tolerance, first, last, task):
    """Do one task: SEARCH starts ``first`` to ``last - 1``, POLISH the pool, or SETTLE the posture."""
    n = S.shape[0] - 1
    if task == SEARCH and first == 0 and not begin(P, S, q0):
        return BAD_SEED
    rows = int(P[0, N_ROWS])
    J = np.empty((rows, n))
    e = np.empty(rows)
    W = np.empty((int(P[0, LONGEST]), 6))
    k = max(rows, n)
    A = np.empty((k, k))
    b = np.empty(k)
    if task == SEARCH:
        C = np.empty((0, 0))
        return search(
            P, q0, S, J, e, W, A, b, C, position_tolerance, orientation_tolerance, first, last
        )
    C = np.empty((n, n)) if task == POLISH else np.empty((0, 0))
    if task == POLISH:
        polish(P, S, J, e, W, A, b, C)
        return REACHED
    settle(P, S, J, e, W, A, b, C, position_tolerance, orientation_tolerance)
    return REACHED


@helper
def search(P, q0, S, J, e, W, A, b, C, position_tolerance, orientation_tolerance, first, last):
    """Search as ``solve_pose`` does, for any rows."""
    n = S.shape[0] - 1
    for start in range(first, last):
        if start > 0:
            restart(P, S, q0, start)
        S[n, STARTS] += 1.0
        lowest = math.inf
        lowest_position = math.inf
        lowest_orientation = math.inf
        look = math.inf
        steps = 0
        most = 30
        while True:
            cost, position_error, orientation_error = evaluate(P, S, J, e, W, C)
            reached = (
                position_error <= position_tolerance and orientation_error <= orientation_tolerance
            )
            if cost < lowest or reached:
                lowest = cost
                lowest_position = position_error
                lowest_orientation = orientation_error
                for j in range(n):
                    S[j, START_BEST] = S[j, NOW]
            if reached:
                keep(S, cost, position_error, orientation_error)
                return REACHED
            if steps == 0 and start == 0 and cost < 0.3:
                most = 60
            if most == 30 and steps % 3 == 0:
                if cost > 0.5 * look:
                    break
                look = cost
            if steps == most or not cost < math.inf:
                break
            newton_step(P, S, J, e, A, b, cost)
            steps += 1
            S[n, ITERATIONS] += 1.0
        pool(S, lowest)
        if lowest < S[n, E_BEST]:
            keep(S, lowest, lowest_position, lowest_orientation)
    return NOT_REACHED


@helper
def polish(P, S, J, e, W, A, b, C):
    """Bring the kept points to rest by a monotone method; the lowest becomes the answer."""
    n = S.shape[0] - 1
    best = -1
    for k in range(N_POOL):
        if not S[n, E_POOL + k] < math.inf:
            continue
        for j in range(n):
            S[j, NOW] = S[j, POOL + k]
        cost, _, _, rests = descend(P, S, J, e, W, A, b, C, 60)
        S[n, E_POOL + k] = cost
        for j in range(n):
            S[j, POOL + k] = S[j, NOW]
        if best < 0 or cost < S[n, E_POOL + best]:
            best = k
            S[n, STATIONARY] = 1.0 if rests else 0.0
    if best < 0:
        return
    for j in range(n):
        S[j, NOW] = S[j, POOL + best]
    cost, position_error, orientation_error, rests = descend(P, S, J, e, W, A, b, C, 300)
    S[n, STATIONARY] = 1.0 if rests else 0.0
    if cost <= S[n, E_BEST]:
        for j in range(n):
            S[j, START_BEST] = S[j, NOW]
        keep(S, cost, position_error, orientation_error)


@helper
def descend(P, S, J, e, W, A, b, C, most):
    """Lower cost from NOW by Newton steps that are taken only when cost falls.

    The matrix holds the exact second derivative of the positions. Leaves the point in NOW; returns
    its cost and errors, and whether it came to rest.
    """
    n = S.shape[0] - 1
    cost, position_error, orientation_error = evaluate(P, S, J, e, W, C)
    lam = 0.01 * cost
    grow = 2.0
    for _ in range(most):
        release(P, S)
        lam = curved_step(S, J, e, A, b, C, lam)
        while freeze(S):
            lam = curved_step(S, J, e, A, b, C, lam)
        largest = 0.0
        predicted = 0.0
        for j in range(n):
            d = S[j, STEP]
            largest = max(largest, abs(d))
            if d != 0.0:
                g = 0.0
                for r in range(e.shape[0]):
                    g += J[r, j] * e[r]
                predicted += 0.5 * d * (g + lam * d)
            S[j, SPARE] = S[j, NOW]
        if largest < 1e-7:
            return cost, position_error, orientation_error, True
        advance(P, S, math.inf, 1.0)
        S[n, ITERATIONS] += 1.0
        new_cost, new_position, new_orientation = evaluate(P, S, J, e, W, C)
        if new_cost < cost:
            fell = cost - new_cost
            cost, position_error, orientation_error = new_cost, new_position, new_orientation
            if fell < 1e-10 * cost:
                return cost, position_error, orientation_error, True
            if fell > 0.5 * predicted:
                lam *= 0.2
            elif fell < 0.25 * predicted:
                lam *= 2.0
            grow = 2.0
        else:
            for j in range(n):
                S[j, NOW] = S[j, SPARE]
            evaluate(P, S, J, e, W, C)
            lam = max(lam, 1e-12) * grow
            grow *= 2.0
    return cost, position_error, orientation_error, False


@helper
def curved_step(S, J, e, A, b, C, lam):
    """Put (J^T J - C + lam) d = J^T e into STEP; lam is raised until that is positive."""
    n = S.shape[0] - 1
    while True:
        i = 0
        for j in range(n):
            if S[j, FREE] == 0.0:
                S[j, STEP] = 0.0
                continue
            k = 0
            for m in range(j + 1):
                if S[m, FREE] == 0.0:
                    continue
                s = -C[j, m]
                for r in range(e.shape[0]):
                    s += J[r, j] * J[r, m]
                A[i, k] = s
                k += 1
            A[i, i] += lam
            s = 0.0
            for r in range(e.shape[0]):
                s += J[r, j] * e[r]
            b[i] = s
            i += 1
        if solve_in_place(A, b, i):
            i = 0
            for j in range(n):
                if S[j, FREE] != 0.0:
                    S[j, STEP] = b[i]
                    i += 1
            return lam
        lam = max(2.0 * lam, 1e-10)
        if not lam < 1e12:
            for j in range(n):
                S[j, STEP] = 0.0
            return lam


@helper
def settle(P, S, J, e, W, A, b, C, position_tolerance, orientation_tolerance):
    """Move the answer towards the posture without leaving the target.

    Projected gradient: a step in the null space of the objectives, then Newton steps back onto the
    target. A step counts only when the target is met as well as before and the posture is nearer.
    """
    n = S.shape[0] - 1
    position_tolerance = max(position_tolerance, S[n, POSITION_ERROR])
    orientation_tolerance = max(orientation_tolerance, S[n, ORIENTATION_ERROR])
    for j in range(n):
        q = S[j, BEST]
        turn = P[1 + j, TURN]
        if turn > 0.0:  # a whole turn changes nothing but the posture
            twin = q + turn * np.round((P[1 + j, REFERENCE] - q) / turn)
            if P[1 + j, LOWER] <= twin <= P[1 + j, UPPER]:
                q = twin
        S[j, START_BEST] = q
    distance = posture_cost(P, S)
    pace = 1.0
    for _ in range(200):
        for j in range(n):
            q = S[j, START_BEST]
            S[j, NOW] = q
            open_window(P, S, j, q)
            S[j, WRAPS] = 0.0  # going round would lead away from the posture
        _, _, _ = evaluate(P, S, J, e, W, C)
        posture_step(P, S, J, e, A, b)
        largest = 0.0
        for j in range(n):
            S[j, SPARE] = S[j, STEP]
            largest = max(largest, abs(S[j, STEP]))
        if largest < 1e-7:
            break
        nearer = False
        for _ in range(8):
            for j in range(n):
                S[j, NOW] = S[j, START_BEST]
                S[j, STEP] = pace * S[j, SPARE]
            advance(P, S, 0.5, 0.0)
            if return_to_target(P, S, J, e, W, A, b, C, position_tolerance, orientation_tolerance):
                new = posture_cost_now(P, S)
                if new < distance:
                    nearer = True
                    break
            pace *= 0.5
        if not nearer:
            break
        fell = distance - new
        distance = new
        pace = min(1.0, 2.0 * pace)
        for j in range(n):
            S[j, START_BEST] = S[j, NOW]
        if fell < 1e-9 * distance:
            break
    for j in range(n):
        S[j, NOW] = S[j, START_BEST]
    cost, position_error, orientation_error = evaluate(P, S, J, e, W, C)
    keep(S, cost, position_error, orientation_error)


@helper
def return_to_target(P, S, J, e, W, A, b, C, position_tolerance, orientation_tolerance):
    """Take a few Newton steps; whether the objectives are met then."""
    n = S.shape[0] - 1
    for _ in range(8):
        cost, position_error, orientation_error = evaluate(P, S, J, e, W, C)
        if position_error <= position_tolerance and orientation_error <= orientation_tolerance:
            return True
        if not cost < 0.3:
            return False
        newton_step(P, S, J, e, A, b, cost)
        S[n, ITERATIONS] += 1.0
    return False


@helper
def posture_cost(P, S):
    """Half the squared distance of START_BEST from the posture, in joint units."""
    distance = 0.0
    for j in range(S.shape[0] - 1):
        d = P[1 + j, UNIT] * (P[1 + j, REFERENCE] - S[j, START_BEST])
        distance += 0.5 * d * d
    return distance


@helper
def posture_cost_now(P, S):
    """Half the squared distance of NOW from the posture, in joint units."""
    distance = 0.0
    for j in range(S.shape[0] - 1):
        d = P[1 + j, UNIT] * (P[1 + j, REFERENCE] - S[j, NOW])
        distance += 0.5 * d * d
    return distance


@helper
def posture_step(P, S, J, e, A, b):
    """Put the part of the way to the posture that leaves the objectives alone into STEP."""
    n = S.shape[0] - 1
    release(P, S)
    while True:
        for r in range(e.shape[0]):
            s = 0.0
            for j in range(n):
                if S[j, FREE] != 0.0:
                    s += J[r, j] * P[1 + j, UNIT] * (P[1 + j, REFERENCE] - S[j, NOW])
            e[r] = s
        gram_step(S, J, e, A, b, 1e-9)
        for j in range(n):
            if S[j, FREE] != 0.0:
                S[j, STEP] = P[1 + j, UNIT] * (P[1 + j, REFERENCE] - S[j, NOW]) - S[j, STEP]
        if not freeze(S):
            return
