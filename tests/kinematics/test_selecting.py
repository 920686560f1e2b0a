"""Joints by name and number: selection matrices, masks, mappings."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armwright.errors import FrameNotFoundError, JointVectorError, ModelError
from armwright.kinematics import RobotModel, RobotState, loads
from tests.kinematics.conftest import TREE

# Joints of TREE in order: trunk, left, joint3, right, joint5, joint6.
GROUPS = """
version: 1
groups:
  left arm: {chain: [body, left hand]}
  right arm: {joints: [right, joint5, joint6]}
  trunk: {joints: [trunk]}
  joint3: {joints: [joint3, left]}
reference_configurations:
  home: {left: 0.5, joint6: -1}
"""


@pytest.fixture(scope="module")
def robot(tmp_path_factory: pytest.TempPathFactory) -> RobotModel:
    path = tmp_path_factory.mktemp("groups") / "tree.yaml"
    path.write_text(GROUPS)
    return loads(TREE).with_groups(path)


def test_joints_by_name_and_number(robot: RobotModel) -> None:
    assert robot.joint_names == ("trunk", "left", "joint3", "right", "joint5", "joint6")
    assert robot.joint_index("right") == 3
    assert robot.joint_index(np.int64(3)) == 3  # type: ignore[arg-type]
    assert robot.joint_indices("left arm") == (1, 2)
    assert robot.joint_indices(robot.groups["right arm"]) == (3, 4, 5)
    assert robot.joint_indices("right") == (3,)
    assert robot.joint_indices(5) == (5,)
    assert robot.joint_indices(["joint6", 0]) == (5, 0)
    assert robot.joint_indices(np.array([2, 1])) == (2, 1)  # type: ignore[arg-type]
    assert robot.joint_indices("trunk") == (0,)  # a group and a joint, which are the same
    assert robot.joint_indices([]) == ()


@pytest.mark.parametrize(
    ("joints", "message"),
    [
        ("rigth", "no group or joint 'rigth'.*Did you mean 'right'"),
        (["rigth"], "there is no joint 'rigth'.*Did you mean 'right'"),
        ("body", "no group or joint 'body'"),
        (["body"], "'body' is no joint, but a rigid-body"),
        (6, "expected 0 to 5, got 6"),
        (-1, "expected 0 to 5, got -1"),
        (True, "expected a name or a number, got True"),
        ([1.0], r"expected a name or a number, got 1\.0"),
        (1.5, "expected a group, a joint or a list"),
        (None, "expected a group, a joint or a list"),
        ({"left": 1}, "expected a group, a joint or a list"),
    ],
)
def test_unknown_joints(robot: RobotModel, joints: Any, message: str) -> None:
    with pytest.raises(FrameNotFoundError, match=message):
        robot.joint_indices(joints)


def test_doubtful_joints(robot: RobotModel) -> None:
    with pytest.raises(ModelError, match="'joint3' is a group and a joint"):
        robot.joint_indices("joint3")
    with pytest.raises(ModelError, match="'left' is there twice"):
        robot.joint_indices(["left", 1])
    with pytest.raises(FrameNotFoundError, match="'left arm' is not one of this model's"):
        loads(TREE).joint_indices(robot.groups["left arm"])
    with pytest.raises(FrameNotFoundError, match=r"no joint 'x'\. The robot has no joints"):
        loads('<robot version="1.6.0"/>').joint_index("x")
    with pytest.raises(FrameNotFoundError, match="none, as the robot has no joints"):
        loads('<robot version="1.6.0"/>').joint_index(0)


@given(joints=st.permutations(range(6)), count=st.integers(0, 6))
def test_selection_picks_and_puts_back(robot: RobotModel, joints: list[int], count: int) -> None:
    picked = joints[:count]
    q = np.random.default_rng(0).normal(size=6)
    S = robot.selection(picked)
    assert S.shape == (count, 6)
    np.testing.assert_array_equal(S @ q, q[picked])
    np.testing.assert_array_equal(S @ S.T, np.eye(count))
    back = np.zeros(6)
    back[picked] = q[picked]
    np.testing.assert_array_equal(S.T @ S @ q, back)


def test_a_masked_jacobian_is_that_of_moving_the_group_alone(robot: RobotModel) -> None:
    q, v = np.random.default_rng(1).normal(size=(2, 6))
    J = robot.jacobian(q, tag="right hand")
    masked = robot.mask_jacobian(J, "right arm")
    alone = np.where(np.arange(6) >= 3, v, 0.0)
    np.testing.assert_allclose(masked @ v, J @ alone, atol=1e-14)
    assert masked is not J
    assert not masked[:, :3].any()
    np.testing.assert_array_equal(masked[:, 3:], J[:, 3:])


def test_masks_of_batches_and_floating_bases(robot: RobotModel) -> None:
    J = np.ones((3, 2, 6, 12))
    masked = robot.mask_jacobian(J, ["trunk", "joint6"])
    assert masked.shape == J.shape
    np.testing.assert_array_equal(masked[1, 1, 0], [0] * 6 + [1, 0, 0, 0, 0, 1])
    np.testing.assert_array_equal(
        robot.mask_jacobian([[1, 2, 3, 4, 5, 6]], 1), [[0, 2, 0, 0, 0, 0]]
    )
    for odd in (np.ones((6, 7)), 3.0, "J", [[1], [1, 2]]):
        with pytest.raises(ModelError, match=r"expected a matrix of 6 columns \(12 with a float"):
            robot.mask_jacobian(odd, "left")


def test_maps_by_name_and_number(robot: RobotModel) -> None:
    q = [0.5, 1, 2, 3, 4, 5]
    names = robot.to_map(q)
    assert names == dict(zip(robot.joint_names, q, strict=True))
    assert all(type(value) is float for value in names.values())
    assert robot.to_map(q, by="number") == dict(enumerate(q))
    assert robot.to_map(q, "left arm") == {"left": 1.0, "joint3": 2.0}
    assert robot.to_map(q, ["joint6", 1], by="number") == {5: 5.0, 1: 1.0}
    assert list(robot.to_map(q, ["joint6", 1])) == ["joint6", "left"]
    np.testing.assert_array_equal(robot.from_map(names), q)
    np.testing.assert_array_equal(robot.from_map(robot.to_map(q, by="number")), q)


def test_maps_with_defaults(robot: RobotModel) -> None:
    some: dict[Any, float] = {"left": 0.5, 3: 2, "joint6": -1}
    np.testing.assert_array_equal(robot.from_map(some, 0), [0, 0.5, 0, 2, 0, -1])
    np.testing.assert_array_equal(robot.from_map(some, default=7.5), [7.5, 0.5, 7.5, 2, 7.5, -1])
    q = np.arange(6.0)
    np.testing.assert_array_equal(robot.from_map({"trunk": 9}, default=q), [9, 1, 2, 3, 4, 5])
    np.testing.assert_array_equal(q, np.arange(6.0))
    np.testing.assert_array_equal(robot.from_map({}, "home"), [0, 0.5, 0, 0, 0, -1])
    np.testing.assert_array_equal(robot.from_map({"left": 1}, "home"), [0, 1, 0, 0, 0, -1])
    assert loads('<robot version="1.6.0"/>').from_map({}).shape == (0,)


@pytest.mark.parametrize(
    ("values", "default", "error", "message"),
    [
        ({"left": 1}, None, JointVectorError, "missing: trunk, joint3, right, joint5, joint6"),
        ({"lefd": 1}, 0, FrameNotFoundError, "Did you mean 'left'"),
        ({6: 1}, 0, FrameNotFoundError, "expected 0 to 5, got 6"),
        ({"left": 1, 1: 1}, 0, JointVectorError, "'left' is there twice, by name and by number 1"),
        ({"left": np.nan}, 0, JointVectorError, "'left': expected a finite number, got nan"),
        ({"left": [1]}, 0, JointVectorError, "'left': expected a number, got"),
        ({"left": "1"}, 0, JointVectorError, "'left': expected a number, got '1'. Text"),
        ({"left": True}, 0, JointVectorError, "'left': expected a number, got True. Truth"),
        ([1, 2], 0, JointVectorError, "expected a mapping of joints"),
        ({}, "hom", FrameNotFoundError, "no reference configuration 'hom'.*'home'"),
        ({}, [1, 2], JointVectorError, "default: expected one number or 6 numbers, got 2"),
        ({}, np.inf, JointVectorError, "default: expected 6"),
        ({}, True, JointVectorError, "default: expected one number or 6 numbers, got True"),
    ],
)
def test_odd_maps(
    robot: RobotModel, values: Any, default: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        robot.from_map(values, default)


def test_odd_vectors_and_keys(robot: RobotModel) -> None:
    with pytest.raises(JointVectorError, match="expected 6 joint values, got 5"):
        robot.to_map([0] * 5)
    with pytest.raises(ModelError, match="got 'tag'"):
        robot.to_map([0] * 6, by="tag")  # type: ignore[call-overload]
    with pytest.raises(FrameNotFoundError, match=r"'home'\. The robot has none"):
        loads(TREE).from_map({}, "home")


def test_a_robot_without_groups_still_has_joints() -> None:
    with pytest.raises(FrameNotFoundError, match=r"no joint 'lefft'.*Did you mean 'left'"):
        loads(TREE).selection("lefft")


def test_masks_that_keep_or_drop(robot: RobotModel) -> None:
    J = robot.jacobian(np.linspace(-1, 1, 6), tag="right hand")
    kept = robot.mask_jacobian(J, keep="right arm")
    np.testing.assert_array_equal(kept, robot.mask_jacobian(J, "right arm"))
    dropped = robot.mask_jacobian(J, drop="right arm")
    np.testing.assert_array_equal(kept + dropped, J)
    assert not dropped[:, 3:].any()
    # Of a floating base: what moves alone leaves the base where it is, what is held does not.
    wide = np.ones((6, 12))
    keep, drop = robot.mask_jacobian(wide, keep=[0]), robot.mask_jacobian(wide, drop=[0])
    np.testing.assert_array_equal(keep[0], [0] * 6 + [1] + [0] * 5)
    np.testing.assert_array_equal(drop[0], [1] * 6 + [0] + [1] * 5)
    np.testing.assert_array_equal(robot.mask_jacobian(J, drop=[]), J)
    np.testing.assert_array_equal(robot.mask_jacobian(J, []), 0.0 * J)
    for said in ({}, {"keep": 0, "drop": 1}, {"joints": 0, "keep": 0}, {"joints": 0, "drop": 0}):
        with pytest.raises(ModelError, match="expected one of joints, keep and drop, got"):
            robot.mask_jacobian(J, **said)


def test_selections_as_wide_as_a_floating_state(robot: RobotModel) -> None:
    S = robot.selection("right arm", full=True)
    assert S.shape == (3, 12)
    state = RobotState(robot, np.zeros(6), np.arange(6.0), floating=True)
    np.testing.assert_array_equal(S @ state.generalized_velocity, [3, 4, 5])
    np.testing.assert_array_equal(S[:, 6:], robot.selection("right arm"))
    assert not S[:, :6].any()
    assert robot.selection([], full=True).shape == (0, 12)
    with pytest.raises(ModelError, match="full: expected True or False, got 1"):
        robot.selection("right arm", full=1)  # type: ignore[arg-type]
