"""Dynamics of the model: identities between its parts, derivatives, robots at the edge."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armwright import loads
from armwright.errors import ModelError
from armwright.kinematics import RobotModel
from tests import oracles
from tests.kinematics.conftest import TREE
from tests.kinematics.dynamics_robots import motion, with_drives

FloatArray = npt.NDArray[np.float64]
G = (1.0, -3.0, -9.0)


@pytest.fixture
def arm(robot: RobotModel) -> RobotModel:
    """A robot of each kind whose every joint moves inertia and has a drive."""
    return with_drives(robot)


@pytest.mark.kernels
def test_the_parts_add_up_to_inverse_dynamics(robot: RobotModel) -> None:
    for q, v, a in motion(robot, count=5):
        tau = robot.inverse_dynamics(q, v, a, G)
        M, C, g = robot.mass_matrix(q), robot.coriolis(q, v), robot.gravity_efforts(q, G)
        np.testing.assert_allclose(M @ a + C @ v + g, tau, atol=1e-12)
        np.testing.assert_allclose(C @ v + g, robot.bias_efforts(q, v, G), atol=1e-12)
        np.testing.assert_array_equal(M, M.T)
        parameters = robot.inertial_parameters
        np.testing.assert_allclose(
            robot.inverse_dynamics_regressor(q, v, a, G) @ parameters, tau, atol=1e-12
        )


@pytest.mark.kernels
def test_gravity_is_inverse_dynamics_at_rest(robot: RobotModel) -> None:
    q, _, _ = motion(robot)[0]
    rest = np.zeros(robot.dof)
    for gravity in (None, G):
        np.testing.assert_allclose(
            robot.inverse_dynamics(q, rest, rest, gravity),
            robot.gravity_efforts(q, gravity),
            atol=1e-13,
        )


@pytest.mark.kernels
def test_forward_undoes_inverse(arm: RobotModel) -> None:
    wrenches: Any = {("output", 0): [1, 2, 3, 4, 5, 6], ("input", arm.n_elements - 1): np.ones(6)}
    for q, v, a in motion(arm, count=5):
        for external in (None, wrenches):
            tau = arm.inverse_dynamics(q, v, a, G, external_wrenches=external)
            again = arm.forward_dynamics(q, v, tau, G, external_wrenches=external)
            np.testing.assert_allclose(again, a, rtol=1e-9, atol=1e-9)


def test_solve_mass(arm: RobotModel) -> None:
    rng = np.random.default_rng(3)
    n = arm.dof
    Q = rng.normal(size=(4, n))
    M = arm.mass_matrix(Q)
    for b in (rng.normal(size=(4, n)), rng.normal(size=(4, n, 3))):
        x = arm.solve_mass(Q, b)
        assert x.shape == b.shape
        back = np.einsum("bij,bj...->bi...", M, x)
        np.testing.assert_allclose(back, b, atol=1e-10)
        for i in range(4):
            np.testing.assert_array_equal(arm.solve_mass(Q[i], b[i]), x[i])
            out = np.empty(b[i].shape)
            assert arm.solve_mass(Q[i], b[i], out) is out
            np.testing.assert_array_equal(out, x[i])
    with pytest.raises(ModelError, match=r"b: expected shape \(4, \d+\) or \(4, \d+, k\), got"):
        arm.solve_mass(Q, np.ones(n))


def test_mass_matrix_changes_with_the_coriolis_matrix(robot: RobotModel) -> None:
    for seed in range(3):
        q, v, _ = motion(robot, seed)[0]
        C = robot.coriolis(q, v)
        rate = oracles.differences(lambda t, q=q, v=v: robot.mass_matrix(q + t[0] * v), [0.0])[
            ..., 0
        ]
        np.testing.assert_allclose(C + C.T, rate, atol=1e-7)
        skew = rate - 2 * C
        np.testing.assert_allclose(skew, -skew.T, atol=1e-7)


def test_coriolis_matrix_holds_christoffel_symbols(robot: RobotModel) -> None:
    q, v, _ = motion(robot)[0]
    D = oracles.differences(robot.mass_matrix, q)  # (i, j, k): dM_ij / dq_k
    symbols = 0.5 * (D + np.einsum("ikj->ijk", D) - np.einsum("jki->ijk", D))
    np.testing.assert_allclose(robot.coriolis(q, v), symbols @ v, atol=1e-6)


def test_efforts_are_the_derivatives_of_the_energies(robot: RobotModel) -> None:
    q, v, a = motion(robot)[0]

    def potential(x: FloatArray) -> Any:
        return robot.potential_energy(x, G)

    slope = oracles.differences(potential, q)
    np.testing.assert_allclose(robot.gravity_efforts(q, G), slope, atol=1e-6)
    assert robot.potential_energy(q, G) == pytest.approx(
        oracles.potential_energy(robot.description, q, G), abs=1e-12
    )
    # Lagrange: d/dt (dT/dv) - dT/dq = tau, where d/dt (dT/dv) is that of M v.
    momentum = oracles.differences(
        lambda t: robot.mass_matrix(q + t[0] * v) @ (v + t[0] * a), [0.0]
    )[..., 0]
    slope = oracles.differences(lambda x: robot.kinetic_energy(x, v), q)
    tau = robot.inverse_dynamics(q, v, a, (0, 0, 0))
    np.testing.assert_allclose(momentum - slope, tau, atol=1e-6)


def test_kinetic_energy(arm: RobotModel) -> None:
    q, v, _ = motion(arm)[0]
    assert arm.kinetic_energy(q, v) == pytest.approx(0.5 * v @ arm.mass_matrix(q) @ v, rel=1e-12)
    expected = arm.kinetic_energy(q, v) + arm.potential_energy(q, G)
    assert arm.energy(q, v, G) == pytest.approx(expected, rel=1e-12)
    assert np.ndim(arm.energy(q, v)) == 0


@given(seed=st.integers(0, 10_000))
def test_power_goes_into_energy_and_friction(seed: int) -> None:
    model = loads(TREE).with_joint_dynamics(rotor_inertia=0.2, damping=0.3, friction=0.1)
    q, v, tau = motion(model, seed)[0]
    drives = model.joint_dynamics
    a = model.forward_dynamics(q, v, tau)
    lost = v @ (drives.damping * v + drives.friction * np.sign(v))
    h = 1e-6
    ahead = model.energy(q + h * v + h * h / 2 * a, v + h * a)
    behind = model.energy(q - h * v + h * h / 2 * a, v - h * a)
    assert (ahead - behind) / (2 * h) == pytest.approx(tau @ v - lost, rel=1e-6, abs=1e-5)


@given(seed=st.integers(0, 10_000))
def test_identities_hold_everywhere(seed: int) -> None:
    model = loads(TREE).with_joint_dynamics(rotor_inertia=0.2)
    q, v, a = motion(model, seed)[0]
    tau = model.inverse_dynamics(q, v, a)
    np.testing.assert_allclose(
        model.mass_matrix(q) @ a + model.bias_efforts(q, v), tau, rtol=1e-11, atol=1e-11
    )
    np.testing.assert_allclose(model.forward_dynamics(q, v, tau), a, rtol=1e-9, atol=1e-9)
    assert np.linalg.eigvalsh(model.mass_matrix(q))[0] > 0


@pytest.mark.kernels
def test_momentum_matrix(robot: RobotModel) -> None:
    q = motion(robot)[0, 0]
    frames = oracles.frames(robot.description, q)["com"]
    total = sum(frame.mass for frame in frames)
    center = sum(frame.mass * frame.T_world_frame[:3, 3] for frame in frames) / total
    A = np.zeros((6, robot.dof))
    com_elements = [e for e in robot.elements if e.kind != "joint"]
    for frame, element in zip(frames, com_elements, strict=True):
        J = frame.jacobian(robot.dof)
        R = frame.T_world_frame[:3, :3]
        xx, yy, zz, xy, xz, yz = element.inertia  # type: ignore[union-attr]
        inertia = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        linear = frame.mass * J[:3]
        A[:3] += linear
        A[3:] += inertia @ J[3:] + np.cross(frame.T_world_frame[:3, 3] - center, linear.T).T
    np.testing.assert_allclose(robot.momentum_matrix(q), A, atol=1e-12)
    out = np.empty((6, robot.dof))
    assert robot.momentum_matrix(q, out) is out


def test_without_joints() -> None:
    model = loads('<robot version="1.6.0"><rigid-body mass="2" com_trans="0 0 3"/></robot>')
    none = np.zeros(0)
    assert model.inverse_dynamics(none, none, none).shape == (0,)
    assert model.forward_dynamics(none, none, none).shape == (0,)
    assert model.mass_matrix(none).shape == (0, 0)
    assert model.coriolis([], []).shape == (0, 0)
    assert model.momentum_matrix([]).shape == (6, 0)
    assert model.solve_mass([], []).shape == (0,)
    assert model.inertial_parameters.shape == (0,)
    assert model.energy([], []) == pytest.approx(2 * 9.81 * 3)


def test_a_joint_without_inertia_is_named() -> None:
    text = """<robot version="1.6.0"><joint axis="rz" tag="J1"/>
      <rigid-body mass="1" com_trans="0.5 0 0" output_trans="1 0 0"/>
      <joint axis="{}" tag="J2"/>{}</robot>"""
    zero = np.zeros(2)
    on_axis = '<rigid-body mass="3" com_trans="0 0 0.2"/>'
    for axis, body in (("rz", ""), ("tx", ""), ("rz", on_axis)):
        model = loads(text.format(axis, body))
        rest = model.inverse_dynamics(zero, zero, zero)
        assert np.isfinite(rest).all()
        for q in (zero, np.zeros((3, 2))):
            with pytest.raises(ModelError, match=r"joint 'J2' moves no inertia.*add a payload"):
                model.forward_dynamics(q, zero, zero)
            with pytest.raises(ModelError, match=r"joint 'J2' moves no inertia.*rotor inertia"):
                model.solve_mass(q, q)
        driven = model.with_joint_dynamics(rotor_inertia=0.01)
        np.testing.assert_allclose(
            driven.forward_dynamics(zero, zero, rest + np.array([0, 0.02]))[1], 2.0, rtol=1e-9
        )
    assert loads(text.format("tx", on_axis)).forward_dynamics(zero, zero, zero).shape == (2,)


def test_two_joints_about_one_axis_name_the_inner_one() -> None:
    model = loads(
        '<robot version="1.6.0"><joint axis="rz" tag="in"/><joint axis="rz" tag="out"/>'
        '<rigid-body mass="1" com_trans="0.5 0 0"/></robot>'
    )
    with pytest.raises(ModelError, match="joint 'in' moves no inertia"):
        model.forward_dynamics([0.3, 0.4], [0, 0], [0, 0])
    with pytest.raises(ModelError, match="joint 'in' moves no inertia"):
        model.solve_mass([0.3, 0.4], [0, 0])
