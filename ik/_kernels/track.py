"""One step of following a target: as near as the joints may come without leaving their branch.

Uses the tables of ``layout.py``, with TURN 0 everywhere, because whole-turn twins are jumps here.
"""

import math

import numpy as np

from armwright.kinematics._kernels.declare import F8, I8, IN1, IN2, OUT2, entry, helper

from .layout import (
    BEST,
    FIRST,
    FOUND,
    FREE,
    HIGH,
    ITERATIONS,
    LONGEST,
    LOW,
    LOWER,
    MOVES,
    N_ROWS,
    NEAR,
    NOW,
    ORIENTATION_ERROR,
    POSITION_ERROR,
    REGULAR,
    SPARE,
    TARGET,
    UNIT,
    UPPER,
    WRAPS,
)
from .polish import descend
from .rows import advance, evaluate, newton_step, release, solve_in_place

# What a step returns.
ON_TARGET = 0
BY_STEP = 1
BY_SINGULARITY = 2
BY_LIMIT = 3
STUCK = 4
BAD_TARGET = 5

# A pose is nearly singular when the smallest pivot of J J^T, in joint units, is below this: about
# the square of the smallest singular value.
SINGULAR = 4e-4
PUSH = 0.05  # joint units, off a saddle


@entry(OUT2, IN2, IN1, OUT2, F8, F8, returns=I8)
def track_step(P, goal, step, S, position_tolerance, orientation_tolerance):
    """Move the joint values BEST towards the target, none by more than its step.

    Args:
        P: The program; the target is written into the only objective, unless ``goal`` is empty.
        goal: Pose (4, 4), or no rows when the program holds the targets.
        step: Most that each joint may move, (n,).
        S: The state.
        position_tolerance: Where a step stops [m]; ten times as much counts as on target.
        orientation_tolerance: The same [rad].
    """
    n = S.shape[0] - 1
    if goal.shape[0] == 4 and not take(P, goal, n + 2):
        return BAD_TARGET
    open_box(P, S, step)
    rows = int(P[0, N_ROWS])
    J = np.empty((rows, n))
    e = np.empty(rows)
    W = np.empty((int(P[0, LONGEST]), 6))
    A = np.empty((n, n))
    b = np.empty(n)
    C = np.empty((n, n))
    flat = C[:0]
    S[0, ITERATIONS] = 0.0
    began, cost, position_error, orientation_error, reached = approach(
        P, S, J, e, W, A, b, flat, position_tolerance, orientation_tolerance
    )
    if not reached:
        cost, position_error, orientation_error, _ = descend(P, S, J, e, W, A, b, C, 12)
        reached = (
            position_error <= 10.0 * position_tolerance
            and orientation_error <= 10.0 * orientation_tolerance
        )
        evaluate(P, S, J, e, W, C)
        if not reached and is_saddle(S, J, A, b, C):
            copy(S, NOW, FOUND)
            for attempt in range(3):
                if not push(P, S, attempt):
                    continue
                _, new, new_position, new_orientation, reached = approach(
                    P, S, J, e, W, A, b, flat, position_tolerance, orientation_tolerance
                )
                if reached or new < 0.999 * cost:
                    cost, position_error, orientation_error = new, new_position, new_orientation
                    copy(S, NOW, FOUND)
                    break
            copy(S, FOUND, NOW)
            evaluate(P, S, J, e, W, flat)
    near = is_near_singular(P, J, A)
    if reached and (near or S[0, NEAR] != 0.0 or moved(P, S) > 0.1):
        copy(S, NOW, FOUND)
        if other_side(P, S, J, e, W, A, b, flat, position_tolerance, orientation_tolerance):
            cost, position_error, orientation_error = evaluate(P, S, J, e, W, flat)
            near = is_near_singular(P, J, A)
        else:
            copy(S, FOUND, NOW)
    copy(S, NOW, BEST)
    if not near:
        copy(S, NOW, REGULAR)
    was_near = near or S[0, NEAR] != 0.0
    S[0, NEAR] = 1.0 if near else 0.0
    S[0, POSITION_ERROR] = position_error
    S[0, ORIENTATION_ERROR] = orientation_error
    if reached:
        return ON_TARGET
    return what_holds(P, S, J, e, step, began, was_near)


@helper
def take(P, T, row):
    """Write a pose into a row of the program; False unless it is one to 12 digits."""
    for c in range(4):
        if T[3, c] != (1.0 if c == 3 else 0.0):
            return False
    total = 0.0
    for r in range(3):
        total += 0.0 * T[r, 3]
        for c in range(r + 1):
            s = T[0, r] * T[0, c] + T[1, r] * T[1, c] + T[2, r] * T[2, c]
            if not abs(s - (1.0 if r == c else 0.0)) < 1e-12:
                return False
    x = T[1, 0] * T[2, 1] - T[2, 0] * T[1, 1]
    y = T[2, 0] * T[0, 1] - T[0, 0] * T[2, 1]
    z = T[0, 0] * T[1, 1] - T[1, 0] * T[0, 1]
    if total != 0.0 or x * T[0, 2] + y * T[1, 2] + z * T[2, 2] < 0.0:
        return False
    for r in range(3):
        for c in range(4):
            P[row, TARGET + 4 * r + c] = T[r, c]
    return True


@helper
def open_box(P, S, step):
    """Intersect limits and step around the joint values; never empty.

    A joint outside its limits moves back in by whole steps.
    """
    for j in range(S.shape[0] - 1):
        q = S[1 + j, BEST]
        low = max(q - step[j], P[1 + j, LOWER])
        high = min(q + step[j], P[1 + j, UPPER])
        S[1 + j, FIRST] = q
        S[1 + j, LOW] = min(low, q + step[j])
        S[1 + j, HIGH] = max(high, q - step[j])
        S[1 + j, NOW] = min(max(q, S[1 + j, LOW]), S[1 + j, HIGH])
        S[1 + j, WRAPS] = 0.0


@helper
def approach(P, S, J, e, W, A, b, C, position_tolerance, orientation_tolerance):
    """Gauss-Newton from NOW as long as the cost falls; returns the first cost and what is reached.

    When reached, J and e are those of NOW.
    """
    first = math.inf
    cost = math.inf
    position_error = math.inf
    orientation_error = math.inf
    for round_ in range(13):
        new, new_position, new_orientation = evaluate(P, S, J, e, W, C)
        if round_ == 0:
            first = new
        if new_position <= position_tolerance and new_orientation <= orientation_tolerance:
            return first, new, new_position, new_orientation, True
        if not new < cost:
            break
        fell = cost - new
        cost, position_error, orientation_error = new, new_position, new_orientation
        copy(S, NOW, SPARE)
        if round_ == 12 or fell < 0.01 * cost:
            break
        newton_step(S, J, e, A, b, cost)
        advance(P, S, 0.2 + 2.0 * math.sqrt(2.0 * cost), 0.0)
        S[0, ITERATIONS] += 1.0
    copy(S, SPARE, NOW)
    return first, cost, position_error, orientation_error, False


@helper
def copy(S, source, target):
    """Copy joint values from one column to another."""
    for j in range(S.shape[0] - 1):
        S[1 + j, target] = S[1 + j, source]


@helper
def moved(P, S):
    """Largest motion of a joint in this step, in joint units."""
    largest = 0.0
    for j in range(S.shape[0] - 1):
        largest = max(largest, P[1 + j, UNIT] * abs(S[1 + j, NOW] - S[1 + j, FIRST]))
    return largest


@helper
def is_saddle(S, J, A, b, C):
    """Whether the curvature of the cost over the free joints is not positive everywhere."""
    n = S.shape[0] - 1
    release(S)
    for j in range(n):
        g = 0.0
        for r in range(J.shape[0]):
            g += J[r, j] * J[r, j]
        if S[1 + j, NOW] <= S[1 + j, LOW] or S[1 + j, NOW] >= S[1 + j, HIGH] or g == 0.0:
            S[1 + j, FREE] = 0.0
    k = 0
    for j in range(n):
        if S[1 + j, FREE] == 0.0:
            continue
        c = 0
        for m in range(j + 1):
            if S[1 + m, FREE] == 0.0:
                continue
            s = -C[j, m]
            for r in range(J.shape[0]):
                s += J[r, j] * J[r, m]
            A[k, c] = s
            c += 1
        b[k] = 0.0
        k += 1
    return not solve_in_place(A, b, k)


@helper
def push(P, S, attempt):
    """Put a point beside FOUND into NOW: back towards the last regular pose, then both ways."""
    n = S.shape[0] - 1
    largest = 0.0
    for j in range(n):
        largest = max(largest, P[1 + j, UNIT] * abs(S[1 + j, REGULAR] - S[1 + j, FOUND]))
    if attempt == 0 and largest < 1e-6:
        return False
    for j in range(n):
        unit = P[1 + j, UNIT]
        if attempt == 0:
            d = (S[1 + j, REGULAR] - S[1 + j, FOUND]) * min(1.0, PUSH / largest)
        else:
            u = 0.618034 * (j + 1)
            d = PUSH * (0.5 + u - np.floor(u)) / unit
            if (j + attempt) % 2 == 0:
                d = -d
        if P[1 + j, MOVES] == 0.0:
            d = 0.0
        S[1 + j, NOW] = min(max(S[1 + j, FOUND] + d, S[1 + j, LOW]), S[1 + j, HIGH])
    return True


@helper
def is_near_singular(P, J, A):
    """Whether some pivot of the smaller Gram matrix of J is small."""
    rows, n = J.shape
    n_moving = 0
    for j in range(n):
        if P[1 + j, MOVES] != 0.0:
            n_moving += 1
    if rows <= n_moving:
        for r in range(rows):
            for t in range(r + 1):
                s = 0.0
                for j in range(n):
                    s += J[r, j] * J[t, j]
                A[r, t] = s
        return smallest_pivot(A, rows) < SINGULAR
    k = 0
    for j in range(n):
        if P[1 + j, MOVES] == 0.0:
            continue
        c = 0
        for m in range(j + 1):
            if P[1 + m, MOVES] == 0.0:
                continue
            s = 0.0
            for r in range(rows):
                s += J[r, j] * J[r, m]
            A[k, c] = s
            c += 1
        k += 1
    return smallest_pivot(A, k) < SINGULAR


@helper
def smallest_pivot(A, k):
    """Smallest pivot of L D L^T, in the lower triangle; 0 as soon as one is not positive."""
    smallest = math.inf
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
            return 0.0
        A[i, i] = s
        smallest = min(smallest, s)
    return smallest


@helper
def other_side(P, S, J, e, W, A, b, C, position_tolerance, orientation_tolerance):
    """Find a twin of FOUND on the side of the last regular pose; True when it is in NOW.

    Where two branches meet (a straight elbow) both lead on within one step. Sides are told apart
    by the sign of the determinant of J, completed for redundant arms by the joint motions that
    did not move the frame at the last regular pose.
    """
    rows, n = J.shape
    if rows > n:
        return False
    B = np.empty((n, n))
    copy(S, REGULAR, NOW)
    evaluate(P, S, J, e, W, C)
    if is_near_singular(P, J, A):
        return False
    complete(J, B)
    side = determinant_sign(J, B, A)
    copy(S, FOUND, NOW)
    evaluate(P, S, J, e, W, C)
    side_found = determinant_sign(J, B, A)
    if side * side_found >= 0.0:
        return False
    for attempt in range(2):
        for j in range(n):
            q = S[1 + j, REGULAR]
            if attempt == 0:
                q = 2.0 * S[1 + j, FIRST] - S[1 + j, FOUND]
            S[1 + j, NOW] = min(max(q, S[1 + j, LOW]), S[1 + j, HIGH])
        _, _, _, _, reached = approach(
            P, S, J, e, W, A, b, C, position_tolerance, orientation_tolerance
        )
        if reached and determinant_sign(J, B, A) == side:
            return True
    return False


@helper
def complete(J, B):
    """Fill the rows of B below those of J with an orthonormal basis of what J leaves out."""
    rows, n = J.shape
    for r in range(rows):
        for j in range(n):
            B[r, j] = J[r, j]
        orthogonalize(B, r)
    for r in range(rows, n):
        best = 0
        largest = -1.0
        for j in range(n):  # the unit vector that is least covered so far
            left = 1.0
            for t in range(r):
                left -= B[t, j] * B[t, j]
            if left > largest:
                largest = left
                best = j
        for j in range(n):
            B[r, j] = 1.0 if j == best else 0.0
        orthogonalize(B, r)
        orthogonalize(B, r)


@helper
def orthogonalize(B, r):
    """Make row r of B a unit vector orthogonal to the rows before it."""
    n = B.shape[1]
    for t in range(r):
        s = 0.0
        for j in range(n):
            s += B[r, j] * B[t, j]
        for j in range(n):
            B[r, j] -= s * B[t, j]
    s = 0.0
    for j in range(n):
        s += B[r, j] * B[r, j]
    s = 1.0 / math.sqrt(s) if s > 1e-20 else 0.0
    for j in range(n):
        B[r, j] *= s


@helper
def determinant_sign(J, B, A):
    """Sign of the determinant of J, completed by the lower rows of B."""
    rows, n = J.shape
    for r in range(n):
        for j in range(n):
            A[r, j] = J[r, j] if r < rows else B[r, j]
    sign = 1.0
    for i in range(n):
        pivot = i
        for r in range(i + 1, n):
            if abs(A[r, i]) > abs(A[pivot, i]):
                pivot = r
        if abs(A[pivot, i]) < 1e-12:
            return 0.0
        if pivot != i:
            sign = -sign
            for j in range(n):
                A[i, j], A[pivot, j] = A[pivot, j], A[i, j]
        if A[i, i] < 0.0:
            sign = -sign
        for r in range(i + 1, n):
            f = A[r, i] / A[i, i]
            for j in range(i, n):
                A[r, j] -= f * A[i, j]
    return sign


@helper
def what_holds(P, S, J, e, step, began, near):
    """Say what keeps the joints from the target: their step, a singular pose, a limit, or all."""
    by_step = False
    by_limit = False
    reach = 0.0
    least = 0.0
    for r in range(e.shape[0]):
        least += e[r] * e[r]
    least = 1e-6 * math.sqrt(least)
    for j in range(S.shape[0] - 1):
        g = 0.0
        for r in range(e.shape[0]):
            g += J[r, j] * e[r]
        q = S[1 + j, NOW]
        if P[1 + j, MOVES] != 0.0:
            reach = max(reach, P[1 + j, UNIT] * step[j])
        if (g > least and q >= S[1 + j, HIGH]) or (g < -least and q <= S[1 + j, LOW]):
            bound = P[1 + j, UPPER] if g > 0.0 else P[1 + j, LOWER]
            if q == bound:
                by_limit = True
            else:
                by_step = True
    if by_step:
        quick = math.sqrt(2.0 * began) < 0.5 * reach
        return BY_SINGULARITY if near and quick else BY_STEP
    return BY_LIMIT if by_limit else STUCK
