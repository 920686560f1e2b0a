"""What an arm can hold: margins, worst poses, largest payloads, and what nobody knows."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armwright.errors import FrameNotFoundError, JointVectorError, ModelError
from armwright.kinematics import (
    ModelBuilder,
    RobotModel,
    largest_payload,
    load,
    loads,
    static_capability,
)
from tests import oracles

G = 9.81
# An X5-4 (4 N m for long, 7 N m at most) turns about y; 1 kg hangs 0.2 m out, the tool 0.5 m.
LEVER = """<robot version="1.6.0"><rigid-body mass="0" output_rot="Rx(-pi/2)"/>
<actuator type="X5-4" tag="motor"/><rigid-body mass="1" com_trans="0.2 0 0" output_trans="0.5 0 0"/>
<end-effector/></robot>"""
OUT, UP = [0.0], [-np.pi / 2]


@pytest.fixture(scope="module")
def lever() -> RobotModel:
    return loads(LEVER)


@pytest.fixture(scope="module")
def six(root: Path) -> RobotModel:
    return load(root / "examples" / "arms" / "six_dof.hrdf")


def test_margins_by_hand(lever: RobotModel) -> None:
    report = static_capability(lever, [OUT, UP], payload=0.6)
    torque = (0.2 * 1 + 0.5 * 0.6) * G  # 4.905 N m, more than 4, less than 7
    assert abs(report.efforts[0, 0]) == pytest.approx(torque)
    assert report.efforts[1, 0] == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(report.margins[:, 0], [4 - torque, 4], atol=1e-12)
    np.testing.assert_allclose(report.ratios[:, 0], [torque / 4, 0], atol=1e-12)
    np.testing.assert_allclose(report.peak_margins[:, 0], [7 - torque, 7], atol=1e-12)
    np.testing.assert_allclose(report.peak_ratios[:, 0], [torque / 7, 0], atol=1e-12)
    assert (report.exceeding, report.exceeding_peak) == (("motor",), ())
    assert (report.not_judged, report.holds) == ((), False)
    assert report.worst_poses.tolist() == [0]
    assert report.units == ("N m",)
    assert static_capability(lever, UP, payload=0.6).holds
    assert static_capability(lever, OUT).holds  # 1.962 N m alone


def test_exactly_at_the_limit_holds(lever: RobotModel) -> None:
    torque = abs(float(static_capability(lever, OUT).efforts[0, 0]))
    assert static_capability(lever, OUT, continuous_efforts=[torque]).holds
    less = np.nextafter(torque, 0)
    assert static_capability(lever, OUT, continuous_efforts=[less]).exceeding == ("motor",)


def test_the_report_can_be_read(lever: RobotModel) -> None:
    text = str(static_capability(lever, [UP, OUT], payload=0.6))
    assert "pose 1: -4.91 N m of 4 (123%), margin -0.91; peak 7" in text
    assert text.endswith("exceeding: motor")


def test_largest_payload_by_hand(lever: RobotModel) -> None:
    limit = largest_payload(lever, [UP, OUT])
    assert limit.mass == pytest.approx((4 - 0.2 * G) / (0.5 * G))
    assert (limit.joint, limit.pose, limit.least) == ("motor", 1, 0.0)
    assert limit.masses[1] == limit.mass
    assert limit.masses[0] > 1e6  # upright, only dust of a lever is left
    farther = largest_payload(lever, OUT, com=[0.1, 0, 0])
    assert farther.mass == pytest.approx((4 - 0.2 * G) / (0.6 * G))
    # The model's own payload there is replaced, not added to.
    assert largest_payload(lever.with_payload(9), OUT).mass == pytest.approx(limit.mass)


def test_largest_payload_is_where_the_report_turns(six: RobotModel) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        poses = rng.uniform(-1.0, 1.0, (3, 6))
        where: dict[str, Any] = {"com": rng.uniform(-0.1, 0.1, 3), "frame": "output"}
        limit = largest_payload(six, poses, **where)
        if np.isnan(limit.mass):
            assert not static_capability(six, poses, payload=0, **where).holds
            continue
        below = static_capability(six, poses, payload=limit.mass * (1 - 1e-9), **where)
        above = static_capability(six, poses, payload=limit.mass * (1 + 1e-9), **where)
        assert below.holds
        assert above.exceeding == (limit.joint,)
        assert above.margins[limit.pose, six.joint_names.index(limit.joint)] < 0
        assert limit.mass == limit.masses.min()


def test_efforts_against_slow_twin(six: RobotModel) -> None:
    poses = np.random.default_rng(4).uniform(-2, 2, (3, 6))
    report = static_capability(six, poses, gravity=[1.0, -2.0, -5.0])
    for q, efforts in zip(poses, report.efforts, strict=True):
        slow = sum(
            -frame.jacobian(6)[:3].T @ (frame.mass * np.array([1.0, -2.0, -5.0]))
            for frame in oracles.frames(six.description, q)["com"]
        )
        np.testing.assert_allclose(efforts, slow, atol=1e-9)
    limits = [9, 16, 9, 4, 4, 1]  # the numbers in the type names of the file
    np.testing.assert_array_equal(six.continuous_efforts, limits)
    over = np.abs(report.efforts).max(axis=0) > limits
    assert report.exceeding == tuple(itertools.compress(six.joint_names, over.tolist()))


def test_an_arm_that_cannot_hold_itself(lever: RobotModel) -> None:
    limit = largest_payload(lever, [UP, OUT], continuous_efforts=[1.0])
    assert np.isnan(limit.mass)
    assert np.isnan(limit.least)
    assert (limit.joint, limit.pose) == ("motor", 1)
    assert np.isnan(limit.masses[1])
    assert limit.masses[0] > 1e6


def test_a_payload_as_counterweight(lever: RobotModel) -> None:
    # Half a metre behind the joint the payload lifts the arm: 1 N m is kept between two masses.
    limit = largest_payload(lever, OUT, com=[-1.0, 0, 0], continuous_efforts=[1.0])
    assert limit.least == pytest.approx((0.2 * G - 1) / (0.5 * G))
    assert limit.mass == pytest.approx((0.2 * G + 1) / (0.5 * G))


def test_what_nobody_knows_is_said(root: Path) -> None:
    gantry = load(root / "examples" / "arms" / "gantry.hrdf")
    report = static_capability(gantry, np.zeros(5))
    assert report.not_judged == ("J1_x", "J2_y", "J3_z")
    assert report.exceeding == ()
    assert not report.holds
    assert np.isnan(report.margins[0, :3]).all()
    assert np.isnan(report.ratios[0, :3]).all()
    assert report.units[2:4] == ("N", "N m")
    assert str(report).endswith("cannot be judged: J1_x, J2_y, J3_z")
    assert largest_payload(gantry, np.zeros(5)).not_judged == report.not_judged
    known = static_capability(gantry, np.zeros(5), continuous_efforts=[50, 50, 10, 4, 4])
    assert known.not_judged == ()
    assert known.exceeding == ("J3_z",)


def test_beyond_a_known_peak_is_judged_without_a_continuous_effort() -> None:
    builder = ModelBuilder().joint("lift", "prismatic", max_effort=20.0)
    model = builder.body("load", parent="lift", mass=3.0).frame("hook", parent="load").build()
    report = static_capability(model, [0.0])
    assert report.efforts[0, 0] == pytest.approx(29.43)
    assert (report.exceeding, report.exceeding_peak) == (("lift",), ("lift",))
    assert report.not_judged == ()
    lighter = static_capability(model, [0.0], gravity=[0, 0, -5])
    assert (lighter.exceeding, lighter.not_judged) == ((), ("lift",))
    limit = largest_payload(model, [0.0], gravity=[0, 0, -5])
    assert limit.mass == pytest.approx(20 / 5 - 3)  # by the peak, and said so
    assert limit.not_judged == ("lift",)


def test_a_declared_peak_bounds_what_is_held_for_long(six: RobotModel) -> None:
    assert (six.continuous_efforts <= six.max_efforts).all()
    with pytest.raises(ValueError, match="read-only"):
        six.continuous_efforts[0] = 1


def test_nothing_limits_without_gravity(six: RobotModel) -> None:
    limit = largest_payload(six, np.zeros(6), gravity=[0, 0, 0])
    assert (limit.mass, limit.joint, limit.pose) == (np.inf, "", -1)


def test_no_joints() -> None:
    model = loads('<robot version="1.6.0"><rigid-body mass="1"/><end-effector/></robot>')
    report = static_capability(model, [])
    assert report.holds
    assert str(report) == "no joints, nothing to hold"
    assert largest_payload(model, []).mass == np.inf


def test_arrays_cannot_be_written(six: RobotModel) -> None:
    report = static_capability(six, np.zeros(6))
    for name in ("q", "efforts", "continuous_efforts", "max_efforts", "margins", "ratios"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(report, name)[...] = 0
    for name in ("peak_margins", "peak_ratios", "worst_poses"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(report, name)[...] = 0
    with pytest.raises(ValueError, match="read-only"):
        largest_payload(six, np.zeros(6)).masses[0] = 1


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        (([0, 0],), JointVectorError, "q: expected 6 joint values, got 2"),
        ((np.zeros((0, 6)),), ModelError, r"expected one pose, .* got shape \(0, 6\)"),
        ((np.zeros((2, 2, 6)),), ModelError, r"got shape \(2, 2, 6\)"),
    ],
)
def test_poses_that_are_refused(
    six: RobotModel, arguments: tuple[Any, ...], error: type[Exception], said: str
) -> None:
    for function in (static_capability, largest_payload):
        with pytest.raises(error, match=said):
            function(six, *arguments)
        with pytest.raises(ModelError, match="model: expected a RobotModel, got "):
            function(np.zeros(6), six)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"payload": -1}, ModelError, "payload mass: expected a number of kg"),
        ({"payload": 1, "tag": "hand"}, FrameNotFoundError, "hand"),
        ({"continuous_efforts": [1, 2]}, ModelError, "expected 6 numbers, got 2"),
        ({"continuous_efforts": [1] * 5 + [-2]}, ModelError, "joint 'J6_wrist3': .* got -2"),
    ],
)
def test_options_that_are_refused(
    six: RobotModel, options: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        static_capability(six, np.zeros(6), **options)


@pytest.mark.parametrize(
    "options", [{"com": [0.1, 0, 0]}, {"com": [np.nan, 0, 0]}, {"tag": "nowhere"}, {"index": 0}]
)
def test_places_of_no_payload_are_refused(six: RobotModel, options: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match="say where a payload is: give payload= too"):
        static_capability(six, np.zeros(6), **options)
