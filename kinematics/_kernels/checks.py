"""What entries ask of their arguments before anything is computed.

A shape that does not fit and a number that is not finite raise ValueError; Python makes the words.
Numbers beyond 1e50 count as not finite, so that products of a few of them still are.

The entries raise, not these: a function that raises keeps Numba from leaving out the counts of
references to its arrays, which costs 30 ns a call.
"""

from .declare import inline

LARGEST = 1e50
MISFIT = "a shape does not fit, or a number is not finite"


@inline
def finite(q):
    """Whether every number is finite, and so small that products of a few are, too."""
    good = 0
    for i in range(q.shape[0]):
        if abs(q[i]) <= LARGEST:
            good += 1
    return good == q.shape[0]


@inline
def both_finite(q, v):
    """The same for two vectors of one length."""
    good = 0
    for i in range(q.shape[0]):
        if (abs(q[i]) <= LARGEST) & (abs(v[i]) <= LARGEST):
            good += 1
    return good == q.shape[0]


@inline
def all_finite(q, v, a):
    """The same for three vectors; v and a have one length."""
    good = 0
    for i in range(q.shape[0]):
        if abs(q[i]) <= LARGEST:
            good += 1
    for i in range(v.shape[0]):
        if (abs(v[i]) <= LARGEST) & (abs(a[i]) <= LARGEST):
            good += 1
    return good == q.shape[0] + v.shape[0]


@inline
def finite_pose(T):
    """The same for a matrix, (4, 4)."""
    good = 0
    for r in range(4):
        for c in range(4):
            if abs(T[r, c]) <= LARGEST:
                good += 1
    return good == 16


@inline
def fits_position(M, q):
    """Whether q is a position of the robot's joints."""
    return M.shape[0] == q.shape[0] + 1 and finite(q)


@inline
def fits_velocity(M, q, v):
    """Whether q and v are of the robot's joints."""
    return M.shape[0] == q.shape[0] + 1 and v.shape[0] == q.shape[0] and both_finite(q, v)


@inline
def fits_motion(M, q, v, a, shift):
    """Whether q, v and a are of the robot; v and a hold its joints from index ``shift``."""
    n = q.shape[0]
    if M.shape[0] != n + 1 or v.shape[0] != n + shift or a.shape[0] != n + shift:
        return False
    return all_finite(q, v, a)


@inline
def fits_base(T):
    """Whether T is a matrix (4, 4) of finite numbers."""
    return T.shape == (4, 4) and finite_pose(T)


@inline
def fits_rows(M, Q):
    """Whether every row of Q has as many numbers as the robot joints."""
    return M.shape[0] == Q.shape[1] + 1
