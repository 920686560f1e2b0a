"""Wrenches at frames as joint efforts, and efforts as a linear function of inertial parameters.

``F`` is a table of frames (k, 13). Positions are taken relative to the base, so that results do not
depend on where it is.
"""

import numpy as np

from .checks import MISFIT, all_finite, finite, fits_base, fits_motion, fits_position, fits_rows
from .declare import F8, IN1, IN2, OUT1, OUT2, OUT3, entry, inline
from .dynamics_inverse import fixed_base, free_base, outward
from .frames import place_bodies
from .inertia import nine
from .layout import ACC, ALPHA, FRAME_BODY, FRAME_PLACEMENT, OMEGA, PARENT, PLACEMENT, RATES, SCALE, SLIDES  # fmt: skip
from .rigid import at_origin, axis, block, from_matrix, mul, origin, rotate, rotate_back, store
from .scratch import carray, stack
from .vectors import ZERO, cross, dot, increase, matrix_times, minus, plus_cross, put, times, transpose, triple  # fmt: skip

# Columns of the working memory of wrenches, one row per body: placement in world axes, then
PUSH = 12  # force
TWIST = 15  # torque about the body's origin


@inline
def collect(M, F, q, wrenches, W):
    """Placements of all bodies from the base's origin, and the wrenches on each, world axes."""
    place_bodies(M, q, at_origin(block(M, 0, PLACEMENT)), W)
    for i in range(q.shape[0] + 1):
        put(W, i, PUSH, ZERO)
        put(W, i, TWIST, ZERO)
    for i in range(F.shape[0]):
        j = int(F[i, FRAME_BODY])
        arm = rotate(block(W, j, 0), origin(block(F, i, FRAME_PLACEMENT)))
        force = triple(wrenches, i, 0)
        increase(W, j, PUSH, force)
        increase(W, j, TWIST, plus_cross(triple(wrenches, i, 3), arm, force))


@inline
def wrench_efforts_of(M, F, q, wrenches, out):
    """Sum of J^T w over all frames, into out (n,)."""
    n = q.shape[0]
    W = carray(stack(64 * 18), (64, 18)) if n < 64 else np.empty((n + 1, 18))
    collect(M, F, q, wrenches, W)
    for i in range(n, 0, -1):
        A = block(W, i, 0)
        force = triple(W, i, PUSH)
        torque = triple(W, i, TWIST)
        own = dot(axis(A), force) if M[i, SLIDES] != 0.0 else dot(axis(A), torque)
        out[i - 1] = own * M[i, SCALE]
        p = int(M[i, PARENT])
        arm = minus(origin(A), origin(block(W, p, 0)))
        increase(W, p, PUSH, force)
        increase(W, p, TWIST, plus_cross(torque, arm, force))


@entry(IN2, IN2, IN1, IN2, OUT1)
def wrench_efforts(M, F, q, wrenches, out):
    """Efforts that wrenches (k, 6) at frames (k, 13) do to the joints, (n,): sum of J^T w.

    Force then moment, world axes, at the origin of each frame.
    """
    if wrenches.shape != (F.shape[0], 6) or out.shape[0] != q.shape[0] or not fits_position(M, q):
        raise ValueError(MISFIT)
    if not finite(wrenches.ravel()):
        raise ValueError("not finite")
    wrench_efforts_of(M, F, q, wrenches, out)


@entry(IN2, IN2, IN2, IN2, OUT2, nogil=True)
def wrench_efforts_batch(M, F, Q, wrenches, out):
    """Efforts of the same wrenches (k, 6) for every row of Q, (b, n)."""
    if wrenches.shape != (F.shape[0], 6) or out.shape != Q.shape or not fits_rows(M, Q):
        raise ValueError(MISFIT)
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
    if wrenches.shape != (F.shape[0], 6) or out.shape != (n + 1, 6) or not fits_position(M, q):
        raise ValueError(MISFIT)
    if not finite(wrenches.ravel()):
        raise ValueError("not finite")
    W = np.empty((n + 1, 18))
    collect(M, F, q, wrenches, W)
    for i in range(n + 1):
        A = block(W, i, 0)
        put(out, i, 0, rotate_back(A, triple(W, i, PUSH)))
        put(out, i, 3, rotate_back(A, triple(W, i, TWIST)))


@inline
def add_row(P, W, i, r, c, slides, u, arm, out):
    """Row r of the regressor for body i in columns from c: a motion along or about an axis u.

    For a turn, ``arm`` goes from the axis to the body's origin; world axes.
    """
    A = block(P, i, 0)
    acc = triple(W, i, ACC)
    rates = nine(W, i, RATES)
    # Motion of this body's origin in this body's axes: (way, s).
    s = rotate_back(A, u)
    if slides != 0.0:
        out[r, c] = dot(s, acc)
        put(out, r, c + 1, matrix_times(transpose(rates), s))
    else:
        wx, wy, wz = triple(W, i, OMEGA)
        ex, ey, ez = triple(W, i, ALPHA)
        way = rotate_back(A, cross(u, arm))
        sx, sy, sz = s
        kx, ky, kz = cross(s, (wx, wy, wz))
        out[r, c] = dot(way, acc)
        put(out, r, c + 1, plus_cross(matrix_times(transpose(rates), way), acc, s))
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
        A = block(P, j, 0)
        u = times(axis(A), M[j, SCALE])
        arm = minus(origin(block(P, i, 0)), origin(A))
        add_row(P, W, i, j - 1 + shift, c, M[j, SLIDES], u, arm, out)
        j = int(M[j, PARENT])


@inline
def turned_from(M, A, n, W, P):
    """Placements in world axes from a base turned as A, into P; those in the parents are in W."""
    A = at_origin(A)
    store(P, 0, A)
    for i in range(1, n + 1):
        p = int(M[i, PARENT])
        if p != i - 1:
            A = block(P, p, 0)
        A = mul(A, block(W, i, 0))
        store(P, i, A)


@inline
def regressor_of(M, q, v, a, out):
    """Regressor of inverse dynamics, into out (n, 10 n)."""
    n = q.shape[0]
    W = carray(stack(64 * 36), (64, 36)) if n < 64 else np.empty((n + 1, 36))
    P = carray(stack(64 * 12), (64, 12)) if n < 64 else np.empty((n + 1, 12))
    fixed_base(M, W)
    outward(M, q, v, a, 0, W)
    turned_from(M, block(M, 0, PLACEMENT), n, W, P)
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
    if out.shape != (n, 10 * n) or not fits_motion(M, q, v, a, 0):
        raise ValueError(MISFIT)
    regressor_of(M, q, v, a, out)


@entry(IN2, IN2, IN2, IN2, OUT3, nogil=True)
def regressor_batch(M, Q, V, A, out):
    """Regressor of every row, (b, n, 10 n)."""
    n = Q.shape[1]
    if (
        V.shape != Q.shape
        or A.shape != Q.shape
        or out.shape != (Q.shape[0], n, 10 * n)
        or not fits_rows(M, Q)
    ):
        raise ValueError(MISFIT)
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
    if out.shape != (n + 6, 10 * (n + 1)) or not fits_base(T) or not fits_motion(M, q, v, a, 6):
        raise ValueError(MISFIT)
    W = np.empty((n + 1, 36))
    P = np.empty((n + 1, 12))
    free_base(M, T, v, a, W)
    outward(M, q, v, a, 6, W)
    turned_from(M, from_matrix(T), n, W, P)
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
            add_row(P, W, i, r, c, slides, (ux, uy, uz), origin(block(P, i, 0)), out)
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
