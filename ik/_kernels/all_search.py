"""All solutions by many independent starts, until every one was found many times.

Six joints that turn without end map a closed surface of six dimensions into the poses, of which
they leave most out. Such a map has degree zero: the solutions whose Jacobian has a positive
determinant are as many as those with a negative one (merged and singular ones aside). When they
are not, some are missing for certain, and the search goes on.
"""

import math

from armwright.kinematics._kernels.declare import I8, IN1, IN2, OUT2, entry
from armwright.kinematics._kernels.scratch import carray, stack

from .all_finish import finish, near, target, usable
from .all_layout import (
    BAD_REFERENCE,
    BAD_TARGET,
    DONE,
    HAND_OF,
    HITS,
    ISOLATED,
    MISSED,
    MOST,
    N_DOF,
    N_JOINTS,
    OFFSET,
    ORIENTATION_ERROR,
    POSITION_ERROR,
    ROW,
    SLIDES,
    SPAN,
    START,
    STARTS,
    STRIDE,
    UNIT,
    WEAKEST,
    Q,
)
from .all_newton import (
    EXACTLY,
    MISSED_IT,
    NEARLY,
    ORIENTATION_TOLERANCE,
    POSITION_TOLERANCE,
    advance,
    determinant_sign,
    evaluate,
    known,
    polish,
)
from .joints import FAR

ENOUGH = 12  # times that the rarest solution must be found
PATIENT = 60  # the same while solutions are missing for certain
AT_LEAST = 8  # finds of any
CLEAR = 1e-2  # of WEAKEST: solutions above it stand alone


@entry(IN2, IN2, IN1, OUT2, I8, I8, I8, returns=I8)
def search_all(P, goal, reference, S, given, give_up, most):
    """Find all solutions of one chain; limits only count in the end.

    Args:
        P: The arm.
        goal: The target, (4, 4).
        reference: Where distances are measured from; also the first start.
        S: The state; its first rows may hold solutions found otherwise.
        given: How many of them.
        give_up: Starts without any solution after which there is none.
        most: Most starts.
    """
    if not usable(goal):
        return BAD_TARGET
    if not near(reference):
        return BAD_REFERENCE
    T = target(goal)
    k = int(P[0, N_JOINTS])
    J = carray(stack(48), (6, 8))
    x = carray(stack(6), (6,))
    count = given
    finds = 0
    nearest = math.inf
    starts = 0
    # The Jacobian's hands are balanced on chains of six turning joints.
    balanced = k == 6
    for i in range(k):
        balanced = balanced and P[1 + i, SLIDES] == 0.0
    balance = 0.0
    for r in range(1, count + 1):
        S[r, HITS] = 0.0
        if balanced:
            evaluate(P, T, S[r], J)
            S[r, HAND_OF] = determinant_sign(J)
            balance += S[r, HAND_OF]
    for i in range(6):
        x[i] = 0.0
    while starts < most and count < MOST:
        for j in range(int(P[0, N_DOF])):
            row = k + 2 + j
            i = int(P[row, ROW])
            if i > 0:
                if starts == 0:
                    x[i - 1] = reference[j] * P[i, UNIT]
                else:
                    u = P[row, OFFSET] + starts * P[row, STRIDE]
                    x[i - 1] = P[row, START] + (u - math.floor(u)) * P[row, SPAN]
        starts += 1
        reached = False
        look = math.inf
        for steps in range(31):
            e = evaluate(P, T, x, J)
            cost = 0.5 * (
                e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] + e[4] * e[4] + e[5] * e[5]
            )
            if e[6] <= POSITION_TOLERANCE and e[7] <= ORIENTATION_TOLERANCE:
                reached = True
                break
            if steps % 3 == 0:
                if cost > 0.5 * look:
                    break
                look = cost
            if steps == 30 or not cost < math.inf:
                break
            advance(J, k, x, e, 0.1 * min(cost, FAR), 0.2 + 2.0 * math.sqrt(2.0 * cost))
        how = polish(P, T, J, x, S, count + 1) if reached else MISSED_IT
        if how == NEARLY:
            error = S[count + 1, POSITION_ERROR] + S[count + 1, ORIENTATION_ERROR]
            if error < nearest:
                nearest = error
                for c in range(Q):
                    S[MOST + 1, c] = S[count + 1, c]
        elif how == EXACTLY:
            finds += 1
            found = known(P, S, count + 1, count)
            if found == 0:
                count += 1
                found = count
                S[found, HITS] = 0.0
                if balanced:
                    evaluate(P, T, S[found], J)
                    S[found, HAND_OF] = determinant_sign(J)
                    balance += S[found, HAND_OF]
            S[found, HITS] += 1.0
            if finds >= AT_LEAST:
                rarest = math.inf
                for r in range(1, count + 1):
                    rarest = min(rarest, S[r, HITS])
                if rarest >= PATIENT or (rarest >= ENOUGH and balance == 0.0):
                    break
        if count == 0 and starts >= give_up:
            break
    missed = 0.0
    for r in range(given + 1, count + 1):
        missed += (1.0 - S[r, HITS] / starts) ** starts
    alone = True
    for r in range(1, count + 1):
        alone = alone and S[r, WEAKEST] > CLEAR
    if alone and abs(balance) > missed:
        missed = abs(balance)
    if count == 0 and nearest < math.inf:
        count = 1
        for c in range(Q):
            S[1, c] = S[MOST + 1, c]
    finish(P, S, reference, count)
    S[0, STARTS] = starts
    S[0, MISSED] = math.inf if count > ISOLATED else missed
    return DONE
