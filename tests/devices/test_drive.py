"""The control loop, on the simulated group."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices
from armwright.devices import GroupCommand, GroupFeedback, Recording, follow, plan, simulate
from armwright.devices.plugins import Turn
from armwright.errors import (
    ArmFaultError,
    CommandRejectedError,
    DeviceStateError,
    FeedbackTimeoutError,
    ModelError,
    SafetyLimitError,
    TrajectoryError,
)

GOAL = np.array([0.6, 0.9, -0.7, 0.2, 0.5, -1.0])


@pytest.fixture
def move(six_dof: aw.RobotModel) -> devices.Trajectory:
    return plan(six_dof, [np.zeros(6), GOAL])


def test_the_arm_ends_where_it_was_sent(
    six_dof: aw.RobotModel, group: devices.SimulatedGroup, move: devices.Trajectory
) -> None:
    recording = follow(group, six_dof, move)
    np.testing.assert_allclose(recording.measured[-1], GOAL, atol=1e-9)
    np.testing.assert_allclose(recording.measured_velocity[-1], 0.0, atol=1e-9)
    assert recording.largest_error() < 1e-9
    assert recording.times[-1] >= move.duration + 0.5
    np.testing.assert_allclose(np.diff(recording.times), 0.01, atol=1e-9)
    assert (np.abs(recording.measured_velocity) <= six_dof.max_speeds).all()


def test_commands_are_the_trajectory_with_its_holding_efforts(
    six_dof: aw.RobotModel, group: devices.SimulatedGroup, move: devices.Trajectory
) -> None:
    recording = follow(group, six_dof, move, settle=0.0)
    position, velocity, _ = move.state(recording.times - 0.01)  # sent one feedback before
    np.testing.assert_allclose(recording.commanded, position, atol=1e-9)
    np.testing.assert_allclose(recording.commanded_velocity, velocity, atol=1e-9)
    holding = six_dof.gravity_efforts(recording.measured[9])
    np.testing.assert_allclose(recording.commanded_effort[10], holding, atol=1e-9)
    plain = follow(simulate(six_dof), six_dof, move, gravity_compensation=False)
    assert np.isnan(plain.commanded_effort).all()
    np.testing.assert_allclose(plain.measured[-1], GOAL)


def test_a_recording_cannot_be_written(
    six_dof: aw.RobotModel, group: devices.SimulatedGroup, move: devices.Trajectory
) -> None:
    recording = follow(group, six_dof, move)
    arrays = [name for name in Recording.__slots__ if name not in ("joint_names", "units")]
    for name in arrays:
        with pytest.raises(ValueError, match="read-only"):
            getattr(recording, name)[0] = 1.0


def test_a_trajectory_may_start_at_any_time(six_dof: aw.RobotModel) -> None:
    late = plan(six_dof, [np.zeros(6), GOAL], start_time=1.7e9)
    recording = follow(simulate(six_dof), six_dof, late)
    assert recording.times[0] == pytest.approx(1.7e9 + 0.01, abs=1e-6)
    np.testing.assert_allclose(recording.measured[-1], GOAL, atol=1e-9)


def test_commands_may_act_for_ever(
    six_dof: aw.RobotModel, group: devices.SimulatedGroup, move: devices.Trajectory
) -> None:
    group.command_lifetime = 0.0
    np.testing.assert_allclose(follow(group, six_dof, move).measured[-1], GOAL, atol=1e-9)


def test_progress_rises_to_one(
    six_dof: aw.RobotModel, group: devices.SimulatedGroup, move: devices.Trajectory
) -> None:
    seen: list[float] = []
    follow(group, six_dof, move, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    assert 0.0 < seen[0] < 0.02


def test_lost_feedback_stops_the_arm(
    six_dof: aw.RobotModel, group: devices.SimulatedGroup, move: devices.Trajectory
) -> None:
    def unplug(fraction: float) -> None:
        if 0.4 < fraction < 0.5:
            group.lose_feedback(10.0)

    with pytest.raises(FeedbackTimeoutError, match=r"follow: feedback was lost .* stand still"):
        follow(group, six_dof, move, progress=unplug)
    lost_at = group.time
    group.lose_feedback(0.0)
    standing = group.feedback()
    assert (standing.velocity_command == 0.0).all()
    group.step(0.3)  # past the lifetime
    limp = group.feedback()
    assert np.isnan(limp.position_command).all()
    np.testing.assert_array_equal(limp.velocity, 0.0)
    np.testing.assert_allclose(limp.position, standing.position, atol=1e-12)
    assert np.abs(limp.position - GOAL).max() > 0.1
    assert lost_at < move.duration


@pytest.mark.parametrize(
    ("frequency", "late_after", "patience"),
    [(100.0, None, 0.1), (20.0, None, 0.15), (1000.0, None, 0.1), (100.0, 0.03, 0.03)],
)
def test_feedback_counts_as_lost_after_a_tenth_of_a_second_or_three_periods(
    six_dof: aw.RobotModel,
    move: devices.Trajectory,
    frequency: float,
    late_after: float | None,
    patience: float,
) -> None:
    group = simulate(six_dof)
    group.feedback_frequency = frequency
    waited: list[float] = []
    ask = group.feedback

    def feedback(timeout: float | None = None) -> GroupFeedback:
        waited.append(timeout or 0.0)
        return ask(timeout)

    group.feedback = feedback  # type: ignore[method-assign]
    unplugged: list[float] = []

    def unplug(fraction: float) -> None:
        if fraction > 0.5 and not unplugged:
            unplugged.append(group.time)
            group.lose_feedback(10.0)

    with pytest.raises(FeedbackTimeoutError, match="follow: feedback was lost"):
        follow(group, six_dof, move, progress=unplug, late_after=late_after)
    ramp = [one for one in waited[1:] if one != pytest.approx(patience)]
    assert max(waited) == pytest.approx(patience, abs=1e-9)
    assert set(ramp) == {1.0 / frequency}
    # the stop itself takes 0.25 s, and its first turn is the one that found it lost
    assert group.time - unplugged[0] == pytest.approx(patience + 0.25, abs=1.01 / frequency)


@pytest.mark.parametrize("compensated", [True, False])
def test_an_arm_that_is_stopped_is_held_by_its_efforts(
    six_dof: aw.RobotModel,
    group: devices.SimulatedGroup,
    move: devices.Trajectory,
    compensated: bool,
) -> None:
    def interrupt(fraction: float) -> None:
        if fraction > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        follow(group, six_dof, move, gravity_compensation=compensated, progress=interrupt)
    told = group.feedback()
    assert (told.velocity_command == 0.0).all()
    if compensated:
        held = six_dof.gravity_efforts(told.position)
        np.testing.assert_allclose(told.effort_command, held, atol=0.1)
        assert np.abs(held).max() > 2.0
    else:
        assert np.isnan(told.effort_command).all()


def test_a_few_lost_feedbacks_do_no_harm(six_dof: aw.RobotModel, move: devices.Trajectory) -> None:
    group = simulate(six_dof, seed=1)
    group.lose_feedback(10.0, fraction=0.3)
    recording = follow(group, six_dof, move)
    np.testing.assert_allclose(recording.measured[-1], GOAL, atol=1e-9)
    assert np.diff(recording.times).max() > 0.015


def test_whatever_goes_wrong_the_arm_is_told_to_stand(
    six_dof: aw.RobotModel, group: devices.SimulatedGroup, move: devices.Trajectory
) -> None:
    def interrupt(fraction: float) -> None:
        if fraction > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        follow(group, six_dof, move, progress=interrupt)
    assert (group.feedback().velocity_command == 0.0).all()


def test_the_first_error_is_the_one_that_comes_out(
    six_dof: aw.RobotModel, group: devices.SimulatedGroup, move: devices.Trajectory
) -> None:
    def close(fraction: float) -> None:
        if fraction > 0.5:
            group.close()

    with pytest.raises(DeviceStateError, match="feedback: this group was closed"):
        follow(group, six_dof, move, progress=close)


def test_it_does_not_begin_with_a_jump(six_dof: aw.RobotModel, move: devices.Trajectory) -> None:
    group = simulate(six_dof, names=list("abcdef"), q0=[0, 0, 0.5, 0, 0, 0])
    with pytest.raises(SafetyLimitError, match=r"joint 'c': stands at 0.5 .* starts at 0"):
        follow(group, six_dof, move)
    assert np.isnan(group.feedback().position_command).all()


@pytest.mark.parametrize(("away", "starts"), [(0.099, True), (-0.099, True), (-0.101, False)])
def test_it_begins_within_a_tenth_of_the_start(
    six_dof: aw.RobotModel, move: devices.Trajectory, away: float, starts: bool
) -> None:
    group = simulate(six_dof, q0=[0, 0, away, 0, 0, 0])
    if starts:
        np.testing.assert_allclose(follow(group, six_dof, move).measured[-1], GOAL, atol=1e-9)
        return
    with pytest.raises(SafetyLimitError, match=r"expected within 0.1; plan from the measured"):
        follow(group, six_dof, move)


def test_an_arm_that_does_not_say_where_it_stands_does_not_begin(
    six_dof: aw.RobotModel, move: devices.Trajectory
) -> None:
    physics = devices.simulation.IdealPhysics(six_dof, np.zeros(6))
    group = Deaf(physics, simulate(six_dof).info())
    group.step(1.0)  # from now on it reports no positions
    with pytest.raises(SafetyLimitError, match="stands at nan and the trajectory starts at 0"):
        follow(group, six_dof, move)


def test_sizes_must_agree(
    six_dof: aw.RobotModel, one_joint: aw.RobotModel, move: devices.Trajectory
) -> None:
    with pytest.raises(CommandRejectedError, match="a group of 1, a model of 6"):
        follow(simulate(one_joint), six_dof, move)


class Deaf(devices.SimulatedGroup):
    """A group whose modules stop reporting their position on the way."""

    def feedback(self, timeout: float | None = None) -> GroupFeedback:
        got = super().feedback(timeout)
        if got.time < 0.5:
            return got
        return GroupFeedback(got.time, np.full(self.size, np.nan), got.velocity, got.effort)


def test_arguments_that_changed_places_are_named(
    six_dof: aw.RobotModel, group: devices.SimulatedGroup, move: devices.Trajectory
) -> None:
    with pytest.raises(ModelError, match="got SimulatedGroup; the order is group, model, traj"):
        follow(six_dof, group, move)  # type: ignore[arg-type]
    with pytest.raises(TrajectoryError, match=r"expected a Trajectory, .*, got nd"):
        follow(group, six_dof, GOAL)  # type: ignore[arg-type]


def test_a_module_that_stops_reporting_stops_the_arm(
    six_dof: aw.RobotModel, move: devices.Trajectory
) -> None:
    physics = devices.simulation.IdealPhysics(six_dof, np.zeros(6))
    group = Deaf(physics, simulate(six_dof).info())
    said = r"follow: joint 'J1_base' has not said where it is for 0.1 s, at 0.5\d* s"
    with pytest.raises(ArmFaultError, match=said) as caught:
        follow(group, six_dof, move)
    assert caught.value.fault.kind == "silent"
    told = super(Deaf, group).feedback()
    assert np.isfinite(told.effort_command).all()
    assert (told.velocity_command == 0.0).all()


def test_the_last_command_acts_until_its_lifetime_ends(
    six_dof: aw.RobotModel, group: devices.SimulatedGroup, move: devices.Trajectory
) -> None:
    follow(group, six_dof, move)
    assert np.isfinite(group.feedback().position_command).all()
    group.send(GroupCommand())
    assert np.isnan(group.feedback().position_command).all()


@pytest.mark.parametrize("settle", [-1.0, float("nan"), float("inf")])
def test_settling_takes_a_finite_time(
    six_dof: aw.RobotModel, group: devices.SimulatedGroup, move: devices.Trajectory, settle: float
) -> None:
    with pytest.raises(CommandRejectedError, match="follow, settle: expected seconds"):
        follow(group, six_dof, move, settle=settle)
    assert group.time == 0.0


def test_an_arm_that_would_go_limp_between_commands_does_not_start(
    six_dof: aw.RobotModel, group: devices.SimulatedGroup, move: devices.Trajectory
) -> None:
    group.feedback_frequency = 3.0
    with pytest.raises(CommandRejectedError, match=r"act for 0.25 s and one is sent every 0.333"):
        follow(group, six_dof, move)
    assert np.isnan(group.feedback().position_command).all()
    group.feedback_frequency = 4.0  # a command each 0.25 s, just as long as each acts
    recording = follow(group, six_dof, move)
    np.testing.assert_allclose(recording.measured[-1], GOAL, atol=1e-9)


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda o: pickle.loads(pickle.dumps(o))]
)
def test_copies_of_trajectories_and_recordings_are_read_only(
    again: Callable[[Any], Any],
    six_dof: aw.RobotModel,
    group: devices.SimulatedGroup,
    move: devices.Trajectory,
) -> None:
    recording = follow(group, six_dof, move)
    for value in (move, recording):
        twin = again(value)
        assert type(twin) is type(value)
        for name in value.__slots__:
            one, other = getattr(value, name), getattr(twin, name)
            np.testing.assert_array_equal(one, other)
            if isinstance(one, np.ndarray):
                assert not other.flags.writeable, name


def test_progress_that_is_no_function_is_refused_before_anything_moves(
    six_dof: aw.RobotModel, group: devices.SimulatedGroup, move: devices.Trajectory
) -> None:
    with pytest.raises(
        CommandRejectedError, match=r"follow, progress: expected a function .*got 3"
    ):
        follow(group, six_dof, move, progress=3)  # type: ignore[arg-type]
    assert np.isnan(group.feedback().position_command).all()


def test_a_plugin_that_makes_its_inputs_writable_moves_nothing(
    six_dof: aw.RobotModel, group: devices.SimulatedGroup, move: devices.Trajectory
) -> None:
    def hostile(turn: Turn) -> list[float]:
        for goal in (turn.goal_position, turn.goal_velocity, turn.goal_acceleration):
            goal.setflags(write=True)
            goal[:] = 9.0
        return [0.0] * 6

    recording = follow(group, six_dof, move, plugins=[hostile])
    quiet = follow(simulate(six_dof), six_dof, move)
    np.testing.assert_array_equal(recording.commanded, quiet.commanded)
