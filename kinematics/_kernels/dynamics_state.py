"""Everything at once: all that depends on (q, v) in one array, one row per body.

One call and one array cost less than any two separate kernels; what is needed is cut out of it as
views. Row 0 is the base. Columns (world axes unless said):

      0-11  POSE      placement in the world, rows of 3x4
     12-17  MOTION    twist of the body by its joint alone, per unit of joint velocity: linear (of
                      the point at the base's origin), angular. Row 0: center of mass 12-14,
                      total mass 15
     18-26  SUM       first and second moments of the body and all that hangs on it, body axes, about
                      the body's origin: h 3, J xx yy zz xy xz yz (their mass is in the model)
     27-32  TWIST     linear (of the body's origin), angular
     33-38  BIAS      acceleration without joint accelerations: linear (of the origin), angular
     39-47  RATES     rate matrix in body axes, see ``dynamics_inverse.py``
     48-53  WRENCH    what the body gets through its joint without joint accelerations, gravity
                      included; body axes, about the body's origin: force, torque
     54     EFFORT    bias effort: velocity terms and gravity. Row 0: kinetic energy
     55     HOLD      holding effort: gravity alone. Row 0: potential energy
     56-61  MOMENTUM  momentum about the center of mass per unit of joint velocity: linear, angular.
                      Row 0: the momentum about the center of mass
     62-67  COUPLING  wrench at the base's origin per unit of joint acceleration: force, torque.
                      Row 0: rate of the momentum about the center of mass without joint
                      accelerations and gravity (the bias of the momentum matrix)
     68-    MASSES    row of the mass matrix, n numbers; row 0: zeros

Layout of ``M`` and meaning of a free base: as in ``dynamics_inverse.py``. With a free base the
6x6 block of its mass matrix follows from SUM of row 0, its coupling to joints is COUPLING, its
bias wrench WRENCH of row 0 turned into world axes.
"""

import numpy as np

from .declare import IN1, IN2, OUT2, entry, inline
from .dynamics_coriolis import both_finite
from .dynamics_inverse import inertial_wrench, rate_matrix
from .inertia import add, carried, nine
from .rigid import block, finite, moved, mul
from .scratch import carray, stack
from .sines import room, turns

PARENT = 0
SLIDES = 1
ROTOR = 2
MSUB = 3
X = 4
H = 17
GRAVITY = 29
SCALE = 30

MOTION = 12
SUM = 18
TWIST = 27
BIAS = 33
RATES = 39
WRENCH = 48
EFFORT = 54
HOLD = 55
MOMENTUM = 56
COUPLING = 62
MASSES = 68

# Columns of the working memory: placement in the parent 0-11, then in body axes
OMEGA = 12
ALPHA = 15
ACC = 18
G = 21
WIDE = 24


@inline
def start(M, A, vx, vy, vz, ox, oy, oz, W, out):
    """Row 0 of both: base at A with velocity v and angular velocity o, not accelerating."""
    R0, R1, R2, _, R3, R4, R5, _, R6, R7, R8, _ = A
    for k in range(12):
        out[0, k] = A[k]
    out[0, TWIST] = vx
    out[0, TWIST + 1] = vy
    out[0, TWIST + 2] = vz
    out[0, TWIST + 3] = ox; out[0, TWIST + 4] = oy; out[0, TWIST + 5] = oz  # fmt: skip
    for k in range(6):
        out[0, BIAS + k] = 0.0
        W[0, ALPHA + k] = 0.0
    x = M[0, GRAVITY]
    y = M[0, GRAVITY + 1]
    z = M[0, GRAVITY + 2]
    gx = R0 * x + R3 * y + R6 * z
    gy = R1 * x + R4 * y + R7 * z
    gz = R2 * x + R5 * y + R8 * z
    wx = R0 * ox + R3 * oy + R6 * oz
    wy = R1 * ox + R4 * oy + R7 * oz
    wz = R2 * ox + R5 * oy + R8 * oz
    W[0, OMEGA] = wx
    W[0, OMEGA + 1] = wy
    W[0, OMEGA + 2] = wz
    W[0, G] = gx; W[0, G + 1] = gy; W[0, G + 2] = gz  # fmt: skip
    rates = rate_matrix(wx, wy, wz, 0.0, 0.0, 0.0)
    six = inertial_wrench(M, 0, -gx, -gy, -gz, rates)
    for k in range(9):
        out[0, RATES + k] = rates[k]
        out[0, SUM + k] = M[0, H + k]
    for k in range(6):
        out[0, WRENCH + k] = six[k]


@inline
def spread(M, q, v, W, out):
    """Outward: poses, motions, accelerations and wrenches of bodies 1 to n."""
    A = block(out, 0, 0)
    ox = out[0, 3]; oy = out[0, 7]; oz = out[0, 11]  # fmt: skip
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
        L = moved(block(M, i, X), slides, T, i - 1)
        A = mul(A, L)
        for k in range(12):
            W[i, k] = L[k]
            out[i, k] = A[k]
        for k in range(9):
            out[i, SUM + k] = M[i, H + k]
        R0, R1, R2, x, R3, R4, R5, y, R6, R7, R8, z = L
        px = W[p, OMEGA]; py = W[p, OMEGA + 1]; pz = W[p, OMEGA + 2]  # fmt: skip
        wx = R0 * px + R3 * py + R6 * pz
        wy = R1 * px + R4 * py + R7 * pz
        wz = R2 * px + R5 * py + R8 * pz
        px = W[p, ALPHA]; py = W[p, ALPHA + 1]; pz = W[p, ALPHA + 2]  # fmt: skip
        ex = R0 * px + R3 * py + R6 * pz
        ey = R1 * px + R4 * py + R7 * pz
        ez = R2 * px + R5 * py + R8 * pz
        px = W[p, G]; py = W[p, G + 1]; pz = W[p, G + 2]  # fmt: skip
        gx = R0 * px + R3 * py + R6 * pz
        gy = R1 * px + R4 * py + R7 * pz
        gz = R2 * px + R5 * py + R8 * pz
        c = RATES
        px = W[p, ACC] + out[p, c] * x + out[p, c + 1] * y + out[p, c + 2] * z
        py = W[p, ACC + 1] + out[p, c + 3] * x + out[p, c + 4] * y + out[p, c + 5] * z
        pz = W[p, ACC + 2] + out[p, c + 6] * x + out[p, c + 7] * y + out[p, c + 8] * z
        ax = R0 * px + R3 * py + R6 * pz
        ay = R1 * px + R4 * py + R7 * pz
        az = R2 * px + R5 * py + R8 * pz
        # World: velocity of the origin, and this joint's own motion.
        x = A[3] - out[p, 3]
        y = A[7] - out[p, 7]
        z = A[11] - out[p, 11]
        px = out[p, TWIST + 3]
        py = out[p, TWIST + 4]
        pz = out[p, TWIST + 5]
        vx = out[p, TWIST] + py * z - pz * y
        vy = out[p, TWIST + 1] + pz * x - px * z
        vz = out[p, TWIST + 2] + px * y - py * x
        zx = A[2] * s; zy = A[6] * s; zz = A[10] * s  # fmt: skip
        if slides != 0.0:
            ax += 2.0 * wy * qd
            ay -= 2.0 * wx * qd
            vx += A[2] * qd
            vy += A[6] * qd
            vz += A[10] * qd
            out[i, MOTION] = zx
            out[i, MOTION + 1] = zy
            out[i, MOTION + 2] = zz
            out[i, MOTION + 3] = 0.0; out[i, MOTION + 4] = 0.0; out[i, MOTION + 5] = 0.0  # fmt: skip
        else:
            ex += wy * qd
            ey -= wx * qd
            wz += qd
            px += A[2] * qd
            py += A[6] * qd
            pz += A[10] * qd
            x = A[3] - ox
            y = A[7] - oy
            z = A[11] - oz
            out[i, MOTION] = y * zz - z * zy
            out[i, MOTION + 1] = z * zx - x * zz
            out[i, MOTION + 2] = x * zy - y * zx
            out[i, MOTION + 3] = zx; out[i, MOTION + 4] = zy; out[i, MOTION + 5] = zz  # fmt: skip
        out[i, TWIST] = vx
        out[i, TWIST + 1] = vy
        out[i, TWIST + 2] = vz
        out[i, TWIST + 3] = px
        out[i, TWIST + 4] = py
        out[i, TWIST + 5] = pz
        W[i, OMEGA] = wx
        W[i, OMEGA + 1] = wy
        W[i, OMEGA + 2] = wz
        W[i, ALPHA] = ex
        W[i, ALPHA + 1] = ey
        W[i, ALPHA + 2] = ez
        W[i, ACC] = ax
        W[i, ACC + 1] = ay
        W[i, ACC + 2] = az
        W[i, G] = gx
        W[i, G + 1] = gy
        W[i, G + 2] = gz
        out[i, BIAS] = A[0] * ax + A[1] * ay + A[2] * az
        out[i, BIAS + 1] = A[4] * ax + A[5] * ay + A[6] * az
        out[i, BIAS + 2] = A[8] * ax + A[9] * ay + A[10] * az
        out[i, BIAS + 3] = A[0] * ex + A[1] * ey + A[2] * ez
        out[i, BIAS + 4] = A[4] * ex + A[5] * ey + A[6] * ez
        out[i, BIAS + 5] = A[8] * ex + A[9] * ey + A[10] * ez  # fmt: skip
        rates = rate_matrix(wx, wy, wz, ex, ey, ez)
        six = inertial_wrench(M, i, ax - gx, ay - gy, az - gz, rates)
        for k in range(9):
            out[i, RATES + k] = rates[k]
        for k in range(6):
            out[i, WRENCH + k] = six[k]


@inline
def hand_in(M, W, i, p, out):
    """Add sums and wrench of body i to those of its parent."""
    R0, R1, R2, x, R3, R4, R5, y, R6, R7, R8, z = block(W, i, 0)
    c = WRENCH
    ux = out[i, c]; uy = out[i, c + 1]; uz = out[i, c + 2]  # fmt: skip
    fx = R0 * ux + R1 * uy + R2 * uz
    fy = R3 * ux + R4 * uy + R5 * uz
    fz = R6 * ux + R7 * uy + R8 * uz
    ux = out[i, c + 3]
    uy = out[i, c + 4]
    uz = out[i, c + 5]
    out[p, c] += fx; out[p, c + 1] += fy; out[p, c + 2] += fz  # fmt: skip
    out[p, c + 3] += R0 * ux + R1 * uy + R2 * uz + y * fz - z * fy
    out[p, c + 4] += R3 * ux + R4 * uy + R5 * uz + z * fx - x * fz
    out[p, c + 5] += R6 * ux + R7 * uy + R8 * uz + x * fy - y * fx
    add(out, p, SUM, carried(block(W, i, 0), M[i, MSUB], nine(out, i, SUM)))


@inline
def collect(M, v, n, W, out):
    """Efforts, momentum, coupling and mass matrix, from sums and wrenches."""
    m = M[0, MSUB]
    g = 1.0 / m if m > 0.0 else 0.0
    R0, R1, R2, px, R3, R4, R5, py, R6, R7, R8, pz = block(out, 0, 0)
    x = out[0, SUM] * g
    y = out[0, SUM + 1] * g
    z = out[0, SUM + 2] * g
    cx = R0 * x + R1 * y + R2 * z  # from the base's origin
    cy = R3 * x + R4 * y + R5 * z
    cz = R6 * x + R7 * y + R8 * z
    out[0, MOTION] = cx + px
    out[0, MOTION + 1] = cy + py
    out[0, MOTION + 2] = cz + pz
    out[0, MOTION + 3] = m
    out[0, MOTION + 4] = 0.0
    out[0, MOTION + 5] = 0.0
    for c in range(n):
        out[0, MASSES + c] = 0.0
    for i in range(1, n + 1):
        s = M[i, SCALE]
        hx = out[i, SUM]; hy = out[i, SUM + 1]  # fmt: skip
        if M[i, SLIDES] != 0.0:
            mass = M[i, MSUB]
            out[i, EFFORT] = out[i, WRENCH + 2] * s
            out[i, HOLD] = -mass * W[i, G + 2] * s
            fx = 0.0
            fy = 0.0
            fz = mass * s
            tx = hy * s
            ty = -hx * s
            tz = 0.0
            own = fz  # fmt: skip
        else:
            out[i, EFFORT] = out[i, WRENCH + 5] * s
            out[i, HOLD] = (hy * W[i, G] - hx * W[i, G + 1]) * s
            fx = -hy * s
            fy = hx * s
            fz = 0.0
            tx = -out[i, SUM + 7] * s
            ty = -out[i, SUM + 8] * s
            tz = (out[i, SUM + 3] + out[i, SUM + 4]) * s
            own = tz  # fmt: skip
        # World axes: about the base's origin, then about the center of mass.
        A0, A1, A2, x, A3, A4, A5, y, A6, A7, A8, z = block(out, i, 0)
        x -= px
        y -= py
        z -= pz
        gx = A0 * fx + A1 * fy + A2 * fz
        gy = A3 * fx + A4 * fy + A5 * fz
        gz = A6 * fx + A7 * fy + A8 * fz
        ux = A0 * tx + A1 * ty + A2 * tz
        uy = A3 * tx + A4 * ty + A5 * tz
        uz = A6 * tx + A7 * ty + A8 * tz
        c = COUPLING
        out[i, c] = gx
        out[i, c + 1] = gy
        out[i, c + 2] = gz
        out[i, c + 3] = ux + y * gz - z * gy
        out[i, c + 4] = uy + z * gx - x * gz
        out[i, c + 5] = uz + x * gy - y * gx  # fmt: skip
        x -= cx
        y -= cy
        z -= cz
        c = MOMENTUM
        out[i, c] = gx
        out[i, c + 1] = gy
        out[i, c + 2] = gz
        out[i, c + 3] = ux + y * gz - z * gy
        out[i, c + 4] = uy + z * gx - x * gz
        out[i, c + 5] = uz + x * gy - y * gx  # fmt: skip
        for k in range(MASSES, MASSES + i - 1):
            out[i, k] = 0.0
            out[k - MASSES + 1, MASSES + i - 1] = 0.0
        out[i, MASSES + i - 1] = own * s + M[i, ROTOR]
        p = int(M[i, PARENT])
        # In world axes from the base's origin the column need not be carried inward.
        while p > 0:
            c = COUPLING
            own = out[p, MOTION] * out[i, c] + out[p, MOTION + 1] * out[i, c + 1]
            own += out[p, MOTION + 2] * out[i, c + 2] + out[p, MOTION + 3] * out[i, c + 3]
            own += out[p, MOTION + 4] * out[i, c + 4] + out[p, MOTION + 5] * out[i, c + 5]
            out[i, MASSES + p - 1] = own
            out[p, MASSES + i - 1] = own
            p = int(M[p, PARENT])
    finish(M, v, n, cx, cy, cz, out)


@inline
def finish(M, v, n, cx, cy, cz, out):
    """Row 0: energies, momentum about the center of mass and its bias."""
    m = M[0, MSUB]
    R0, R1, R2, _, R3, R4, R5, _, R6, R7, R8, _ = block(out, 0, 0)
    vx = out[0, TWIST]
    vy = out[0, TWIST + 1]
    vz = out[0, TWIST + 2]
    wx = out[0, TWIST + 3]
    wy = out[0, TWIST + 4]
    wz = out[0, TWIST + 5]
    gx = M[0, GRAVITY]; gy = M[0, GRAVITY + 1]; gz = M[0, GRAVITY + 2]  # fmt: skip
    out[0, HOLD] = -m * (gx * out[0, MOTION] + gy * out[0, MOTION + 1] + gz * out[0, MOTION + 2])
    # The whole robot moving with the base: momentum about the base's origin, base axes.
    x = R0 * wx + R3 * wy + R6 * wz
    y = R1 * wx + R4 * wy + R7 * wz
    z = R2 * wx + R5 * wy + R8 * wz
    xx = out[0, SUM + 3]
    yy = out[0, SUM + 4]
    zz = out[0, SUM + 5]
    xy = out[0, SUM + 6]; xz = out[0, SUM + 7]; yz = out[0, SUM + 8]  # fmt: skip
    ux = (yy + zz) * x - xy * y - xz * z
    uy = (xx + zz) * y - xy * x - yz * z
    uz = (xx + yy) * z - xz * x - yz * y
    fx = m * (vx + wy * cz - wz * cy)
    fy = m * (vy + wz * cx - wx * cz)
    fz = m * (vz + wx * cy - wy * cx)
    tx = R0 * ux + R1 * uy + R2 * uz + m * (cy * vz - cz * vy)
    ty = R3 * ux + R4 * uy + R5 * uz + m * (cz * vx - cx * vz)
    tz = R6 * ux + R7 * uy + R8 * uz + m * (cx * vy - cy * vx)
    energy = vx * fx + vy * fy + vz * fz + wx * tx + wy * ty + wz * tz
    for i in range(1, n + 1):
        qd = v[i - 1]
        c = COUPLING
        coupled = vx * out[i, c] + vy * out[i, c + 1] + vz * out[i, c + 2]
        coupled += wx * out[i, c + 3] + wy * out[i, c + 4] + wz * out[i, c + 5]
        own = 2.0 * coupled
        for k in range(n):
            own += out[i, MASSES + k] * v[k]
        energy += qd * own
        fx += out[i, c] * qd
        fy += out[i, c + 1] * qd
        fz += out[i, c + 2] * qd
        tx += out[i, c + 3] * qd; ty += out[i, c + 4] * qd; tz += out[i, c + 5] * qd  # fmt: skip
    out[0, EFFORT] = 0.5 * energy
    c = MOMENTUM
    out[0, c] = fx
    out[0, c + 1] = fy
    out[0, c + 2] = fz
    out[0, c + 3] = tx - cy * fz + cz * fy
    out[0, c + 4] = ty - cz * fx + cx * fz
    out[0, c + 5] = tz - cx * fy + cy * fx
    c = WRENCH
    ux = out[0, c]
    uy = out[0, c + 1]
    uz = out[0, c + 2]
    x = out[0, c + 3]
    y = out[0, c + 4]
    z = out[0, c + 5]
    c = COUPLING
    fx = R0 * ux + R1 * uy + R2 * uz
    fy = R3 * ux + R4 * uy + R5 * uz
    fz = R6 * ux + R7 * uy + R8 * uz
    out[0, c] = fx + m * gx; out[0, c + 1] = fy + m * gy; out[0, c + 2] = fz + m * gz  # fmt: skip
    out[0, c + 3] = R0 * x + R1 * y + R2 * z - cy * fz + cz * fy
    out[0, c + 4] = R3 * x + R4 * y + R5 * z - cz * fx + cx * fz
    out[0, c + 5] = R6 * x + R7 * y + R8 * z - cx * fy + cy * fx


@inline
def state_of(M, A, vx, vy, vz, ox, oy, oz, q, v, W, out):
    """Everything, into out (n+1, 68+n)."""
    n = q.shape[0]
    start(M, A, vx, vy, vz, ox, oy, oz, W, out)
    spread(M, q, v, W, out)
    for i in range(n, 0, -1):
        hand_in(M, W, i, int(M[i, PARENT]), out)
    collect(M, v, n, W, out)


@entry(IN2, IN1, IN1, OUT2)
def state(M, q, v, out):
    """Everything that depends on (q, v), (n+1, 68+n)."""
    n = q.shape[0]
    if M.shape[0] != n + 1 or v.shape[0] != n or out.shape != (n + 1, 68 + n):
        raise ValueError("shape")
    if not both_finite(q, v):
        raise ValueError("not finite")
    W = carray(stack(64 * 24), (64, 24)) if n < 64 else np.empty((n + 1, 24))
    state_of(M, block(M, 0, X), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, q, v, W, out)


@entry(IN2, IN2, IN1, IN1, IN1, OUT2)
def state_free(M, T, twist, q, v, out):
    """The same for a base at T (4, 4) with a twist (6,): linear of its origin, angular."""
    n = q.shape[0]
    if M.shape[0] != n + 1 or v.shape[0] != n or out.shape != (n + 1, 68 + n):
        raise ValueError("shape")
    if T.shape != (4, 4) or twist.shape[0] != 6:
        raise ValueError("shape")
    if not both_finite(q, v) or not finite(twist) or not finite(T.ravel()):
        raise ValueError("not finite")
    W = carray(stack(64 * 24), (64, 24)) if n < 64 else np.empty((n + 1, 24))
    A = (
        T[0, 0], T[0, 1], T[0, 2], T[0, 3], T[1, 0], T[1, 1], T[1, 2], T[1, 3],
        T[2, 0], T[2, 1], T[2, 2], T[2, 3],
    )  # fmt: skip
    state_of(M, A, twist[0], twist[1], twist[2], twist[3], twist[4], twist[5], q, v, W, out)
