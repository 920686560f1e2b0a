"""Efforts that hold a robot against gravity, by augmented bodies (Wittenburg 1977).

The masses beyond a turning joint act as if they were fixed at its origin, so that no positions
are needed: gravity is turned outward through the bodies, first moments are turned inward. ``M``
holds the model rows of ``compile.py``, gravity in world axes in row 0.
"""

import numpy as np

from .declare import IN1, IN2, OUT1, OUT2, entry, helper
from .rigid import block, finite, move
from .scratch import carray, stack

PARENT = 0
SLIDES = 1
MSUB = 3
X = 4
AUG = 26
GRAVITY = 29
SCALE = 30


@helper
def holding_efforts(M, q, out):
    """Holding efforts into out (n,); out may be q itself."""
    n = q.shape[0]
    # Columns: 0-8 rotation to the parent, 9-11 gravity, 12-14 first moment, 15 joint motion.
    W = carray(stack(64 * 16), (64, 16)) if n < 64 else np.empty((n + 1, 16))
    x = M[0, GRAVITY]
    y = M[0, GRAVITY + 1]
    z = M[0, GRAVITY + 2]
    gx = M[0, 4] * x + M[0, 8] * y + M[0, 12] * z
    gy = M[0, 5] * x + M[0, 9] * y + M[0, 13] * z
    gz = M[0, 6] * x + M[0, 10] * y + M[0, 14] * z
    W[0, 9] = gx; W[0, 10] = gy; W[0, 11] = gz  # fmt: skip
    for i in range(1, n + 1):
        parent = int(M[i, PARENT])
        if parent != i - 1:
            gx = W[parent, 9]; gy = W[parent, 10]; gz = W[parent, 11]  # fmt: skip
        d = q[i - 1] * M[i, SCALE]
        a0, a1, a2, _, a3, a4, a5, _, a6, a7, a8, _ = move(block(M, i, X), M[i, SLIDES], d)
        W[i, 0] = a0
        W[i, 1] = a1
        W[i, 2] = a2
        W[i, 3] = a3
        W[i, 4] = a4
        W[i, 5] = a5
        W[i, 6] = a6
        W[i, 7] = a7
        W[i, 8] = a8
        x = gx; y = gy; z = gz  # fmt: skip
        gx = a0 * x + a3 * y + a6 * z
        gy = a1 * x + a4 * y + a7 * z
        gz = a2 * x + a5 * y + a8 * z
        W[i, 9] = gx
        W[i, 10] = gy
        W[i, 11] = gz
        W[i, 12] = M[i, AUG]
        W[i, 13] = M[i, AUG + 1]
        W[i, 14] = M[i, AUG + 2]
        W[i, 15] = d  # fmt: skip
    for i in range(n, 0, -1):
        hx = W[i, 12]; hy = W[i, 13]; hz = W[i, 14]  # fmt: skip
        if M[i, SLIDES] != 0.0:
            out[i - 1] = -M[i, MSUB] * W[i, 11] * M[i, SCALE]
            hz += M[i, MSUB] * W[i, 15]
        else:
            out[i - 1] = (hy * W[i, 9] - hx * W[i, 10]) * M[i, SCALE]
        parent = int(M[i, PARENT])
        if parent > 0:
            W[parent, 12] += W[i, 0] * hx + W[i, 1] * hy + W[i, 2] * hz
            W[parent, 13] += W[i, 3] * hx + W[i, 4] * hy + W[i, 5] * hz
            W[parent, 14] += W[i, 6] * hx + W[i, 7] * hy + W[i, 8] * hz


@entry(IN2, IN1, OUT1)
def gravity(M, q, out):
    """Efforts that hold the robot against gravity, (n,)."""
    n = q.shape[0]
    if M.shape[0] != n + 1 or out.shape[0] != n:
        raise ValueError("shape")
    if not finite(q):
        raise ValueError("not finite")
    holding_efforts(M, q, out)


@entry(IN2, IN2, OUT2, nogil=True)
def gravity_batch(M, Q, out):
    """Holding efforts for every row of Q, (b, n)."""
    n = Q.shape[1]
    if M.shape[0] != n + 1 or out.shape != Q.shape:
        raise ValueError("shape")
    for b in range(Q.shape[0]):
        if not finite(Q[b]):
            raise ValueError("not finite")
        holding_efforts(M, Q[b], out[b])
