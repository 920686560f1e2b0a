"""All solutions in closed form, polished on the true chain and verified there.

The closed forms are those of a chain whose nearly parallel axes were made parallel, and whose
nearly meeting axes meet. Where candidates are lost on the way to the true chain, or two become
one, the answer is doubtful and a search has to have the last word.
"""

from armwright.kinematics._kernels.declare import F8, I8, IN1, IN2, OUT2, entry, helper
from armwright.kinematics._kernels.scratch import carray, stack

from .all_finish import finish, near, target, usable
from .all_layout import (
    BAD_REFERENCE,
    BAD_TARGET,
    COUNT,
    DONE,
    DOUBTFUL,
    INVERSE_REACH,
    MISSED,
    PARALLEL,
    REVERSED,
    ROTATION,
    STARTS,
    TOOL,
    WEAKEST,
)
from .all_newton import EXACTLY, known, polish
from .closed_parallel import parallel_candidates
from .closed_vectors import minus, rotate, rotate_back, times, vector
from .closed_wrist import wrist_candidates

WEAK = 1e-5  # of WEAKEST: below, solutions may form a curve


@entry(IN2, IN1, IN2, IN1, OUT2, F8, returns=I8)
def solve_closed(P, G, goal, reference, S, family):
    """Find all solutions of an arm whose closed form is known.

    Args:
        P: The arm.
        G: The constants of its closed form.
        goal: The target, (4, 4).
        reference: Where distances are measured from.
        S: The state. After DOUBTFUL its rows hold raw solutions for a search to go on with.
        family: PARALLEL or WRIST, which closed form it is.
    """
    if not usable(goal):
        return BAD_TARGET
    if not near(reference):
        return BAD_REFERENCE
    C = carray(stack(48), (8, 6))
    T = target(goal)
    R, wrist = seen_from_base(P, G, T)
    if family == PARALLEL:
        n, certain = parallel_candidates(G, R, wrist, C)
    else:
        n, certain = wrist_candidates(G, R, wrist, C)
    return conclude(P, T, reference, S, C, n, certain)


@helper
def seen_from_base(P, G, T):
    """Turn of the frame from its zero position, and the wrist in units of the reach.

    For a reversed arm: of its base, seen from the tool.
    """
    R = (T[0], T[1], T[2], T[4], T[5], T[6], T[8], T[9], T[10])
    p = times((T[3], T[7], T[11]), P[0, INVERSE_REACH])
    if P[0, REVERSED] != 0.0:
        p = times(rotate_back(R, p), -1.0)
        R = (R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8])
    wrist = minus(p, rotate(R, vector(G, TOOL)))
    a = rotate(R, vector(G, ROTATION))
    b = rotate(R, vector(G, ROTATION + 3))
    c = rotate(R, vector(G, ROTATION + 6))
    return (a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]), wrist


@helper
def conclude(P, T, reference, S, C, n, certain):
    """Bring n candidates onto the true chain; they are complete if none is lost on the way."""
    J = carray(stack(48), (6, 8))
    x = carray(stack(6), (6,))
    back = P[0, REVERSED] != 0.0
    count = 0
    for m in range(n):
        for i in range(6):
            x[i] = C[m, 5 - i] if back else C[m, i]
        how = polish(P, T, J, x, S, count + 1)
        if how != EXACTLY or known(P, S, count + 1, count) > 0:
            certain = False
            continue
        count += 1
        certain = certain and S[count, WEAKEST] >= WEAK
    if not certain:
        S[0, COUNT] = count
        return DOUBTFUL
    finish(P, S, reference, count)
    S[0, STARTS] = 0.0
    S[0, MISSED] = 0.0
    return DONE
