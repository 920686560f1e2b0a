"""Wrenches at frames as joint efforts, and efforts as a linear function of inertial parameters.

Layout of ``M`` and of tables of frames ``F`` (k, 13) as in ``compile.py``. Positions are taken
relative to the base, so that results do not depend on where it is.
"""

import numpy as np

from .declare import F8, IN1, IN2, OUT1, OUT2, OUT3, entry, inline
from .dynamics_inverse import ACC, ALPHA, OMEGA, B, all_finite, fixed_base, free_base, outward
from .rigid import block, finite, moved, mul
from .scratch import carray, stack
from .sines import room, turns

PARENT = 0
SLIDES = 1
X = 4
SCALE = 30


@inline
def turned_bodies(M, q, W):
    """Placements of all bodies in world axes, from the base's origin, into W columns 0-11."""
    A = block(M, 0, X)
    A = (A[0], A[1], A[2], 0.0, A[4], A[5], A[6], 0.0, A[8], A[9], A[10], 0.0)
    for k in range(12):
        W[0, k] = A[k]
    n = q.shape[0]
    T = carray(stack(64 * 3), (3, 64)) if n < 64 else np.empty((3, room(n)))
    turns(M, q, T)
    for i in range(1, n + 1):
        p = int(M[i, PARENT])
        if p != i - 1:
            A = block(W, p, 0)
        A = moved(mul(A, block(M, i, X)), M[i, SLIDES], T, i - 1)
        for k in range(12):
            W[i, k] = A[k]


@inline
def collect(F, wrenches, n, W):
    """Sum the wrenches at frames on every body, about its own origin, into W columns 12-17."""
    for i in range(n + 1):
        for k in range(6):
            W[i, 12 + k] = 0.0
    for i in range(F.shape[0]):
        j = int(F[i, 0])
        x = W[j, 0] * F[i, 4] + W[j, 1] * F[i, 8] + W[j, 2] * F[i, 12]
        y = W[j, 4] * F[i, 4] + W[j, 5] * F[i, 8] + W[j, 6] * F[i, 12]
        z = W[j, 8] * F[i, 4] + W[j, 9] * F[i, 8] + W[j, 10] * F[i, 12]
        fx = wrenches[i, 0]
        fy = wrenches[i, 1]
        fz = wrenches[i, 2]
        W[j, 12] += fx; W[j, 13] += fy; W[j, 14] += fz  # fmt: skip
        W[j, 15] += wrenches[i, 3] + y * fz - z * fy
        W[j, 16] += wrenches[i, 4] + z * fx - x * fz
        W[j, 17] += wrenches[i, 5] + x * fy - y * fx


@inline
def wrench_efforts_of(M, F, q, wrenches, out):
    """Sum of J^T w over all frames, into out (n,)."""
    n = q.shape[0]
    W = carray(stack(64 * 18), (64, 18)) if n < 64 else np.empty((n + 1, 18))
    turned_bodies(M, q, W)
    collect(F, wrenches, n, W)
    for i in range(n, 0, -1):
        fx = W[i, 12]
        fy = W[i, 13]
        fz = W[i, 14]
        tx = W[i, 15]; ty = W[i, 16]; tz = W[i, 17]  # fmt: skip
        if M[i, SLIDES] != 0.0:
            own = W[i, 2] * fx + W[i, 6] * fy + W[i, 10] * fz
        else:
            own = W[i, 2] * tx + W[i, 6] * ty + W[i, 10] * tz
        out[i - 1] = own * M[i, SCALE]
        p = int(M[i, PARENT])
        x = W[i, 3] - W[p, 3]
        y = W[i, 7] - W[p, 7]
        z = W[i, 11] - W[p, 11]
        W[p, 12] += fx; W[p, 13] += fy; W[p, 14] += fz  # fmt: skip
        W[p, 15] += tx + y * fz - z * fy
        W[p, 16] += ty + z * fx - x * fz
        W[p, 17] += tz + x * fy - y * fx


@entry(IN2, IN2, IN1, IN2, OUT1)
def wrench_efforts(M, F, q, wrenches, out):
    """Efforts that wrenches (k, 6) at frames (k, 13) do to the joints, (n,): sum of J^T w.

    Force then moment, world axes, at the origin of each frame.
    """
    n = q.shape[0]
    if M.shape[0] != n + 1 or wrenches.shape != (F.shape[0], 6) or out.shape[0] != n:
        raise ValueError("shape")
    if not finite(q) or not finite(wrenches.ravel()):
        raise ValueError("not finite")
    wrench_efforts_of(M, F, q, wrenches, out)


@entry(IN2, IN2, IN2, IN2, OUT2, nogil=True)
def wrench_efforts_batch(M, F, Q, wrenches, out):
    """Efforts of the same wrenches (k, 6) for every row of Q, (b, n)."""
    n = Q.shape[1]
    if M.shape[0] != n + 1 or wrenches.shape != (F.shape[0], 6) or out.shape != Q.shape:
        raise ValueError("shape")
    if not finite(wrenches.ravel()):
        raise ValueError("not finite")
    for b in range(Q.shape[0]):
        if not finite(Q[b]):
            raise ValueError("not finite")
        wrench_efforts_of(M, F, Q[b], wrenches, out[b])


@entry(IN2, IN2, IN1, IN2, OUT2)
def body_wrenches(M, F, q, wrenches, out):
    """Wrenches (k, 6) at frames (k, 13), summed on bodies: (n+1, 6), body axes, body's origin."""
    n = q.shape[0]
    if M.shape[0] != n + 1 or wrenches.shape != (F.shape[0], 6) or out.shape != (n + 1, 6):
        raise ValueError("shape")
    if not finite(q) or not finite(wrenches.ravel()):
        raise ValueError("not finite")
    W = np.empty((n + 1, 18))
    turned_bodies(M, q, W)
    collect(F, wrenches, n, W)
    for i in range(n + 1):
        for c in range(3):
            for k in range(0, 6, 3):
                own = W[i, c] * W[i, 12 + k] + W[i, 4 + c] * W[i, 13 + k]
                out[i, k + c] = own + W[i, 8 + c] * W[i, 14 + k]


@inline
def add_row(P, W, i, r, c, slides, ux, uy, uz, x, y, z, out):
    """Row r of the regressor for body i in columns from c: a motion along or about an axis u.

    For a turn, (x, y, z) goes from the axis to the body's origin; world axes.
    """
    ax = W[i, ACC]
    ay = W[i, ACC + 1]
    az = W[i, ACC + 2]
    b0 = W[i, B]
    b1 = W[i, B + 1]
    b2 = W[i, B + 2]
    b3 = W[i, B + 3]
    b4 = W[i, B + 4]
    b5 = W[i, B + 5]; b6 = W[i, B + 6]; b7 = W[i, B + 7]; b8 = W[i, B + 8]  # fmt: skip
    # Motion of this body's origin in this body's axes: (l, s).
    sx = P[i, 0] * ux + P[i, 4] * uy + P[i, 8] * uz
    sy = P[i, 1] * ux + P[i, 5] * uy + P[i, 9] * uz
    sz = P[i, 2] * ux + P[i, 6] * uy + P[i, 10] * uz
    if slides != 0.0:
        out[r, c] = sx * ax + sy * ay + sz * az
        out[r, c + 1] = sx * b0 + sy * b3 + sz * b6
        out[r, c + 2] = sx * b1 + sy * b4 + sz * b7
        out[r, c + 3] = sx * b2 + sy * b5 + sz * b8
    else:
        wx = W[i, OMEGA]
        wy = W[i, OMEGA + 1]
        wz = W[i, OMEGA + 2]
        ex = W[i, ALPHA]
        ey = W[i, ALPHA + 1]
        ez = W[i, ALPHA + 2]
        gx = uy * z - uz * y
        gy = uz * x - ux * z
        gz = ux * y - uy * x
        lx = P[i, 0] * gx + P[i, 4] * gy + P[i, 8] * gz
        ly = P[i, 1] * gx + P[i, 5] * gy + P[i, 9] * gz
        lz = P[i, 2] * gx + P[i, 6] * gy + P[i, 10] * gz
        kx = sy * wz - sz * wy; ky = sz * wx - sx * wz; kz = sx * wy - sy * wx  # fmt: skip
        out[r, c] = lx * ax + ly * ay + lz * az
        out[r, c + 1] = lx * b0 + ly * b3 + lz * b6 + ay * sz - az * sy
        out[r, c + 2] = lx * b1 + ly * b4 + lz * b7 + az * sx - ax * sz
        out[r, c + 3] = lx * b2 + ly * b5 + lz * b8 + ax * sy - ay * sx
        out[r, c + 4] = sx * ex + kx * wx
        out[r, c + 5] = sx * ey + sy * ex + kx * wy + ky * wx
        out[r, c + 6] = sy * ey + ky * wy
        out[r, c + 7] = sx * ez + sz * ex + kx * wz + kz * wx
        out[r, c + 8] = sy * ez + sz * ey + ky * wz + kz * wy
        out[r, c + 9] = sz * ez + kz * wz


@inline
def joint_rows(M, P, W, i, c, shift, out):
    """Rows of all joints that move body i, in columns from c; those of joint j in j - 1 + shift."""
    j = i
    while j > 0:
        g = M[j, SCALE]
        ux = P[j, 2] * g
        uy = P[j, 6] * g
        uz = P[j, 10] * g
        x = P[i, 3] - P[j, 3]; y = P[i, 7] - P[j, 7]; z = P[i, 11] - P[j, 11]  # fmt: skip
        add_row(P, W, i, j - 1 + shift, c, M[j, SLIDES], ux, uy, uz, x, y, z, out)
        j = int(M[j, PARENT])


@inline
def turned_from(M, A, n, W, P):
    """The same from placements in the parents, which are in W, for a base turned as A, into P."""
    A = (A[0], A[1], A[2], 0.0, A[4], A[5], A[6], 0.0, A[8], A[9], A[10], 0.0)
    for k in range(12):
        P[0, k] = A[k]
    for i in range(1, n + 1):
        p = int(M[i, PARENT])
        if p != i - 1:
            A = block(P, p, 0)
        A = mul(A, block(W, i, 0))
        for k in range(12):
            P[i, k] = A[k]


@inline
def regressor_of(M, q, v, a, out):
    """Regressor of inverse dynamics, into out (n, 10 n)."""
    n = q.shape[0]
    W = carray(stack(64 * 36), (64, 36)) if n < 64 else np.empty((n + 1, 36))
    P = carray(stack(64 * 12), (64, 12)) if n < 64 else np.empty((n + 1, 12))
    fixed_base(M, W)
    outward(M, q, v, a, 0, W)
    turned_from(M, block(M, 0, X), n, W, P)
    for r in range(n):
        for c in range(10 * n):
            out[r, c] = 0.0
    for i in range(1, n + 1):
        joint_rows(M, P, W, i, 10 * (i - 1), 0, out)


@entry(IN2, IN1, IN1, IN1, OUT2)
def regressor(M, q, v, a, out):
    """Efforts per inertial parameter, (n, 10 n): m, h, Ixx Ixy Iyy Ixz Iyz Izz of each body.

    About the body's origin, in body axes (Atkeson, An and Hollerbach 1986).
    """
    n = q.shape[0]
    if M.shape[0] != n + 1 or v.shape[0] != n or a.shape[0] != n or out.shape != (n, 10 * n):
        raise ValueError("shape")
    if not all_finite(q, v, a):
        raise ValueError("not finite")
    regressor_of(M, q, v, a, out)


@entry(IN2, IN2, IN2, IN2, OUT3, nogil=True)
def regressor_batch(M, Q, V, A, out):
    """Regressor of every row, (b, n, 10 n)."""
    n = Q.shape[1]
    if M.shape[0] != n + 1 or V.shape != Q.shape or A.shape != Q.shape:
        raise ValueError("shape")
    if out.shape != (Q.shape[0], n, 10 * n):
        raise ValueError("shape")
    for b in range(Q.shape[0]):
        if not all_finite(Q[b], V[b], A[b]):
            raise ValueError("not finite")
        regressor_of(M, Q[b], V[b], A[b], out[b])


@entry(IN2, IN2, IN1, IN1, IN1, OUT2)
def regressor_free(M, T, q, v, a, out):
    """Base wrench and efforts per inertial parameter of a free base, (n+6, 10 (n+1)).

    The base's parameters come first. Rows as the result of ``inverse_dynamics_free``.
    """
    n = q.shape[0]
    if M.shape[0] != n + 1 or T.shape != (4, 4) or v.shape[0] != n + 6 or a.shape[0] != n + 6:
        raise ValueError("shape")
    if out.shape != (n + 6, 10 * (n + 1)):
        raise ValueError("shape")
    if not all_finite(q, v, a) or not finite(T.ravel()):
        raise ValueError("not finite")
    W = np.empty((n + 1, 36))
    P = np.empty((n + 1, 12))
    free_base(M, T, v, a, W)
    outward(M, q, v, a, 6, W)
    A = (
        T[0, 0], T[0, 1], T[0, 2], T[0, 3], T[1, 0], T[1, 1], T[1, 2], T[1, 3],
        T[2, 0], T[2, 1], T[2, 2], T[2, 3],
    )  # fmt: skip
    turned_from(M, A, n, W, P)
    for r in range(n + 6):
        for c in range(10 * (n + 1)):
            out[r, c] = 0.0
    for i in range(n + 1):
        c = 10 * i
        for r in range(6):
            ux = 1.0 if r % 3 == 0 else 0.0
            uy = 1.0 if r % 3 == 1 else 0.0
            uz = 1.0 if r % 3 == 2 else 0.0
            slides = 1.0 if r < 3 else 0.0
            add_row(P, W, i, r, c, slides, ux, uy, uz, P[i, 3], P[i, 7], P[i, 11], out)
        joint_rows(M, P, W, i, c, 6, out)


@inline
def friction_of(P, v, sign, out):
    """Add the friction of joints with parameters P (2, n) to out (n,), times ``sign``."""
    for i in range(v.shape[0]):
        coulomb = P[1, i] if v[i] > 0.0 else (-P[1, i] if v[i] < 0.0 else 0.0)
        out[i] += sign * (P[0, i] * v[i] + coulomb)


@entry(IN2, IN1, F8, OUT1)
def friction(P, v, sign, out):
    """Add ``sign`` times the friction of joints to out (n,): P holds viscous and Coulomb, (2, n)."""
    n = v.shape[0]
    if P.shape != (2, n) or out.shape[0] != n:
        raise ValueError("shape")
    friction_of(P, v, sign, out)


@entry(IN2, IN2, F8, OUT2, nogil=True)
def friction_batch(P, V, sign, out):
    """Add ``sign`` times the friction of joints to every row of out (b, n)."""
    if P.shape != (2, V.shape[1]) or out.shape != V.shape:
        raise ValueError("shape")
    for b in range(V.shape[0]):
        friction_of(P, V[b], sign, out[b])
