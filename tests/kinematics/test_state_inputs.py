"""Making, changing and keeping states: what comes in, what stays, what is refused."""

import copy
import pickle
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from armwright.devices import GroupFeedback
from armwright.errors import FrameNotFoundError, JointVectorError, ModelError
from armwright.kinematics import RobotModel, RobotState
from armwright.kinematics.state import bodies
from tests.kinematics.dynamics_robots import with_drives
from tests.kinematics.robot_states import (
    ALL_KINDS,
    BOTH_BASES,
    KINDS,
    FloatArray,
    in_six_threads,
    same,
    some_state,
    turn,
)

PROPERTIES = sorted(
    name
    for name in dir(RobotState)
    if not name.startswith("_") and not callable(getattr(RobotState, name))
)


def test_what_is_not_said_is_zero_or_the_model_s(tree: RobotModel) -> None:
    state = RobotState(tree, np.ones(6))
    arrays: list[tuple[FloatArray, Any]] = [
        (state.q, np.ones(6)),
        (state.v, np.zeros(6)),
        (state.a, np.zeros(6)),
        (state.base_twist, np.zeros(6)),
        (state.base_acceleration, np.zeros(6)),
        (state.T_world_base, tree.base_frame),
        (state.gravity, [0, 0, -9.81]),
    ]
    for array, expected in arrays:
        np.testing.assert_array_equal(array, expected)
    assert (state.floating, state.size, state.representation) == (False, 6, "mixed")
    assert RobotState(tree, np.ones(6), floating=True).size == 12


def test_inputs_are_copied_and_converted(tree: RobotModel) -> None:
    q = np.ones(6)
    state = RobotState(tree, q, v=[1, 2, 3, 4, 5, 6], a=np.ones(6, dtype=np.float32))
    q[:] = 7.0
    assert (state.q == 1.0).all()
    assert state.v.dtype == state.a.dtype == np.float64
    large = np.full(6, 1e50)
    np.testing.assert_array_equal(RobotState(tree, large).q, large)


@BOTH_BASES
@ALL_KINDS
def test_every_array_is_read_only_and_kept(tree: RobotModel, floating: bool, kind: str) -> None:
    state = some_state(with_drives(tree), 1, floating=floating, kind=kind)
    assert len(PROPERTIES) > 30
    arrays = [name for name in PROPERTIES if isinstance(getattr(state, name), np.ndarray)]
    assert len(arrays) > 25
    for name in [*arrays, "q", "v", "a", "T_world_base", "base_twist", "base_acceleration"]:
        array: FloatArray = getattr(state, name)
        assert not array.flags.writeable, name
        assert np.isfinite(array).all()
        assert getattr(state, name) is array, name
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0.0
    with pytest.raises(AttributeError, match=r"a state cannot be changed .*'q'"):
        state.q = np.zeros(6)
    with pytest.raises(AttributeError, match="cannot be changed"):
        state.mass_matrix = np.zeros((6, 6))
    with pytest.raises(AttributeError, match="cannot be changed"):
        del state.mass_matrix


def test_nothing_is_computed_before_it_is_asked_for(tree: RobotModel) -> None:
    state = RobotState(tree, np.zeros(6))
    assert "_array" not in state.__dict__
    assert "mass_matrix" not in state.__dict__
    _ = state.mass_matrix
    assert "mass_matrix" in state.__dict__
    assert RobotState.mass_matrix.__doc__
    before = {name: getattr(tree, name) for name in ("_rows", "base_frame")}
    moved = some_state(tree, 2)
    _ = moved.mass_matrix
    assert all(getattr(tree, name) is value for name, value in before.items())
    assert tree._rows[0, 31] == -9.81  # nothing was written into the model


@ALL_KINDS
def test_pickles_and_copies(tree: RobotModel, kind: str) -> None:
    state = some_state(with_drives(tree), 3, floating=True, kind=kind)
    assert copy.copy(state) is state
    assert copy.deepcopy(state) is state
    again = pickle.loads(pickle.dumps(state))
    assert type(again) is RobotState
    for name in PROPERTIES:
        np.testing.assert_array_equal(getattr(again, name), getattr(state, name))
    np.testing.assert_array_equal(again.gravity, state.gravity)
    assert again.representation is state.representation


def test_threads_get_the_same_objects(tree: RobotModel) -> None:
    state = some_state(tree, 4, floating=True)
    found = in_six_threads(lambda: state.mass_matrix)
    assert all(array is found[0] for array in found)


def test_with_changes_what_is_said_alone(tree: RobotModel) -> None:
    state = some_state(tree, 5, floating=True, kind="body")
    other = state.with_(a=np.ones(6))
    assert (other.a == 1.0).all()
    for name in ("q", "v", "T_world_base", "base_twist", "base_acceleration", "gravity"):
        np.testing.assert_array_equal(getattr(other, name), getattr(state, name))
    assert other.representation == "body"
    _ = state.mass_matrix
    assert bodies.array(state.with_(a=np.ones(6))) is bodies.array(
        state
    )  # what cannot differ is shared
    for change in (
        {"q": np.zeros(6)},
        {"v": np.zeros(6)},
        {"gravity": [0.0, 0.0, -1.62]},
        {"base_twist": np.ones(6)},
        {"T_world_base": np.eye(4)},
        {"model": with_drives(tree)},
        {"floating": True},
    ):
        assert bodies.array(state.with_(**change)) is not bodies.array(state)
    moon = state.with_(gravity=[0.0, 0.0, -1.62])
    assert moon.gravity[2] == -1.62
    same(moon.with_(gravity=state.gravity).bias_efforts, state.bias_efforts, 1e-14)
    fixed = state.with_(floating=False)
    assert fixed.size == 6
    assert not fixed.base_twist.any()
    same(fixed.with_(floating=True).mass_matrix[6:, 6:], state.mass_matrix[6:, 6:], 1e-14)


@ALL_KINDS
def test_another_representation_is_the_same_motion(tree: RobotModel, kind: str) -> None:
    state = some_state(tree, 6, floating=True, kind=kind)
    for other in KINDS:
        turned = state.with_(representation=other)
        back = turned.with_(representation=kind)
        same(back.base_twist, state.base_twist, 1e-13)
        same(back.base_acceleration, state.base_acceleration, 1e-13)
        assert turned.kinetic_energy == pytest.approx(state.kinetic_energy, rel=1e-13)
        same(
            turned.acceleration(tag="left hand", representation="mixed"),
            state.acceleration(tag="left hand", representation="mixed"),
            1e-13,
        )
    base = state.twist(("input", 0))
    same(base, state.base_twist, 1e-13)  # the base's frame is that of the first element
    same(state.acceleration(("input", 0)), state.base_acceleration, 1e-13)


def test_with_base_frees_it_at_rest(tree: RobotModel) -> None:
    state = RobotState(tree, np.zeros(6), np.ones(6))
    T = np.eye(4)
    T[0, 3] = 2.0
    free = state.with_base(T)
    assert free.floating
    np.testing.assert_array_equal(free.T_world_base, T)
    assert not free.base_twist.any()
    moving = free.with_base(T, np.arange(6.0), np.ones(6))
    np.testing.assert_array_equal(moving.base_twist, np.arange(6.0))
    assert not moving.with_base(T).base_twist.any()


@ALL_KINDS
@pytest.mark.parametrize("where", [None, "left hand", ("com", "forearm")])
def test_an_imu_turns_the_base(
    tree: RobotModel, kind: str, where: str | tuple[str, str] | None
) -> None:
    truth = some_state(tree, 7, floating=True, kind=kind)
    guess = truth.with_(representation="mixed")
    V, A = np.array(guess.base_twist), np.array(guess.base_acceleration)
    T = np.array(truth.T_world_base)
    T[:3, :3] = np.eye(3)
    V[3:], A[3:] = 0.5, 0.0
    guess = guess.with_base(T, V, A).with_(representation=kind)
    frame = where if isinstance(where, tuple) else ("output", where) if where else ("input", 0)
    R = truth.pose(frame)[:3, :3]
    rates = truth.twist(frame, representation="body")[3:]
    offset = turn(np.array([0.0, 0.0, 0.7]))
    found = guess.with_base_from_imu(offset.T @ R, rates, frame=where, offset=offset)
    assert found.representation == kind
    same(found.T_world_base, truth.T_world_base)
    same(found.base_twist, truth.base_twist)
    same(found.twist(frame), truth.twist(frame))
    mixed = found.with_(representation="mixed")
    same(mixed.base_acceleration, A)
    kept = guess.with_base_from_imu(R, frame=where)
    same(kept.with_(representation="mixed").base_twist[3:], V[3:])
    # Half a turn about x, as a quaternion; a fixed base becomes free.
    fixed = RobotState(tree, truth.q).with_base_from_imu([0.0, 1.0, 0.0, 0.0])
    assert fixed.floating
    same(fixed.T_world_base[:3, :3], np.diag([1.0, -1.0, -1.0]))
    same(fixed.T_world_base[:3, 3], tree.base_frame[:3, 3])


def test_quaternions_are_scalar_first(tree: RobotModel) -> None:
    state = RobotState(tree, np.zeros(6))
    half = 0.4
    quat_wxyz = [np.cos(half), 0.0, 0.0, np.sin(half)]
    about_z = state.with_base_from_imu(quat_wxyz).T_world_base[:3, :3]
    same(about_z, turn(np.array([0.0, 0.0, 2 * half])), 1e-14)
    rng = np.random.default_rng(0)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    found = state.with_base_from_imu([np.cos(1.1), *(np.sin(1.1) * axis)]).T_world_base
    same(found[:3, :3], turn(2.2 * axis), 1e-14)
    wrong: list[tuple[Any, str]] = [
        ([1.0, 1.0, 0.0, 0.0], "quaternion of length 1, got length 1.41421"),
        (np.zeros((2, 2)), r"shape \(3, 3\), or a quaternion"),
        (np.eye(3) * 2, "Is a scale in it"),
        (np.diag([1.0, 1.0, -1.0]), "mirror image"),
        (np.full((3, 3), np.nan), "finite"),
        ("north", "expected numbers"),
    ]
    for value, text in wrong:
        with pytest.raises(ModelError, match=text):
            state.with_base_from_imu(value)
    with pytest.raises(ModelError, match="angular_velocity: expected 3 numbers, got 2"):
        state.with_base_from_imu(np.eye(3), [1.0, 2.0])
    with pytest.raises(FrameNotFoundError, match="no element has the tag 'imu'"):
        state.with_base_from_imu(np.eye(3), frame="imu")


def test_states_from_feedback(tree: RobotModel) -> None:
    up, speed = np.arange(6.0), np.ones(6)
    feedback = GroupFeedback(0.1, up, speed, position_command=up + 1, velocity_command=speed + 1)
    state = RobotState.from_feedback(tree, feedback)
    np.testing.assert_array_equal(state.q, up)
    np.testing.assert_array_equal(state.v, speed)
    asked = RobotState.from_feedback(
        tree, feedback, fields=("velocity_command", "position_command")
    )
    np.testing.assert_array_equal(asked.q, up + 1)
    np.testing.assert_array_equal(asked.v, speed + 1)
    assert not RobotState.from_feedback(tree, feedback, fields=["position"]).v.any()
    assert not RobotState.from_feedback(tree, feedback, fields="Position").v.any()
    silent = GroupFeedback(0.1, up)
    assert not RobotState.from_feedback(tree, silent, fields=["position"]).v.any()
    with pytest.raises(
        JointVectorError, match=r"velocity: expected 6 finite .* got nan at index 0"
    ):
        RobotState.from_feedback(tree, silent)
    with pytest.raises(JointVectorError, match="position: expected 6 joint values, got 5"):
        RobotState.from_feedback(tree, GroupFeedback(0.0, np.zeros(5), np.zeros(5)))
    with pytest.raises(ModelError, match="Did you mean 'velocity'"):
        RobotState.from_feedback(tree, feedback, fields=("position", "velocty"))
    with pytest.raises(ModelError, match="expected one position"):
        RobotState.from_feedback(tree, feedback, fields=("position", "position_command"))
    with pytest.raises(ModelError, match="expected 'position' or"):
        RobotState.from_feedback(tree, feedback, fields=("velocity",))
    other = SimpleNamespace(position=[0.0] * 6, velocity=[1.0] * 6)
    assert RobotState.from_feedback(tree, other).v[0] == 1.0


@pytest.mark.parametrize("floating", [None, False, True])
def test_positions_have_to_be_said(tree: RobotModel, floating: bool | None) -> None:
    with pytest.raises(JointVectorError, match="q: expected 6 joint values, got None"):
        RobotState(tree, None, floating=floating)  # type: ignore[arg-type]


def test_wrong_inputs(tree: RobotModel) -> None:
    q = np.zeros(6)
    transposed = np.eye(4)
    transposed[3, :3] = 1.0
    cases: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"q": np.zeros(5)}, JointVectorError, "q: expected 6 joint values, got 5"),
        ({"v": np.zeros(12)}, JointVectorError, "v: expected 6 joint values, got 12"),
        ({"a": [0.0] * 7}, JointVectorError, "a: expected 6 joint values, got 7"),
        ({"q": np.full(6, np.nan)}, JointVectorError, "q: expected 6 finite .* got nan"),
        ({"v": [0, 0, 0, np.inf, 0, 0]}, JointVectorError, "got inf at index 3"),
        ({"q": np.full(6, 1e51)}, JointVectorError, "q: expected 6 .* got 1e.51"),
        ({"q": np.full(6, 1e300)}, JointVectorError, "q: expected 6 .* got 1e.300"),
        ({"q": np.zeros((1, 6))}, JointVectorError, "in a row"),
        ({"q": "zero"}, JointVectorError, "q: expected 6 joint values, got 'zero'"),
        ({"q": np.zeros(6, dtype=complex)}, JointVectorError, "q: expected 6"),
        ({"T_world_base": transposed}, ModelError, "Is the matrix transposed"),
        ({"T_world_base": np.eye(3)}, ModelError, r"T_world_base: expected shape"),
        ({"T_world_base": np.diag([2.0, 2, 2, 1])}, ModelError, "Is a scale in it"),
        ({"T_world_base": np.full((4, 4), np.nan)}, ModelError, "T_world_base: expected finite"),
        ({"base_twist": np.ones(5)}, ModelError, "base_twist: expected 6 numbers, got 5"),
        ({"base_twist": 3.0}, ModelError, r"base_twist: expected 6 numbers, got shape \(\)"),
        (
            {"base_acceleration": [0, 0, np.nan, 0, 0, 0]},
            ModelError,
            "base_acceleration: expected 6 finite numbers, got nan at index 2",
        ),
        ({"gravity": [0.0, -9.81]}, ModelError, "gravity: expected shape"),
        ({"gravity": [0.0, 0.0, np.nan]}, ModelError, "gravity: expected finite"),
        ({"representation": "wrld"}, ModelError, "expected one of 'mixed', 'body', 'inertial'"),
        ({"floating": "no"}, ModelError, "floating: expected True or False, got 'no'"),
    ]
    good = RobotState(tree, q, floating=True)
    for change, kind, text in cases:
        arguments: dict[str, Any] = {"q": q, "floating": True, **change}
        with pytest.raises(kind, match=text):
            RobotState(tree, **arguments)
        with pytest.raises(kind, match=text):
            good.with_(**change)
    with pytest.raises(ModelError, match=r"base_twist: expected zeros.*Is floating=True missing"):
        RobotState(tree, q, base_twist=np.ones(6))
    with pytest.raises(ModelError, match="base_acceleration: expected zeros"):
        RobotState(tree, q, base_acceleration=np.ones(6))
    with pytest.raises(ModelError, match="model: expected a RobotModel, got 'arm"):
        RobotState("arm.hrdf", q)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="model: expected a RobotModel"):
        good.with_(model=3)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="model: expected a RobotModel"):
        RobotState.from_feedback(None, None)  # type: ignore[arg-type]


def test_a_normalized_gravity_is_doubted_at_the_caller(tree: RobotModel) -> None:
    with pytest.warns(UserWarning, match="was it normalized") as seen:
        state = RobotState(tree, np.zeros(6), gravity=[0.0, 0.0, -1.0])
    assert seen[0].filename == __file__
    with pytest.warns(UserWarning, match="was it normalized") as seen:
        state.with_(gravity=[0.0, -1.0, 0.0])
    assert seen[0].filename == __file__
    assert state.with_(q=np.ones(6)).gravity[2] == -1.0  # no second warning


def test_one_line_says_what_it_is(tree: RobotModel) -> None:
    state = RobotState(tree, np.zeros(6), floating=True)
    assert repr(state) == (
        "<RobotState: 6 dof, floating base, at rest; q [0., 0., 0., 0., 0., 0.]>"
    )
    assert "fixed base, moving" in repr(RobotState(tree, np.zeros(6), np.ones(6)))


def test_a_robot_without_joints() -> None:
    from armwright.kinematics import loads

    box = loads('<robot version="1.6.0"><rigid-body mass="2" ixx="1" iyy="1" izz="1"/></robot>')
    state = RobotState(box, [], base_twist=np.ones(6), floating=True)
    assert state.mass_matrix.shape == (6, 6)
    same(state.solve_mass(state.momentum), np.ones(6))
    assert state.joint_wrenches().shape == (0, 6)
    still = RobotState(box, [])
    assert still.size == 0
    assert still.jacobian("output", 0).shape == (6, 0)
    assert still.inverse_dynamics().shape == (0,)
    assert still.coriolis.shape == (0, 0)
    same(still.base_wrench(), [0.0, 0.0, 2 * 9.81, 0.0, 0.0, 0.0])
