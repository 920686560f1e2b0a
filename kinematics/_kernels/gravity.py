"""Efforts that hold a robot against gravity, by augmented bodies (Wittenburg 1977).

The masses beyond a turning joint act as if they were fixed at its origin, so that no positions
are needed: gravity is turned outward through the bodies, first moments are turned inward.
"""

import numpy as np

from .checks import MISFIT, finite, fits_position, fits_rows
from .declare import IN1, IN2, MODEL, OUT1, OUT2, entry, inline
from .layout import AUGMENTED_MOMENT, GRAVITY, PARENT, PLACEMENT, SCALE, SLIDES, SUBTREE_MASS
from .rigid import block, rotate, rotate_back
from .scratch import carray, stack
from .sines import room, turns
from .vectors import ZERO, increase, plus, put, triple

# Columns of the working memory: 0-1 cos and sin, 2 joint motion, then
FALL = 3  # gravity, body axes
REST = 6  # first moments from all but the next row


@inline
def holding_efforts(M, q, out):
    """Holding efforts into out (n,); out may be q itself."""
    n = q.shape[0]
    W = carray(stack(64 * 9), (64, 9)) if n < 64 else np.empty((n + 1, 9))
    T = carray(stack(64 * 3), (3, 64)) if n < 64 else np.empty((3, room(n)))
    turns(M, q, T)
    fall = rotate_back(block(M, 0, PLACEMENT), triple(M, 0, GRAVITY))
    put(W, 0, FALL, fall)
    for i in range(1, n + 1):
        parent = int(M[i, PARENT])
        if parent != i - 1:
            fall = triple(W, parent, FALL)
        x, y, z = rotate_back(block(M, i, PLACEMENT), fall)
        c = 1.0
        s = 0.0
        if M[i, SLIDES] == 0.0:
            c = T[2, i - 1]
            s = T[1, i - 1]
        fall = (c * x + s * y, c * y - s * x, z)
        W[i, 0] = c
        W[i, 1] = s
        W[i, 2] = T[0, i - 1]
        put(W, i, FALL, fall)
        put(W, i, REST, ZERO)
    h = ZERO
    for i in range(n, 0, -1):
        hx, hy, hz = plus(h, plus(triple(M, i, AUGMENTED_MOMENT), triple(W, i, REST)))
        if M[i, SLIDES] != 0.0:
            out[i - 1] = -M[i, SUBTREE_MASS] * W[i, FALL + 2] * M[i, SCALE]
            hz += M[i, SUBTREE_MASS] * W[i, 2]
        else:
            out[i - 1] = (hy * W[i, FALL] - hx * W[i, FALL + 1]) * M[i, SCALE]
        x = W[i, 0] * hx - W[i, 1] * hy
        y = W[i, 1] * hx + W[i, 0] * hy
        h = rotate(block(M, i, PLACEMENT), (x, y, hz))
        parent = int(M[i, PARENT])
        if parent != i - 1:  # the next row is another branch: leave the moments with the parent
            increase(W, parent, REST, h)
            h = ZERO


@entry(MODEL, IN1, OUT1)
def gravity(M, q, out):
    """Efforts that hold the robot against gravity, (n,)."""
    if out.shape[0] != q.shape[0] or not fits_position(M, q):
        raise ValueError(MISFIT)
    holding_efforts(M, q, out)


@entry(MODEL, IN2, OUT2, nogil=True)
def gravity_batch(M, Q, out):
    """Holding efforts for every row of Q, (b, n)."""
    if out.shape != Q.shape or not fits_rows(M, Q):
        raise ValueError(MISFIT)
    for b in range(Q.shape[0]):
        if not finite(Q[b]):
            raise ValueError("not finite")
        holding_efforts(M, Q[b], out[b])
