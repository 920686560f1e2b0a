"""One chain of at most six joints: errors, Jacobian, damped steps, polish; joints unlimited."""

import math

from armwright.kinematics._kernels.declare import helper
from armwright.kinematics._kernels.rigid import IDENTITY, block, moved, mul
from armwright.kinematics._kernels.scratch import carray, stack
from armwright.kinematics._kernels.sines import fill

from .all_layout import (
    LENGTH_WEIGHT,
    MOTION,
    N_JOINTS,
    ORIENTATION_ERROR,
    PLACEMENT,
    POSITION_ERROR,
    SLIDES,
    WEAKEST,
)
from .errors import turn_between
from .pose import solve_6x6

FINE = 1e-10  # m and rad: where polishing stops
EXACT = 1e-8  # m and rad: what a solution of six joints must meet
MOST_STEPS = 30
LEAST_DAMPING = 1e-12
POSITION_TOLERANCE = 1e-6  # m, as in ``solve``
ORIENTATION_TOLERANCE = 1e-5  # rad

EXACTLY = 2
NEARLY = 1
MISSED_IT = 0


@helper
def evaluate(P, T, x, J):
    """Fill the Jacobian at x, (6, 6) in the first columns of J; zero for joints that are not there.

    Returns:
        What is still to go: position times the length weight, rotation vector; and both errors.
    """
    k = int(P[0, N_JOINTS])
    w = P[0, LENGTH_WEIGHT]
    Q = carray(stack(3 * 8), (3, 8))
    for i in range(k):
        Q[0, i] = x[i] * P[1 + i, MOTION]
    fill(Q, k)
    A = IDENTITY
    for i in range(k):
        A = mul(A, block(P, 1 + i, PLACEMENT))
        J[0, i] = A[3]
        J[1, i] = A[7]
        J[2, i] = A[11]
        J[3, i] = A[2]
        J[4, i] = A[6]
        J[5, i] = A[10]
        A = moved(A, P[1 + i, SLIDES], Q, i)
    A = mul(A, block(P, 1 + k, PLACEMENT))
    for i in range(k):
        zx = J[3, i]
        zy = J[4, i]
        zz = J[5, i]
        if P[1 + i, SLIDES] != 0.0:
            J[0, i] = zx
            J[1, i] = zy
            J[2, i] = zz
            J[3, i] = 0.0
            J[4, i] = 0.0
            J[5, i] = 0.0
        else:
            ox = w * (A[3] - J[0, i])
            oy = w * (A[7] - J[1, i])
            oz = w * (A[11] - J[2, i])
            J[0, i] = zy * oz - zz * oy
            J[1, i] = zz * ox - zx * oz
            J[2, i] = zx * oy - zy * ox
    for i in range(k, 6):
        for r in range(6):
            J[r, i] = 0.0
    dx = T[3] - A[3]
    dy = T[7] - A[7]
    dz = T[11] - A[11]
    a, b, c = turn_between(A, T)
    position_error = math.sqrt(dx * dx + dy * dy + dz * dz)
    orientation_error = math.sqrt(a * a + b * b + c * c)
    return w * dx, w * dy, w * dz, a, b, c, position_error, orientation_error


@helper
def solve_normal(J, k, lam, b0, b1, b2, b3, b4, b5):
    """Solve (J^T J + lam I) y = b; missing joints get an identity of their own."""
    # fmt: off
    a00 = lam if k > 0 else 1.0
    a11 = lam if k > 1 else 1.0
    a22 = lam if k > 2 else 1.0
    a33 = lam if k > 3 else 1.0
    a44 = lam if k > 4 else 1.0
    a55 = lam if k > 5 else 1.0
    a10 = 0.0
    a20 = 0.0; a21 = 0.0
    a30 = 0.0; a31 = 0.0; a32 = 0.0
    a40 = 0.0; a41 = 0.0; a42 = 0.0; a43 = 0.0
    a50 = 0.0; a51 = 0.0; a52 = 0.0; a53 = 0.0; a54 = 0.0
    for r in range(6):
        j0 = J[r, 0]; j1 = J[r, 1]; j2 = J[r, 2]; j3 = J[r, 3]; j4 = J[r, 4]; j5 = J[r, 5]
        a00 += j0 * j0
        a10 += j1 * j0; a11 += j1 * j1
        a20 += j2 * j0; a21 += j2 * j1; a22 += j2 * j2
        a30 += j3 * j0; a31 += j3 * j1; a32 += j3 * j2; a33 += j3 * j3
        a40 += j4 * j0; a41 += j4 * j1; a42 += j4 * j2; a43 += j4 * j3; a44 += j4 * j4
        a50 += j5 * j0; a51 += j5 * j1; a52 += j5 * j2; a53 += j5 * j3; a54 += j5 * j4; a55 += j5 * j5
    return solve_6x6(
        a00, a10, a11, a20, a21, a22, a30, a31, a32, a33, a40, a41, a42, a43, a44,
        a50, a51, a52, a53, a54, a55, b0, b1, b2, b3, b4, b5,
    )
    # fmt: on


@helper
def advance(J, k, x, e, lam, cap):
    """Take the damped Gauss-Newton step, no joint by more than the cap."""
    b0 = 0.0
    b1 = 0.0
    b2 = 0.0
    b3 = 0.0
    b4 = 0.0
    b5 = 0.0
    for r, to_go in enumerate((e[0], e[1], e[2], e[3], e[4], e[5])):
        b0 += J[r, 0] * to_go
        b1 += J[r, 1] * to_go
        b2 += J[r, 2] * to_go
        b3 += J[r, 3] * to_go
        b4 += J[r, 4] * to_go
        b5 += J[r, 5] * to_go
    y = solve_normal(J, k, lam, b0, b1, b2, b3, b4, b5)
    largest = max(abs(y[0]), abs(y[1]), abs(y[2]), abs(y[3]), abs(y[4]), abs(y[5]))
    scale = cap / largest if largest > cap else 1.0
    for i in range(6):
        x[i] += scale * y[i]


@helper
def weakest(J, k):
    """About the smallest singular value of the Jacobian, by one inverse iteration.

    Exact enough to tell 1e-3 from 1e-5; 1e-7 is as small as it gets.
    """
    y = solve_normal(J, k, 1e-14, 0.9, -0.7, 1.1, 0.6, -1.3, 0.8)
    size = y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3] + y[4] * y[4] + y[5] * y[5]
    return math.sqrt(2.3 / math.sqrt(size))


@helper
def polish(P, T, J, x, S, row):
    """Go on from a point close to a solution until nothing is left to gain; keep it in S[row].

    Newton's steps, and damped ones where those lead astray (Levenberg and Marquardt). A little
    damping keeps x where it is in directions that change nothing.

    Returns:
        EXACTLY for a solution, NEARLY when it is one within the tolerances of ``solve`` only, as
        beside the border of what the arm reaches; MISSED_IT when it is none. Arms of fewer joints
        are not asked for more than those tolerances: few poses that were written down fit them.
    """
    k = int(P[0, N_JOINTS])
    lowest = math.inf
    lam = LEAST_DAMPING
    for _ in range(MOST_STEPS):
        e = evaluate(P, T, x, J)
        cost = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] + e[4] * e[4] + e[5] * e[5]
        if cost < 0.9 * lowest:
            lowest = cost
            lam = max(0.01 * lam, LEAST_DAMPING)
            for i in range(6):
                S[row, i] = x[i]
            S[row, POSITION_ERROR] = e[6]
            S[row, ORIENTATION_ERROR] = e[7]
            if e[6] <= FINE and e[7] <= FINE:
                break
        else:
            lam *= 1000.0
            if lam > 1e-2:
                break
            for i in range(6):
                x[i] = S[row, i]
            e = evaluate(P, T, x, J)
        advance(J, k, x, e, lam, 0.3)
    if not (
        S[row, POSITION_ERROR] <= POSITION_TOLERANCE
        and S[row, ORIENTATION_ERROR] <= ORIENTATION_TOLERANCE
    ):
        return MISSED_IT
    S[row, WEAKEST] = weakest(J, k)
    for i in range(k):
        if P[1 + i, SLIDES] == 0.0:
            S[row, i] -= 2.0 * math.pi * math.floor(S[row, i] / (2.0 * math.pi) + 0.5)
    if k == 6 and max(S[row, POSITION_ERROR], S[row, ORIENTATION_ERROR]) > EXACT:
        return NEARLY
    return EXACTLY


@helper
def known(P, S, row, count):
    """Row among the first solutions that is the same as the one in S[row]; 0 when there is none."""
    k = int(P[0, N_JOINTS])
    for r in range(1, count + 1):
        far = False
        for i in range(k):
            d = abs(S[row, i] - S[r, i])
            if P[1 + i, SLIDES] == 0.0 and d > math.pi:
                d = 2.0 * math.pi - d
            if d > 1e-3:
                far = True
                break
        if not far:
            return r
    return 0


@helper
def determinant_sign(J):
    """Sign of the determinant of the Jacobian, by elimination; J is used up."""
    sign = 1.0
    for c in range(6):
        best = c
        for r in range(c + 1, 6):
            if abs(J[r, c]) > abs(J[best, c]):
                best = r
        if best != c:
            sign = -sign
            for k in range(c, 6):
                swap = J[c, k]
                J[c, k] = J[best, k]
                J[best, k] = swap
        if J[c, c] < 0.0:
            sign = -sign
        elif J[c, c] == 0.0:
            return 0.0
        for r in range(c + 1, 6):
            f = J[r, c] / J[c, c]
            for k in range(c + 1, 6):
                J[r, k] -= f * J[c, k]
    return sign
