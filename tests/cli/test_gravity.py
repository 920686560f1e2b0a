"""``armwright gravity``."""

import re
from pathlib import Path

import numpy as np
import pytest

import armwright as aw
from armwright.hrdf import Actuator
from tests.cli.running import ARMS, Cli, Hrdf

LEVER = '<joint axis="ry" tag="hinge"/><rigid-body mass="2" com_trans="0.5 0 0"/><end-effector/>'
MOTOR = (
    '<actuator type="X5-4" tag="motor"/><rigid-body mass="1" com_trans="0.1 0 0" '
    'output_trans="0.2 0 0"/><end-effector/>'
)


def test_known_holding_effort(cli: Cli, hrdf: Hrdf) -> None:
    # The weight of 2 kg at 0.5 m along x turns the hinge about +y; holding it is negative.
    outcome = cli("gravity", hrdf(LEVER), "--q", "0")
    assert outcome.code == 0
    assert "-9.810 N m" in outcome.out
    data = cli("gravity", hrdf(LEVER), "--q", "0", "--json").json
    assert data["gravity_efforts"] == pytest.approx([-9.81])
    assert data["gravity"] == [0, 0, -9.81]
    assert data["max_efforts"] == data["continuous_efforts"] == data["peak_percent"] == [None]


def test_percent_of_the_limits(cli: Cli, hrdf: Hrdf) -> None:
    path = hrdf(MOTOR)
    motor = aw.load(path).elements[0]
    assert isinstance(motor, Actuator)
    peak, lasting = motor.part.max_effort, motor.part.continuous_effort
    assert lasting is not None
    arguments = ("gravity", path, "--q", "0", "--gravity", "0", "-9.81", "0")
    data = cli(*arguments, "--json").json
    assert data["gravity_efforts"] == pytest.approx([0.981])
    assert data["max_efforts"] == [peak]
    assert data["continuous_efforts"] == [lasting]
    assert data["peak_percent"] == pytest.approx([98.1 / peak])
    assert data["continuous_percent"] == pytest.approx([98.1 / lasting])
    text = cli(*arguments).out
    assert f"{98.1 / peak:.0f} %" in text
    assert f"{98.1 / lasting:.0f} %" in text


def test_payload(cli: Cli, hrdf: Hrdf) -> None:
    path = hrdf(MOTOR)
    arguments = ("gravity", path, "--q", "0", "--gravity", "0", "-9.81", "0", "--payload")
    data = cli(*arguments, "0.5", "--json").json
    assert data["gravity_efforts"] == pytest.approx([0.981 + 0.2 * 0.5 * 9.81])
    assert data["payload"] == 0.5
    outcome = cli(*arguments, "3")
    assert outcome.code == 1
    assert outcome.err == "warning: motor cannot hold this for long: 6.87 of 4 N m\n"
    outcome = cli(*arguments, "30")
    assert outcome.err.startswith("warning: motor cannot hold this: 59.8 of ")


def test_payload_of_one_of_two(cli: Cli) -> None:
    path, q = ARMS / "two_armed.hrdf", ",".join(["0.3"] * 9)
    outcome = cli("gravity", path, "--q", q, "--payload", "1")
    assert outcome.code == 2
    assert "several end effectors: 0 (tag left_tool), 1 (tag right_gripper)" in outcome.err
    bare = cli("gravity", path, "--q", q, "--json").json["gravity_efforts"]
    left = cli("gravity", path, "--q", q, "--payload", "1", "--tag", "left_tool", "--json").json
    changed = np.subtract(left["gravity_efforts"], bare)
    assert abs(changed[1:5]).max() > 0.1
    np.testing.assert_allclose(changed[5:], 0, atol=1e-12)


def test_slides_are_in_newtons(cli: Cli) -> None:
    outcome = cli("gravity", ARMS / "gantry.hrdf", "--q", "0,0,0,0,0", "--json")
    assert outcome.json["units"] == ["N", "N", "N", "N m", "N m"]
    hanging = aw.load(ARMS / "gantry.hrdf").masses[2:].sum()
    assert outcome.json["gravity_efforts"][2] == pytest.approx(9.81 * hanging)


def test_one_pose_and_several_exit_alike(cli: Cli, hrdf: Hrdf) -> None:
    path = hrdf(MOTOR)
    for q, code in (("90deg", 0), ("0", 1)):
        loaded = ("--payload", "2", "--gravity", "0", "-9.81", "0")
        one = cli("gravity", path, "--q", q, *loaded)
        two = cli("gravity", path, "--q", q, "--q", q, *loaded)
        assert one.code == two.code == code
        assert ("cannot hold this for long" in one.err) is bool(code)


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        (("--payload", "500"), "payload mass: 500 kg at a robot of 4.45 kg: grams?"),
        (("--payload", "1", "--com", "0", "0", "50"), "payload com: 0 0 50 m: millimetres?"),
        (("--gravity", "0", "0", "-9810"), "millimetres per second squared?"),
        (("--gravity", "0", "0", "9.81"), "points up"),
    ],
)
@pytest.mark.parametrize("command", ["gravity", "dynamics"])
def test_other_units_are_asked_about(
    cli: Cli, six: Path, command: str, arguments: tuple[str, ...], asked: str
) -> None:
    outcome = cli(command, six, "--q", "0,0,0,0,0,0", *arguments)
    assert [asked in line for line in outcome.err.splitlines() if "warning: " in line].count(
        True
    ) == 1


def test_tags_have_near_names(cli: Cli) -> None:
    path, q = ARMS / "two_armed.hrdf", ",".join(["0.3"] * 9)
    for command in ("gravity", "dynamics"):
        outcome = cli(command, path, "--q", q, "--payload", "1", "--tag", "left_tol")
        assert outcome.code == 2
        assert "Did you mean 'left_tool'?" in outcome.err
    target = ("--xyz", "0.3", "0.1", "0.2", "--tag", "left_tol")
    for command in ("ik", "reach"):
        assert "Did you mean 'left_tool'?" in cli(command, path, *target).err


def test_gravity_of_length_one_warns(cli: Cli, six: Path) -> None:
    outcome = cli("gravity", six, "--q", "0,0,0,0,0,0", "--gravity", "0", "0", "-1")
    assert outcome.code == 0
    assert outcome.err.startswith("warning: gravity")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--payload", "-1"), "--payload: -1 is no mass; expected kilograms, 0 or more"),
        (("--payload", "nan"), "--payload: nan is no mass"),
        (("--payload", "heavy"), "Invalid value for '--payload'"),
        (("--tag", "probe"), "give --payload too"),
        (("--gravity", "0", "0", "-9.81deg"), "--gravity, entry 3: '-9.81deg' is an angle"),
    ],
)
def test_what_is_refused(cli: Cli, six: Path, arguments: tuple[str, ...], said: str) -> None:
    outcome = cli("gravity", six, "--q", "0,0,0,0,0,0", *arguments)
    assert outcome.code == 2
    assert said in outcome.err


def test_no_joints(cli: Cli, hrdf: Hrdf) -> None:
    outcome = cli("gravity", hrdf('<rigid-body mass="1"/>'))
    assert outcome.code == 0
    assert outcome.out == "no joints, nothing to hold\n"


def test_payload_with_a_center_of_mass(cli: Cli, hrdf: Hrdf) -> None:
    arguments = ("gravity", hrdf(MOTOR), "--q", "0", "--gravity", "0", "-9.81", "0")
    data = cli(*arguments, "--payload", "0.5", "--com", "0.3", "0", "0", "--json").json
    assert data["gravity_efforts"] == pytest.approx([0.981 + 0.5 * 0.5 * 9.81])
    assert data["com"] == [0.3, 0, 0]
    # By hand: 4 N m for long, less 0.981 for the body, over a lever of 0.5 m.
    assert data["largest_payload"]["mass"] == pytest.approx((4 - 0.981) / (0.5 * 9.81))
    assert data["largest_payload"]["joint"] == "motor"
    outcome = cli(*arguments, "--com", "0", "0", "0")
    assert outcome.code == 2
    assert "give --payload too" in outcome.err


# Gravity pulls along -y, so that q turns the lever in the plane of gravity.
SIDEWAYS = ("--gravity", "0", "-9.81", "0")


def test_several_poses(cli: Cli, hrdf: Hrdf) -> None:
    poses = ("--q", "90deg", "--q", "0", "--q", "180deg", "--payload", "2", *SIDEWAYS)
    outcome = cli("gravity", hrdf(MOTOR), *poses)
    effort = 0.981 + 0.2 * 2 * 9.81  # 4.905 N m: 123 % of 4, 70 % of 7
    assert outcome.code == 1
    assert re.search(
        r"^motor +X5-4 +2 +4\.91 N m +4 N m +-0\.91 +123 % +70 %$", outcome.out, re.MULTILINE
    )
    assert "motor exceeds its continuous effort of 4 N m at 2 of 3 poses (2, 3), by up to 0.91" in (
        outcome.out
    )
    assert outcome.out.endswith(
        f"largest payload  {(4 - 0.981) / (0.2 * 9.81):.3f} kg, held for long; limited by motor "
        "at pose 2\n"
    )
    data = cli("gravity", hrdf(MOTOR), *poses, "--json").json
    np.testing.assert_allclose(np.ravel(data["gravity_efforts"]), [0, effort, -effort], atol=1e-9)
    np.testing.assert_allclose(np.ravel(data["margins"]), [4, 4 - effort, 4 - effort], atol=1e-9)
    assert data["exceeding"] == ["motor"]
    assert data["exceeding_peak"] == data["not_judged"] == []
    assert data["holds"] is False
    assert data["worst_poses"] == [1]
    assert data["largest_payload"]["pose"] == 1


def test_poses_that_are_held(cli: Cli, hrdf: Hrdf) -> None:
    outcome = cli("gravity", hrdf(MOTOR), "--q", "90deg", "--q", "0", *SIDEWAYS)
    assert outcome.code == 0
    assert "every joint can hold both poses for long" in outcome.out


def test_beyond_the_peak(cli: Cli, hrdf: Hrdf) -> None:
    outcome = cli("gravity", hrdf(MOTOR), "--q", "90deg", "--q", "0", "--payload", "5", *SIDEWAYS)
    assert outcome.code == 1
    assert "motor exceeds its PEAK effort of 7 N m at pose 2, by up to 3.79" in outcome.out


def test_poses_of_a_file(cli: Cli, six: Path, tmp_path: Path) -> None:
    file = tmp_path / "poses.txt"
    file.write_text("# shoulder up\n0, 90deg, 0, 0, 0, 0\n\n0,0,0,0,0,0  # out\n", encoding="utf-8")
    data = cli("gravity", six, "--poses", file, "--json").json
    np.testing.assert_allclose(data["q"], np.outer([1, 0], [0, np.pi / 2, 0, 0, 0, 0]))
    efforts = aw.load(six).gravity_efforts(np.array(data["q"]))
    np.testing.assert_allclose(data["gravity_efforts"], efforts)
    assert cli("gravity", six, "--q", "1,0,0,0,0,0", "--poses", file, "--json").json["q"][0][0] == 1


def test_all_problems_of_a_file_of_poses_come_together(cli: Cli, six: Path, tmp_path: Path) -> None:
    file = tmp_path / "poses.txt"
    file.write_text("0,0,0\n0,0,0,0,0,0\n0,x,0,0,0,0\n", encoding="utf-8")
    outcome = cli("gravity", six, "--poses", file)
    assert outcome.code == 2
    first, second = outcome.err.splitlines()
    assert first.startswith(f"error: {file}:1: expected 6, got 3 values; the joints are J1_base")
    assert second.startswith(f"error: {file}:3, entry 2: 'x' is not a number")
    file.write_text("# nothing\n", encoding="utf-8")
    assert f"{file}: no poses; expected one a line" in cli("gravity", six, "--poses", file).err
    file.write_bytes(b"\xff\xfe\x00")
    assert f"{file}: not a text in UTF-8" in cli("gravity", six, "--poses", file).err
    gone = cli("gravity", six, "--poses", tmp_path / "gone.txt")
    assert gone.code == 2
    assert "gone.txt: No such file" in gone.err


def test_what_cannot_be_judged_is_said(cli: Cli) -> None:
    path = ARMS / "gantry.hrdf"
    outcome = cli("gravity", path, "--q", "0,0,0,0,0", "--q", "0,0,0,0,1")
    assert outcome.code == 0
    assert "cannot be judged, no continuous effort is known: J1_x, J2_y, J3_z" in outcome.out
    assert "every other joint can hold both poses for long" in outcome.out
    data = cli("gravity", path, "--q", "0,0,0,0,0", "--q", "0,0,0,0,1", "--json").json
    assert data["not_judged"] == ["J1_x", "J2_y", "J3_z"]
    assert data["holds"] is False
    assert data["margins"][0][:3] == [None] * 3


def test_largest_payload_of_one_of_two(cli: Cli) -> None:
    path, q = ARMS / "two_armed.hrdf", ",".join(["0.3"] * 9)
    assert cli("gravity", path, "--q", q, "--q", q, "--json").json["largest_payload"] is None
    data = cli("gravity", path, "--q", q, "--q", q, "--tag", "left_tool", "--json").json
    assert data["largest_payload"]["joint"].startswith("L")


def test_an_arm_that_cannot_hold_itself(cli: Cli, hrdf: Hrdf) -> None:
    heavy = MOTOR.replace('mass="1"', 'mass="9"')
    out = cli("gravity", hrdf(heavy), "--q", "0", *SIDEWAYS).out
    assert "largest payload  none: motor cannot hold the arm itself for long" in out


@pytest.mark.parametrize("line", ["0 1 0 0 0 0", "0\t1\t0\t0\t0\t0", "0;1;0;0;0;0"])
def test_poses_without_commas(cli: Cli, six: Path, tmp_path: Path, line: str) -> None:
    file = tmp_path / "poses.txt"
    file.write_text(line, encoding="utf-8")
    outcome = cli("gravity", six, "--poses", file)
    assert outcome.code == 2
    assert "is not one number; lists have commas between numbers" in outcome.err
