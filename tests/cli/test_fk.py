"""``armwright fk``."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright.kinematics import FrameType, RobotState
from tests.cli.running import ARMS, Cli, Hrdf

BAR = (
    '<rigid-body mass="1" output_trans="0.1 0 0"/><joint axis="rz" tag="turn"/>'
    '<rigid-body mass="1" output_trans="0.2 0 0"/><end-effector tag="tip"/>'
)


def test_known_pose(cli: Cli, hrdf: Hrdf) -> None:
    path = hrdf(BAR)
    for value in ("90deg", f"{math.pi / 2}", "1.5707963267948966rad"):
        (frame,) = cli("fk", path, "--q", value, "--json").json["frames"]
        np.testing.assert_allclose(frame["xyz"], [0.1, 0.2, 0], atol=1e-12)
        np.testing.assert_allclose(frame["quat_wxyz"], [math.sqrt(0.5), 0, 0, math.sqrt(0.5)])
        assert frame["T_world_frame"][3] == [0, 0, 0, 1]
        assert (frame["index"], frame["element"], frame["tag"]) == (0, 3, "tip")
    text = cli("fk", path, "--q", "90deg").out
    assert "0.10000   0.20000   0.00000" in text
    assert "0.7071 0.0000 0.0000 0.7071" in text
    assert " 90.00" in text


@pytest.mark.parametrize("spelling", [("--q", "-10deg,0.2"), ("--q=-10deg,0.2",)])
def test_leading_minus(cli: Cli, hrdf: Hrdf, spelling: tuple[str, ...]) -> None:
    path = hrdf('<joint axis="rz"/><joint axis="tx"/><end-effector/>')
    data = cli("fk", path, *spelling, "--json").json
    np.testing.assert_allclose(data["q"], [-math.pi / 18, 0.2])


@pytest.mark.parametrize("frame_type", [frame_type.value for frame_type in FrameType])
def test_frames_of_every_type(cli: Cli, frame_type: str) -> None:
    for path in (ARMS / "two_armed.hrdf", ARMS / "gantry.hrdf"):
        model = aw.load(path)
        q = np.linspace(-0.5, 0.5, model.dof)
        typed = ",".join(str(value) for value in q)
        outcome = cli("fk", path, "--q", typed, "--frames", frame_type.upper(), "--json")
        Ts = [frame["T_world_frame"] for frame in outcome.json["frames"]]
        np.testing.assert_array_equal(Ts, model.forward_kinematics(frame_type, q))
        assert outcome.json["frame_type"] == frame_type
        assert cli("fk", path, "--q", typed, "--frames", frame_type).code == 0


def test_frames_belong_to_their_elements(cli: Cli, hrdf: Hrdf) -> None:
    # Each element lies at its own place, so that a frame tells whose it is.
    content = (
        '<joint axis="rz"/><rigid-body mass="1" tag="fork">'
        '<output trans="1 0 0"><rigid-body mass="1" output_trans="0 1 0"/><joint axis="rx"/>'
        '<end-effector/></output><output trans="2 0 0"><end-effector/></output></rigid-body>'
    )
    path = hrdf(content)
    owners = {
        frame_type.value: [
            frame["element"]
            for frame in cli("fk", path, "--q", "0,0", "--frames", frame_type.value, "--json").json[
                "frames"
            ]
        ]
        for frame_type in FrameType
    }
    assert owners["input"] == [0, 1, 2, 3, 4, 5]
    assert owners["output"] == [0, 1, 2, 3, 4, 1, 5]
    assert owners["com"] == owners["mesh"] == [1, 2, 4, 5]
    assert owners["endeffector"] == owners["payload"] == [4, 5]
    model = aw.load(path)
    places = model.forward_kinematics("output", [0, 0])[:, :2, 3]
    expected = [[0, 0], [1, 0], [1, 1], [1, 1], [1, 1], [2, 0], [2, 0]]
    np.testing.assert_allclose(places, expected, atol=1e-12)


def test_one_of_several_end_effectors(cli: Cli) -> None:
    path, q = ARMS / "two_armed.hrdf", ",".join("0" * 9)
    assert len(cli("fk", path, "--q", q, "--json").json["frames"]) == 2
    by_tag = cli("fk", path, "--q", q, "--tag", "right_gripper", "--json").json["frames"]
    by_index = cli("fk", path, "--q", q, "--index", "1", "--json").json["frames"]
    assert by_tag == by_index
    assert by_tag[0]["tag"] == "right_gripper"


def test_frames_by_name(cli: Cli) -> None:
    path, q = ARMS / "two_armed.hrdf", np.linspace(-0.4, 0.4, 9)
    model = aw.load(path)
    typed = ",".join(str(value) for value in q)
    named: dict[str, Any] = {
        "left_tool": "left_tool",
        model.joint_names[3]: model.joint_names[3],
        "Output:2": ("output", 2),
        f"com:{model.joint_names[1]}": ("com", model.joint_names[1]),
    }
    options = [word for name in named for word in ("--frame", name)]
    outcome = cli("fk", path, "--q", typed, *options, "--json")
    state = RobotState(model, q)
    for shown, key in zip(outcome.json["frames"], named.values(), strict=True):
        np.testing.assert_array_equal(shown["T_world_frame"], state.pose(key))
        frame = model.frame(key)
        assert (shown["frame_type"], shown["index"]) == (frame.frame_type.value, frame.number)
        assert model.elements[shown["element"]].tag == shown["tag"]
    text = cli("fk", path, "--q", typed, *options).out
    assert all(f"{name} " in text for name in named)


def test_frames_of_joints_without_a_tag_and_tags_with_a_colon(cli: Cli, hrdf: Hrdf) -> None:
    path = hrdf(
        '<joint axis="rz"/><link type="X5" extension="0.3" twist="0" tag="com:0"/><end-effector/>'
    )
    model = aw.load(path)
    for name, key in (("joint1", "joint1"), ("com:0", "com:0"), ("input:com:0", ("input", 1))):
        (shown,) = cli("fk", path, "--q", "1", "--frame", name, "--json").json["frames"]
        np.testing.assert_array_equal(shown["T_world_frame"], RobotState(model, [1.0]).pose(key))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--frame", "left_tol"), "Did you mean 'left_tool'?"),
        (("--frame", "com:99"), "--frame com:99: "),
        (("--frame", "com:-1"), "--frame com:-1: "),
        (("--frame", "colm:1"), "Did you mean 'com'?"),
        (("--frame", "com:0", "--frames", "com"), "leave out --frames"),
        (("--frame", "com:0", "--index", "0"), "leave out --index"),
        (("--frame", "com:0", "--tag", "left_tool"), "leave out --tag"),
        (("--frame", ""), "--frame : "),
        (("--tag", "nose"), "--tag nose: no end effector has this tag; the arm has 0 (tag left_"),
        (("--tag", "left_tol"), "Did you mean 'left_tool'?"),
        (("--tag", "L3_elbow"), "It is the tag of actuator 7, whose frames go by --frame"),
        (("--index", "2"), "--index 2: no such end effector; the arm has 0 (tag left_tool), 1"),
        (("--index", "-1"), "--index -1: no such end effector"),
        (("--index", "0", "--tag", "left_tool"), "--tag and --index: only one of them"),
        (("--frames", "com", "--index", "0"), "use them without --frames"),
        (("--frames", "output_frame"), "expected a frame type"),
        (("--frames", "outputs"), "Did you mean 'output'?"),
    ],
)
def test_frames_that_are_not_there(cli: Cli, arguments: tuple[str, ...], said: str) -> None:
    outcome = cli("fk", ARMS / "two_armed.hrdf", "--q", ",".join("0" * 9), *arguments)
    assert outcome.code == 2
    assert said in outcome.err


@pytest.mark.parametrize(
    ("q", "said"),
    [
        (("--q", "0,0,0,0,0"), "--q: expected 6, got 5 values; the joints are J1_base, J2_"),
        (("--q", ""), "--q: expected 6, got 0 values"),
        ((), "--q is missing: expected 6 values (J1_base, "),
        (("--q", "0,0,nan,0,0,0"), "--q, entry 3: 'nan' is not a number"),
        (("--q", "--json"), "--q, entry 1: '--json' is not a number"),
        (("--q", "0", "0", "0", "0", "0", "0"), "have commas between them: --q 0,0.5,1."),
    ],
)
def test_joint_values_that_do_not_fit(cli: Cli, six: Path, q: tuple[str, ...], said: str) -> None:
    outcome = cli("fk", six, *q)
    assert outcome.code == 2
    assert said in outcome.err
    assert said in cli("fk", six, *q, "--json").json["error"]


def test_degrees_without_their_unit_are_refused(cli: Cli, six: Path) -> None:
    outcome = cli("fk", six, "--q", "0,90,0,0,-45,12.5", "--json")
    assert outcome.code == 2
    said = "--q, entry 2 (J2_shoulder): 90 without a unit would be more than one turn (2 pi rad)"
    assert outcome.json["error"] == f"{said}; write 90deg or 90rad"
    # A joint that turns for ever may be anywhere, when it is said in what unit.
    for far in ("800deg", "13.9626rad", "800\N{DEGREE SIGN}"):
        outcome = cli("fk", six, "--q", f"0,0,0,0,0,{far}")
        assert (outcome.code, outcome.err) == (0, "")
    assert cli("fk", six, "--q", "0,0,0,0,0,6.2832").code == 0  # a turn


def test_angles_as_parts_of_pi(cli: Cli, six: Path) -> None:
    there = cli("fk", six, "--q", "pi/2,-pi/4,90\N{DEGREE SIGN},0.5pi,2*pi/3,-pi", "--json").json
    turn = np.pi * np.array([1 / 2, -1 / 4, 1 / 2, 1 / 2, 2 / 3, -1])
    np.testing.assert_allclose(there["q"], turn, rtol=1e-15)


def test_joints_that_slide_take_metres(cli: Cli) -> None:
    path = ARMS / "gantry.hrdf"
    assert cli("fk", path, "--q", "20,0.1,0,0,0").err == ""  # 20 m is no angle
    outcome = cli("fk", path, "--q", "0,10deg,0,0,0")
    assert outcome.code == 2
    assert "--q, entry 2 (J2_y) slides: expected plain metres, got an angle in deg" in outcome.err


def test_arms_without_joints_or_end_effector(cli: Cli, hrdf: Hrdf) -> None:
    still = hrdf('<rigid-body mass="1" output_trans="1 2 3"/><end-effector/>')
    for q in ((), ("--q", "")):
        assert cli("fk", still, *q, "--json").json["frames"][0]["xyz"] == [1, 2, 3]
    assert "expected 0, got 1 values; the joints are none" in cli("fk", still, "--q", "1").err
    handless = hrdf('<joint axis="rz"/>')
    outcome = cli("fk", handless, "--q", "0")
    assert outcome.code == 2
    assert "the arm has no end effector; add <end-effector/> to the file" in outcome.err
    assert cli("fk", handless, "--q", "0", "--frames", "output").code == 0
    assert "the arm has no com frames" in cli("fk", handless, "--q", "0", "--frames", "com").out
    assert cli("fk", handless, "--q", "0", "--frames", "com", "--json").json["frames"] == []


def test_arm_with_warnings_says_so(cli: Cli, hrdf: Hrdf) -> None:
    path = hrdf('<joint axis="-rz"/><end-effector/>')
    outcome = cli("fk", path, "--q", "0")
    assert outcome.code == 0
    assert outcome.err == f"note: {path}: 1 warning; see it with: armwright check {path}\n"
