"""Efforts that hold a robot against gravity, by augmented bodies (Wittenburg 1977).

The masses beyond a turning joint act as if they were fixed at its origin, so that no positions
are needed: gravity is turned outward through the bodies, first moments are turned inward. ``M``
holds the model rows of ``compile.py``, gravity in world axes in row 0.
"""

import numpy as np

from .declare import IN1, IN2, MODEL, OUT1, OUT2, entry, inline
from .rigid import finite
from .scratch import carray, stack
from .sines import room, turns

PARENT = 0
SLIDES = 1
MSUB = 3
AUG = 26
GRAVITY = 29
SCALE = 30


@inline
def holding_efforts(M, q, out):
    """Holding efforts into out (n,); out may be q itself."""
    n = q.shape[0]
    # Columns: 0-1 cos and sin, 2 joint motion, 3-5 gravity, 6-8 moments from all but the next row.
    W = carray(stack(64 * 9), (64, 9)) if n < 64 else np.empty((n + 1, 9))
    T = carray(stack(64 * 3), (3, 64)) if n < 64 else np.empty((3, room(n)))
    turns(M, q, T)
    x = M[0, GRAVITY]; y = M[0, GRAVITY + 1]; z = M[0, GRAVITY + 2]  # fmt: skip
    gx = M[0, 4] * x + M[0, 8] * y + M[0, 12] * z
    gy = M[0, 5] * x + M[0, 9] * y + M[0, 13] * z
    gz = M[0, 6] * x + M[0, 10] * y + M[0, 14] * z
    W[0, 3] = gx; W[0, 4] = gy; W[0, 5] = gz  # fmt: skip
    for i in range(1, n + 1):
        parent = int(M[i, PARENT])
        if parent != i - 1:
            gx = W[parent, 3]; gy = W[parent, 4]; gz = W[parent, 5]  # fmt: skip
        x = M[i, 4] * gx + M[i, 8] * gy + M[i, 12] * gz
        y = M[i, 5] * gx + M[i, 9] * gy + M[i, 13] * gz
        gz = M[i, 6] * gx + M[i, 10] * gy + M[i, 14] * gz
        d = T[0, i - 1]
        c = 1.0
        s = 0.0
        if M[i, SLIDES] == 0.0:
            c = T[2, i - 1]
            s = T[1, i - 1]
        gx = c * x + s * y
        gy = c * y - s * x
        W[i, 0] = c
        W[i, 1] = s
        W[i, 2] = d
        W[i, 3] = gx
        W[i, 4] = gy
        W[i, 5] = gz
        W[i, 6] = 0.0; W[i, 7] = 0.0; W[i, 8] = 0.0  # fmt: skip
    hx = 0.0; hy = 0.0; hz = 0.0  # fmt: skip
    for i in range(n, 0, -1):
        hx += M[i, AUG] + W[i, 6]
        hy += M[i, AUG + 1] + W[i, 7]
        hz += M[i, AUG + 2] + W[i, 8]
        if M[i, SLIDES] != 0.0:
            out[i - 1] = -M[i, MSUB] * W[i, 5] * M[i, SCALE]
            hz += M[i, MSUB] * W[i, 2]
        else:
            out[i - 1] = (hy * W[i, 3] - hx * W[i, 4]) * M[i, SCALE]
        x = W[i, 0] * hx - W[i, 1] * hy
        y = W[i, 1] * hx + W[i, 0] * hy
        z = hz
        hx = M[i, 4] * x + M[i, 5] * y + M[i, 6] * z
        hy = M[i, 8] * x + M[i, 9] * y + M[i, 10] * z
        hz = M[i, 12] * x + M[i, 13] * y + M[i, 14] * z
        parent = int(M[i, PARENT])
        if parent != i - 1:  # the next row is another branch: leave the moments with the parent
            W[parent, 6] += hx
            W[parent, 7] += hy
            W[parent, 8] += hz
            hx = 0.0; hy = 0.0; hz = 0.0  # fmt: skip


@entry(MODEL, IN1, OUT1)
def gravity(M, q, out):
    """Efforts that hold the robot against gravity, (n,)."""
    n = q.shape[0]
    if M.shape[0] != n + 1 or out.shape[0] != n:
        raise ValueError("shape")
    if not finite(q):
        raise ValueError("not finite")
    holding_efforts(M, q, out)


@entry(MODEL, IN2, OUT2, nogil=True)
def gravity_batch(M, Q, out):
    """Holding efforts for every row of Q, (b, n)."""
    n = Q.shape[1]
    if M.shape[0] != n + 1 or out.shape != Q.shape:
        raise ValueError("shape")
    for b in range(Q.shape[0]):
        if not finite(Q[b]):
            raise ValueError("not finite")
        holding_efforts(M, Q[b], out[b])
