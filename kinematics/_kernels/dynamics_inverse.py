"""Efforts and joint wrenches that a motion needs: recursive Newton-Euler in body axes.

Luh, Walker and Paul 1980 (Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 5), with
*classical* accelerations of the bodies' origins and the rate matrix B = [alpha]x + [w]x [w]x, which
maps a point of the body to its acceleration relative to the origin. A body is its mass m, its first
moment h = m c and its second moments J about its own origin:

    f = m a + B h        t = h x a + skew(B J)

No linear velocity occurs, so that a free base needs no conversion: its velocity is (linear of the
base's origin, angular), both in world axes, and its acceleration is the derivative of that.

Arguments: ``M`` model rows (n+1, 32) of ``compile.py``; ``q v a`` of the joints, (n,); for a free
base ``T`` its pose (4, 4) in place of the model's own, and v, a, results of length n+6, base first.
Gravity is in row 0 of M. Column SCALE turns joint values into motion of bodies; column ROTOR is the
rotor inertia as the joint value sees it.
"""

import numpy as np

from .declare import IN1, IN2, OUT1, OUT2, entry, inline
from .rigid import block, finite, moved
from .scratch import carray, stack
from .sines import room, turns

PARENT = 0
SLIDES = 1
ROTOR = 2
X = 4
MASS = 16
H = 17
J = 20
GRAVITY = 29
SCALE = 30

# Columns of the working memory, one row per body.
OMEGA = 12
ALPHA = 15
ACC = 18
F = 21
T_ = 24
B = 27
WIDE = 36


@inline
def all_finite(q, v, a):
    """Whether every number of three vectors is finite, and so small that products are, too."""
    good = 0
    for i in range(q.shape[0]):
        if abs(q[i]) <= 1e50:
            good += 1
    for i in range(v.shape[0]):
        if (abs(v[i]) <= 1e50) & (abs(a[i]) <= 1e50):
            good += 1
    return good == q.shape[0] + v.shape[0]


@inline
def rate_matrix(wx, wy, wz, ex, ey, ez):
    """Rows of [e]x + [w]x [w]x: point of a body to its acceleration relative to the origin."""
    xx = wx * wx
    yy = wy * wy
    zz = wz * wz
    xy = wx * wy
    xz = wx * wz
    yz = wy * wz
    return (-yy - zz, xy - ez, xz + ey, xy + ez, -xx - zz, yz - ex, xz - ey, yz + ex, -xx - yy)


@inline
def inertial_wrench(M, i, ax, ay, az, B):
    """Force and torque about its origin that move body i with acceleration a and rate matrix B."""
    b0, b1, b2, b3, b4, b5, b6, b7, b8 = B
    m = M[i, MASS]
    hx = M[i, H]
    hy = M[i, H + 1]
    hz = M[i, H + 2]
    xx = M[i, J]
    yy = M[i, J + 1]
    zz = M[i, J + 2]
    xy = M[i, J + 3]; xz = M[i, J + 4]; yz = M[i, J + 5]  # fmt: skip
    return (
        m * ax + b0 * hx + b1 * hy + b2 * hz,
        m * ay + b3 * hx + b4 * hy + b5 * hz,
        m * az + b6 * hx + b7 * hy + b8 * hz,
        hy * az - hz * ay + (b6 * xy + b7 * yy + b8 * yz) - (b3 * xz + b4 * yz + b5 * zz),
        hz * ax - hx * az + (b0 * xz + b1 * yz + b2 * zz) - (b6 * xx + b7 * xy + b8 * xz),
        hx * ay - hy * ax + (b3 * xx + b4 * xy + b5 * xz) - (b0 * xy + b1 * yy + b2 * yz),
    )


@inline
def fixed_base(M, W):
    """Row 0 of the working memory for a base at rest: it accelerates against gravity."""
    gx = M[0, GRAVITY]; gy = M[0, GRAVITY + 1]; gz = M[0, GRAVITY + 2]  # fmt: skip
    for k in range(6):
        W[0, OMEGA + k] = 0.0
    W[0, ACC] = -(M[0, 4] * gx + M[0, 8] * gy + M[0, 12] * gz)
    W[0, ACC + 1] = -(M[0, 5] * gx + M[0, 9] * gy + M[0, 13] * gz)
    W[0, ACC + 2] = -(M[0, 6] * gx + M[0, 10] * gy + M[0, 14] * gz)
    for k in range(9):
        W[0, B + k] = 0.0


@inline
def free_base(M, T, v, a, W):
    """Row 0 of the working memory for a base at T that moves with v and a, world axes."""
    x = a[0] - M[0, GRAVITY]
    y = a[1] - M[0, GRAVITY + 1]
    z = a[2] - M[0, GRAVITY + 2]
    ex = a[3]; ey = a[4]; ez = a[5]  # fmt: skip
    for k in range(3):
        W[0, OMEGA + k] = T[0, k] * v[3] + T[1, k] * v[4] + T[2, k] * v[5]
        W[0, ALPHA + k] = T[0, k] * ex + T[1, k] * ey + T[2, k] * ez
        W[0, ACC + k] = T[0, k] * x + T[1, k] * y + T[2, k] * z
    rates = rate_matrix(W[0, 12], W[0, 13], W[0, 14], W[0, 15], W[0, 16], W[0, 17])
    for k in range(9):
        W[0, B + k] = rates[k]


@inline
def base_wrench(M, W):
    """Wrench of the base's own mass, into row 0."""
    B0 = (W[0, 27], W[0, 28], W[0, 29], W[0, 30], W[0, 31], W[0, 32], W[0, 33], W[0, 34], W[0, 35])
    six = inertial_wrench(M, 0, W[0, ACC], W[0, ACC + 1], W[0, ACC + 2], B0)
    for k in range(6):
        W[0, F + k] = six[k]


@inline
def outward(M, q, v, a, shift, W):
    """Motion of every body and the wrench it needs, into rows 1 to n; row 0 is the base's.

    v and a hold the joints from index ``shift``.
    """
    px = W[0, OMEGA]
    py = W[0, OMEGA + 1]
    pz = W[0, OMEGA + 2]
    ex = W[0, ALPHA]
    ey = W[0, ALPHA + 1]
    ez = W[0, ALPHA + 2]
    ax = W[0, ACC]
    ay = W[0, ACC + 1]
    az = W[0, ACC + 2]
    b0 = W[0, B]
    b1 = W[0, B + 1]
    b2 = W[0, B + 2]
    b3 = W[0, B + 3]
    b4 = W[0, B + 4]
    b5 = W[0, B + 5]; b6 = W[0, B + 6]; b7 = W[0, B + 7]; b8 = W[0, B + 8]  # fmt: skip
    n = q.shape[0]
    T = carray(stack(64 * 3), (3, 64)) if n < 64 else np.empty((3, room(n)))
    turns(M, q, T)
    for i in range(1, n + 1):
        p = int(M[i, PARENT])
        if p != i - 1:
            px = W[p, OMEGA]
            py = W[p, OMEGA + 1]
            pz = W[p, OMEGA + 2]
            ex = W[p, ALPHA]
            ey = W[p, ALPHA + 1]
            ez = W[p, ALPHA + 2]
            ax = W[p, ACC]
            ay = W[p, ACC + 1]
            az = W[p, ACC + 2]
            b0 = W[p, B]
            b1 = W[p, B + 1]
            b2 = W[p, B + 2]
            b3 = W[p, B + 3]
            b4 = W[p, B + 4]
            b5 = W[p, B + 5]; b6 = W[p, B + 6]; b7 = W[p, B + 7]; b8 = W[p, B + 8]  # fmt: skip
        s = M[i, SCALE]
        qd = v[i - 1 + shift] * s
        qdd = a[i - 1 + shift] * s
        slides = M[i, SLIDES]
        A = moved(block(M, i, X), slides, T, i - 1)
        R0, R1, R2, x, R3, R4, R5, y, R6, R7, R8, z = A
        for k in range(12):
            W[i, k] = A[k]
        ux = ax + b0 * x + b1 * y + b2 * z
        uy = ay + b3 * x + b4 * y + b5 * z
        uz = az + b6 * x + b7 * y + b8 * z
        ax = R0 * ux + R3 * uy + R6 * uz
        ay = R1 * ux + R4 * uy + R7 * uz
        az = R2 * ux + R5 * uy + R8 * uz
        wx = R0 * px + R3 * py + R6 * pz
        wy = R1 * px + R4 * py + R7 * pz
        wz = R2 * px + R5 * py + R8 * pz
        ux = R0 * ex + R3 * ey + R6 * ez
        uy = R1 * ex + R4 * ey + R7 * ez
        ez = R2 * ex + R5 * ey + R8 * ez
        ex = ux
        ey = uy
        if slides != 0.0:
            ax += 2.0 * wy * qd
            ay -= 2.0 * wx * qd
            az += qdd
        else:
            ex += wy * qd
            ey -= wx * qd
            ez += qdd
            wz += qd
        px = wx
        py = wy
        pz = wz
        rates = rate_matrix(wx, wy, wz, ex, ey, ez)
        b0, b1, b2, b3, b4, b5, b6, b7, b8 = rates
        six = inertial_wrench(M, i, ax, ay, az, rates)
        W[i, OMEGA] = wx
        W[i, OMEGA + 1] = wy
        W[i, OMEGA + 2] = wz
        W[i, ALPHA] = ex
        W[i, ALPHA + 1] = ey
        W[i, ALPHA + 2] = ez
        W[i, ACC] = ax
        W[i, ACC + 1] = ay
        W[i, ACC + 2] = az
        W[i, F] = six[0]
        W[i, F + 1] = six[1]
        W[i, F + 2] = six[2]
        W[i, T_] = six[3]
        W[i, T_ + 1] = six[4]
        W[i, T_ + 2] = six[5]
        W[i, B] = b0
        W[i, B + 1] = b1
        W[i, B + 2] = b2
        W[i, B + 3] = b3
        W[i, B + 4] = b4
        W[i, B + 5] = b5; W[i, B + 6] = b6; W[i, B + 7] = b7; W[i, B + 8] = b8  # fmt: skip


@inline
def inward(M, n, root, a, shift, W, out):
    """Wrenches handed on to the parents, and their part along each joint, into out from ``shift``.

    ``root`` 1 stops at the bodies on the base, 0 goes on into row 0.
    """
    for i in range(n, 0, -1):
        fx = W[i, F]
        fy = W[i, F + 1]
        fz = W[i, F + 2]
        tx = W[i, T_]; ty = W[i, T_ + 1]; tz = W[i, T_ + 2]  # fmt: skip
        k = i - 1 + shift
        own = fz if M[i, SLIDES] != 0.0 else tz
        out[k] = own * M[i, SCALE] + M[i, ROTOR] * a[k]
        p = int(M[i, PARENT])
        if p >= root:
            gx = W[i, 0] * fx + W[i, 1] * fy + W[i, 2] * fz
            gy = W[i, 4] * fx + W[i, 5] * fy + W[i, 6] * fz
            gz = W[i, 8] * fx + W[i, 9] * fy + W[i, 10] * fz
            x = W[i, 3]
            y = W[i, 7]
            z = W[i, 11]
            W[p, F] += gx; W[p, F + 1] += gy; W[p, F + 2] += gz  # fmt: skip
            W[p, T_] += W[i, 0] * tx + W[i, 1] * ty + W[i, 2] * tz + y * gz - z * gy
            W[p, T_ + 1] += W[i, 4] * tx + W[i, 5] * ty + W[i, 6] * tz + z * gx - x * gz
            W[p, T_ + 2] += W[i, 8] * tx + W[i, 9] * ty + W[i, 10] * tz + x * gy - y * gx


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
    n = q.shape[0]
    if M.shape[0] != n + 1 or v.shape[0] != n or a.shape[0] != n or out.shape[0] != n:
        raise ValueError("shape")
    if not all_finite(q, v, a):
        raise ValueError("not finite")
    inverse_dynamics_of(M, q, v, a, out)


@entry(IN2, IN2, IN2, IN2, OUT2, nogil=True)
def inverse_dynamics_batch(M, Q, V, A, out):
    """Efforts of every row, (b, n)."""
    n = Q.shape[1]
    if M.shape[0] != n + 1 or V.shape != Q.shape or A.shape != Q.shape or out.shape != Q.shape:
        raise ValueError("shape")
    for b in range(Q.shape[0]):
        if not all_finite(Q[b], V[b], A[b]):
            raise ValueError("not finite")
        inverse_dynamics_of(M, Q[b], V[b], A[b], out[b])


@inline
def joint_wrenches_of(M, q, v, a, shift, E, W, out):
    """Wrenches through all joints for a base whose motion is in row 0 of W, into out (n+1, 6)."""
    n = q.shape[0]
    base_wrench(M, W)
    outward(M, q, v, a, shift, W)
    for i in range(n + 1):
        for k in range(6):
            W[i, F + k] -= E[i, k]
    inward(M, n, 0, a, shift, W, np.empty(n + shift))
    for i in range(n + 1):
        for k in range(6):
            out[i, k] = W[i, F + k]


@entry(IN2, IN1, IN1, IN1, IN2, OUT2)
def joint_wrenches(M, q, v, a, E, out):
    """Wrench that each body gets through its joint, (n+1, 6), body axes, body's origin.

    ``E`` holds wrenches that act on the bodies from outside, likewise (n+1, 6). Row 0 of the
    result is what the ground gives to the base.
    """
    n = q.shape[0]
    if M.shape[0] != n + 1 or v.shape[0] != n or a.shape[0] != n:
        raise ValueError("shape")
    if E.shape != (n + 1, 6) or out.shape != (n + 1, 6):
        raise ValueError("shape")
    if not all_finite(q, v, a):
        raise ValueError("not finite")
    W = np.empty((n + 1, 36))
    fixed_base(M, W)
    joint_wrenches_of(M, q, v, a, 0, E, W, out)


@inline
def inverse_dynamics_free_of(M, T, q, v, a, out):
    """Base wrench and efforts of one motion with a free base, into out (n+6,)."""
    n = q.shape[0]
    W = carray(stack(64 * 36), (64, 36)) if n < 64 else np.empty((n + 1, 36))
    free_base(M, T, v, a, W)
    base_wrench(M, W)
    outward(M, q, v, a, 6, W)
    inward(M, n, 0, a, 6, W, out)
    for k in range(3):
        out[k] = T[k, 0] * W[0, F] + T[k, 1] * W[0, F + 1] + T[k, 2] * W[0, F + 2]
        out[k + 3] = T[k, 0] * W[0, T_] + T[k, 1] * W[0, T_ + 1] + T[k, 2] * W[0, T_ + 2]


@entry(IN2, IN2, IN1, IN1, IN1, OUT1)
def inverse_dynamics_free(M, T, q, v, a, out):
    """Wrench at the base's origin, world axes, and efforts, (n+6,)."""
    n = q.shape[0]
    if M.shape[0] != n + 1 or T.shape != (4, 4) or v.shape[0] != n + 6 or a.shape[0] != n + 6:
        raise ValueError("shape")
    if out.shape[0] != n + 6:
        raise ValueError("shape")
    if not all_finite(q, v, a) or not finite(T.ravel()):
        raise ValueError("not finite")
    inverse_dynamics_free_of(M, T, q, v, a, out)


@entry(IN2, IN2, IN1, IN1, IN1, IN2, OUT2)
def joint_wrenches_free(M, T, q, v, a, E, out):
    """The same as ``joint_wrenches`` for a free base; row 0 is what the base needs to move so."""
    n = q.shape[0]
    if M.shape[0] != n + 1 or T.shape != (4, 4) or v.shape[0] != n + 6 or a.shape[0] != n + 6:
        raise ValueError("shape")
    if E.shape != (n + 1, 6) or out.shape != (n + 1, 6):
        raise ValueError("shape")
    if not all_finite(q, v, a) or not finite(T.ravel()):
        raise ValueError("not finite")
    W = np.empty((n + 1, 36))
    free_base(M, T, v, a, W)
    joint_wrenches_of(M, q, v, a, 6, E, W, out)
