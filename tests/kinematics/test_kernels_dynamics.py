"""The dynamics kernels themselves: what no method of a model offers yet, and what they refuse.

A free base, joint wrenches and the state array are compared with sums over the single parts in
world axes, made from the frames of ``tests/oracles.py`` by differences in time.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from armwright.kinematics import RobotModel, loads
from armwright.kinematics.robot import under_gravity
from tests import oracles
from tests.kinematics.conftest import TREE
from tests.kinematics.dynamics_robots import kernel, pose

pytestmark = pytest.mark.kernels

FloatArray = npt.NDArray[np.float64]
G = np.array([1.0, -3.0, -9.0])


@pytest.fixture
def model() -> RobotModel:
    return loads(TREE).with_joint_dynamics(rotor_inertia=np.linspace(0.1, 0.6, 6))


@pytest.fixture
def rows(model: RobotModel) -> FloatArray:
    return under_gravity(model._rows, G)


def turned(w: FloatArray) -> FloatArray:
    """Rotation by a vector."""
    angle = float(np.linalg.norm(w))
    if angle == 0.0:
        return np.eye(3)
    return oracles.motion("r", w / angle, angle)[:3, :3]


class Path:
    """A motion through (T, q) at time 0 with given velocity and constant acceleration terms."""

    def __init__(self, model: RobotModel, T: FloatArray, q: FloatArray, v: FloatArray) -> None:
        self.model, self.T, self.q, self.v = model, T, q, v

    def state(self, t: float, a: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Base pose and q at time t, right to second order."""
        T = self.T.copy()
        T[:3, 3] += t * self.v[:3] + t * t / 2 * a[:3]
        T[:3, :3] = turned(t * self.v[3:6] + t * t / 2 * a[3:6]) @ self.T[:3, :3]
        return T, self.q + t * self.v[6:] + t * t / 2 * a[6:]

    def parts(self, t: float, a: FloatArray) -> list[tuple[float, FloatArray, FloatArray]]:
        """Mass, place and world inertia's rotation of every part."""
        T, q = self.state(t, a)
        placed = self.model.with_base_frame(_exact(T))
        return [
            (frame.mass, frame.T_world_frame[:3, 3], frame.T_world_frame[:3, :3])
            for frame in oracles.frames(placed.description, q)["com"]
        ]

    def momentum(self, t: float, a: FloatArray, about: FloatArray) -> FloatArray:
        """Momentum about a fixed point, by central differences of the parts' places."""
        h = 1e-4
        total = np.zeros(6)
        parts = [self.parts(t + k * h, a) for k in (-1, 0, 1)]
        elements = [e for e in self.model.elements if e.kind != "joint"]
        for before, now, after, element in zip(*parts, elements, strict=True):
            mass, place, R = now
            speed = (after[1] - before[1]) / (2 * h)
            spin = (after[2] - before[2]) @ R.T / (2 * h)
            w = np.array(
                [spin[2, 1] - spin[1, 2], spin[0, 2] - spin[2, 0], spin[1, 0] - spin[0, 1]]
            )
            xx, yy, zz, xy, xz, yz = element.inertia
            inertia = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
            total[:3] += mass * speed
            total[3:] += np.cross(place - about, mass * speed) + inertia @ w / 2
        return total


def _exact(T: FloatArray) -> FloatArray:
    """Nearest rotation, so that a pose made by products is accepted."""
    U, _, V = np.linalg.svd(T[:3, :3])
    T = T.copy()
    T[:3, :3] = U @ V
    return T


def free_state(seed: int = 0) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """T, q, v, a of the tree with a free base."""
    rng = np.random.default_rng(seed)
    return pose(rng), rng.normal(size=6), rng.normal(size=12), rng.normal(size=12)


def test_base_wrench_is_the_rate_of_momentum(model: RobotModel, rows: FloatArray) -> None:
    T, q, v, a = free_state()
    out = np.empty(12)
    kernel("inverse_dynamics_free")(rows, T, q, v, a, out)
    path = Path(model, T, q, v)
    h = 1e-3
    ahead, behind = (path.momentum(t, a, T[:3, 3]) for t in (h, -h))
    parts = path.parts(0.0, a)
    weight = np.zeros(6)
    for mass, place, _ in parts:
        weight += [*(mass * G), *np.cross(place - T[:3, 3], mass * G)]
    np.testing.assert_allclose(out[:6], (ahead - behind) / (2 * h) - weight, atol=2e-4)


def test_free_base_identities(rows: FloatArray) -> None:
    for seed in range(3):
        T, q, v, a = free_state(seed)
        tau, bias, again = np.empty((3, 12))
        M = np.empty((12, 12))
        kernel("inverse_dynamics_free")(rows, T, q, v, a, tau)
        kernel("inverse_dynamics_free")(rows, T, q, v, np.zeros(12), bias)
        kernel("mass_matrix_free")(rows, T, q, M)
        assert kernel("forward_dynamics_free")(rows, T, q, v, tau, again) == 0
        np.testing.assert_allclose(M @ a + bias, tau, atol=1e-12)
        np.testing.assert_array_equal(M, M.T)
        np.testing.assert_allclose(again, a, rtol=1e-9, atol=1e-9)


def test_wrenches_and_regressor_of_a_free_base(model: RobotModel, rows: FloatArray) -> None:
    T, q, v, a = free_state(3)
    tau, Y, wrenches = np.empty(12), np.empty((12, 70)), np.empty((7, 6))
    kernel("inverse_dynamics_free")(rows, T, q, v, a, tau)
    kernel("regressor_free")(rows, T, q, v, a, Y)
    xx, yy, zz, xy, xz, yz = rows[0, 20:26]
    base = [*rows[0, 16:20], yy + zz, -xy, xx + zz, -xz, -yz, xx + yy]
    bare = tau.copy()
    bare[6:] -= model.joint_dynamics.rotor_inertia * a[6:]
    parameters = np.concatenate([base, model.inertial_parameters])
    np.testing.assert_allclose(Y @ parameters, bare, atol=1e-12)
    kernel("joint_wrenches_free")(rows, T, q, v, a, np.zeros((7, 6)), wrenches)
    R = T[:3, :3]
    np.testing.assert_allclose(R @ wrenches[0, :3], tau[:3], atol=1e-12)
    np.testing.assert_allclose(R @ wrenches[0, 3:], tau[3:6], atol=1e-12)
    for i in range(1, 7):
        along = wrenches[i, 2] if rows[i, 1] else wrenches[i, 5]
        assert along * rows[i, 30] == pytest.approx(bare[i + 5], abs=1e-12)


def test_a_free_base_at_rest_on_the_ground_is_the_fixed_one(
    model: RobotModel, rows: FloatArray
) -> None:
    q, v, a = np.random.default_rng(1).normal(size=(3, 6))
    still = np.zeros(6)
    T = np.array(model.base_frame)
    free, fixed = np.empty(12), np.empty(6)
    kernel("inverse_dynamics_free")(rows, T, q, np.r_[still, v], np.r_[still, a], free)
    kernel("inverse_dynamics")(rows, q, v, a, fixed)
    np.testing.assert_allclose(free[6:], fixed, atol=1e-12)
    M, inner = np.empty((12, 12)), np.empty((6, 6))
    kernel("mass_matrix_free")(rows, T, q, M)
    kernel("mass_matrix")(rows, q, inner)
    np.testing.assert_allclose(M[6:, 6:], inner, atol=1e-13)


def test_results_do_not_depend_on_where_the_base_is(rows: FloatArray) -> None:
    T, q, v, a = free_state()
    far = T.copy()
    far[:3, 3] += [1e6, -2e6, 3e6]
    for name in ("inverse_dynamics_free", "forward_dynamics_free"):
        here, there = np.empty((2, 12))
        kernel(name)(rows, T, q, v, a, here)
        kernel(name)(rows, far, q, v, a, there)
        np.testing.assert_array_equal(here, there)


def test_a_massless_free_base_is_told_apart() -> None:
    model = loads(
        '<robot version="1.6.0"><joint axis="rz"/><rigid-body mass="1" com_trans="1 0 0"/></robot>'
    )
    T, out = np.eye(4), np.empty(7)
    forward = kernel("forward_dynamics_free")
    assert forward(model._rows, T, np.zeros(1), np.zeros(7), np.zeros(7), out) == -1


def test_joint_wrenches_carry_what_hangs_on_them(model: RobotModel, rows: FloatArray) -> None:
    q, v, a = np.random.default_rng(2).normal(size=(3, 6))
    none = np.zeros((7, 6))
    wrenches, efforts = np.empty((7, 6)), np.empty(6)
    kernel("joint_wrenches")(rows, q, v, a, none, wrenches)
    kernel("inverse_dynamics")(rows, q, v, a, efforts)
    drives = model.joint_dynamics.rotor_inertia * a
    for i in range(1, 7):
        along = wrenches[i, 2] if rows[i, 1] else wrenches[i, 5]
        assert along * rows[i, 30] + drives[i - 1] == pytest.approx(efforts[i - 1], abs=1e-12)
    # At rest the ground bears the weight of all parts.
    zero = np.zeros(6)
    kernel("joint_wrenches")(rows, q, zero, zero, none, wrenches)
    R = model.base_frame[:3, :3]
    total = sum(frame.mass for frame in oracles.frames(model.description, q)["com"])
    np.testing.assert_allclose(R @ wrenches[0, :3], -total * G, atol=1e-12)


def test_external_wrenches_pass_through_joints(model: RobotModel, rows: FloatArray) -> None:
    rng = np.random.default_rng(3)
    q, v, a = rng.normal(size=(3, 6))
    frames = model._pose_tables["output"][0][[2, 4, 8]]
    pushes = rng.normal(size=(3, 6))
    on_bodies, wrenches, efforts, pushed = np.empty((7, 6)), np.empty((7, 6)), *np.empty((2, 6))
    kernel("body_wrenches")(rows, frames, q, pushes, on_bodies)
    kernel("joint_wrenches")(rows, q, v, a, on_bodies, wrenches)
    kernel("inverse_dynamics")(rows, q, v, a, efforts)
    kernel("wrench_efforts")(rows, frames, q, pushes, pushed)
    expected = efforts - pushed - model.joint_dynamics.rotor_inertia * a
    for i in range(1, 7):
        along = wrenches[i, 2] if rows[i, 1] else wrenches[i, 5]
        assert along * rows[i, 30] == pytest.approx(expected[i - 1], abs=1e-12)


def test_the_state_holds_what_the_others_give(model: RobotModel, rows: FloatArray) -> None:
    q, v = np.random.default_rng(4).normal(size=(2, 6))
    out = np.full((7, 74), np.nan)
    kernel("state")(rows, q, v, out)
    assert np.isfinite(out).all()
    np.testing.assert_allclose(out[1:, 54], model.bias_efforts(q, v, G), atol=1e-12)
    np.testing.assert_allclose(out[1:, 55], model.gravity_efforts(q, G), atol=1e-12)
    np.testing.assert_allclose(out[1:, 56:62].T, model.momentum_matrix(q), atol=1e-12)
    np.testing.assert_allclose(out[1:, 68:], model.mass_matrix(q), atol=1e-12)
    np.testing.assert_array_equal(out[0, 68:], np.zeros(6))
    assert out[0, 54] == pytest.approx(model.kinetic_energy(q, v))
    assert out[0, 55] == pytest.approx(model.potential_energy(q, G))
    np.testing.assert_allclose(out[0, 56:62], model.momentum_matrix(q) @ v, atol=1e-12)
    masses = oracles.frames(model.description, q)["com"]
    total = sum(frame.mass for frame in masses)
    center = sum(frame.mass * frame.T_world_frame[:3, 3] for frame in masses) / total
    np.testing.assert_allclose(out[0, 12:15], center, atol=1e-13)
    assert out[0, 15] == pytest.approx(total)
    rate = oracles.differences(lambda t: model.momentum_matrix(q + t[0] * v) @ v, [0.0])[..., 0]
    np.testing.assert_allclose(out[0, 62:68], rate, atol=1e-7)
    wrenches = np.empty((7, 6))
    kernel("joint_wrenches")(rows, q, v, np.zeros(6), np.zeros((7, 6)), wrenches)
    np.testing.assert_allclose(out[:, 48:54], wrenches, atol=1e-12)


def test_motions_in_the_state(model: RobotModel, rows: FloatArray) -> None:
    # The input frames of the parts on each joint sit in the joint: output frames of the joints.
    q, v = np.random.default_rng(5).normal(size=(2, 6))
    out = np.empty((7, 74))
    kernel("state")(rows, q, v, out)
    outputs = [model.tags[name] for name in ("trunk", "left", "right")]
    numbers = model._compiled.frame_elements[_output()]
    joints = model._compiled.joint_elements
    for element in outputs:
        index = numbers.index(element)
        i = joints.index(element) + 1

        def J(x: FloatArray, index: int = index) -> FloatArray:
            return model.jacobian(x, frame_type="output", index=index)

        T = model.forward_kinematics("output", q)[index]
        np.testing.assert_allclose(out[i, [3, 7, 11]], T[:3, 3], atol=1e-13)
        np.testing.assert_allclose(out[i, 27:33], J(q) @ v, atol=1e-12)
        bias = oracles.differences(lambda t, J=J: J(q + t[0] * v) @ v, [0.0])[..., 0]
        np.testing.assert_allclose(out[i, 33:39], bias, atol=1e-7)
        # A joint's own motion, as a twist of the point at the base's origin.
        arm = model.base_frame[:3, 3] - T[:3, 3]
        own = J(q)[:, i - 1]
        own[:3] += np.cross(own[3:], arm)
        np.testing.assert_allclose(out[i, 12:18], own, atol=1e-12)


def _output() -> Any:
    from armwright.kinematics import FrameType

    return FrameType.OUTPUT


def test_the_state_of_a_free_base(rows: FloatArray) -> None:
    T, q, v, _ = free_state()
    out = np.full((7, 74), np.nan)
    kernel("state_free")(rows, T, v[:6].copy(), q, v[6:].copy(), out)
    assert np.isfinite(out).all()
    M, bias = np.empty((12, 12)), np.empty(12)
    kernel("mass_matrix_free")(rows, T, q, M)
    kernel("inverse_dynamics_free")(rows, T, q, v, np.zeros(12), bias)
    np.testing.assert_allclose(out[1:, 68:], M[6:, 6:], atol=1e-12)
    np.testing.assert_allclose(out[1:, 62:68], M[6:, :6], atol=1e-12)
    np.testing.assert_allclose(out[1:, 54], bias[6:], atol=1e-11)
    R = T[:3, :3]
    np.testing.assert_allclose(R @ out[0, 48:51], bias[:3], atol=1e-11)
    np.testing.assert_allclose(R @ out[0, 51:54], bias[3:6], atol=1e-11)
    assert out[0, 54] == pytest.approx(0.5 * v @ M @ v)
    # About the base's origin the momentum is M's upper rows times v; moved to the center of mass.
    arm = out[0, 12:15] - T[:3, 3]
    h = M[:6] @ v
    h[3:] -= np.cross(arm, h[:3])
    np.testing.assert_allclose(out[0, 56:62], h, atol=1e-12)


def test_a_long_chain_leaves_the_stack() -> None:
    # Past 63 joints the working memory is allocated: the answers must not care.
    joint = (
        '<joint axis="ry"/><rigid-body mass="0.1" com_trans="0.02 0.01 0" output_trans="0.05 0 0"/>'
    )
    model = loads(f'<robot version="1.6.0">{joint * 70}</robot>').with_joint_dynamics(
        rotor_inertia=0.5
    )
    q, v, a = np.random.default_rng(6).uniform(-0.3, 0.3, size=(3, 70))
    tau = model.inverse_dynamics(q, v, a)
    np.testing.assert_allclose(model.forward_dynamics(q, v, tau), a, atol=1e-9)
    M = model.mass_matrix(q)
    np.testing.assert_allclose(M @ a + model.bias_efforts(q, v), tau, atol=1e-9)
    np.testing.assert_allclose(model.solve_mass(q, M @ a), a, atol=1e-9)
    np.testing.assert_allclose(
        model.coriolis(q, v) @ v + model.gravity_efforts(q), model.bias_efforts(q, v), atol=1e-9
    )
    Y = model.inverse_dynamics_regressor(q, v, a)
    np.testing.assert_allclose(Y @ model.inertial_parameters + 0.5 * a, tau, atol=1e-9)
    out = np.empty((71, 138))
    kernel("state")(model._rows, q, v, out)
    np.testing.assert_allclose(out[1:, 68:], M, atol=1e-10)
    assert out[0, 54] == pytest.approx(model.kinetic_energy(q, v))
