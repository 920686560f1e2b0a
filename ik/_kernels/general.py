"""Search for any mix of objectives on any frames of any tree."""

import math

import numpy as np

from armwright.kinematics._kernels.declare import F8, I8, IN1, IN2, OUT2, entry

from .joints import begin, distance, keep, pool, restart, to_twins
from .layout import (
    BAD_INPUT,
    BEST,
    E_BEST,
    ITERATIONS,
    LONGEST,
    N_ROWS,
    NOT_REACHED,
    NOW,
    REACHED,
    START_BEST,
    STARTS,
)
from .rows import advance, evaluate, newton_step


@entry(IN2, IN1, OUT2, F8, F8, I8, I8, returns=I8)
def solve_any(P, q0, S, position_tolerance, orientation_tolerance, first, last):
    """Search starts ``first`` to ``last - 1`` as ``solve_pose`` does, for any rows."""
    n = S.shape[0] - 1
    if first == 0 and not begin(P, S, q0, position_tolerance, orientation_tolerance):
        return BAD_INPUT
    rows = int(P[0, N_ROWS])
    J = np.empty((rows, n))
    e = np.empty(rows)
    W = np.empty((int(P[0, LONGEST]), 6))
    k = min(rows, n)
    A = np.empty((k, k))
    b = np.empty(k)
    C = np.empty((0, 0))
    for start in range(first, last):
        if start > 0:
            restart(P, S, q0, start)
        S[0, STARTS] += 1.0
        lowest = math.inf
        lowest_position = math.inf
        lowest_orientation = math.inf
        look = math.inf
        steps = 0
        most = 30
        at_twins = False
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
                    S[1 + j, START_BEST] = S[1 + j, NOW]
            if reached:
                if not at_twins or distance(P, S, q0, NOW) < distance(P, S, q0, BEST):
                    keep(S, cost, position_error, orientation_error)
                if at_twins or not to_twins(P, S, q0, True):
                    return REACHED
                at_twins = True
                most = steps + 3
                continue
            if steps == 0 and start == 0 and cost < 0.3:
                most = 60  # close already: stay on this branch
            if at_twins:
                if steps >= most or not cost < math.inf:
                    return REACHED  # as it was found
            elif most == 30 and steps % 3 == 0:
                if cost > 0.5 * look:
                    break
                look = cost
            if steps == most or not cost < math.inf:
                break
            newton_step(S, J, e, A, b, cost)
            advance(P, S, 0.2 + 2.0 * math.sqrt(2.0 * cost), 1.0)
            steps += 1
            S[0, ITERATIONS] += 1.0
        pool(S, lowest)
        if lowest < S[0, E_BEST]:
            keep(S, lowest, lowest_position, lowest_orientation)
    return NOT_REACHED
