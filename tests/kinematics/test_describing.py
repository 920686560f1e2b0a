"""What a model says of itself: names, what it assumes, and its page for people."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from armwright.errors import FrameNotFoundError, JointVectorError
from armwright.hrdf import RobotDescription
from armwright.kinematics import FrameType, ModelBuilder, RobotModel, load, loads
from tests.strategies import descriptions


def test_the_page_of_an_arm(root: Path) -> None:
    model = load(root / "examples" / "arms" / "two_armed.hrdf").with_groups()
    limited = model.with_position_limits([-2.0] * 9, [1.5] * 9).with_joint_dynamics("catalog")
    q = np.zeros(9)
    q[3] = 1.75
    text = limited.describe(q, tau=np.full(9, -12.0))
    lines = text.splitlines()
    assert lines[0] == "Turning torso with two four-axis arms"
    assert lines[1] == "9 joints, 19 elements, 10.764 kg; base fixed at 0 0 0 m"
    heads = lines[3].split("  ")
    assert [head.strip() for head in heads if head] == [
        *("joint", "name", "kind", "on", "q", "tau", "lower", "upper", "max speed", "max effort"),
        *("rotor inertia", "damping", "friction", "unit"),
    ]
    assert " ".join(lines[7].split()[:8]) == "3 L3_elbow revolute L2_swing 1.75! -12 -2 1.5"
    assert lines[8].split()[4:6] == ["0", "-12!"]  # its largest effort is 7
    assert "operational frames: left_tool, right_gripper" in lines
    assert "arm left_arm: L1_shoulder, L2_swing, L3_elbow, L4_roll" in lines
    assert lines[-1] == "configurations: hanging, left_up"
    columns = {line.index("revolute") for line in lines[4:13]}
    assert len(columns) == 1  # aligned


def test_the_page_of_other_robots(tree: RobotModel) -> None:
    text = tree.with_payload(0.5, index=0).with_floating_base("left hand").describe()
    assert "payload 0.5 kg; base free, its frame endeffector" in text
    assert "gear ratio" in text
    assert "prismatic" in text
    assert "m, N" in text
    assert "base free, its frame the first element's" in tree.with_floating_base().describe()
    empty = loads('<robot version="1.6.0"/>').describe()
    assert empty == "robot without a name\n0 joints, 0 elements, 0.000 kg; base fixed at 0 0 0 m"
    with pytest.raises(JointVectorError, match="tau: expected 6 joint values, got 5"):
        tree.describe(tau=np.zeros(5))
    with pytest.raises(JointVectorError, match="v: expected 6 finite"):
        tree.describe(v=np.full(6, np.nan))


@given(description=descriptions())
def test_every_robot_has_a_page(description: RobotDescription) -> None:
    model = RobotModel(description)
    lines = model.describe(np.zeros(model.dof)).splitlines()
    table = [line for line in lines if line.endswith((" m, N", " rad, N m"))]
    assert len(table) == model.dof
    for name, line in zip(model.joint_names, table, strict=True):
        assert line.isprintable()
        assert not name.isprintable() or name in line


def test_names_and_what_is_assumed(tree: RobotModel, root: Path) -> None:
    six = load(root / "examples" / "arms" / "six_dof.hrdf")
    assert six.name == six.topology.name == "Six-axis X-series arm on a pedestal"
    np.testing.assert_array_equal(six.gravity, [0.0, 0.0, -9.81])
    q = np.linspace(-1, 1, tree.dof)
    assert tree.gravity_efforts(q).tobytes() == tree.gravity_efforts(q, tree.gravity).tobytes()
    builder = ModelBuilder("geared").joint("a", gear_ratio=-2.5).body("b", parent="a", mass=1.0)
    model = builder.joint("c", "prismatic", parent="b").build()
    np.testing.assert_array_equal(model.gear_ratios, [-2.5, 1.0])
    for array in (model.gear_ratios, model.gravity):
        assert not array.flags.writeable


def test_frames_have_their_names_back(tree: RobotModel) -> None:
    for kind in ("body", "joint", "operational"):
        for name in tree.frame_names(kind):
            with warnings.catch_warnings():  # the forearm's is its output now
                warnings.simplefilter("ignore", FutureWarning)
                assert tree.frame_name(*tree.frame(name, kind)) == name
    assert tree.frame_name("input", 7) == ""
    assert tree.frame_name("output", 8) == "forearm"
    assert tree.frame_name("com", 0) == ""
    assert tree.frame_name(FrameType.OUTPUT, tree.frame_count("output") - 1) == ""
    with pytest.raises(FrameNotFoundError, match="expected 0 to"):
        tree.frame_name("output", 99)
