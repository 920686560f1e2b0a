"""``armwright ik``."""

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import gui
from armwright.commands.shared import values
from armwright.commands.shared.arm import with_limits
from armwright.commands.shared.errors import InputError
from armwright.commands.shared.values import rotation_from_rpy
from tests.cli.running import ARMS, Cli, Hrdf

TARGET = ("--xyz", "0.35", "0.1", "0.25")
ERRORS = {"position_error", "orientation_error", "residuals"}
KEYS = {"target", "q", "success", "status", *ERRORS, "iterations", "restarts", "message"}
KEYS |= {"xyz", "T_world_tool", "plot"}
ALL_KEYS = {
    "target",
    "T_world_target",
    "success",
    "solutions",
    "distances",
    "pose_errors",
    "expected_missed",
    "method",
    "singular",
    "outside_limits",
    "starts",
    "message",
    "plot",
}
DOWN = ("--rpy", "180deg", "0", "0")


def test_position(cli: Cli, six: Path) -> None:
    outcome = cli("ik", six, *TARGET, "--json")
    assert outcome.code == 0
    data = outcome.json
    assert data.keys() == KEYS
    assert data["success"] is True
    assert data["status"] == "CONVERGED"
    assert data["orientation_error"] is None
    T = aw.load(six).end_effector(data["q"])
    np.testing.assert_allclose(T[:3, 3], [0.35, 0.1, 0.25], atol=1e-5)
    np.testing.assert_allclose(T, data["T_world_tool"], atol=1e-12)


def test_text_can_be_pasted_into_fk(cli: Cli, six: Path) -> None:
    outcome = cli("ik", six, *TARGET)
    assert outcome.code == 0
    assert outcome.out.startswith("reached: converged")
    assert "J1_base" in outcome.out
    pasted = re.search(r"^--q (\S+)$", outcome.out, re.MULTILINE)
    assert pasted is not None
    frame = cli("fk", six, "--q", pasted[1], "--json").json["frames"][0]
    np.testing.assert_allclose(frame["xyz"], [0.35, 0.1, 0.25], atol=1e-5)


@pytest.mark.parametrize(
    "orientation",
    [
        ("--rpy", "180deg", "0", "-30deg"),
        ("--rpy", str(math.pi), "0", str(-math.pi / 6)),
        ("--quat", "0", str(math.cos(math.pi / 12)), str(-math.sin(math.pi / 12)), "0"),
    ],
)
def test_orientation(cli: Cli, six: Path, orientation: tuple[str, ...]) -> None:
    outcome = cli("ik", six, *TARGET, *orientation, "--json")
    assert outcome.code == 0, outcome.out
    R = np.array(outcome.json["T_world_tool"])[:3, :3]
    np.testing.assert_allclose(R, rotation_from_rpy(("180deg", "0", "-30deg")), atol=1e-3)
    assert outcome.json["orientation_error"] < 1e-3


def test_an_orientation_in_degrees_without_their_unit_is_refused(cli: Cli, six: Path) -> None:
    outcome = cli("ik", six, *TARGET, "--rpy", "180", "0", "0")
    assert outcome.code == 2
    assert "--rpy, entry 1: 180 without a unit" in outcome.err
    assert "write 180deg or 180rad" in outcome.err
    assert cli("ik", six, *TARGET, "--rpy", "180deg", "0", "0").err == ""
    turned = cli("ik", six, *TARGET, "--rpy", "pi", "0", "0", "--json").json["T_world_tool"]
    np.testing.assert_allclose(np.array(turned)[:3, 2], [0, 0, -1], atol=1e-3)


def test_a_target_in_millimetres_is_asked_about(cli: Cli, six: Path) -> None:
    outcome = cli("ik", six, "--xyz", "350", "100", "250")
    assert outcome.code == 1
    assert "--xyz 350 100 250: millimetres? Lengths are in metres: --xyz 0.35 0.1" in outcome.err
    assert "millimetres?" in outcome.out


def test_limits_in_degrees_without_their_unit_are_refused(cli: Cli, six: Path) -> None:
    outcome = cli("ik", six, *TARGET, "--limits", "-90:90,:,:,:,:,:")
    assert outcome.code == 2
    assert "--limits, entry 1 (J1_base): -90 without a unit" in outcome.err


def test_positions_of_more_than_a_turn_can_be_pasted(cli: Cli, six: Path) -> None:
    outcome = cli("ik", six, *TARGET, "--seed-q", "9rad,0.9,1.2,0,0.3,0")
    line = next(line for line in outcome.out.splitlines() if line.startswith("--q "))
    assert "rad," in line
    assert cli("fk", six, *line.split(" ")).code == 0


def test_axis(cli: Cli, six: Path) -> None:
    data = cli("ik", six, *TARGET, "--axis", "0", "0", "-2", "--json").json
    np.testing.assert_allclose(np.array(data["T_world_tool"])[:3, 2], [0, 0, -1], atol=1e-3)


def test_negative_targets_and_seed(cli: Cli, six: Path) -> None:
    seed = "-150deg,0.9,1.2,0,0.3,0"
    outcome = cli("ik", six, "--xyz", "-0.3", "-0.1", "0.2", "--seed-q", seed, "--json")
    assert outcome.code == 0
    np.testing.assert_allclose(outcome.json["xyz"], [-0.3, -0.1, 0.2], atol=1e-5)


def test_unreachable_is_an_answer(cli: Cli, six: Path) -> None:
    outcome = cli("ik", six, "--xyz", "3", "0", "0.2", "--json")
    assert outcome.code == 1
    data = outcome.json
    assert data.keys() == KEYS
    assert data["success"] is False
    assert data["status"] == "UNREACHABLE"
    assert 1.5 < data["position_error"] < 3
    text = cli("ik", six, "--xyz", "3", "0", "0.2")
    assert text.code == 1
    assert text.out.startswith("not reached: unreachable")


def test_limits_hold(cli: Cli, six: Path) -> None:
    limits = "-10deg:10deg,0:1.5,:,:,-1:,:0.5"
    data = cli("ik", six, "--xyz", "0.4", "0.05", "0.25", "--limits", limits, "--json").json
    assert data["success"] is True
    q = np.array(data["q"])
    assert abs(q[0]) <= math.radians(10)
    assert 0 <= q[1] <= 1.5
    assert q[4] >= -1
    assert q[5] <= 0.5
    outside = cli("ik", six, "--xyz", "-0.4", "0.05", "0.25", *DOWN, "--limits", limits, "--json")
    assert outside.code == 1
    assert outside.json["status"] == "OUTSIDE_LIMITS"
    assert abs(outside.json["q"][0]) <= math.radians(10)


def test_all_solutions(cli: Cli, six: Path) -> None:
    outcome = cli("ik", six, *TARGET, *DOWN, "--all", "--json")
    assert outcome.code == 0
    data = outcome.json
    assert data.keys() == ALL_KEYS
    assert data["method"] == "closed form"
    assert data["expected_missed"] == 0
    model = aw.load(six)
    assert len(data["solutions"]) == len(data["distances"]) == 8
    assert data["distances"] == sorted(data["distances"])
    for q in data["solutions"]:
        np.testing.assert_allclose(model.end_effector(q), data["T_world_target"], atol=1e-8)
    np.testing.assert_allclose(np.array(data["T_world_target"])[:3, 3], [0.35, 0.1, 0.25])


def test_all_solutions_from_a_seed_and_within_limits(cli: Cli, six: Path) -> None:
    every = cli("ik", six, *TARGET, *DOWN, "--all", "--json").json["solutions"]
    seed = ",".join(f"{value:.6f}" for value in every[-1])
    first = cli("ik", six, *TARGET, *DOWN, "--all", "--seed-q", seed, "--json").json
    np.testing.assert_allclose(first["solutions"][0], every[-1], atol=1e-5)
    limits = "0:90deg,:,:,:,:,:"
    some = cli("ik", six, *TARGET, *DOWN, "--all", "--limits", limits, "--json").json
    assert 0 < len(some["solutions"]) < 8
    assert some["outside_limits"] == 8 - len(some["solutions"])
    assert all(0 <= q[0] <= math.pi / 2 for q in some["solutions"])


def test_all_solutions_as_text(cli: Cli, six: Path) -> None:
    outcome = cli("ik", six, *TARGET, *DOWN, "--all")
    assert outcome.out.startswith("reached: 8 solutions (closed form)\n")
    assert "J1_base [deg]" in outcome.out
    pasted = re.findall(r"^--q (\S+)$", outcome.out, re.MULTILINE)
    assert len(pasted) == 8
    for q in (pasted[0], pasted[-1]):
        frame = cli("fk", six, "--q", q, "--json").json["frames"][0]
        np.testing.assert_allclose(frame["xyz"], [0.35, 0.1, 0.25], atol=1e-5)


def test_no_solution_at_all(cli: Cli, six: Path, tmp_path: Path) -> None:
    picture = tmp_path / "none.png"
    outcome = cli("ik", six, "--xyz", "3", "0", "0", *DOWN, "--all", "--plot", picture, "--json")
    assert outcome.code == 1
    assert outcome.json["solutions"] == []
    assert outcome.json["success"] is False
    assert outcome.json["plot"] is None
    assert not picture.exists()
    text = cli("ik", six, "--xyz", "3", "0", "0", *DOWN, "--all")
    assert text.out.startswith("not reached: no solution: the pose is out of reach")


def test_too_many_joints_for_all(cli: Cli) -> None:
    outcome = cli("ik", ARMS / "seven_dof.hrdf", *TARGET, *DOWN, "--all")
    assert outcome.code == 2
    assert "joints" in outcome.err


@pytest.mark.parametrize("more", [(), DOWN, ("--axis", "0", "0", "-1"), (*DOWN, "--all")])
def test_picture(
    cli: Cli, six: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    drawn = []
    plot_model = gui.plot_model

    def remember(*arguments: Any, **style: Any) -> Any:
        drawn.append((arguments, style))
        return plot_model(*arguments, **style)

    monkeypatch.setattr(gui, "plot_model", remember)
    picture = tmp_path / "arm.png"
    outcome = cli("ik", six, *TARGET, *more, "--plot", picture)
    assert outcome.code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert f"picture  {picture}" in outcome.out
    (((model, q), style),) = drawn
    np.testing.assert_allclose(model.end_effector(q)[:3, 3], [0.35, 0.1, 0.25], atol=1e-5)
    assert style["target"].shape == ((4, 4) if "--rpy" in more else (3,))
    assert len(style["ghosts"]) == (7 if "--all" in more else 0)


def test_a_picture_of_a_miss_is_of_the_closest(cli: Cli, six: Path, tmp_path: Path) -> None:
    picture = tmp_path / "arm.png"
    outcome = cli("ik", six, "--xyz", "3", "0", "0.2", "--plot", picture)
    assert outcome.code == 1
    assert f"picture  {picture}, the closest pose" in outcome.out
    assert picture.exists()


def test_several_end_effectors(cli: Cli) -> None:
    path = ARMS / "two_armed.hrdf"
    outcome = cli("ik", path, "--xyz", "0.3", "0.3", "0.4")
    assert outcome.code == 2
    assert "choose by --tag or --index" in outcome.err
    data = cli("ik", path, "--xyz", "0.2", "0.3", "0.5", "--tag", "left_tool", "--json").json
    T = aw.load(path).end_effector(data["q"], tag="left_tool")
    np.testing.assert_allclose(T[:3, 3], data["xyz"], atol=1e-12)


def test_slides(cli: Cli) -> None:
    outcome = cli("ik", ARMS / "gantry.hrdf", "--xyz", "0.1", "0.2", "0.1")
    assert outcome.code == 0
    assert re.search(r"J1_x +-?\d\.\d{4} m\n", outcome.out)
    assert re.search(r"J4_turn +-?\d\.\d{4} rad +-?\d+\.\d\d deg", outcome.out)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--xyz", "0", "0", "up"), "--xyz, entry 3: 'up' is not a number"),
        (("--xyz", "0", "inf", "0"), "--xyz, entry 2: 'inf' is not a number"),
        (("--xyz", "0,35", "0", "0"), "'0,35' has an unknown unit ',35'"),
        ((*TARGET, "--rpy", "0", "0", "x"), "--rpy, entry 3: 'x' is not a number"),
        (
            (*TARGET, "--quat", "1.0011", "0", "0", "0"),
            "--quat: expected a quaternion of length 1, got length 1.0011.",
        ),
        (
            (*TARGET, "--quat", "0", "0.9989", "0", "0"),
            "--quat: expected a quaternion of length 1, got length 0.9989. The",
        ),
        (
            (*TARGET, "--quat", "0", "0", "0", "0"),
            "--quat: expected a quaternion of length 1, got length 0. The",
        ),
        (
            (*TARGET, "--axis", "0", "0", "0"),
            "--axis: expected a direction such as [0, 0, -1], got three zeros",
        ),
        (
            (*TARGET, "--rpy", "0", "0", "0", "--axis", "0", "0", "1"),
            "--rpy and --axis: only one of them can be the target orientation",
        ),
        ((*TARGET, "--seed-q", "1,2"), "--seed-q: expected 6, got 2 values"),
        ((*TARGET, "--all"), "--all needs a whole pose: give the orientation by --rpy or --quat"),
        ((*TARGET, "--axis", "0", "0", "1", "--all"), "--all needs a whole pose"),
        ((*TARGET, "--limits", "0:1"), "--limits: expected 6, got 1 ranges lower:upper"),
        ((*TARGET, "--limits", "0:1,1,:,:,:,:"), "expected lower:upper, such as -90deg:90deg"),
        (
            (*TARGET, "--limits", "0:x,:,:,:,:,:"),
            "--limits, entry 1 (J1_base): 'x' is not a number",
        ),
        ((*TARGET, "--limits", ":,:,1:-1,:,:,:"), "entry 3 (J3_elbow): lower 1 is above upper -1"),
        ((*TARGET, "--plot", "arm.gif"), "arm.gif"),
        ((*TARGET, "--frame", "com:0", "--index", "0"), "--frame names a frame by itself"),
        ((*TARGET, "--frame", "J5_wrist"), "--frame J5_wrist: "),
        ((*TARGET, "--frame", "output:30"), "--frame output:30: "),
    ],
)
def test_what_is_refused(cli: Cli, six: Path, arguments: tuple[str, ...], said: str) -> None:
    outcome = cli("ik", six, *arguments)
    assert outcome.code == 2
    assert said in outcome.err
    assert said in cli("ik", six, *arguments, "--json").json["error"]


@pytest.mark.parametrize(
    ("typed", "frame"),
    [
        ("J5_wrist2", "J5_wrist2"),
        ("output:8", ("output", 8)),
        ("COM : 6", ("com", 6)),
        ("input:J6_wrist3", ("input", "J6_wrist3")),
    ],
)
def test_any_frame_can_be_aimed(cli: Cli, six: Path, typed: str, frame: Any) -> None:
    model = aw.load(six)
    outcome = cli("ik", six, "--xyz", "0.2", "0.1", "0.25", "--frame", typed, "--json")
    assert outcome.code == 0
    q = outcome.json["q"]
    T = aw.kinematics.RobotState(model, q).pose(frame)
    np.testing.assert_allclose(T[:3, 3], [0.2, 0.1, 0.25], atol=1e-6)
    np.testing.assert_array_equal(outcome.json["T_world_tool"], T)
    assert f"\n{typed}  " in cli("ik", six, "--xyz", "0.2", "0.1", "0.25", "--frame", typed).out


def test_every_posture_of_a_frame(cli: Cli, six: Path) -> None:
    model = aw.load(six)
    ((*_, tip),) = [model.forward_kinematics("output", [0.1, 0.5, -1, 0.3, 0.4, 0.2])]
    quat = [repr(float(x)) for x in values.quaternion_wxyz(tip[:3, :3])]
    place = [repr(float(x)) for x in tip[:3, 3]]
    last = f"output:{model.frame_count('output') - 1}"
    found = cli("ik", six, "--xyz", *place, "--quat", *quat, "--frame", last, "--all", "--json")
    assert len(found.json["solutions"]) > 1
    for q in found.json["solutions"]:
        Ts = model.forward_kinematics("output", q)
        np.testing.assert_allclose(Ts[-1], tip, atol=1e-6)


def test_no_end_effector(cli: Cli, hrdf: Hrdf) -> None:
    outcome = cli("ik", hrdf('<joint axis="rz"/>'), *TARGET)
    assert outcome.code == 2
    assert "add <end-effector/> to the file" in outcome.err


def test_limits_within_those_of_the_arm(six: Path) -> None:
    model = aw.load(six).with_position_limits([-1] * 6, [1] * 6)
    narrowed = with_limits(model, "-2:0.5,:,:0,0:,-1rad:10deg,:").position_limits
    assert narrowed[0].tolist() == [-1, -1, -1, 0, -1, -1]
    assert narrowed[1].tolist() == pytest.approx([0.5, 1, 0, 1, math.radians(10), 1])
    assert with_limits(model, None) is model
    with pytest.raises(InputError, match=r"2:3 has nothing in common .* -1 to 1 rad"):
        with_limits(model, ":,2:3,:,:,:,:")


def test_arm_without_joints(cli: Cli, hrdf: Hrdf) -> None:
    path = hrdf('<rigid-body mass="1" output_trans="0 0 1"/><end-effector/>')
    assert cli("ik", path, "--xyz", "0", "0", "1", "--json").json["q"] == []
    assert cli("ik", path, "--xyz", "0", "0", "2").code == 1
