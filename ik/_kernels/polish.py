"""Polish: bring the best points of a failed search to rest, so that the closest is the closest.

Many postures may be equally close; the one nearest to the seed is taken, and the seed itself is
brought to rest as well.
"""

import math

import numpy as np

from armwright.kinematics._kernels.declare import F8, I8, IN1, IN2, OUT2, entry, helper

from .joints import TINY, distance, fit, keep, to_twins
from .layout import BEST, E_BEST, E_POOL, FREE, HIGH, ITERATIONS, LONGEST, LOW, N_POOL, N_ROWS, NOW, ORIENTATION_ERROR, POOL, POSITION_ERROR, SPARE, START_BEST, STATIONARY, STEP, TURN  # fmt: skip
from .rows import (
    advance,
    curved_gram,
    evaluate,
    free_slopes,
    freeze,
    release,
    solve_in_place,
)

EQUAL = 1.0 + 2e-6  # costs: distances from the target that agree to a millionth
N_ROUNDS = N_POOL + 2


@entry(IN2, IN1, OUT2, I8, I8)
def polish_pool(P, q0, S, first, last):
    """Bring the kept points to rest by a monotone method; the lowest becomes the answer.

    Rounds ``first`` to ``last - 1`` of N_ROUNDS: one for the seed itself, whose place of rest comes
    into the pool; one for each point of the pool; and one more for the best, with patience.
    """
    n = S.shape[0] - 1
    rows = int(P[0, N_ROWS])
    J = np.empty((rows, n))
    e = np.empty(rows)
    W = np.empty((int(P[0, LONGEST]), 6))
    A = np.empty((n, n))
    b = np.empty(n)
    C = np.empty((n, n))
    for round_ in range(first, last):
        if round_ == 0:
            for j in range(n):
                S[1 + j, NOW] = fit(q0[j], S[1 + j, LOW], S[1 + j, HIGH], P[1 + j, TURN])
            cost = descend(P, S, J, e, W, A, b, C, 60)[0]
            k = extreme(S, 1.0)
            if cost <= EQUAL * S[0, E_POOL + k] + TINY:
                put(S, k, cost)
            continue
        # The best once more in the end.
        k = round_ - 1 if round_ <= N_POOL else extreme(S, -1.0)
        if not S[0, E_POOL + k] < math.inf:
            continue
        for j in range(n):
            S[1 + j, NOW] = S[1 + j, POOL + k]
        most = 60 if round_ <= N_POOL else 300
        cost, position_error, orientation_error, rests = descend(P, S, J, e, W, A, b, C, most)
        put(S, k, cost)
        if round_ > N_POOL:
            S[0, STATIONARY] = 1.0 if rests else 0.0
            if cost <= S[0, E_BEST]:
                for j in range(n):
                    S[1 + j, START_BEST] = S[1 + j, NOW]
                keep(S, cost, position_error, orientation_error)


@helper
def put(S, k, cost):
    """Put the point in NOW into the pool."""
    S[0, E_POOL + k] = cost
    for j in range(S.shape[0] - 1):
        S[1 + j, POOL + k] = S[1 + j, NOW]


@helper
def extreme(S, sign):
    """Number of the first of the worst points (sign 1), or of the best (sign -1), in the pool."""
    found = 0
    for k in range(1, N_POOL):
        if sign * S[0, E_POOL + k] > sign * S[0, E_POOL + found]:
            found = k
    return found


@entry(IN2, IN1, OUT2, F8, F8)
def choose_nearest(P, q0, S, position_tolerance, orientation_tolerance):
    """Make the point nearest to the seed the answer, among all of the pool that are as good.

    As good is what meets the objectives within these tolerances, if the answer does, or else is as
    far from them as the answer. Distances are Euclidean, in joint units.
    """
    n = S.shape[0] - 1
    rows = int(P[0, N_ROWS])
    J = np.empty((rows, n))
    e = np.empty(rows)
    W = np.empty((int(P[0, LONGEST]), 6))
    C = np.empty((0, 0))
    met = (
        S[0, POSITION_ERROR] <= position_tolerance
        and S[0, ORIENTATION_ERROR] <= orientation_tolerance
    )
    most = EQUAL * S[0, E_BEST] + TINY
    least = distance(P, S, q0, BEST)
    for k in range(2 * N_POOL + 2):  # each as it is, and then at its twins; the answer itself last
        for j in range(n):
            S[1 + j, NOW] = S[1 + j, POOL + k // 2] if k < 2 * N_POOL else S[1 + j, BEST]
        if k < 2 * N_POOL and not S[0, E_POOL + k // 2] < math.inf:
            continue
        if k % 2 == 1 and not to_twins(P, S, q0, False):
            continue
        new = distance(P, S, q0, NOW)
        if not new < least:
            continue
        cost, position_error, orientation_error = evaluate(P, S, J, e, W, C)
        if met:
            good = (
                position_error <= position_tolerance and orientation_error <= orientation_tolerance
            )
        else:
            good = cost <= most
        if good:
            least = new
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
