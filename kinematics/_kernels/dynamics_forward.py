"""Accelerations that efforts cause: articulated bodies in world axes, each about its own origin.

Featherstone, Rigid Body Dynamics Algorithms, 2008, table 7.1. The first pass is inverse dynamics
without joint accelerations; its wrenches hold all velocity terms and gravity, and what remains is
linear: no bias accelerations occur. Positions are taken relative to the base, so that results do
not depend on where the base is.

Meaning of a free base: as in ``dynamics_inverse.py``. Kernels return 0, or the joint (from 1) that
moves no inertia, or -1 when that is the free base.
"""

import numpy as np

from .checks import MISFIT, all_finite, fits_base, fits_motion, fits_rows
from .declare import I8, IN1, IN2, OUT1, OUT2, entry, inline
from .inertia import NOWHERE, SINGULAR, add, inertial_wrench, nine, turned
from .layout import ACC, ALPHA, FIRST_MOMENT, FORCE, GRAVITY, MASS, OMEGA, PARENT, PLACEMENT, ROTOR, SCALE, SLIDES, SUBTREE_MASS, TORQUE  # fmt: skip
from .rates import add_joint_rates, rate_matrix
from .rigid import at_origin, axis, block, from_matrix, moved, mul, origin, store
from .scratch import carray, stack
from .sines import room, turns
from .vectors import ZERO, cross, dot, increase, matrix_times, minus, plus, plus_cross, put, six, symmetric, times, transpose, triple  # fmt: skip

# Columns of the working memory, one row per body: POSE to TORQUE, then the articulated inertia,
LINEAR = 27  # force per linear acceleration: xx yy zz xy xz yz
MIXED = 33  # force per angular acceleration, 9 numbers
ANGULAR = 42  # torque per angular acceleration: xx yy zz xy xz yz
# and what the third pass needs of the joint:
JOINT_FORCE = 48  # the wrench that accelerates it
JOINT_TORQUE = 51
INVERSE = 54  # of the inertia that it moves
FREE = 55  # its acceleration if the parent followed its bias


@inline
def rigid_body(M, i, A, a, rates, W):
    """Inertia of body i in world axes, and the wrench that its motion needs, into row i."""
    m = M[i, MASS]
    S = turned(A, nine(M, i, FIRST_MOMENT))
    force, torque = inertial_wrench(m, S, a, rates)
    put(W, i, FORCE, force)
    put(W, i, TORQUE, torque)
    hx, hy, hz, xx, yy, zz, xy, xz, yz = S
    put(W, i, LINEAR, (m, m, m))
    put(W, i, LINEAR + 3, ZERO)
    put(W, i, MIXED, (0.0, hz, -hy))
    put(W, i, MIXED + 3, (-hz, 0.0, hx))
    put(W, i, MIXED + 6, (hy, -hx, 0.0))
    put(W, i, ANGULAR, (yy + zz, xx + zz, xx + yy))
    put(W, i, ANGULAR + 3, (-xy, -xz, -yz))


@inline
def spread(M, q, v, shift, W):
    """First pass: pose, velocity terms, wrench and inertia of every body, from row 0 outward."""
    A = block(W, 0, 0)
    w = triple(W, 0, OMEGA)
    e = triple(W, 0, ALPHA)
    a = triple(W, 0, ACC)
    rates = rate_matrix(w, e)
    n = q.shape[0]
    T = carray(stack(64 * 3), (3, 64)) if n < 64 else np.empty((3, room(n)))
    turns(M, q, T)
    for i in range(1, n + 1):
        p = int(M[i, PARENT])
        if p != i - 1:
            A = block(W, p, 0)
            w = triple(W, p, OMEGA)
            e = triple(W, p, ALPHA)
            a = triple(W, p, ACC)
            rates = rate_matrix(w, e)
        slides = M[i, SLIDES]
        before = origin(A)
        A = moved(mul(A, block(M, i, PLACEMENT)), slides, T, i - 1)
        store(W, i, A)
        a = plus(a, matrix_times(rates, minus(origin(A), before)))
        z = times(axis(A), v[i - 1 + shift] * M[i, SCALE])
        a, w, e = add_joint_rates(slides, z, a, w, e)
        if slides == 0.0:
            rates = rate_matrix(w, e)
        put(W, i, OMEGA, w)
        put(W, i, ALPHA, e)
        put(W, i, ACC, a)
        rigid_body(M, i, A, a, rates, W)


@inline
def hand_in(linear, mixed, angular, u, t, g, arm, p, W):
    """Add a body's articulated inertia, without what its joint gives way, to its parent's.

    (u, t) is the wrench that accelerates the joint, g the inverse of the inertia that it moves;
    ``arm`` goes from the origin of the parent p to the body's.
    """
    ux, uy, uz = u
    vx, vy, vz = t
    hx, hy, hz = times(u, g)
    kx, ky, kz = times(t, g)
    x, y, z = arm
    lxx, lyy, lzz, lxy, lxz, lyz = linear
    m0, m1, m2, m3, m4, m5, m6, m7, m8 = mixed
    axx, ayy, azz, axy, axz, ayz = angular
    lxx -= ux * hx; lyy -= uy * hy; lzz -= uz * hz  # fmt: skip
    lxy -= ux * hy; lxz -= ux * hz; lyz -= uy * hz  # fmt: skip
    m0 -= ux * kx; m1 -= ux * ky; m2 -= ux * kz  # fmt: skip
    m3 -= uy * kx; m4 -= uy * ky; m5 -= uy * kz  # fmt: skip
    m6 -= uz * kx; m7 -= uz * ky; m8 -= uz * kz  # fmt: skip
    axx -= vx * kx; ayy -= vy * ky; azz -= vz * kz  # fmt: skip
    axy -= vx * ky; axz -= vx * kz; ayz -= vy * kz  # fmt: skip
    # LINEAR [r]x, row by row.
    c0, c1, c2 = cross((lxx, lxy, lxz), arm)
    c3, c4, c5 = cross((lxy, lyy, lyz), arm)
    c6, c7, c8 = cross((lxz, lyz, lzz), arm)
    # K = [r]x (MIXED - 1/2 LINEAR [r]x), and ANGULAR + K + K^T.
    d0 = m0 - 0.5 * c0; d1 = m1 - 0.5 * c1; d2 = m2 - 0.5 * c2  # fmt: skip
    d3 = m3 - 0.5 * c3; d4 = m4 - 0.5 * c4; d5 = m5 - 0.5 * c5  # fmt: skip
    d6 = m6 - 0.5 * c6; d7 = m7 - 0.5 * c7; d8 = m8 - 0.5 * c8  # fmt: skip
    W[p, ANGULAR] += axx + 2.0 * (y * d6 - z * d3)
    W[p, ANGULAR + 1] += ayy + 2.0 * (z * d1 - x * d7)
    W[p, ANGULAR + 2] += azz + 2.0 * (x * d5 - y * d2)
    W[p, ANGULAR + 3] += axy + (y * d7 - z * d4) + (z * d0 - x * d6)
    W[p, ANGULAR + 4] += axz + (y * d8 - z * d5) + (x * d3 - y * d0)
    W[p, ANGULAR + 5] += ayz + (z * d2 - x * d8) + (x * d4 - y * d1)
    add(
        W,
        p,
        MIXED,
        (m0 - c0, m1 - c1, m2 - c2, m3 - c3, m4 - c4, m5 - c5, m6 - c6, m7 - c7, m8 - c8),
    )
    increase(W, p, LINEAR, (lxx, lyy, lzz))
    increase(W, p, LINEAR + 3, (lxy, lxz, lyz))


@inline
def articulate(M, tau, shift, root, n, W):
    """Second pass: articulated inertia and wrench of every body, handed inward."""
    for i in range(n, 0, -1):
        s = M[i, SCALE]
        z = times(axis(block(W, i, 0)), s)
        linear = six(W, i, LINEAR)
        mixed = nine(W, i, MIXED)
        angular = six(W, i, ANGULAR)
        force = triple(W, i, FORCE)
        torque = triple(W, i, TORQUE)
        if M[i, SLIDES] != 0.0:
            u = matrix_times(symmetric(linear), z)
            t = matrix_times(transpose(mixed), z)
            d = dot(z, u) + M[i, ROTOR]
            e = tau[i - 1 + shift] - dot(z, force)
            least = SINGULAR * M[i, SUBTREE_MASS]
        else:
            u = matrix_times(mixed, z)
            t = matrix_times(symmetric(angular), z)
            d = dot(z, t) + M[i, ROTOR]
            e = tau[i - 1 + shift] - dot(z, torque)
            least = SINGULAR * (angular[0] + angular[1] + angular[2]) + NOWHERE * M[i, SUBTREE_MASS]
        if not d > least * s * s:
            return i
        g = 1.0 / d
        e *= g
        put(W, i, JOINT_FORCE, u)
        put(W, i, JOINT_TORQUE, t)
        W[i, INVERSE] = g
        W[i, FREE] = e
        p = int(M[i, PARENT])
        if p >= root:
            force = plus(force, times(u, e))
            torque = plus(torque, times(t, e))
            arm = minus(origin(block(W, i, 0)), origin(block(W, p, 0)))
            hand_in(linear, mixed, angular, u, t, g, arm, p, W)
            increase(W, p, FORCE, force)
            increase(W, p, TORQUE, plus_cross(torque, arm, force))
    return 0


@inline
def accelerate(M, n, shift, a, e, W, out):
    """Third pass: joint accelerations, from the base's deviation from its bias, outward."""
    put(W, 0, ACC, a)
    put(W, 0, ALPHA, e)
    for i in range(1, n + 1):
        p = int(M[i, PARENT])
        if p != i - 1:
            a = triple(W, p, ACC)
            e = triple(W, p, ALPHA)
        A = block(W, i, 0)
        a = plus(a, cross(e, minus(origin(A), origin(block(W, p, 0)))))
        qdd = dot(triple(W, i, JOINT_FORCE), a)
        qdd += dot(triple(W, i, JOINT_TORQUE), e)
        qdd = W[i, FREE] - W[i, INVERSE] * qdd
        out[i - 1 + shift] = qdd
        z = times(axis(A), qdd * M[i, SCALE])
        if M[i, SLIDES] != 0.0:
            a = plus(a, z)
        else:
            e = plus(e, z)
        put(W, i, ACC, a)
        put(W, i, ALPHA, e)


@inline
def forward_dynamics_of(M, q, v, tau, out):
    """Accelerations, into out (n,); returns the joint that moves no inertia, or 0."""
    n = q.shape[0]
    W = carray(stack(64 * 56), (64, 56)) if n < 64 else np.empty((n + 1, 56))
    store(W, 0, at_origin(block(M, 0, PLACEMENT)))
    put(W, 0, OMEGA, ZERO)
    put(W, 0, ALPHA, ZERO)
    put(W, 0, ACC, times(triple(M, 0, GRAVITY), -1.0))
    spread(M, q, v, 0, W)
    joint = articulate(M, tau, 0, 1, n, W)
    if joint == 0:
        accelerate(M, n, 0, ZERO, ZERO, W, out)
    return joint


@entry(IN2, IN1, IN1, IN1, OUT1, returns=I8)
def forward_dynamics(M, q, v, tau, out):
    """Accelerations that efforts cause, (n,)."""
    if out.shape[0] != q.shape[0] or not fits_motion(M, q, v, tau, 0):
        raise ValueError(MISFIT)
    return forward_dynamics_of(M, q, v, tau, out)


@entry(IN2, IN2, IN2, IN2, OUT2, returns=I8, nogil=True)
def forward_dynamics_batch(M, Q, V, TAU, out):
    """Accelerations of every row, (b, n); stops at the first joint that moves no inertia."""
    if V.shape != Q.shape or TAU.shape != Q.shape or out.shape != Q.shape or not fits_rows(M, Q):
        raise ValueError(MISFIT)
    for b in range(Q.shape[0]):
        if not all_finite(Q[b], V[b], TAU[b]):
            raise ValueError("not finite")
        joint = forward_dynamics_of(M, Q[b], V[b], TAU[b], out[b])
        if joint != 0:
            return joint
    return 0


@inline
def solve_base(W, tau, S):
    """Acceleration of a free base from its articulated inertia, into column 6 of S (6, 7).

    Returns whether the base moves inertia. Cholesky factors in the lower triangle of S.
    """
    for r in range(3):
        for c in range(3):
            S[r + 3, c] = W[0, MIXED + 3 * c + r]
        S[r, 6] = tau[r] - W[0, FORCE + r]
        S[r + 3, 6] = tau[r + 3] - W[0, TORQUE + r]
    for k in range(0, 6, 3):
        o = LINEAR if k == 0 else ANGULAR
        S[k, k] = W[0, o]
        S[k + 1, k + 1] = W[0, o + 1]
        S[k + 2, k + 2] = W[0, o + 2]
        S[k + 1, k] = W[0, o + 3]; S[k + 2, k] = W[0, o + 4]; S[k + 2, k + 1] = W[0, o + 5]  # fmt: skip
    for c in range(6):
        d = S[c, c]
        least = SINGULAR * d
        for k in range(c):
            d -= S[c, k] * S[c, k]
        if not d > least:
            return False
        d = np.sqrt(d)
        S[c, c] = d
        for r in range(c + 1, 7):
            own = S[r, c] if r < 6 else S[c, 6]
            for k in range(c):
                own -= S[r, k] * S[c, k] if r < 6 else S[k, 6] * S[c, k]
            if r < 6:
                S[r, c] = own / d
            else:
                S[c, 6] = own / d
    for c in range(5, -1, -1):
        own = S[c, 6]
        for k in range(c + 1, 6):
            own -= S[k, c] * S[k, 6]
        S[c, 6] = own / S[c, c]
    return True


@entry(IN2, IN2, IN1, IN1, IN1, OUT1, returns=I8)
def forward_dynamics_free(M, T, q, v, tau, out):
    """Accelerations of a robot with a free base, (n+6,): base first, world axes."""
    n = q.shape[0]
    if out.shape[0] != n + 6 or not fits_base(T) or not fits_motion(M, q, v, tau, 6):
        raise ValueError(MISFIT)
    W = carray(stack(64 * 56), (64, 56)) if n < 64 else np.empty((n + 1, 56))
    S = carray(stack(6 * 7), (6, 7))
    A = at_origin(from_matrix(T))
    w = (v[3], v[4], v[5])
    a = times(triple(M, 0, GRAVITY), -1.0)
    store(W, 0, A)
    put(W, 0, OMEGA, w)
    put(W, 0, ALPHA, ZERO)
    put(W, 0, ACC, a)
    rigid_body(M, 0, A, a, rate_matrix(w, ZERO), W)
    spread(M, q, v, 6, W)
    joint = articulate(M, tau, 6, 0, n, W)
    if joint != 0:
        return joint
    if not solve_base(W, tau, S):
        return -1
    for k in range(6):
        out[k] = S[k, 6]
    a = (S[0, 6], S[1, 6], S[2, 6])
    accelerate(M, n, 6, a, (S[3, 6], S[4, 6], S[5, 6]), W, out)
    return 0
