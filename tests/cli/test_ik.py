"""``armwright ik``."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

import armwright as aw
from armwright.commands.values import rotation_from_rpy
from tests.cli.running import ARMS, Cli, Hrdf

TARGET = ("--xyz", "0.35", "0.1", "0.25")
KEYS = {
    "target",
    "q",
    "success",
    "status",
    "position_error",
    "orientation_error",
    "residuals",
    "iterations",
    "restarts",
    "message",
    "xyz",
    "T_world_tool",
}


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
        ((*TARGET, "--quat", "0", "0", "0", "0"), "--quat: the length of W X Y Z is 0; expected 1"),
        ((*TARGET, "--axis", "0", "0", "0"), "--axis: length 0 has no direction"),
        (
            (*TARGET, "--rpy", "0", "0", "0", "--axis", "0", "0", "1"),
            "--rpy and --axis: only one of them can be the target orientation",
        ),
        ((*TARGET, "--seed-q", "1,2"), "--seed-q: expected 6, got 2 values"),
    ],
)
def test_what_is_refused(cli: Cli, six: Path, arguments: tuple[str, ...], said: str) -> None:
    outcome = cli("ik", six, *arguments)
    assert outcome.code == 2
    assert said in outcome.err
    assert said in cli("ik", six, *arguments, "--json").json["error"]


def test_no_end_effector(cli: Cli, hrdf: Hrdf) -> None:
    outcome = cli("ik", hrdf('<joint axis="rz"/>'), *TARGET)
    assert outcome.code == 2
    assert "add <end-effector/> to the file" in outcome.err


def test_arm_without_joints(cli: Cli, hrdf: Hrdf) -> None:
    path = hrdf('<rigid-body mass="1" output_trans="0 0 1"/><end-effector/>')
    assert cli("ik", path, "--xyz", "0", "0", "1", "--json").json["q"] == []
    assert cli("ik", path, "--xyz", "0", "0", "2").code == 1
