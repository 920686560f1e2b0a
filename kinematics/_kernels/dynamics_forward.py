"""Accelerations that efforts cause: articulated bodies in world axes, each about its own origin.

Featherstone, Rigid Body Dynamics Algorithms, 2008, table 7.1. The first pass is inverse dynamics
without joint accelerations; its wrenches hold all velocity terms and gravity, and what remains is
linear: no bias accelerations occur. Positions are taken relative to the base, so that results do
not depend on where the base is.

Layout of ``M`` and meaning of a free base: as in ``dynamics_inverse.py``. Kernels return 0, or
the joint (from 1) that moves no inertia, or -1 when that is the free base.
"""

import numpy as np

from .declare import I8, IN1, IN2, OUT1, OUT2, entry, inline
from .dynamics_inverse import all_finite, rate_matrix
from .inertia import nine, turned
from .rigid import block, finite, moved, mul
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
SINGULAR = 1e-12  # a joint that moves less than this part of its bodies' inertia moves none,
NOWHERE = 1e-16  # as does one whose masses are within 1e-8 m of its axis [m^2]

# Columns of the working memory, one row per body: pose 0-11, then
OMEGA = 12
ALPHA = 15
ACC = 18
F = 21
T_ = 24
LL = 27  # force per linear acceleration: xx yy zz xy xz yz
LA = 33  # force per angular acceleration, 9 numbers
AA = 42  # torque per angular acceleration: xx yy zz xy xz yz
U = 48
D = 54
E = 55
WIDE = 56


@inline
def rigid_body(M, i, A, ax, ay, az, B, W):
    """Inertia of body i in world axes, and the wrench that its motion needs, into row i."""
    b0, b1, b2, b3, b4, b5, b6, b7, b8 = B
    m = M[i, MASS]
    hx, hy, hz, xx, yy, zz, xy, xz, yz = turned(A, nine(M, i, H))
    W[i, F] = m * ax + b0 * hx + b1 * hy + b2 * hz
    W[i, F + 1] = m * ay + b3 * hx + b4 * hy + b5 * hz
    W[i, F + 2] = m * az + b6 * hx + b7 * hy + b8 * hz
    W[i, T_] = hy * az - hz * ay + (b6 * xy + b7 * yy + b8 * yz) - (b3 * xz + b4 * yz + b5 * zz)
    W[i, T_ + 1] = hz * ax - hx * az + (b0 * xz + b1 * yz + b2 * zz) - (b6 * xx + b7 * xy + b8 * xz)
    W[i, T_ + 2] = hx * ay - hy * ax + (b3 * xx + b4 * xy + b5 * xz) - (b0 * xy + b1 * yy + b2 * yz)
    W[i, LL] = m
    W[i, LL + 1] = m
    W[i, LL + 2] = m
    W[i, LL + 3] = 0.0
    W[i, LL + 4] = 0.0
    W[i, LL + 5] = 0.0
    W[i, LA] = 0.0
    W[i, LA + 1] = hz
    W[i, LA + 2] = -hy
    W[i, LA + 3] = -hz
    W[i, LA + 4] = 0.0
    W[i, LA + 5] = hx
    W[i, LA + 6] = hy
    W[i, LA + 7] = -hx
    W[i, LA + 8] = 0.0
    W[i, AA] = yy + zz
    W[i, AA + 1] = xx + zz
    W[i, AA + 2] = xx + yy
    W[i, AA + 3] = -xy; W[i, AA + 4] = -xz; W[i, AA + 5] = -yz  # fmt: skip


@inline
def spread(M, q, v, shift, W):
    """First pass: pose, velocity terms, wrench and inertia of every body, from row 0 outward."""
    A = block(W, 0, 0)
    wx = W[0, OMEGA]
    wy = W[0, OMEGA + 1]
    wz = W[0, OMEGA + 2]
    ex = W[0, ALPHA]
    ey = W[0, ALPHA + 1]
    ez = W[0, ALPHA + 2]
    ax = W[0, ACC]; ay = W[0, ACC + 1]; az = W[0, ACC + 2]  # fmt: skip
    b0, b1, b2, b3, b4, b5, b6, b7, b8 = rate_matrix(wx, wy, wz, ex, ey, ez)
    px = A[3]; py = A[7]; pz = A[11]  # fmt: skip
    n = q.shape[0]
    T = carray(stack(64 * 3), (3, 64)) if n < 64 else np.empty((3, room(n)))
    turns(M, q, T)
    for i in range(1, n + 1):
        p = int(M[i, PARENT])
        if p != i - 1:
            A = block(W, p, 0)
            px = A[3]
            py = A[7]
            pz = A[11]
            wx = W[p, OMEGA]
            wy = W[p, OMEGA + 1]
            wz = W[p, OMEGA + 2]
            ex = W[p, ALPHA]
            ey = W[p, ALPHA + 1]
            ez = W[p, ALPHA + 2]
            ax = W[p, ACC]; ay = W[p, ACC + 1]; az = W[p, ACC + 2]  # fmt: skip
            b0, b1, b2, b3, b4, b5, b6, b7, b8 = rate_matrix(wx, wy, wz, ex, ey, ez)
        s = M[i, SCALE]
        slides = M[i, SLIDES]
        A = moved(mul(A, block(M, i, X)), slides, T, i - 1)
        for k in range(12):
            W[i, k] = A[k]
        x = A[3] - px
        y = A[7] - py
        z = A[11] - pz
        px = A[3]; py = A[7]; pz = A[11]  # fmt: skip
        ax += b0 * x + b1 * y + b2 * z
        ay += b3 * x + b4 * y + b5 * z
        az += b6 * x + b7 * y + b8 * z
        qd = v[i - 1 + shift] * s
        zx = A[2] * qd
        zy = A[6] * qd
        zz = A[10] * qd
        cx = wy * zz - wz * zy
        cy = wz * zx - wx * zz
        cz = wx * zy - wy * zx
        if slides != 0.0:
            ax += 2.0 * cx
            ay += 2.0 * cy
            az += 2.0 * cz
        else:
            ex += cx
            ey += cy
            ez += cz
            wx += zx
            wy += zy
            wz += zz
            b0, b1, b2, b3, b4, b5, b6, b7, b8 = rate_matrix(wx, wy, wz, ex, ey, ez)
        W[i, OMEGA] = wx
        W[i, OMEGA + 1] = wy
        W[i, OMEGA + 2] = wz
        W[i, ALPHA] = ex
        W[i, ALPHA + 1] = ey
        W[i, ALPHA + 2] = ez
        W[i, ACC] = ax; W[i, ACC + 1] = ay; W[i, ACC + 2] = az  # fmt: skip
        rigid_body(M, i, A, ax, ay, az, (b0, b1, b2, b3, b4, b5, b6, b7, b8), W)


@inline
def articulate(M, tau, shift, root, n, W):
    """Second pass: articulated inertia and wrench of every body, handed inward."""
    for i in range(n, 0, -1):
        s = M[i, SCALE]
        zx = W[i, 2] * s
        zy = W[i, 6] * s
        zz = W[i, 10] * s
        lxx = W[i, LL]
        lyy = W[i, LL + 1]
        lzz = W[i, LL + 2]
        lxy = W[i, LL + 3]
        lxz = W[i, LL + 4]
        lyz = W[i, LL + 5]
        m0 = W[i, LA]
        m1 = W[i, LA + 1]
        m2 = W[i, LA + 2]
        m3 = W[i, LA + 3]
        m4 = W[i, LA + 4]
        m5 = W[i, LA + 5]
        m6 = W[i, LA + 6]
        m7 = W[i, LA + 7]
        m8 = W[i, LA + 8]
        axx = W[i, AA]
        ayy = W[i, AA + 1]
        azz = W[i, AA + 2]
        axy = W[i, AA + 3]
        axz = W[i, AA + 4]
        ayz = W[i, AA + 5]
        fx = W[i, F]
        fy = W[i, F + 1]
        fz = W[i, F + 2]
        tx = W[i, T_]; ty = W[i, T_ + 1]; tz = W[i, T_ + 2]  # fmt: skip
        if M[i, SLIDES] != 0.0:
            ux = lxx * zx + lxy * zy + lxz * zz
            uy = lxy * zx + lyy * zy + lyz * zz
            uz = lxz * zx + lyz * zy + lzz * zz
            vx = m0 * zx + m3 * zy + m6 * zz
            vy = m1 * zx + m4 * zy + m7 * zz
            vz = m2 * zx + m5 * zy + m8 * zz
            d = zx * ux + zy * uy + zz * uz + M[i, ROTOR]
            e = tau[i - 1 + shift] - (zx * fx + zy * fy + zz * fz)
            least = SINGULAR * M[i, MSUB]
        else:
            ux = m0 * zx + m1 * zy + m2 * zz
            uy = m3 * zx + m4 * zy + m5 * zz
            uz = m6 * zx + m7 * zy + m8 * zz
            vx = axx * zx + axy * zy + axz * zz
            vy = axy * zx + ayy * zy + ayz * zz
            vz = axz * zx + ayz * zy + azz * zz
            d = zx * vx + zy * vy + zz * vz + M[i, ROTOR]
            e = tau[i - 1 + shift] - (zx * tx + zy * ty + zz * tz)
            least = SINGULAR * (axx + ayy + azz) + NOWHERE * M[i, MSUB]
        if not d > least * s * s:
            return i
        g = 1.0 / d
        e *= g
        W[i, U] = ux
        W[i, U + 1] = uy
        W[i, U + 2] = uz
        W[i, U + 3] = vx
        W[i, U + 4] = vy
        W[i, U + 5] = vz
        W[i, D] = g; W[i, E] = e  # fmt: skip
        p = int(M[i, PARENT])
        if p >= root:
            fx += ux * e
            fy += uy * e
            fz += uz * e
            tx += vx * e
            ty += vy * e
            tz += vz * e
            hx = ux * g
            hy = uy * g
            hz = uz * g
            kx = vx * g; ky = vy * g; kz = vz * g  # fmt: skip
            lxx -= ux * hx
            lyy -= uy * hy
            lzz -= uz * hz
            lxy -= ux * hy
            lxz -= ux * hz
            lyz -= uy * hz
            m0 -= ux * kx
            m1 -= ux * ky
            m2 -= ux * kz
            m3 -= uy * kx
            m4 -= uy * ky
            m5 -= uy * kz
            m6 -= uz * kx
            m7 -= uz * ky
            m8 -= uz * kz
            axx -= vx * kx
            ayy -= vy * ky
            azz -= vz * kz
            axy -= vx * ky; axz -= vx * kz; ayz -= vy * kz  # fmt: skip
            x = W[i, 3] - W[p, 3]
            y = W[i, 7] - W[p, 7]
            z = W[i, 11] - W[p, 11]
            # LL [r]x, row by row.
            c0 = lxy * z - lxz * y
            c1 = lxz * x - lxx * z
            c2 = lxx * y - lxy * x
            c3 = lyy * z - lyz * y
            c4 = lyz * x - lxy * z
            c5 = lxy * y - lyy * x
            c6 = lyz * z - lzz * y
            c7 = lzz * x - lxz * z
            c8 = lxz * y - lyz * x
            # K = [r]x (LA - 1/2 LL [r]x), and AA + K + K^T.
            d0 = m0 - 0.5 * c0
            d1 = m1 - 0.5 * c1
            d2 = m2 - 0.5 * c2
            d3 = m3 - 0.5 * c3
            d4 = m4 - 0.5 * c4
            d5 = m5 - 0.5 * c5
            d6 = m6 - 0.5 * c6
            d7 = m7 - 0.5 * c7
            d8 = m8 - 0.5 * c8
            W[p, AA] += axx + 2.0 * (y * d6 - z * d3)
            W[p, AA + 1] += ayy + 2.0 * (z * d1 - x * d7)
            W[p, AA + 2] += azz + 2.0 * (x * d5 - y * d2)
            W[p, AA + 3] += axy + (y * d7 - z * d4) + (z * d0 - x * d6)
            W[p, AA + 4] += axz + (y * d8 - z * d5) + (x * d3 - y * d0)
            W[p, AA + 5] += ayz + (z * d2 - x * d8) + (x * d4 - y * d1)
            W[p, LA] += m0 - c0
            W[p, LA + 1] += m1 - c1
            W[p, LA + 2] += m2 - c2
            W[p, LA + 3] += m3 - c3
            W[p, LA + 4] += m4 - c4
            W[p, LA + 5] += m5 - c5
            W[p, LA + 6] += m6 - c6
            W[p, LA + 7] += m7 - c7
            W[p, LA + 8] += m8 - c8
            W[p, LL] += lxx
            W[p, LL + 1] += lyy
            W[p, LL + 2] += lzz
            W[p, LL + 3] += lxy
            W[p, LL + 4] += lxz
            W[p, LL + 5] += lyz
            W[p, F] += fx
            W[p, F + 1] += fy
            W[p, F + 2] += fz
            W[p, T_] += tx + y * fz - z * fy
            W[p, T_ + 1] += ty + z * fx - x * fz
            W[p, T_ + 2] += tz + x * fy - y * fx  # fmt: skip
    return 0


@inline
def accelerate(M, n, shift, ax, ay, az, ex, ey, ez, W, out):
    """Third pass: joint accelerations, from the base's deviation from its bias, outward."""
    W[0, ACC] = ax
    W[0, ACC + 1] = ay
    W[0, ACC + 2] = az
    W[0, ALPHA] = ex; W[0, ALPHA + 1] = ey; W[0, ALPHA + 2] = ez  # fmt: skip
    for i in range(1, n + 1):
        p = int(M[i, PARENT])
        if p != i - 1:
            ax = W[p, ACC]
            ay = W[p, ACC + 1]
            az = W[p, ACC + 2]
            ex = W[p, ALPHA]; ey = W[p, ALPHA + 1]; ez = W[p, ALPHA + 2]  # fmt: skip
        x = W[i, 3] - W[p, 3]
        y = W[i, 7] - W[p, 7]
        z = W[i, 11] - W[p, 11]
        ax += ey * z - ez * y
        ay += ez * x - ex * z
        az += ex * y - ey * x
        qdd = W[i, U] * ax + W[i, U + 1] * ay + W[i, U + 2] * az
        qdd += W[i, U + 3] * ex + W[i, U + 4] * ey + W[i, U + 5] * ez
        qdd = W[i, E] - W[i, D] * qdd
        out[i - 1 + shift] = qdd
        qdd *= M[i, SCALE]
        if M[i, SLIDES] != 0.0:
            ax += W[i, 2] * qdd
            ay += W[i, 6] * qdd
            az += W[i, 10] * qdd
        else:
            ex += W[i, 2] * qdd
            ey += W[i, 6] * qdd
            ez += W[i, 10] * qdd
        W[i, ACC] = ax
        W[i, ACC + 1] = ay
        W[i, ACC + 2] = az
        W[i, ALPHA] = ex; W[i, ALPHA + 1] = ey; W[i, ALPHA + 2] = ez  # fmt: skip


@inline
def forward_dynamics_of(M, q, v, tau, out):
    """Accelerations, into out (n,); returns the joint that moves no inertia, or 0."""
    n = q.shape[0]
    W = carray(stack(64 * 56), (64, 56)) if n < 64 else np.empty((n + 1, 56))
    for k in range(12):
        W[0, k] = M[0, X + k]
    W[0, 3] = 0.0; W[0, 7] = 0.0; W[0, 11] = 0.0  # fmt: skip
    for k in range(6):
        W[0, OMEGA + k] = 0.0
    for k in range(3):
        W[0, ACC + k] = -M[0, GRAVITY + k]
    spread(M, q, v, 0, W)
    joint = articulate(M, tau, 0, 1, n, W)
    if joint == 0:
        accelerate(M, n, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, W, out)
    return joint


@entry(IN2, IN1, IN1, IN1, OUT1, returns=I8)
def forward_dynamics(M, q, v, tau, out):
    """Accelerations that efforts cause, (n,)."""
    n = q.shape[0]
    if M.shape[0] != n + 1 or v.shape[0] != n or tau.shape[0] != n or out.shape[0] != n:
        raise ValueError("shape")
    if not all_finite(q, v, tau):
        raise ValueError("not finite")
    return forward_dynamics_of(M, q, v, tau, out)


@entry(IN2, IN2, IN2, IN2, OUT2, returns=I8, nogil=True)
def forward_dynamics_batch(M, Q, V, TAU, out):
    """Accelerations of every row, (b, n); stops at the first joint that moves no inertia."""
    n = Q.shape[1]
    if M.shape[0] != n + 1 or V.shape != Q.shape or TAU.shape != Q.shape or out.shape != Q.shape:
        raise ValueError("shape")
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
            S[r + 3, c] = W[0, LA + 3 * c + r]
        S[r, 6] = tau[r] - W[0, F + r]
        S[r + 3, 6] = tau[r + 3] - W[0, T_ + r]
    for k in range(0, 6, 3):
        o = LL if k == 0 else AA
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
    if M.shape[0] != n + 1 or T.shape != (4, 4) or v.shape[0] != n + 6 or tau.shape[0] != n + 6:
        raise ValueError("shape")
    if out.shape[0] != n + 6:
        raise ValueError("shape")
    if not all_finite(q, v, tau) or not finite(T.ravel()):
        raise ValueError("not finite")
    W = carray(stack(64 * 56), (64, 56)) if n < 64 else np.empty((n + 1, 56))
    S = carray(stack(6 * 7), (6, 7))
    A = (T[0, 0], T[0, 1], T[0, 2], 0.0, T[1, 0], T[1, 1], T[1, 2], 0.0, T[2, 0], T[2, 1], T[2, 2], 0.0)  # fmt: skip
    for k in range(12):
        W[0, k] = A[k]
    for k in range(3):
        W[0, OMEGA + k] = v[3 + k]
        W[0, ALPHA + k] = 0.0
        W[0, ACC + k] = -M[0, GRAVITY + k]
    rates = rate_matrix(v[3], v[4], v[5], 0.0, 0.0, 0.0)
    rigid_body(M, 0, A, W[0, ACC], W[0, ACC + 1], W[0, ACC + 2], rates, W)
    spread(M, q, v, 6, W)
    joint = articulate(M, tau, 6, 0, n, W)
    if joint != 0:
        return joint
    if not solve_base(W, tau, S):
        return -1
    for k in range(6):
        out[k] = S[k, 6]
    accelerate(M, n, 6, S[0, 6], S[1, 6], S[2, 6], S[3, 6], S[4, 6], S[5, 6], W, out)
    return 0
