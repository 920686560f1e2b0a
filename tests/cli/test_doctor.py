"""``armwright doctor``, on simulated arms; real modules are stood in for."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices
from tests.cli.running import ARMS, Cli

CONFIG = ARMS / "six_dof.cfg.yaml"
HOME = [0.0, 0.6, 0.9, -0.5, 0.7, 0.3]
KEYS = {
    "config",
    "simulated",
    "joint_names",
    "units",
    "q",
    "measured_efforts",
    "modeled_efforts",
    "differences",
    "tolerances",
    "used",
    "at_peak",
    "status",
    "beyond",
    "findings",
    "alternatives",
    "leftover",
    "not_judged",
    "sign_judged",
    "smallest_zeros",
    "smallest_payload",
}


def kinds(data: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["kind"], one["name"]) for one in data["findings"]]


def test_a_good_arm(doctor: Any, six: Path) -> None:
    outcome = doctor()
    assert outcome.code == 0
    assert outcome.err == ""
    assert "6 simulated modules, read at 1 pose\n" in outcome.out
    assert re.search(r"^J2_shoulder +1 +7\.91 N m +7\.91 +0\.00 +0\.02 +fits$", outcome.out, re.M)
    assert re.search(r"^J1_base .* cannot be judged$", outcome.out, re.M)
    assert "\nevery effort fits the model\n" in outcome.out
    data = doctor("--json").json
    assert set(data) == KEYS
    assert data["status"] == "FITS"
    assert data["simulated"] is True
    assert data["findings"] == data["alternatives"] == data["beyond"] == []
    np.testing.assert_allclose(data["q"], np.array([HOME]), rtol=1e-12)  # of the configuration
    efforts = aw.load(six).gravity_efforts(np.array(HOME))
    np.testing.assert_allclose(data["measured_efforts"][0], efforts, atol=1e-9)
    assert data["not_judged"] == ["J1_base", "J6_wrist3"]
    assert data["smallest_zeros"][0] is None
    assert 0.005 < data["smallest_zeros"][1] < 0.02
    assert 0.001 < data["smallest_payload"] < 0.01


@pytest.mark.parametrize(
    ("fault", "kind", "joint", "word"),
    [
        ("sign=J2_shoulder", "sign", "J2_shoulder", "wrong sign"),
        ("direction=J3_elbow", "direction", "J3_elbow", "backwards"),
        ("zero=J3_elbow:10deg", "zero", "J3_elbow", r"zero \+10\.0 deg"),
        ("zero=J4_wrist1:-0.2", "zero", "J4_wrist1", r"zero -11\.5 deg"),
    ],
)
def test_a_fault_of_a_joint(doctor: Any, fault: str, kind: str, joint: str, word: str) -> None:
    outcome = doctor("--fault", fault)
    assert outcome.code == 1
    assert re.search(rf"^{joint} .* {word}$", outcome.out, re.M)
    assert f"\n{joint}: it" in outcome.out
    assert "\n  try: " in outcome.out
    assert "with this every effort fits; what is left is 0.000 N m at most" in outcome.out
    data = doctor("--fault", fault, "--json").json
    assert data["status"] == "EXPLAINED"
    assert kinds(data) == [(kind, joint)]
    if kind == "zero":
        value = np.radians(10) if joint == "J3_elbow" else -0.2
        assert data["findings"][0]["value"] == pytest.approx(value, abs=1e-6)
        assert data["findings"][0]["unit"] == "rad"


def test_a_payload(doctor: Any) -> None:
    outcome = doctor("--fault", "payload=0.5", "--around", "20deg")
    assert outcome.code == 1
    assert "read at 13 poses" in outcome.out
    assert "end effector probe: it carries 0.500 kg (within 0.002) more than the model" in (
        outcome.out
    )
    assert re.search(r"^J2_shoulder .* payload$", outcome.out, re.M)
    data = doctor("--fault", "payload=0.5", "--around", "20deg", "--json").json
    (found,) = data["findings"]
    assert (found["kind"], found["unit"]) == ("payload", "kg")
    assert found["value"] == pytest.approx(0.5)
    assert found["com"] == pytest.approx([0, 0, 0], abs=1e-6)


def test_a_payload_that_is_known_is_no_fault(doctor: Any) -> None:
    known = ("--payload", "0.5", "--com", "0", "0", "0.06")
    assert doctor(*known).code == 0
    data = doctor(*known, "--fault", "payload=0.25", "--around", "20deg", "--json").json
    assert kinds(data) == [("payload", "end effector probe")]
    assert data["findings"][0]["value"] == pytest.approx(0.25)


def test_faults_together(doctor: Any) -> None:
    faults = ("--fault", "zero=J3_elbow:10deg", "--fault", "payload=0.5")
    outcome = doctor(*faults, "--around", "20deg")
    assert outcome.code == 1
    assert re.search(r"^J3_elbow .* zero \+10\.0 deg$", outcome.out, re.M)
    assert re.search(r"^J2_shoulder .* explained$", outcome.out, re.M)
    data = doctor(*faults, "--around", "20deg", "--json").json
    assert kinds(data) == [("zero", "J3_elbow"), ("payload", "end effector probe")]


def test_what_the_pose_does_not_tell_apart(doctor: Any) -> None:
    outcome = doctor("--fault", "sign=J2_shoulder", "--q", "0,0,0,0,0,0")
    said = " ".join(outcome.out.split())
    assert "these poses do not tell it from: J2_shoulder: it counts backwards" in said
    assert "try: read it at more poses (--q again, or --around 20deg)" in said
    more = doctor("--fault", "sign=J2_shoulder", "--q", "0,0,0,0,0,0", "--q", "0,0.5,0.5,0,0,0")
    assert "do not tell" not in more.out
    assert "read at 2 poses" in more.out


def test_an_arm_that_is_another(doctor: Any) -> None:
    outcome = doctor("--actual", ARMS / "gripper_arm.hrdf", "--around", "20deg")
    assert outcome.code == 1
    assert "efforts do not fit: J2_shoulder, J3_elbow, J4_wrist1, J5_wrist2\n" in outcome.out
    assert "no sign, zero or payload explains them" in outcome.out
    data = doctor("--actual", ARMS / "gripper_arm.hrdf", "--around", "20deg", "--json").json
    assert data["status"] == "UNEXPLAINED"
    assert data["findings"] == []
    refused = doctor("--actual", ARMS / "three_dof.hrdf")
    assert refused.code == 2
    assert "expected an arm of 6 joints like the other, got 3" in refused.err


def test_too_few_efforts_to_tell(cli: Cli, tmp_path: Path) -> None:
    # Gravity loads two joints of this arm: a payload and its place would explain any two numbers.
    config = tmp_path / "three.yaml"
    names = "[J1_base, J2_shoulder, J3_elbow]"
    config.write_text(f"version: 1.1\nfamilies: A\nnames: {names}\n", encoding="utf-8")
    arguments = ("doctor", ARMS / "three_dof.hrdf", "--config", config, "--fault", "payload=0.5")
    outcome = cli(*arguments, "--q", "0,0.5,0.9")
    assert outcome.code == 1
    assert "efforts do not fit: J2_shoulder, J3_elbow\n" in outcome.out
    assert "too few efforts to tell why; each of these would fit:\n  end effector" in outcome.out
    data = cli(*arguments, "--q", "0,0.5,0.9", "--json").json
    assert data["status"] == "UNCLEAR"
    assert data["findings"] == []
    assert ["payload"] in [[one["kind"] for one in other] for other in data["alternatives"]]
    data = cli(*arguments, "--q", "0,0.5,0.9", "--around", "20deg", "--json").json
    assert data["status"] == "EXPLAINED"
    assert data["findings"][0]["value"] == pytest.approx(0.5)


def test_poses_of_a_file(doctor: Any, tmp_path: Path) -> None:
    file = tmp_path / "poses.txt"
    file.write_text("0,30deg,40deg,0,0,0\n0,0.8,0.2,0,0.4,0\n", encoding="utf-8")
    data = doctor("--poses", file, "--json").json
    np.testing.assert_allclose(
        data["q"], np.array([np.radians([0, 30, 40, 0, 0, 0]), [0, 0.8, 0.2, 0, 0.4, 0]]), atol=1e-9
    )


def test_tolerance_is_what_was_typed(doctor: Any) -> None:
    assert doctor("--fault", "zero=J3_elbow:2deg").code == 1
    outcome = doctor("--fault", "zero=J3_elbow:2deg", "--tolerance", "0.5")
    assert outcome.code == 0
    assert " 0.50 " in outcome.out


def test_a_gas_spring_of_the_configuration_counts(doctor: Any, write: Any) -> None:
    # The simulated arm has no spring, so 7 N m are missing at the shoulder.
    plugin = "\nplugins:\n  - {type: EffortOffset, offset: [0, -7, 0, 0, 0, 0]}\n"
    data = doctor("--json", config=write(more=plugin)).json
    without = doctor("--json").json
    change = np.subtract(data["modeled_efforts"], without["modeled_efforts"])
    np.testing.assert_allclose(change[0], [0, -7, 0, 0, 0, 0], atol=1e-12)
    assert data["beyond"] == ["J2_shoulder"]
    off = plugin.replace("offset:", "enabled: false, offset:")
    assert doctor(config=write(more=off)).code == 0
    data = doctor("--json", config=write(more=plugin.replace("[0, -7, 0, 0, 0, 0]", "1"))).json
    change = np.subtract(data["modeled_efforts"], without["modeled_efforts"])
    np.testing.assert_allclose(change[0], np.ones(6))


def test_a_joint_with_two_modules_is_not_used(doctor: Any, write: Any) -> None:
    more = "\nplugins:\n  - {type: DoubledJoint, index: 1, group_name: J2B}\n"
    outcome = doctor(config=write(more=more))
    assert outcome.code == 0
    assert re.search(r"^J2_shoulder .* not used$", outcome.out, re.M)
    assert "efforts not used (not reported, at the peak, or shared" in outcome.out
    data = doctor("--json", config=write(more=more)).json
    assert [row[1] for row in data["used"]] == [False]
    assert data["sign_judged"][1] is False


def test_what_is_doubtful_is_said(doctor: Any, write: Any, six: Path) -> None:
    other = ("J4_wrist1, J5_wrist2", "a, b")
    more = "\nplugins:\n  - {type: GravityCompensationEffort, imu_feedback_index: 0}\n"
    outcome = doctor(config=write(other, more=more))
    assert "warning: " in outcome.err
    assert "the others are taken in the order of joints" in outcome.err
    assert "takes gravity from a module's sensor" in outcome.err
    other = write(("# none", "hrdf: gone.hrdf"))
    err = doctor(config=other).err
    assert "no such file: " in err
    assert f"gone.hrdf; compared with {six}" in err


def test_a_configuration_of_another_arm(cli: Cli, doctor: Any, tmp_path: Path) -> None:
    outcome = cli("doctor", ARMS / "three_dof.hrdf", "--config", CONFIG)
    assert outcome.code == 2
    assert "expected 3 modules, one for each joint of" in outcome.err
    assert "(J1_base, J2_shoulder, J3_elbow), got 6" in outcome.err
    bad = tmp_path / "bad.yaml"
    bad.write_text("version: 2\nnames: [a, a]\n", encoding="utf-8")
    outcome = doctor(config=bad)
    assert outcome.code == 2
    assert outcome.err.count(f"error: {bad}:") == 2
    assert "key families is missing" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--fault", "broken"), "--fault broken: expected sign=JOINT, direction=JOINT"),
        (("--fault", "sing=J1_base"), "Did you mean 'sign'?"),
        (("--fault", "sign=J9"), "no module is called 'J9'. Known: J1_base"),
        (("--fault", "zero=J3_elbow"), "how far? Write zero=J3_elbow:10deg"),
        (("--fault", "zero=J3_elbow:far"), "'far' is not a number"),
        (("--fault", "payload=-1"), "expected kilograms, 0 or more"),
        (("--fault", "payload=10deg"), "expected kilograms, 0 or more"),
        (("--fault", "payload=1", "--fault", "payload=2"), "was given already; give their sum"),
        (
            ("--fault", "zero=J3_elbow:1deg", "--fault", "zero=J3_elbow:2deg"),
            "the zero of J3_elbow was given already",
        ),
        (("--fault", "sign=J1_base", "--fault", "direction=J1_base"), "expected one of them"),
        (("--around", "0"), "--around: expected an angle above 0, up to 90deg, got 0"),
        (("--around", "3"), "--around: expected an angle above 0, up to 90deg, got 3"),
        (("--tolerance", "0"), "--tolerance: expected more than 0 N m, got 0"),
        (("--q", "1,2"), "--q: expected 6, got 2 values"),
    ],
)
def test_what_is_refused(doctor: Any, arguments: tuple[str, ...], said: str) -> None:
    outcome = doctor(*arguments)
    assert outcome.code == 2
    assert said in outcome.err


@pytest.mark.parametrize("width", ["80", "120"])
def test_lines_fit_a_terminal(doctor: Any, width: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", width)
    monkeypatch.setenv("NO_COLOR", "1")
    relative = Path(CONFIG.name)
    monkeypatch.chdir(ARMS)
    for faults in ((), ("--fault", "payload=0.5"), ("--fault", "sign=J2_shoulder")):
        out = doctor(*faults, "--around", "20deg", config=relative).out
        assert max(map(len, out.splitlines())) <= 80
        assert "\x1b" not in out


class Real:
    """A stand-in for real modules that refuses to be told anything."""

    def __init__(self, group: devices.ActuatorGroup) -> None:
        self.group = group
        self.closed = False
        self.feedback_frequency = self.command_lifetime = 0.0
        self.size, self.names = group.size, group.names

    def feedback(self, timeout: float | None = None) -> devices.GroupFeedback:
        return self.group.feedback(timeout)

    def send(self, command: devices.GroupCommand) -> None:
        raise AssertionError("a real arm was commanded")

    def __enter__(self) -> "Real":
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True


def test_real_modules_are_read_and_never_moved(
    doctor: Any, six: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = aw.load(six)
    asked, made = [], []

    def connect(families: Any, names: Any) -> Real:
        asked.append((families, names))
        group = devices.simulate(model, names=names, q0=HOME)
        made.append(Real(devices.FaultyGroup(group, zeros={"J3_elbow": 0.8})))
        return made[-1]

    monkeypatch.setattr(devices, "connect", connect)
    outcome = doctor("--hebi")
    assert asked == [(("Arm",) * 6, model.joint_names)]
    assert made[0].closed
    assert (made[0].feedback_frequency, made[0].command_lifetime) == (100.0, 0.25)
    assert outcome.code == 1
    assert "6 real modules, read at 1 pose" in outcome.out
    assert re.search(r"^J3_elbow .* zero \+45\.8 deg$", outcome.out, re.M)
    data = doctor("--hebi", "--json").json
    assert data["simulated"] is False
    tolerances = devices.doctor.tolerances_of(model, np.array(data["q"]))
    np.testing.assert_allclose(data["tolerances"], tolerances, rtol=1e-9)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--q", "0,0,0,0,0,0"),
        ("--poses", "poses.txt"),
        ("--around", "5deg"),
        ("--fault", "payload=1"),
        ("--actual", "other.hrdf"),
    ],
)
def test_nothing_moves_real_modules(
    doctor: Any, arguments: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def connect(*_: object) -> None:
        raise AssertionError("modules were looked for")

    monkeypatch.setattr(devices, "connect", connect)
    outcome = doctor("--hebi", *arguments)
    assert outcome.code == 2
    assert f"{arguments[0]} is for simulated arms; with --hebi nothing is moved" in outcome.err


def test_a_slide_takes_metres(cli: Cli, tmp_path: Path) -> None:
    config = tmp_path / "gantry.yaml"
    config.write_text("version: 1.1\nfamilies: A\nnames: [x, y, z, turn, tilt]\n", encoding="utf-8")
    arguments = ("doctor", ARMS / "gantry.hrdf", "--config", config)
    outcome = cli(*arguments, "--q", "0,0,0,0,0.5", "--around", "20deg")
    assert outcome.code == 0
    assert "read at 5 poses" in outcome.out  # to both sides of the joints that turn
    assert re.search(r"^z +1 +15\.40 N +15\.40 ", outcome.out, re.M)
    refused = cli(*arguments, "--fault", "zero=x:3deg")
    assert refused.code == 2
    assert "x slides; expected plain metres" in refused.err
    # An error of a rail that carries everything alike shows nowhere.
    assert cli(*arguments, "--fault", "zero=x:0.1").code == 0
    sign = cli(*arguments, "--fault", "sign=z", "--json").json
    assert sign["beyond"] == ["z"]
