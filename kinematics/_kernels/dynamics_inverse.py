"""Efforts and joint wrenches that a motion needs: recursive Newton-Euler in body axes.

Luh, Walker and Paul 1980 (Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 5), with
*classical* accelerations of the bodies' origins and rate matrices, see ``rates.py`` and
``inertia.py``. No linear velocity occurs, so that a free base needs no conversion: its velocity is
(linear of the base's origin, angular), both in world axes, and its acceleration is the derivative
of that.

Arguments: ``M`` model rows (n+1, 32); ``q v a`` of the joints, (n,); for a free base ``T`` its pose
(4, 4) in place of the model's own, and v, a, results of length n+6, base first.
"""

import numpy as np

from .checks import MISFIT, all_finite, fits_base, fits_motion, fits_rows
from .declare import IN1, IN2, OUT1, OUT2, entry, inline
from .inertia import inertial_wrench, nine, put_nine
from .layout import ACC, ALPHA, FIRST_MOMENT, FORCE, GRAVITY, MASS, OMEGA, PARENT, PLACEMENT, RATES, ROTOR, SCALE, SLIDES, TORQUE  # fmt: skip
from .rates import plus_rates, rate_matrix
from .rigid import block, from_matrix, moved, origin, rotate, rotate_back, store, to_parent
from .scratch import carray, stack
from .sines import room, turns
from .vectors import ZERO, increase, minus, put, triple


@inline
def fixed_base(M, W):
    """Row 0 of the working memory for a base at rest: it accelerates against gravity."""
    put(W, 0, OMEGA, ZERO)
    put(W, 0, ALPHA, ZERO)
    x, y, z = rotate_back(block(M, 0, PLACEMENT), triple(M, 0, GRAVITY))
    put(W, 0, ACC, (-x, -y, -z))
    for k in range(9):
        W[0, RATES + k] = 0.0


@inline
def free_base(M, T, v, a, W):
    """Row 0 of the working memory for a base at T that moves with v and a, world axes."""
    A = from_matrix(T)
    w = rotate_back(A, (v[3], v[4], v[5]))
    e = rotate_back(A, (a[3], a[4], a[5]))
    put(W, 0, OMEGA, w)
    put(W, 0, ALPHA, e)
    put(W, 0, ACC, rotate_back(A, minus((a[0], a[1], a[2]), triple(M, 0, GRAVITY))))
    put_nine(W, 0, RATES, rate_matrix(w, e))


@inline
def put_wrench(M, i, a, rates, W):
    """Wrench that moves body i, into its row."""
    force, torque = inertial_wrench(M[i, MASS], nine(M, i, FIRST_MOMENT), a, rates)
    put(W, i, FORCE, force)
    put(W, i, TORQUE, torque)


@inline
def outward(M, q, v, a, shift, W):
    """Motion of every body and the wrench it needs, into rows 1 to n; row 0 is the base's.

    v and a hold the joints from index ``shift``.
    """
    w = triple(W, 0, OMEGA)
    e = triple(W, 0, ALPHA)
    acc = triple(W, 0, ACC)
    rates = nine(W, 0, RATES)
    n = q.shape[0]
    T = carray(stack(64 * 3), (3, 64)) if n < 64 else np.empty((3, room(n)))
    turns(M, q, T)
    for i in range(1, n + 1):
        p = int(M[i, PARENT])
        if p != i - 1:
            w = triple(W, p, OMEGA)
            e = triple(W, p, ALPHA)
            acc = triple(W, p, ACC)
            rates = nine(W, p, RATES)
        s = M[i, SCALE]
        slides = M[i, SLIDES]
        A = moved(block(M, i, PLACEMENT), slides, T, i - 1)
        store(W, i, A)
        acc = rotate_back(A, plus_rates(acc, rates, origin(A)))
        w = rotate_back(A, w)
        e = rotate_back(A, e)
        qd = v[i - 1 + shift] * s
        qdd = a[i - 1 + shift] * s
        wx, wy, wz = w
        if slides != 0.0:
            acc = (acc[0] + 2.0 * wy * qd, acc[1] - 2.0 * wx * qd, acc[2] + qdd)
        else:
            e = (e[0] + wy * qd, e[1] - wx * qd, e[2] + qdd)
            w = (wx, wy, wz + qd)
        rates = rate_matrix(w, e)
        # Read before anything is written: the compiler cannot know that M and W do not overlap.
        force, torque = inertial_wrench(M[i, MASS], nine(M, i, FIRST_MOMENT), acc, rates)
        put(W, i, OMEGA, w)
        put(W, i, ALPHA, e)
        put(W, i, ACC, acc)
        put(W, i, FORCE, force)
        put(W, i, TORQUE, torque)
        put_nine(W, i, RATES, rates)


@inline
def inward(M, n, root, a, shift, W, out):
    """Wrenches handed on to the parents, and their part along each joint, into out from ``shift``.

    ``root`` 1 stops at the bodies on the base, 0 goes on into row 0.
    """
    for i in range(n, 0, -1):
        force = triple(W, i, FORCE)
        torque = triple(W, i, TORQUE)
        k = i - 1 + shift
        own = force[2] if M[i, SLIDES] != 0.0 else torque[2]
        out[k] = own * M[i, SCALE] + M[i, ROTOR] * a[k]
        p = int(M[i, PARENT])
        if p >= root:
            force, torque = to_parent(block(W, i, 0), force, torque)
            increase(W, p, FORCE, force)
            increase(W, p, TORQUE, torque)


@inline
def inverse_dynamics_of(M, q, v, a, out):
    """Efforts of one motion, into out (n,)."""
    n = q.shape[0]
    W = carray(stack(64 * 36), (64, 36)) if n < 64 else np.empty((n + 1, 36))
    fixed_base(M, W)
    outward(M, q, v, a, 0, W)
    inward(M, n, 1, a, 0, W, out)


@entry(IN2, IN1, IN1, IN1, OUT1)
def inverse_dynamics(M, q, v, a, out):
    """Efforts that a motion needs, (n,)."""
    if out.shape[0] != q.shape[0] or not fits_motion(M, q, v, a, 0):
        raise ValueError(MISFIT)
    inverse_dynamics_of(M, q, v, a, out)


@entry(IN2, IN2, IN2, IN2, OUT2, nogil=True)
def inverse_dynamics_batch(M, Q, V, A, out):
    """Efforts of every row, (b, n)."""
    if V.shape != Q.shape or A.shape != Q.shape or out.shape != Q.shape or not fits_rows(M, Q):
        raise ValueError(MISFIT)
    for b in range(Q.shape[0]):
        if not all_finite(Q[b], V[b], A[b]):
            raise ValueError("not finite")
        inverse_dynamics_of(M, Q[b], V[b], A[b], out[b])


@inline
def joint_wrenches_of(M, q, v, a, shift, E, W, out):
    """Wrenches through all joints for a base whose motion is in row 0 of W, into out (n+1, 6)."""
    n = q.shape[0]
    put_wrench(M, 0, triple(W, 0, ACC), nine(W, 0, RATES), W)
    outward(M, q, v, a, shift, W)
    for i in range(n + 1):
        for k in range(6):
            W[i, FORCE + k] -= E[i, k]
    inward(M, n, 0, a, shift, W, np.empty(n + shift))
    for i in range(n + 1):
        for k in range(6):
            out[i, k] = W[i, FORCE + k]


@entry(IN2, IN1, IN1, IN1, IN2, OUT2)
def joint_wrenches(M, q, v, a, E, out):
    """Wrench that each body gets through its joint, (n+1, 6), body axes, body's origin.

    ``E`` holds wrenches that act on the bodies from outside, likewise (n+1, 6). Row 0 of the
    result is what the ground gives to the base.
    """
    n = q.shape[0]
    if E.shape != (n + 1, 6) or out.shape != (n + 1, 6) or not fits_motion(M, q, v, a, 0):
        raise ValueError(MISFIT)
    W = np.empty((n + 1, 36))
    fixed_base(M, W)
    joint_wrenches_of(M, q, v, a, 0, E, W, out)


@inline
def inverse_dynamics_free_of(M, T, q, v, a, out):
    """Base wrench and efforts of one motion with a free base, into out (n+6,)."""
    n = q.shape[0]
    W = carray(stack(64 * 36), (64, 36)) if n < 64 else np.empty((n + 1, 36))
    free_base(M, T, v, a, W)
    put_wrench(M, 0, triple(W, 0, ACC), nine(W, 0, RATES), W)
    outward(M, q, v, a, 6, W)
    inward(M, n, 0, a, 6, W, out)
    force = rotate(from_matrix(T), triple(W, 0, FORCE))
    torque = rotate(from_matrix(T), triple(W, 0, TORQUE))
    for k in range(3):
        out[k] = force[k]
        out[k + 3] = torque[k]


@entry(IN2, IN2, IN1, IN1, IN1, OUT1)
def inverse_dynamics_free(M, T, q, v, a, out):
    """Wrench at the base's origin, world axes, and efforts, (n+6,)."""
    if out.shape[0] != q.shape[0] + 6 or not fits_base(T) or not fits_motion(M, q, v, a, 6):
        raise ValueError(MISFIT)
    inverse_dynamics_free_of(M, T, q, v, a, out)


@entry(IN2, IN2, IN1, IN1, IN1, IN2, OUT2)
def joint_wrenches_free(M, T, q, v, a, E, out):
    """The same as ``joint_wrenches`` for a free base; row 0 is what the base needs to move so."""
    n = q.shape[0]
    if (
        E.shape != (n + 1, 6)
        or out.shape != (n + 1, 6)
        or not fits_base(T)
        or not fits_motion(M, q, v, a, 6)
    ):
        raise ValueError(MISFIT)
    W = np.empty((n + 1, 36))
    free_base(M, T, v, a, W)
    joint_wrenches_of(M, q, v, a, 6, E, W, out)
