"""Acceleration of a frame that velocities alone cause: (dJ/dt) times v, world axes.

The chain is that of ``compile.chain_to``: one row for each joint on the way, then the frame's own.
Linear acceleration is that of the frame's own origin.
"""

import numpy as np

from .declare import IN1, IN2, OUT1, OUT2, entry, helper
from .dynamics_coriolis import both_finite
from .rigid import IDENTITY, block, moved, mul
from .scratch import carray, stack
from .sines import chain_turns, room

DOF = 3  # column of the last row of a chain


@helper
def chain_bias_of(C, q, v, out):
    """Bias acceleration of the end of a chain, into out (6,): linear, angular."""
    k = C.shape[0] - 1
    T = carray(stack(64 * 3), (3, 64)) if k < 64 else np.empty((3, room(k)))
    chain_turns(C, q, T)
    A = IDENTITY
    wx = 0.0; wy = 0.0; wz = 0.0  # fmt: skip
    ex = 0.0; ey = 0.0; ez = 0.0  # fmt: skip
    ax = 0.0; ay = 0.0; az = 0.0  # fmt: skip
    for i in range(k + 1):
        px = A[3]; py = A[7]; pz = A[11]  # fmt: skip
        A = mul(A, block(C, i, 4))
        if i < k:
            A = moved(A, C[i, 1], T, i)
        x = A[3] - px
        y = A[7] - py
        z = A[11] - pz
        cx = wy * z - wz * y
        cy = wz * x - wx * z
        cz = wx * y - wy * x
        ax += ey * z - ez * y + wy * cz - wz * cy
        ay += ez * x - ex * z + wz * cx - wx * cz
        az += ex * y - ey * x + wx * cy - wy * cx
        if i < k:
            speed = v[int(C[i, 0])] * C[i, 2]
            x = A[2] * speed
            y = A[6] * speed
            z = A[10] * speed
            cx = wy * z - wz * y
            cy = wz * x - wx * z
            cz = wx * y - wy * x
            if C[i, 1] != 0.0:
                ax += 2.0 * cx
                ay += 2.0 * cy
                az += 2.0 * cz
            else:
                ex += cx
                ey += cy
                ez += cz
                wx += x
                wy += y
                wz += z
    out[0] = ax
    out[1] = ay
    out[2] = az
    out[3] = ex
    out[4] = ey
    out[5] = ez


@entry(IN2, IN1, IN1, OUT1)
def chain_bias(C, q, v, out):
    """Bias acceleration of one frame, (6,)."""
    n = q.shape[0]
    if C[C.shape[0] - 1, DOF] != n or v.shape[0] != n or out.shape[0] != 6:
        raise ValueError("shape")
    if not both_finite(q, v):
        raise ValueError("not finite")
    chain_bias_of(C, q, v, out)


@entry(IN2, IN2, IN2, OUT2, nogil=True)
def chain_bias_batch(C, Q, V, out):
    """Bias acceleration of one frame in every row, (b, 6)."""
    n = Q.shape[1]
    if C[C.shape[0] - 1, DOF] != n or V.shape != Q.shape or out.shape != (Q.shape[0], 6):
        raise ValueError("shape")
    for b in range(Q.shape[0]):
        if not both_finite(Q[b], V[b]):
            raise ValueError("not finite")
        chain_bias_of(C, Q[b], V[b], out[b])
