"""The mass matrix, what follows from its structure, and the momentum matrix.

Composite bodies in body axes (Walker and Orin 1982; Featherstone, Rigid Body Dynamics Algorithms,
2008, section 6.2): every body's (mass, first moment h, second moments J) gathers those of all that
hangs on it. The wrench that accelerates a composite along its own joint is read off without
arithmetic; its parts along the joints further in are the entries of the matrix.

Layout of ``M`` and meaning of a free base: as in ``dynamics_inverse.py``.
"""

import numpy as np

from .declare import I8, IN1, IN2, IN3, OUT1, OUT2, OUT3, entry, inline
from .inertia import add, carried, nine
from .rigid import block, finite, moved, mul
from .scratch import carray, stack
from .sines import room, turns

PARENT = 0
SLIDES = 1
ROTOR = 2
MSUB = 3
X = 4
H = 17
SCALE = 30
SINGULAR = 1e-12  # a joint that moves less than this part of its bodies' inertia moves none,
NOWHERE = 1e-16  # as does one whose masses are within 1e-8 m of its axis [m^2]


@inline
def own_bodies(M, q, W):
    """Placements in the parents, and the bodies' own h and J, into W (n+1, 21): A 12, h 3, J 6."""
    for k in range(9):
        W[0, 12 + k] = M[0, H + k]
    n = q.shape[0]
    T = carray(stack(64 * 3), (3, 64)) if n < 64 else np.empty((3, room(n)))
    turns(M, q, T)
    for i in range(1, n + 1):
        A = moved(block(M, i, X), M[i, SLIDES], T, i - 1)
        for k in range(12):
            W[i, k] = A[k]
        for k in range(9):
            W[i, 12 + k] = M[i, H + k]


@inline
def composites(M, q, root, W):
    """Placements in the parents, and composites, into W (n+1, 21): A 12, h 3, J 6.

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
    add(W, p, 12, carried(block(W, i, 0), M[i, MSUB], nine(W, i, 12)))


@inline
def joint_column(M, i, W):
    """Wrench that gives the composite of body i unit acceleration of its joint, its own axes."""
    s = M[i, SCALE]
    if M[i, SLIDES] != 0.0:
        return (0.0, 0.0, s * M[i, MSUB], s * W[i, 13], -s * W[i, 12], 0.0)
    return (
        -s * W[i, 13], s * W[i, 12], 0.0,
        -s * W[i, 19], -s * W[i, 20], s * (W[i, 15] + W[i, 16]),
    )  # fmt: skip


@inline
def to_parent(W, i, fx, fy, fz, tx, ty, tz):
    """A wrench on body i in the axes and about the origin of its parent."""
    R0, R1, R2, x, R3, R4, R5, y, R6, R7, R8, z = block(W, i, 0)
    gx = R0 * fx + R1 * fy + R2 * fz
    gy = R3 * fx + R4 * fy + R5 * fz
    gz = R6 * fx + R7 * fy + R8 * fz
    return (
        gx,
        gy,
        gz,
        R0 * tx + R1 * ty + R2 * tz + y * gz - z * gy,
        R3 * tx + R4 * ty + R5 * tz + z * gx - x * gz,
        R6 * tx + R7 * ty + R8 * tz + x * gy - y * gx,
    )


@inline
def fill_mass_matrix(M, n, shift, W, out):
    """Entries between joints, from composites, into out from row and column ``shift``."""
    for i in range(1, n + 1):
        r = i - 1 + shift
        for c in range(shift, r):
            out[r, c] = 0.0
            out[c, r] = 0.0
        fx, fy, fz, tx, ty, tz = joint_column(M, i, W)
        own = fz if M[i, SLIDES] != 0.0 else tz
        out[r, r] = own * M[i, SCALE] + M[i, ROTOR]
        j = i
        p = int(M[i, PARENT])
        while p > 0:
            fx, fy, fz, tx, ty, tz = to_parent(W, j, fx, fy, fz, tx, ty, tz)
            own = (fz if M[p, SLIDES] != 0.0 else tz) * M[p, SCALE]
            out[r, p - 1 + shift] = own
            out[p - 1 + shift, r] = own
            j = p
            p = int(M[p, PARENT])
        if shift:
            fx, fy, fz, tx, ty, tz = to_parent(W, j, fx, fy, fz, tx, ty, tz)
            out[r, 0] = fx
            out[r, 1] = fy
            out[r, 2] = fz
            out[r, 3] = tx; out[r, 4] = ty; out[r, 5] = tz  # fmt: skip


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
    n = q.shape[0]
    if M.shape[0] != n + 1 or out.shape != (n, n):
        raise ValueError("shape")
    if not finite(q):
        raise ValueError("not finite")
    mass_matrix_of(M, q, out)


@entry(IN2, IN2, OUT3, nogil=True)
def mass_matrix_batch(M, Q, out):
    """Mass matrix for every row of Q, (b, n, n)."""
    n = Q.shape[1]
    if M.shape[0] != n + 1 or out.shape != (Q.shape[0], n, n):
        raise ValueError("shape")
    for b in range(Q.shape[0]):
        if not finite(Q[b]):
            raise ValueError("not finite")
        mass_matrix_of(M, Q[b], out[b])


@inline
def turned_base_block(T, W, m, out):
    """Inertia of the whole robot about the base's origin, world axes, into out[:6, :6]."""
    hx = T[0, 0] * W[0, 12] + T[0, 1] * W[0, 13] + T[0, 2] * W[0, 14]
    hy = T[1, 0] * W[0, 12] + T[1, 1] * W[0, 13] + T[1, 2] * W[0, 14]
    hz = T[2, 0] * W[0, 12] + T[2, 1] * W[0, 13] + T[2, 2] * W[0, 14]
    for r in range(3):
        for c in range(3):
            out[r, c] = 0.0
        out[r, r] = m
        out[r, r + 3] = 0.0
    out[0, 4] = hz
    out[0, 5] = -hy
    out[1, 3] = -hz
    out[1, 5] = hx; out[2, 3] = hy; out[2, 4] = -hx  # fmt: skip
    trace = W[0, 15] + W[0, 16] + W[0, 17]
    for r in range(3):
        x = T[r, 0] * W[0, 15] + T[r, 1] * W[0, 18] + T[r, 2] * W[0, 19]
        y = T[r, 0] * W[0, 18] + T[r, 1] * W[0, 16] + T[r, 2] * W[0, 20]
        z = T[r, 0] * W[0, 19] + T[r, 1] * W[0, 20] + T[r, 2] * W[0, 17]
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
    if M.shape[0] != n + 1 or T.shape != (4, 4) or out.shape != (n + 6, n + 6):
        raise ValueError("shape")
    if not finite(q) or not finite(T.ravel()):
        raise ValueError("not finite")
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
    turned_base_block(T, W, M[0, MSUB], out)


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
        m = M[i, MSUB]
        if M[i, SLIDES] != 0.0:
            D[i - 1] = SINGULAR * s * s * m
        else:
            D[i - 1] = s * s * (SINGULAR * (W[i, 15] + W[i, 16] + W[i, 17]) + NOWHERE * m)
    joint = factor(M, n, L, D)
    if joint == 0:
        for c in range(b.shape[1]):
            substitute(M, n, L, D, b, out, c)
    return joint


@entry(IN2, IN1, IN2, OUT2, returns=I8)
def solve_mass(M, q, b, out):
    """Solve M x = b for every column of b, (n, k); returns the joint that moves nothing, or 0."""
    n = q.shape[0]
    if M.shape[0] != n + 1 or b.shape[0] != n or out.shape != b.shape:
        raise ValueError("shape")
    if not finite(q) or not finite(b.ravel()):
        raise ValueError("not finite")
    return solve_mass_of(M, q, b, out)


@entry(IN2, IN1, IN1, OUT1, returns=I8)
def solve_mass_one(M, q, b, out):
    """Solve M x = b for one vector, (n,); returns the joint that moves nothing, or 0."""
    n = q.shape[0]
    if M.shape[0] != n + 1 or b.shape[0] != n or out.shape[0] != n:
        raise ValueError("shape")
    if not finite(q) or not finite(b):
        raise ValueError("not finite")
    return solve_mass_of(M, q, b.reshape((n, 1)), out.reshape((n, 1)))


@entry(IN2, IN2, IN3, OUT3, returns=I8, nogil=True)
def solve_mass_batch(M, Q, B, out):
    """Solve for every row of Q and its own columns, (b, n, k); stops at the first singular one."""
    n = Q.shape[1]
    if M.shape[0] != n + 1 or B.shape[:2] != Q.shape or out.shape != B.shape:
        raise ValueError("shape")
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
            x = W[i, 12]; y = W[i, 13]; z = W[i, 14]  # fmt: skip
            m = M[i, MSUB]
            W[0, 12] += W[i, 0] * x + W[i, 1] * y + W[i, 2] * z + m * W[i, 3]
            W[0, 13] += W[i, 4] * x + W[i, 5] * y + W[i, 6] * z + m * W[i, 7]
            W[0, 14] += W[i, 8] * x + W[i, 9] * y + W[i, 10] * z + m * W[i, 11]
    # The center of mass relative to the base's origin, in base axes; then all poses likewise.
    m = M[0, MSUB]
    if m > 0.0:
        cx = W[0, 12] / m; cy = W[0, 13] / m; cz = W[0, 14] / m  # fmt: skip
    else:
        cx = 0.0; cy = 0.0; cz = 0.0  # fmt: skip
    B = block(M, 0, X)
    A = (B[0], B[1], B[2], 0.0, B[4], B[5], B[6], 0.0, B[8], B[9], B[10], 0.0)
    for k in range(12):
        W[0, k] = A[k]
    x = B[0] * cx + B[1] * cy + B[2] * cz
    y = B[4] * cx + B[5] * cy + B[6] * cz
    z = B[8] * cx + B[9] * cy + B[10] * cz
    for i in range(1, n + 1):
        p = int(M[i, PARENT])
        if p != i - 1:
            A = block(W, p, 0)
        fx, fy, fz, tx, ty, tz = joint_column(M, i, W)
        A = mul(A, block(W, i, 0))
        for k in range(12):
            W[i, k] = A[k]
        R0, R1, R2, dx, R3, R4, R5, dy, R6, R7, R8, dz = A
        gx = R0 * fx + R1 * fy + R2 * fz
        gy = R3 * fx + R4 * fy + R5 * fz
        gz = R6 * fx + R7 * fy + R8 * fz
        dx -= x
        dy -= y
        dz -= z
        out[0, i - 1] = gx
        out[1, i - 1] = gy
        out[2, i - 1] = gz
        out[3, i - 1] = R0 * tx + R1 * ty + R2 * tz + dy * gz - dz * gy
        out[4, i - 1] = R3 * tx + R4 * ty + R5 * tz + dz * gx - dx * gz
        out[5, i - 1] = R6 * tx + R7 * ty + R8 * tz + dx * gy - dy * gx


@entry(IN2, IN1, OUT2)
def momentum_matrix(M, q, out):
    """Momentum about the center of mass per joint velocity, world axes, linear first, (6, n)."""
    n = q.shape[0]
    if M.shape[0] != n + 1 or out.shape != (6, n):
        raise ValueError("shape")
    if not finite(q):
        raise ValueError("not finite")
    momentum_matrix_of(M, q, out)


@entry(IN2, IN2, OUT3, nogil=True)
def momentum_matrix_batch(M, Q, out):
    """Momentum matrix for every row of Q, (b, 6, n)."""
    n = Q.shape[1]
    if M.shape[0] != n + 1 or out.shape != (Q.shape[0], 6, n):
        raise ValueError("shape")
    for b in range(Q.shape[0]):
        if not finite(Q[b]):
            raise ValueError("not finite")
        momentum_matrix_of(M, Q[b], out[b])
