"""Every command takes a robot configuration, and a saved model, in the place of HRDF."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armwright as aw
from tests.cli.running import ARMS, Cli

CONFIG = ARMS / "six_dof.cfg.yaml"
HOME = "0.0000,0.6000,0.9000,-0.5000,0.7000,0.3000"
NOTE = f"note: no --q: at home of the arm, {HOME}"


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "arm.npz"
    aw.load(CONFIG).save(path)
    return path


@pytest.mark.parametrize(
    ("command", "options"),
    [("fk", []), ("gravity", []), ("dynamics", []), ("plot", ["--output", "a.png"])],
)
def test_home_stands_in_for_q(
    cli: Cli,
    saved: Path,
    command: str,
    options: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    typed = cli(command, CONFIG, "--q", "0,0.6,0.9,-0.5,0.7,0.3", *options)
    for arm in (CONFIG, saved):
        outcome = cli(command, arm, *options)
        assert outcome.code == typed.code == 0
        assert NOTE in outcome.err
        assert outcome.out == typed.out
    assert NOTE not in typed.err


def test_seeds(cli: Cli, tmp_path: Path) -> None:
    goal = ("--xyz", 0.35, 0.1, 0.25)
    outcome = cli("ik", CONFIG, *goal)
    assert outcome.code == 0
    assert f"note: no --seed-q: at home of the arm, {HOME}" in outcome.err
    text = CONFIG.read_text(encoding="utf-8").replace("six_dof.hrdf", str(ARMS / "six_dof.hrdf"))
    seeded = tmp_path / "arm.cfg.yaml"
    seeded.write_text(text + "  ik_seed_pos: [0.1, 1, 2, 1, 1, 0]\n", encoding="utf-8")
    assert "no --seed-q: at ik_seed of the arm, 0.1000," in cli("ik", seeded, *goal).err
    assert "no --seed-q: at home of the arm" in cli("reach", seeded, *goal).err
    assert "note" not in cli("ik", seeded, *goal, "--seed-q", "0,0,0,0,0,0").err
    # Every posture is sorted from the middle of the limits: it was said that a seed counts.
    assert cli("ik", seeded, *goal, "--rpy", "180deg", "0", "0", "--all").err == ""


def test_info(cli: Cli, saved: Path) -> None:
    for arm in (CONFIG, saved):
        outcome = cli("info", arm)
        assert outcome.code == 0
        assert f"home      {HOME}" in outcome.out
        found = cli("info", arm, "--json").json["reference_configurations"]
        assert found == {"home": [0.0, 0.6, 0.9, -0.5, 0.7, 0.3]}


def test_doctor_takes_one_file(cli: Cli, tmp_path: Path) -> None:
    alone, both = cli("doctor", CONFIG), cli("doctor", ARMS / "six_dof.hrdf", "--config", CONFIG)
    assert (alone.code, alone.out) == (both.code, both.out)
    assert alone.err == both.err == ""
    outcome = cli("doctor", ARMS / "six_dof.hrdf")
    assert outcome.code == 2
    assert "--config is missing" in outcome.err


def test_doctor_sorts_modules_by_tag(cli: Cli, tmp_path: Path) -> None:
    text = CONFIG.read_text(encoding="utf-8").replace("six_dof.hrdf", str(ARMS / "six_dof.hrdf"))
    text = text.replace("J1_base, J2_shoulder", "J2_shoulder, J1_base")
    text = text.replace("[0.0, 0.6,", "[0.6, 0.0,")
    offset = "\nplugins:\n  - {{type: EffortOffset, offset: {}}}\n".format
    helped = "  - {{type: DoubledJoint, index: {}, group_name: other}}\n".format
    mixed = tmp_path / "arm.cfg.yaml"
    mixed.write_text(text + offset("[-3, 0, 0, 0, 0, 0]") + helped(1), encoding="utf-8")
    plain = tmp_path / "plain.cfg.yaml"
    text = CONFIG.read_text(encoding="utf-8").replace("six_dof.hrdf", str(ARMS / "six_dof.hrdf"))
    plain.write_text(text + offset("[0, -3, 0, 0, 0, 0]") + helped(0), encoding="utf-8")
    straight = cli("doctor", plain, "--json")
    assert straight.json["used"][0][0] is False
    for arguments in ((mixed,), (ARMS / "six_dof.hrdf", "--config", mixed)):
        outcome = cli("doctor", *arguments, "--json")
        assert {**outcome.json, "config": ""} == {**straight.json, "config": ""}
        assert outcome.err == ""
    home = aw.load(mixed).reference_configurations["home"]
    np.testing.assert_allclose(home, [0.0, 0.6, 0.9, -0.5, 0.7, 0.3])


def test_reach_starts_at_one_home_however_it_is_named(cli: Cli, tmp_path: Path) -> None:
    # Beside HRDF, home was taken in the order of the modules, as if it were that of the joints.
    (tmp_path / "six_dof.hrdf").write_bytes((ARMS / "six_dof.hrdf").read_bytes())
    mixed = tmp_path / "arm.cfg.yaml"
    text = CONFIG.read_text(encoding="utf-8").replace("[0.0, 0.6,", "[0.6, 0.0,")
    text = text.replace("J1_base, J2_shoulder", "J2_shoulder, J1_base")
    mixed.write_text(text, encoding="utf-8")
    beside, elsewhere = tmp_path / "six_dof.hrdf", ARMS / "six_dof.hrdf"
    for arguments in ((mixed,), (beside,), (elsewhere, "--config", mixed)):
        outcome = cli("reach", *arguments, "--xyz", 0.35, 0.1, 0.25, "--json")
        assert outcome.json["start"] == [0.0, 0.6, 0.9, -0.5, 0.7, 0.3]


def test_check(cli: Cli, saved: Path) -> None:
    outcome = cli("check", CONFIG, saved, ARMS / "six_dof.hrdf")
    assert outcome.code == 0
    assert outcome.out.endswith("0 of 3 files failed\n")
    saved.write_bytes(saved.read_bytes()[:-40])
    outcome = cli("check", saved)
    assert outcome.code == 1
    assert f"error: {saved}: not a saved model, or damaged" in outcome.out
    assert ". Copy it anew, or save the model again\n" in outcome.out


def test_check_of_what_belongs_to_a_configuration(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.hrdf").write_text(
        '<robot version="1.6.0"><actuator type="X5-1"/><link type="X5"/></robot>'
    )
    file = tmp_path / "arm.cfg.yaml"
    file.write_text(
        "version: 1.1\nfamilies: A\nnames: [x, y]\nhrdf: a.hrdf\ngains: g/soft.xml\n"
        "user_data: {layout: layouts/a.json, note: see a.txt for more, home_position: [1]}\n"
    )
    outcome = cli("check", file)
    assert outcome.code == 1
    for said in (
        f"error: {file}:5, gains: no such file: {tmp_path}/g/soft.xml",
        f"error: {file}:6, user_data/layout: no such file: {tmp_path}/layouts/a.json",
        f"warning: {file}:6, user_data/home_position: expected 2 numbers, one per name, got 1",
        f"error: {tmp_path}/a.hrdf:1, robot/link[1], extension: missing",
    ):
        assert said in outcome.out
    (tmp_path / "a.hrdf").write_text('<robot version="1.6.0"><actuator type="X5-1"/></robot>')
    assert f"error: {file}, names: expected 1 modules" in cli("check", file).out


@pytest.mark.shared
def test_case_c11(cli: Cli, cases: dict[str, Any], tmp_path: Path) -> None:
    for name, text in cases["C11"]["input"]["files"].items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    outcome = cli("check", tmp_path / "arm.cfg.yaml", "--json")
    assert outcome.code == 1
    text = json.dumps(outcome.json)
    for said in (
        "gains/A-2099-01-7.xml",
        "gains/soft.xml",
        "Is it a stray sign?",
        "Did you mean 'GravityCompensationEffort'?",
        "key type is missing",
        "expected 2 numbers, one per name, got 3",
    ):
        assert said in text


@pytest.mark.shared
def test_case_c53(cli: Cli, cases: dict[str, Any], tmp_path: Path) -> None:
    kinds = {"urdf": "URDF", "xacro": "xacro", "srdf": "SRDF", "sdf": "SDF", "xml": "MJCF|gains"}
    for name, text in cases["C53"]["input"].items():
        file = tmp_path / name
        if name == "gains.xml":
            text = '<gains version="1.0"/>'
        elif name == "arm.cfg.yaml":
            text = "version: 1.1\nfamilies: A\nnames: [a]\n"
        file.write_text(text, encoding="utf-8")
        outcome = cli("info", file)
        assert outcome.code == 2
        assert outcome.err.count("\n") == 1
        assert any(
            kind in outcome.err for kind in kinds.get(name.split(".")[-1], "hrdf").split("|")
        )
