"""Everything at once: all that depends on (q, v) in one array, one row per body.

One call and one array cost less than any two separate kernels; what is needed is cut out of it as
views. Its columns are the STATE ones of ``layout.py``.

Meaning of a free base: as in ``dynamics_inverse.py``. The 6x6 block of its mass matrix follows from
STATE_SUM of row 0, its coupling to joints is STATE_COUPLING, its bias wrench STATE_WRENCH of row 0
turned into world axes.
"""

import numpy as np

from .checks import MISFIT, finite, fits_base, fits_velocity
from .declare import IN1, IN2, OUT2, entry, inline
from .inertia import add, angular_momentum, carried, inertial_wrench, joint_column, nine, put_nine  # fmt: skip
from .layout import ACC, ALPHA, FIRST_MOMENT, GRAVITY, MASS, OMEGA, PARENT, PLACEMENT, ROTOR, SCALE, SLIDES, STATE_BIAS, STATE_COUPLING, STATE_EFFORT, STATE_HOLD, STATE_MASSES, STATE_MOMENTUM, STATE_MOTION, STATE_RATES, STATE_SUM, STATE_TWIST, STATE_WRENCH, SUBTREE_MASS  # fmt: skip
from .rates import plus_rates, rate_matrix
from .rigid import axis, block, from_matrix, moved, mul, origin, rotate, rotate_back, store, to_parent  # fmt: skip
from .scratch import carray, stack
from .sines import room, turns
from .vectors import ZERO, cross, dot, increase, minus, plus, plus_cross, put, times, triple  # fmt: skip

# Columns of the working memory: placement in the parent, OMEGA to ACC in body axes, then
FALL = 21  # gravity, body axes


@inline
def put_body(M, i, a, w, e, fall, W, out):
    """Motion of body i in body axes into row i of both, with what follows from it."""
    put(W, i, OMEGA, w)
    put(W, i, ALPHA, e)
    put(W, i, ACC, a)
    put(W, i, FALL, fall)
    rates = rate_matrix(w, e)
    S = nine(M, i, FIRST_MOMENT)
    force, torque = inertial_wrench(M[i, MASS], S, minus(a, fall), rates)
    put_nine(out, i, STATE_SUM, S)
    put_nine(out, i, STATE_RATES, rates)
    put(out, i, STATE_WRENCH, force)
    put(out, i, STATE_WRENCH + 3, torque)


@inline
def start(M, A, v, w, W, out):
    """Row 0 of both: base at A with velocity v and angular velocity w, not accelerating."""
    store(out, 0, A)
    put(out, 0, STATE_TWIST, v)
    put(out, 0, STATE_TWIST + 3, w)
    put(out, 0, STATE_BIAS, ZERO)
    put(out, 0, STATE_BIAS + 3, ZERO)
    fall = rotate_back(A, triple(M, 0, GRAVITY))
    put_body(M, 0, ZERO, rotate_back(A, w), ZERO, fall, W, out)


@inline
def spread(M, q, v, W, out):
    """Outward: poses, motions, accelerations and wrenches of bodies 1 to n."""
    A = block(out, 0, 0)
    base = origin(A)
    n = q.shape[0]
    T = carray(stack(64 * 3), (3, 64)) if n < 64 else np.empty((3, room(n)))
    turns(M, q, T)
    for i in range(1, n + 1):
        p = int(M[i, PARENT])
        if p != i - 1:
            A = block(out, p, 0)
        s = M[i, SCALE]
        qd = v[i - 1] * s
        slides = M[i, SLIDES]
        L = moved(block(M, i, PLACEMENT), slides, T, i - 1)
        A = mul(A, L)
        store(W, i, L)
        store(out, i, A)
        # Body axes: the motion that accelerations and wrenches come from.
        w = rotate_back(L, triple(W, p, OMEGA))
        e = rotate_back(L, triple(W, p, ALPHA))
        a = rotate_back(L, plus_rates(triple(W, p, ACC), nine(out, p, STATE_RATES), origin(L)))
        wx, wy, wz = w
        if slides != 0.0:
            a = (a[0] + 2.0 * wy * qd, a[1] - 2.0 * wx * qd, a[2])
        else:
            e = (e[0] + wy * qd, e[1] - wx * qd, e[2])
            w = (wx, wy, wz + qd)
        put_body(M, i, a, w, e, rotate_back(L, triple(W, p, FALL)), W, out)
        put(out, i, STATE_BIAS, rotate(A, a))
        put(out, i, STATE_BIAS + 3, rotate(A, e))
        # World axes: velocity of the origin, and this joint's own motion.
        turning = triple(out, p, STATE_TWIST + 3)
        arm = minus(origin(A), origin(block(out, p, 0)))
        velocity = plus_cross(triple(out, p, STATE_TWIST), turning, arm)
        z = times(axis(A), s)
        if slides != 0.0:
            velocity = plus(velocity, times(axis(A), qd))
            put(out, i, STATE_MOTION, z)
            put(out, i, STATE_MOTION + 3, ZERO)
        else:
            turning = plus(turning, times(axis(A), qd))
            put(out, i, STATE_MOTION, cross(minus(origin(A), base), z))
            put(out, i, STATE_MOTION + 3, z)
        put(out, i, STATE_TWIST, velocity)
        put(out, i, STATE_TWIST + 3, turning)


@inline
def hand_in(M, W, i, p, out):
    """Add sums and wrench of body i to those of its parent."""
    L = block(W, i, 0)
    force = triple(out, i, STATE_WRENCH)
    force, torque = to_parent(L, force, triple(out, i, STATE_WRENCH + 3))
    increase(out, p, STATE_WRENCH, force)
    increase(out, p, STATE_WRENCH + 3, torque)
    add(out, p, STATE_SUM, carried(L, M[i, SUBTREE_MASS], nine(out, i, STATE_SUM)))


@inline
def collect(M, v, n, W, out):
    """Efforts, momentum, coupling and mass matrix, from sums and wrenches."""
    m = M[0, SUBTREE_MASS]
    g = 1.0 / m if m > 0.0 else 0.0
    A = block(out, 0, 0)
    base = origin(A)
    com = rotate(A, times(triple(out, 0, STATE_SUM), g))  # from the base's origin
    put(out, 0, STATE_MOTION, plus(com, base))
    put(out, 0, STATE_MOTION + 3, (m, 0.0, 0.0))
    for c in range(n):
        out[0, STATE_MASSES + c] = 0.0
    for i in range(1, n + 1):
        s = M[i, SCALE]
        m = M[i, SUBTREE_MASS]
        slides = M[i, SLIDES]
        S = nine(out, i, STATE_SUM)
        force, torque = joint_column(slides, s, m, S)
        if slides != 0.0:
            out[i, STATE_EFFORT] = out[i, STATE_WRENCH + 2] * s
            out[i, STATE_HOLD] = -m * W[i, FALL + 2] * s
            own = force[2]
        else:
            out[i, STATE_EFFORT] = out[i, STATE_WRENCH + 5] * s
            out[i, STATE_HOLD] = (S[1] * W[i, FALL] - S[0] * W[i, FALL + 1]) * s
            own = torque[2]
        # World axes: about the base's origin, then about the center of mass.
        A = block(out, i, 0)
        arm = minus(origin(A), base)
        force = rotate(A, force)
        torque = rotate(A, torque)
        put(out, i, STATE_COUPLING, force)
        put(out, i, STATE_COUPLING + 3, plus_cross(torque, arm, force))
        put(out, i, STATE_MOMENTUM, force)
        put(out, i, STATE_MOMENTUM + 3, plus_cross(torque, minus(arm, com), force))
        for k in range(STATE_MASSES, STATE_MASSES + i - 1):
            out[i, k] = 0.0
            out[k - STATE_MASSES + 1, STATE_MASSES + i - 1] = 0.0
        out[i, STATE_MASSES + i - 1] = own * s + M[i, ROTOR]
        p = int(M[i, PARENT])
        # In world axes from the base's origin the column need not be carried inward.
        while p > 0:
            c = STATE_COUPLING
            z = STATE_MOTION
            own = out[p, z] * out[i, c] + out[p, z + 1] * out[i, c + 1]
            own += out[p, z + 2] * out[i, c + 2] + out[p, z + 3] * out[i, c + 3]
            own += out[p, z + 4] * out[i, c + 4] + out[p, z + 5] * out[i, c + 5]
            out[i, STATE_MASSES + p - 1] = own
            out[p, STATE_MASSES + i - 1] = own
            p = int(M[p, PARENT])
    finish(M, v, n, com, out)


@inline
def about(c, force, torque):
    """A torque about the point that is at c."""
    fx, fy, fz = force
    return (
        torque[0] - c[1] * fz + c[2] * fy,
        torque[1] - c[2] * fx + c[0] * fz,
        torque[2] - c[0] * fy + c[1] * fx,
    )


@inline
def finish(M, v, n, com, out):
    """Row 0: energies, momentum about the center of mass and its bias."""
    m = M[0, SUBTREE_MASS]
    A = block(out, 0, 0)
    u = triple(out, 0, STATE_TWIST)
    w = triple(out, 0, STATE_TWIST + 3)
    fall = triple(M, 0, GRAVITY)
    out[0, STATE_HOLD] = -m * dot(fall, triple(out, 0, STATE_MOTION))
    # The whole robot moving with the base: momentum about the base's origin.
    linear = times(plus_cross(u, w, com), m)
    angular = rotate(A, angular_momentum(nine(out, 0, STATE_SUM), rotate_back(A, w)))
    angular = plus(angular, times(cross(com, u), m))
    energy = dot(u, linear) + w[0] * angular[0] + w[1] * angular[1] + w[2] * angular[2]
    for i in range(1, n + 1):
        qd = v[i - 1]
        force = triple(out, i, STATE_COUPLING)
        torque = triple(out, i, STATE_COUPLING + 3)
        coupled = dot(u, force)
        coupled += dot(w, torque)
        own = 2.0 * coupled
        for k in range(n):
            own += out[i, STATE_MASSES + k] * v[k]
        energy += qd * own
        linear = plus(linear, times(force, qd))
        angular = plus(angular, times(torque, qd))
    out[0, STATE_EFFORT] = 0.5 * energy
    put(out, 0, STATE_MOMENTUM, linear)
    put(out, 0, STATE_MOMENTUM + 3, about(com, linear, angular))
    force = rotate(A, triple(out, 0, STATE_WRENCH))
    torque = rotate(A, triple(out, 0, STATE_WRENCH + 3))
    put(out, 0, STATE_COUPLING, plus(force, times(fall, m)))
    put(out, 0, STATE_COUPLING + 3, about(com, force, torque))


@inline
def state_of(M, A, velocity, turning, q, v, W, out):
    """Everything, into out (n+1, 68+n)."""
    n = q.shape[0]
    start(M, A, velocity, turning, W, out)
    spread(M, q, v, W, out)
    for i in range(n, 0, -1):
        hand_in(M, W, i, int(M[i, PARENT]), out)
    collect(M, v, n, W, out)


@entry(IN2, IN1, IN1, OUT2)
def state(M, q, v, out):
    """Everything that depends on (q, v), (n+1, 68+n)."""
    n = q.shape[0]
    if out.shape != (n + 1, STATE_MASSES + n) or not fits_velocity(M, q, v):
        raise ValueError(MISFIT)
    W = carray(stack(64 * 24), (64, 24)) if n < 64 else np.empty((n + 1, 24))
    state_of(M, block(M, 0, PLACEMENT), ZERO, ZERO, q, v, W, out)


@entry(IN2, IN2, IN1, IN1, IN1, OUT2)
def state_free(M, T, twist, q, v, out):
    """The same for a base at T (4, 4) with a twist (6,): linear of its origin, angular."""
    n = q.shape[0]
    if (
        twist.shape[0] != 6
        or out.shape != (n + 1, STATE_MASSES + n)
        or not fits_base(T)
        or not fits_velocity(M, q, v)
    ):
        raise ValueError(MISFIT)
    if not finite(twist):
        raise ValueError("not finite")
    W = carray(stack(64 * 24), (64, 24)) if n < 64 else np.empty((n + 1, 24))
    u = (twist[0], twist[1], twist[2])
    w = (twist[3], twist[4], twist[5])
    state_of(M, from_matrix(T), u, w, q, v, W, out)
