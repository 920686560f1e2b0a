"""The clock, the lifetime, the feedback and the faults of simulated groups."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armwright as aw
from armwright import devices
from armwright.devices import GroupCommand, simulate
from armwright.devices.group import GroupState
from armwright.errors import (
    CommandRejectedError,
    DeviceStateError,
    FeedbackTimeoutError,
    ModelError,
)

NAN = float("nan")


def test_defaults_are_those_of_real_groups(group: devices.SimulatedGroup) -> None:
    assert isinstance(group, devices.ActuatorGroup)
    assert (group.feedback_frequency, group.command_lifetime) == (100.0, 0.25)
    assert (group.size, group.names[0], group.time) == (6, "J1", 0.0)


def test_names_are_the_joints_names_unless_given(six_dof: aw.RobotModel) -> None:
    assert simulate(six_dof).names == six_dof.joint_names


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"physics": "mujoco"}, "physics: expected \"ideal\", got 'mujoco'"),
        ({"names": ["a"]}, "names: expected 6, got 1"),
        ({"names": "abcdef"}, "names: expected 6, got 1"),
        ({"names": ["a"] * 6}, "different names"),
        ({"names": 6}, "names: expected texts, got 6"),
        ({"names": [1, 2, 3, 4, 5, 6]}, "names: expected texts that are not empty, got 1"),
        ({"names": ["a", "b", "c", "d", "e", ""]}, "names: expected texts that are not empty"),
        ({"q0": [0.0] * 5}, "expected 6"),
        ({"q0": [NAN] * 6}, "q0"),
    ],
)
def test_what_does_not_fit_the_model_is_refused(
    six_dof: aw.RobotModel, arguments: dict[str, Any], says: str
) -> None:
    with pytest.raises(ModelError, match=says):
        simulate(six_dof, **arguments)


def test_a_start_outside_the_limits_names_the_joint(one_joint: aw.RobotModel) -> None:
    limited = one_joint.with_position_limits([0.5], [1.0])
    with pytest.raises(ModelError, match=r"joint 'only': expected 0.5 to 1, got 2"):
        simulate(limited, q0=[2.0])
    assert simulate(limited).feedback().position[0] == 0.5


# ---- feedback


def test_feedback_comes_before_any_command(group: devices.SimulatedGroup) -> None:
    feedback = group.feedback(timeout=0.1)
    np.testing.assert_array_equal(feedback.position, np.zeros(6))
    np.testing.assert_array_equal(feedback.velocity, np.zeros(6))
    assert np.isnan(feedback.position_command).all()
    assert feedback.time == group.time == pytest.approx(0.01)


def test_feedback_moves_time_to_the_next_instant(group: devices.SimulatedGroup) -> None:
    group.step(0.013)
    assert [round(group.feedback().time, 9) for _ in range(3)] == [0.02, 0.03, 0.04]
    group.feedback_frequency = 50.0
    assert [round(group.feedback().time, 9) for _ in range(2)] == [0.06, 0.08]


def test_instants_are_met_however_time_was_added_up(group: devices.SimulatedGroup) -> None:
    for _ in range(10):
        group.step(0.01)  # ends a rounding error before 0.1
    assert group.feedback().time == pytest.approx(0.11, abs=1e-12)


def test_waiting_less_than_a_period_can_be_too_short(group: devices.SimulatedGroup) -> None:
    with pytest.raises(FeedbackTimeoutError, match=r"within 0.004 s"):
        group.feedback(timeout=0.004)
    assert group.time == 0.004
    assert group.feedback(timeout=0.006).time == pytest.approx(0.01)


def test_without_a_timeout_a_slow_group_is_waited_for(group: devices.SimulatedGroup) -> None:
    group.feedback_frequency = 0.5
    assert group.feedback().time == 2.0


def test_frequency_0_asks_for_no_feedback(group: devices.SimulatedGroup) -> None:
    group.feedback_frequency = 0
    group.send(GroupCommand(velocity=np.full(6, 0.1)))
    with pytest.raises(FeedbackTimeoutError, match="feedback_frequency is 0"):
        group.feedback()
    assert group.time == 0.5


# ---- commands (C44)


def test_commands_are_seen_in_feedback(group: devices.SimulatedGroup) -> None:
    wanted = np.arange(6) / 10
    group.send(GroupCommand(position=wanted))
    feedback = group.feedback()
    np.testing.assert_array_equal(feedback.position_command, wanted)
    assert np.isnan(feedback.velocity_command).all()


def test_a_short_command_is_refused_and_changes_nothing(group: devices.SimulatedGroup) -> None:
    group.send(GroupCommand(position=np.full(6, 0.1)))
    with pytest.raises(CommandRejectedError, match="expected 6, got 5"):
        group.send(GroupCommand(position=np.zeros(5)))
    with pytest.raises(CommandRejectedError, match="expected a GroupCommand"):
        group.send(np.zeros(6))  # type: ignore[arg-type]
    group.step(0.2)
    np.testing.assert_allclose(group.feedback().position, 0.1)


def test_nan_leaves_a_module_out_and_the_others_follow(group: devices.SimulatedGroup) -> None:
    group.send(GroupCommand(position=[0.1, 0.1, NAN, 0.1, 0.1, 0.1]))
    group.step(0.2)
    feedback = group.feedback()
    assert np.isnan(feedback.position_command[2])
    np.testing.assert_allclose(feedback.position, [0.1, 0.1, 0.0, 0.1, 0.1, 0.1])


def test_a_command_replaces_the_one_before_whole(group: devices.SimulatedGroup) -> None:
    group.send(GroupCommand(velocity=[1.0] * 6))
    group.step(0.1)
    group.send(GroupCommand(velocity=[NAN] * 5 + [1.0]))
    group.step(0.1)
    feedback = group.feedback()
    np.testing.assert_allclose(feedback.position[:5], 0.1)
    assert feedback.position[5] == pytest.approx(0.21)
    assert np.isnan(feedback.velocity_command[:5]).all()


# ---- lifetime (C43)


@pytest.mark.parametrize(
    ("lifetime", "every", "position"),
    [(0.25, 100, 0.25), (0.0, 100, 1.0), (0.25, 10, 1.0), (0.1, 20, 0.5)],
)
def test_a_command_acts_as_long_as_its_lifetime(
    one_joint: aw.RobotModel, lifetime: float, every: int, position: float
) -> None:
    group = simulate(one_joint)
    group.command_lifetime = lifetime
    for step in range(99):
        if step % every == 0:
            group.send(GroupCommand(velocity=[1.0]))
        group.step(0.01)
    feedback = group.feedback()
    assert feedback.time == pytest.approx(1.0)
    assert feedback.position[0] == pytest.approx(position, abs=1e-9)
    over = position < 1.0
    assert feedback.velocity[0] == (0.0 if over else 1.0)
    assert math.isnan(feedback.velocity_command[0]) == over


@pytest.mark.shared
def test_the_case_of_the_command_that_kept_driving(
    one_joint: aw.RobotModel, cases: dict[str, dict[str, Any]]
) -> None:
    case = cases["C43"]
    group = simulate(one_joint)
    group.command_lifetime = case["input"]["command_lifetime_s"]
    group.send(GroupCommand(velocity=[1.0]))
    for _ in range(99):
        group.step(0.01)
    feedback = group.feedback()
    tolerance = case["expect"]["position_tolerance"]
    assert feedback.position[0] == pytest.approx(case["expect"]["position_at_1s"], abs=tolerance)
    assert feedback.velocity[0] == case["expect"]["velocity_at_1s"]


def test_the_lifetime_is_that_of_the_moment_of_sending(one_joint: aw.RobotModel) -> None:
    group = simulate(one_joint)
    group.send(GroupCommand(velocity=[1.0]))
    group.command_lifetime = 5.0
    group.step(1.0)
    assert group.feedback().position[0] == pytest.approx(0.25)


@pytest.mark.parametrize("bad", [-5, -1e-9, NAN, math.inf, "soon", None])
@pytest.mark.parametrize("name", ["command_lifetime", "feedback_frequency"])
def test_settings_that_make_no_sense_are_refused(
    group: devices.SimulatedGroup, name: str, bad: Any
) -> None:
    before = getattr(group, name)
    with pytest.raises(ValueError, match=name):
        setattr(group, name, bad)
    assert getattr(group, name) == before


@pytest.mark.parametrize("bad", [-0.1, NAN, math.inf])
def test_times_that_make_no_sense_are_refused(group: devices.SimulatedGroup, bad: float) -> None:
    with pytest.raises(CommandRejectedError, match="step"):
        group.step(bad)
    with pytest.raises(CommandRejectedError, match="timeout"):
        group.feedback(timeout=bad)
    assert group.time == 0.0


# ---- lost feedback (C44)


def test_lost_feedback_is_a_named_error_after_the_timeout(group: devices.SimulatedGroup) -> None:
    group.feedback()
    group.lose_feedback(1.0)
    before = group.time
    with pytest.raises(FeedbackTimeoutError, match=r"6 modules.*0.1 s"):
        group.feedback(timeout=0.1)
    assert group.time - before == pytest.approx(0.1, abs=1e-12)
    with pytest.raises(TimeoutError):
        group.feedback(timeout=0.1)
    assert group.feedback(timeout=1.0).time == pytest.approx(1.02)  # 0.01 + 1 s, and the next


def test_commands_arrive_while_feedback_is_lost(one_joint: aw.RobotModel) -> None:
    group = simulate(one_joint)
    group.lose_feedback(0.5)
    group.send(GroupCommand(velocity=[1.0]))
    assert group.feedback(timeout=1.0).position[0] == pytest.approx(0.25)


def test_a_loss_for_ever_can_be_ended(group: devices.SimulatedGroup) -> None:
    group.lose_feedback(math.inf)
    with pytest.raises(FeedbackTimeoutError):
        group.feedback()
    group.lose_feedback(0.0)
    group.step(0.001)
    assert group.feedback().time == pytest.approx(0.51)


def test_random_losses_repeat_with_the_seed(one_joint: aw.RobotModel) -> None:
    def times(seed: int) -> list[float]:
        group = simulate(one_joint, seed=seed)
        group.lose_feedback(10.0, fraction=0.5)
        return [group.feedback().time for _ in range(20)]

    assert times(3) == times(3)
    assert times(3) != times(4)
    assert 0.3 < times(3)[-1] < 0.6  # about half of 100 per second came through


@pytest.mark.parametrize("bad", [(-1.0, 1.0), (NAN, 1.0), (1.0, 1.5), (1.0, -0.1), (1.0, NAN)])
def test_losses_that_make_no_sense_are_refused(
    group: devices.SimulatedGroup, bad: tuple[float, float]
) -> None:
    with pytest.raises(CommandRejectedError, match="lose_feedback"):
        group.lose_feedback(bad[0], fraction=bad[1])


@pytest.mark.shared
def test_the_case_of_the_group_that_answers_first(
    six_dof: aw.RobotModel, cases: dict[str, dict[str, Any]]
) -> None:
    """C44 in the order of its script; its log comes with logs."""
    expect = cases["C44"]["expect"]
    group = simulate(six_dof, names=["J1", "J2", "J3", "J4", "J5", "J6"])
    assert group.feedback(timeout=0.1).position.tolist() == expect["first"]["position"]
    wanted = expect["second"]["position_command_visible"]
    group.send(GroupCommand(position=wanted))
    group.step(0.01)
    assert group.feedback().position_command.tolist() == wanted
    group.lose_feedback(1.0)
    before = group.time
    with pytest.raises(FeedbackTimeoutError):
        group.feedback(timeout=0.1)
    assert group.time - before == pytest.approx(expect["third"]["after_simulated_s"])
    with pytest.raises(CommandRejectedError, match=expect["fourth"]["says"]):
        group.send(GroupCommand(position=wanted[:5]))
    group.send(GroupCommand(position=[0.5, 0.5, NAN, 0.5, 0.5, 0.5]))
    group.step(1.0)
    group.command_lifetime = 0.0
    group.send(GroupCommand(position=[0.5, 0.5, NAN, 0.5, 0.5, 0.5]))
    group.step(1.0)
    feedback = group.feedback()
    assert math.isnan(feedback.position_command[2])
    np.testing.assert_allclose(feedback.position, [0.5, 0.5, wanted[2], 0.5, 0.5, 0.5])


# ---- closing


def test_a_closed_group_says_so(six_dof: aw.RobotModel) -> None:
    states = []
    with simulate(six_dof) as group:
        states.append(group.state)
    group.close()
    states.append(group.state)
    assert states == [GroupState.OPEN, GroupState.CLOSED]
    assert (group.size, len(group.names)) == (6, 6)
    assert "closed" in repr(group)
    for use in (
        group.feedback,
        group.info,
        lambda: group.send(GroupCommand()),
        lambda: group.step(0.1),
        lambda: group.lose_feedback(1.0),
        lambda: setattr(group, "command_lifetime", 1.0),
        lambda: setattr(group, "feedback_frequency", 1.0),
        group.__enter__,
    ):
        with pytest.raises(DeviceStateError, match="closed"):
            use()


def test_info_tells_types_and_limits(six_dof: aw.RobotModel) -> None:
    info = simulate(six_dof).info()
    assert info.names == six_dof.joint_names
    assert info.types == ("X8-9", "X8-16", "X8-9", "X5-4", "X5-4", "X5-1")
    assert info.size == 6
    np.testing.assert_array_equal(info.position_limits, six_dof.position_limits)


# ---- the same answer however time is cut


@given(st.lists(st.floats(0.0005, 0.05), min_size=1, max_size=12), st.integers(0, 3))
def test_cutting_time_changes_nothing(cuts: list[float], kind: int) -> None:
    model = aw.loads(
        """<robot version="1.6.0"><rigid-body mass="0" output_rot="Rx(pi/2)"/>
        <actuator type="X5-4"/><link type="X5" extension="0.3" twist="0"/>
        <actuator type="X5-1"/><rigid-body mass="0.4" com_trans="0.1 0 0"/></robot>"""
    ).with_position_limits([-0.15, -2], [0.4, 0.3])
    command = [
        GroupCommand(position=[1.0, -0.1]),
        GroupCommand(velocity=[-2.0, 3.0]),
        GroupCommand(effort=[6.0, -0.5]),
        GroupCommand(position=[NAN, 0.2], velocity=[1.0, NAN], effort=[NAN, 1.0]),
    ][kind]
    whole, pieces = simulate(model), simulate(model)
    for group in (whole, pieces):
        group.command_lifetime = 0.2
        group.send(command)
    whole.step(sum(cuts))
    for cut in cuts:
        pieces.step(cut)
    assert pieces.time == pytest.approx(whole.time)
    for group in (whole, pieces):
        group.step(0.01)
    a, b = whole.feedback(), pieces.feedback()
    for name in ("position", "velocity", "effort", "velocity_command"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), atol=1e-9)


@pytest.mark.parametrize(("frequency", "waits"), [(100.0, 0.5), (2.0, 1.0), (0.5, 4.0)])
def test_without_a_timeout_two_periods_are_waited_for(
    six_dof: aw.RobotModel, frequency: float, waits: float
) -> None:
    group = simulate(six_dof)
    group.feedback_frequency = frequency
    group.lose_feedback(100.0)
    with pytest.raises(FeedbackTimeoutError):
        group.feedback()
    assert group.time == pytest.approx(waits, abs=1e-9)
