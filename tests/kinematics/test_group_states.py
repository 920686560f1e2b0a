"""Named states of groups that overlap, passive joints, and doubts about values, from both forms."""

import warnings
from pathlib import Path

import numpy as np
import pytest

from armwright.errors import HrdfError
from armwright.kinematics import RobotModel, load
from tests.conftest import ROOT

OVERLAPPING = """<robot>
<group name="left"><chain base_link="shoulders" tip_link="left_tool"/></group>
<group name="upper"><joint name="J1_torso"/><joint name="L1_shoulder"/></group>
<group name="both"><group name="left"/><group name="upper"/></group>
"""


@pytest.fixture(scope="module")
def robot() -> RobotModel:
    return load(ROOT / "examples" / "arms" / "two_armed.hrdf")


def read(robot: RobotModel, folder: Path, text: str, name: str = "g.srdf") -> RobotModel:
    (folder / name).write_text(text)
    return robot.with_groups(folder / name)


def state(name: str, group: str, **values: float) -> str:
    joints = "".join(f'<joint name="{joint}" value="{at}"/>' for joint, at in values.items())
    return f'<group_state name="{name}" group="{group}">{joints}</group_state>\n'


def test_states_of_overlapping_groups(robot: RobotModel, tmp_path: Path) -> None:
    text = (
        OVERLAPPING
        + state("home", "left", L1_shoulder=0.2, L3_elbow=0.4)
        + state("home", "upper", J1_torso=-0.1, L1_shoulder=0.2)
        + state("up", "both", L2_swing=0.3)
        + "</robot>"
    )
    found = read(robot, tmp_path, text)
    assert list(found.reference_configurations) == ["home", "up"]
    expected = np.zeros(9)
    expected[[0, 1, 3]] = -0.1, 0.2, 0.4
    assert np.array_equal(found.reference_configurations["home"], expected)
    states = {name: dict(group.states) for name, group in found.groups.items()}
    assert states["left"] == {
        "home": {"L1_shoulder": 0.2, "L3_elbow": 0.4},
        "up": {"L2_swing": 0.3},
    }
    assert states["upper"] == {"home": {"J1_torso": -0.1, "L1_shoulder": 0.2}}
    assert states["both"]["home"] == {"J1_torso": -0.1, "L1_shoulder": 0.2, "L3_elbow": 0.4}


def test_overlapping_groups_that_disagree(robot: RobotModel, tmp_path: Path) -> None:
    text = (
        OVERLAPPING
        + state("home", "left", L1_shoulder=0.2)
        + state("home", "upper", L1_shoulder=0.5)
        + state("home", "both", L1_shoulder=0.2)
        + "</robot>"
    )
    with pytest.raises(HrdfError) as info:
        read(robot, tmp_path, text)
    (problem,) = info.value.problems  # the third agrees with the first, which stays
    assert problem.line == 6
    assert "sets joint 'L1_shoulder' to 0.5 here and to 0.2 in line 5" in problem.message
    assert problem.message.endswith("Give one of them another name")


def test_what_is_wrong_in_many_places_comes_together(robot: RobotModel, tmp_path: Path) -> None:
    text = (
        '<robot>\n<group name="a" nam="b"><joint name="J1_torso"/></group>\n'
        '<group_state name="s" group="a" grup="a"><joint name="L2_swing" value="nan"/>\n'
        '<joint name="J1_tors" value="0"/></group_state>\n'
        '<passive_joint name="R2_swin"/>\n'
        '<disable_collisions link1="colum" link2="sholders"/></robot>'
    )
    with pytest.raises(HrdfError) as info:
        read(robot, tmp_path, text)
    found = sorted((p.line, p.attribute, p.message.split(".")[0]) for p in info.value.problems)
    assert found[:3] == [
        (2, "nam", "unknown attribute 'nam' of group"),
        (3, "grup", "unknown attribute 'grup' of group_state"),
        (3, "value", found[2][2]),
    ]
    assert found[3:] == [
        (4, "", "there is no joint 'J1_tors'"),
        (5, "", "there is no joint 'R2_swin'"),
        (6, "link1", "no element has the tag 'colum'"),
        (6, "link2", "no element has the tag 'sholders'"),
    ]


@pytest.mark.parametrize("form", ["srdf", "yaml"])
def test_states_beyond_limits_are_a_warning(robot: RobotModel, tmp_path: Path, form: str) -> None:
    lower, upper = np.full(9, -1.0), np.full(9, 1.0)
    lower[2] = 0.25  # L2_swing cannot be at 0
    tight = robot.with_position_limits(lower, upper)
    group = '<robot>\n<group name="a"><joint name="J1_torso"/></group>\n'
    text = group + state("far", "a", J1_torso=1.5) + "</robot>"
    if form == "yaml":
        text = "version: 1\nreference_configurations:\n  far: {J1_torso: 1.5}\n"
    path = tmp_path / f"g.{form}"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = read(tight, tmp_path, text, path.name)
    said = [str(one.message) for one in caught]
    assert [one.startswith(f"{path}:3") for one in said] == [True, True]
    assert "'far': joint 'J1_torso' at 1.5 is beyond its limits, -1 to 1" in said[0]
    assert "joint 'L2_swing' is not named, and 0 is beyond its limits, 0.25 to 1" in said[1]
    assert all(one.filename == __file__ for one in caught)
    assert found.reference_configurations["far"][0] == 1.5


def test_a_value_at_its_limit_is_no_doubt(robot: RobotModel, tmp_path: Path) -> None:
    tight = robot.with_position_limits(np.full(9, -1.0), np.full(9, np.pi / 2))
    text = "version: 1\nreference_configurations: {up: {J1_torso: 1.5707963268}}\n"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(tight, tmp_path, text, "g.yaml")


@pytest.mark.parametrize("form", ["srdf", "yaml"])
def test_passive_joints(robot: RobotModel, tmp_path: Path, form: str) -> None:
    text = '<robot><passive_joint name="R2_swing"/><passive_joint name="L4_roll"/></robot>'
    if form == "yaml":
        text = "version: 1\npassive_joints: [R2_swing, L4_roll]\n"
    found = read(robot, tmp_path, text, f"g.{form}")
    assert found.passive_joints == ("L4_roll", "R2_swing")  # the order of q
    assert (robot.passive_joints, found.dof) == ((), 9)
    assert found != robot
    names = [f"j{number}" for number in range(9)]
    assert found.with_joint_names(names).passive_joints == ("j4", "j6")
    assert found.subtree(tag="R1_shoulder").passive_joints == ("R2_swing",)
    found.save(tmp_path / "robot.npz")
    assert RobotModel.load(tmp_path / "robot.npz").passive_joints == ("L4_roll", "R2_swing")
