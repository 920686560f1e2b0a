"""States with a fixed base: what one kernel call gives is what the others say, bit by bit kept."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from armwright.errors import JointVectorError, ModelError
from armwright.kinematics import RobotModel, RobotState, loads
from tests.kinematics.conftest import TREE
from tests.kinematics.dynamics_robots import FloatArray, kernel, motion, with_drives
from tests.kinematics.peer_robots import all_robots
from tests.kinematics.robot_states import in_six_threads, same
from tests.pin_models import PinTwin

pytestmark = pytest.mark.kernels


@pytest.fixture(params=["tree", "driven", "far", 1, 2, 3, 4, 5, 7])
def robot(request: pytest.FixtureRequest) -> RobotModel:
    if request.param == "far":
        T = np.eye(4)
        T[:3, :3] = [[0, -1, 0], [0, 0, -1], [1, 0, 0]]
        T[:3, 3] = [20.0, -30.0, 5.0]
        return loads(TREE).with_base_frame(T)
    if isinstance(request.param, int):
        return chains(request.param)
    return with_drives(loads(TREE)) if request.param == "driven" else loads(TREE)


def chains(dof: int) -> RobotModel:
    """Return a chain of turning and sliding joints on a base that has mass."""
    parts = ['<rigid-body mass="2" com_trans="0.1 0.2 0.3" output_trans="0.3 0.1 0.2"/>']
    for i in range(dof):
        parts.append(f'<joint axis="{("rz", "tx", "ry")[i % 3]}"/>')
        parts.append(
            f'<rigid-body mass="{0.5 + 0.1 * i}" com_trans="0.1 0.02 {0.1 * i}" ixx="0.02" '
            'iyy="0.03" ixy="0.001" output_trans="0.05 0.1 0.4"/>'
        )
    return loads(f'<robot version="1.6.0">{"".join(parts)}</robot>')


def test_it_is_what_the_model_says(robot: RobotModel) -> None:
    for q, v, a in motion(robot, 1, 5):
        state = RobotState(robot, q, v, a)
        assert "_fixed_base" in state.__dict__  # else this shows nothing
        same(state.mass_matrix, robot.mass_matrix(q))
        same(state.bias_efforts, robot.bias_efforts(q, v))
        same(state.gravity_efforts, robot.gravity_efforts(q))
        same(state.centroidal_momentum_jacobian, robot.momentum_matrix(q))
        same(state.centroidal_momentum, robot.momentum_matrix(q) @ v)
        same(state.com_velocity, state.com_jacobian @ v)
        same(state.kinetic_energy, robot.kinetic_energy(q, v))
        same(state.potential_energy, robot.potential_energy(q))
        same(state.inverse_dynamics(), robot.inverse_dynamics(q, v, a))
        for array, expected in ((state.q, q), (state.v, v), (state.a, a)):
            np.testing.assert_array_equal(array, expected)


def test_it_is_what_the_other_kernel_says(robot: RobotModel) -> None:
    q, v, _ = motion(robot, 2)[0]
    state, n = RobotState(robot, q, v), robot.dof
    out = np.empty((n + 1, 68 + n))
    kernel("state")(robot._rows, q, v, out)
    same(state.com, out[0, 12:15])
    same(state.com_jacobian, out[1:, 56:59].T / out[0, 15])
    same(state.joint_poses[:, :3], out[1:, :12].reshape(-1, 3, 4))
    assert (state.joint_poses[:, 3] == [0, 0, 0, 1]).all()
    shift = np.cross(robot.base_frame[:3, 3], out[1:, 15:18])
    same(state.joint_motions, np.hstack([out[1:, 12:15] + shift, out[1:, 15:18]]).T)


def test_motions_are_the_inertial_jacobian_of_the_last_body(robot: RobotModel) -> None:
    q, v, _ = motion(robot, 3)[0]
    state = RobotState(robot, q, v)
    free = state.with_(floating=True)
    same(free.joint_motions, state.joint_motions)
    same(free.joint_poses, state.joint_poses)
    if len(robot.tags) == 0:  # a chain
        last = ("output", robot.frame_count("output") - 1)
        same(state.joint_motions, state.jacobian(last, representation="inertial"))


def test_frames_are_where_the_model_says(robot: RobotModel) -> None:
    q, v, _ = motion(robot, 9)[0]
    state = RobotState(robot, q, v)
    T = np.eye(4)
    T[:3, 3] = [3.0, -2.0, 1.0]
    elsewhere = state.with_(T_world_base=T @ robot.base_frame)
    for kind in ("output", "com"):
        poses = robot.forward_kinematics(kind, q)
        for i, J in enumerate(robot.jacobians(kind, q)):
            same(state.pose(kind, i), poses[i])
            same(state.jacobian((kind, i)), J)
            same(state.twist(kind, i), J @ v)
            same(elsewhere.pose(kind, i), T @ poses[i])
            same(elsewhere.jacobian(kind, i), J)
    same(state.jacobian("com", 0, point=[0, 0, 0]), state.jacobian("com", 0))


@pytest.mark.parametrize("number", range(4))
def test_all_terms_of_pinocchio(number: int) -> None:
    pin = pytest.importorskip("pinocchio")
    robot, tree = all_robots()[number]
    twin = PinTwin(pin, tree)
    columns = [twin.model.joints[joint].idx_v for joint in twin.joints]
    for q, v, _ in motion(robot, 10 + number, 5):
        state = RobotState(robot, q, v)
        scale, data = tree.scale, twin.data
        there, speed = np.empty(robot.dof), np.empty(robot.dof)
        there[columns], speed[columns] = q * scale, v * scale
        pin.computeAllTerms(twin.model, data, there, speed)
        same(state.mass_matrix, data.M[np.ix_(columns, columns)] * np.outer(scale, scale))
        same(state.bias_efforts, data.nle[columns] * scale)
        same(state.gravity_efforts, data.g[columns] * scale)
        same(state.joint_motions, data.J[:, columns] * scale)
        same(state.joint_poses[:, :3, 3], [data.oMi[joint].translation for joint in twin.joints])
        same(state.kinetic_energy, data.kinetic_energy)


def test_threads_get_the_same_objects(robot: RobotModel) -> None:
    state = RobotState(robot, *motion(robot, 11)[0])
    found = in_six_threads(lambda: (state.mass_matrix, state.com, state.joint_motions, state.q))
    assert all(
        one is other for arrays in found for one, other in zip(arrays, found[0], strict=True)
    )


@pytest.mark.parametrize("name", ["mass_matrix", "com", "joint_motions", "gravity_efforts"])
def test_parts_are_contiguous_and_kept(robot: RobotModel, name: str) -> None:
    state = RobotState(robot, *motion(robot, 4)[0])
    array: FloatArray = getattr(state, name)
    assert array.flags.c_contiguous
    assert not array.flags.writeable
    assert getattr(state, name) is array


def test_bits_do_not_depend_on_how_it_was_made(robot: RobotModel) -> None:
    q, v, a = motion(robot, 5)[0]
    state = RobotState(robot, q, v, a)
    moved = state.with_(q=2 * q)
    ways: list[Callable[[], RobotState]] = [
        lambda: RobotState(robot, q.tolist(), v.tolist(), a.tolist()),
        lambda: RobotState(robot, np.repeat(q, 2)[::2], v, a),
        lambda: RobotState(robot, q.astype(">f8"), v.astype(">f8"), a.astype(">f8")),
        lambda: RobotState(robot, q, v, a, T_world_base=robot.base_frame, gravity=[0, 0, -9.81]),
        lambda: pickle.loads(pickle.dumps(state)),
        lambda: moved.with_(q=q),
        lambda: state.with_(floating=True).with_(floating=False),
        lambda: state.with_(representation="body").with_(representation="mixed"),
    ]
    for way in ways:
        other = way()
        for name in ("q", "v", "a", "mass_matrix", "bias_efforts", "com", "com_jacobian",
                     "centroidal_momentum", "joint_poses", "kinetic_energy"):  # fmt: skip
            np.testing.assert_array_equal(getattr(other, name), getattr(state, name))


def test_inputs_stay_the_caller_s(robot: RobotModel) -> None:
    q, v, a = motion(robot, 6)[0]
    state = RobotState(robot, q, v, a)
    q[:], v[:], a[:] = 7.0, 8.0, 9.0
    before, now = motion(robot, 6)[0], (state.q, state.v, state.a)
    np.testing.assert_array_equal(now, before)
    state = RobotState(robot, np.ones(robot.dof))
    np.testing.assert_array_equal(state.v, np.zeros(robot.dof))
    assert state.kinetic_energy == 0.0


def test_gravity_and_base_of_the_state_count(robot: RobotModel) -> None:
    q, v, _ = motion(robot, 7)[0]
    T = np.eye(4)
    T[:3, 3] = 1.0
    state = RobotState(robot, q, v, T_world_base=T, gravity=[1.0, 0.0, -1.62])
    placed = robot.with_base_frame(T)
    same(state.gravity_efforts, placed.gravity_efforts(q, gravity=[1.0, 0.0, -1.62]))
    same(state.bias_efforts, placed.bias_efforts(q, v, gravity=[1.0, 0.0, -1.62]))
    same(state.com, RobotState(placed, q).com)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (([np.nan] * 6, None), "q: expected 6 finite joint values"),
        (([1e60] * 6, None), "q: expected 6 joint values of at most 1e[+]50"),
        ((np.zeros(5), None), "q: expected 6 joint values, got 5"),
        ((np.zeros((2, 6)), None), r"q: .*\(2, 6\)"),
        ((np.zeros(6), np.full(6, np.inf)), "v: expected 6 finite"),
        ((np.zeros(6), np.zeros(7)), "v: expected 6 joint values, got 7"),
        ((np.zeros(6), np.zeros(6), np.full(6, np.nan)), "a: expected 6 finite"),
        ((np.zeros(6), np.zeros(6), np.zeros(5)), "a: expected 6 joint values, got 5"),
    ],
)
def test_what_does_not_fit_is_named(values: tuple[Any, ...], expected: str) -> None:
    arrays: list[Any] = [None if value is None else np.array(value) for value in values]
    with pytest.raises(JointVectorError, match=expected):
        RobotState(loads(TREE), *arrays)


def test_robots_without_joints_or_without_mass() -> None:
    stool = loads('<robot version="1.6.0"><rigid-body mass="2" com_trans="0.1 0 0"/></robot>')
    state = RobotState(stool, np.zeros(0))
    assert state.mass_matrix.shape == state.joint_motions[:, :0].T[:, :0].shape == (0, 0)
    assert state.joint_poses.shape == (0, 4, 4)
    same(state.com, [0.1, 0.0, 0.0])
    bare = loads('<robot version="1.6.0"><joint axis="rz"/></robot>')
    state = RobotState(bare, np.ones(1), np.ones(1))
    same(state.mass_matrix, [[0.0]])
    same(state.joint_motions, np.array([[0, 0, 0, 0, 0, 1.0]]).T)
    with pytest.raises(ModelError, match="no mass"):
        _ = state.com


def test_seventy_joints_leave_the_stack() -> None:
    robot = chains(70)
    q, v, _ = 0.1 * motion(robot, 8)[0]
    state = RobotState(robot, q, v)
    same(state.mass_matrix, robot.mass_matrix(q))
    same(state.bias_efforts, robot.bias_efforts(q, v))
    same(state.com_jacobian @ v, state.com_velocity)
