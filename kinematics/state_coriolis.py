"""The Coriolis matrix of a robot with a free base, from the bodies' Jacobians and their rates.

With J_p the Jacobian of a mass point, C is the sum of m J_p^T (dJ_p/dt), as in
``_kernels/dynamics_coriolis.py``: so C times the velocity are the velocity terms of inverse
dynamics, and dM/dt = C + C^T. For a body with (mass, first moment h, second moments J) about its
origin, world axes, W = [w]x and Jacobian (linear rows L, angular rows A), the sum is

    (L, A)^T (G (dL/dt, dA/dt) + K (L, A)),
    G = (m, -[h]x; [h]x, tr(J) 1 - J),      K = (0, -[W h]x; 0, -W J)
"""

import numpy as np

from .representation import cross, moved
from .robot import SLIDES
from .state_core import MOTION, TWIST, Place
from .state_momentum import StateMomentum
from .transforms import FloatArray, skew


def free_coriolis(state: StateMomentum) -> FloatArray:
    """Return the Coriolis matrix of the bodies, mixed, base first, shape (dof + 6, dof + 6)."""
    jacobians, rates = _bodies(state)
    m, h, moments = state._masses
    turn = skew(state._array[:, TWIST][:, 3:])
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


def jacobian_rate(state: StateMomentum, place: Place) -> FloatArray:
    """Return the rate of the Jacobian of a frame of a floating state, mixed, (6, dof + 6)."""
    jacobians, rates = _bodies(state)
    turn = state._array[place.body, TWIST][3:]
    rate: FloatArray = moved(place.arm) @ rates[place.body]
    rate[:3] -= skew(cross(turn, place.arm)) @ jacobians[place.body, 3:]
    return rate


def _bodies(state: StateMomentum) -> tuple[FloatArray, FloatArray]:
    """Return the Jacobian of each body's origin, and its rate, mixed, (n+1, 6, dof + 6)."""
    n = state.model.dof
    V = state._array[:, TWIST]
    way = state._poses[:, :, 3] - state.T_world_base[:3, 3]
    drift = V[:, :3] - V[0, :3]
    slides = state._rows[1:, SLIDES, None]
    at_base, z = state._array[1:, MOTION][:, :3], state._array[1:, MOTION][:, 3:]
    # Rates of each joint's own motion (of the point at the base's origin, and angular).
    z_rate = np.cross(V[1:, 3:], z)
    at_base_rate = slides * np.cross(V[1:, 3:], at_base)
    at_base_rate += np.cross(drift[1:], z) + np.cross(way[1:], z_rate)
    jacobians, rates = np.zeros((2, n + 1, 6, n + 6))
    jacobians[:, range(6), range(6)] = 1.0
    jacobians[:, :3, 3:6] = -skew(way)
    rates[:, :3, 3:6] = -skew(drift)
    moves = np.array([state._moves(body) for body in range(n + 1)]).reshape(n + 1, n, 1)
    linear = at_base + np.cross(z, way[:, None])  # (n+1, n, 3): joint j, at body i
    linear_rate = at_base_rate + np.cross(z_rate, way[:, None]) + np.cross(z, drift[:, None])
    columns = np.concatenate([linear, np.broadcast_to(z, linear.shape)], axis=2) * moves
    jacobians[:, :, 6:] = columns.transpose(0, 2, 1)
    columns = np.concatenate([linear_rate, np.broadcast_to(z_rate, linear.shape)], axis=2) * moves
    rates[:, :, 6:] = columns.transpose(0, 2, 1)
    return jacobians, rates
