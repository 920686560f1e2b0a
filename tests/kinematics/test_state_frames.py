"""Frames of a state: definitions by differences in time, and what must agree with what."""

from typing import Any

import numpy as np
import pytest

from armwright.errors import FrameNotFoundError, ModelError
from armwright.kinematics import Representation, RobotModel, RobotState
from tests.kinematics.robot_states import (
    ALL_KINDS,
    BOTH_BASES,
    KINDS,
    SLOW,
    rate,
    same,
    some_state,
    twist_of,
)

FRAMES = ["output", "input", "com", "endeffector"]
HAND = ("output", "right hand")
PAIRS: list[tuple[tuple[str, int | str], tuple[str, int | str]]] = [
    (("endeffector", "left hand"), ("endeffector", "right hand")),
    (("com", "forearm"), ("output", "trunk")),
    (("input", 0), ("output", "forearm")),
    (("output", "left"), ("input", "body")),
]


def last(model: RobotModel, frame_type: str) -> int:
    return model.frame_count(frame_type) - 1


def test_poses_are_those_of_the_model(robot: RobotModel) -> None:
    state = RobotState(robot, np.linspace(-1, 1, robot.dof))
    for kind in FRAMES:
        expected = robot.forward_kinematics(kind, state.q)
        same(state.poses(kind), expected, 1e-14)
        for index in range(len(expected)):
            same(state.pose(kind, index), expected[index], 1e-14)


def test_many_frames_and_their_axes(tree: RobotModel) -> None:
    state = some_state(tree, 9, floating=True)
    asked: list[Any] = ["left hand", ("com", "forearm"), ("output", 2)]
    poses = state.poses(asked)
    assert poses.shape == (3, 4, 4)
    same(poses[0], state.pose(tag="left hand"), 1e-15)
    same(poses[1], state.pose("com", tag="forearm"), 1e-15)
    same(poses[2], state.pose("output", 2), 1e-15)
    assert state.poses([]).shape == (0, 4, 4)
    with pytest.raises(FrameNotFoundError, match="no element has the tag 'nose'"):
        state.poses(["nose"])
    R = state.orientation(tag="left hand")
    np.testing.assert_array_equal(R, poses[0][:3, :3])
    R[:] = 0.0  # a fresh array: the state does not notice
    same(state.orientation(tag="left hand"), poses[0][:3, :3], 1e-15)
    turned = state.orientation("com", tag="forearm", reference="left hand")
    same(turned, state.relative_pose(("com", "forearm"), "left hand")[:3, :3])


@ALL_KINDS
@BOTH_BASES
def test_twists_and_accelerations_are_derivatives(
    robot: RobotModel, floating: bool, kind: str
) -> None:
    state = some_state(robot, 1, floating=floating, kind=kind)
    for frame_type in FRAMES:
        check_motion(state, (frame_type, last(robot, frame_type)), kind)


def check_motion(state: RobotState, frame: tuple[str, int], kind: str) -> None:
    twist = state.twist(frame)
    same(twist, twist_of(state.pose(frame), rate(lambda s: s.pose(frame), state), kind), SLOW)
    acceleration = state.acceleration(frame)
    same(acceleration, rate(lambda s: s.twist(frame), state), SLOW)
    J = state.jacobian(frame)
    same(J @ state.generalized_velocity, twist)
    bias = state.bias_acceleration(frame)
    same(J @ state.generalized_acceleration + bias, acceleration)
    same(bias, rate(lambda s: s.jacobian(frame), state) @ state.generalized_velocity, SLOW)


@ALL_KINDS
@BOTH_BASES
def test_every_column_of_a_jacobian_by_differences(
    tree: RobotModel, floating: bool, kind: str
) -> None:
    state = some_state(tree, 2, floating=floating, kind=kind)
    J = state.jacobian(HAND)
    assert J.shape == (6, state.size)
    for k, unit in enumerate(np.eye(state.size)):
        v = unit[state.size - tree.dof :]
        base = unit[:6] if floating else None
        moving = state.with_(v=v, a=0 * v, base_twist=base, base_acceleration=np.zeros(6))
        T_rate = rate(lambda s: s.pose(HAND), moving)
        same(J[:, k], twist_of(state.pose(HAND), T_rate, kind), SLOW)


def test_joints_that_do_not_move_a_frame_have_columns_of_zeros(tree: RobotModel) -> None:
    state = some_state(tree, 3, floating=True)
    left = state.jacobian("output", tag="left hand")
    assert (left[:, 6:][:, 3:] == 0).all()  # the right arm
    assert (np.abs(left[:, 6:][:, :3]).max(axis=0) > 1e-3).all()
    assert (state.jacobian(("input", 0))[:, 6:] == 0).all()
    np.testing.assert_array_equal(state.postural_jacobian @ state.generalized_velocity, state.v)


def test_one_model_has_the_same_jacobians(tree: RobotModel) -> None:
    q = np.linspace(-1, 1, tree.dof)
    for kind, reference in zip(KINDS, ("world", "body", "spatial"), strict=True):
        state = RobotState(tree, q, representation=kind)
        point = [0.1, -0.2, 0.3]
        for tag in ("left hand", "right hand"):
            expected = tree.jacobian(q, None, None, None, tag, reference, point)  # type: ignore[arg-type]
            same(state.jacobian(None, None, tag, point=point), expected, 1e-14)


@BOTH_BASES
def test_points_of_a_frame(tree: RobotModel, floating: bool) -> None:
    state = some_state(tree, 4, floating=floating)
    point = [0.3, -0.1, 0.2]
    where = state.pose(HAND) @ [*point, 1.0]
    same(state.position(HAND, point=point), where[:3])
    twist = state.twist(HAND, point=point)
    same(twist[:3], rate(lambda s: s.position(HAND, point=point), state), SLOW)
    same(twist[3:], state.twist(HAND)[3:])
    acceleration = state.acceleration(HAND, point=point)
    same(acceleration, rate(lambda s: s.twist(HAND, point=point), state), SLOW)
    J = state.jacobian(HAND, point=point)
    bias = state.bias_acceleration(HAND, point=point)
    same(J @ state.generalized_velocity, twist)
    same(J @ state.generalized_acceleration + bias, acceleration)
    reference = ("input", "body")
    same(
        state.position(HAND, point=point, reference=reference),
        np.linalg.solve(state.pose(reference), where)[:3],
    )
    state.position(HAND)[:] = 7.0  # a fresh array: the state does not notice
    same(state.position(HAND), state.pose(HAND)[:3, 3])


@ALL_KINDS
def test_expressed_in_turns_the_mixed_numbers(tree: RobotModel, kind: str) -> None:
    state = some_state(tree, 5, floating=True, kind=kind)
    axes = ("com", "forearm")
    turn = np.kron(np.eye(2), state.pose(axes)[:3, :3].T)
    mixed = state.with_(representation="mixed")
    same(state.twist(HAND, expressed_in=axes), turn @ mixed.twist(HAND))
    same(state.acceleration(HAND, expressed_in=axes), turn @ mixed.acceleration(HAND))
    J, bias = (
        state.jacobian(HAND, expressed_in=axes),
        state.bias_acceleration(HAND, expressed_in=axes),
    )
    same(J @ state.generalized_velocity, turn @ mixed.twist(HAND))
    same(J @ state.generalized_acceleration + bias, turn @ mixed.acceleration(HAND))
    same(state.gravity_in(axes), state.pose(axes)[:3, :3].T @ state.gravity)


def test_a_representation_for_one_call_is_that_of_another_state(tree: RobotModel) -> None:
    state = some_state(tree, 6, floating=True, kind="body")
    for kind in KINDS:
        other = state.with_(representation=kind)
        for name in ("twist", "acceleration", "bias_acceleration", "jacobian"):
            here = getattr(state, name)(HAND, representation=kind)
            np.testing.assert_allclose(here, getattr(other, name)(HAND), atol=1e-12)
        for name in ("twist", "acceleration", "bias_acceleration", "jacobian"):
            here = getattr(state, f"relative_{name}")(*PAIRS[0], representation=kind.upper())
            np.testing.assert_allclose(
                here, getattr(other, f"relative_{name}")(*PAIRS[0]), atol=1e-12
            )


@ALL_KINDS
@BOTH_BASES
@pytest.mark.parametrize("pair", PAIRS)
def test_relative_motion_by_differences(
    tree: RobotModel,
    pair: tuple[tuple[str, int | str], tuple[str, int | str]],
    floating: bool,
    kind: str,
) -> None:
    state = some_state(tree, 7, floating=floating, kind=kind)
    frame, reference = pair
    T = state.relative_pose(frame, reference)
    same(T, np.linalg.inv(state.pose(reference)) @ state.pose(frame))
    twist = state.relative_twist(*pair)
    same(twist, twist_of(T, rate(lambda s: s.relative_pose(*pair), state), kind), SLOW)
    acceleration = state.relative_acceleration(*pair)
    same(acceleration, rate(lambda s: s.relative_twist(*pair), state), SLOW)
    J = state.relative_jacobian(*pair)
    assert J.shape == (6, tree.dof)
    same(J @ state.v, twist)
    bias = state.relative_bias_acceleration(*pair)
    same(J @ state.a + bias, acceleration)
    same(bias, rate(lambda s: s.relative_jacobian(*pair), state) @ state.v, SLOW)
    # Joints that move both frames have no part in it.
    mine, others = (np.abs(state.jacobian(f)[:, -tree.dof :]).max(axis=0) > 0 for f in pair)
    assert (J[:, mine == others] == 0).all()


def test_explicit_origins_and_axes(tree: RobotModel) -> None:
    state = some_state(tree, 8, floating=True, kind="inertial")
    frame, reference = PAIRS[0]
    origin, axes = ("com", "forearm"), ("output", "trunk")
    T = state.relative_pose_explicit(frame, origin, reference, axes)
    same(T[:3, :3], state.pose(axes)[:3, :3].T @ state.pose(origin)[:3, :3])
    way = state.pose(frame)[:3, 3] - state.pose(reference)[:3, 3]
    same(T[:3, 3], state.pose(axes)[:3, :3].T @ way)
    J = state.relative_jacobian_explicit(frame, reference, origin=origin, axes=axes)
    # A point that is fixed in the frame's body and now at that origin, as the reference sees it.
    point = np.linalg.solve(state.pose(frame), np.append(state.position(origin), 1.0))
    seen = rate(lambda s: s.relative_pose(frame, reference) @ point, state)[:3]
    turn = state.relative_pose(reference, axes)[:3, :3]
    same((J @ state.v)[:3], turn @ seen, SLOW)
    body = state.relative_jacobian(frame, reference, representation="body")
    same(state.relative_jacobian_explicit(frame, reference, origin=frame, axes=frame), body)


def test_frames_are_named_as_in_the_model(tree: RobotModel) -> None:
    state = RobotState(tree, np.zeros(tree.dof))
    hand = state.pose("endeffector", tag="left hand")
    for other in (
        state.pose(tag="left hand"),
        state.pose(("endeffector", 0)),
        state.pose("End_Effector", 0),
        state.relative_pose("left hand", ("input", 0)),
    ):
        if other is not hand:
            assert other.shape == (4, 4)
    np.testing.assert_array_equal(hand, state.pose(tag="left hand"))
    np.testing.assert_array_equal(hand, state.pose(("endeffector", 0)))
    same(tree.base_frame @ state.relative_pose("left hand", ("input", 0)), hand)
    np.testing.assert_array_equal(state.pose(tag="forearm"), state.pose("output", tag="forearm"))
    np.testing.assert_array_equal(state.pose("forearm"), state.pose("output", tag="forearm"))
    J = tree.jacobian(state.q, frame_type="endeffector", tag="left hand")
    np.testing.assert_allclose(state.jacobian("left hand"), J, rtol=0, atol=1e-14)
    for arguments, text in [
        ((), "2 endeffector frames"),
        ((("output", 0), 0), "alone"),
        ((("output", 0, 1),), "expected a tag or"),
        (("outputt", 0), "Did you mean"),
        (("outputt",), "a frame type, a tag or joint.*Did you mean 'output'"),
        (("forarm",), "a frame type, a tag or .*Did you mean 'forearm'"),
        ((None, None, "forarm"), "Did you mean 'forearm'"),
        (("output", 99), "expected 0 to"),
    ]:
        with pytest.raises(FrameNotFoundError, match=text):
            state.pose(*arguments)  # type: ignore[arg-type]
    with pytest.raises(FrameNotFoundError, match="as key, got 3"):
        state.relative_pose(3, None)  # type: ignore[arg-type]
    with pytest.raises(FrameNotFoundError, match="2 endeffector frames"):
        state.relative_twist(None, ("input", 0))
    with pytest.raises(ModelError, match="point: expected 3 numbers, got 2"):
        state.twist(HAND, point=[1.0, 2.0])
    with pytest.raises(ModelError, match="representation: expected one of 'mixed'"):
        state.twist(HAND, representation="boddy")


def test_kinds_of_representation() -> None:
    assert Representation.parse("Inertial") is Representation.INERTIAL
    assert Representation.BODY.value == "body"
    assert [kind.value for kind in Representation] == list(KINDS)
