"""Secondary goals: their value and its gradient, in joint units.

The sum of what posture and centering ask of each joint (a spring each), of the squared holding
efforts, and of minus the logarithm of manipulabilities.
"""

import math

import numpy as np

from armwright.kinematics._kernels.declare import F8, IN1, IN2, MODEL, OUT1, entry, helper
from armwright.kinematics._kernels.layout import (
    CHAIN_JOINT,
    CHAIN_SCALE,
    CHAIN_SLIDES,
    FIRST_MOMENT,
    GRAVITY,
    MASS,
    PARENT,
    SCALE,
    SLIDES,
)
from armwright.kinematics._kernels.rigid import block, moved, mul, store
from armwright.kinematics._kernels.scratch import carray, stack
from armwright.kinematics._kernels.sines import fill, room

from .layout import (
    CHAIN,
    EFFORT,
    FIRST_GOAL,
    GOAL_END,
    GOAL_ROW,
    GOAL_WEIGHT,
    LONGEST,
    N_GOALS,
    N_JOINTS,
    NOW,
    REFERENCE,
    STATE_WIDTH,
    STIFFNESS,
    UNIT,
)
from .rows import place, solve_in_place

BODY_WIDTH = 20  # of B: 0-11 placement, 12-14 first moment, 15 mass, 16 effort, 17-19 its lever
LEAST = 1e-10  # added to the squared singular values: a logarithm of 0 helps nobody


@helper
def goals(P, M, S, W, B, D, g):
    """Return the value at the joint values NOW; lower is better.

    Args:
        P: The program.
        M: The model's rows.
        S: The state.
        W: Scratch, one row per joint of a chain.
        B: Scratch, (n + 1, BODY_WIDTH).
        D: Scratch, (24, longest chain), at least 6 columns.
        g: The gradient is put here, (n,).
    """
    n = S.shape[0] - 1
    value = 0.0
    for j in range(n):
        stiffness = P[1 + j, STIFFNESS]
        d = P[1 + j, UNIT] * (S[1 + j, NOW] - P[1 + j, REFERENCE])
        value += 0.5 * stiffness * d * d
        g[j] = stiffness * d
    if P[0, EFFORT] > 0.0:
        value += squared_efforts(P, M, S, B, g)
    first = int(P[0, FIRST_GOAL])
    for i in range(first, first + int(P[0, N_GOALS])):
        value -= log_manipulability(P, S, W, D, i, g)
    return value


@helper
def squared_efforts(P, M, S, B, g):
    """Return the weighted sum of squares of the holding efforts, halved; its gradient onto g.

    The derivative of effort j by joint k, which carries it, is that of turning all of the first
    moment beyond j about k. It is symmetric: efforts are themselves a gradient.
    """
    n = S.shape[0] - 1
    x = M[0, GRAVITY]
    y = M[0, GRAVITY + 1]
    z = M[0, GRAVITY + 2]
    weight = P[0, EFFORT]
    T = carray(stack(64 * 3), (3, 64)) if n <= 64 else np.empty((3, room(n)))
    for i in range(1, n + 1):
        T[0, i - 1] = S[i, NOW] * M[i, SCALE]
    fill(T, n)
    store(B, 0, block(M, 0, 4))
    for i in range(1, n + 1):
        A = mul(block(B, int(M[i, PARENT]), 0), block(M, i, 4))
        A = moved(A, M[i, SLIDES], T, i - 1)
        store(B, i, A)
        m = M[i, MASS]
        a = M[i, FIRST_MOMENT]
        b = M[i, FIRST_MOMENT + 1]
        c = M[i, FIRST_MOMENT + 2]
        B[i, 12] = m * A[3] + A[0] * a + A[1] * b + A[2] * c
        B[i, 13] = m * A[7] + A[4] * a + A[5] * b + A[6] * c
        B[i, 14] = m * A[11] + A[8] * a + A[9] * b + A[10] * c
        B[i, 15] = m
    value = 0.0
    for i in range(n, 0, -1):
        # How the first moment of all that the joint carries changes with it.
        a = B[i, 2]
        b = B[i, 6]
        c = B[i, 10]
        m = B[i, 15]
        if M[i, SLIDES] != 0.0:
            u, v, w = a * m, b * m, c * m
        else:
            hx = B[i, 12] - m * B[i, 3]
            hy = B[i, 13] - m * B[i, 7]
            hz = B[i, 14] - m * B[i, 11]
            u, v, w = b * hz - c * hy, c * hx - a * hz, a * hy - b * hx
        f = M[i, SCALE] / P[i, UNIT]
        B[i, 17] = f * u
        B[i, 18] = f * v
        B[i, 19] = f * w
        effort = -f * (x * u + y * v + z * w)
        B[i, 16] = effort
        value += 0.5 * weight * effort * effort
        parent = int(M[i, PARENT])
        if parent > 0:
            for k in range(12, 16):
                B[parent, k] += B[i, k]
    for j in range(1, n + 1):
        k = j
        while k > 0:
            if M[k, SLIDES] == 0.0:
                a = B[k, 2]
                b = B[k, 6]
                c = B[k, 10]
                u = b * B[j, 19] - c * B[j, 18]
                v = c * B[j, 17] - a * B[j, 19]
                w = a * B[j, 18] - b * B[j, 17]
                change = -weight * M[k, SCALE] / P[k, UNIT] * (x * u + y * v + z * w)
                g[k - 1] += B[j, 16] * change
                if k != j:
                    g[j - 1] += B[k, 16] * change
            k = int(M[k, PARENT])
    return value


@helper
def log_manipulability(P, S, W, D, i, g):
    """Return the weighted logarithm of one manipulability; minus its gradient goes onto g.

    With J the wanted rows of the Jacobian in metres and radians per unit of q, it is the logarithm
    of the product of J's singular values, and changes by the trace of J^+ dJ.
    """
    weight = P[i, GOAL_WEIGHT]
    chain = int(P[i, CHAIN])
    k = int(P[i, N_JOINTS])
    first = int(P[i, GOAL_ROW])
    end = int(P[i, GOAL_END])
    rows = end - first
    J = D[0:6]
    X = D[6:12]  # transpose of J^+
    G = D[12:18]
    F = D[18:24]
    A = place(P, S, W, chain, k)
    for b in range(k):
        f = P[chain + b, CHAIN_SCALE]
        x = f * W[b, 3]
        y = f * W[b, 4]
        z = f * W[b, 5]
        if P[chain + b, CHAIN_SLIDES] != 0.0:
            J[0, b], J[1, b], J[2, b] = x, y, z
            J[3, b], J[4, b], J[5, b] = 0.0, 0.0, 0.0
        else:
            u = A[3] - W[b, 0]
            v = A[7] - W[b, 1]
            w = A[11] - W[b, 2]
            J[0, b], J[1, b], J[2, b] = y * w - z * v, z * u - x * w, x * v - y * u
            J[3, b], J[4, b], J[5, b] = x, y, z
    by_rows = rows <= k
    size = rows if by_rows else k
    if size == 0:
        return 0.0
    for a in range(size):
        for b in range(a + 1):
            s = 0.0
            if by_rows:
                for m in range(k):
                    s += J[first + a, m] * J[first + b, m]
            else:
                for m in range(first, end):
                    s += J[m, a] * J[m, b]
            G[a, b] = s
        G[a, a] += LEAST
    total = 0.0
    rhs = np.empty(size)
    for c in range(k if by_rows else rows):
        for a in range(size):
            for b in range(a + 1):
                F[a, b] = G[a, b]
            rhs[a] = J[first + a, c] if by_rows else J[first + c, a]
        if not solve_in_place(F, rhs, size):
            return 0.0
        for a in range(size):
            if by_rows:
                X[a, c] = rhs[a]
            else:
                X[c, a] = rhs[a]
    for a in range(size):
        total += math.log(F[a, a])
    for m in range(k):
        change = 0.0
        for j in range(k):
            for r in range(first, end):
                # Joint m turns the column of a joint beyond it, and carries the tip of one before.
                o = 3 if r > 2 else 0
                p = (r + 1) % 3
                q = (r + 2) % 3
                if m <= j:
                    d = J[3 + p, m] * J[o + q, j] - J[3 + q, m] * J[o + p, j]
                elif o == 0:
                    d = J[3 + p, j] * J[q, m] - J[3 + q, j] * J[p, m]
                else:
                    d = 0.0
                change += X[r - first, j] * d
        joint = int(P[chain + m, CHAIN_JOINT])
        g[joint] -= weight * change / P[1 + joint, UNIT]
    return 0.5 * weight * total


@helper
def scratch(P, n):
    """Make W, B and D of ``goals``."""
    longest = max(int(P[0, LONGEST]), 6)
    return np.empty((longest, 6)), np.empty((n + 1, BODY_WIDTH)), np.empty((24, longest))


@entry(IN2, MODEL, IN1, OUT1, returns=F8)
def weigh(P, M, q, g):
    """Value of the secondary goals at q, (n,); the gradient by q goes into g, (n,)."""
    n = q.shape[0]
    S = np.empty((n + 1, STATE_WIDTH))
    for j in range(n):
        S[1 + j, NOW] = q[j]
    W, B, D = scratch(P, n)
    value = goals(P, M, S, W, B, D, g)
    for j in range(n):
        g[j] *= P[1 + j, UNIT]
    return value
