"""Groups of joints and named configurations, from SRDF and from YAML, on a robot of two arms."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armwright.errors import FrameNotFoundError, HrdfError, ModelError
from armwright.kinematics import RobotModel, load, loads

# J0 - J1..J4 left, J5..J8 right; the torso carries both.
SRDF = """
<robot name="two_armed" xmlns:xacro="http://ros.org/wiki/xacro">
  <group name="left"><chain base_link="shoulders" tip_link="left_tool"/></group>
  <group name="right">
    <joint name="R4_roll"/><joint name="R2_swing"/>
    <link name="R1_shoulder"/><link name="right_forearm"/>
  </group>
  <group name="torso"><joint name="J1_torso"/></group>
  <group name="all"><group name="arms"/><group name="torso"/></group>
  <group name="arms"><group name="right"/><group name="left"/></group>
  <group_state name="home" group="left">
    <joint name="L1_shoulder" value="0.25"/><joint name="L3_elbow" value="-pi/2"/>
  </group_state>
  <group_state name="home" group="right"><joint name="R3_elbow" value="1e-1"/></group_state>
  <group_state name="turned" group="torso"><joint name="J1_torso" value="-2"/></group_state>
  <virtual_joint name="v" type="fixed" parent_frame="world" child_link="column"/>
  <end_effector name="e" parent_link="left_tool" group="left"/>
  <disable_collisions link1="column" link2="shoulders" reason="Adjacent"/>
</robot>
"""
YAML = """
version: 1
groups:
  left: {chain: [shoulders, left_tool]}
  right: {joints: [R4_roll, R2_swing], links: [R1_shoulder, right_forearm]}
  torso: {joints: [J1_torso]}
  all: {groups: [right, left, torso]}
arms: [right, left]
chains: [torso]
reference_configurations:
  home: {L1_shoulder: 0.25, L3_elbow: -pi/2, R3_elbow: 1e-1}
  turned: {J1_torso: -2}
"""


@pytest.fixture
def two_armed(root: Path) -> RobotModel:
    return load(root / "examples" / "arms" / "two_armed.hrdf")


@pytest.fixture(params=["srdf", "yaml"])
def grouped(request: pytest.FixtureRequest, two_armed: RobotModel, tmp_path: Path) -> RobotModel:
    path = tmp_path / f"robot.{request.param}"
    path.write_text(SRDF if request.param == "srdf" else YAML)
    return two_armed.with_groups(path)


def test_both_forms_give_the_same_groups(grouped: RobotModel) -> None:
    groups = {name: (group.kind, group.joints) for name, group in grouped.groups.items()}
    groups.pop("arms", None)  # SRDF names its arms by a group
    assert groups == {
        "left": ("arm", (1, 2, 3, 4)),
        "right": ("arm", (5, 6, 7, 8)),
        "torso": ("chain", (0,)),
        "all": ("group", (0, 1, 2, 3, 4, 5, 6, 7, 8)),
    }
    assert grouped.groups["right"].joint_names == grouped.joint_names[5:]
    assert len(grouped.groups["right"]) == 4


def test_arms_have_the_order_of_the_file(grouped: RobotModel) -> None:
    assert [arm.name for arm in grouped.arms] == ["right", "left"]
    assert grouped.arm(1) is grouped.arms[1] or grouped.arm(1) == grouped.arms[1]
    assert grouped.arm(0).name == "right"
    assert grouped.legs == ()


def test_a_chain_between_links_remembers_them(grouped: RobotModel) -> None:
    left = grouped.chain("left")
    assert (left.base, left.tip) == ("shoulders", "left_tool")
    assert grouped.chain("right").tip is None
    assert left.tip is not None
    assert grouped.end_effector(np.zeros(9), tag=left.tip).shape == (4, 4)


def test_named_configurations(grouped: RobotModel) -> None:
    known = grouped.reference_configurations
    assert list(known) == ["home", "turned"]
    home = [0, 0.25, 0, -np.pi / 2, 0, 0, 0, 0.1, 0]
    np.testing.assert_array_equal(known["home"], home)
    np.testing.assert_array_equal(known["turned"], [-2, *[0] * 8])
    with pytest.raises(ValueError, match="read-only"):
        known["home"][0] = 1.0


def test_states_of_a_group_hold_what_was_said_alone(grouped: RobotModel) -> None:
    states = grouped.chain("left").states
    assert states == {"home": {"L1_shoulder": 0.25, "L3_elbow": -np.pi / 2}}
    assert grouped.groups["all"].states["turned"] == {"J1_torso": -2.0}
    q = np.arange(9.0)
    moved = grouped.from_map(states["home"], default=q)
    np.testing.assert_array_equal(moved, [0, 0.25, 2, -np.pi / 2, 4, 5, 6, 7, 8])


def test_groups_stay_with_changed_copies(grouped: RobotModel) -> None:
    for other in (
        grouped.with_base_frame(np.eye(4)),
        grouped.with_position_limits([-1] * 9, [1] * 9),
        grouped.with_payload(1.0, tag="left_tool"),
        grouped.with_joint_dynamics(rotor_inertia=0.1),
        pickle.loads(pickle.dumps(grouped)),
    ):
        assert other.groups == grouped.groups
        assert other.arms == grouped.arms
        np.testing.assert_array_equal(
            other.reference_configurations["home"], grouped.reference_configurations["home"]
        )


def test_a_part_of_the_robot_keeps_whole_groups(grouped: RobotModel) -> None:
    part = grouped.subtree(tag="R1_shoulder")
    assert list(part.groups) == ["right"]
    assert part.arm(0).joints == (0, 1, 2, 3)
    np.testing.assert_array_equal(part.reference_configurations["home"], [0, 0, 0.1, 0])
    assert part.arm(0).states == {"home": {"R3_elbow": 0.1}}


def test_names_by_place_follow_the_part(tmp_path: Path) -> None:
    body = '<rigid-body mass="1"/>'
    whole = loads(
        f'<robot version="1.6.0"><joint axis="rz"/><rigid-body mass="1" tag="b"/>'
        f'<joint axis="rx"/>{body}</robot>'
    )
    path = tmp_path / "g.yaml"
    path.write_text(
        "version: 1\ngroups: {g: {joints: [joint2]}}\nreference_configurations: {s: {joint2: 1}}\n"
    )
    part = whole.with_groups(path).subtree(index=2)
    assert part.joint_names == ("joint1",)
    assert part.groups["g"].joint_names == ("joint1",)
    assert part.groups["g"].states == {"s": {"joint1": 1.0}}


def test_a_second_file_replaces_the_first(grouped: RobotModel, tmp_path: Path) -> None:
    path = tmp_path / "other.yml"
    path.write_text("version: 1\ngroups: {one: {joints: [J1_torso]}}\n")
    other = grouped.with_groups(path)
    assert list(other.groups) == ["one"]
    assert other.reference_configurations == {}
    assert other.arms == ()


def test_a_chain_from_the_base(two_armed: RobotModel, tmp_path: Path) -> None:
    path = tmp_path / "g.yaml"
    path.write_text("version: 1\ngroups: {whole: {chain: [base, left_tool]}}\n")
    assert two_armed.with_groups(path).chain("whole").joints == (0, 1, 2, 3, 4)
    path.write_text("version: 1\ngroups: {two: {chain: [L1_shoulder, L2_swing]}}\n")
    assert two_armed.with_groups(path).chain("two").joints == (1, 2)  # both ends count


def test_a_link_that_is_fixed_to_the_base_brings_no_joint(
    two_armed: RobotModel, tmp_path: Path
) -> None:
    path = tmp_path / "g.yaml"
    path.write_text("version: 1\ngroups: {g: {links: [column]}}\n")
    group = two_armed.with_groups(path).groups["g"]
    assert (group.joints, group.kind) == ((), "group")


def test_the_file_beside_the_robot(root: Path, tmp_path: Path) -> None:
    arm = tmp_path / "arm.hrdf"
    arm.write_text((root / "examples" / "arms" / "two_armed.hrdf").read_text())
    with pytest.raises(ModelError, match=r"no \.srdf or \.groups\.yaml beside .*arm\.hrdf"):
        load(arm).with_groups()
    (tmp_path / "arm.srdf").write_text(SRDF)
    assert load(arm).with_groups().arm(1).name == "left"
    (tmp_path / "arm.groups.yaml").write_text(YAML)
    with pytest.raises(ModelError, match=r"there are .*srdf and .*yaml\. Give the path"):
        load(arm).with_groups()


@pytest.mark.parametrize("path", [3, b"x.yaml", ["x.yaml"]])
def test_a_path_is_expected(two_armed: RobotModel, path: Any) -> None:
    with pytest.raises(ModelError, match="expected a path"):
        two_armed.with_groups(path)


def test_a_robot_from_text_has_no_file_beside_it() -> None:
    robot = loads('<robot version="1.6.0"><joint axis="rz"/></robot>')
    with pytest.raises(ModelError, match="not read from a file"):
        robot.with_groups()


def test_a_robot_without_groups(two_armed: RobotModel) -> None:
    assert two_armed.groups == {}
    assert two_armed.reference_configurations == {}
    with pytest.raises(FrameNotFoundError, match=r"arm: got 0, but the robot has none\. with_gr"):
        two_armed.arm(0)
    with pytest.raises(FrameNotFoundError, match=r"no chain 'left'\. with_groups"):
        two_armed.chain("left")


def test_unknown_groups(grouped: RobotModel) -> None:
    with pytest.raises(FrameNotFoundError, match="Did you mean 'left'"):
        grouped.chain("Leftt")
    with pytest.raises(FrameNotFoundError, match="'all' is no chain"):
        grouped.chain("all")
    with pytest.raises(FrameNotFoundError, match=r"expected one of 0 \(right\), 1 \(left\), got 2"):
        grouped.arm(2)
    with pytest.raises(FrameNotFoundError, match="got -1"):
        grouped.arm(-1)
    with pytest.raises(FrameNotFoundError, match="leg: got 0, but the robot has none"):
        grouped.leg(0)
    for odd in (True, 1.0, "left", None):
        with pytest.raises(FrameNotFoundError, match="whole number"):
            grouped.arm(odd)  # type: ignore[arg-type]


def test_mappings_cannot_be_changed(grouped: RobotModel) -> None:
    with pytest.raises(TypeError):
        grouped.groups["x"] = grouped.arm(0)  # type: ignore[index]
    with pytest.raises(TypeError):
        grouped.arm(1).states["home"]["L1_shoulder"] = 1.0  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "version: 1\nreference_configurations:\n  up: {L1_shoulder: 1e60}\n"),
        (
            "a.srdf",
            '<robot name="a"><group name="g"><joint name="L1_shoulder"/></group>\n\n'
            '<group_state name="s" group="g"><joint name="L1_shoulder" value="-1e60"/>'
            "</group_state></robot>",
        ),
    ],
)
def test_values_that_no_robot_can_have(
    two_armed: RobotModel, tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(HrdfError, match=r":3, .*1e\+60 is beyond the limit of 1e\+50"):
        two_armed.with_groups(tmp_path / name)
