"""What entries ask of their arguments before anything is computed.

A shape that does not fit and a number that is not finite raise ValueError; Python makes the words.
Numbers beyond 1e50 count as not finite, so that products of a few of them still are.
"""

from .declare import inline

LARGEST = 1e50


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
def check_position(M, q):
    """Raise unless q is one of the robot's."""
    if M.shape[0] != q.shape[0] + 1:
        raise ValueError("shape")
    if not finite(q):
        raise ValueError("not finite")


@inline
def check_velocity(M, q, v):
    """Raise unless q and v are of the robot's joints."""
    if M.shape[0] != q.shape[0] + 1 or v.shape[0] != q.shape[0]:
        raise ValueError("shape")
    if not both_finite(q, v):
        raise ValueError("not finite")


@inline
def check_motion(M, q, v, a, shift):
    """Raise unless q, v and a are of the robot; v and a hold its joints from index ``shift``."""
    n = q.shape[0]
    if M.shape[0] != n + 1 or v.shape[0] != n + shift or a.shape[0] != n + shift:
        raise ValueError("shape")
    if not all_finite(q, v, a):
        raise ValueError("not finite")


@inline
def check_base(T):
    """Raise unless T is a matrix (4, 4) of finite numbers."""
    if T.shape != (4, 4):
        raise ValueError("shape")
    if not finite_pose(T):
        raise ValueError("not finite")


@inline
def check_rows(M, Q):
    """Raise unless every row of Q has as many numbers as the robot joints."""
    if M.shape[0] != Q.shape[1] + 1:
        raise ValueError("shape")
