"""Search for one pose on one chain: everything unrolled, the case that must take microseconds."""

import math

import numpy as np

from armwright.kinematics._kernels.declare import F8, I8, IN1, IN2, OUT2, entry, inline
from armwright.kinematics._kernels.rigid import block, moved, mul
from armwright.kinematics._kernels.scratch import carray, stack
from armwright.kinematics._kernels.sines import fill, room

from .errors import turn_between
from .joints import FAR, TINY, begin, distance, fit, keep, pool, restart, to_twins
from .layout import (
    BAD_INPUT,
    BEST,
    DIRECT_PLACEMENT,
    DIRECT_SCALE,
    DIRECT_SLIDES,
    E_BEST,
    HIGH,
    ITERATIONS,
    LENGTH_WEIGHT,
    LOW,
    NOT_REACHED,
    NOW,
    REACHED,
    START_BEST,
    STARTS,
    TURN,
    UNIT,
    WEIGHT_ORIENTATION,
    WEIGHT_POSITION,
    WRAPS,
)


# Generated: L D L^T of the lower triangle a, row by row, then both substitutions.
@inline
def solve_6x6(
    a00,
    a10, a11,
    a20, a21, a22,
    a30, a31, a32, a33,
    a40, a41, a42, a43, a44,
    a50, a51, a52, a53, a54, a55,
    e0, e1, e2, e3, e4, e5,
):  # fmt: skip
    """Solve a symmetric positive definite system given by its lower triangle."""
    # fmt: off
    r0 = 1.0 / max(a00, TINY)
    c10 = a10; l10 = c10 * r0
    r1 = 1.0 / max(a11 - l10 * c10, TINY)
    c20 = a20; l20 = c20 * r0
    c21 = a21 - l20 * c10; l21 = c21 * r1
    r2 = 1.0 / max(a22 - l20 * c20 - l21 * c21, TINY)
    c30 = a30; l30 = c30 * r0
    c31 = a31 - l30 * c10; l31 = c31 * r1
    c32 = a32 - l30 * c20 - l31 * c21; l32 = c32 * r2
    r3 = 1.0 / max(a33 - l30 * c30 - l31 * c31 - l32 * c32, TINY)
    c40 = a40; l40 = c40 * r0
    c41 = a41 - l40 * c10; l41 = c41 * r1
    c42 = a42 - l40 * c20 - l41 * c21; l42 = c42 * r2
    c43 = a43 - l40 * c30 - l41 * c31 - l42 * c32; l43 = c43 * r3
    r4 = 1.0 / max(a44 - l40 * c40 - l41 * c41 - l42 * c42 - l43 * c43, TINY)
    c50 = a50; l50 = c50 * r0
    c51 = a51 - l50 * c10; l51 = c51 * r1
    c52 = a52 - l50 * c20 - l51 * c21; l52 = c52 * r2
    c53 = a53 - l50 * c30 - l51 * c31 - l52 * c32; l53 = c53 * r3
    c54 = a54 - l50 * c40 - l51 * c41 - l52 * c42 - l53 * c43; l54 = c54 * r4
    r5 = 1.0 / max(a55 - l50 * c50 - l51 * c51 - l52 * c52 - l53 * c53 - l54 * c54, TINY)
    y1 = e1 - l10 * e0
    y2 = e2 - l20 * e0 - l21 * y1
    y3 = e3 - l30 * e0 - l31 * y1 - l32 * y2
    y4 = e4 - l40 * e0 - l41 * y1 - l42 * y2 - l43 * y3
    y5 = e5 - l50 * e0 - l51 * y1 - l52 * y2 - l53 * y3 - l54 * y4
    y5 = y5 * r5
    y4 = y4 * r4 - l54 * y5
    y3 = y3 * r3 - l43 * y4 - l53 * y5
    y2 = y2 * r2 - l32 * y3 - l42 * y4 - l52 * y5
    y1 = y1 * r1 - l21 * y2 - l31 * y3 - l41 * y4 - l51 * y5
    y0 = e0 * r0 - l10 * y1 - l20 * y2 - l30 * y3 - l40 * y4 - l50 * y5
    return y0, y1, y2, y3, y4, y5
    # fmt: on


@entry(IN2, OUT2, IN1, OUT2, F8, F8, I8, I8, returns=I8)
def solve_pose(P, goal, q0, S, position_tolerance, orientation_tolerance, first, last):
    """Search starts ``first`` to ``last - 1`` for one pose of a chain that moves all joints in order.

    Damped Gauss-Newton; the damping follows the error and goes to zero with it, every step is
    accepted (an uphill step is what leaves a local minimum), and a start that does not halve its
    error within three steps is left for the next. ``goal`` is only read.
    """
    n = S.shape[0] - 1
    if first == 0 and not begin(P, S, q0, position_tolerance, orientation_tolerance):
        return BAD_INPUT
    # Row i: column i - 1 of the Jacobian (first the joint's origin and axis), free or not, step.
    J = carray(stack(64 * 8), (64, 8)) if n < 64 else np.empty((n + 1, 8))
    Q = carray(stack(64 * 3), (3, 64)) if n < 64 else np.empty((3, room(n)))
    wp = P[n + 1, WEIGHT_POSITION]
    wo = P[n + 1, WEIGHT_ORIENTATION]
    sliding = wp / P[0, LENGTH_WEIGHT]
    T = (
        goal[0, 0], goal[0, 1], goal[0, 2], goal[0, 3], goal[1, 0], goal[1, 1],
        goal[1, 2], goal[1, 3], goal[2, 0], goal[2, 1], goal[2, 2], goal[2, 3],
    )  # fmt: skip
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
            for i in range(1, n + 1):
                Q[0, i - 1] = S[i, NOW] * P[i, DIRECT_SCALE]
            fill(Q, n)
            A = block(P, 1, DIRECT_PLACEMENT)
            for i in range(1, n + 1):
                J[i, 0] = A[3]
                J[i, 1] = A[7]
                J[i, 2] = A[11]
                J[i, 3] = A[2]
                J[i, 4] = A[6]
                J[i, 5] = A[10]
                A = moved(A, P[i, DIRECT_SLIDES], Q, i - 1)
                A = mul(A, block(P, i + 1 if i < n else 0, DIRECT_PLACEMENT))
            x = A[3]
            y = A[7]
            z = A[11]
            dx = T[3] - x
            dy = T[7] - y
            dz = T[11] - z
            u, v, w = turn_between(A, T)
            position_error = math.sqrt(dx * dx + dy * dy + dz * dz)
            orientation_error = math.sqrt(u * u + v * v + w * w)
            cost = 0.5 * ((wp * position_error) ** 2 + (wo * orientation_error) ** 2)
            reached = (
                position_error <= position_tolerance and orientation_error <= orientation_tolerance
            )
            if cost < lowest or reached:  # which need not be the lowest when weights differ much
                lowest = cost
                lowest_position = position_error
                lowest_orientation = orientation_error
                for i in range(1, n + 1):
                    S[i, START_BEST] = S[i, NOW]
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

            for i in range(1, n + 1):
                ox = x - J[i, 0]
                oy = y - J[i, 1]
                oz = z - J[i, 2]
                zx = J[i, 3]
                zy = J[i, 4]
                zz = J[i, 5]
                sign = 1.0 if P[i, DIRECT_SCALE] > 0.0 else -1.0
                if P[i, DIRECT_SLIDES] != 0.0:
                    f = sign * sliding
                    J[i, 0] = f * zx
                    J[i, 1] = f * zy
                    J[i, 2] = f * zz
                    J[i, 3] = 0.0
                    J[i, 4] = 0.0
                    J[i, 5] = 0.0
                else:
                    f = sign * wp
                    J[i, 0] = f * (zy * oz - zz * oy)
                    J[i, 1] = f * (zz * ox - zx * oz)
                    J[i, 2] = f * (zx * oy - zy * ox)
                    f = sign * wo
                    J[i, 3] = f * zx
                    J[i, 4] = f * zy
                    J[i, 5] = f * zz
                J[i, 6] = 1.0
            lam = 0.1 * min(cost, FAR)
            while True:  # active set: at most n + 1 rounds, each freezes a joint
                a00 = lam
                a11 = lam
                a22 = lam
                a33 = lam
                a44 = lam
                a55 = lam
                a10 = 0.0
                a20 = 0.0
                a21 = 0.0
                a30 = 0.0
                a31 = 0.0
                a32 = 0.0
                a40 = 0.0
                a41 = 0.0
                a42 = 0.0
                a43 = 0.0
                a50 = 0.0; a51 = 0.0; a52 = 0.0; a53 = 0.0; a54 = 0.0  # fmt: skip
                for i in range(1, n + 1):
                    if J[i, 6] == 0.0:
                        continue
                    j0 = J[i, 0]
                    j1 = J[i, 1]
                    j2 = J[i, 2]
                    j3 = J[i, 3]
                    j4 = J[i, 4]
                    j5 = J[i, 5]
                    a00 += j0 * j0
                    a10 += j1 * j0
                    a11 += j1 * j1
                    a20 += j2 * j0
                    a21 += j2 * j1
                    a22 += j2 * j2
                    a30 += j3 * j0
                    a31 += j3 * j1
                    a32 += j3 * j2
                    a33 += j3 * j3
                    a40 += j4 * j0
                    a41 += j4 * j1
                    a42 += j4 * j2
                    a43 += j4 * j3
                    a44 += j4 * j4
                    a50 += j5 * j0
                    a51 += j5 * j1
                    a52 += j5 * j2
                    a53 += j5 * j3
                    a54 += j5 * j4
                    a55 += j5 * j5  # fmt: skip
                y0, y1, y2, y3, y4, y5 = solve_6x6(
                    a00, a10, a11, a20, a21, a22, a30, a31, a32, a33, a40, a41, a42, a43, a44,
                    a50, a51, a52, a53, a54, a55, wp * dx, wp * dy, wp * dz, wo * u, wo * v, wo * w,
                )  # fmt: skip
                frozen = False
                largest = 0.0
                for i in range(1, n + 1):
                    if J[i, 6] == 0.0:
                        continue
                    d = (
                        J[i, 0] * y0 + J[i, 1] * y1 + J[i, 2] * y2
                        + J[i, 3] * y3 + J[i, 4] * y4 + J[i, 5] * y5
                    )  # fmt: skip
                    J[i, 7] = d
                    largest = max(largest, abs(d))
                    if S[i, WRAPS] == 0.0:
                        q = S[i, NOW]
                        if (d > 0.0 and q >= S[i, HIGH]) or (d < 0.0 and q <= S[i, LOW]):
                            J[i, 6] = 0.0
                            J[i, 7] = 0.0
                            frozen = True
                if not frozen:
                    break
            cap = 0.2 + 2.0 * math.sqrt(2.0 * cost)
            scale = cap / largest if largest > cap else 1.0
            for i in range(1, n + 1):
                q = S[i, NOW] + scale * J[i, 7] / P[i, UNIT]
                S[i, NOW] = fit(q, S[i, LOW], S[i, HIGH], P[i, TURN])
            steps += 1
            S[0, ITERATIONS] += 1.0
        pool(S, lowest)
        if lowest < S[0, E_BEST]:
            keep(S, lowest, lowest_position, lowest_orientation)
    return NOT_REACHED
