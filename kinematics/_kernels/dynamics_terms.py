"""The matrices and vectors of a fixed base, all in one call: what a ``RobotState`` is asked for most.

World axes; the inertia of a body and all that hangs on it is kept about the body's own origin, so
that nothing is lost far from the base. Without gravity, Newton-Euler as in ``dynamics_inverse.py``;
holding efforts follow from the momentum per unit of joint velocity, whose linear part is mass times
the Jacobian of the center of mass. Pass outward: places, motion, wrench and inertia of each body.
Pass inward: sums, and from those of body i the momentum that joint i alone causes; its product with
the motion of the joints before it is row i of the mass matrix.

Rows of the result, each n numbers, one for each joint, so that every quantity is contiguous:

     0      Q         joint positions, copied
     1      V         joint velocities, copied
     2      BIAS      bias efforts of the bodies: velocity terms and gravity
     3      HOLD      holding efforts: gravity alone
     4-9    MOMENTUM  momentum about the center of mass per unit of joint velocity
    10-12   COM       velocity of the center of mass per unit of joint velocity
    13-18   MOTION    twist of all that the joint moves, per unit of its velocity: linear (of the
                      point at the world's origin), angular
    19-34   POSES     (n, 4, 4), one after the other: every body in the world
    35-     MASSES    mass matrix, n rows
    35+n-   REST      each in as many rows as it needs, zeros after it: center of mass 3, its
                      velocity 3; momentum about the center of mass 6; kinetic and potential
                      energy and mass 3

Layout of ``M`` as in ``dynamics_inverse.py``. The robot must have mass.
"""

import numpy as np

from .declare import IN1, IN2, OUT2, entry, helper, inline
from .dynamics_inverse import rate_matrix
from .inertia import nine, turned
from .rigid import block, finite, moved, mul, store, write_matrix
from .scratch import carray, part, stack
from .sines import room, turns

PARENT = 0
SLIDES = 1
ROTOR = 2
MSUB = 3
X = 4
MASS = 16
H = 17
GRAVITY = 29
SCALE = 30

Q = 0
V = 1
BIAS = 2
HOLD = 3
MOMENTUM = 4
COM = 10
MOTION = 13
POSES = 19
MASSES = 35

# Columns of the working memory: place relative to the base's origin 0-11, then
OMEGA = 12
ALPHA = 15
ACC = 18
SUM = 21
FORCE = 30
TORQUE = 33
TWIST = 36
WIDE = 42


@inline
def height(n):
    """How many rows the result has for n joints, at least one."""
    return MASSES + n + 3 * ((n + 2) // n) + (n + 5) // n


@helper
def away(M, q, v, W, out):
    """Outward: place, motion, wrench and inertia of every body, and the motion of every joint."""
    n = q.shape[0]
    T = carray(stack(64 * 3), (3, 64)) if n < 64 else np.empty((3, room(n)))
    turns(M, q, T)
    A = block(M, 0, X)
    ox = A[3]; oy = A[7]; oz = A[11]  # fmt: skip
    A = (A[0], A[1], A[2], 0.0, A[4], A[5], A[6], 0.0, A[8], A[9], A[10], 0.0)
    store(W, 0, A)
    Ts = carray(part(out, POSES * n), (n, 4, 4))
    for k in range(12, WIDE):
        W[0, k] = 0.0
    hx = M[0, H]; hy = M[0, H + 1]; hz = M[0, H + 2]  # fmt: skip
    W[0, SUM] = A[0] * hx + A[1] * hy + A[2] * hz
    W[0, SUM + 1] = A[4] * hx + A[5] * hy + A[6] * hz
    W[0, SUM + 2] = A[8] * hx + A[9] * hy + A[10] * hz
    wx = 0.0; wy = 0.0; wz = 0.0; ex = 0.0; ey = 0.0; ez = 0.0; ax = 0.0; ay = 0.0; az = 0.0  # fmt: skip
    for i in range(1, n + 1):
        p = int(M[i, PARENT])
        if p != i - 1:
            A = block(W, p, 0)
            wx = W[p, OMEGA]; wy = W[p, OMEGA + 1]; wz = W[p, OMEGA + 2]  # fmt: skip
            ex = W[p, ALPHA]; ey = W[p, ALPHA + 1]; ez = W[p, ALPHA + 2]  # fmt: skip
            ax = W[p, ACC]; ay = W[p, ACC + 1]; az = W[p, ACC + 2]  # fmt: skip
        s = M[i, SCALE]
        qd = v[i - 1] * s
        slides = M[i, SLIDES]
        x = A[3]; y = A[7]; z = A[11]  # fmt: skip
        A = mul(A, moved(block(M, i, X), slides, T, i - 1))
        x = A[3] - x
        y = A[7] - y
        z = A[11] - z
        # Acceleration of the origin as a point of the parent: e x r + w x (w x r).
        ux = wy * z - wz * y
        uy = wz * x - wx * z
        uz = wx * y - wy * x
        ax += ey * z - ez * y + wy * uz - wz * uy
        ay += ez * x - ex * z + wz * ux - wx * uz
        az += ex * y - ey * x + wx * uy - wy * ux
        zx = A[2]; zy = A[6]; zz = A[10]  # fmt: skip
        ux = (wy * zz - wz * zy) * qd
        uy = (wz * zx - wx * zz) * qd
        uz = (wx * zy - wy * zx) * qd
        if slides != 0.0:
            ax += 2.0 * ux
            ay += 2.0 * uy
            az += 2.0 * uz
            zx *= s
            zy *= s
            zz *= s
            twist = (zx, zy, zz, 0.0, 0.0, 0.0)
        else:
            ex += ux
            ey += uy
            ez += uz
            wx += zx * qd
            wy += zy * qd
            wz += zz * qd
            zx *= s
            zy *= s
            zz *= s
            x = A[3]; y = A[7]; z = A[11]  # fmt: skip
            twist = (y * zz - z * zy, z * zx - x * zz, x * zy - y * zx, zx, zy, zz)
        for k in range(6):
            W[i, TWIST + k] = twist[k]
        out[MOTION, i - 1] = twist[0] + (oy * twist[5] - oz * twist[4])
        out[MOTION + 1, i - 1] = twist[1] + (oz * twist[3] - ox * twist[5])
        out[MOTION + 2, i - 1] = twist[2] + (ox * twist[4] - oy * twist[3])
        out[MOTION + 3, i - 1] = twist[3]
        out[MOTION + 4, i - 1] = twist[4]
        out[MOTION + 5, i - 1] = twist[5]
        store(W, i, A)
        Ts[i - 1, 0, 0] = A[0]
        Ts[i - 1, 0, 1] = A[1]
        Ts[i - 1, 0, 2] = A[2]
        Ts[i - 1, 0, 3] = A[3] + ox
        Ts[i - 1, 1, 0] = A[4]
        Ts[i - 1, 1, 1] = A[5]
        Ts[i - 1, 1, 2] = A[6]
        Ts[i - 1, 1, 3] = A[7] + oy
        Ts[i - 1, 2, 0] = A[8]
        Ts[i - 1, 2, 1] = A[9]
        Ts[i - 1, 2, 2] = A[10]
        Ts[i - 1, 2, 3] = A[11] + oz
        Ts[i - 1, 3, 0] = 0.0
        Ts[i - 1, 3, 1] = 0.0
        Ts[i - 1, 3, 2] = 0.0
        Ts[i - 1, 3, 3] = 1.0
        W[i, OMEGA] = wx
        W[i, OMEGA + 1] = wy
        W[i, OMEGA + 2] = wz
        W[i, ALPHA] = ex
        W[i, ALPHA + 1] = ey
        W[i, ALPHA + 2] = ez
        W[i, ACC] = ax
        W[i, ACC + 1] = ay
        W[i, ACC + 2] = az
        S = turned(A, nine(M, i, H))
        hx, hy, hz, xx, yy, zz, xy, xz, yz = S
        b0, b1, b2, b3, b4, b5, b6, b7, b8 = rate_matrix(wx, wy, wz, ex, ey, ez)
        m = M[i, MASS]
        for k in range(9):
            W[i, SUM + k] = S[k]
        W[i, FORCE] = m * ax + b0 * hx + b1 * hy + b2 * hz
        W[i, FORCE + 1] = m * ay + b3 * hx + b4 * hy + b5 * hz
        W[i, FORCE + 2] = m * az + b6 * hx + b7 * hy + b8 * hz
        W[i, TORQUE] = (
            hy * az - hz * ay + (b6 * xy + b7 * yy + b8 * yz) - (b3 * xz + b4 * yz + b5 * zz)
        )
        W[i, TORQUE + 1] = (
            hz * ax - hx * az + (b0 * xz + b1 * yz + b2 * zz) - (b6 * xx + b7 * xy + b8 * xz)
        )
        W[i, TORQUE + 2] = (
            hx * ay - hy * ax + (b3 * xx + b4 * xy + b5 * xz) - (b0 * xy + b1 * yy + b2 * yz)
        )


@helper
def back(M, v, W, out):
    """Inward: sums, velocity terms, momenta about the base's origin and the mass matrix.

    Returns the kinetic energy.
    """
    n = v.shape[0]
    energy = 0.0
    for i in range(n, 0, -1):
        hx = W[i, SUM]; hy = W[i, SUM + 1]; hz = W[i, SUM + 2]  # fmt: skip
        xx = W[i, SUM + 3]; yy = W[i, SUM + 4]; zz = W[i, SUM + 5]  # fmt: skip
        xy = W[i, SUM + 6]; xz = W[i, SUM + 7]; yz = W[i, SUM + 8]  # fmt: skip
        fx = W[i, FORCE]; fy = W[i, FORCE + 1]; fz = W[i, FORCE + 2]  # fmt: skip
        tx = W[i, TORQUE]; ty = W[i, TORQUE + 1]; tz = W[i, TORQUE + 2]  # fmt: skip
        m = M[i, MSUB]
        s = M[i, SCALE]
        p = int(M[i, PARENT])
        x = W[i, 3] - W[p, 3]
        y = W[i, 7] - W[p, 7]
        z = W[i, 11] - W[p, 11]
        gx = hx + m * x
        gy = hy + m * y
        gz = hz + m * z
        W[p, SUM] += gx
        W[p, SUM + 1] += gy
        W[p, SUM + 2] += gz
        W[p, SUM + 3] += xx + (hx + gx) * x
        W[p, SUM + 4] += yy + (hy + gy) * y
        W[p, SUM + 5] += zz + (hz + gz) * z
        W[p, SUM + 6] += xy + gx * y + x * hy
        W[p, SUM + 7] += xz + gx * z + x * hz
        W[p, SUM + 8] += yz + gy * z + y * hz
        W[p, FORCE] += fx
        W[p, FORCE + 1] += fy
        W[p, FORCE + 2] += fz
        W[p, TORQUE] += tx + y * fz - z * fy
        W[p, TORQUE + 1] += ty + z * fx - x * fz
        W[p, TORQUE + 2] += tz + x * fy - y * fx
        # Momentum when joint i alone moves: about the body's origin, then the base's.
        zx = W[i, 2] * s; zy = W[i, 6] * s; zz_ = W[i, 10] * s  # fmt: skip
        if M[i, SLIDES] != 0.0:
            out[BIAS, i - 1] = zx * fx + zy * fy + zz_ * fz
            fx = m * zx
            fy = m * zy
            fz = m * zz_
            tx = hy * zz_ - hz * zy
            ty = hz * zx - hx * zz_
            tz = hx * zy - hy * zx
            own = zx * fx + zy * fy + zz_ * fz
        else:
            out[BIAS, i - 1] = zx * tx + zy * ty + zz_ * tz
            fx = zy * hz - zz_ * hy
            fy = zz_ * hx - zx * hz
            fz = zx * hy - zy * hx
            tx = (yy + zz) * zx - xy * zy - xz * zz_
            ty = (xx + zz) * zy - xy * zx - yz * zz_
            tz = (xx + yy) * zz_ - xz * zx - yz * zy
            own = zx * tx + zy * ty + zz_ * tz
        x = W[i, 3]; y = W[i, 7]; z = W[i, 11]  # fmt: skip
        tx += y * fz - z * fy
        ty += z * fx - x * fz
        tz += x * fy - y * fx
        out[MOMENTUM, i - 1] = fx
        out[MOMENTUM + 1, i - 1] = fy
        out[MOMENTUM + 2, i - 1] = fz
        out[MOMENTUM + 3, i - 1] = tx
        out[MOMENTUM + 4, i - 1] = ty
        out[MOMENTUM + 5, i - 1] = tz
        own += M[i, ROTOR]
        out[MASSES + i - 1, i - 1] = own
        qd = v[i - 1]
        energy += 0.5 * own * qd * qd
        for j in range(i - 1, 0, -1):
            own = 0.0
            if j == p:
                own = W[j, TWIST] * fx + W[j, TWIST + 1] * fy + W[j, TWIST + 2] * fz
                own += W[j, TWIST + 3] * tx + W[j, TWIST + 4] * ty + W[j, TWIST + 5] * tz
                energy += own * qd * v[j - 1]
                p = int(M[j, PARENT])
            out[MASSES + i - 1, j - 1] = own
            out[MASSES + j - 1, i - 1] = own
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


@helper
def finish(M, q, v, energy, W, out):
    """Everything about the center of mass, and what gravity adds."""
    n = q.shape[0]
    m = M[0, MSUB]
    cx = W[0, SUM] / m
    cy = W[0, SUM + 1] / m
    cz = W[0, SUM + 2] / m
    ux = m * M[0, GRAVITY]; uy = m * M[0, GRAVITY + 1]; uz = m * M[0, GRAVITY + 2]  # fmt: skip
    px = 0.0; py = 0.0; pz = 0.0; lx = 0.0; ly = 0.0; lz = 0.0  # fmt: skip
    for i in range(n):
        fx = out[MOMENTUM, i]
        fy = out[MOMENTUM + 1, i]
        fz = out[MOMENTUM + 2, i]
        tx = out[MOMENTUM + 3, i] - (cy * fz - cz * fy)
        ty = out[MOMENTUM + 4, i] - (cz * fx - cx * fz)
        tz = out[MOMENTUM + 5, i] - (cx * fy - cy * fx)
        out[MOMENTUM + 3, i] = tx
        out[MOMENTUM + 4, i] = ty
        out[MOMENTUM + 5, i] = tz
        jx = fx / m
        jy = fy / m
        jz = fz / m
        out[COM, i] = jx
        out[COM + 1, i] = jy
        out[COM + 2, i] = jz
        hold = -(ux * jx + uy * jy + uz * jz)
        out[HOLD, i] = hold
        out[BIAS, i] += hold
        out[Q, i] = q[i]
        qd = v[i]
        out[V, i] = qd
        px += fx * qd
        py += fy * qd
        pz += fz * qd
        lx += tx * qd
        ly += ty * qd
        lz += tz * qd
    cx += M[0, 7]
    cy += M[0, 11]
    cz += M[0, 15]
    r = MASSES + n
    r = write((cx, cy, cz), out, r)
    r = write((px / m, py / m, pz / m), out, r)
    r = write((px, py, pz, lx, ly, lz), out, r)
    write((energy, -(ux * cx + uy * cy + uz * cz), m), out, r)


@entry(IN2, IN1, IN1, OUT2)
def terms(M, q, v, out):
    """All of the above, (35 + n + 3 ceil(3 / n) + ceil(6 / n), n)."""
    n = q.shape[0]
    if n == 0 or M.shape[0] != n + 1 or v.shape[0] != n:
        raise ValueError("shape")
    if out.shape != (height(n), n):
        raise ValueError("shape")
    if not M[0, MSUB] > 0.0:
        raise ValueError("no mass")
    if not finite(q) or not finite(v):
        raise ValueError("not finite")
    W = carray(stack(64 * 42), (64, 42)) if n < 64 else np.empty((n + 1, 42))
    away(M, q, v, W, out)
    energy = back(M, v, W, out)
    finish(M, q, v, energy, W, out)


@inline
def frame_place(M, terms, f):
    """Placement of a frame in the world; ``f`` is its row of a table of frames, (13,)."""
    body = int(f[0])
    P = (f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10], f[11], f[12])
    if body == 0:
        return mul(block(M, 0, X), P)
    n = terms.shape[1]
    Ts = carray(part(terms, POSES * n), (16 * n, 1))
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
    if n == 0 or M.shape[0] != n + 1 or terms.shape[0] != height(n) or f.shape[0] != 13:
        return False
    return (f[0] >= 0) & (f[0] <= n)


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
    Ts = carray(part(terms, POSES * n), (n, 4, 4))
    for r in range(6):
        for c in range(n):
            J[r, c] = 0.0
    i = int(f[0])
    while i > 0:
        c = i - 1
        s = M[i, SCALE]
        zx = Ts[c, 0, 2] * s
        zy = Ts[c, 1, 2] * s
        zz = Ts[c, 2, 2] * s
        if M[i, SLIDES] != 0.0:
            J[0, c] = zx
            J[1, c] = zy
            J[2, c] = zz
        else:
            x = P[3] - Ts[c, 0, 3]
            y = P[7] - Ts[c, 1, 3]
            z = P[11] - Ts[c, 2, 3]
            J[0, c] = zy * z - zz * y
            J[1, c] = zz * x - zx * z
            J[2, c] = zx * y - zy * x
            J[3, c] = zx
            J[4, c] = zy
            J[5, c] = zz
        i = int(M[i, PARENT])
