"""Center of mass, momentum and average velocity of a state, with Jacobians and biases.

Bodies alone count: the base and payloads do, rotors do not. Momenta and locked inertias are about
the base's origin, centroidal ones about the center of mass, by representation:

    MIXED     axes of the world, about the base's origin
    BODY      axes of the base, about the base's origin
    INERTIAL  axes of the world, about the world's origin

and centroidal ones in the axes of the world, of the base for BODY. The average velocity is that of
a rigid body with the robot's present shape, mass and momentum. A bias is the time derivative of a
value without generalized acceleration, so that its rate is Jacobian times acceleration plus bias.
"""

import numpy as np

from armwright.errors import ModelError
from armwright.kinematics.arrays import FloatArray
from armwright.kinematics.representation import Representation
from armwright.kinematics.robot import FIRST_MOMENT, MASS, SECOND_MOMENTS
from armwright.kinematics.transforms import skew

from .bodies import (
    COM,
    COUPLING,
    MOMENTUM,
    SUM,
    TOTAL,
    TWIST,
    array,
    base_velocity,
    body_poses,
    root_twist,
)
from .cached import cached, cached_with_whole
from .coordinates import base_coordinates, coordinates, root_acceleration, to_bias, to_columns
from .data import StateData
from .twists import cross, shift, turn_both

FLAT = 1e-12  # a rotational inertia with a smaller part of the largest one is none
NOISE = 1e-14  # nor is one with a smaller part of that about the root's origin


@cached
def mass(state: StateData) -> float:
    """Mass of everything, base and payloads included [kg]."""
    return float(array(state)[0, TOTAL])


@cached_with_whole
def com(state: StateData) -> FloatArray:
    """Center of mass in the world, shape (3,) [m]."""
    _need_mass(state)
    return array(state)[0, COM]


@cached_with_whole
def com_velocity(state: StateData) -> FloatArray:
    """Velocity of the center of mass in world axes, shape (3,) [m/s]."""
    return array(state)[0, MOMENTUM][:3] / _need_mass(state)


@cached
def com_acceleration(state: StateData) -> FloatArray:
    """Acceleration of the center of mass in world axes, shape (3,) [m/s^2]."""
    rate = centroidal(state)[:3] @ root_acceleration(state) + centroidal_rate(state)[:3]
    return rate / _need_mass(state)


@cached_with_whole
def com_jacobian(state: StateData) -> FloatArray:
    """What maps the generalized velocity to the com velocity, shape (3, size)."""
    return to_columns(centroidal(state)[:3], coordinates(state)) / _need_mass(state)


@cached
def com_bias_acceleration(state: StateData) -> FloatArray:
    """Com acceleration without generalized acceleration, (dJ/dt) times velocity, (3,)."""
    rate = to_bias(centroidal_rate(state)[:3], centroidal(state)[:3], coordinates(state))
    return rate / _need_mass(state)


@cached
def momentum(state: StateData) -> FloatArray:
    """Momentum of the robot, shape (6,): linear [kg m/s], angular [kg m^2/s]."""
    return _as_momentum(state, root_momentum(state))


@cached
def momentum_jacobian(state: StateData) -> FloatArray:
    """What maps the generalized velocity to the momentum, shape (6, size)."""
    return _as_momentum(state, to_columns(root_momentum_jacobian(state), coordinates(state)))


@cached
def momentum_bias(state: StateData) -> FloatArray:
    """Rate of the momentum without generalized acceleration, shape (6,)."""
    rate: FloatArray = centroidal_rate(state).copy()
    lost = cross(root_twist(state)[:3], root_momentum(state)[:3])
    rate[3:] += cross(to_com(state), rate[:3]) - lost
    rate = to_bias(rate, root_momentum_jacobian(state), coordinates(state))
    change = base_coordinates(state)
    if change is None:
        return rate
    return change.X.T @ rate + change.X_rate.T @ root_momentum(state)


@cached_with_whole
def centroidal_momentum(state: StateData) -> FloatArray:
    """Momentum about the center of mass, shape (6,): linear, angular."""
    return _in_axes(state, array(state)[0, MOMENTUM])


@cached_with_whole
def centroidal_momentum_jacobian(state: StateData) -> FloatArray:
    """Centroidal momentum matrix: generalized velocity to that momentum, shape (6, size).

    For a fixed base it is ``RobotModel.momentum_matrix``.
    """
    return _in_axes(state, to_columns(centroidal(state), coordinates(state)))


@cached
def centroidal_momentum_bias(state: StateData) -> FloatArray:
    """Rate of the centroidal momentum without generalized acceleration, shape (6,)."""
    return _bias_in_axes(
        state, centroidal_rate(state), centroidal(state), array(state)[0, MOMENTUM]
    )


@cached
def locked_inertia(state: StateData) -> FloatArray:
    """What maps the twist of the base to the momentum with all joints locked, (6, 6)."""
    change, inertia = base_coordinates(state), root_inertia(state)
    return inertia if change is None else change.X.T @ inertia @ change.X


@cached
def centroidal_locked_inertia(state: StateData) -> FloatArray:
    """The same about the center of mass: mass, and rotational inertia, shape (6, 6)."""
    return _in_axes(state, _in_axes(state, centroidal_inertia(state)).T)


@cached
def average_velocity(state: StateData) -> FloatArray:
    """Locked inertia^-1 times momentum: average twist of the base's frame, shape (6,)."""
    return _as_twist(state, root_average(state))


@cached
def average_velocity_jacobian(state: StateData) -> FloatArray:
    """What maps the generalized velocity to the average velocity, shape (6, size)."""
    return _as_twist(state, to_columns(root_average_matrix(state), coordinates(state)))


@cached
def average_velocity_bias(state: StateData) -> FloatArray:
    """Rate of the average velocity without generalized acceleration, shape (6,)."""
    rate = shift(-to_com(state)) @ centroidal_average_rate(state)
    rate[:3] += cross(root_average(state)[3:], root_twist(state)[:3] - com_velocity(state))
    rate = to_bias(rate, root_average_matrix(state), coordinates(state))
    change = base_coordinates(state)
    if change is None:
        return rate
    # The rate of X^-1 is -X^-1 (dX/dt) X^-1.
    written = change.X_inverse @ root_average(state)
    return change.X_inverse @ (rate - change.X_rate @ written)


@cached
def centroidal_average_velocity(state: StateData) -> FloatArray:
    """Average twist at the center of mass: its velocity, average angular, shape (6,)."""
    return _in_axes(state, centroidal_average(state))


@cached
def centroidal_average_velocity_jacobian(state: StateData) -> FloatArray:
    """What maps the generalized velocity to that twist, shape (6, size)."""
    return _in_axes(state, to_columns(centroidal_average_matrix(state), coordinates(state)))


@cached
def centroidal_average_velocity_bias(state: StateData) -> FloatArray:
    """Rate of that twist without generalized acceleration, shape (6,)."""
    return _bias_in_axes(
        state,
        centroidal_average_rate(state),
        centroidal_average_matrix(state),
        centroidal_average(state),
    )


def _as_momentum(state: StateData, value: FloatArray) -> FloatArray:
    """Return six rows as momenta about the base, in the representation, from the root's."""
    change = base_coordinates(state)
    return value if change is None else change.X.T @ value


def _as_twist(state: StateData, value: FloatArray) -> FloatArray:
    """Return six rows as twists of the base, in the representation, from the root's."""
    change = base_coordinates(state)
    return value if change is None else change.X_inverse @ value


def _in_axes(state: StateData, value: FloatArray) -> FloatArray:
    """Return six rows in the axes of centroidal values, from those of the world."""
    if state.representation is Representation.BODY:
        return turn_both(state.T_world_base[:3, :3].T) @ value
    return value


def to_com(state: StateData) -> FloatArray:
    """From the root's origin to the center of mass, world axes."""
    return array(state)[0, COM] - state._root_pose[:3, 3]


@cached
def root_inertia(state: StateData) -> FloatArray:
    """Locked inertia about the root's origin, mixed, (6, 6)."""
    R = state._root_pose[:3, :3]
    sums = array(state)[0, SUM]
    moments = R @ _symmetric(sums[3:]) @ R.T
    return _inertia(array(state)[0, TOTAL], R @ sums[:3], moments)


@cached
def root_momentum_jacobian(state: StateData) -> FloatArray:
    """Momentum Jacobian about the root's origin, mixed, (6, size)."""
    joints = array(state)[1:, COUPLING].T
    return np.hstack([root_inertia(state), joints]) if state.floating else joints


@cached
def root_momentum(state: StateData) -> FloatArray:
    """Momentum about the root's origin, mixed."""
    both: FloatArray = array(state)[0, MOMENTUM].copy()
    both[3:] += cross(to_com(state), both[:3])
    return both


@cached
def centroidal(state: StateData) -> FloatArray:
    """Centroidal momentum matrix, mixed, (6, size)."""
    joints = array(state)[1:, MOMENTUM].T
    if not state.floating:
        return joints
    return np.hstack([shift(-to_com(state)).T @ root_inertia(state), joints])


def centroidal_rate(state: StateData) -> FloatArray:
    """Rate of the centroidal momentum without generalized acceleration, mixed."""
    return array(state)[0, COUPLING]


@cached
def centroidal_inertia(state: StateData) -> FloatArray:
    """Locked inertia about the center of mass, world axes, (6, 6)."""
    I_com = np.zeros((6, 6))
    I_com.flat[:18:7] = array(state)[0, TOTAL]
    d = skew(to_com(state))
    I_com[3:, 3:] = root_inertia(state)[3:, 3:] + array(state)[0, TOTAL] * (d @ d)
    return I_com


@cached
def centroidal_average_matrix(state: StateData) -> FloatArray:
    """Jacobian of the average velocity at the center of mass, mixed, (6, size)."""
    return _over_inertia(state, centroidal(state))


@cached
def centroidal_average(state: StateData) -> FloatArray:
    """Average velocity at the center of mass, mixed."""
    return _over_inertia(state, array(state)[0, MOMENTUM])


@cached
def root_average_matrix(state: StateData) -> FloatArray:
    """Jacobian of the average velocity at the root's origin, mixed, (6, size)."""
    return shift(-to_com(state)) @ centroidal_average_matrix(state)


@cached
def root_average(state: StateData) -> FloatArray:
    """Average velocity at the root's origin, mixed."""
    return shift(-to_com(state)) @ centroidal_average(state)


@cached
def centroidal_average_rate(state: StateData) -> FloatArray:
    """Rate of the centroidal average velocity without generalized acceleration, mixed."""
    rate = centroidal_rate(state).copy()
    rate[3:] -= inertia_rate(state) @ centroidal_average(state)[3:]
    return _over_inertia(state, rate)


@cached
def inertia_rate(state: StateData) -> FloatArray:
    """Rate of the rotational inertia about the center of mass, world axes, (3, 3).

    Second moments change by x y^T + y x^T for every mass at x with velocity y, seen from the root.
    """
    m, h, moments = masses_in_world(state)
    velocity, turn = array(state)[:, TWIST][:, :3], skew(array(state)[:, TWIST][:, 3:])
    way = body_poses(state)[:, :, 3] - state._root_pose[:3, 3]
    y = velocity - root_twist(state)[:3]  # of the body's origin
    whole = m[:, None] * way + h
    spin = np.einsum("bij,bj->bi", turn, h)
    rates = np.einsum("bi,bj->ij", y, whole) + np.einsum("bi,bj->ij", spin, way)
    rates += np.einsum("bij,bjk->ik", turn, moments)
    drift = com_velocity(state) - root_twist(state)[:3]
    rates -= array(state)[0, TOTAL] * np.outer(drift, to_com(state))
    both: FloatArray = rates + rates.T
    return float(both.trace()) * np.eye(3) - both


@cached
def masses_in_world(state: StateData) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mass, first and second moments of each body about its own origin, world axes."""
    R = body_poses(state)[:, :, :3]
    h = np.einsum("bij,bj->bi", R, state._rows[:, FIRST_MOMENT])
    local = np.array([_symmetric(row) for row in state._rows[:, SECOND_MOMENTS]])
    return state._rows[:, MASS], h, R @ local @ R.transpose(0, 2, 1)


def _need_mass(state: StateData) -> float:
    """Return the mass.

    Raises:
        ModelError: If there is none.
    """
    total = mass(state)
    if not total > 0.0:
        raise ModelError("the robot has no mass, and so no center of mass")
    return total


def _over_inertia(state: StateData, value: FloatArray) -> FloatArray:
    """Return centroidal momenta over the inertia: velocities.

    Raises:
        ModelError: If all masses are on one line.
    """
    total = _need_mass(state)
    inertia = centroidal_inertia(state)[3:, 3:]
    values, vectors = np.linalg.eigh(inertia)
    # Of a single point nothing is left but the rounding of what it has about the root.
    rounding = NOISE * float(np.trace(root_inertia(state)[3:, 3:]))
    if not values[0] > max(FLAT * values[2], rounding):
        raise ModelError(
            "the robot has no average velocity: all its masses are points on one line, "
            "which can turn about itself without momentum"
        )
    turn = (vectors / values) @ (vectors.T @ value[3:])
    return np.concatenate([value[:3] / total, turn])


def _bias_in_axes(
    state: StateData, rate: FloatArray, J: FloatArray, value: FloatArray
) -> FloatArray:
    """Return the bias of a centroidal value from the mixed one."""
    rate = to_bias(rate, J, coordinates(state))
    if state.representation is Representation.BODY:
        turn = base_velocity(state)[3:]
        rate = rate - np.concatenate([cross(turn, value[:3]), cross(turn, value[3:])])
    return _in_axes(state, rate)


def _symmetric(six: FloatArray) -> FloatArray:
    """Return the matrix of xx, yy, zz, xy, xz, yz."""
    xx, yy, zz, xy, xz, yz = six.tolist()
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _inertia(mass: float, h: FloatArray, moments: FloatArray) -> FloatArray:
    """Return the inertia of mass, first and second moments, about their origin, (6, 6)."""
    inertia = np.zeros((6, 6))
    inertia.flat[:18:7] = mass
    inertia[:3, 3:] = -skew(h)
    inertia[3:, :3] = skew(h)
    inertia[3:, 3:] = np.trace(moments) * np.eye(3) - moments
    return inertia
