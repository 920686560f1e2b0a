"""Every kernel against slow twins and finite differences, on chosen and on random robots."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armwright.hrdf import RobotDescription
from armwright.kinematics import FrameType, RobotModel
from tests import oracles
from tests.strategies import descriptions

pytestmark = pytest.mark.kernels

G = np.array([0.3, -2.0, -9.81])


def joint_values(model: RobotModel, seed: int, count: int = 1) -> Any:
    rng = np.random.default_rng(seed)
    return rng.uniform(-3, 3, (count, model.dof))


def test_poses_are_products_of_matrices(robot: RobotModel) -> None:
    for q in joint_values(robot, 1, 20):
        for kind in FrameType:
            expected = oracles.poses(robot.description, kind.value, q)
            np.testing.assert_allclose(
                robot.forward_kinematics(kind, q), expected, rtol=0, atol=1e-12
            )


def test_jacobians_are_axes_and_arms(robot: RobotModel) -> None:
    for q in joint_values(robot, 2, 20):
        for kind in FrameType:
            expected = oracles.jacobians(robot.description, kind.value, q)
            np.testing.assert_allclose(robot.jacobians(kind, q), expected, rtol=0, atol=1e-12)


def test_jacobians_are_derivatives_of_poses(robot: RobotModel) -> None:
    for q in joint_values(robot, 3, 3):
        for kind in FrameType:
            expected = oracles.twist_differences(
                lambda x, kind=kind: robot.forward_kinematics(kind, x), q
            )
            np.testing.assert_allclose(robot.jacobians(kind, q), expected, rtol=0, atol=1e-8)


def test_gravity_efforts_are_derivatives_of_potential_energy(robot: RobotModel) -> None:
    for q in joint_values(robot, 4, 10):
        expected = oracles.holding_efforts(robot.description, q, G)
        np.testing.assert_allclose(robot.gravity_efforts(q, G), expected, rtol=0, atol=1e-11)
        energy = oracles.differences(lambda x: oracles.potential_energy(robot.description, x, G), q)
        np.testing.assert_allclose(robot.gravity_efforts(q, G), energy, rtol=0, atol=1e-6)


@given(descriptions(max_elements=20), st.integers(0, 2**32))
def test_random_robots(d: RobotDescription, seed: int) -> None:
    model = RobotModel(d)
    (q,) = joint_values(model, seed)
    frames = oracles.frames(d, q)
    for kind in FrameType:
        assert model.frame_count(kind) == len(frames[kind.value])
        poses = model.forward_kinematics(kind, q)
        expected = oracles.poses(d, kind.value, q)
        # Random robots may be thousands of metres long: digits, not metres.
        scale = max(1.0, np.abs(expected).max(initial=0))
        np.testing.assert_allclose(poses / scale, expected / scale, rtol=0, atol=1e-9)
        J = model.jacobians(kind, q)
        expected = oracles.jacobians(d, kind.value, q)
        np.testing.assert_allclose(J / scale, expected / scale, rtol=0, atol=1e-9)
    efforts = model.gravity_efforts(q, G)
    expected = oracles.holding_efforts(d, q, G)
    scale = max(1.0, np.abs(expected).max(initial=0))
    np.testing.assert_allclose(efforts / scale, expected / scale, rtol=0, atol=1e-9)


@given(descriptions(max_elements=20), st.integers(0, 2**32))
def test_single_frames_are_those_of_the_whole_set(d: RobotDescription, seed: int) -> None:
    model = RobotModel(d)
    (q,) = joint_values(model, seed)
    for kind in FrameType:
        Js = model.jacobians(kind, q)
        Ts = model.forward_kinematics(kind, q)
        for i in range(model.frame_count(kind)):
            np.testing.assert_array_equal(model.jacobian(q, frame_type=kind, index=i), Js[i])
    for i in range(model.frame_count("endeffector")):
        T = model.end_effector(q, index=i)
        Ts = model.forward_kinematics("endeffector", q)
        scale = max(1.0, np.abs(Ts).max())
        np.testing.assert_allclose(T / scale, Ts[i] / scale, rtol=0, atol=1e-12)
        if model.frame_count("endeffector") == 1:
            Js = model.jacobians("endeffector", q)
            np.testing.assert_allclose(model.jacobian(q) / scale, Js[i] / scale, rtol=0, atol=1e-12)


@given(descriptions(max_elements=16), st.integers(0, 2**32))
def test_a_chain_has_the_path_to_its_frame(d: RobotDescription, seed: int) -> None:
    model = RobotModel(d)
    (q,) = joint_values(model, seed)
    for kind in FrameType:
        frames = oracles.frames(d, q)[kind.value]
        for i, frame in enumerate(frames):
            chain = model._chain(kind, i)
            assert chain.shape == (len(frame.joints) + 1, 16)
            assert chain.flags.c_contiguous
            assert chain[:-1, 0].tolist() == [joint.number for joint in frame.joints]
            assert chain[:-1, 1].tolist() == [float(joint.slides) for joint in frame.joints]
            assert chain[-1, :4].tolist() == [-1, 0, 0, model.dof]
            T = np.eye(4)
            for row in chain[:-1]:
                amount = q[int(row[0])] * row[2]
                T = T @ np.vstack([row[4:].reshape(3, 4), [0, 0, 0, 1]])
                T = T @ oracles.motion("t" if row[1] else "r", np.array([0, 0, 1.0]), amount)
            T = T @ np.vstack([chain[-1, 4:].reshape(3, 4), [0, 0, 0, 1]])
            scale = max(1.0, np.abs(frame.T_world_frame).max())
            np.testing.assert_allclose(T / scale, frame.T_world_frame / scale, rtol=0, atol=1e-9)
