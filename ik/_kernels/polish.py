"""Polish: bring the best points of a failed search to rest, so that the closest is the closest."""

import math

import numpy as np

from armwright.kinematics._kernels.declare import IN2, OUT2, entry, helper

from .joints import keep
from .layout import (
    E_BEST,
    E_POOL,
    FREE,
    ITERATIONS,
    LONGEST,
    N_POOL,
    N_ROWS,
    NOW,
    POOL,
    SPARE,
    START_BEST,
    STATIONARY,
    STEP,
)
from .rows import (
    advance,
    curved_gram,
    evaluate,
    free_slopes,
    freeze,
    release,
    solve_in_place,
)


@entry(IN2, OUT2)
def polish_pool(P, S):
    """Bring the kept points to rest by a monotone method; the lowest becomes the answer."""
    n = S.shape[0] - 1
    rows = int(P[0, N_ROWS])
    J = np.empty((rows, n))
    e = np.empty(rows)
    W = np.empty((int(P[0, LONGEST]), 6))
    A = np.empty((n, n))
    b = np.empty(n)
    C = np.empty((n, n))
    best = 0
    for round_ in range(N_POOL + 1):
        k = round_ if round_ < N_POOL else best  # the best once more, with patience
        if not S[0, E_POOL + k] < math.inf:
            continue
        for j in range(n):
            S[1 + j, NOW] = S[1 + j, POOL + k]
        most = 60 if round_ < N_POOL else 300
        cost, position_error, orientation_error, rests = descend(P, S, J, e, W, A, b, C, most)
        S[0, E_POOL + k] = cost
        for j in range(n):
            S[1 + j, POOL + k] = S[1 + j, NOW]
        if cost < S[0, E_POOL + best]:
            best = k
        if round_ == N_POOL:
            S[0, STATIONARY] = 1.0 if rests else 0.0
            if cost <= S[0, E_BEST]:
                for j in range(n):
                    S[1 + j, START_BEST] = S[1 + j, NOW]
                keep(S, cost, position_error, orientation_error)


@helper
def descend(P, S, J, e, W, A, b, C, most):
    """Lower the cost from NOW by Newton steps that are taken only when it falls.

    The matrix holds the exact second derivatives. Leaves the point in NOW; returns its cost and
    errors, and whether it came to rest.
    """
    n = S.shape[0] - 1
    cost = math.inf
    position_error = math.inf
    orientation_error = math.inf
    lam = -1.0
    grow = 2.0
    predicted = 0.0
    back = False
    for _ in range(2 * most):
        new_cost, new_position, new_orientation = evaluate(P, S, J, e, W, C)
        if not back:
            if new_cost < cost:
                fell = cost - new_cost
                cost, position_error, orientation_error = new_cost, new_position, new_orientation
                for j in range(n):
                    S[1 + j, SPARE] = S[1 + j, NOW]
                if fell < 1e-10 * cost:
                    return cost, position_error, orientation_error, True
                if lam < 0.0:
                    lam = 0.01 * cost
                elif fell > 0.5 * predicted:
                    lam *= 0.2
                elif fell < 0.25 * predicted:
                    lam *= 2.0
                grow = 2.0
            else:
                for j in range(n):
                    S[1 + j, NOW] = S[1 + j, SPARE]
                lam = max(lam, 1e-12) * grow
                grow *= 2.0
                back = True
                continue
        back = False
        release(S)
        while True:
            lam = curved_step(S, J, e, A, b, C, lam)
            if not freeze(S):
                break
        largest = 0.0
        predicted = 0.0
        for j in range(n):
            d = S[1 + j, STEP]
            largest = max(largest, abs(d))
            g = 0.0
            for r in range(e.shape[0]):
                g += J[r, j] * e[r]
            predicted += 0.5 * d * (g + lam * d)
        if largest < 1e-7:
            return cost, position_error, orientation_error, True
        advance(P, S, math.inf, 1.0)
        S[0, ITERATIONS] += 1.0
    for j in range(n):
        S[1 + j, NOW] = S[1 + j, SPARE]
    return cost, position_error, orientation_error, False


@helper
def curved_step(S, J, e, A, b, C, lam):
    """Solve (J^T J - C + lam) d = J^T e into STEP; lam is raised until that is positive."""
    n = S.shape[0] - 1
    solved = False
    while not solved and lam < 1e12:
        k = curved_gram(S, J, A, C)
        for i in range(k):
            A[i, i] += lam
        free_slopes(S, J, e, b)
        solved = solve_in_place(A, b, k)
        if not solved:
            lam = max(2.0 * lam, 1e-10)
    i = 0
    for j in range(n):
        S[1 + j, STEP] = 0.0
        if S[1 + j, FREE] != 0.0:
            S[1 + j, STEP] = b[i] if solved else 0.0
            i += 1
    return lam
