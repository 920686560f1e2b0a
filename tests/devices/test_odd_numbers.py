"""Numbers that no program should hand to a simulated group: refused, or taken without harm."""

import math
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices
from armwright.devices import GroupCommand, simulate
from armwright.errors import CommandRejectedError, FeedbackTimeoutError, ModelError

NAN = float("nan")


@pytest.mark.parametrize("bad", ["x", None, [1.0, 2.0], NAN, -1e-9, math.inf])
def test_steps_that_make_no_sense_change_nothing(group: devices.SimulatedGroup, bad: Any) -> None:
    with pytest.raises(CommandRejectedError, match="step: expected seconds, not negative"):
        group.step(bad)
    for seconds, fraction in (("x", 1.0), (None, 1.0), (1.0, "x"), (NAN, 1.0), (1.0, NAN)):
        with pytest.raises(
            CommandRejectedError, match=r"lose_feedback(, fraction)?: expected (sec|a fr)"
        ):
            group.lose_feedback(seconds, fraction=fraction)  # type: ignore[arg-type]
    assert group.feedback().time == 0.01


def test_only_models_are_simulated(six_dof: aw.RobotModel) -> None:
    for other in (None, six_dof.description):
        with pytest.raises(ModelError, match="simulate: expected a RobotModel, got "):
            simulate(other)  # type: ignore[arg-type]


def test_a_frequency_without_a_period_is_refused(group: devices.SimulatedGroup) -> None:
    with pytest.raises(CommandRejectedError, match="5e-324 Hz would never give any"):
        group.feedback_frequency = 5e-324
    assert group.feedback_frequency == 100.0


@pytest.mark.parametrize("late", [1e6, 123456789.12, 1e8, 1e12])
def test_time_goes_on_however_late_it_is(pendulum: aw.RobotModel, late: float) -> None:
    # Doubles near 1e8 are 1.5e-8 apart, near 1e12 1.2e-4: no two moments can then be 1e-9 apart.
    group = simulate(pendulum)
    group.step(late)
    times = [group.feedback().time for _ in range(50)]
    np.testing.assert_allclose(np.diff(times), 0.01, atol=4e-4)
    start = group.feedback().position[0]
    for _ in range(20):
        group.send(GroupCommand(effort=[10.0]))
        feedback = group.feedback()
    assert feedback.position[0] > start + 0.05


def test_waiting_through_a_long_loss_takes_no_time(group: devices.SimulatedGroup) -> None:
    group.lose_feedback(math.inf)
    with pytest.raises(FeedbackTimeoutError):
        group.feedback(timeout=1e12)  # would be 1e14 feedbacks
    assert group.time == 1e12
    group.lose_feedback(0.0)
    assert group.feedback().time == pytest.approx(1e12 + 0.01, abs=4e-4)


def test_the_first_feedback_after_a_loss_is_at_its_instant(six_dof: aw.RobotModel) -> None:
    group = simulate(six_dof)
    group.step(0.003)
    group.lose_feedback(0.052)  # until 0.055
    assert group.feedback().time == pytest.approx(0.06, abs=1e-12)
    group.lose_feedback(0.02)  # until 0.08, that instant included
    assert group.feedback().time == pytest.approx(0.09, abs=1e-12)
    group.lose_feedback(0.3)  # until 0.39
    with pytest.raises(FeedbackTimeoutError):
        group.feedback(timeout=0.3)
    assert group.feedback(timeout=0.01).time == pytest.approx(0.4, abs=1e-12)


def test_a_position_far_beyond_reach_is_followed_at_the_speed_limit(
    one_joint: aw.RobotModel,
) -> None:
    group = simulate(one_joint)
    group.send(GroupCommand(position=[1.7e308]))
    assert group.feedback().velocity[0] == one_joint.max_speeds[0]


@pytest.mark.parametrize("bad", [3, 0, None, "yes"])
def test_real_time_is_true_or_false(six_dof: aw.RobotModel, bad: Any) -> None:
    with pytest.raises(CommandRejectedError, match="real_time: expected True or False, got"):
        simulate(six_dof, real_time=bad)


class Foreign:
    """A group of somebody else's, whose settings may be anything."""

    def __init__(self, group: devices.SimulatedGroup, **settings: Any) -> None:
        self.group = group
        self.feedback_frequency, self.command_lifetime = 100.0, 0.25
        vars(self).update(settings)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.group, name)


@pytest.mark.parametrize("bad", [None, NAN, -1.0, "fast"])
@pytest.mark.parametrize("name", ["feedback_frequency", "command_lifetime"])
def test_settings_of_foreign_groups_are_checked(
    six_dof: aw.RobotModel, name: str, bad: Any
) -> None:
    move = devices.minimum_jerk([0.0, 0.1], np.zeros((2, 6)))
    foreign: Any = Foreign(simulate(six_dof), **{name: bad})
    with pytest.raises(CommandRejectedError, match=f"follow, {name} of the group: expected"):
        devices.follow(foreign, six_dof, move)
    assert np.isnan(foreign.feedback().position_command).all()
    with pytest.raises(CommandRejectedError, match=f"^{name}: expected"):
        getattr(devices.FaultyGroup(foreign), name)
