"""The Coriolis matrix, and the energies.

With p the places of the mass points, M = sum m J_p^T J_p; the matrix here is

    C = sum m J_p^T (dJ_p/dt)

so that C v are the velocity terms of inverse dynamics and dM/dt = C + C^T. As the second
derivatives of p are symmetric, C is the matrix of Christoffel symbols, without any derivative of M.
Column k of dJ_p/dt is, for a turning joint with axis z in body k, (w x z) x r + z x u, with w the
angular velocity of body k, r and u place and velocity of the point relative to the body's origin;
w x z for a sliding joint. So four sums over all that hangs on a joint suffice: h = sum m r,
J = sum m r r^T, N = sum m u, L = sum m r u^T (compare Echeandia and Wensing 2021).

Layout of ``M`` as in ``dynamics_inverse.py``.
"""

import numpy as np

from .declare import IN1, IN2, OUT1, OUT2, OUT3, entry, inline
from .dynamics_mass import gather, to_parent
from .rigid import block, moved
from .scratch import carray, stack
from .sines import room, turns

PARENT = 0
SLIDES = 1
ROTOR = 2
MSUB = 3
X = 4
MASS = 16
H = 17
J = 20
GRAVITY = 29
SCALE = 30

# Columns of the working memory, one row per body: A 0-11, composite h 12-14 and J 15-20, then
N = 21
L = 24  # row a, column b: sum m r_a u_b
OMEGA = 33
SPEED = 36
WIDE = 37


@inline
def both_finite(q, v):
    """Whether every number of two vectors is finite, and so small that products are, too."""
    good = 0
    for i in range(q.shape[0]):
        if (abs(q[i]) <= 1e50) & (abs(v[i]) <= 1e50):
            good += 1
    return good == q.shape[0]


@inline
def moving_bodies(M, q, v, W):
    """Placements, angular velocities and own sums of every body, into rows 1 to n."""
    wx = 0.0; wy = 0.0; wz = 0.0  # fmt: skip
    for k in range(3):
        W[0, OMEGA + k] = 0.0
    n = q.shape[0]
    T = carray(stack(64 * 3), (3, 64)) if n < 64 else np.empty((3, room(n)))
    turns(M, q, T)
    for i in range(1, n + 1):
        p = int(M[i, PARENT])
        if p != i - 1:
            wx = W[p, OMEGA]; wy = W[p, OMEGA + 1]; wz = W[p, OMEGA + 2]  # fmt: skip
        s = M[i, SCALE]
        A = moved(block(M, i, X), M[i, SLIDES], T, i - 1)
        for k in range(12):
            W[i, k] = A[k]
        for k in range(9):
            W[i, 12 + k] = M[i, H + k]
        x = wx; y = wy; z = wz  # fmt: skip
        wx = A[0] * x + A[4] * y + A[8] * z
        wy = A[1] * x + A[5] * y + A[9] * z
        wz = A[2] * x + A[6] * y + A[10] * z
        if M[i, SLIDES] == 0.0:
            wz += v[i - 1] * s
        W[i, OMEGA] = wx
        W[i, OMEGA + 1] = wy
        W[i, OMEGA + 2] = wz
        W[i, SPEED] = v[i - 1] * s
        hx = M[i, H]
        hy = M[i, H + 1]
        hz = M[i, H + 2]
        xx = M[i, J]
        yy = M[i, J + 1]
        zz = M[i, J + 2]
        xy = M[i, J + 3]
        xz = M[i, J + 4]
        yz = M[i, J + 5]
        W[i, N] = wy * hz - wz * hy
        W[i, N + 1] = wz * hx - wx * hz
        W[i, N + 2] = wx * hy - wy * hx
        W[i, L] = wy * xz - wz * xy
        W[i, L + 1] = wz * xx - wx * xz
        W[i, L + 2] = wx * xy - wy * xx
        W[i, L + 3] = wy * yz - wz * yy
        W[i, L + 4] = wz * xy - wx * yz
        W[i, L + 5] = wx * yy - wy * xy
        W[i, L + 6] = wy * zz - wz * yz
        W[i, L + 7] = wz * xz - wx * zz
        W[i, L + 8] = wx * yz - wy * xz  # fmt: skip


@inline
def gather_motion(M, i, p, W):
    """Add N and L of body i to those of its parent; before ``gather`` changes nothing of i."""
    R0, R1, R2, x, R3, R4, R5, y, R6, R7, R8, z = block(W, i, 0)
    wx = W[p, OMEGA]; wy = W[p, OMEGA + 1]; wz = W[p, OMEGA + 2]  # fmt: skip
    # Velocity of the body's origin relative to the parent's, in parent axes.
    dx = wy * z - wz * y
    dy = wz * x - wx * z
    dz = wx * y - wy * x
    if M[i, SLIDES] != 0.0:
        dx += R2 * W[i, SPEED]
        dy += R5 * W[i, SPEED]
        dz += R8 * W[i, SPEED]
    m = M[i, MSUB]
    ux = W[i, 12]; uy = W[i, 13]; uz = W[i, 14]  # fmt: skip
    hx = R0 * ux + R1 * uy + R2 * uz + m * x
    hy = R3 * ux + R4 * uy + R5 * uz + m * y
    hz = R6 * ux + R7 * uy + R8 * uz + m * z
    ux = W[i, N]; uy = W[i, N + 1]; uz = W[i, N + 2]  # fmt: skip
    nx = R0 * ux + R1 * uy + R2 * uz
    ny = R3 * ux + R4 * uy + R5 * uz
    nz = R6 * ux + R7 * uy + R8 * uz
    W[p, N] += nx + m * dx
    W[p, N + 1] += ny + m * dy
    W[p, N + 2] += nz + m * dz
    l0 = W[i, L]
    l1 = W[i, L + 1]
    l2 = W[i, L + 2]
    l3 = W[i, L + 3]
    l4 = W[i, L + 4]
    l5 = W[i, L + 5]; l6 = W[i, L + 6]; l7 = W[i, L + 7]; l8 = W[i, L + 8]  # fmt: skip
    a0 = R0 * l0 + R1 * l3 + R2 * l6
    a1 = R0 * l1 + R1 * l4 + R2 * l7
    a2 = R0 * l2 + R1 * l5 + R2 * l8
    a3 = R3 * l0 + R4 * l3 + R5 * l6
    a4 = R3 * l1 + R4 * l4 + R5 * l7
    a5 = R3 * l2 + R4 * l5 + R5 * l8
    a6 = R6 * l0 + R7 * l3 + R8 * l6
    a7 = R6 * l1 + R7 * l4 + R8 * l7
    a8 = R6 * l2 + R7 * l5 + R8 * l8
    W[p, L] += a0 * R0 + a1 * R1 + a2 * R2 + hx * dx + x * nx
    W[p, L + 1] += a0 * R3 + a1 * R4 + a2 * R5 + hx * dy + x * ny
    W[p, L + 2] += a0 * R6 + a1 * R7 + a2 * R8 + hx * dz + x * nz
    W[p, L + 3] += a3 * R0 + a4 * R1 + a5 * R2 + hy * dx + y * nx
    W[p, L + 4] += a3 * R3 + a4 * R4 + a5 * R5 + hy * dy + y * ny
    W[p, L + 5] += a3 * R6 + a4 * R7 + a5 * R8 + hy * dz + y * nz
    W[p, L + 6] += a6 * R0 + a7 * R1 + a8 * R2 + hz * dx + z * nx
    W[p, L + 7] += a6 * R3 + a7 * R4 + a8 * R5 + hz * dy + z * ny
    W[p, L + 8] += a6 * R6 + a7 * R7 + a8 * R8 + hz * dz + z * nz


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
        cx = W[i, OMEGA + 1]  # w x z of this joint, but for its z component, which is 0
        cy = -W[i, OMEGA]
        hx = W[i, 12]; hy = W[i, 13]; hz = W[i, 14]  # fmt: skip
        if M[i, SLIDES] != 0.0:
            m = M[i, MSUB]
            # f, t: what this joint's velocity term asks for; g, k, y: what its motion picks out.
            fx = m * cx
            fy = m * cy
            fz = 0.0
            tx = -hz * cy
            ty = hz * cx
            tz = hx * cy - hy * cx
            gx = 0.0
            gy = 0.0
            gz = m
            kx = hy
            ky = -hx
            kz = 0.0
            yx = W[i, N + 1]; yy = -W[i, N]; yz = 0.0  # fmt: skip
        else:
            trace = W[i, 15] + W[i, 16] + W[i, 17]
            swirl = W[i, L] + W[i, L + 4]
            fx = cy * hz - W[i, N + 1]
            fy = W[i, N] - cx * hz
            fz = cx * hy - cy * hx
            tx = (trace - W[i, 15]) * cx - W[i, 18] * cy - W[i, L + 6]
            ty = (trace - W[i, 16]) * cy - W[i, 18] * cx - W[i, L + 7]
            tz = -W[i, 19] * cx - W[i, 20] * cy + swirl
            gx = -hy
            gy = hx
            gz = 0.0
            kx = -W[i, 19]
            ky = -W[i, 20]
            kz = W[i, 15] + W[i, 16]
            yx = -W[i, L + 2]; yy = -W[i, L + 5]; yz = swirl  # fmt: skip
        fx *= s
        fy *= s
        fz *= s
        tx *= s
        ty *= s
        tz *= s
        gx *= s
        gy *= s
        gz *= s
        kx *= s
        ky *= s
        kz *= s
        yx *= s; yy *= s; yz *= s  # fmt: skip
        out[i - 1, i - 1] = (fz if M[i, SLIDES] != 0.0 else tz) * s
        j = i
        p = int(M[i, PARENT])
        while p > 0:
            # Velocity of body j's origin relative to the parent's, in parent axes.
            R0, R1, R2, x, R3, R4, R5, y, R6, R7, R8, z = block(W, j, 0)
            wx = W[p, OMEGA]; wy = W[p, OMEGA + 1]; wz = W[p, OMEGA + 2]  # fmt: skip
            dx = wy * z - wz * y
            dy = wz * x - wx * z
            dz = wx * y - wy * x
            if M[j, SLIDES] != 0.0:
                dx += R2 * W[j, SPEED]
                dy += R5 * W[j, SPEED]
                dz += R8 * W[j, SPEED]
            fx, fy, fz, tx, ty, tz = to_parent(W, j, fx, fy, fz, tx, ty, tz)
            gx, gy, gz, kx, ky, kz = to_parent(W, j, gx, gy, gz, kx, ky, kz)
            ux = R0 * yx + R1 * yy + R2 * yz + dy * gz - dz * gy
            uy = R3 * yx + R4 * yy + R5 * yz + dz * gx - dx * gz
            yz = R6 * yx + R7 * yy + R8 * yz + dx * gy - dy * gx
            yx = ux
            yy = uy
            a = M[p, SCALE]
            if M[p, SLIDES] != 0.0:
                out[p - 1, i - 1] = fz * a
                out[i - 1, p - 1] = (wy * gx - wx * gy) * a
            else:
                out[p - 1, i - 1] = tz * a
                out[i - 1, p - 1] = (wy * kx - wx * ky + yz) * a
            j = p
            p = int(M[p, PARENT])


@entry(IN2, IN1, IN1, OUT2)
def coriolis(M, q, v, out):
    """Coriolis matrix, (n, n)."""
    n = q.shape[0]
    if M.shape[0] != n + 1 or v.shape[0] != n or out.shape != (n, n):
        raise ValueError("shape")
    if not both_finite(q, v):
        raise ValueError("not finite")
    coriolis_of(M, q, v, out)


@entry(IN2, IN2, IN2, OUT3, nogil=True)
def coriolis_batch(M, Q, V, out):
    """Coriolis matrix of every row, (b, n, n)."""
    n = Q.shape[1]
    if M.shape[0] != n + 1 or V.shape != Q.shape or out.shape != (Q.shape[0], n, n):
        raise ValueError("shape")
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
    for k in range(12):
        W[0, k] = M[0, X + k]
    for k in range(6):
        W[0, 12 + k] = 0.0
    kinetic = 0.0
    weight_x = 0.0
    weight_y = 0.0
    weight_z = 0.0
    for i in range(n + 1):
        hx = M[i, H]; hy = M[i, H + 1]; hz = M[i, H + 2]  # fmt: skip
        m = M[i, MASS]
        if i > 0:
            p = int(M[i, PARENT])
            s = M[i, SCALE]
            slides = M[i, SLIDES]
            A = moved(block(M, i, X), slides, T, i - 1)
            R0, R1, R2, x, R3, R4, R5, y, R6, R7, R8, z = A
            ax = W[p, 15]; ay = W[p, 16]; az = W[p, 17]  # fmt: skip
            ux = W[p, 12] + ay * z - az * y
            uy = W[p, 13] + az * x - ax * z
            uz = W[p, 14] + ax * y - ay * x
            vx = R0 * ux + R3 * uy + R6 * uz
            vy = R1 * ux + R4 * uy + R7 * uz
            vz = R2 * ux + R5 * uy + R8 * uz
            wx = R0 * ax + R3 * ay + R6 * az
            wy = R1 * ax + R4 * ay + R7 * az
            wz = R2 * ax + R5 * ay + R8 * az
            if slides != 0.0:
                vz += v[i - 1] * s
            else:
                wz += v[i - 1] * s
            W[i, 12] = vx
            W[i, 13] = vy
            W[i, 14] = vz
            W[i, 15] = wx
            W[i, 16] = wy
            W[i, 17] = wz
            xx = M[i, J]
            yy = M[i, J + 1]
            zz = M[i, J + 2]
            xy = M[i, J + 3]; xz = M[i, J + 4]; yz = M[i, J + 5]  # fmt: skip
            turning = (yy + zz) * wx * wx + (xx + zz) * wy * wy + (xx + yy) * wz * wz
            turning -= 2.0 * (xy * wx * wy + xz * wx * wz + yz * wy * wz)
            mixed = vx * (wy * hz - wz * hy) + vy * (wz * hx - wx * hz) + vz * (wx * hy - wy * hx)
            kinetic += m * (vx * vx + vy * vy + vz * vz) + 2.0 * mixed + turning
            kinetic += M[i, ROTOR] * v[i - 1] * v[i - 1]
            # World pose: needed for the potential energy alone.
            P = block(W, p, 0)
            for k in range(0, 12, 4):
                a = P[k]; b = P[k + 1]; c = P[k + 2]  # fmt: skip
                W[i, k] = a * R0 + b * R3 + c * R6
                W[i, k + 1] = a * R1 + b * R4 + c * R7
                W[i, k + 2] = a * R2 + b * R5 + c * R8
                W[i, k + 3] = a * x + b * y + c * z + P[k + 3]
        weight_x += W[i, 0] * hx + W[i, 1] * hy + W[i, 2] * hz + m * W[i, 3]
        weight_y += W[i, 4] * hx + W[i, 5] * hy + W[i, 6] * hz + m * W[i, 7]
        weight_z += W[i, 8] * hx + W[i, 9] * hy + W[i, 10] * hz + m * W[i, 11]
    out[0] = 0.5 * kinetic
    out[1] = -(
        M[0, GRAVITY] * weight_x + M[0, GRAVITY + 1] * weight_y + M[0, GRAVITY + 2] * weight_z
    )


@entry(IN2, IN1, IN1, OUT1)
def energies(M, q, v, out):
    """Kinetic and potential energy, (2,); the potential is 0 at the world's origin."""
    n = q.shape[0]
    if M.shape[0] != n + 1 or v.shape[0] != n or out.shape[0] != 2:
        raise ValueError("shape")
    if not both_finite(q, v):
        raise ValueError("not finite")
    energies_of(M, q, v, out)


@entry(IN2, IN2, IN2, OUT2, nogil=True)
def energies_batch(M, Q, V, out):
    """Kinetic and potential energy of every row, (b, 2)."""
    if M.shape[0] != Q.shape[1] + 1 or V.shape != Q.shape or out.shape != (Q.shape[0], 2):
        raise ValueError("shape")
    for b in range(Q.shape[0]):
        if not both_finite(Q[b], V[b]):
            raise ValueError("not finite")
        energies_of(M, Q[b], V[b], out[b])
