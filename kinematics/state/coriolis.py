"""The Coriolis matrix of a robot with a free base, from the bodies' Jacobians and their rates.

With J_p the Jacobian of a mass point, C is the sum of m J_p^T (dJ_p/dt), as in
``_kernels/dynamics_coriolis.py``: so C times the velocity are the velocity terms of inverse
dynamics, and dM/dt = C + C^T. For a body with (mass, first moment h, second moments J) about its
origin, world axes, W = [w]x and Jacobian (linear rows L, angular rows A), the sum is

    (L, A)^T (G (dL/dt, dA/dt) + K (L, A)),
    G = (m, -[h]x; [h]x, tr(J) 1 - J),      K = (0, -[W h]x; 0, -W J)
"""

import numpy as np

from armwright.kinematics.arrays import FloatArray
from armwright.kinematics.transforms import skew

from .bodies import MOTION, TWIST, array, body_poses, moving_joints, placed
from .coordinates import coordinates, to_columns, to_rows
from .data import StateData
from .momentum import masses_in_world, root_momentum_jacobian


def free_coriolis(state: StateData) -> FloatArray:
    """Return the Coriolis matrix of the bodies of a floating state, shape (size, size).

    In other coordinates it is B^T (C B + M dB/dt): so dM/dt stays C + C^T.
    """
    C, change = _root_coriolis(state), coordinates(state)
    if change is None:
        return C
    pushed = to_columns(C, change)
    M_base = root_momentum_jacobian(state).T  # the columns of M that dB/dt meets
    pushed[:, :6] += M_base @ change.X_rate
    if state._chosen is not None:
        moves = moving_joints(state, placed(state, state._chosen).body)
        pushed[:, 6:] -= M_base @ (np.hstack(_motion_rates(state)) * moves[:, None]).T  # dY/dt
    return to_rows(pushed, change)


def _root_coriolis(state: StateData) -> FloatArray:
    """Return the Coriolis matrix for the root's velocities, shape (dof + 6, dof + 6)."""
    jacobians, rates = _bodies(state)
    m, h, moments = masses_in_world(state)
    turn = skew(array(state)[:, TWIST][:, 3:])
    count = len(m)
    inertia, change = np.zeros((2, count, 6, 6))
    inertia[:, :3, :3] = m[:, None, None] * np.eye(3)
    inertia[:, 3:, :3] = skew(h)
    inertia[:, :3, 3:] = -inertia[:, 3:, :3]
    inertia[:, 3:, 3:] = np.trace(moments, axis1=1, axis2=2)[:, None, None] * np.eye(3) - moments
    change[:, :3, 3:] = -skew((turn @ h[:, :, None])[:, :, 0])
    change[:, 3:, 3:] = -turn @ moments
    pushed = inertia @ rates + change @ jacobians
    C: FloatArray = (jacobians.transpose(0, 2, 1) @ pushed).sum(axis=0)
    return C


def _motion_rates(state: StateData) -> tuple[FloatArray, FloatArray]:
    """Return the rates of each joint's own motion: of the point at the root's origin, angular."""
    V = array(state)[:, TWIST]
    way = body_poses(state)[1:, :, 3] - state._root_pose[:3, 3]
    at_root, z = array(state)[1:, MOTION][:, :3], array(state)[1:, MOTION][:, 3:]
    z_rate = np.cross(V[1:, 3:], z)
    slides = state.model.joint_slides[:, None] * 1.0
    rate = slides * np.cross(V[1:, 3:], at_root)
    rate += np.cross(V[1:, :3] - V[0, :3], z) + np.cross(way, z_rate)
    return rate, z_rate


def _bodies(state: StateData) -> tuple[FloatArray, FloatArray]:
    """Return the Jacobian of each body's origin, and its rate, mixed, (n+1, 6, dof + 6)."""
    n = state.model.dof
    V = array(state)[:, TWIST]
    way = body_poses(state)[:, :, 3] - state._root_pose[:3, 3]
    drift = V[:, :3] - V[0, :3]
    at_root, z = array(state)[1:, MOTION][:, :3], array(state)[1:, MOTION][:, 3:]
    at_root_rate, z_rate = _motion_rates(state)
    jacobians, rates = np.zeros((2, n + 1, 6, n + 6))
    jacobians[:, range(6), range(6)] = 1.0
    jacobians[:, :3, 3:6] = -skew(way)
    rates[:, :3, 3:6] = -skew(drift)
    moves = np.array([moving_joints(state, body) for body in range(n + 1)]).reshape(n + 1, n, 1)
    linear = at_root + np.cross(z, way[:, None])  # (n+1, n, 3): joint j, at body i
    linear_rate = at_root_rate + np.cross(z_rate, way[:, None]) + np.cross(z, drift[:, None])
    columns = np.concatenate([linear, np.broadcast_to(z, linear.shape)], axis=2) * moves
    jacobians[:, :, 6:] = columns.transpose(0, 2, 1)
    columns = np.concatenate([linear_rate, np.broadcast_to(z_rate, linear.shape)], axis=2) * moves
    rates[:, :, 6:] = columns.transpose(0, 2, 1)
    return jacobians, rates
