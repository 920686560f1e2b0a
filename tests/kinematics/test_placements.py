"""Joints and frames read back as they were put: axis, placement, parent, kind."""

from typing import Any

import numpy as np
import pytest

from armwright.errors import FrameNotFoundError, ModelError
from armwright.kinematics import Frame, FrameType, ModelBuilder, RobotModel, RobotState
from armwright.kinematics.transforms import invert
from tests.kinematics.random_trees import PinTree, build, random_tree
from tests.oracles import rotation_about

SEEDS = range(6)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_said_to_a_builder_comes_back(seed: int) -> None:
    things = random_tree(seed, 20)
    base = np.eye(4)
    base[:3, 3] = 1.0, -2.0, 0.5
    model = build(things, base=base)
    by_name = {thing.name: thing for thing in things}
    for name in model.joint_names:
        thing, place = by_name[name], by_name[name].T
        owner = thing.parent
        while owner is not None and not owner.moves:
            place, owner = owner.T @ place, owner.parent
        told = model.joint_info(name)
        assert told.kind == thing.kind
        assert told.parent == (owner and owner.name)
        axis = thing.axis / np.linalg.norm(thing.axis)
        np.testing.assert_allclose(told.axis, axis, atol=1e-15)
        np.testing.assert_allclose(told.placement, place, atol=1e-14)
    for thing in things:
        place, owner = np.eye(4), thing
        while owner is not None and not owner.moves:
            place, owner = owner.T @ place, owner.parent
        told_frame = model.frame_info(thing.name)
        assert told_frame.name == thing.name
        wanted = "joint" if thing.kind in ("revolute", "prismatic", "fixed") else thing.kind
        assert told_frame.kind == wanted
        assert told_frame.parent == (owner and owner.name)
        np.testing.assert_allclose(told_frame.placement, place, atol=1e-13)


@pytest.mark.parametrize("seed", SEEDS)
def test_placements_are_pinocchio_s(seed: int) -> None:
    pin: Any = pytest.importorskip("pinocchio")
    things = random_tree(seed, 20)
    model = build(things)
    twin = PinTree(pin, things, model.joint_names, np.eye(4))
    theirs = [place.homogeneous for place in twin.model.jointPlacements[1:]]
    np.testing.assert_allclose(model.joint_placements, np.array(theirs), atol=1e-13)
    parents = [p - 1 for p in twin.model.parents[1:]]
    assert list(model.topology.parents) == parents
    for thing in things:
        frame = twin.model.frames[twin.frames[thing.name]]
        told = model.frame_info(thing.name)
        number = model.joint_names.index(told.parent) + 1 if told.parent is not None else 0
        assert number == (frame.parentJoint if hasattr(frame, "parentJoint") else frame.parent)
        np.testing.assert_allclose(told.placement, frame.placement.homogeneous, atol=1e-13)


def test_robots_from_files_turn_about_their_axes(robot: RobotModel) -> None:
    """Closed form: a joint's frame, moved by q, is its placement times a turn about its axis."""
    q = np.random.default_rng(2).uniform(-2, 2, size=robot.dof)
    state = RobotState(robot, q, T_world_base=np.eye(4))
    for joint, name in enumerate(robot.joint_names):
        told = robot.joint_info(name)
        assert told.index == joint
        T_parent = np.eye(4) if told.parent is None else state.pose(frame=told.parent)
        moved, way = np.eye(4), q[joint] / told.gear_ratio
        if told.kind == "revolute":
            moved[:3, :3] = rotation_about(told.axis, way)
        else:
            moved[:3, 3] = told.axis * way
        found = invert(T_parent) @ state.pose(frame=name)
        np.testing.assert_allclose(found, told.placement @ moved, atol=1e-13)
        assert told.unit == ("m" if told.kind == "prismatic" else "rad")
        assert told.position_limits == tuple(robot.position_limits[:, joint].tolist())
        assert (told.max_speed, told.max_effort) == (
            robot.max_speeds[joint],
            robot.max_efforts[joint],
        )
        np.testing.assert_array_equal(told.axis, robot.joint_axes[joint])
        np.testing.assert_array_equal(told.placement, robot.joint_placements[joint])
        assert told.body == robot.topology.body_names[joint + 1]


def test_every_frame_is_where_it_says(robot: RobotModel) -> None:
    q = np.random.default_rng(3).uniform(-2, 2, size=robot.dof)
    state = RobotState(robot, q, T_world_base=np.eye(4))
    for frame_type in FrameType:
        for number in range(robot.frame_count(frame_type)):
            told = robot.frame_info((frame_type, number))
            assert told.frame == Frame(frame_type, number)
            T_parent = np.eye(4) if told.parent is None else state.pose(frame=told.parent)
            expected = state.pose(frame_type, number)
            np.testing.assert_allclose(T_parent @ told.placement, expected, atol=1e-13)
            assert told.name == robot.frame_name(frame_type, number)
            assert (told.kind == "") == (told.name == "")
            assert told.element == robot.frame_elements(frame_type)[number]
    named = [robot.frame_info(name) for name in robot.frame_names()]
    assert [one.name for one in named] == list(robot.frame_names())


def test_axes_are_exact_and_signed(tree: RobotModel) -> None:
    axes = dict(zip(tree.joint_names, tree.joint_axes.tolist(), strict=True))
    assert axes["left"] == [0.0, -1.0, 0.0]
    assert axes["right"] == [0.0, 0.0, -1.0]
    assert axes["trunk"] == [0.0, 0.0, 1.0]
    assert not tree.joint_axes.flags.writeable
    assert not tree.joint_placements.flags.writeable
    assert not tree.joint_info("left").axis.flags.writeable
    assert not tree.frame_info("left").placement.flags.writeable


def test_one_name_of_two_kinds() -> None:
    model = ModelBuilder().joint("a", axis="y").body("b", parent="a", mass=1.0).build()
    assert model.frame_info("a", kind="joint").kind == "joint"
    assert model.frame_info("b", "body").body == "b"


def test_words_and_errors(tree: RobotModel) -> None:
    assert str(tree.joint_info("left")).startswith(
        "joint 1 'left': revolute about 0 -1 0, on 'trunk' at"
    )
    assert "prismatic along 0 0 -1" in str(tree.joint_info("right"))
    with pytest.raises(FrameNotFoundError, match=r"no joint 'lefd'.*Did you mean 'left'"):
        tree.joint_info("lefd")
    with pytest.raises(FrameNotFoundError, match="no element has the tag 'x'"):
        tree.frame_info("x")
    with pytest.raises(ModelError, match="kind: goes with a name"):
        tree.frame_info(("output", 0), kind="joint")
    with pytest.raises(FrameNotFoundError, match=r"no body frame 'left'.*It is of kind 'joint'"):
        tree.frame_info("left", kind="body")


def test_a_robot_without_joints() -> None:
    model = ModelBuilder().body("b", mass=1.0).build()
    assert model.joint_axes.shape == (0, 3)
    assert model.joint_placements.shape == (0, 4, 4)
    assert model.frame_info("b").parent is None
