"""Search for one pose on one chain: everything unrolled, the case that must take microseconds."""

import math

from armwright.kinematics._kernels.declare import F8, I8, IN1, IN2, OUT2, entry, helper
from armwright.kinematics._kernels.rigid import IDENTITY, block, move, mul

from .errors import turn_between
from .joints import FAR, TINY, begin, fit, keep, pool, restart
from .layout import (
    BAD_SEED,
    CHAIN,
    COLUMN,
    E_BEST,
    FREE,
    HIGH,
    ITERATIONS,
    LENGTH_WEIGHT,
    LOW,
    NOT_REACHED,
    NOW,
    REACHED,
    START_BEST,
    STARTS,
    STEP,
    TARGET,
    TURN,
    UNIT,
    WEIGHT_ORIENTATION,
    WEIGHT_POSITION,
    WRAPS,
)


# Generated: L D L^T of the lower triangle a, row by row, then both substitutions.
@helper
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


@entry(IN2, IN1, OUT2, F8, F8, I8, I8, returns=I8)
def solve_pose(P, q0, S, position_tolerance, orientation_tolerance, first, last):
    """Search starts ``first`` to ``last - 1`` for one pose of a chain that moves all joints in order.

    Damped Gauss-Newton; the damping follows the error and goes to zero with it, every step is
    accepted (an uphill step is what leaves a local minimum), and a start that does not halve its
    error within three steps is left for the next.
    """
    n = S.shape[0] - 1
    if first == 0 and not begin(P, S, q0):
        return BAD_SEED
    objective = 1 + n
    wp = P[objective, WEIGHT_POSITION]
    wo = P[objective, WEIGHT_ORIENTATION]
    length_weight = P[0, LENGTH_WEIGHT]
    chain = int(P[objective, CHAIN])
    T = block(P, objective + 1, TARGET)
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
            A = IDENTITY
            for j in range(n):
                A = mul(A, block(P, chain + j, TARGET))
                S[j, COLUMN] = A[3]
                S[j, COLUMN + 1] = A[7]
                S[j, COLUMN + 2] = A[11]
                S[j, COLUMN + 3] = A[2]
                S[j, COLUMN + 4] = A[6]
                S[j, COLUMN + 5] = A[10]
                A = move(A, P[chain + j, 1], S[j, NOW] * P[chain + j, 2])
            A = mul(A, block(P, chain + n, TARGET))
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
            if cost < lowest:
                lowest = cost
                lowest_position = position_error
                lowest_orientation = orientation_error
                for j in range(n):
                    S[j, START_BEST] = S[j, NOW]
            if position_error <= position_tolerance and orientation_error <= orientation_tolerance:
                for j in range(n):  # cost need not be the lowest when the weights differ much
                    S[j, START_BEST] = S[j, NOW]
                keep(S, cost, position_error, orientation_error)
                return REACHED
            if steps == 0 and start == 0 and cost < 0.3:
                most = 60  # close already: stay on this branch
            if most == 30 and steps % 3 == 0:
                if cost > 0.5 * look:
                    break
                look = cost
            if steps == most or not cost < math.inf:
                break

            for j in range(n):
                ox = x - S[j, COLUMN]
                oy = y - S[j, COLUMN + 1]
                oz = z - S[j, COLUMN + 2]
                zx = S[j, COLUMN + 3]
                zy = S[j, COLUMN + 4]
                zz = S[j, COLUMN + 5]
                sign = 1.0 if P[chain + j, 2] > 0.0 else -1.0
                if P[chain + j, 1] != 0.0:
                    f = sign * wp / length_weight
                    S[j, COLUMN] = f * zx
                    S[j, COLUMN + 1] = f * zy
                    S[j, COLUMN + 2] = f * zz
                    S[j, COLUMN + 3] = 0.0
                    S[j, COLUMN + 4] = 0.0
                    S[j, COLUMN + 5] = 0.0
                else:
                    f = sign * wp
                    S[j, COLUMN] = f * (zy * oz - zz * oy)
                    S[j, COLUMN + 1] = f * (zz * ox - zx * oz)
                    S[j, COLUMN + 2] = f * (zx * oy - zy * ox)
                    f = sign * wo
                    S[j, COLUMN + 3] = f * zx
                    S[j, COLUMN + 4] = f * zy
                    S[j, COLUMN + 5] = f * zz
                S[j, FREE] = 1.0
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
                for j in range(n):
                    if S[j, FREE] == 0.0:
                        continue
                    j0 = S[j, COLUMN]
                    j1 = S[j, COLUMN + 1]
                    j2 = S[j, COLUMN + 2]
                    j3 = S[j, COLUMN + 3]
                    j4 = S[j, COLUMN + 4]
                    j5 = S[j, COLUMN + 5]
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
                for j in range(n):
                    if S[j, FREE] == 0.0:
                        continue
                    d = (
                        S[j, COLUMN] * y0 + S[j, COLUMN + 1] * y1 + S[j, COLUMN + 2] * y2
                        + S[j, COLUMN + 3] * y3 + S[j, COLUMN + 4] * y4 + S[j, COLUMN + 5] * y5
                    )  # fmt: skip
                    S[j, STEP] = d
                    largest = max(largest, abs(d))
                    q = S[j, NOW]
                    if S[j, WRAPS] == 0.0 and (
                        (d > 0.0 and q >= S[j, HIGH]) or (d < 0.0 and q <= S[j, LOW])
                    ):
                        S[j, FREE] = 0.0
                        S[j, STEP] = 0.0
                        frozen = True
                if not frozen:
                    break
            cap = 0.2 + 2.0 * math.sqrt(2.0 * cost)
            scale = cap / largest if largest > cap else 1.0
            for j in range(n):
                q = S[j, NOW] + scale * S[j, STEP] / P[1 + j, UNIT]
                S[j, NOW] = fit(q, S[j, LOW], S[j, HIGH], P[1 + j, TURN])
            steps += 1
            S[n, ITERATIONS] += 1.0
        pool(S, lowest)
        if lowest < S[n, E_BEST]:
            keep(S, lowest, lowest_position, lowest_orientation)
    return NOT_REACHED
