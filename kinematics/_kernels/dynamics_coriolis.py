"""The Coriolis matrix, and the energies.

With p the places of the mass points, M = sum m J_p^T J_p; the matrix here is

    C = sum m J_p^T (dJ_p/dt)

so that C v are the velocity terms of inverse dynamics and dM/dt = C + C^T. As the second
derivatives of p are symmetric, C is the matrix of Christoffel symbols, without any derivative of M.
Column k of dJ_p/dt is, for a turning joint with axis z in body k, (w x z) x r + z x u, with w the
angular velocity of body k, r and u place and velocity of the point relative to the body's origin;
w x z for a sliding joint. So four sums over all that hangs on a joint suffice: h = sum m r,
J = sum m r r^T, N = sum m u, L = sum m r u^T (compare Echeandia and Wensing 2021).
"""

import numpy as np

from .checks import MISFIT, both_finite, fits_rows, fits_velocity
from .declare import IN1, IN2, OUT1, OUT2, OUT3, entry, inline
from .dynamics_mass import gather
from .inertia import nine, put_nine
from .layout import COMPOSITE, FIRST_MOMENT, GRAVITY, MASS, PARENT, PLACEMENT, ROTOR, SCALE, SECOND_MOMENTS, SLIDES, SUBTREE_MASS  # fmt: skip
from .rigid import axes, axis, block, moved, mul, origin, rotate, rotate_back, store, to_parent
from .scratch import carray, stack
from .sines import room, turns
from .vectors import ZERO, cross, dot, increase, plus, plus_cross, product, put, six, times, triple  # fmt: skip

# Columns of the working memory, one row per body: placement in the parent, COMPOSITE, then
SWAY = 21  # N: sum m u
SWIRL = 24  # L, row a, column b: sum m r_a u_b
SPIN = 33  # angular velocity of the body
SPEED = 36  # of the joint, along or about its axis


@inline
def moving_bodies(M, q, v, W):
    """Placements, angular velocities and own sums of every body, into rows 1 to n."""
    w = ZERO
    put(W, 0, SPIN, ZERO)
    n = q.shape[0]
    T = carray(stack(64 * 3), (3, 64)) if n < 64 else np.empty((3, room(n)))
    turns(M, q, T)
    for i in range(1, n + 1):
        p = int(M[i, PARENT])
        if p != i - 1:
            w = triple(W, p, SPIN)
        speed = v[i - 1] * M[i, SCALE]
        A = moved(block(M, i, PLACEMENT), M[i, SLIDES], T, i - 1)
        store(W, i, A)
        S = nine(M, i, FIRST_MOMENT)
        put_nine(W, i, COMPOSITE, S)
        w = rotate_back(A, w)
        if M[i, SLIDES] == 0.0:
            w = (w[0], w[1], w[2] + speed)
        put(W, i, SPIN, w)
        W[i, SPEED] = speed
        hx, hy, hz, xx, yy, zz, xy, xz, yz = S
        put(W, i, SWAY, cross(w, (hx, hy, hz)))
        put(W, i, SWIRL, cross(w, (xx, xy, xz)))
        put(W, i, SWIRL + 3, cross(w, (xy, yy, yz)))
        put(W, i, SWIRL + 6, cross(w, (xz, yz, zz)))


@inline
def gather_motion(M, i, p, W):
    """Add N and L of body i to those of its parent; before ``gather`` changes nothing of i."""
    A = block(W, i, 0)
    R0, R1, R2, x, R3, R4, R5, y, R6, R7, R8, z = A
    d = cross(triple(W, p, SPIN), origin(A))  # of i's origin relative to p's, in the axes of p
    if M[i, SLIDES] != 0.0:
        d = plus(d, times(axis(A), W[i, SPEED]))
    dx, dy, dz = d
    m = M[i, SUBTREE_MASS]
    hx, hy, hz = plus(rotate(A, triple(W, i, COMPOSITE)), times(origin(A), m))
    sway = rotate(A, triple(W, i, SWAY))
    nx, ny, nz = sway
    increase(W, p, SWAY, plus(sway, times(d, m)))
    a0, a1, a2, a3, a4, a5, a6, a7, a8 = product(axes(A), nine(W, i, SWIRL))
    W[p, SWIRL] += a0 * R0 + a1 * R1 + a2 * R2 + hx * dx + x * nx
    W[p, SWIRL + 1] += a0 * R3 + a1 * R4 + a2 * R5 + hx * dy + x * ny
    W[p, SWIRL + 2] += a0 * R6 + a1 * R7 + a2 * R8 + hx * dz + x * nz
    W[p, SWIRL + 3] += a3 * R0 + a4 * R1 + a5 * R2 + hy * dx + y * nx
    W[p, SWIRL + 4] += a3 * R3 + a4 * R4 + a5 * R5 + hy * dy + y * ny
    W[p, SWIRL + 5] += a3 * R6 + a4 * R7 + a5 * R8 + hy * dz + y * nz
    W[p, SWIRL + 6] += a6 * R0 + a7 * R1 + a8 * R2 + hz * dx + z * nx
    W[p, SWIRL + 7] += a6 * R3 + a7 * R4 + a8 * R5 + hz * dy + z * ny
    W[p, SWIRL + 8] += a6 * R6 + a7 * R7 + a8 * R8 + hz * dz + z * nz


@inline
def coriolis_of(M, q, v, out):
    """Coriolis matrix, into out (n, n)."""
    n = q.shape[0]
    W = carray(stack(64 * 37), (64, 37)) if n < 64 else np.empty((n + 1, 37))
    moving_bodies(M, q, v, W)
    for i in range(n, 0, -1):
        p = int(M[i, PARENT])
        if p > 0:
            gather_motion(M, i, p, W)
            gather(M, i, p, W)
    for i in range(1, n + 1):
        for c in range(i - 1):
            out[i - 1, c] = 0.0
            out[c, i - 1] = 0.0
        s = M[i, SCALE]
        cx = W[i, SPIN + 1]  # w x z of this joint, but for its z component, which is 0
        cy = -W[i, SPIN]
        hx, hy, hz = triple(W, i, COMPOSITE)
        nx, ny, _ = triple(W, i, SWAY)
        # force, torque: what this joint's velocity term asks for; g, k, y: what its motion picks out.
        if M[i, SLIDES] != 0.0:
            m = M[i, SUBTREE_MASS]
            force = (m * cx, m * cy, 0.0)
            torque = (-hz * cy, hz * cx, hx * cy - hy * cx)
            g = (0.0, 0.0, m)
            k = (hy, -hx, 0.0)
            y = (ny, -nx, 0.0)
        else:
            xx, yy, zz, xy, xz, yz = six(W, i, COMPOSITE + 3)
            trace = xx + yy + zz
            swirl = W[i, SWIRL] + W[i, SWIRL + 4]
            force = (cy * hz - ny, nx - cx * hz, cx * hy - cy * hx)
            torque = (
                (trace - xx) * cx - xy * cy - W[i, SWIRL + 6],
                (trace - yy) * cy - xy * cx - W[i, SWIRL + 7],
                -xz * cx - yz * cy + swirl,
            )
            g = (-hy, hx, 0.0)
            k = (-xz, -yz, xx + yy)
            y = (-W[i, SWIRL + 2], -W[i, SWIRL + 5], swirl)
        force = times(force, s)
        torque = times(torque, s)
        g = times(g, s)
        k = times(k, s)
        y = times(y, s)
        out[i - 1, i - 1] = (force[2] if M[i, SLIDES] != 0.0 else torque[2]) * s
        j = i
        p = int(M[i, PARENT])
        while p > 0:
            A = block(W, j, 0)
            w = triple(W, p, SPIN)
            d = cross(w, origin(A))
            if M[j, SLIDES] != 0.0:
                d = plus(d, times(axis(A), W[j, SPEED]))
            force, torque = to_parent(A, force, torque)
            g, k = to_parent(A, g, k)
            y = plus_cross(rotate(A, y), d, g)
            wx, wy, _ = w
            a = M[p, SCALE]
            if M[p, SLIDES] != 0.0:
                out[p - 1, i - 1] = force[2] * a
                out[i - 1, p - 1] = (wy * g[0] - wx * g[1]) * a
            else:
                out[p - 1, i - 1] = torque[2] * a
                out[i - 1, p - 1] = (wy * k[0] - wx * k[1] + y[2]) * a
            j = p
            p = int(M[p, PARENT])


@entry(IN2, IN1, IN1, OUT2)
def coriolis(M, q, v, out):
    """Coriolis matrix, (n, n)."""
    if out.shape != (q.shape[0], q.shape[0]) or not fits_velocity(M, q, v):
        raise ValueError(MISFIT)
    coriolis_of(M, q, v, out)


@entry(IN2, IN2, IN2, OUT3, nogil=True)
def coriolis_batch(M, Q, V, out):
    """Coriolis matrix of every row, (b, n, n)."""
    n = Q.shape[1]
    if V.shape != Q.shape or out.shape != (Q.shape[0], n, n) or not fits_rows(M, Q):
        raise ValueError(MISFIT)
    for b in range(Q.shape[0]):
        if not both_finite(Q[b], V[b]):
            raise ValueError("not finite")
        coriolis_of(M, Q[b], V[b], out[b])


@inline
def energies_of(M, q, v, out):
    """Kinetic and potential energy, into out (2,)."""
    n = q.shape[0]
    # Columns: 0-11 world pose, 12-14 velocity of the origin and 15-17 angular velocity, body axes.
    W = carray(stack(64 * 18), (64, 18)) if n < 64 else np.empty((n + 1, 18))
    T = carray(stack(64 * 3), (3, 64)) if n < 64 else np.empty((3, room(n)))
    turns(M, q, T)
    P = block(M, 0, PLACEMENT)
    store(W, 0, P)
    put(W, 0, 12, ZERO)
    put(W, 0, 15, ZERO)
    kinetic = 0.0
    h = triple(M, 0, FIRST_MOMENT)
    weight = plus(ZERO, plus(rotate(P, h), times(origin(P), M[0, MASS])))
    for i in range(1, n + 1):
        p = int(M[i, PARENT])
        speed = v[i - 1] * M[i, SCALE]
        A = moved(block(M, i, PLACEMENT), M[i, SLIDES], T, i - 1)
        w = triple(W, p, 15)
        u = rotate_back(A, plus_cross(triple(W, p, 12), w, origin(A)))
        w = rotate_back(A, w)
        if M[i, SLIDES] != 0.0:
            u = (u[0], u[1], u[2] + speed)
        else:
            w = (w[0], w[1], w[2] + speed)
        put(W, i, 12, u)
        put(W, i, 15, w)
        m = M[i, MASS]
        h = triple(M, i, FIRST_MOMENT)
        xx, yy, zz, xy, xz, yz = six(M, i, SECOND_MOMENTS)
        wx, wy, wz = w
        turning = (yy + zz) * wx * wx + (xx + zz) * wy * wy + (xx + yy) * wz * wz
        turning -= 2.0 * (xy * wx * wy + xz * wx * wz + yz * wy * wz)
        kinetic += m * dot(u, u) + 2.0 * dot(u, cross(w, h)) + turning
        kinetic += M[i, ROTOR] * v[i - 1] * v[i - 1]
        # World pose: needed for the potential energy alone.
        P = mul(block(W, p, 0), A)
        store(W, i, P)
        weight = plus(weight, plus(rotate(P, h), times(origin(P), m)))
    out[0] = 0.5 * kinetic
    out[1] = -dot(triple(M, 0, GRAVITY), weight)


@entry(IN2, IN1, IN1, OUT1)
def energies(M, q, v, out):
    """Kinetic and potential energy, (2,); the potential is 0 at the world's origin."""
    if out.shape[0] != 2 or not fits_velocity(M, q, v):
        raise ValueError(MISFIT)
    energies_of(M, q, v, out)


@entry(IN2, IN2, IN2, OUT2, nogil=True)
def energies_batch(M, Q, V, out):
    """Kinetic and potential energy of every row, (b, 2)."""
    if V.shape != Q.shape or out.shape != (Q.shape[0], 2) or not fits_rows(M, Q):
        raise ValueError(MISFIT)
    for b in range(Q.shape[0]):
        if not both_finite(Q[b], V[b]):
            raise ValueError("not finite")
        energies_of(M, Q[b], V[b], out[b])
