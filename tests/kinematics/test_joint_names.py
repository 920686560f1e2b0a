"""Other names for joints: used wherever joints or frames are named, and kept."""

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armwright.errors import FrameNotFoundError, ModelError
from armwright.kinematics import ModelBuilder, RobotModel, RobotState, loads
from armwright.kinematics.naming import find_frame
from armwright.kinematics.robot import from_json, to_json
from tests.kinematics.conftest import TREE

NAMES = ("a", "b", "c", "d", "e", "f")
GROUPS = """
version: 1
groups:
  right arm: {joints: [right, joint5, joint6]}
arms: [right arm]
reference_configurations:
  home: {right: 0.5, joint6: -1}
"""


@pytest.fixture
def grouped(tmp_path: Path) -> RobotModel:
    (tmp_path / "tree.yaml").write_text(GROUPS)
    return loads(TREE).with_position_limits([-2] * 6, [2] * 6).with_groups(tmp_path / "tree.yaml")


def test_names_are_used_everywhere(grouped: RobotModel) -> None:
    named = grouped.with_joint_names(NAMES)
    assert named.joint_names == named.frame_names("joint") == named.topology.joint_names == NAMES
    assert named.joint_index("e") == 4
    assert list(named.to_map(np.zeros(6))) == list(NAMES)
    arm = named.arm(0)
    assert (arm.joints, arm.joint_names) == ((3, 4, 5), ("d", "e", "f"))
    assert dict(arm.states["home"]) == {"d": 0.5, "f": -1.0}
    home = named.reference_configurations["home"]
    np.testing.assert_array_equal(home, grouped.reference_configurations["home"])
    np.testing.assert_array_equal(named.position_limits, grouped.position_limits)
    assert named.check_limits(q=[0, 3, 0, 0, 0, 0])[0].joint == "b"
    assert "  c  " in named.describe()
    q = np.linspace(-1, 1, 6)
    for new, old in zip(NAMES, grouped.joint_names, strict=True):
        assert named.frame(new) == grouped.frame(old)
        J = named.jacobian(q, frame=new)
        assert J.tobytes() == grouped.jacobian(q, frame=old).tobytes()
        assert find_frame(named, frame=("input", new)) == find_frame(grouped, frame=("input", old))
        np.testing.assert_array_equal(
            RobotState(named, q).pose(new), RobotState(grouped, q).pose(old)
        )


def test_a_tag_stays_a_tag(tree: RobotModel) -> None:
    named = tree.with_joint_names({"trunk": "waist", 4: "elbow"})
    assert named.joint_names == ("waist", "left", "joint3", "right", "elbow", "joint6")
    assert dict(named.tags) == dict(tree.tags)
    for frame in ("waist", "trunk", ("output", "trunk"), ("output", "waist")):
        assert find_frame(named, frame=frame) == ("output", 0)
    assert named.frame("trunk") == ("output", 0)
    assert not named.has_frame("trunk")
    with pytest.raises(
        FrameNotFoundError, match=r"'trunk' is the tag of the joint.*called 'waist'"
    ):
        named.joint_index("trunk")
    with pytest.raises(FrameNotFoundError, match="there is no frame 'joint5'"):
        named.frame("joint5")


def test_names_are_kept(grouped: RobotModel, tmp_path: Path) -> None:
    named = grouped.with_joint_names(NAMES)
    named.save(tmp_path / "m.npz")
    for kept in (
        RobotModel.load(tmp_path / "m.npz"),
        pickle.loads(pickle.dumps(named)),
    ):
        assert kept == named
        assert kept.joint_names == NAMES
        assert kept.arm(0) == named.arm(0)
    for variant in (
        named.with_payload(1.0, index=0),
        named.with_base_frame(np.eye(4)),
        named.with_position_limits([-1] * 6, [1] * 6),
        named.with_joint_dynamics(damping=1.0),
        named.with_floating_base(),
    ):
        assert variant.joint_names == NAMES
    part = named.subtree(tag="right")
    assert part.joint_names == ("d", "e", "f")
    assert part.arm(0).joint_names == ("d", "e", "f")
    assert dict(part.arm(0).states["home"]) == {"d": 0.5, "f": -1.0}
    assert grouped.subtree(tag="right").joint_names == ("right", "joint2", "joint3")


def test_groups_read_later_know_the_names(tree: RobotModel, tmp_path: Path) -> None:
    path = tmp_path / "tree.yaml"
    path.write_text(GROUPS.replace("joint5", "elbow"))
    named = tree.with_joint_names({"joint5": "elbow"}).with_groups(path)
    assert named.joint_names[4] == "elbow"
    assert named.arm(0).joint_names == ("right", "elbow", "joint6")


def test_groups_leave_what_else_is_known(tmp_path: Path) -> None:
    builder = ModelBuilder(free_flyer=True).joint("j", max_speed=2.0).body("b", parent="j", mass=1)
    model = builder.frame("imu", "sensor", parent="b").build()
    (tmp_path / "m.yaml").write_text("version: 1\ngroups:\n  all: {joints: [j]}\n")
    grouped = model.with_groups(tmp_path / "m.yaml")
    assert grouped.topology.free_flyer
    assert grouped.frame_names() == model.frame_names()
    assert grouped.max_speeds.tolist() == [2.0]


def test_equality(tree: RobotModel) -> None:
    named = tree.with_joint_names(NAMES)
    assert named != tree
    assert named == tree.with_joint_names(dict(zip(tree.joint_names, NAMES, strict=True)))
    assert len({named, tree}) == 2
    back = named.with_joint_names(tree.joint_names)
    assert (back, hash(back)) == (tree, hash(tree))
    assert tree.with_joint_names({}) == tree


def test_joints_of_a_built_robot() -> None:
    builder = ModelBuilder().joint("slew", axis=(1, 1, 0)).body("b", parent="slew", mass=1.0)
    builder.joint("luff", parent="b").joint("weld", "fixed", parent="luff")
    model = builder.frame("tip", parent="weld").build()
    named = model.with_joint_names({"slew": "yaw"})
    assert named.frame_names() == ("yaw", "b", "luff", "weld", "tip")
    for name in ("yaw", "slew"):
        assert find_frame(named, frame=name) == model.frame("slew")
    for taken in ("b", "weld", "tip", "luff"):
        with pytest.raises(ModelError, match=f"'{taken}' is (the tag of another|there twice)"):
            model.with_joint_names({"slew": taken})
    part = named.subtree(tag="luff")
    assert part.joint_names == ("luff",)
    assert part == model.subtree(tag="luff")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (NAMES[:5], "joint names: expected 6, got 5"),
        ((), "joint names: expected 6, got 0"),
        ("abcdef", "expected 6 names, or a mapping"),
        (6, "expected 6 names, or a mapping"),
        (None, "expected 6 names, or a mapping"),
        ((*NAMES[:5], 6), "expected a text for joint 'joint6', got 6"),
        ((*NAMES[:5], " "), "expected a text for joint 'joint6', got ' '"),
        ((*NAMES[:5], "a"), "'a' is there twice, for joints 0 and 5"),
        ((*NAMES[:5], "forearm"), "'forearm' is the tag of another element, number 7, a rigid"),
        ((*NAMES[:5], "trunk"), "'trunk' is the tag of another element, number 0, an actuator"),
        ({"left": "joint3"}, "'joint3' is there twice, for joints 1 and 2"),
        ({"left": "x", 1: "y"}, "joint 'left' is there twice"),
        ({"lefft": "x"}, "no joint 'lefft'.*Did you mean 'left'"),
        ({"forearm": "x"}, "'forearm' is no joint, but a rigid-body"),
        ({7: "x"}, "expected 0 to 5, got 7"),
    ],
)
def test_what_is_no_name(tree: RobotModel, names: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        tree.with_joint_names(names)


def test_no_joints_need_no_names() -> None:
    empty = loads('<robot version="1.6.0"/>')
    assert empty.with_joint_names([]) == empty


def test_names_of_before_in_saved_files() -> None:
    builder = ModelBuilder().joint("j").body("b", parent="j", mass=1.0)
    annotations = builder.frame("imu", "sensor", parent="b").build()._annotations
    text = to_json(annotations).decode()
    assert json.loads(text)["="] == "Annotations"
    old = text.replace('"=":"Annotations"', '"=":"Extras"').replace(
        '"=":"NamedFrame"', '"=":"Place"'
    )
    old = old.replace('"named_frames":', '"places":').replace(',"joint_names":null', "")
    assert "joint_names" not in old
    assert from_json(old.encode()) == annotations
    with pytest.raises(ValueError, match="Annotations with other fields"):
        from_json(old.replace('"places":', '"spaces":').encode())
