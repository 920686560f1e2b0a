"""What tests of drives share: the arm's way, groups that fail, clocks that lie."""

from collections.abc import Callable
from typing import Any

import numpy as np

from armwright import devices
from armwright.devices import GroupCommand, GroupFeedback
from armwright.devices.group import GroupAround
from tests.devices.test_still import Watched

START = np.array([0.0, 0.9, 1.6, -0.7, 0.2, 0.0])
GOAL = START + 0.5
T = 0.01


def places(group: Watched) -> Any:
    return np.array([command.position for command in group.sent])


def largest_step(group: Watched) -> float:
    return float(np.abs(np.diff(places(group), axis=0)).max())


def allowed(move: devices.Trajectory) -> float:
    return float(move.max_speeds().max()) * T + 1e-9


def once(at: float, do: Callable[[], object]) -> Callable[[float], None]:
    """Return a progress function that does something once, from a fraction of the way on."""
    done: list[float] = []

    def progress(fraction: float) -> None:
        if fraction > at and not done:
            done.append(fraction)
            do()

    return progress


def stamped(change: Callable[[int, float], float]) -> Callable[[int, GroupFeedback], GroupFeedback]:
    """Return what reports feedback with another time, by its number and time."""

    def report(count: int, feedback: GroupFeedback) -> GroupFeedback:
        changed = GroupFeedback(0.0, feedback.position, feedback.velocity, feedback.effort)
        object.__setattr__(changed, "time", change(count, feedback.time))
        return changed

    return report


class Failing(Watched):
    """A group whose calls fail from some number on."""

    def __init__(
        self,
        group: devices.ActuatorGroup,
        *,
        feedback: tuple[int, BaseException] | None = None,
        send: tuple[int, BaseException, bool] | None = None,
    ) -> None:
        super().__init__(group)
        self.failing_feedback = feedback
        self.failing_send = send

    def feedback(self, timeout: float | None = None) -> GroupFeedback:
        if self.failing_feedback is not None and self.read >= self.failing_feedback[0]:
            raise self.failing_feedback[1]
        return super().feedback(timeout)

    def send(self, command: GroupCommand) -> None:
        if self.failing_send is not None and len(self.sent) >= self.failing_send[0]:
            _, error, for_ever = self.failing_send
            if not for_ever:
                self.failing_send = None
            raise error
        super().send(command)


class Blocked(GroupAround):
    """One joint does not move further than to some place."""

    joint = 2
    stop = START[2] + 0.05

    def feedback(self, timeout: float | None = None) -> GroupFeedback:
        true = super().feedback(timeout)
        position, velocity = true.position.copy(), true.velocity.copy()
        if position[self.joint] > self.stop:
            position[self.joint], velocity[self.joint] = self.stop, 0.0
        return GroupFeedback(true.time, position, velocity, true.effort)
