"""Simulated groups in real time, with a wall clock of our own: no test sleeps."""

from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices
from armwright.devices import GroupCommand, simulate
from armwright.errors import FeedbackTimeoutError


class Clock:
    """A wall clock that only sleeping and the program's own work move on."""

    def __init__(self) -> None:
        self.now = 1.7e9

    def read(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds > 0.0
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


def real_time_group(model: aw.RobotModel, clock: Clock, q0: Any = None) -> devices.SimulatedGroup:
    start = np.zeros(model.dof) if q0 is None else np.array(q0)
    physics = devices.simulation.IdealPhysics(model, start)
    info = simulate(model).info()
    return devices.SimulatedGroup(
        physics, info, real_time=True, clock=clock.read, sleep=clock.sleep
    )


def test_real_time_waits_for_the_wall_clock(one_joint: aw.RobotModel, clock: Clock) -> None:
    group = real_time_group(one_joint, clock)
    times = [group.feedback().time for _ in range(5)]
    np.testing.assert_allclose(times, [0.01, 0.02, 0.03, 0.04, 0.05], atol=1e-6)
    assert clock.now - 1.7e9 == pytest.approx(0.05, abs=1e-6)
    group.step(0.5)
    assert clock.now - 1.7e9 == pytest.approx(0.55, abs=1e-6)


def test_real_time_goes_on_while_the_program_works(one_joint: aw.RobotModel, clock: Clock) -> None:
    group = real_time_group(one_joint, clock)
    group.send(GroupCommand(velocity=[1.0]))
    clock.now += 0.4037  # the lifetime ended in that time
    feedback = group.feedback()
    assert feedback.time == pytest.approx(0.41, abs=1e-6)
    assert feedback.position[0] == pytest.approx(0.25)
    clock.now += 0.1
    group.send(GroupCommand(velocity=[1.0]))  # acts from now on, not from the last feedback
    assert group.time == pytest.approx(0.51, abs=1e-6)


def test_a_timeout_in_real_time_takes_that_time(one_joint: aw.RobotModel, clock: Clock) -> None:
    group = real_time_group(one_joint, clock)
    group.lose_feedback(1.0)
    with pytest.raises(FeedbackTimeoutError):
        group.feedback(timeout=0.1)
    assert clock.now - 1.7e9 == pytest.approx(0.1, abs=1e-6)


def test_a_command_that_answers_feedback_acts_from_its_instant(
    one_joint: aw.RobotModel, clock: Clock
) -> None:
    clock.now = 100.0
    group = real_time_group(one_joint, clock)
    group.feedback()
    clock.now += 0.004  # computing took a while
    group.send(GroupCommand(position=[0.005]))
    assert group.time == pytest.approx(0.01, abs=1e-12)
    feedback = group.feedback()
    assert feedback.position[0] == pytest.approx(0.005, abs=1e-12)
    assert feedback.velocity[0] == pytest.approx(0.5, abs=1e-6)
    clock.now += 0.004
    group.send(GroupCommand(position=[0.01]))
    clock.now += 0.002
    group.send(GroupCommand(velocity=[0.0]))  # one that answers nothing acts from now on
    assert group.time == pytest.approx(0.026, abs=1e-9)
    assert group.feedback().position[0] == pytest.approx(0.005 + 0.6 * 0.005, abs=1e-9)


def test_a_lifetime_is_counted_on_the_wall_clock(one_joint: aw.RobotModel, clock: Clock) -> None:
    clock.now = 100.0
    group = real_time_group(one_joint, clock)
    group.feedback()
    clock.now += 0.004
    group.send(GroupCommand(velocity=[1.0]))
    clock.now += 1.0
    assert group.feedback().position[0] == pytest.approx(0.254, abs=1e-9)
