"""Limits only narrow: in plans, and for trajectories that are to be driven."""

from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices
from armwright.devices import follow, minimum_jerk, plan, simulate
from armwright.devices.trajectory import limit_violation
from armwright.errors import CommandRejectedError, SafetyLimitError, TrajectoryError
from tests.devices.test_still import Watched

START = np.array([0.0, 0.9, 1.6, -0.7, 0.2, 0.0])


@pytest.mark.parametrize("what", ["max_speeds", "max_efforts"])
def test_an_argument_above_the_model_is_refused(six_dof: aw.RobotModel, what: Any) -> None:
    most = getattr(six_dof, what)
    given: Any = most.copy()
    given[2] *= 1.01
    says = rf"plan, {what}, joint 'J3_elbow': expected at most .*, the model's limit, .*with_{what}"
    with pytest.raises(TrajectoryError, match=says):
        plan(six_dof, [START, START + 0.1], **dict[str, Any]({what: given}))
    with pytest.raises(TrajectoryError, match="joint 'J1_base'"):
        plan(six_dof, [START, START + 0.1], **dict[str, Any]({what: 90.0}))
    rounded: Any = {what: most * (1 + 1e-12)}
    plan(six_dof, [START, START + 0.1], **rounded)
    above: Any = {what: given, "allow_beyond_limits": True}
    plan(six_dof, [START, START + 0.1], **above)
    with pytest.raises(TrajectoryError, match="allow_beyond_limits: expected True or False"):
        plan(six_dof, [START, START + 0.1], allow_beyond_limits=1)  # type: ignore[arg-type]


def test_a_joint_that_can_do_more_is_told_once(six_dof: aw.RobotModel) -> None:
    quick = six_dof.with_max_speeds(10.0).with_max_efforts(1000.0)
    move = plan(quick, [START, START + 0.5], max_speeds=9.0)
    assert move.max_speeds().max() > six_dof.max_speeds.min()
    with simulate(quick, q0=START) as group:
        recording = follow(group, quick, move)
    np.testing.assert_allclose(recording.measured[-1], START + 0.5, atol=1e-9)


def too_far() -> devices.Trajectory:
    return minimum_jerk([0, 2], [START, START + 0.5])


def too_fast() -> devices.Trajectory:
    return minimum_jerk([0, 0.4], [START, START + 0.5])


def too_strong() -> devices.Trajectory:
    """Back and forth within few milliseconds: slow, but with much acceleration."""
    return minimum_jerk([0, 0.01, 0.02], [START, START + 0.005, START])


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (too_far, r"joint 'J2_shoulder': expected -2 to 1.2, got 1.4 at 2 s"),
        (too_fast, r"joint 'J\d_\w+': expected a speed of at most .* too much, at 0.2 s"),
        (too_strong, r"joint 'J\d_\w+': expected an effort of at most .* too much, at 0.0\d* s"),
    ],
)
def test_a_trajectory_beyond_a_limit_is_not_driven(
    six_dof: aw.RobotModel, make: Any, says: str
) -> None:
    model = six_dof.with_position_limits([-2.0] * 6, [2.0, 1.2, 2.2, 2.0, 2.0, 2.0])
    if make is not too_far:
        model = six_dof
    group = Watched(simulate(model, q0=START))
    with pytest.raises(SafetyLimitError, match=f"follow, trajectory, {says}. Plan it with this"):
        follow(group, model, make())
    assert group.sent == []
    assert group.read == 0
    follow(simulate(six_dof, q0=START), model, make(), allow_beyond_limits=True, off_track=1.0)
    with pytest.raises(CommandRejectedError, match="allow_beyond_limits: expected True"):
        follow(group, model, make(), allow_beyond_limits="yes")  # type: ignore[arg-type]


def test_a_curve_that_swings_over_a_limit_is_not_driven(one_joint: aw.RobotModel) -> None:
    limited = one_joint.with_position_limits([-1.0], [1.0])
    curve = minimum_jerk(np.arange(0.0, 10.0, 2.0), [[0.0], [0.99], [1.0], [0.99], [-1.0]])
    found = limit_violation(limited, curve)
    assert found is not None
    assert (found.what, found.joint, found.upper) == ("position", 0, 1.0)
    fine = curve.state(np.linspace(0, 8, 100001))[0]
    assert found.value == pytest.approx(fine.max(), abs=1e-9)
    assert curve.state(found.time)[0][0] == pytest.approx(found.value, abs=1e-12)
    with pytest.raises(SafetyLimitError, match="joint 'only': expected -1 to 1"):
        follow(simulate(limited), limited, curve)


def test_a_heavier_arm_is_not_driven_by_the_plan_of_a_lighter_one(six_dof: aw.RobotModel) -> None:
    move = plan(six_dof, [START, START + 0.5])
    heavy = six_dof.with_payload(6.0)
    with pytest.raises(SafetyLimitError, match="expected an effort of at most"):
        follow(simulate(heavy, q0=START), heavy, move)


def test_what_plan_makes_keeps_every_limit(six_dof: aw.RobotModel) -> None:
    rng = np.random.default_rng(1)
    model = six_dof.with_joint_dynamics("catalog")
    for _ in range(10):
        places = START + rng.uniform(-0.4, 0.4, (4, 6))
        move = plan(model, places, stop="turn")
        assert limit_violation(model, move) is None
        exact = np.abs(move.state(np.linspace(0, move.duration, 20001))[1]).max(axis=0)
        np.testing.assert_allclose(move.max_speeds(), exact, rtol=1e-5)


def test_an_arm_outside_its_limits_can_be_brought_back(six_dof: aw.RobotModel) -> None:
    model = six_dof.with_position_limits([-1.0] * 6, [1.0] * 6)
    outside = np.array([1.1, 0.5, 0.5, 0.0, 0.0, 0.0])
    with pytest.raises(TrajectoryError, match="waypoint 0, joint 'J1_base': expected -1 to 1"):
        plan(model, [outside, 0.5 * outside])
    move = plan(model, [outside, 0.5 * outside], allow_beyond_limits=True)
    with simulate(six_dof, q0=outside) as group:
        recording = follow(group, model, move, allow_beyond_limits=True)
    np.testing.assert_allclose(recording.measured[-1], 0.5 * outside, atol=1e-9)
