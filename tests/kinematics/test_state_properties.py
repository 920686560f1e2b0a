"""Identities of mechanics, for any robot that can be described, in any state."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from armwright.errors import ModelError
from armwright.hrdf import RobotDescription
from armwright.kinematics import RobotModel
from tests.kinematics.dynamics_robots import with_drives
from tests.kinematics.robot_states import (
    KINDS,
    SLOW,
    FloatArray,
    floating_at,
    rate,
    same,
    some_state,
)
from tests.strategies import descriptions

ANY = given(
    description=descriptions(),
    seed=st.integers(0, 10_000),
    floating=st.booleans(),
    kind=st.sampled_from(KINDS),
)


def scale_of(*values: FloatArray) -> float:
    """The size of what is added up: the drawn robots weigh from grams to tons."""
    return max(1.0, *(float(np.abs(value).max(initial=0.0)) for value in values))


@ANY
def test_the_equation_of_motion(
    description: RobotDescription, seed: int, floating: bool, kind: str
) -> None:
    state = some_state(with_drives(RobotModel(description)), seed, floating=floating, kind=kind)
    M, a, nu = state.mass_matrix, state.generalized_acceleration, state.generalized_velocity
    tau, moving = state.inverse_dynamics(), M @ a
    size = scale_of(moving, tau, state.bias_efforts, state.gravity_efforts)
    same((moving + state.bias_efforts) / size, tau / size)
    turning = state.coriolis @ nu
    same(turning / size, state.coriolis_efforts / size)
    np.testing.assert_array_equal(M, M.T)
    same(0.5 * nu @ M @ nu / size, state.kinetic_energy / size)
    values = np.linalg.eigvalsh(M)
    assert values.min(initial=0.0) > -1e-9 * scale_of(M)
    if len(values) and values[0] > 1e-6 * values[-1]:
        same(state.forward_dynamics(tau), a, 1e-7)
        same(M @ state.solve_mass(tau) / size, tau / size, 1e-7)


@ANY
def test_efforts_are_linear_in_the_parameters(
    description: RobotDescription, seed: int, floating: bool, kind: str
) -> None:
    state = some_state(RobotModel(description), seed, floating=floating, kind=kind)
    tau, Y, p = (
        state.inverse_dynamics(),
        state.inverse_dynamics_regressor,
        state.inertial_parameters,
    )
    size = scale_of(tau, np.abs(Y) @ np.abs(p))
    same(Y @ p / size, tau / size)


@ANY
def test_power_and_momentum_balance(
    description: RobotDescription, seed: int, floating: bool, kind: str
) -> None:
    state = some_state(RobotModel(description), seed, floating=floating, kind=kind)
    nu, tau = state.generalized_velocity, state.inverse_dynamics()
    size = scale_of(np.abs(nu) @ np.abs(tau), np.array(state.kinetic_energy))
    same(rate(lambda s: s.energy, state) / size, nu @ tau / size, SLOW)
    inertial = state.with_(representation="inertial")
    if state.mass == 0.0:
        return
    weight = np.concatenate([state.mass * state.gravity, np.zeros(3)])
    weight[3:] = np.cross(state.com, weight[:3])
    pushed = inertial.base_wrench() + weight
    size = scale_of(pushed, inertial.momentum, weight)
    same(rate(lambda s: s.momentum, inertial) / size, pushed / size, SLOW)
    J, bias = inertial.momentum_jacobian, inertial.momentum_bias
    same((J @ inertial.generalized_acceleration + bias) / size, pushed / size, 1e-9)


@ANY
def test_jacobians_carry_efforts_and_velocities(
    description: RobotDescription, seed: int, floating: bool, kind: str
) -> None:
    model = RobotModel(description)
    if not model.frame_count("output"):
        return
    state = some_state(model, seed, floating=floating, kind=kind)
    rng = np.random.default_rng(seed)
    frame = ("output", int(rng.integers(model.frame_count("output"))))
    J, wrench = state.jacobian(frame), rng.normal(size=6)
    same(J @ state.generalized_velocity, state.twist(frame), 1e-9)
    same(state.external_efforts({frame: wrench}), J.T @ wrench, 1e-9)
    A = J @ state.generalized_acceleration + state.bias_acceleration(frame)
    same(A, state.acceleration(frame), 1e-9)
    pattern = model.jacobian_sparsity(frame, floating=floating)
    assert not J[~pattern].any()


@given(description=descriptions(), seed=st.integers(0, 10_000), kind=st.sampled_from(KINDS))
def test_another_base_is_the_same_robot(
    description: RobotDescription, seed: int, kind: str
) -> None:
    model = RobotModel(description)
    if not model.frame_count("output"):
        return
    rng = np.random.default_rng(seed)
    frame = ("output", int(rng.integers(model.frame_count("output"))))
    root = some_state(model, seed, floating=True, kind=kind)
    state = floating_at(root, frame)
    same(state.pose(("input", 0)), root.pose(("input", 0)), 1e-9)
    size = scale_of(np.array(root.kinetic_energy))
    same(state.kinetic_energy / size, root.kinetic_energy / size, 1e-9)
    nu, other = state.generalized_velocity, root.generalized_velocity
    tau, needed = state.inverse_dynamics(), root.inverse_dynamics()
    size = scale_of(np.abs(nu) @ np.abs(tau), np.abs(other) @ np.abs(needed))
    same(nu @ tau / size, other @ needed / size, 1e-9)
    moving = state.mass_matrix @ state.generalized_acceleration
    size = scale_of(moving, tau, state.bias_efforts)
    same((moving + state.bias_efforts) / size, tau / size, 1e-8)
    try:
        same(state.com, root.com, 1e-9)
    except ModelError as error:
        np.testing.assert_equal(state.mass, 0.0, str(error))
