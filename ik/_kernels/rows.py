"""Errors and Jacobian of any mix of objectives on any frames, and the damped step they give."""

import math

import numpy as np

from armwright.kinematics._kernels.declare import helper
from armwright.kinematics._kernels.layout import CHAIN_JOINT, CHAIN_SCALE, CHAIN_SLIDES
from armwright.kinematics._kernels.rigid import IDENTITY, block, moved, mul
from armwright.kinematics._kernels.scratch import carray, stack
from armwright.kinematics._kernels.sines import fill, room

from .curvature import curve_axis, curve_turn, put_pair
from .errors import axis_error, turn_between
from .joints import FAR, TINY, fit
from .layout import (
    CHAIN,
    FIRST_ROW,
    FIXED,
    FREE,
    HIGH,
    KIND,
    LENGTH_WEIGHT,
    LOW,
    N_JOINTS,
    N_OBJECTIVES,
    NOW,
    SAME_CHAIN,
    STEP,
    TARGET,
    TIP_AXIS,
    TURN,
    UNIT,
    WEIGHT_ORIENTATION,
    WEIGHT_POSITION,
    WRAPS,
)


@helper
def evaluate(P, S, J, e, W, C):
    """Fill the error rows and the Jacobian at the joint values NOW.

    Args:
        P: The program.
        S: The state.
        J: Jacobian in joint units, (rows, n); zero where a joint does not move a frame.
        e: Error rows, weighted: what is still to go.
        W: Scratch, one row per joint of a chain: origin and axis in the world.
        C: What the second derivatives of the cost lack of J^T J, negated, (n, n); left alone when
            it has no rows.

    Returns:
        cost = e.e / 2, and the largest position error [m] and orientation error [rad], unweighted;
        0 where there is no objective of that kind.
    """
    n = S.shape[0] - 1
    for row in range(e.shape[0]):
        for j in range(n):
            J[row, j] = 0.0
    curved = C.shape[0] > 0
    if curved:
        for j in range(n):
            for m in range(n):
                C[j, m] = 0.0
    largest_position = 0.0
    largest_orientation = 0.0
    A = IDENTITY
    for o in range(int(P[0, N_OBJECTIVES])):
        i = 1 + n + 2 * o
        chain = int(P[i, CHAIN])
        k = int(P[i, N_JOINTS])
        if P[i, SAME_CHAIN] == 0.0:
            A = place(P, S, W, chain, k)
        row = int(P[i, FIRST_ROW])
        if P[i, WEIGHT_POSITION] > 0.0:
            error = position_rows(P, S, J, e, W, C, A, i, row, curved)
            largest_position = max(largest_position, error)
            row += int(P[i, FIXED] + P[i, FIXED + 1] + P[i, FIXED + 2])
        wo = P[i, WEIGHT_ORIENTATION]
        if P[i, KIND] == TIP_AXIS:
            x, y, angle = axis_error(A, P[i + 1, 6], P[i + 1, 10], P[i + 1, 14])
            e[row] = wo * x
            e[row + 1] = wo * y
            largest_orientation = max(largest_orientation, angle)
            for b in range(k):
                if P[chain + b, CHAIN_SLIDES] == 0.0:
                    j = int(P[chain + b, CHAIN_JOINT])
                    f = wo if P[chain + b, CHAIN_SCALE] > 0.0 else -wo
                    J[row, j] = f * (A[0] * W[b, 3] + A[4] * W[b, 4] + A[8] * W[b, 5])
                    J[row + 1, j] = f * (A[1] * W[b, 3] + A[5] * W[b, 4] + A[9] * W[b, 5])
            if curved:
                curve_axis(P, W, C, A, chain, k, wo, x, y, angle)
        elif wo > 0.0:
            x, y, z = turn_between(A, block(P, i + 1, TARGET))
            e[row] = wo * x
            e[row + 1] = wo * y
            e[row + 2] = wo * z
            largest_orientation = max(largest_orientation, math.sqrt(x * x + y * y + z * z))
            for b in range(k):
                if P[chain + b, CHAIN_SLIDES] == 0.0:
                    j = int(P[chain + b, CHAIN_JOINT])
                    f = wo if P[chain + b, CHAIN_SCALE] > 0.0 else -wo
                    J[row, j] = f * W[b, 3]
                    J[row + 1, j] = f * W[b, 4]
                    J[row + 2, j] = f * W[b, 5]
            if curved:
                curve_turn(P, W, C, chain, k, wo, x, y, z)
    cost = 0.0
    for row in range(e.shape[0]):
        cost += e[row] * e[row]
    return 0.5 * cost, largest_position, largest_orientation


@helper
def place(P, S, W, chain, k):
    """Go along a chain: joint origins and axes into W, the placement of the frame returned."""
    T = carray(stack(64 * 3), (3, 64)) if k <= 64 else np.empty((3, room(k)))
    for b in range(k):
        T[0, b] = S[1 + int(P[chain + b, CHAIN_JOINT]), NOW] * P[chain + b, CHAIN_SCALE]
    fill(T, k)
    A = IDENTITY
    for b in range(k):
        A = mul(A, block(P, chain + b, TARGET))
        W[b, 0] = A[3]
        W[b, 1] = A[7]
        W[b, 2] = A[11]
        W[b, 3] = A[2]
        W[b, 4] = A[6]
        W[b, 5] = A[10]
        A = moved(A, P[chain + b, CHAIN_SLIDES], T, b)
    return mul(A, block(P, chain + k, TARGET))


@helper
def position_rows(P, S, J, e, W, C, A, i, row, curved):
    """Rows of one position objective, free axes left out; returns the distance on the others."""
    wp = P[i, WEIGHT_POSITION]
    chain = int(P[i, CHAIN])
    k = int(P[i, N_JOINTS])
    sliding = 1.0 / P[0, LENGTH_WEIGHT]
    dx = P[i, FIXED] * (P[i + 1, 7] - A[3])
    dy = P[i, FIXED + 1] * (P[i + 1, 11] - A[7])
    dz = P[i, FIXED + 2] * (P[i + 1, 15] - A[11])
    rx = row
    ry = rx + int(P[i, FIXED])
    rz = ry + int(P[i, FIXED + 1])
    if P[i, FIXED] != 0.0:
        e[rx] = wp * dx
    if P[i, FIXED + 1] != 0.0:
        e[ry] = wp * dy
    if P[i, FIXED + 2] != 0.0:
        e[rz] = wp * dz
    for b in range(k):
        j = int(P[chain + b, CHAIN_JOINT])
        f = wp if P[chain + b, CHAIN_SCALE] > 0.0 else -wp
        vx = W[b, 3]
        vy = W[b, 4]
        vz = W[b, 5]
        if P[chain + b, CHAIN_SLIDES] != 0.0:
            f *= sliding
        else:
            ox = A[3] - W[b, 0]
            oy = A[7] - W[b, 1]
            oz = A[11] - W[b, 2]
            vx, vy, vz = vy * oz - vz * oy, vz * ox - vx * oz, vx * oy - vy * ox
        vx *= f
        vy *= f
        vz *= f
        if P[i, FIXED] != 0.0:
            J[rx, j] = vx
        if P[i, FIXED + 1] != 0.0:
            J[ry, j] = vy
        if P[i, FIXED + 2] != 0.0:
            J[rz, j] = vz
        if curved:
            # Joint a comes before b: the second derivative is the axis of a times column b.
            for a in range(b + 1):
                if P[chain + a, CHAIN_SLIDES] != 0.0:
                    continue
                f = wp if P[chain + a, CHAIN_SCALE] > 0.0 else -wp
                c = f * (
                    dx * (W[a, 4] * vz - W[a, 5] * vy)
                    + dy * (W[a, 5] * vx - W[a, 3] * vz)
                    + dz * (W[a, 3] * vy - W[a, 4] * vx)
                )
                put_pair(C, j, int(P[chain + a, CHAIN_JOINT]), c)
    return math.sqrt(dx * dx + dy * dy + dz * dz)


@helper
def solve_in_place(A, b, k):
    """Solve A x = b by L D L^T in the lower triangle, x into b; False unless A is positive."""
    for i in range(k):
        for j in range(i):
            s = A[i, j]
            for m in range(j):
                s -= A[i, m] * A[j, m] * A[m, m]
            A[i, j] = s / A[j, j]
        s = A[i, i]
        for m in range(i):
            s -= A[i, m] * A[i, m] * A[m, m]
        if not s > 1e-15:
            return False
        A[i, i] = s
    for i in range(k):
        s = b[i]
        for m in range(i):
            s -= A[i, m] * b[m]
        b[i] = s
    for i in range(k - 1, -1, -1):
        s = b[i] / A[i, i]
        for m in range(i + 1, k):
            s -= A[m, i] * b[m]
        b[i] = s
    return True


@helper
def gram_step(S, J, e, A, b, lam):
    """Put the damped least-squares step of J d = e into STEP, over the FREE joints.

    Solved on the smaller side: J J^T when there are at most as many rows as free joints, else
    J^T J; as the damping goes to zero the larger one is singular.
    """
    n = S.shape[0] - 1
    rows = e.shape[0]
    n_free = 0
    for j in range(n):
        if S[1 + j, FREE] != 0.0:
            n_free += 1
    by_rows = rows <= n_free
    k = rows if by_rows else n_free
    if by_rows:
        for r in range(rows):
            for t in range(r + 1):
                s = 0.0
                for j in range(n):
                    if S[1 + j, FREE] != 0.0:
                        s += J[r, j] * J[t, j]
                A[r, t] = s
            b[r] = e[r]
    else:
        column_gram(S, FREE, J, A)
        free_slopes(S, J, e, b)
    for i in range(k):
        A[i, i] += lam + TINY
    if not solve_in_place(A, b, k):
        for i in range(k):
            b[i] = 0.0
    i = 0
    for j in range(n):
        d = 0.0
        if S[1 + j, FREE] != 0.0:
            if by_rows:
                for r in range(rows):
                    d += J[r, j] * b[r]
            else:
                d = b[i]
                i += 1
        S[1 + j, STEP] = d


@helper
def column_gram(X, flag, J, A):
    """Put J^T J of the joints whose row of X has the flag into the lower triangle of A; count them."""
    i = 0
    for j in range(J.shape[1]):
        if X[1 + j, flag] == 0.0:
            continue
        c = 0
        for m in range(j + 1):
            if X[1 + m, flag] == 0.0:
                continue
            s = 0.0
            for r in range(J.shape[0]):
                s += J[r, j] * J[r, m]
            A[i, c] = s
            c += 1
        i += 1
    return i


@helper
def curved_gram(S, J, A, C):
    """Put J^T J - C of the free joints into the lower triangle of A; count them."""
    i = 0
    for j in range(J.shape[1]):
        if S[1 + j, FREE] == 0.0:
            continue
        c = 0
        for m in range(j + 1):
            if S[1 + m, FREE] == 0.0:
                continue
            s = -C[j, m]
            for r in range(J.shape[0]):
                s += J[r, j] * J[r, m]
            A[i, c] = s
            c += 1
        i += 1
    return i


@helper
def free_slopes(S, J, e, b):
    """Put J^T e of the free joints into b."""
    i = 0
    for j in range(J.shape[1]):
        if S[1 + j, FREE] != 0.0:
            s = 0.0
            for r in range(e.shape[0]):
                s += J[r, j] * e[r]
            b[i] = s
            i += 1


@helper
def freeze(S):
    """Freeze the joints that stand at a bound and step outwards; whether there were any."""
    frozen = False
    for j in range(S.shape[0] - 1):
        d = S[1 + j, STEP]
        if S[1 + j, FREE] == 0.0 or S[1 + j, WRAPS] != 0.0:
            continue
        if (d > 0.0 and S[1 + j, NOW] >= S[1 + j, HIGH]) or (
            d < 0.0 and S[1 + j, NOW] <= S[1 + j, LOW]
        ):
            S[1 + j, FREE] = 0.0
            S[1 + j, STEP] = 0.0
            frozen = True
    return frozen


@helper
def release(S):
    """Let every joint go that can move and has room to move."""
    for j in range(S.shape[0] - 1):
        S[1 + j, FREE] = 1.0 if S[1 + j, HIGH] > S[1 + j, LOW] else 0.0


@helper
def newton_step(S, J, e, A, b, cost):
    """Put the damped Gauss-Newton step that keeps the windows into STEP."""
    release(S)
    while True:
        gram_step(S, J, e, A, b, 0.1 * min(cost, FAR))
        if not freeze(S):
            return


@helper
def advance(P, S, cap, turns):
    """Add STEP to the joint values, no joint unit by more than the cap; keep the windows.

    With ``turns`` 0 a joint stops at the edge of its window, with 1 it may go on at its twin.
    """
    n = S.shape[0] - 1
    largest = 0.0
    for j in range(n):
        largest = max(largest, abs(S[1 + j, STEP]))
    scale = cap / largest if largest > cap else 1.0
    for j in range(n):
        q = S[1 + j, NOW] + scale * S[1 + j, STEP] / P[1 + j, UNIT]
        S[1 + j, NOW] = fit(q, S[1 + j, LOW], S[1 + j, HIGH], turns * P[1 + j, TURN])
