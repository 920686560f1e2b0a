"""Loops that stood still and clocks that are none (C49): no leap, and no normal end elsewhere."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices
from armwright.devices import GroupFeedback, follow, simulate
from armwright.errors import ArmFaultError, CommandRejectedError, SafetyLimitError
from tests.devices.drives import GOAL, START, T, allowed, largest_step, once, places, stamped
from tests.devices.test_real_time import Clock, real_time_group
from tests.devices.test_still import Watched

# ---- a loop that stood still, in real time (C49)


def in_real_time(six_dof: aw.RobotModel) -> tuple[Clock, Watched]:
    clock = Clock()
    clock.now = 100.0
    return clock, Watched(real_time_group(six_dof, clock, START))


def check_end_and_speed(recording: devices.Recording, move: devices.Trajectory) -> None:
    np.testing.assert_allclose(recording.measured[-1], GOAL, atol=1e-9)
    assert (np.abs(recording.measured_velocity) <= move.max_speeds() + 1e-6).all()


@pytest.mark.parametrize("pause", [0.0, 0.015, 0.03, 0.05, 0.08])
def test_a_short_pause_ends_at_the_goal_at_the_speed_of_the_plan(
    six_dof: aw.RobotModel, move: devices.Trajectory, pause: float
) -> None:
    clock, group = in_real_time(six_dof)
    recording = follow(
        group, six_dof, move, progress=once(0.25, lambda: setattr(clock, "now", clock.now + pause))
    )
    check_end_and_speed(recording, move)
    assert largest_step(group) <= allowed(move)
    assert recording.times[-1] == pytest.approx(move.duration + 0.5 + max(0.0, pause - T), abs=0.03)


@pytest.mark.parametrize("late", [0.0004, 0.002, 0.005, 0.0099])
def test_a_program_that_wakes_up_late_keeps_the_speed_of_the_plan(
    six_dof: aw.RobotModel, move: devices.Trajectory, late: float
) -> None:
    clock, group = in_real_time(six_dof)

    def oversleep(count: int, feedback: GroupFeedback) -> GroupFeedback:
        clock.now += late * (count % 3) / 2.0
        return feedback

    group.reports = oversleep
    recording = follow(group, six_dof, move)
    check_end_and_speed(recording, move)


@pytest.mark.parametrize(
    ("pause", "kind", "bound"),
    [
        (0.1, "came back", 0.1),
        (0.15, "came back", 0.1),
        (0.5, "ran out", 0.25),
        (3.0, "ran out", 0.25),
        (10.0, "ran out", 0.25),
    ],
)
def test_a_long_pause_captures_the_arm_where_it_is(
    six_dof: aw.RobotModel, move: devices.Trajectory, pause: float, kind: str, bound: float
) -> None:
    clock, group = in_real_time(six_dof)
    with pytest.raises(ArmFaultError, match="the loop stood still, or feedback stayed") as caught:
        follow(
            group,
            six_dof,
            move,
            progress=once(0.25, lambda: setattr(clock, "now", clock.now + pause)),
        )
    fault = caught.value.fault
    assert (fault.kind, fault.joint, fault.bound, fault.held) == (kind, "", bound, True)
    assert fault.value == pytest.approx(pause, abs=2 * T)
    assert str(caught.value).startswith("follow: the loop stood still")
    assert "hold where it was measured and goes limp when the command lifetime" in str(caught.value)
    rows = places(group)
    assert np.abs(np.diff(rows[:-1], axis=0)).max() <= allowed(move)
    after = group.feedback()
    np.testing.assert_allclose(after.position, rows[-1], atol=1e-12)  # the arm stands there
    assert (np.abs(after.velocity) < 1e-9).all()
    last = group.sent[-1]
    assert last.velocity is not None
    assert last.effort is not None
    np.testing.assert_array_equal(last.velocity, np.zeros(6))
    np.testing.assert_allclose(last.effort, six_dof.gravity_efforts(rows[-1]), atol=1e-6)


def test_a_pause_at_the_end_does_no_harm(six_dof: aw.RobotModel, move: devices.Trajectory) -> None:
    clock, group = in_real_time(six_dof)
    at = (move.duration + 0.2) / (move.duration + 0.5)
    recording = follow(
        group, six_dof, move, progress=once(at, lambda: setattr(clock, "now", clock.now + 0.2))
    )
    np.testing.assert_allclose(recording.measured[-1], GOAL, atol=1e-9)


def test_what_is_slow_before_the_first_command_does_no_harm(
    six_dof: aw.RobotModel, move: devices.Trajectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when kernels are compiled: the arm has not been told anything so far."""
    clock = Clock()
    clock.now = 100.0
    monkeypatch.setattr("time.monotonic", clock.read)
    slow: list[Any] = []

    def plugin(turn: Any) -> Any:
        if not slow:
            slow.append(turn)
            clock.now += 3.0
        return np.zeros(6)

    group = Watched(real_time_group(six_dof, clock, START))
    recording = follow(group, six_dof, move, plugins=[plugin])
    np.testing.assert_allclose(recording.measured[-1], GOAL, atol=1e-9)
    assert largest_step(group) <= allowed(move)


def test_an_arm_that_moved_before_the_first_command_does_not_begin(
    six_dof: aw.RobotModel, move: devices.Trajectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    clock.now = 100.0
    monkeypatch.setattr("time.monotonic", clock.read)

    def fall(count: int, feedback: GroupFeedback) -> GroupFeedback:
        fallen = feedback.position - 0.2 * (feedback.time > 1.0)
        return GroupFeedback(feedback.time, fallen, feedback.velocity, feedback.effort)

    def slow(turn: Any) -> Any:
        clock.now += 3.0
        return np.zeros(6)

    group = Watched(real_time_group(six_dof, clock, START), fall)
    with pytest.raises(SafetyLimitError, match=r"stands at -0\.2 and the trajectory starts at 0"):
        follow(group, six_dof, move, plugins=[slow])
    assert group.sent == []


def test_a_joint_that_does_not_say_where_it_is_is_captured_where_it_was_told_to_be(
    six_dof: aw.RobotModel, move: devices.Trajectory
) -> None:
    inner = simulate(six_dof, q0=START)
    away = np.array([0.05, 0.0, math.nan, 0.0, 0.0, 0.0])

    def deaf(count: int, feedback: GroupFeedback) -> GroupFeedback:
        place = feedback.position + (away if feedback.time > 0.5 else 0.0)
        return GroupFeedback(feedback.time, place, feedback.velocity, feedback.effort)

    group = Watched(inner, deaf)

    def pause(fraction: float) -> None:
        if group.read == 55:
            inner.step(0.15)

    with pytest.raises(ArmFaultError, match="the loop stood still"):
        follow(group, six_dof, move, progress=pause)
    rows = places(group)
    assert rows[-1, 2] == rows[-2, 2]
    assert rows[-1, 0] == pytest.approx(rows[-2, 0] + 0.05, abs=1e-9)


def test_late_after_sets_the_gap(six_dof: aw.RobotModel, move: devices.Trajectory) -> None:
    for late_after, fine in ((0.03, False), (0.2, True)):
        group = simulate(six_dof, q0=START)

        def stand(group: devices.SimulatedGroup = group) -> None:
            group.step(0.12)

        pause = once(0.5, stand)
        if fine:
            recording = follow(group, six_dof, move, progress=pause, late_after=late_after)
            np.testing.assert_allclose(recording.measured[-1], GOAL, atol=1e-9)
        else:
            with pytest.raises(ArmFaultError, match=r"bound 0.03"):
                follow(group, six_dof, move, progress=pause, late_after=late_after)


@pytest.mark.parametrize("bad", [0.0299, 100, -1.0, math.nan, math.inf, "soon"])
def test_a_gap_shorter_than_three_periods_or_in_milliseconds_is_refused(
    six_dof: aw.RobotModel, watched: Watched, move: devices.Trajectory, bad: Any
) -> None:
    with pytest.raises(CommandRejectedError, match="follow, late_after: expected"):
        follow(watched, six_dof, move, late_after=bad)
    assert watched.sent == []


# ---- clocks that are none


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda n, t: t + 1.0 * (n > 60), "ran out"),
        (lambda n, t: t + 0.2 * (n > 60), "came back"),
        (lambda n, t: t + 3600.0 * (n > 60), "ran out"),
        (lambda n, t: t - 1.0 * (n > 60), "clock"),
        (lambda n, t: min(t, 0.6), "clock"),
        (lambda n, t: math.nan if n > 60 else t, "clock"),
        (lambda n, t: -math.inf if n > 60 else t, "clock"),
    ],
)
@pytest.mark.parametrize("real_time", [False, True])
def test_a_clock_that_leaps_or_stands_still_is_a_fault(
    six_dof: aw.RobotModel,
    move: devices.Trajectory,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[int, float], float],
    kind: str,
    real_time: bool,
) -> None:
    clock = Clock()
    clock.now = 100.0
    monkeypatch.setattr("time.monotonic", clock.read)
    monkeypatch.setattr("time.sleep", clock.sleep)
    inner = real_time_group(six_dof, clock, START) if real_time else simulate(six_dof, q0=START)
    group = Watched(inner, stamped(change))
    with pytest.raises(ArmFaultError) as caught:
        follow(group, six_dof, move)
    assert caught.value.fault.kind == kind
    rows = places(group)
    steps = np.abs(np.diff(rows, axis=0)).max(axis=1)
    assert steps[:-1].max() <= allowed(move)  # the last one may be a capture
    if kind == "clock":
        assert steps.max() <= allowed(move)
        assert "told to stand still" in str(caught.value)
        last = group.sent[-1]
        assert last.velocity is not None
        np.testing.assert_array_equal(last.velocity, np.zeros(6))
        ramp = [c for c in group.sent[55:] if c.velocity is not None and c.velocity.any()]
        assert len(ramp) == pytest.approx(25 + 10 * (kind == "clock"), abs=12)


@pytest.mark.parametrize(
    "change",
    [
        lambda n, t: math.nan if n == 60 else t,
        lambda n, t: t - 0.001 if n == 60 else t,
        lambda n, t: t - 0.001 * (n > 60),
        lambda n, t: t - 0.011 if n == 60 else t,
    ],
)
def test_one_bad_stamp_does_no_harm(
    six_dof: aw.RobotModel,
    watched: Watched,
    move: devices.Trajectory,
    change: Callable[[int, float], float],
) -> None:
    watched.reports = stamped(change)
    recording = follow(watched, six_dof, move)
    np.testing.assert_allclose(recording.measured[-1], GOAL, atol=1e-9)
    assert largest_step(watched) <= allowed(move)
