"""The matrices and vectors of a fixed base, all in one call: what a ``RobotState`` is asked for most.

World axes; the inertia of a body and all that hangs on it is kept about the body's own origin, so
that nothing is lost far from the base. Without gravity, Newton-Euler as in ``dynamics_inverse.py``;
holding efforts follow from the momentum per unit of joint velocity, whose linear part is mass times
the Jacobian of the center of mass. Pass outward: places, motion, wrench and inertia of each body.
Pass inward: sums, and from those of body i the momentum that joint i alone causes; its product with
the motion of the joints before it is row i of the mass matrix.

The rows of the result are the TERMS ones of ``layout.py``. The robot must have mass.
"""

import numpy as np

from .checks import MISFIT, fits_velocity
from .declare import IN1, IN2, OUT2, entry, helper, inline
from .frames import put_joint
from .inertia import add, angular_momentum, inertial_wrench, nine, put_nine, shifted, turned
from .layout import ACC, ALPHA, FIRST_MOMENT, FORCE, FRAME_BODY, FRAME_WIDTH, GRAVITY, MASS, OMEGA, PARENT, PLACEMENT, ROTOR, SCALE, SLIDES, SUBTREE_MASS, TERMS_BIAS, TERMS_COM, TERMS_HOLD, TERMS_MASSES, TERMS_MOMENTUM, TERMS_MOTION, TERMS_POSES, TERMS_Q, TERMS_V, TORQUE  # fmt: skip
from .rates import rate_matrix, relative_acceleration
from .rigid import at_origin, axis, block, moved, mul, origin, rotate, store, write_matrix
from .scratch import carray, part, stack
from .sines import room, turns
from .vectors import ZERO, cross, dot, increase, minus, plus, plus_cross, put, put_column, times, triple  # fmt: skip

# Columns of the working memory: place relative to the base's origin, OMEGA to TORQUE, then
SUM = 27  # moments of the body and all that hangs on it
TWIST = 36  # what the joint alone causes: of the point at the base's origin
WIDE = 42


@inline
def height(n):
    """How many rows the result has for n joints, at least one."""
    return TERMS_MASSES + n + 3 * ((n + 2) // n) + (n + 5) // n


@helper
def away(M, q, v, W, out):
    """Outward: place, motion, wrench and inertia of every body, and the motion of every joint."""
    n = q.shape[0]
    T = carray(stack(64 * 3), (3, 64)) if n < 64 else np.empty((3, room(n)))
    turns(M, q, T)
    A = block(M, 0, PLACEMENT)
    base = origin(A)
    ox, oy, oz = base
    A = at_origin(A)
    store(W, 0, A)
    Ts = carray(part(out, TERMS_POSES * n), (n, 4, 4))
    for k in range(12, WIDE):
        W[0, k] = 0.0
    put(W, 0, SUM, rotate(A, triple(M, 0, FIRST_MOMENT)))
    w = ZERO
    e = ZERO
    a = ZERO
    for i in range(1, n + 1):
        p = int(M[i, PARENT])
        if p != i - 1:
            A = block(W, p, 0)
            w = triple(W, p, OMEGA)
            e = triple(W, p, ALPHA)
            a = triple(W, p, ACC)
        s = M[i, SCALE]
        qd = v[i - 1] * s
        slides = M[i, SLIDES]
        before = origin(A)
        A = mul(A, moved(block(M, i, PLACEMENT), slides, T, i - 1))
        a = plus(a, relative_acceleration(w, e, minus(origin(A), before)))
        z = axis(A)
        c = times(cross(w, z), qd)
        if slides != 0.0:
            a = plus(a, times(c, 2.0))
            linear = times(z, s)
            angular = ZERO
        else:
            e = plus(e, c)
            w = plus(w, times(z, qd))
            angular = times(z, s)
            linear = cross(origin(A), angular)
        put(W, i, TWIST, linear)
        put(W, i, TWIST + 3, angular)
        put_column(out, TERMS_MOTION, i - 1, plus(linear, cross(base, angular)))
        put_column(out, TERMS_MOTION + 3, i - 1, angular)
        store(W, i, A)
        R0, R1, R2, x, R3, R4, R5, y, R6, R7, R8, z_ = A
        write_matrix(Ts[i - 1], (R0, R1, R2, x + ox, R3, R4, R5, y + oy, R6, R7, R8, z_ + oz))
        put(W, i, OMEGA, w)
        put(W, i, ALPHA, e)
        put(W, i, ACC, a)
        S = turned(A, nine(M, i, FIRST_MOMENT))
        put_nine(W, i, SUM, S)
        force, torque = inertial_wrench(M[i, MASS], S, a, rate_matrix(w, e))
        put(W, i, FORCE, force)
        put(W, i, TORQUE, torque)


@helper
def back(M, v, W, out):
    """Inward: sums, velocity terms, momenta about the base's origin and the mass matrix.

    Returns the kinetic energy.
    """
    n = v.shape[0]
    energy = 0.0
    for i in range(n, 0, -1):
        A = block(W, i, 0)
        S = nine(W, i, SUM)
        force = triple(W, i, FORCE)
        torque = triple(W, i, TORQUE)
        m = M[i, SUBTREE_MASS]
        p = int(M[i, PARENT])
        arm = minus(origin(A), origin(block(W, p, 0)))
        add(W, p, SUM, shifted(arm, m, S))
        increase(W, p, FORCE, force)
        increase(W, p, TORQUE, plus_cross(torque, arm, force))
        # Momentum when joint i alone moves: about the body's origin, then the base's.
        z = times(axis(A), M[i, SCALE])
        h = (S[0], S[1], S[2])
        if M[i, SLIDES] != 0.0:
            out[TERMS_BIAS, i - 1] = dot(z, force)
            force = times(z, m)
            torque = cross(h, z)
            own = dot(z, force)
        else:
            out[TERMS_BIAS, i - 1] = dot(z, torque)
            force = cross(z, h)
            torque = angular_momentum(S, z)
            own = dot(z, torque)
        torque = plus(torque, cross(origin(A), force))
        put_column(out, TERMS_MOMENTUM, i - 1, force)
        put_column(out, TERMS_MOMENTUM + 3, i - 1, torque)
        own += M[i, ROTOR]
        out[TERMS_MASSES + i - 1, i - 1] = own
        qd = v[i - 1]
        energy += 0.5 * own * qd * qd
        for j in range(i - 1, 0, -1):
            own = 0.0
            if j == p:
                own = dot(triple(W, j, TWIST), force)
                own += dot(triple(W, j, TWIST + 3), torque)
                energy += own * qd * v[j - 1]
                p = int(M[j, PARENT])
            out[TERMS_MASSES + i - 1, j - 1] = own
            out[TERMS_MASSES + j - 1, i - 1] = own
    return energy


@helper
def write(numbers, out, r):
    """Write numbers from row r on, zeros after them; return the next row."""
    n = out.shape[1]
    c = 0
    for number in numbers:
        out[r, c] = number
        c += 1
        if c == n:
            c = 0
            r += 1
    if c > 0:
        for k in range(c, n):
            out[r, k] = 0.0
        r += 1
    return r


@inline
def column(out, r, c):
    """The vector in column c of a table, from row r."""
    return (out[r, c], out[r + 1, c], out[r + 2, c])


@helper
def finish(M, q, v, energy, W, out):
    """Everything about the center of mass, and what gravity adds."""
    n = q.shape[0]
    m = M[0, SUBTREE_MASS]
    com = (W[0, SUM] / m, W[0, SUM + 1] / m, W[0, SUM + 2] / m)
    weight = times(triple(M, 0, GRAVITY), m)
    momentum = ZERO
    spin = ZERO
    for i in range(n):
        force = column(out, TERMS_MOMENTUM, i)
        torque = minus(column(out, TERMS_MOMENTUM + 3, i), cross(com, force))
        put_column(out, TERMS_MOMENTUM + 3, i, torque)
        j = (force[0] / m, force[1] / m, force[2] / m)
        put_column(out, TERMS_COM, i, j)
        hold = -dot(weight, j)
        out[TERMS_HOLD, i] = hold
        out[TERMS_BIAS, i] += hold
        out[TERMS_Q, i] = q[i]
        out[TERMS_V, i] = v[i]
        momentum = plus(momentum, times(force, v[i]))
        spin = plus(spin, times(torque, v[i]))
    com = plus(com, origin(block(M, 0, PLACEMENT)))
    px, py, pz = momentum
    r = TERMS_MASSES + n
    r = write(com, out, r)
    r = write((px / m, py / m, pz / m), out, r)
    r = write((px, py, pz, spin[0], spin[1], spin[2]), out, r)
    write((energy, -dot(weight, com), m), out, r)


@entry(IN2, IN1, IN1, OUT2)
def terms(M, q, v, out):
    """All of the above, (35 + n + 3 ceil(3 / n) + ceil(6 / n), n)."""
    n = q.shape[0]
    if n == 0 or out.shape != (height(n), n) or not fits_velocity(M, q, v):
        raise ValueError(MISFIT)
    if not M[0, SUBTREE_MASS] > 0.0:
        raise ValueError("no mass")
    W = carray(stack(64 * 42), (64, 42)) if n < 64 else np.empty((n + 1, 42))
    away(M, q, v, W, out)
    energy = back(M, v, W, out)
    finish(M, q, v, energy, W, out)


@inline
def frame_place(M, terms, f):
    """Placement of a frame in the world; ``f`` is its row of a table of frames, (13,)."""
    body = int(f[FRAME_BODY])
    P = (f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10], f[11], f[12])
    if body == 0:
        return mul(block(M, 0, PLACEMENT), P)
    n = terms.shape[1]
    Ts = carray(part(terms, TERMS_POSES * n), (16 * n, 1))
    k = 16 * (body - 1)
    A = (
        Ts[k, 0], Ts[k + 1, 0], Ts[k + 2, 0], Ts[k + 3, 0], Ts[k + 4, 0], Ts[k + 5, 0],
        Ts[k + 6, 0], Ts[k + 7, 0], Ts[k + 8, 0], Ts[k + 9, 0], Ts[k + 10, 0], Ts[k + 11, 0],
    )  # fmt: skip
    return mul(A, P)


@inline
def frame_fits(M, terms, f):
    """Whether a frame is one of the robot whose terms these are."""
    n = terms.shape[1]
    if n == 0 or M.shape[0] != n + 1 or terms.shape[0] != height(n) or f.shape[0] != FRAME_WIDTH:
        return False
    return (f[FRAME_BODY] >= 0) & (f[FRAME_BODY] <= n)


@entry(IN2, IN2, IN1, OUT2)
def frame_pose(M, terms, f, T):
    """Pose of one frame, (4, 4), from the terms."""
    if not frame_fits(M, terms, f) or T.shape != (4, 4):
        raise ValueError("shape")
    write_matrix(T, frame_place(M, terms, f))


@entry(IN2, IN2, IN1, OUT2)
def frame_jacobian(M, terms, f, J):
    """Jacobian of one frame, (6, n), from the terms."""
    n = terms.shape[1]
    if not frame_fits(M, terms, f) or J.shape != (6, n):
        raise ValueError("shape")
    P = frame_place(M, terms, f)
    Ts = carray(part(terms, TERMS_POSES * n), (n, 4, 4))
    for r in range(6):
        for c in range(n):
            J[r, c] = 0.0
    i = int(f[FRAME_BODY])
    while i > 0:
        c = i - 1
        z = times((Ts[c, 0, 2], Ts[c, 1, 2], Ts[c, 2, 2]), M[i, SCALE])
        arm = minus(origin(P), (Ts[c, 0, 3], Ts[c, 1, 3], Ts[c, 2, 3]))
        put_joint(J, c, M[i, SLIDES], z, arm)
        i = int(M[i, PARENT])
