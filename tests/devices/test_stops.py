"""What stops an arm on its way, and how: every fault of ``follow``, on simulated groups."""

import pickle
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices
from armwright.devices import GroupFeedback, follow, simulate
from armwright.devices.plugins import ArmState, Turn
from armwright.errors import (
    ArmFault,
    ArmFaultError,
    CommandRejectedError,
    DeviceError,
    FeedbackLostError,
    FeedbackTimeoutError,
    PluginError,
    SafetyLimitError,
)
from tests.devices.drives import (
    START,
    Blocked,
    Failing,
    T,
    allowed,
    largest_step,
    once,
    places,
)
from tests.devices.test_still import Watched

# ---- lost feedback


def test_lost_feedback_ramps_down_blindly_and_holds(
    six_dof: aw.RobotModel, move: devices.Trajectory
) -> None:
    inner = simulate(six_dof, q0=START)
    group = Watched(inner)
    with pytest.raises(FeedbackLostError, match=r"feedback was lost for 0.1 s, at .* stand still"):
        follow(group, six_dof, move, progress=once(0.3, lambda: inner.lose_feedback(9.0)))
    rows = places(group)
    assert largest_step(group) <= allowed(move)
    assert len(rows) - group.read == pytest.approx(25, abs=1)
    last = group.sent[-1].for_size(6)
    np.testing.assert_array_equal(last[1], np.zeros(6))
    # with the gravity of the commanded pose, as nothing is measured
    np.testing.assert_allclose(last[2], six_dof.gravity_efforts(last[0]), atol=1e-9)
    ramp = np.array([command.velocity for command in group.sent[-25:]])
    assert np.abs(np.diff(ramp, axis=0)).max() <= (5.0 * 0.66 + 1.5) * T  # A_stop T


def test_feedback_that_comes_again_during_the_stop_changes_nothing(
    six_dof: aw.RobotModel, move: devices.Trajectory
) -> None:
    inner = simulate(six_dof, q0=START)
    group = Watched(inner)
    with pytest.raises(FeedbackTimeoutError):
        follow(group, six_dof, move, progress=once(0.3, lambda: inner.lose_feedback(0.2)))
    assert largest_step(group) <= allowed(move)
    feedback = group.feedback()
    assert (feedback.velocity_command == 0.0).all()


def test_feedback_that_fails_at_once_is_lost_as_well(
    six_dof: aw.RobotModel, move: devices.Trajectory
) -> None:
    group = Failing(simulate(six_dof, q0=START), feedback=(50, DeviceError("cable")))
    with pytest.raises(FeedbackLostError, match="cable") as caught:
        follow(group, six_dof, move)
    assert str(caught.value.__cause__) == "cable"
    assert largest_step(group) <= allowed(move)
    assert (group.sent[-1].for_size(6)[1] == 0.0).all()


def test_what_nobody_expects_of_a_group_stops_the_arm_too(
    six_dof: aw.RobotModel, move: devices.Trajectory
) -> None:
    group = Failing(simulate(six_dof, q0=START), feedback=(50, ZeroDivisionError("bug")))
    with pytest.raises(ZeroDivisionError, match="bug"):
        follow(group, six_dof, move)
    assert largest_step(group) <= allowed(move)
    assert (group.sent[-1].for_size(6)[1] == 0.0).all()
    assert len(group.sent) == pytest.approx(50 + 26, abs=3)


# ---- commands that are refused


@pytest.mark.parametrize("for_ever", [False, True])
def test_a_refused_command_holds_the_last_place(
    six_dof: aw.RobotModel, move: devices.Trajectory, for_ever: bool
) -> None:
    refused = CommandRejectedError("no")
    group = Failing(simulate(six_dof, q0=START), send=(50, refused, for_ever))
    with pytest.raises(ArmFaultError, match=r"a command was refused, at .*: no") as caught:
        follow(group, six_dof, move)
    assert (caught.value.fault.kind, caught.value.fault.held) == ("send", not for_ever)
    assert caught.value.__cause__ is refused
    said = "could not be told to hold" if for_ever else "was told to stand still"
    assert said in str(caught.value)
    if not for_ever:
        last, still = (command.for_size(6) for command in group.sent[-2:])
        np.testing.assert_array_equal(still[0], last[0])
        np.testing.assert_array_equal(still[1], np.zeros(6))
        np.testing.assert_array_equal(still[2], last[2])


# ---- arms that are not where they were told to be


def test_a_blocked_joint_is_captured(six_dof: aw.RobotModel, move: devices.Trajectory) -> None:
    group = Watched(Blocked(simulate(six_dof, q0=START)))
    with pytest.raises(ArmFaultError, match=r"'J3_elbow' is 0\.\d+ away from where it") as caught:
        follow(group, six_dof, move)
    fault = caught.value.fault
    assert (fault.kind, fault.joint, fault.held) == ("off track", "J3_elbow", True)
    assert fault.value > fault.bound >= 0.1
    rows = places(group)
    assert rows[-1, 2] == Blocked.stop
    assert np.abs(np.diff(rows[:-1], axis=0)).max() <= allowed(move)
    # for 0.1 s it was beyond its bound
    beyond = np.abs(rows[:-1, 2] - Blocked.stop) > fault.bound
    assert beyond.sum() == pytest.approx(10, abs=1)


def test_the_bound_of_the_caller_counts(six_dof: aw.RobotModel, move: devices.Trajectory) -> None:
    for given, bound in ((0.02, 0.02), ([1, 1, 0.03, 1, 1, 1], 0.03)):
        group = Watched(Blocked(simulate(six_dof, q0=START)))
        with pytest.raises(ArmFaultError, match="joint 'J3_elbow'") as caught:
            follow(group, six_dof, move, off_track=given)
        assert caught.value.fault.bound == bound
    with pytest.raises(CommandRejectedError, match="off_track, joint 0: expected a distance"):
        follow(group, six_dof, move, off_track=0.0)


def test_the_bound_grows_with_gravity_without_compensation(six_dof: aw.RobotModel) -> None:
    from armwright.devices.driving.tracking import Tracking

    still = devices.minimum_jerk([0, 1], [START, START])
    heavy = np.abs(six_dof.gravity_efforts(START))
    softness = 0.5 / six_dof.max_efforts
    zero = np.zeros(6)
    with_it, without = (
        Tracking(six_dof, still, compensated=one, given=None).bound(zero) for one in (True, False)
    )
    expected = 0.05 + 0.6 * heavy * softness
    np.testing.assert_allclose(with_it, np.maximum(0.1, expected), atol=1e-9)
    np.testing.assert_allclose(without, np.maximum(0.1, expected + heavy * softness), atol=1e-9)
    rubbing = six_dof.with_joint_dynamics(friction=1.0)
    rough = Tracking(rubbing, still, compensated=True, given=None)
    wanted = np.maximum(0.1, expected + 3.0 * softness + 0.03 * 2.0)
    np.testing.assert_allclose(rough.bound(np.full(6, -2.0)), wanted, atol=1e-9)


def test_an_arm_that_creeps_to_its_end_has_not_arrived(
    six_dof: aw.RobotModel, move: devices.Trajectory
) -> None:
    def creep(count: int, feedback: GroupFeedback) -> GroupFeedback:
        return GroupFeedback(feedback.time, feedback.position, np.full(6, 0.06), feedback.effort)

    group = Watched(simulate(six_dof, q0=START), creep)
    with pytest.raises(
        ArmFaultError, match=r"still moves at 0.06, 1\.\d* s after the end"
    ) as caught:
        follow(group, six_dof, move)
    assert caught.value.fault.kind == "not arrived"
    assert (group.sent[-1].for_size(6)[1] == 0.0).all()


def test_an_arm_that_stands_elsewhere_has_not_arrived(
    six_dof: aw.RobotModel, move: devices.Trajectory
) -> None:
    """Off by more than the bound at the end, but never for 0.1 s on end."""

    def report(count: int, feedback: GroupFeedback) -> GroupFeedback:
        away = 0.3 if feedback.time > move.duration and count % 8 else 0.0
        where = feedback.position + away * np.eye(6)[3]
        speed = np.full(6, 0.0 if count % 8 else 1.0)
        return GroupFeedback(feedback.time, where, speed, feedback.effort)

    group = Watched(simulate(six_dof, q0=START), report)
    with pytest.raises(ArmFaultError, match=r"'J4_wrist1' is 0.3 away from the goal") as caught:
        follow(group, six_dof, move)
    assert caught.value.fault.kind == "not arrived"
    assert caught.value.fault.time == pytest.approx(move.duration + 1.0, abs=0.02)


def test_the_end_itself_is_sent_without_settling(six_dof: aw.RobotModel) -> None:
    move = devices.plan(six_dof, [START, START + 0.01])
    for frequency in (20.0, 100.0, 333.0):
        group = Watched(simulate(six_dof, q0=START))
        group.feedback_frequency = frequency
        recording = follow(group, six_dof, move, settle=0.0)
        np.testing.assert_allclose(recording.measured[-1], START + 0.01, atol=1e-12)


@pytest.mark.parametrize("fault", [True, False])
def test_an_arm_that_is_elsewhere_after_a_fault_is_captured_at_the_end_of_its_stop(
    six_dof: aw.RobotModel, move: devices.Trajectory, fault: bool
) -> None:
    """A caller's own stop ends where the arm was told to be."""
    ends = 50 + (25 if fault else 55)

    def report(count: int, feedback: GroupFeedback) -> GroupFeedback:
        where = feedback.position + (0.3 if group.read > ends - 5 else 0.0)
        return GroupFeedback(feedback.time, where, feedback.velocity, feedback.effort)

    def fail(turn: Turn) -> Any:
        if group.read >= 50:
            raise RuntimeError("mine") if fault else KeyboardInterrupt
        return np.zeros(6)

    group = Watched(simulate(six_dof, q0=START), report)
    once_only = fail if fault else Pressed(51).update
    with pytest.raises(PluginError if fault else KeyboardInterrupt):
        follow(group, six_dof, move, plugins=[once_only])
    away = np.abs(places(group)[-1] - places(group)[-2]).max()
    assert away == pytest.approx(0.3 if fault else 0.0, abs=0.01)


def test_the_acceleration_of_a_stop_is_that_of_its_velocities(
    six_dof: aw.RobotModel, watched: Watched, move: devices.Trajectory
) -> None:
    plugin = Pressed(30)
    with pytest.raises(KeyboardInterrupt):
        follow(watched, six_dof, move, plugins=[plugin])
    told = np.array([(turn.goal_velocity, turn.goal_acceleration) for turn in plugin.turns])
    slopes = (told[2:, 0] - told[:-2, 0]) / (2 * T)
    np.testing.assert_allclose(told[31:-1, 1], slopes[30:], atol=0.1)
    assert np.abs(told[31:, 1]).max() > 0.5


def test_a_joint_is_off_track_by_time_and_without_a_break(
    six_dof: aw.RobotModel, move: devices.Trajectory
) -> None:
    from armwright.devices.driving.tracking import Tracking

    told = devices.GroupCommand(START, np.zeros(6))
    here, away = (GroupFeedback(0.0, START + off * np.eye(6)[3]) for off in (0.0, 0.5))
    tracking = Tracking(six_dof, move, compensated=True, given=0.1)
    for feedback, dt, found in ((away, 0.06, None), (here, 0.01, None), (away, 0.06, None)):
        tracking.watch(told, feedback, dt)
        assert tracking.off_track() is found
    tracking.watch(told, away, 0.04)
    assert tracking.off_track() == 3


# ---- what the caller does


def test_an_error_of_the_caller_ramps_down_before_it_comes_out(
    six_dof: aw.RobotModel, watched: Watched, move: devices.Trajectory
) -> None:
    seen = []

    def stop() -> None:
        seen.append(len(watched.sent))
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        follow(watched, six_dof, move, progress=once(0.3, stop))
    assert len(watched.sent) - seen[0] == pytest.approx(55, abs=1)  # 0.55 s
    assert largest_step(watched) <= allowed(move)
    rows = np.array([command.for_size(6) for command in watched.sent])
    np.testing.assert_array_equal(rows[-1, 1], np.zeros(6))
    # velocities belong to the positions: the arm stays on its path
    slopes = (rows[seen[0] + 1 :, 0] - rows[seen[0] - 1 : -2, 0]) / (2 * T)
    np.testing.assert_allclose(slopes, rows[seen[0] : -1, 1], atol=3e-3)
    after = watched.feedback()
    np.testing.assert_allclose(after.position, rows[-1, 0], atol=1e-12)


class Pressed:
    """Presses Ctrl-C at some turns of the plugin, counted from the first."""

    def __init__(self, *turns: int) -> None:
        self.at = turns
        self.turns: list[Turn] = []

    def update(self, turn: Turn) -> Any:
        self.turns.append(turn)
        if len(self.turns) in self.at:
            raise KeyboardInterrupt
        return np.zeros(6)


@pytest.mark.parametrize(
    ("pressed", "turns"), [((50,), 55), ((50, 60), 31), ((50, 60, 70), 20), ((200,), 1)]
)
def test_ctrl_c_stops_gently_then_quickly_then_at_once(
    six_dof: aw.RobotModel,
    watched: Watched,
    move: devices.Trajectory,
    pressed: tuple[int, ...],
    turns: int,
) -> None:
    plugin = Pressed(*(min(one, int(100 * move.duration) + 20) for one in pressed))
    with pytest.raises(KeyboardInterrupt):
        follow(watched, six_dof, move, plugins=[plugin])
    last = watched.sent[-1].for_size(6)
    assert (last[1] == 0.0).all() == (len(pressed) < 3)
    assert len(plugin.turns) - plugin.at[0] == pytest.approx(turns, abs=2)
    assert largest_step(watched) <= allowed(move)
    if pressed[0] < 200:
        states = {turn.state for turn in plugin.turns[50 : plugin.at[0] + turns - 2]}
        assert states == {ArmState.STOPPING}


def test_ctrl_c_comes_out_though_a_fault_came_before_it(
    six_dof: aw.RobotModel, watched: Watched, move: devices.Trajectory
) -> None:
    calls = []

    def broken(turn: Turn) -> Any:
        calls.append(turn)
        return np.zeros(6) if len(calls) < 50 else None

    pressed = Pressed(60)
    with pytest.raises(KeyboardInterrupt) as caught:
        follow(watched, six_dof, move, plugins=[broken, pressed])
    assert isinstance(caught.value.__cause__, PluginError)
    assert len(pressed.turns) - 50 == pytest.approx(26, abs=1)  # as quickly as it began
    assert (watched.sent[-1].for_size(6)[1] == 0.0).all()


def test_a_gap_while_the_arm_is_stopped_captures_it(
    six_dof: aw.RobotModel, move: devices.Trajectory
) -> None:
    inner = simulate(six_dof, q0=START)
    group = Watched(inner)

    def hold_up(turn: Turn) -> Any:
        if turn.state is ArmState.STOPPING and group.read == 60:
            inner.step(0.15)
        return np.zeros(6)

    def stop() -> None:
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        follow(group, six_dof, move, progress=once(0.25, stop), plugins=[hold_up])
    assert group.read == 61
    rows = places(group)
    np.testing.assert_allclose(group.feedback().position, rows[-1], atol=1e-12)
    assert (group.sent[-1].for_size(6)[1] == 0.0).all()
    assert np.abs(np.diff(rows[:-1], axis=0)).max() <= allowed(move)


def test_an_error_of_the_caller_comes_out_though_a_fault_follows(
    six_dof: aw.RobotModel, move: devices.Trajectory, caplog: pytest.LogCaptureFixture
) -> None:
    inner = simulate(six_dof, q0=START)
    group = Watched(inner)

    def stop() -> None:
        inner.lose_feedback(5.0)
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        follow(group, six_dof, move, progress=once(0.3, stop))
    assert "feedback was lost" in caplog.text
    assert largest_step(group) <= allowed(move)
    assert (group.sent[-1].for_size(6)[1] == 0.0).all()


# ---- the facts of a fault


def test_faults_are_device_errors_that_pickle() -> None:
    fault = ArmFault("lost", "J1", 0.2, 0.1, 1.5, True)
    for cls, others in ((ArmFaultError, ()), (FeedbackLostError, (FeedbackTimeoutError,))):
        error = cls("words", fault)
        assert isinstance(error, (DeviceError, *others))
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), again.fault) == (cls, "words", fault)
    assert not issubclass(ArmFaultError, SafetyLimitError)


@pytest.mark.parametrize("error", [OSError("no net"), SystemExit(3)])
@pytest.mark.parametrize("what", ["feedback", "send"])
def test_a_group_whose_calls_raise_for_ever_ends_the_drive(
    six_dof: aw.RobotModel, move: devices.Trajectory, error: BaseException, what: str
) -> None:
    with simulate(six_dof, q0=START) as group:
        failing = Failing(
            group,
            feedback=(30, error) if what == "feedback" else None,
            send=(30, error, True) if what == "send" else None,
        )
        with pytest.raises(type(error)) as found:
            follow(failing, six_dof, move)
    assert found.value is error
    assert largest_step(failing) <= allowed(move)
