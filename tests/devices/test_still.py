"""Reading an arm that stands still, and visiting poses when that is asked for."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import armwright as aw
from armwright import devices
from armwright.devices import doctor
from armwright.devices.group import GroupAround
from armwright.errors import (
    CommandRejectedError,
    DeviceError,
    DeviceStateError,
    FeedbackTimeoutError,
)

HOME = np.array([0.0, 0.6, 0.9, -0.5, 0.7, 0.3])


class Watched(GroupAround):
    """A group like any other that remembers what it was sent and can change what it reports."""

    def __init__(self, group: devices.ActuatorGroup, reports: Any = None) -> None:
        super().__init__(group)
        self.reports = reports
        self.sent: list[devices.GroupCommand] = []
        self.read = 0

    def feedback(self, timeout: float | None = None) -> devices.GroupFeedback:
        feedback = super().feedback(timeout)
        self.read += 1
        return feedback if self.reports is None else self.reports(self.read, feedback)

    def send(self, command: devices.GroupCommand) -> None:
        self.sent.append(command)
        super().send(command)


@pytest.fixture
def watched(six_dof: aw.RobotModel) -> Watched:
    return Watched(devices.simulate(six_dof, q0=HOME))


def shaken(
    count: int, feedback: devices.GroupFeedback, *, position: float = 0.0, effort: float = 0.0
) -> devices.GroupFeedback:
    """Add the same to all joints at every second feedback, and take it away at the others."""
    way = 1.0 if count % 2 else -1.0
    return devices.GroupFeedback(
        feedback.time,
        feedback.position + way * position,
        effort=feedback.effort + way * effort,
    )


def test_reading_moves_nothing(watched: Watched, six_dof: aw.RobotModel) -> None:
    assert isinstance(watched, devices.ActuatorGroup)
    reading = doctor.read_still(watched, samples=7)
    assert watched.sent == []
    assert watched.read == 7
    np.testing.assert_allclose(reading.position, HOME, rtol=1e-15)
    np.testing.assert_allclose(reading.effort, six_dof.gravity_efforts(HOME), atol=1e-12)
    np.testing.assert_allclose(reading.spread, 0, atol=1e-12)


def test_examining_moves_nothing_unless_poses_are_given(
    watched: Watched, six_dof: aw.RobotModel
) -> None:
    assert doctor.examine(watched, six_dof).verdict == "fits"
    assert watched.sent == []
    nearby = HOME + np.array([0, 0.1, 0, 0, 0, 0])
    result = doctor.examine(watched, six_dof, poses=[HOME, nearby], tolerance=0.01)
    assert result.verdict == "fits"
    np.testing.assert_allclose(result.q, [HOME, nearby], atol=1e-9)
    assert watched.sent
    # Positions alone: a model that may be wrong must not push.
    assert all(command.effort is None for command in watched.sent)
    assert np.abs(watched.sent[-1].position - nearby).max() < 1e-12


def test_moves_are_gentle(watched: Watched, six_dof: aw.RobotModel) -> None:
    there = HOME + np.array([1.0, 0, 0, 0, 0, 0])
    list(doctor.visit(watched, six_dof, there, samples=1))
    speeds = [abs(c.velocity[0]) for c in watched.sent if c.velocity is not None]
    fifth = devices.plan(six_dof, [HOME, there], max_speeds=0.2 * six_dof.max_speeds)
    assert max(speeds) == pytest.approx(fifth.max_speeds()[0], rel=1e-3)
    assert max(speeds) <= 0.2 * six_dof.max_speeds[0]
    list(doctor.visit(watched, six_dof, HOME, samples=1, max_speeds=0.1))
    back = [abs(c.velocity[0]) for c in watched.sent[len(speeds) :] if c.velocity is not None]
    assert 0.05 < max(back) <= 0.1


def test_samples_are_averaged(six_dof: aw.RobotModel) -> None:
    group = Watched(
        devices.simulate(six_dof, q0=HOME),
        lambda count, feedback: shaken(count, feedback, position=0.001, effort=0.25),
    )
    reading = doctor.read_still(group, samples=10)
    np.testing.assert_allclose(reading.position, HOME, atol=1e-12)
    np.testing.assert_allclose(reading.effort, six_dof.gravity_efforts(HOME), atol=1e-12)
    np.testing.assert_allclose(reading.spread, 0.25)


def test_an_arm_that_moves_is_not_read(six_dof: aw.RobotModel) -> None:
    group = Watched(
        devices.simulate(six_dof, q0=HOME),
        lambda count, feedback: shaken(count, feedback, position=0.006),
    )
    with pytest.raises(DeviceStateError, match=r"J\d_\w+ moved by 0.012, .* within 0.01"):
        doctor.read_still(group)


def test_a_module_without_a_position_is_named(six_dof: aw.RobotModel) -> None:
    def silent(_: int, feedback: devices.GroupFeedback) -> devices.GroupFeedback:
        position = feedback.position.copy()
        position[2] = np.nan
        return devices.GroupFeedback(feedback.time, position, effort=feedback.effort)

    group = Watched(devices.simulate(six_dof, q0=HOME), silent)
    with pytest.raises(DeviceError, match="J3_elbow did not report a position"):
        doctor.read_still(group)


def test_a_module_without_an_effort_is_left_out(six_dof: aw.RobotModel) -> None:
    def deaf(_: int, feedback: devices.GroupFeedback) -> devices.GroupFeedback:
        effort = feedback.effort.copy()
        effort[2] = np.nan
        return devices.GroupFeedback(feedback.time, feedback.position, effort=effort)

    result = doctor.examine(Watched(devices.simulate(six_dof, q0=HOME), deaf), six_dof)
    assert result.verdict == "fits"
    assert result.used.tolist() == [[True, True, False, True, True, True]]


def test_lost_feedback_is_an_error(six_dof: aw.RobotModel) -> None:
    with devices.simulate(six_dof, q0=HOME) as group:
        group.lose_feedback(np.inf)
        with pytest.raises(FeedbackTimeoutError):
            doctor.read_still(group)


@pytest.mark.parametrize("samples", [0, -1, 2.5, True, "3"])
def test_samples_that_are_refused(watched: Watched, samples: Any) -> None:
    with pytest.raises(CommandRejectedError, match="samples: expected a whole number from 1"):
        doctor.read_still(watched, samples=samples)


def test_a_group_of_another_size_is_refused(watched: Watched, pendulum: aw.RobotModel) -> None:
    with pytest.raises(CommandRejectedError, match="got a group of 6 and a model of 1"):
        doctor.examine(watched, pendulum)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([1, 2], [1]), "effort: expected 2 numbers, got 1"),
        (([1, 2], [1, 2], [0]), "spread: expected 2 numbers, got 1"),
        (("here", [1]), "position: expected a row of numbers, got 'here'"),
        (([[1.0]], [1.0]), r"position: expected a row of numbers, got shape \(1, 1\)"),
        (([np.nan], [1]), "position, joint 0: expected a finite number, got nan"),
    ],
)
def test_readings_by_hand_are_checked(arguments: Any, said: str) -> None:
    with pytest.raises(CommandRejectedError, match=said):
        doctor.StillReading(*arguments)


def test_readings_cannot_be_changed() -> None:
    given = np.array([1.0, 2.0])
    reading = doctor.StillReading(given, given)
    given[0] = 9.0
    assert reading.position[0] == 1.0
    arrays: list[npt.NDArray[np.float64]] = [reading.position, reading.effort, reading.spread]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


class TestFaultyGroup:
    """Modules that tell the wrong sign or count from the wrong zero."""

    def test_it_is_a_group(self, six_dof: aw.RobotModel) -> None:
        with devices.FaultyGroup(devices.simulate(six_dof)) as group:
            assert isinstance(group, devices.ActuatorGroup)
            assert group.size == 6
            assert group.names == six_dof.joint_names
            assert group.info().types[0] == "X8-9"
            group.feedback_frequency, group.command_lifetime = 50.0, 1.0
            assert (group.feedback_frequency, group.command_lifetime) == (50.0, 1.0)
            assert group.feedback().time == pytest.approx(0.02)
        with pytest.raises(DeviceStateError):
            group.feedback()

    def test_what_it_reports(self, six_dof: aw.RobotModel) -> None:
        true = devices.simulate(six_dof, q0=HOME)
        group = devices.FaultyGroup(
            true, effort_signs=["J2_shoulder"], reversed=["J3_elbow"], zeros={"J4_wrist1": 0.2}
        )
        feedback = group.feedback()
        efforts = six_dof.gravity_efforts(HOME)
        np.testing.assert_allclose(feedback.position, [0, 0.6, -0.9, -0.7, 0.7, 0.3])
        np.testing.assert_allclose(feedback.effort, efforts * [1, -1, -1, 1, 1, 1], atol=1e-12)
        np.testing.assert_allclose(group.truth(feedback.position), HOME)

    def test_every_field_is_turned_over_both_ways(self, six_dof: aw.RobotModel) -> None:
        true = devices.simulate(six_dof, q0=HOME)
        group = devices.FaultyGroup(
            true, effort_signs=["J2_shoulder"], reversed=["J3_elbow"], zeros={"J4_wrist1": 0.2}
        )
        told = HOME * [1, 1, -1, 1, 1, 1] - [0, 0, 0, 0.2, 0, 0]
        rates = np.array([0.01, 0.02, 0.03, 0.04, 0.05, 0.06])
        group.send(devices.GroupCommand(position=told, velocity=rates, effort=10 * rates))
        truth, reported = true.feedback(), group.feedback()
        np.testing.assert_allclose(truth.position_command, HOME)
        np.testing.assert_allclose(truth.velocity_command, rates * [1, 1, -1, 1, 1, 1])
        np.testing.assert_allclose(truth.effort_command, 10 * rates * [1, -1, -1, 1, 1, 1])
        np.testing.assert_allclose(reported.position_command, told)
        np.testing.assert_allclose(reported.velocity_command, rates)
        np.testing.assert_allclose(reported.effort_command, 10 * rates)
        group.send(devices.GroupCommand(velocity=rates))
        true.feedback()
        np.testing.assert_allclose(group.feedback().velocity, rates)

    def test_what_it_is_told(self, six_dof: aw.RobotModel) -> None:
        true = devices.simulate(six_dof, q0=HOME)
        group = devices.FaultyGroup(true, reversed=["J3_elbow"], zeros={"J4_wrist1": 0.2})
        told = np.array([0.1, 0.6, -0.8, -0.6, 0.7, 0.3])
        group.send(devices.GroupCommand(position=told))
        feedback = [group.feedback() for _ in range(20)][-1]
        np.testing.assert_allclose(feedback.position, told)
        np.testing.assert_allclose(feedback.position_command, told)
        np.testing.assert_allclose(true.feedback().position, [0.1, 0.6, 0.8, -0.4, 0.7, 0.3])

    def test_what_is_refused(self, six_dof: aw.RobotModel) -> None:
        with pytest.raises(
            CommandRejectedError, match=r"'J2_sholder'.* Did you mean 'J2_shoulder'"
        ):
            devices.FaultyGroup(devices.simulate(six_dof), reversed=["J2_sholder"])
        with pytest.raises(CommandRejectedError, match="'J1_base': expected a finite number"):
            devices.FaultyGroup(devices.simulate(six_dof), zeros={"J1_base": np.nan})
