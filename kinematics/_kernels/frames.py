"""Where frames are and how they move: poses and Jacobians of many frames, or of one chain.

Arguments: ``M`` model rows with a row for each of k frames below (n+1+k, 32), ``C`` chain
(joints on it + 1, 16), ``q`` joint positions (n,). Results go into the last argument.

Jacobian rows: linear, then angular; world axes; velocity of the frame's own origin.
"""

import numpy as np

from .checks import finite
from .declare import F8, IN1, IN2, IN3, MODEL, OUT2, OUT3, OUT4, entry, inline
from .layout import (
    CHAIN_DOF,
    CHAIN_JOINT,
    CHAIN_PLACEMENT,
    CHAIN_SCALE,
    CHAIN_SLIDES,
    PARENT,
    PLACEMENT,
    SCALE,
    SLIDES,
)
from .rigid import (
    IDENTITY,
    axis,
    block,
    moved,
    mul,
    origin,
    rotate,
    store,
    write_matrix,
)
from .scratch import carray, stack
from .sines import chain_turns, room, turns
from .vectors import ZERO, cross, minus, plus, put, put_column, times, triple

unsigned = np.uint64  # an index of this type is not looked at for being negative


@inline
def place_bodies(M, q, A, W):
    """Placement of the base, A, into row 0 of W (n+1, >= 12), and of every body like it."""
    n = q.shape[0]
    T = carray(stack(64 * 3), (3, 64)) if n < 64 else np.empty((3, room(n)))
    turns(M, q, T)
    store(W, 0, A)
    for i in range(1, n + 1):
        parent = int(M[i, PARENT])
        if parent != i - 1:
            A = block(W, unsigned(parent), 0)
        A = moved(mul(A, block(M, i, PLACEMENT)), M[i, SLIDES], T, i - 1)
        store(W, i, A)


@inline
def put_joint(J, c, slides, z, r):
    """Column c of a Jacobian (6, n): of a joint that moves by z along or about its axis.

    ``r`` goes from the axis to the frame.
    """
    if slides != 0.0:
        put_column(J, 0, c, z)
        put_column(J, 3, c, ZERO)
    else:
        put_column(J, 0, c, cross(z, r))
        put_column(J, 3, c, z)


@inline
def poses_of(M, q, out):
    """Poses of all frames, into out (k, 4, 4)."""
    n = q.shape[0]
    W = carray(stack(64 * 12), (64, 12)) if n < 64 else np.empty((n + 1, 12))
    place_bodies(M, q, block(M, 0, PLACEMENT), W)
    for i in range(out.shape[0]):
        f = unsigned(n + 1 + i)
        write_matrix(out[i], mul(block(W, unsigned(M[f, PARENT]), 0), block(M, f, PLACEMENT)))


@inline
def jacobians_of(M, q, out):
    """Jacobians of all frames, into out (k, 6, n)."""
    n = q.shape[0]
    W = carray(stack(64 * 12), (64, 12)) if n < 64 else np.empty((n + 1, 12))
    place_bodies(M, q, block(M, 0, PLACEMENT), W)
    for i in range(out.shape[0]):
        f = unsigned(n + 1 + i)
        j = int(M[f, PARENT])
        A = block(W, unsigned(j), 0)
        p = plus(origin(A), rotate(A, origin(block(M, f, PLACEMENT))))
        above = n
        while True:
            for column in range(j, above):  # these joints do not move the frame
                c = unsigned(column)
                put_column(out[i], 0, c, ZERO)
                put_column(out[i], 3, c, ZERO)
            if j == 0:
                break
            b = unsigned(j)
            A = block(W, b, 0)
            z = times(axis(A), M[b, SCALE])
            put_joint(out[i], unsigned(j - 1), M[b, SLIDES], z, minus(p, origin(A)))
            above = j - 1
            j = int(M[b, PARENT])


@inline
def chain_pose_of(C, q, out):
    """Pose of the end of a chain, into out (4, 4)."""
    if C[C.shape[0] - 1, CHAIN_DOF] != q.shape[0]:
        raise ValueError("shape")
    k = C.shape[0] - 1
    T = carray(stack(64 * 3), (3, 64)) if k < 64 else np.empty((3, room(k)))
    chain_turns(C, q, T)
    A = IDENTITY
    for i in range(k):
        A = moved(mul(A, block(C, i, CHAIN_PLACEMENT)), C[i, CHAIN_SLIDES], T, i)
    A = mul(A, block(C, k, CHAIN_PLACEMENT))
    if not_finite_end(A) or (k != q.shape[0] and not finite(q)):
        raise ValueError("not finite")
    write_matrix(out, A)


@inline
def chain_jacobian_of(C, q, J):
    """Jacobian of the end of a chain, into J (6, n)."""
    n = q.shape[0]
    k = C.shape[0] - 1
    if C[k, CHAIN_DOF] != n:
        raise ValueError("shape")
    # Columns: 0-2 point on the axis, 3-5 its direction.
    W = carray(stack(64 * 6), (64, 6)) if k < 64 else np.empty((k, 6))
    T = carray(stack(64 * 3), (3, 64)) if k < 64 else np.empty((3, room(k)))
    chain_turns(C, q, T)
    A = IDENTITY
    for i in range(k):
        A = moved(mul(A, block(C, i, CHAIN_PLACEMENT)), C[i, CHAIN_SLIDES], T, i)
        put(W, i, 0, origin(A))
        put(W, i, 3, axis(A))
    A = mul(A, block(C, k, CHAIN_PLACEMENT))
    if not_finite_end(A) or (k != n and not finite(q)):
        raise ValueError("not finite")
    if k != n:
        for r in range(6):
            for column in range(n):
                J[r, column] = 0.0
    for i in range(k):
        c = unsigned(int(C[i, CHAIN_JOINT]))
        z = times(triple(W, i, 3), C[i, CHAIN_SCALE])
        put_joint(J, c, C[i, CHAIN_SLIDES], z, minus(origin(A), triple(W, i, 0)))


@inline
def not_finite_end(A):
    """Whether a joint on the chain was not finite: that leaves its mark on the end."""
    return 0.0 * A[0] + 0.0 * A[3] + 0.0 * A[7] + 0.0 * A[11] != 0.0


@entry(MODEL, IN1, OUT3)
def poses(M, q, out):
    """Poses of all frames, (k, 4, 4)."""
    if out.shape != (M.shape[0] - q.shape[0] - 1, 4, 4):
        raise ValueError("shape")
    if not finite(q):
        raise ValueError("not finite")
    poses_of(M, q, out)


@entry(MODEL, IN2, OUT4, nogil=True)
def poses_batch(M, Q, out):
    """Poses of all frames for every row of Q, (b, k, 4, 4)."""
    if out.shape != (Q.shape[0], M.shape[0] - Q.shape[1] - 1, 4, 4):
        raise ValueError("shape")
    for b in range(Q.shape[0]):
        if not finite(Q[b]):
            raise ValueError("not finite")
        poses_of(M, Q[b], out[b])


@entry(MODEL, IN1, OUT3)
def jacobians(M, q, out):
    """Jacobians of all frames, (k, 6, n)."""
    n = q.shape[0]
    if out.shape != (M.shape[0] - n - 1, 6, n):
        raise ValueError("shape")
    if not finite(q):
        raise ValueError("not finite")
    jacobians_of(M, q, out)


@entry(MODEL, IN2, OUT4, nogil=True)
def jacobians_batch(M, Q, out):
    """Jacobians of all frames for every row of Q, (b, k, 6, n)."""
    n = Q.shape[1]
    if out.shape != (Q.shape[0], M.shape[0] - n - 1, 6, n):
        raise ValueError("shape")
    for b in range(Q.shape[0]):
        if not finite(Q[b]):
            raise ValueError("not finite")
        jacobians_of(M, Q[b], out[b])


@entry(MODEL, IN1, OUT2)
def chain_pose(C, q, out):
    """Pose of the end of a chain, (4, 4)."""
    if out.shape != (4, 4):
        raise ValueError("shape")
    chain_pose_of(C, q, out)


@entry(MODEL, IN2, OUT3, nogil=True)
def chain_pose_batch(C, Q, out):
    """Pose of the end of a chain for every row of Q, (b, 4, 4)."""
    if out.shape != (Q.shape[0], 4, 4):
        raise ValueError("shape")
    for b in range(Q.shape[0]):
        chain_pose_of(C, Q[b], out[b])


@entry(MODEL, IN1, OUT2)
def chain_jacobian(C, q, out):
    """Jacobian of the end of a chain, (6, n)."""
    if out.shape != (6, q.shape[0]):
        raise ValueError("shape")
    chain_jacobian_of(C, q, out)


@entry(MODEL, IN2, OUT3, nogil=True)
def chain_jacobian_batch(C, Q, out):
    """Jacobian of the end of a chain for every row of Q, (b, 6, n)."""
    if out.shape != (Q.shape[0], 6, Q.shape[1]):
        raise ValueError("shape")
    for b in range(Q.shape[0]):
        chain_jacobian_of(C, Q[b], out[b])


@entry(IN3, F8, OUT3)
def change_reference(T, body, J):
    """Turn world Jacobians J (m, 6, n) of frames at T (m, 4, 4) into another reference, in place.

    ``body`` not 0: axes of the frame, its own origin. 0: world axes, at the world's origin.
    """
    for i in range(J.shape[0]):
        x = T[i, 0, 3]; y = T[i, 1, 3]; z = T[i, 2, 3]  # fmt: skip
        for c in range(J.shape[2]):
            vx = J[i, 0, c]
            vy = J[i, 1, c]
            vz = J[i, 2, c]
            wx = J[i, 3, c]; wy = J[i, 4, c]; wz = J[i, 5, c]  # fmt: skip
            if body != 0.0:
                for r in range(3):
                    J[i, r, c] = T[i, 0, r] * vx + T[i, 1, r] * vy + T[i, 2, r] * vz
                    J[i, r + 3, c] = T[i, 0, r] * wx + T[i, 1, r] * wy + T[i, 2, r] * wz
            else:
                J[i, 0, c] = vx + y * wz - z * wy
                J[i, 1, c] = vy + z * wx - x * wz
                J[i, 2, c] = vz + x * wy - y * wx
