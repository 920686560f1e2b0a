"""One change of coordinates: from the root's mixed velocities to those that a state is given in.

The velocities nu of a floating state are the twist of its base in its representation, then v. The
kernels know nu_root: the mixed twist of the root, then v. With

    nu = A nu_root,   B = A^-1 = (X, Y; 0, 1),   drift = -B (dA/dt) nu_root

everything follows from what the kernels give (Traversaro, Pucci and Nori, On the base frame choice
in free-floating mechanical systems, 2015):

    Jacobians        J B                  mass matrix      B^T M B
    efforts          B^T tau              bias efforts     B^T (h + M drift)
    biases           b + J drift          accelerations    A (nu_root' - drift)

A bias is what accelerates when neither the base's numbers nor the joints do. Momenta and average
velocities, which are those of the base, are X^T h and X^-1 V, also when it is fixed. Where base and
root are one and the state is mixed, X is 1 and nothing is multiplied.
"""

from typing import NamedTuple

import numpy as np

from armwright.kinematics.arrays import FloatArray
from armwright.kinematics.representation import Representation

from .bodies import base_velocity, bias_at, bounded, motions_of, placed, root_twist
from .cached import cached
from .data import StateData
from .twists import shift, shift_rate, twist_back, twist_change, twist_change_rate


class Coordinates(NamedTuple):
    """How the base's six numbers give the root's twist: V_root = X V + Y v.

    Attributes:
        X: Shape (6, 6).
        X_inverse: Shape (6, 6).
        X_rate: Time derivative of X.
        Y: Shape (6, dof); None for zeros, where base and root are one.
        drift: Acceleration of the root when nu does not change, shape (6,).
    """

    X: FloatArray
    X_inverse: FloatArray
    X_rate: FloatArray
    Y: FloatArray | None
    drift: FloatArray


def coordinates(
    state: StateData, representation: Representation | None = None
) -> Coordinates | None:
    """Return those of the velocities; None where they are the root's, or the base is fixed.

    Args:
        state: The state.
        representation: Of the base's twist; None: that of the state.
    """
    return base_coordinates(state, representation) if state.floating else None


def base_coordinates(
    state: StateData, representation: Representation | None = None
) -> Coordinates | None:
    """Return those of the base, which may be fixed; None where they are the root's."""
    wanted = state.representation if representation is None else representation
    if wanted is Representation.MIXED and state._chosen is None:
        return None
    known = _known(state)
    if wanted not in known:
        known[wanted] = _computed(state, wanted)
    return known[wanted]


@cached
def _known(state: StateData) -> dict[Representation, Coordinates]:
    """Coordinates that were asked for."""
    return {}


def _computed(state: StateData, representation: Representation) -> Coordinates:
    """Return the coordinates for the base in a representation."""
    R, p = state.T_world_base[:3, :3], state.T_world_base[:3, 3]
    V = base_velocity(state)
    X, X_inverse = twist_back(representation, R, p), twist_change(representation, R, p)
    rate = twist_change_rate(representation, R, V)
    X_rate = -X @ rate @ X
    drift = -X @ (rate @ V)
    if state._chosen is None:
        return Coordinates(X, X_inverse, X_rate, None, drift)
    base = placed(state, state._chosen)
    way = state._root_pose[:3, 3] - p
    to_root = shift(way)
    X_rate = shift_rate(root_twist(state)[:3] - V[:3]) @ X + to_root @ X_rate
    drift = to_root @ (drift - bias_at(state, base))
    # The joints that carry the base move it as they do the root's body, were it to turn with them.
    Y = -motions_of(state, base.body).T
    return Coordinates(to_root @ X, X_inverse @ shift(-way), X_rate, Y, drift)


def to_columns(J: FloatArray, change: Coordinates | None) -> FloatArray:
    """Return J B, for a matrix J with a column for each velocity.

    A joint that moves both base and frame gets a column of exact zeros, where the columns of J are
    twists at the root's origin.
    """
    if change is None:
        return J
    joints = J[:, 6:] if change.Y is None else J[:, 6:] + J[:, :6] @ change.Y
    return np.hstack([J[:, :6] @ change.X, joints])


def to_rows(tau: FloatArray, change: Coordinates | None) -> FloatArray:
    """Return B^T tau, for efforts or a matrix with a row for each velocity."""
    if change is None:
        return tau
    joints = tau[6:] if change.Y is None else tau[6:] + change.Y.T @ tau[:6]
    return np.concatenate([change.X.T @ tau[:6], joints])


def from_rows(tau: FloatArray, change: Coordinates | None) -> FloatArray:
    """Return A^T tau, the root's efforts."""
    if change is None:
        return tau
    base = change.X_inverse.T @ tau[:6]
    joints = tau[6:] if change.Y is None else tau[6:] - change.Y.T @ base
    return np.concatenate([base, joints])


def to_velocities(nu: FloatArray, change: Coordinates | None) -> FloatArray:
    """Return A nu, for velocities or columns of them."""
    if change is None:
        return nu
    base = nu[:6] if change.Y is None else nu[:6] - change.Y @ nu[6:]
    return np.concatenate([change.X_inverse @ base, nu[6:]])


def to_accelerations(rate: FloatArray, change: Coordinates | None) -> FloatArray:
    """Return A (nu_root' - drift)."""
    if change is None:
        return rate
    return to_velocities(np.concatenate([rate[:6] - change.drift, rate[6:]]), change)


def to_bias(bias: FloatArray, J: FloatArray, change: Coordinates | None) -> FloatArray:
    """Return b + J drift."""
    return bias if change is None else bias + J[:, :6] @ change.drift


@cached
def postural_jacobian(state: StateData) -> FloatArray:
    """What maps the generalized velocity to v: zeros for a free base, ones, (dof, size)."""
    return np.eye(state.model.dof, state.size, state.size - state.model.dof)


@cached
def base_acceleration(state: StateData) -> FloatArray:
    """Acceleration of the base, mixed, shape (6,)."""
    if state.representation is Representation.MIXED:
        return state.base_acceleration
    R, p = state.T_world_base[:3, :3], state.T_world_base[:3, 3]
    V = base_velocity(state)
    rate = twist_change_rate(state.representation, R, V) @ V
    mixed = twist_back(state.representation, R, p) @ (state.base_acceleration - rate)
    return bounded(mixed, "base_acceleration")


@cached
def root_acceleration(state: StateData) -> FloatArray:
    """Acceleration of a free root, mixed, then a: shape (size,)."""
    if not state.floating:
        return state.a
    A = base_acceleration(state)
    change = coordinates(state, Representation.MIXED)
    if change is not None and change.Y is not None:
        A = change.X @ A + change.Y @ state.a + change.drift
    return np.concatenate([A, state.a])
