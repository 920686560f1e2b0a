"""Every Jacobian and every bias of a state by finite differences, on all robots of the corpus.

A Jacobian times the velocity is the rate of what it is the Jacobian of; a bias is the rate of the
Jacobian times the velocity. One random state in each representation, or 34 in the slow run, with
a fixed and a free base; robots as in ``test_state_peers.py``.
"""

from typing import Any

import numpy as np
import pytest

from armwright.errors import ModelError
from armwright.kinematics import RobotModel, RobotState
from tests.kinematics.peer_robots import ROUNDS, all_robots, moving
from tests.kinematics.robot_states import BOTH_BASES, KINDS, SLOW, rate, same, twist_of
from tests.kinematics.test_state_frames import check_motion
from tests.kinematics.test_state_momentum import LINEAR, check_rates

pytestmark = pytest.mark.shared


@ROUNDS
@BOTH_BASES
def test_jacobians_and_biases(floating: bool, rounds: int) -> None:
    rng = np.random.default_rng(7)
    for model, _ in all_robots():
        for kind in KINDS * rounds:
            state = moving(model, rng, floating=floating, kind=kind)
            check_frames(state, rng, kind)
            check_relative(state, rng, kind)
            check_masses(state)


def some_frame(model: RobotModel, rng: np.random.Generator) -> tuple[str, int]:
    """A frame of some kind that the robot has."""
    kinds = [kind for kind in ("input", "output", "com", "endeffector") if model.frame_count(kind)]
    kind = kinds[int(rng.integers(len(kinds)))]
    return kind, int(rng.integers(model.frame_count(kind)))


def check_frames(state: RobotState, rng: np.random.Generator, kind: str) -> None:
    """One frame, and a point of it in the axes of another frame."""
    nu, a = state.generalized_velocity, state.generalized_acceleration
    frame, axes = some_frame(state.model, rng), some_frame(state.model, rng)
    check_motion(state, frame, kind)
    at: dict[str, Any] = {"point": rng.normal(size=3)}
    R = np.array(state.orientation(axes))
    J = state.jacobian(frame, **at, expressed_in=axes)
    seen = R.T @ rate(lambda s: s.position(frame, point=at["point"]), state)
    same((J @ nu)[:3], seen, SLOW)
    bias = state.bias_acceleration(frame, **at, expressed_in=axes)
    same(J @ a + bias, state.acceleration(frame, **at, expressed_in=axes))
    mixed = state.with_(representation="mixed")
    turn = np.kron(np.eye(2), R.T)
    moved_on = rate(lambda s: s.jacobian(frame, **at), mixed) @ mixed.generalized_velocity
    same(mixed.bias_acceleration(frame, **at, expressed_in=axes), turn @ moved_on, SLOW)


def check_relative(state: RobotState, rng: np.random.Generator, kind: str) -> None:
    """One frame as another one sees it."""
    pair = some_frame(state.model, rng), some_frame(state.model, rng)
    T = state.relative_pose(*pair)
    twist, J = state.relative_twist(*pair), state.relative_jacobian(*pair)
    same(twist, twist_of(T, rate(lambda s: s.relative_pose(*pair), state), kind), SLOW)
    same(J @ state.v, twist)
    acceleration = state.relative_acceleration(*pair)
    same(acceleration, rate(lambda s: s.relative_twist(*pair), state), SLOW)
    bias = state.relative_bias_acceleration(*pair)
    same(J @ state.a + bias, acceleration)
    same(bias, rate(lambda s: s.relative_jacobian(*pair), state) @ state.v, SLOW)
    origin, axes = some_frame(state.model, rng), some_frame(state.model, rng)
    J = state.relative_jacobian_explicit(*pair, origin=origin, axes=axes)
    point = np.linalg.solve(state.pose(pair[0]), np.append(state.position(origin), 1.0))
    seen = rate(lambda s: s.relative_pose(*pair) @ point, state)[:3]
    same((J @ state.v)[:3], state.relative_pose(pair[1], axes)[:3, :3] @ seen, SLOW)


def has_width(state: RobotState) -> bool:
    """Whether the masses are not all on one line: then there is an average velocity."""
    try:
        return bool(np.isfinite(state.average_velocity).all())
    except ModelError:
        return False


def check_masses(state: RobotState) -> None:
    """Center of mass, momenta, average velocities; rates of mass matrix and energies."""
    nu, a = state.generalized_velocity, state.generalized_acceleration
    if state.mass == 0.0:
        return
    same(state.com_jacobian @ nu, rate(lambda s: s.com, state), SLOW)
    same(state.com_bias_acceleration, rate(lambda s: s.com_jacobian, state) @ nu, SLOW)
    same(state.com_jacobian @ a + state.com_bias_acceleration, state.com_acceleration)
    for name in LINEAR:
        if "average" not in name or has_width(state):
            check_rates(state, name)
    same(rate(lambda s: s.mass_matrix, state), state.coriolis + state.coriolis.T, SLOW)
    same(state.coriolis @ nu, state.coriolis_efforts)
    same(rate(lambda s: s.potential_energy, state), nu @ state.gravity_efforts, SLOW)
    same(rate(lambda s: s.energy, state), nu @ state.inverse_dynamics(), SLOW)
    same(state.mass_matrix @ a + state.bias_efforts, state.inverse_dynamics())
    same(state.inverse_dynamics_regressor @ state.inertial_parameters, state.inverse_dynamics())
