"""Least joint velocities for wanted rates, inside a box that holds standing still.

All numbers are scaled: A (rows, n) maps joint velocities x to rates b. Directions in which A is
weak are damped: below the singular value s0, s / s0^2 takes the place of 1 / s.
"""

import numpy as np
import numpy.typing as npt

from armwright.kinematics.arrays import FloatArray

Flags = npt.NDArray[np.bool_]

_EASY = 1e-6  # cost of joint motions that do nothing for the rates


def free_step(A: FloatArray, b: FloatArray, s0: float) -> FloatArray:
    """Return the damped least joint velocities without any box, shape (n,)."""
    U, s, Vt = np.linalg.svd(A, full_matrices=False)
    x: FloatArray = Vt.T @ (s / np.maximum(s, s0) ** 2 * (U.T @ b))
    return x


def scaled_step(
    A: FloatArray, b: FloatArray, low: FloatArray, high: FloatArray, s0: float
) -> tuple[FloatArray, Flags]:
    """Do as large a part of the rates as the box allows, without changing their direction.

    Joints that come to their bound first are fixed there, one by one, as long as the others can do
    the rest (saturation in the null space, Flacco et al. 2012).

    Returns:
        Joint velocities, shape (n,), and which joints hold them back.
    """
    n = A.shape[1]
    x = free_step(A, b, s0)
    if ((low <= x) & (x <= high)).all():
        return x, np.zeros(n, dtype=np.bool_)
    done = A @ x  # what damping leaves of b
    size = max(float(np.abs(done).max(initial=0.0)), 1e-300)
    fixed = np.zeros(n, dtype=np.bool_)
    at = np.zeros(n)
    best, best_part, best_held = np.zeros(n), -1.0, fixed
    for _ in range(n):
        per_part, offset, exact = _reduced(A, done, at, fixed, size)
        if not exact:
            break
        first, last = _interval(per_part, offset, low, high, ~fixed)
        j = int(np.argmin(np.where(fixed, np.inf, last)))
        part = min(1.0, float(last[j]))
        held = fixed.copy()
        if part < 1.0:
            held[j] = True
        if part > best_part and part >= float(first.max(initial=0.0)):
            best_part, best_held = part, held
            best = np.where(fixed, at, part * per_part + offset)
        if part >= 1.0:
            break
        fixed[j] = True
        at[j] = high[j] if per_part[j] > 0.0 else low[j]
    return best, best_held


def _reduced(
    A: FloatArray, done: FloatArray, at: FloatArray, fixed: Flags, size: float
) -> tuple[FloatArray, FloatArray, bool]:
    """Solve for the joints that are not fixed: x = part * per_part + offset.

    Also says whether they can do it exactly.
    """
    n = A.shape[1]
    columns = A[:, ~fixed]
    wanted = np.stack([done, -A[:, fixed] @ at[fixed]], axis=1)
    found = np.zeros((2, n))
    if columns.shape[1]:
        solution = np.linalg.lstsq(columns, wanted, rcond=1e-9)[0]
        found[:, ~fixed] = solution.T
        wanted = wanted - columns @ solution
    return found[0], found[1], bool(np.abs(wanted).max(initial=0.0) <= 1e-7 * size)


def _interval(
    per_part: FloatArray, offset: FloatArray, low: FloatArray, high: FloatArray, free: Flags
) -> tuple[FloatArray, FloatArray]:
    """Return for each joint which parts from 0 to 1 and beyond keep it in the box."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        one = (low - offset) / per_part
        two = (high - offset) / per_part
    first, last = np.minimum(one, two), np.maximum(one, two)
    still = ~free | (np.abs(per_part) < 1e-12)
    inside = (offset >= low - 1e-12) & (offset <= high + 1e-12)
    first = np.where(still, -np.inf, first)
    last = np.where(still, np.where(inside | ~free, np.inf, -np.inf), last)
    return first, last


def box_step(
    A: FloatArray, b: FloatArray, low: FloatArray, high: FloatArray, s0: float
) -> tuple[FloatArray, Flags]:
    """Come as near to the rates as the box allows, by damped least squares.

    A primal active set for the convex problem: from standing still to the best point of the face,
    stopping at bounds on the way; bounds are given up again when leaving them is better.

    Returns:
        Joint velocities, shape (n,), and which joints hold them back.
    """
    n = A.shape[1]
    _, s, Vt = np.linalg.svd(A)
    weights = np.full(n, _EASY)
    weights[: s.size] = np.maximum(s, s0) ** 2
    H = (Vt.T * weights) @ Vt
    g = A.T @ b
    x = np.zeros(n)
    held = np.zeros(n, dtype=np.bool_)
    for _ in range(20 * n + 20):
        move = np.zeros(n)
        free = ~held
        if free.any():
            right = (g - H @ x)[free]
            move[free] = np.linalg.solve(H[np.ix_(free, free)], right)
        with np.errstate(divide="ignore", invalid="ignore"):
            room = np.where(move > 0.0, (high - x) / move, (low - x) / move)
        room = np.where(move == 0.0, np.inf, room)
        j = int(np.argmin(room)) if n else 0
        if n and room[j] < 1.0:
            x = np.clip(x + max(float(room[j]), 0.0) * move, low, high)
            x[j] = high[j] if move[j] > 0.0 else low[j]
            held[j] = True
            continue
        x = np.clip(x + move, low, high)
        pull = g - H @ x  # toward where the cost falls
        inwards = np.where(x >= high, -pull, pull)
        inwards = np.where(held & (low < high), inwards, -np.inf)
        j = int(np.argmax(inwards)) if n else 0
        if not n or inwards[j] <= 1e-12 * (1.0 + float(np.abs(g).max())):
            break
        held[j] = False
    return x, held & (np.abs(g - H @ x) > 1e-12)
