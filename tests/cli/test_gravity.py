"""``armwright gravity``."""

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
    assert outcome.code == 0
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
