"""Use what the objectives leave free for the secondary goals, and nothing else.

Sequential quadratic programming on the target: a step that lowers the goals, within the null space
of the objectives and the limits, then Newton steps back onto the target. A step counts only when the
target is met as well as before and the goals are lower, so the answer never gets worse. The
curvature, that of the target included, is learned from the gradients (BFGS, damped as by Powell;
Nocedal and Wright, Numerical Optimization, 2006, section 18.3).
"""

import math

import numpy as np

from armwright.kinematics._kernels.declare import F8, I8, IN2, MODEL, OUT2, entry, helper

from .joints import keep
from .layout import (
    BEST,
    CURVATURE,
    E_BEST,
    FREE,
    FRESH,
    HIGH,
    ITERATIONS,
    LOW,
    LOWER,
    MOST_DESCENTS,
    N_ROWS,
    NOW,
    ORIENTATION_ERROR,
    POSITION_ERROR,
    REFERENCE,
    START_BEST,
    STEP,
    STIFFNESS,
    TURN,
    UNIT,
    UPPER,
    WRAPS,
)
from .rows import advance, evaluate, freeze, newton_step, release, solve_in_place
from .secondary import goals, scratch

LARGEST_STEP = 0.5  # joint units
SMALLEST_STEP = 1e-8
ON_TARGET = 1e-22  # cost at which going back onto the target ends


@entry(IN2, MODEL, OUT2, OUT2, F8, F8, I8, I8, returns=I8)
def descend_secondary(P, M, S, H, position_tolerance, orientation_tolerance, first, last):
    """Lower the secondary goals from the answer BEST, which meets the objectives.

    ``M`` holds the model's rows, with the gravity that counts. Ends at a local minimum of the goals
    among the joint values that meet the objectives and are within the limits.

    Takes the steps ``first`` to ``last - 1`` of MOST_DESCENTS, and returns the number of the next,
    MOST_DESCENTS at the end. From one call to the next the caller keeps ``S`` and ``H``, (n, n),
    the inverse second derivatives; the tolerances stay those of the first call.
    """
    n = S.shape[0] - 1
    rows = int(P[0, N_ROWS])
    W, B, D = scratch(P, n)
    J = np.empty((rows, n))
    e = np.empty(rows)
    k = min(rows, n)
    A = np.empty((k, k))
    b = np.empty(k)
    C = np.empty((0, 0))
    g = np.empty(n)
    T = np.empty((rows + n, n))
    K = np.empty((rows + n, rows + n))
    y = np.empty(rows + n)
    V = np.empty((4, n))  # step, change of the gradient, pull of the goals, scratch
    if first == 0:
        start_at_twins(P, S)
        begin_curvature(P, H)
        S[0, FRESH] = 1.0
    kept_cost = S[0, E_BEST]
    kept_position = S[0, POSITION_ERROR]
    kept_orientation = S[0, ORIENTATION_ERROR]
    value = goals(P, M, S, W, B, D, g)
    evaluate(P, S, J, e, W, C)
    next_step = MOST_DESCENTS
    for _ in range(first, last):
        tangent_step(S, J, g, H, T, K, y)
        slope = 0.0
        largest = 0.0
        for j in range(n):
            slope += g[j] * S[1 + j, STEP]
            largest = max(largest, abs(S[1 + j, STEP]))
        accepted = False
        if largest > SMALLEST_STEP and slope < 0.0:
            put_pull(S, J, g, y, V)
            pace = min(1.0, LARGEST_STEP / largest)
            while not accepted and pace * largest > SMALLEST_STEP:
                for j in range(n):
                    S[1 + j, NOW] = S[1 + j, START_BEST]
                    S[1 + j, STEP] = pace * V[0, j]
                advance(P, S, math.inf, 0.0)
                cost, position_error, orientation_error = back_on_target(P, S, J, e, W, A, b, C)
                if position_error <= position_tolerance and (
                    orientation_error <= orientation_tolerance
                ):
                    new = goals(P, M, S, W, B, D, g)
                    accepted = new < value + 1e-4 * pace * slope
                pace *= 0.4
        if not accepted:
            for j in range(n):
                S[1 + j, NOW] = S[1 + j, START_BEST]
            if S[0, FRESH] != 0.0:
                break
            goals(P, M, S, W, B, D, g)
            evaluate(P, S, J, e, W, C)
            begin_curvature(P, H)
            S[0, FRESH] = 1.0
            continue
        value = new
        kept_cost = cost
        kept_position = position_error
        kept_orientation = orientation_error
        for j in range(n):
            V[0, j] = P[1 + j, UNIT] * (S[1 + j, NOW] - S[1 + j, START_BEST])
            S[1 + j, START_BEST] = S[1 + j, NOW]
            V[1, j] += g[j]
            for r in range(rows):
                V[1, j] += y[r] * J[r, j]
        learn(H, V, pace / 0.4)
        S[0, FRESH] = 0.0
    else:
        next_step = last
    keep(S, kept_cost, kept_position, kept_orientation)
    return next_step


@helper
def start_at_twins(P, S):
    """Go to the answer, every joint at the whole turn that the goals like best."""
    for j in range(S.shape[0] - 1):
        q = S[1 + j, BEST]
        turn = P[1 + j, TURN]
        if turn > 0.0 and P[1 + j, STIFFNESS] > 0.0:  # a whole turn changes nothing else
            twin = q + turn * np.round((P[1 + j, REFERENCE] - q) / turn)
            if P[1 + j, LOWER] <= twin <= P[1 + j, UPPER]:
                q = twin
        S[1 + j, START_BEST] = q
        S[1 + j, NOW] = q
        S[1 + j, LOW] = P[1 + j, LOWER]
        S[1 + j, HIGH] = P[1 + j, UPPER]
        S[1 + j, WRAPS] = 0.0  # going round would lead away


@helper
def begin_curvature(P, H):
    """Make a first guess of the inverse second derivatives."""
    n = H.shape[0]
    stiffest = P[0, CURVATURE]
    for j in range(n):
        stiffest = max(stiffest, P[1 + j, STIFFNESS])
    for j in range(n):
        for m in range(n):
            H[j, m] = 0.0
        H[j, j] = 1.0 / max(P[1 + j, STIFFNESS] + P[0, CURVATURE], 0.01 * stiffest, 1e-12)


@helper
def tangent_step(S, J, g, H, T, K, y):
    """Put the step that lowers the goals most into STEP.

    Joints at a bound are frozen when they would step outwards, and let go when the bound does not
    hold them back; ``y`` holds the multipliers of the rows, then of the frozen joints.
    """
    n = S.shape[0] - 1
    release(S)
    for _ in range(2 * n + 4):
        constrained_step(S, J, g, H, T, K, y)
        if freeze(S):
            continue
        k = J.shape[0]
        let_go = -1
        worst = 1e-9
        for j in range(n):
            if S[1 + j, FREE] != 0.0:
                continue
            if S[1 + j, HIGH] > S[1 + j, LOW]:
                pull = -y[k] if S[1 + j, START_BEST] >= S[1 + j, HIGH] else y[k]
                if pull > worst:
                    worst = pull
                    let_go = j
            k += 1
        if let_go < 0:
            return
        S[1 + let_go, FREE] = 1.0


@helper
def constrained_step(S, J, g, H, T, K, y):
    """Minimize g.d + d.H^-1 d / 2 over the steps d with J d = 0 that leave frozen joints alone."""
    n = S.shape[0] - 1
    rows = J.shape[0]
    k = rows
    for r in range(rows):
        for j in range(n):
            s = 0.0
            for m in range(n):
                s += J[r, m] * H[m, j]
            T[r, j] = s
    for j in range(n):
        if S[1 + j, FREE] == 0.0:
            for m in range(n):
                T[k, m] = H[j, m]
            k += 1
    largest = 0.0
    for i in range(k):
        for r in range(min(i + 1, rows)):
            s = 0.0
            for m in range(n):
                s += T[i, m] * J[r, m]
            K[i, r] = s
        c = rows
        for j in range(n):
            if S[1 + j, FREE] == 0.0:
                if c <= i:
                    K[i, c] = T[i, j]
                c += 1
        largest = max(largest, K[i, i])
        s = 0.0
        for m in range(n):
            s -= T[i, m] * g[m]
        y[i] = s
    for i in range(k):
        K[i, i] += 1e-11 * largest + 1e-14  # rows may depend on each other
    solved = solve_in_place(K, y, k)
    for j in range(n):
        d = 0.0
        if solved and S[1 + j, FREE] != 0.0:
            for m in range(n):
                d -= H[j, m] * g[m]
            for i in range(k):
                d -= y[i] * T[i, j]
        S[1 + j, STEP] = d


@helper
def put_pull(S, J, g, y, V):
    """Keep the step, minus the gradient of the Lagrangian, and what the step was made from."""
    rows = J.shape[0]
    k = rows
    for j in range(S.shape[0] - 1):
        s = g[j]
        for r in range(rows):
            s += y[r] * J[r, j]
        V[0, j] = S[1 + j, STEP]
        V[1, j] = -s
        V[2, j] = -s
        if S[1 + j, FREE] == 0.0:
            V[2, j] -= y[k]
            k += 1


@helper
def back_on_target(P, S, J, e, W, A, b, C):
    """Take Newton steps onto the target, eight at most; returns cost and errors, J is at NOW."""
    cost, position_error, orientation_error = evaluate(P, S, J, e, W, C)
    for _ in range(8):
        if cost < ON_TARGET or not cost < 0.3:
            break
        newton_step(S, J, e, A, b, cost)
        advance(P, S, LARGEST_STEP, 0.0)
        S[0, ITERATIONS] += 1.0
        before = cost
        cost, position_error, orientation_error = evaluate(P, S, J, e, W, C)
        if cost < 1e-12 and cost > 0.25 * before:
            break
    return cost, position_error, orientation_error


@helper
def learn(H, V, pace):
    """Update the inverse second derivatives from a step and how the gradient changed.

    Where the goals curve downwards the change is mixed with what was expected (Powell's damping).
    """
    n = H.shape[0]
    expected = 0.0
    seen = 0.0
    for j in range(n):
        V[2, j] *= pace
        expected += V[0, j] * V[2, j]
        seen += V[0, j] * V[1, j]
    if not expected > 0.0:
        return
    if seen < 0.2 * expected:
        share = 0.8 * expected / (expected - seen)
        for j in range(n):
            V[1, j] = share * V[1, j] + (1.0 - share) * V[2, j]
        seen = 0.2 * expected
    curved = 0.0
    for j in range(n):
        s = 0.0
        for m in range(n):
            s += H[j, m] * V[1, m]
        V[3, j] = s
        curved += s * V[1, j]
    factor = (1.0 + curved / seen) / seen
    for j in range(n):
        for m in range(n):
            H[j, m] += factor * V[0, j] * V[0, m] - (V[3, j] * V[0, m] + V[0, j] * V[3, m]) / seen
