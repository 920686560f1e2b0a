"""``armwright info``."""

import math
from pathlib import Path

import numpy as np
import pytest

import armwright as aw
from armwright.commands.shared.extent import reach_of
from tests.cli.running import ARMS, Cli, Hrdf

TWO_BARS = (
    '<rigid-body mass="1" output_trans="0 0 0.5"/><joint axis="rz" tag="J1"/>'
    '<rigid-body mass="2" output_trans="0.3 0 0"/><joint axis="rz"/>'
    '<rigid-body mass="3" output_trans="0.2 0 0"/><end-effector tag="tip"/>'
)


def test_table_and_totals(cli: Cli, six: Path) -> None:
    model = aw.load(six)
    outcome = cli("info", six)
    assert outcome.code == 0
    assert outcome.err == ""
    line = 1 + six.read_text().splitlines().index('  <actuator type="X8-9" tag="J1_base"/>')
    for tag in model.tags:
        assert tag in outcome.out
    assert f"line {line}\n" in outcome.out
    assert str(six) not in outcome.out.split("\n", 1)[1]  # the heading alone names the file
    assert "X-AH-A > X-AO-A" in outcome.out
    assert f"mass      {model.total_mass:.3f} kg" in outcome.out
    assert "joints    6: J1_base, J2_shoulder, J3_elbow, " in outcome.out
    assert "reach     0." in outcome.out
    assert "inertias  estimated by rule" in outcome.out
    assert "\nfiles\n" not in outcome.out


def test_elements_of_another_file_say_which(cli: Cli, hrdf: Hrdf, tmp_path: Path) -> None:
    part = tmp_path / "part.hrdf"
    part.write_text('<robot version="1.6.0"><joint axis="tz"/><end-effector/></robot>')
    outcome = cli("info", hrdf(f'<include path="{part.name}"/>'))
    assert "part.hrdf:1\n" in outcome.out
    assert "largest distance from the base, with what slides at 0" in outcome.out


def test_json(cli: Cli, hrdf: Hrdf) -> None:
    path = hrdf(TWO_BARS)
    data = cli("info", path, "--json").json
    assert data["dof"] == 2
    assert data["n_elements"] == 6
    assert data["total_mass"] == 6.0
    assert data["masses"] == [1.0, 2.0, 3.0, 0.0]
    assert data["joint_names"] == ["J1", "joint2"]
    assert data["max_speeds"] == [None, None]  # plain joints have no limit
    assert data["tags"] == {"J1": 1, "tip": 5}
    assert data["reach"] == pytest.approx(math.hypot(0.5, 0.5), abs=1e-9)
    assert data["end_effectors"] == [{"index": 0, "tag": "tip", "reach": data["reach"]}]
    assert [element["kind"] for element in data["elements"]][:2] == ["rigid-body", "joint"]
    assert data["elements"][1]["file"] == str(path)
    assert data["warnings"] == []
    assert "files" not in data


def test_estimated_inertias_are_named(cli: Cli, hrdf: Hrdf) -> None:
    path = hrdf('<actuator type="X5-4"/><bracket type="X5LightRight"/>' + TWO_BARS)
    assert cli("info", path, "--json").json["inertias_estimated"] == [1]


def test_show_files_lists_includes(cli: Cli, hrdf: Hrdf) -> None:
    hand = hrdf("<end-effector/>", "parts/hand.hrdf")
    path = hrdf('<joint axis="rx"/><include path="parts/hand.hrdf"/>')
    outcome = cli("info", path, "--show-files")
    listed = outcome.out.split("files\n")[1].splitlines()
    assert listed == [f"  {path}", f"  {hand}"]
    assert cli("info", path, "--show-files", "--json").json["files"] == [str(path), str(hand)]


def test_warnings_are_shown(cli: Cli, hrdf: Hrdf) -> None:
    outcome = cli("info", hrdf('<joint axis="-rx"/><end-effector/>'))
    assert "warning: " in outcome.out
    assert "robot/joint[1], axis" in outcome.out


def test_without_joints_and_without_end_effector(cli: Cli, hrdf: Hrdf) -> None:
    outcome = cli("info", hrdf('<rigid-body mass="1"/>'))
    assert outcome.code == 0
    assert "joints    0: none" in outcome.out
    assert "reach     unknown: no end effector; add <end-effector/>" in outcome.out
    data = cli("info", hrdf('<rigid-body mass="1" output_trans="0 3 4"/><end-effector/>'), "--json")
    assert data.json["reach"] == pytest.approx(5.0)
    assert cli("info", hrdf(""), "--json").json["reach"] is None


def test_tree_has_a_reach_per_end_effector(cli: Cli) -> None:
    data = cli("info", ARMS / "two_armed.hrdf", "--json").json
    assert [end["tag"] for end in data["end_effectors"]] == ["left_tool", "right_gripper"]
    assert data["reach"] == max(end["reach"] for end in data["end_effectors"])
    assert "m of left_tool, largest" in cli("info", ARMS / "two_armed.hrdf").out


@pytest.mark.parametrize("name", ["three_dof", "six_dof", "seven_dof", "gripper_arm"])
def test_reach_is_never_exceeded_and_nearly_met(name: str) -> None:
    model = aw.load(ARMS / f"{name}.hrdf")
    reach = reach_of(model, 0)
    q = np.random.default_rng(1).uniform(-math.pi, math.pi, (20_000, model.dof))
    offsets = model.end_effector(q)[:, :3, 3] - model.base_frame[:3, 3]
    sampled = float(np.linalg.norm(offsets, axis=1).max())
    assert 0.9 * reach < sampled <= reach + 1e-9


def test_reach_counts_from_the_base_with_gears(hrdf: Hrdf, tmp_path: Path) -> None:
    path = tmp_path / "moved.hrdf"
    content = TWO_BARS.replace('axis="rz"/>', 'axis="rz" gear_ratio="-3"/>')
    path.write_text(f'<robot version="1.6.0" trans="5 5 5" rot="Rx(1)">{content}</robot>')
    assert reach_of(aw.load(path), 0) == pytest.approx(math.hypot(0.5, 0.5), abs=1e-9)


def test_what_cannot_be_loaded(cli: Cli, hrdf: Hrdf, tmp_path: Path) -> None:
    bad = hrdf('<actuator type="X5-99"/><bracket type="none"/>')
    outcome = cli("info", bad)
    assert outcome.code == 2
    assert outcome.out == ""
    assert len(outcome.err.splitlines()) == 2
    assert all(line.startswith(f"error: {bad}:1, robot/") for line in outcome.err.splitlines())
    assert "Did you mean" in outcome.err
    assert "X5-99" in cli("info", bad, "--json").json["error"]
    for path in (tmp_path / "missing.hrdf", tmp_path):
        outcome = cli("info", path)
        assert outcome.code == 2
        assert str(path) in outcome.err
        assert len(outcome.err.splitlines()) == 1
        assert "Traceback" in cli("info", path, "--debug").err
