"""``armwright reach``: the main job, from a file to a measured position and a picture."""

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices
from tests.cli.running import ARMS, Cli, Hrdf

TARGET = ("--xyz", "0.35", "0.1", "0.25")
KEYS = {
    "target",
    "start",
    "q",
    "success",
    "status",
    "duration",
    "commanded_xyz",
    "measured_xyz",
    "position_error",
    "orientation_error",
    "plot",
}


def test_main_job(cli: Cli, six: Path, tmp_path: Path) -> None:
    picture = tmp_path / "reach.png"
    outcome = cli("reach", six, *TARGET, "--plot", picture)
    assert outcome.code == 0
    assert outcome.err == ""
    assert outcome.out.startswith("the simulated arm reached the target\n")
    assert "target     0.3500 0.1000 0.2500 m\n" in outcome.out
    assert f"picture    {picture}\n" in outcome.out
    for name in ("commanded", "measured"):
        typed = re.search(rf"^{name} +(\S+) (\S+) (\S+) m$", outcome.out, re.MULTILINE)
        assert typed is not None
        np.testing.assert_allclose([float(x) for x in typed.groups()], [0.35, 0.1, 0.25], atol=2e-3)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_json(cli: Cli, six: Path, tmp_path: Path) -> None:
    outcome = cli("reach", six, *TARGET, "--plot", tmp_path / "reach.svg", "--json")
    assert outcome.code == 0
    data = outcome.json
    assert data.keys() == KEYS
    assert data["target"] == [0.35, 0.1, 0.25]
    assert data["status"] == "CONVERGED"
    assert data["success"] is True
    assert data["plot"] == str(tmp_path / "reach.svg")
    measured = aw.load(six).end_effector(data["q"])[:3, 3]
    np.testing.assert_allclose(data["measured_xyz"], measured, atol=1e-12)
    error = np.linalg.norm(np.subtract(data["measured_xyz"], data["target"]))
    assert data["position_error"] == pytest.approx(error)
    assert data["position_error"] < 2e-3
    # No joint is faster than its limit, even on average.
    speeds = np.abs(np.subtract(data["q"], data["start"])) / data["duration"]
    assert (speeds < aw.load(six).max_speeds).all()


def test_without_a_picture(cli: Cli, six: Path) -> None:
    outcome = cli("reach", six, *TARGET, "--seed-q", "0,1,1,0,1,0", "--json")
    assert outcome.code == 0
    assert outcome.json["plot"] is None


def test_start_is_home_where_a_configuration_says_so(
    cli: Cli, six: Path, arms: Path, tmp_path: Path
) -> None:
    home = [0.0, 0.6, 0.9, -0.5, 0.7, 0.3]
    assert cli("reach", six, *TARGET, "--json").json["start"] == home  # beside the file
    assert "from home_position of " in cli("reach", six, *TARGET).out
    alone = tmp_path / "six_dof.hrdf"
    alone.write_bytes(six.read_bytes())
    assert cli("reach", alone, *TARGET, "--json").json["start"] == [0.0] * 6
    given = cli("reach", alone, *TARGET, "--config", arms / "six_dof.cfg.yaml", "--json").json
    assert given["start"] == home
    typed = cli("reach", six, *TARGET, "--seed-q", "0,1,1,0,1,0", "--json").json
    assert typed["start"] == [0, 1, 1, 0, 1, 0]


def test_a_home_that_does_not_fit(cli: Cli, six: Path, tmp_path: Path) -> None:
    alone = tmp_path / "six_dof.hrdf"
    alone.write_bytes(six.read_bytes())
    config = tmp_path / "a.cfg.yaml"
    text = (ARMS / "six_dof.cfg.yaml").read_text(encoding="utf-8")
    config.write_text(text.replace("-0.5, 0.7, 0.3]", "text]"), encoding="utf-8")
    outcome = cli("reach", alone, *TARGET, "--json")
    assert outcome.json["start"] == [0.0] * 6
    assert "home_position: expected 6 plain numbers" in outcome.err
    assert cli("reach", alone, *TARGET, "--config", config).code == 2
    config.write_text(text, encoding="utf-8")
    (tmp_path / "b.cfg.yaml").write_text(text, encoding="utf-8")
    outcome = cli("reach", alone, *TARGET, "--json")
    assert outcome.json["start"] == [0.0] * 6
    assert "a.cfg.yaml, b.cfg.yaml; choose by --config" in outcome.err


def test_turned_as_asked(cli: Cli, six: Path) -> None:
    data = cli("reach", six, *TARGET, "--axis", "0", "0", "-1", "--json").json
    assert data["success"] is True
    assert data["orientation_error"] < 1e-3
    R = aw.load(six).end_effector(data["q"])[:3, :3]
    np.testing.assert_allclose(R[:, 2], [0, 0, -1], atol=1e-3)
    outcome = cli("reach", six, *TARGET, "--rpy", "180deg", "0", "pi/2")
    assert outcome.code == 0
    assert "turned by  0.0" in outcome.out
    outcome = cli("reach", six, *TARGET, "--rpy", "180", "0", "0")
    assert (outcome.code, outcome.out) == (2, "")
    assert "write 180deg or 180rad" in outcome.err


def test_missed_orientation_is_no_success(
    cli: Cli, six: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = devices.follow

    def twisted(*arguments: Any, **options: Any) -> devices.Recording:
        recording = honest(*arguments, **options)
        return replace(recording, measured=recording.measured + np.eye(6)[5] * 0.1)

    monkeypatch.setattr(devices, "follow", twisted)
    turned = cli("reach", six, *TARGET, "--rpy", "180deg", "0", "0", "--json")
    assert (turned.code, turned.json["success"]) == (1, False)
    assert turned.json["orientation_error"] == pytest.approx(0.1, abs=1e-3)
    assert turned.json["position_error"] < 2e-3


def test_within_limits(cli: Cli, six: Path) -> None:
    limits = ("--limits", ":,:,:,-10deg:10deg,:,:")
    data = cli("reach", six, *TARGET, *limits, "--json").json
    assert data["success"] is True
    assert abs(data["q"][3]) <= np.radians(10) + 1e-6
    assert abs(data["start"][3]) <= np.radians(10)


def test_measured_comes_from_the_feedback(
    cli: Cli, six: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # An arm that lags behind its commands must not be called a success.
    honest = devices.follow

    def lagging(*arguments: Any, **options: Any) -> devices.Recording:
        recording = honest(*arguments, **options)
        return replace(recording, measured=recording.measured * 0.98)

    monkeypatch.setattr(devices, "follow", lagging)
    outcome = cli("reach", six, *TARGET, "--json")
    assert outcome.code == 1
    data = outcome.json
    assert data["status"] == "MISSED"
    assert data["success"] is False
    assert data["position_error"] > 2e-3
    np.testing.assert_allclose(data["commanded_xyz"], data["target"], atol=1e-4)
    assert "did not reach the target" in cli("reach", six, *TARGET).out


def test_drive_keeps_the_limits_and_compensates_gravity(
    cli: Cli, six: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest, seen = devices.follow, []

    def watched(*arguments: Any, **options: Any) -> devices.Recording:
        seen.append(honest(*arguments, **options))
        return seen[-1]

    monkeypatch.setattr(devices, "follow", watched)
    assert cli("reach", six, *TARGET).code == 0
    (recording,), model = seen, aw.load(six)
    assert (np.abs(recording.commanded_velocity) <= model.max_speeds * (1 + 1e-9)).all()
    assert (np.abs(recording.measured_velocity) <= model.max_speeds * (1 + 1e-9)).all()
    assert (np.abs(recording.measured_effort) <= model.max_efforts).all()
    holding = model.gravity_efforts(recording.measured)
    np.testing.assert_allclose(recording.commanded_effort[1:], holding[:-1], atol=1e-9)
    assert np.abs(holding).max() > 1  # there was something to hold
    assert np.ptp(recording.measured, axis=0).max() > 0.3  # and it moved


def test_unreachable_target_moves_nothing(
    cli: Cli, six: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def moved(*_: object, **__: object) -> None:
        raise AssertionError("the group was made")

    monkeypatch.setattr(devices, "simulate", moved)
    picture = tmp_path / "closest.png"
    arguments = ("reach", six, "--xyz", "2", "0", "0.2", "--plot", picture)
    outcome = cli(*arguments)
    assert outcome.code == 1
    assert outcome.out.startswith("not reached: unreachable")
    assert re.search(r"closest    0\.\d+ \S+ \S+ m, \d{4}\.\d mm away", outcome.out)
    assert picture.is_file()
    outcome = cli(*arguments, "--json")
    assert outcome.code == 1
    data = outcome.json
    assert data.keys() == KEYS
    assert data["status"] == "UNREACHABLE"
    assert data["success"] is False
    assert data["duration"] is data["commanded_xyz"] is data["measured_xyz"] is None
    closest = aw.load(six).end_effector(data["q"])[:3, 3]
    assert data["position_error"] == pytest.approx(np.linalg.norm(closest - [2, 0, 0.2]))


def test_arm_too_weak_for_the_way(cli: Cli, hrdf: Hrdf) -> None:
    # The joint lies flat; 20 kg at 0.3 m are too much for it on the way from up to down.
    path = hrdf(
        '<rigid-body mass="1" output_rot="Rx(pi/2)"/><actuator type="X5-4" tag="weak"/>'
        '<rigid-body mass="20" com_trans="0 0.3 0" output_trans="0 0.3 0"/><end-effector/>'
    )
    start = aw.load(path).end_effector([0.0])[:3, 3]
    there = [str(start[0]), str(start[1]), str(-start[2])]
    outcome = cli("reach", path, "--xyz", *there)
    assert outcome.code == 1
    assert outcome.out.startswith("not reached: plan, joint 'weak': cannot hold")
    assert "weak" in outcome.out
    assert cli("reach", path, "--xyz", *there, "--json").json["status"] == "NO_PLAN"


@pytest.mark.parametrize(
    ("name", "target", "choice"),
    [
        ("three_dof", None, ()),
        ("seven_dof", None, ()),
        ("gripper_arm", None, ()),
        ("gantry", ("-0.1", "0.1", "0.1"), ()),
        ("two_armed", None, ("--tag", "right_gripper")),
    ],
)
def test_every_example_arm(
    cli: Cli, name: str, target: tuple[str, ...] | None, choice: tuple[str, ...]
) -> None:
    path = ARMS / f"{name}.hrdf"
    if target is None:
        model = aw.load(path)
        q = np.full(model.dof, 0.4)
        tip = model.end_effector(q, tag=choice[1] if choice else None)[:3, 3]
        target = tuple(str(x) for x in tip)
    outcome = cli("reach", path, "--xyz", *target, *choice, "--json")
    assert outcome.code == 0, outcome.out + outcome.err
    assert outcome.json["position_error"] < 2e-3


def test_what_is_refused(cli: Cli, six: Path, hrdf: Hrdf, tmp_path: Path) -> None:
    still = hrdf('<rigid-body mass="1"/><end-effector/>')
    outcome = cli("reach", still, *TARGET)
    assert outcome.code == 2
    assert "the arm has no joints, so there is nothing to drive" in outcome.err
    outcome = cli("reach", ARMS / "two_armed.hrdf", *TARGET)
    assert outcome.code == 2
    assert "choose by --tag or --index" in outcome.err
    outcome = cli("reach", six, *TARGET, "--plot", tmp_path / "no" / "reach.png", "--json")
    assert outcome.code == 2
    assert outcome.json.keys() == {"error"}
    assert "there is no folder" in outcome.json["error"]


def test_picture_is_replaced_whole_or_not_at_all(
    cli: Cli, six: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = tmp_path / "reach.png"
    picture.write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    outcome = cli("plot", six, "--output", picture)
    assert outcome.code == 2
    assert "No space left on device" in outcome.err
    assert picture.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [picture]
