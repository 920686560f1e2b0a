"""The mass matrix, what follows from its structure, and the momentum matrix.

Composite bodies in body axes (Walker and Orin 1982; Featherstone, Rigid Body Dynamics Algorithms,
2008, section 6.2): every body's (mass, first moment h, second moments J) gathers those of all that
hangs on it. The wrench that accelerates a composite along its own joint is read off without
arithmetic; its parts along the joints further in are the entries of the matrix.
"""

import numpy as np

from .checks import MISFIT, finite, fits_base, fits_position, fits_rows, fits_velocity
from .declare import I8, IN1, IN2, IN3, OUT1, OUT2, OUT3, entry, inline
from .inertia import NOWHERE, SINGULAR, add, carried, joint_column, nine, put_nine
from .layout import COMPOSITE, FIRST_MOMENT, PARENT, PLACEMENT, ROTOR, SCALE, SLIDES, SUBTREE_MASS  # fmt: skip
from .rigid import at_origin, block, from_matrix, moved, mul, origin, rotate, store, to_parent
from .scratch import carray, stack
from .sines import room, turns
from .vectors import ZERO, increase, minus, plus, plus_cross, put_column, times, triple

XX = 15  # columns of the working memory: COMPOSITE, one by one
YY = 16
ZZ = 17
XY = 18
XZ = 19
YZ = 20


@inline
def own_bodies(M, q, W):
    """Placements in the parents, and the bodies' own moments, into W (n+1, 21)."""
    put_nine(W, 0, COMPOSITE, nine(M, 0, FIRST_MOMENT))
    n = q.shape[0]
    T = carray(stack(64 * 3), (3, 64)) if n < 64 else np.empty((3, room(n)))
    turns(M, q, T)
    for i in range(1, n + 1):
        store(W, i, moved(block(M, i, PLACEMENT), M[i, SLIDES], T, i - 1))
        put_nine(W, i, COMPOSITE, nine(M, i, FIRST_MOMENT))


@inline
def composites(M, q, root, W):
    """Placements in the parents, and composites, into W (n+1, 21).

    ``root`` 1 stops at the bodies on the base, 0 goes on into row 0.
    """
    own_bodies(M, q, W)
    for i in range(q.shape[0], 0, -1):
        p = int(M[i, PARENT])
        if p >= root:
            gather(M, i, p, W)


@inline
def gather(M, i, p, W):
    """Add the composite of body i to that of its parent p."""
    add(W, p, COMPOSITE, carried(block(W, i, 0), M[i, SUBTREE_MASS], nine(W, i, COMPOSITE)))


@inline
def column_of(M, i, W):
    """Wrench that gives the composite of body i unit acceleration of its joint, its own axes."""
    return joint_column(M[i, SLIDES], M[i, SCALE], M[i, SUBTREE_MASS], nine(W, i, COMPOSITE))


@inline
def fill_mass_matrix(M, n, shift, W, out):
    """Entries between joints, from composites, into out from row and column ``shift``."""
    for i in range(1, n + 1):
        r = i - 1 + shift
        for c in range(shift, r):
            out[r, c] = 0.0
            out[c, r] = 0.0
        force, torque = column_of(M, i, W)
        own = force[2] if M[i, SLIDES] != 0.0 else torque[2]
        out[r, r] = own * M[i, SCALE] + M[i, ROTOR]
        j = i
        p = int(M[i, PARENT])
        while p > 0:
            force, torque = to_parent(block(W, j, 0), force, torque)
            own = (force[2] if M[p, SLIDES] != 0.0 else torque[2]) * M[p, SCALE]
            out[r, p - 1 + shift] = own
            out[p - 1 + shift, r] = own
            j = p
            p = int(M[p, PARENT])
        if shift:
            force, torque = to_parent(block(W, j, 0), force, torque)
            for k in range(3):
                out[r, k] = force[k]
                out[r, k + 3] = torque[k]


@inline
def mass_matrix_of(M, q, out):
    """Mass matrix, into out (n, n)."""
    n = q.shape[0]
    W = carray(stack(64 * 21), (64, 21)) if n < 64 else np.empty((n + 1, 21))
    composites(M, q, 1, W)
    fill_mass_matrix(M, n, 0, W, out)


@entry(IN2, IN1, OUT2)
def mass_matrix(M, q, out):
    """Mass matrix, full and symmetric, (n, n)."""
    if out.shape != (q.shape[0], q.shape[0]) or not fits_position(M, q):
        raise ValueError(MISFIT)
    mass_matrix_of(M, q, out)


@entry(IN2, IN2, OUT3, nogil=True)
def mass_matrix_batch(M, Q, out):
    """Mass matrix for every row of Q, (b, n, n)."""
    if out.shape != (Q.shape[0], Q.shape[1], Q.shape[1]) or not fits_rows(M, Q):
        raise ValueError(MISFIT)
    for b in range(Q.shape[0]):
        if not finite(Q[b]):
            raise ValueError("not finite")
        mass_matrix_of(M, Q[b], out[b])


@inline
def turned_base_block(T, W, m, out):
    """Inertia of the whole robot about the base's origin, world axes, into out[:6, :6]."""
    hx, hy, hz = rotate(from_matrix(T), triple(W, 0, COMPOSITE))
    for r in range(3):
        for c in range(3):
            out[r, c] = 0.0
        out[r, r] = m
        out[r, r + 3] = 0.0
    out[0, 4] = hz
    out[0, 5] = -hy
    out[1, 3] = -hz
    out[1, 5] = hx; out[2, 3] = hy; out[2, 4] = -hx  # fmt: skip
    trace = W[0, XX] + W[0, YY] + W[0, ZZ]
    for r in range(3):
        x = T[r, 0] * W[0, XX] + T[r, 1] * W[0, XY] + T[r, 2] * W[0, XZ]
        y = T[r, 0] * W[0, XY] + T[r, 1] * W[0, YY] + T[r, 2] * W[0, YZ]
        z = T[r, 0] * W[0, XZ] + T[r, 1] * W[0, YZ] + T[r, 2] * W[0, ZZ]
        for c in range(r + 1):
            own = -(x * T[c, 0] + y * T[c, 1] + z * T[c, 2])
            if r == c:
                own += trace
            out[r + 3, c + 3] = own
            out[c + 3, r + 3] = own
        for c in range(3):
            out[r + 3, c] = out[c, r + 3]


@entry(IN2, IN2, IN1, OUT2)
def mass_matrix_free(M, T, q, out):
    """Mass matrix of a robot with a free base, (n+6, n+6): base first, world axes."""
    n = q.shape[0]
    if out.shape != (n + 6, n + 6) or not fits_base(T) or not fits_position(M, q):
        raise ValueError(MISFIT)
    W = carray(stack(64 * 21), (64, 21)) if n < 64 else np.empty((n + 1, 21))
    composites(M, q, 0, W)
    fill_mass_matrix(M, n, 6, W, out)
    for r in range(6, n + 6):
        for k in range(0, 6, 3):
            x = out[r, k]; y = out[r, k + 1]; z = out[r, k + 2]  # fmt: skip
            for c in range(3):
                own = T[c, 0] * x + T[c, 1] * y + T[c, 2] * z
                out[r, k + c] = own
                out[k + c, r] = own
    turned_base_block(T, W, M[0, SUBTREE_MASS], out)


@inline
def factor(M, n, L, D):
    """Factor L = N^T D N in place, N unit lower triangular on the pattern of the tree.

    Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.5. Entries between joints of
    different branches are never touched. On entry D holds what each pivot must exceed. Returns the
    joint, from 1, that moves no inertia, or 0.
    """
    for k in range(n, 0, -1):
        d = L[k - 1, k - 1]
        if not d > D[k - 1]:
            return k
        D[k - 1] = d
        i = int(M[k, PARENT])
        while i > 0:
            e = L[k - 1, i - 1] / d
            j = i
            while j > 0:
                L[i - 1, j - 1] -= e * L[k - 1, j - 1]
                j = int(M[j, PARENT])
            L[k - 1, i - 1] = e
            i = int(M[i, PARENT])
    return 0


@inline
def substitute(M, n, L, D, b, out, c):
    """Solve with a factored matrix for column c of b, into column c of out."""
    for k in range(n):
        out[k, c] = b[k, c]
    for k in range(n, 0, -1):
        e = out[k - 1, c]
        i = int(M[k, PARENT])
        while i > 0:
            out[i - 1, c] -= L[k - 1, i - 1] * e
            i = int(M[i, PARENT])
    for k in range(1, n + 1):
        e = out[k - 1, c] / D[k - 1]
        i = int(M[k, PARENT])
        while i > 0:
            e -= L[k - 1, i - 1] * out[i - 1, c]
            i = int(M[i, PARENT])
        out[k - 1, c] = e


@inline
def solve_mass_of(M, q, b, out):
    """Solve M x = b for all columns of b, into out (n, k); returns the singular joint or 0."""
    n = q.shape[0]
    L = carray(stack(64 * 64), (64, 64)) if n < 64 else np.empty((n, n))
    D = carray(stack(64 * 1), (64,)) if n < 64 else np.empty(n)
    W = carray(stack(64 * 21), (64, 21)) if n < 64 else np.empty((n + 1, 21))
    composites(M, q, 1, W)
    fill_mass_matrix(M, n, 0, W, L)
    for i in range(1, n + 1):
        s = M[i, SCALE]
        m = M[i, SUBTREE_MASS]
        if M[i, SLIDES] != 0.0:
            D[i - 1] = SINGULAR * s * s * m
        else:
            D[i - 1] = s * s * (SINGULAR * (W[i, XX] + W[i, YY] + W[i, ZZ]) + NOWHERE * m)
    joint = factor(M, n, L, D)
    if joint == 0:
        for c in range(b.shape[1]):
            substitute(M, n, L, D, b, out, c)
    return joint


@entry(IN2, IN1, IN2, OUT2, returns=I8)
def solve_mass(M, q, b, out):
    """Solve M x = b for every column of b, (n, k); returns the joint that moves nothing, or 0."""
    if b.shape[0] != q.shape[0] or out.shape != b.shape or not fits_position(M, q):
        raise ValueError(MISFIT)
    if not finite(b.ravel()):
        raise ValueError("not finite")
    return solve_mass_of(M, q, b, out)


@entry(IN2, IN1, IN1, OUT1, returns=I8)
def solve_mass_one(M, q, b, out):
    """Solve M x = b for one vector, (n,); returns the joint that moves nothing, or 0."""
    n = q.shape[0]
    if b.shape[0] != n or out.shape[0] != n or not fits_velocity(M, q, b):
        raise ValueError(MISFIT)
    return solve_mass_of(M, q, b.reshape((n, 1)), out.reshape((n, 1)))


@entry(IN2, IN2, IN3, OUT3, returns=I8, nogil=True)
def solve_mass_batch(M, Q, B, out):
    """Solve for every row of Q and its own columns, (b, n, k); stops at the first singular one."""
    if B.shape[:2] != Q.shape or out.shape != B.shape or not fits_rows(M, Q):
        raise ValueError(MISFIT)
    for b in range(Q.shape[0]):
        if not finite(Q[b]) or not finite(B[b].ravel()):
            raise ValueError("not finite")
        joint = solve_mass_of(M, Q[b], B[b], out[b])
        if joint != 0:
            return joint
    return 0


@inline
def momentum_matrix_of(M, q, out):
    """Centroidal momentum matrix, into out (6, n)."""
    n = q.shape[0]
    W = carray(stack(64 * 21), (64, 21)) if n < 64 else np.empty((n + 1, 21))
    own_bodies(M, q, W)
    for i in range(n, 0, -1):
        p = int(M[i, PARENT])
        if p > 0:
            gather(M, i, p, W)
        else:  # of the base only the first moments are needed
            A = block(W, i, 0)
            h = rotate(A, triple(W, i, COMPOSITE))
            increase(W, 0, COMPOSITE, plus(h, times(origin(A), M[i, SUBTREE_MASS])))
    # The center of mass relative to the base's origin, in base axes; then all poses likewise.
    m = M[0, SUBTREE_MASS]
    com = ZERO
    if m > 0.0:
        com = (W[0, COMPOSITE] / m, W[0, COMPOSITE + 1] / m, W[0, COMPOSITE + 2] / m)
    A = at_origin(block(M, 0, PLACEMENT))
    store(W, 0, A)
    com = rotate(A, com)
    for i in range(1, n + 1):
        p = int(M[i, PARENT])
        if p != i - 1:
            A = block(W, p, 0)
        force, torque = column_of(M, i, W)
        A = mul(A, block(W, i, 0))
        store(W, i, A)
        force = rotate(A, force)
        put_column(out, 0, i - 1, force)
        arm = minus(origin(A), com)
        put_column(out, 3, i - 1, plus_cross(rotate(A, torque), arm, force))


@entry(IN2, IN1, OUT2)
def momentum_matrix(M, q, out):
    """Momentum about the center of mass per joint velocity, world axes, linear first, (6, n)."""
    if out.shape != (6, q.shape[0]) or not fits_position(M, q):
        raise ValueError(MISFIT)
    momentum_matrix_of(M, q, out)


@entry(IN2, IN2, OUT3, nogil=True)
def momentum_matrix_batch(M, Q, out):
    """Momentum matrix for every row of Q, (b, 6, n)."""
    if out.shape != (Q.shape[0], 6, Q.shape[1]) or not fits_rows(M, Q):
        raise ValueError(MISFIT)
    for b in range(Q.shape[0]):
        if not finite(Q[b]):
            raise ValueError("not finite")
        momentum_matrix_of(M, Q[b], out[b])
