"""Numbers as people type them, and what is said about those that are none."""

import math

import numpy as np
import pytest

from armwright.commands.shared import values
from armwright.commands.shared.errors import InputError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0.0),
        ("-10deg", -math.pi / 18),
        ("+.5", 0.5),
        ("1.", 1.0),
        ("-3e-2", -0.03),
        ("1E2 deg", math.radians(100)),
        (" 2 rad ", 2.0),
        ("-10\N{DEGREE SIGN}", -math.pi / 18),
        ("pi", math.pi),
        ("-pi/4", -math.pi / 4),
        ("+0.5pi", math.pi / 2),
        ("3*PI/2", 3 * math.pi / 2),
        ("\N{GREEK SMALL LETTER PI}/2 rad", math.pi / 2),
    ],
)
def test_number(text: str, value: float) -> None:
    (typed,) = values.split_values(text, "--q")
    assert typed.value == pytest.approx(value, rel=1e-15)


def test_several_and_none() -> None:
    assert [typed.value for typed in values.split_values("1, -2,3", "--q")] == [1.0, -2.0, 3.0]
    assert [typed.unit for typed in values.split_values("1,2deg,3rad", "--q")] == ["", "deg", "rad"]
    assert values.split_values("  ", "--q") == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("pi/0", "'pi/0' is not finite"),
        ("pi/2deg", "'pi/2deg' is not a number"),
        ("1e400*pi", "unknown unit '*pi'"),
        ("pie", "is not a number"),
        ("1,nan", "--q, entry 2: 'nan' is not a number"),
        ("inf", "--q, entry 1: 'inf' is not a number"),
        ("0,0,-infinity", "--q, entry 3: '-infinity' is not a number"),
        ("1e400", "--q, entry 1: '1e400' is not finite"),
        ("1e400deg", "not finite"),
        ("0,-1e51", "--q, entry 2: '-1e51' is beyond the limit of 1e+50"),
        ("1,,2", "--q, entry 2 is empty"),
        ("1,2,", "--q, entry 3 is empty"),
        ("0x10", "'0x10' has an unknown unit 'x10'"),
        ("1_0", "unknown unit '_0'"),
        ("5mm", "unknown unit 'mm'; angles take deg or rad, lengths are plain metres"),
        ("5 degrees", "unknown unit 'degrees'"),
        ("abc", "'abc' is not a number; write 0.2, -1e-3, 90deg or pi/2"),
        ("- 1", "'- 1' is not a number"),
        ("1 2", "'1 2' is not one number; lists have commas between numbers"),
        ("\u0661", "is not a number"),  # an Arabic digit, which float() would take
    ],
)
def test_what_is_no_number(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        values.split_values(text, "--q")
    assert said in str(caught.value)


def test_lengths_take_no_angle() -> None:
    np.testing.assert_array_equal(values.lengths(("1", "-2", "0.5"), "--xyz"), [1, -2, 0.5])
    with pytest.raises(InputError, match="--xyz, entry 2: '3deg' is an angle; expected metres"):
        values.lengths(("1", "3deg", "0"), "--xyz")


def test_parts_of_pi_are_angles() -> None:
    with pytest.raises(InputError, match="--xyz, entry 1: 'pi/2' is an angle; expected metres"):
        values.lengths(("pi/2", "0", "0"), "--xyz")


def test_far_places_ask_for_millimetres(capsys: pytest.CaptureFixture[str]) -> None:
    np.testing.assert_array_equal(values.place(("350", "100", "250")), [350, 100, 250])
    assert capsys.readouterr().err == (
        "warning: --xyz 350 100 250: millimetres? Lengths are in metres: --xyz 0.35 0.1 0.25\n"
    )
    values.place(("3.5", "-1", "2.5"))
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("text", ["180", "-7", "1e3"])
def test_more_than_a_turn_needs_a_unit(text: str) -> None:
    with pytest.raises(InputError, match=f"--rpy, entry 2: .*; write {float(text):g}deg or"):
        values.rotation_from_rpy(("0", text, "0"))
    values.rotation_from_rpy(("0", f"{text}deg", f"{text}rad"))


def test_rpy_is_about_fixed_axes() -> None:
    quarter = values.rotation_from_rpy(("90deg", "0", "0"))
    np.testing.assert_allclose(quarter @ [0, 1, 0], [0, 0, 1], atol=1e-15)  # roll about x
    # Roll first, then yaw about the world's z: the tool's y goes up and stays up.
    both = values.rotation_from_rpy(("90deg", "0", "90deg"))
    np.testing.assert_allclose(both @ [0, 1, 0], [0, 0, 1], atol=1e-15)
    np.testing.assert_allclose(both @ [1, 0, 0], [0, 1, 0], atol=1e-15)


def test_rpy_there_and_back() -> None:
    rng = np.random.default_rng(4)
    for _ in range(50):
        rpy = rng.uniform(-1, 1, 3) * [math.pi, math.pi / 2, math.pi]
        np.testing.assert_allclose(
            values.rpy_of(values.rotation_from_rpy([str(x) for x in rpy])), rpy, atol=1e-9
        )


@pytest.mark.parametrize("pitch", ["90deg", "-90deg"])
def test_rpy_at_a_quarter_turn_of_pitch(pitch: str) -> None:
    R = values.rotation_from_rpy(("0.4", pitch, "0.3"))
    again = values.rpy_of(R)
    assert again[2] == 0.0
    np.testing.assert_allclose(
        values.rotation_from_rpy([repr(float(x)) for x in again]), R, atol=1e-12
    )


def test_quaternion_there_and_back() -> None:
    rng = np.random.default_rng(5)
    axes = [np.eye(4)[i] for i in range(4)]
    for quat in [*axes, *(rng.normal(size=4) for _ in range(50))]:
        quat = quat / np.linalg.norm(quat)
        R = values.rotation_from_quaternion([repr(float(x)) for x in quat])
        np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-15)
        again = values.quaternion_wxyz(R)
        assert again[0] >= 0
        np.testing.assert_allclose(abs(again @ quat), 1.0, atol=1e-12)


def test_quaternion_has_w_first() -> None:
    half = math.sqrt(0.5)
    R = values.rotation_from_quaternion((str(half), "0", "0", str(half)))  # a quarter turn about z
    np.testing.assert_allclose(R @ [1, 0, 0], [0, 1, 0], atol=1e-15)


@pytest.mark.parametrize(
    "quat", [("0", "0", "0", "0"), ("1", "1", "0", "0"), ("0.99", "0", "0", "0")]
)
def test_quaternion_must_have_length_one(quat: tuple[str, ...]) -> None:
    with pytest.raises(
        InputError,
        match=r"--quat: .* of length 1, got .*\. The scalar stands first",
    ):
        values.rotation_from_quaternion(quat)


def test_quaternion_of_few_digits_is_normalized() -> None:
    R = values.rotation_from_quaternion(("0.7071", "0", "0.7071", "0"))
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-15)


def test_direction() -> None:
    np.testing.assert_allclose(values.direction(("0", "0", "-5")), [0, 0, -1])
    with pytest.raises(InputError, match=r"--axis: expected a direction such as .*got three zeros"):
        values.direction(("0", "0", "0"))
