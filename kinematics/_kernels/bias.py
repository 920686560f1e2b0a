"""Acceleration of a frame that velocities alone cause: (dJ/dt) times v, world axes.

Linear acceleration is that of the frame's own origin.
"""

import numpy as np

from .checks import both_finite
from .declare import IN1, IN2, OUT1, OUT2, entry, helper
from .layout import CHAIN_DOF, CHAIN_JOINT, CHAIN_PLACEMENT, CHAIN_SCALE, CHAIN_SLIDES
from .rates import add_joint_rates, relative_acceleration
from .rigid import IDENTITY, axis, block, moved, mul, origin
from .scratch import carray, stack
from .sines import chain_turns, room
from .vectors import ZERO, minus, plus, times


@helper
def chain_bias_of(C, q, v, out):
    """Bias acceleration of the end of a chain, into out (6,): linear, angular."""
    k = C.shape[0] - 1
    T = carray(stack(64 * 3), (3, 64)) if k < 64 else np.empty((3, room(k)))
    chain_turns(C, q, T)
    A = IDENTITY
    w = ZERO
    e = ZERO
    a = ZERO
    for i in range(k + 1):
        p = origin(A)
        A = mul(A, block(C, i, CHAIN_PLACEMENT))
        if i < k:
            A = moved(A, C[i, CHAIN_SLIDES], T, i)
        r = minus(origin(A), p)
        a = plus(a, relative_acceleration(w, e, r))
        if i < k:
            z = times(axis(A), v[int(C[i, CHAIN_JOINT])] * C[i, CHAIN_SCALE])
            a, w, e = add_joint_rates(C[i, CHAIN_SLIDES], z, a, w, e)
    for r in range(3):
        out[r] = a[r]
        out[r + 3] = e[r]


@entry(IN2, IN1, IN1, OUT1)
def chain_bias(C, q, v, out):
    """Bias acceleration of one frame, (6,)."""
    n = q.shape[0]
    if C[C.shape[0] - 1, CHAIN_DOF] != n or v.shape[0] != n or out.shape[0] != 6:
        raise ValueError("shape")
    if not both_finite(q, v):
        raise ValueError("not finite")
    chain_bias_of(C, q, v, out)


@entry(IN2, IN2, IN2, OUT2, nogil=True)
def chain_bias_batch(C, Q, V, out):
    """Bias acceleration of one frame in every row, (b, 6)."""
    n = Q.shape[1]
    if C[C.shape[0] - 1, CHAIN_DOF] != n or V.shape != Q.shape or out.shape != (Q.shape[0], 6):
        raise ValueError("shape")
    for b in range(Q.shape[0]):
        if not both_finite(Q[b], V[b]):
            raise ValueError("not finite")
        chain_bias_of(C, Q[b], V[b], out[b])
