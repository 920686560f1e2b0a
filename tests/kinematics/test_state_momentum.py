"""Center of mass, momentum and average velocity: sums over the parts, and their rates."""

import numpy as np
import pytest

from armwright.errors import ModelError
from armwright.kinematics import RobotModel, RobotState, loads
from tests.kinematics.robot_states import (
    ALL_KINDS,
    BOTH_BASES,
    KINDS,
    SLOW,
    FloatArray,
    inertias,
    rate,
    same,
    some_state,
)

LINEAR = ("momentum", "centroidal_momentum", "average_velocity", "centroidal_average_velocity")


def summed_momentum(state: RobotState) -> tuple[FloatArray, FloatArray, float]:
    """Momentum about the world's origin, center of mass, mass: sums over the parts."""
    total, weighted, mass = np.zeros(6), np.zeros(3), 0.0
    for i, (m, own) in enumerate(inertias(state.model)):
        T, V = state.pose("com", i), state.twist("com", i, representation="mixed")
        R, p = T[:3, :3], T[:3, 3]
        total[:3] += m * V[:3]
        total[3:] += R @ own @ R.T @ V[3:] + np.cross(p, m * V[:3])
        weighted += m * p
        mass += m
    return total, weighted / mass, mass


def about(momentum: FloatArray, point: FloatArray) -> FloatArray:
    """The same momentum about another point."""
    return np.concatenate([momentum[:3], momentum[3:] - np.cross(point, momentum[:3])])


@BOTH_BASES
def test_momentum_is_the_sum_over_the_parts(robot: RobotModel, floating: bool) -> None:
    mixed = some_state(robot, 1, floating=floating)
    total, com, mass = summed_momentum(mixed)
    R, p = mixed.T_world_base[:3, :3], mixed.T_world_base[:3, 3]
    turn = np.kron(np.eye(2), R.T)
    body, inertial = (mixed.with_(representation=kind) for kind in KINDS[1:])
    assert mixed.mass == pytest.approx(mass, rel=1e-12)
    for state in (mixed, body, inertial):
        same(state.com, com)
        same(state.com_velocity, total[:3] / mass)
        same(state.com_in("com", 0), np.linalg.solve(state.pose("com", 0), np.append(com, 1.0))[:3])
    same(mixed.momentum, about(total, p))
    same(body.momentum, turn @ about(total, p))
    same(inertial.momentum, total)
    same(mixed.centroidal_momentum, about(total, com))
    same(inertial.centroidal_momentum, about(total, com))
    same(body.centroidal_momentum, turn @ about(total, com))


@ALL_KINDS
@BOTH_BASES
def test_jacobians_biases_and_rates(wide: RobotModel, floating: bool, kind: str) -> None:
    state = some_state(wide, 2, floating=floating, kind=kind)
    nu, a = state.generalized_velocity, state.generalized_acceleration
    for name in LINEAR:
        check_rates(state, name)
    assert state.com_jacobian.shape == (3, state.size)
    same(state.com_velocity, rate(lambda s: s.com, state), SLOW)
    same(state.com_jacobian @ nu, state.com_velocity)
    same(state.com_acceleration, rate(lambda s: s.com_velocity, state), SLOW)
    same(state.com_jacobian @ a + state.com_bias_acceleration, state.com_acceleration)
    same(state.com_bias_acceleration, rate(lambda s: s.com_jacobian, state) @ nu, SLOW)


def check_rates(state: RobotState, name: str) -> None:
    """Value, Jacobian, bias and rate of something that is linear in the velocity."""
    nu, a = state.generalized_velocity, state.generalized_acceleration
    J, bias = getattr(state, f"{name}_jacobian"), getattr(state, f"{name}_bias")
    assert J.shape == (6, state.size)
    same(J @ nu, getattr(state, name))
    same(J @ a + bias, rate(lambda s: getattr(s, name), state), SLOW)
    same(bias, rate(lambda s: getattr(s, f"{name}_jacobian"), state) @ nu, SLOW)


@ALL_KINDS
@BOTH_BASES
def test_average_velocity_carries_the_momentum(wide: RobotModel, floating: bool, kind: str) -> None:
    state = some_state(wide, 3, floating=floating, kind=kind)
    same(state.locked_inertia @ state.average_velocity, state.momentum)
    same(
        state.centroidal_locked_inertia @ state.centroidal_average_velocity,
        state.centroidal_momentum,
    )
    if floating:  # all joints locked
        rigid = state.with_(v=np.zeros(wide.dof))
        same(rigid.average_velocity, rigid.base_twist)
        same(state.locked_inertia, state.momentum_jacobian[:, :6])
        same(state.locked_inertia, state.mass_matrix[:6, :6])
        same(rigid.centroidal_locked_inertia, state.centroidal_locked_inertia)


def test_the_model_agrees_for_a_fixed_base(robot: RobotModel) -> None:
    q = np.linspace(-1, 1, robot.dof)
    state = RobotState(robot, q)
    same(state.centroidal_momentum_jacobian, robot.momentum_matrix(q), 1e-13)


def test_a_center_of_mass_by_hand(planar: RobotModel) -> None:
    # 2 kg at 0.5 m and 1 kg at 1.25 m, stretched along x; then the elbow at a right angle.
    state = RobotState(planar, [0.0, 0.0], v=[1.0, 0.0])
    np.testing.assert_allclose(state.com, [0.75, 0.0, 0.0], atol=1e-15)
    np.testing.assert_allclose(state.com_velocity, [0.0, 0.75, 0.0], atol=1e-15)
    np.testing.assert_allclose(state.com_bias_acceleration, [-0.75, 0.0, 0.0], atol=1e-15)
    bent = state.with_(q=[0.0, np.pi / 2])
    np.testing.assert_allclose(bent.com, [2 / 3, 0.25 / 3, 0.0], atol=1e-15)
    # About the first joint: 0.2 + 2 * 0.5^2 + 0.05 + 1.25^2 when stretched.
    np.testing.assert_allclose(state.momentum[5], 0.7 + 1.6125, atol=1e-14)


def test_payloads_count_and_rotors_do_not(tree: RobotModel) -> None:
    plain = some_state(tree, 4, floating=True)
    loaded = plain.with_(model=tree.with_payload(2.0, [0.1, 0.0, 0.0], tag="left hand"))
    assert loaded.mass == pytest.approx(plain.mass + 2.0)
    at = plain.position("payload", tag="left hand", point=[0.0, 0.0, 0.0])
    assert np.abs(loaded.com - plain.com).max() > 1e-3
    assert at.shape == (3,)
    rotors = plain.with_(model=tree.with_joint_dynamics(rotor_inertia=1.0))
    np.testing.assert_array_equal(rotors.momentum, plain.momentum)
    assert rotors.kinetic_energy > plain.kinetic_energy


def test_robots_without_mass_or_width_say_so() -> None:
    weightless = RobotState(loads('<robot version="1.6.0"><joint axis="rz"/></robot>'), [0.1])
    assert weightless.mass == 0.0
    for name in ("com", "com_jacobian", "com_acceleration", "average_velocity"):
        with pytest.raises(ModelError, match="no mass"):
            getattr(weightless, name)
    np.testing.assert_array_equal(weightless.momentum, np.zeros(6))
    points = loads(
        '<robot version="1.6.0"><rigid-body mass="1"/><joint axis="rz"/>'
        '<rigid-body mass="1" com_trans="1 0 0"/></robot>'
    )
    # One point alone, away from the base: rounding is no inertia.
    point = loads(
        '<robot version="1.6.0"><joint axis="rz"/>'
        '<rigid-body mass="0.715" com_trans="-0.02396 -0.0161 0.02575"/></robot>'
    )
    for seed in range(30):
        for floating in (False, True):
            with pytest.raises(ModelError, match="points on one line"):
                _ = some_state(point, seed, floating=floating).average_velocity
    line = RobotState(points, [0.3], v=[1.0])
    np.testing.assert_allclose(line.centroidal_momentum[5], 0.5, atol=1e-14)
    with pytest.raises(ModelError, match="points on one line"):
        _ = line.average_velocity
