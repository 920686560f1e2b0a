"""A simulated group: a clock, a command with a lifetime, and some physics that moves the joints.

Nothing happens by itself. ``feedback`` moves simulated time on to the next feedback instant,
``step`` by any amount; the same calls give the same numbers, at any speed of the computer, and
there are no threads. In real time the group does the same and then sleeps until the wall clock
has caught up; when the program was busy, the simulation first runs up to now.

A command that answers a feedback acts from that feedback's instant on, however late the program
woke up: a position that is one period of a plan further is then reached by the next instant, at the
speed of the plan. One that comes more than a period later acts from the last instant that passed.
"""

import itertools
import math
import time
from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np

from armwright.devices.group import GroupSettings, GroupState, setting
from armwright.devices.messages import GroupCommand, GroupFeedback, GroupInfo, Imu
from armwright.errors import CommandRejectedError, FeedbackTimeoutError
from armwright.kinematics.arrays import (
    FloatArray,
    number,
    true_or_false,
    whole_number,
)
from armwright.reprs import short

_SLACK = 1e-9  # moments closer together than this are one [s]
_PERIOD_WITHOUT_FEEDBACK = 0.01  # pace of commands when feedback_frequency is 0 [s]


class Physics(Protocol):
    """What moves the joints of a simulated group and says where they are.

    The group tells it what is commanded and how much time goes by; it keeps no clock of its own.
    One that also has a method ``imu(position, velocity)`` says what IMUs report in such a moment.
    """

    position: FloatArray
    """Joint positions now, shape (size,) [rad or m]."""

    velocity: FloatArray
    """Joint velocities over the moment that just passed, shape (size,)."""

    commands: FloatArray
    """Position, velocity and effort that are followed now, shape (3, size); NaN for none."""

    def effort(self) -> FloatArray:
        """Return the efforts that the modules measure, shape (size,) [N m or N]."""

    def command(self, rows: FloatArray, period: float) -> None:
        """Follow other commands from now on.

        Args:
            rows: Position, velocity, effort, shape (3, size); NaN is not commanded.
            period: Time between two feedbacks [s], the pace at which commands are expected.
        """

    def release(self) -> None:
        """Follow no command from now on."""

    def advance(self, start: float, end: float) -> None:
        """Let time go by while the same commands act, from start to end [s]."""


class SimulatedGroup(GroupSettings):
    """Modules that exist in memory alone; made by ``devices.simulate``.

    Args:
        physics: What moves the joints.
        info: What the modules say they are.
        real_time: Whether calls wait for the wall clock.
        seed: Seed of the random losses of ``lose_feedback``.
        clock: Seconds of the wall clock, any zero; used in real time.
        sleep: Waits a number of seconds; used in real time.

    Example:
        >>> from armwright import ArmBuilder, devices
        >>> model = ArmBuilder().actuator("X5-4").build()
        >>> with devices.simulate(model) as group:
        ...     group.send(devices.GroupCommand(velocity=[1.0]))
        ...     group.step(1.0)
        ...     group.feedback().position.round(3).tolist()
        [0.25]
    """

    def __init__(
        self,
        physics: Physics,
        info: GroupInfo,
        *,
        real_time: bool = False,
        seed: int = 0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__()
        if not isinstance(info, GroupInfo):
            raise CommandRejectedError(f"info: expected a GroupInfo, got {short(info)}")
        self._physics = physics
        self._info = info
        self._time = 0.0
        self._expiry = math.inf
        self._anchor = 0.0  # feedback instants are counted from here
        self._lost_from = self._lost_until = -math.inf
        self._lost_fraction = 1.0
        self._random = np.random.default_rng(whole_number(seed, "seed", error=CommandRejectedError))
        self._real_time = true_or_false(real_time, "real_time", CommandRejectedError)
        self._clock = clock
        self._sleep = sleep
        self._origin = clock() if real_time else 0.0
        self._answers = False  # whether the next command is the first after a feedback

    @property
    def size(self) -> int:
        """Number of modules."""
        return self._info.size

    @property
    def names(self) -> tuple[str, ...]:
        """Name of each module, in the order of every array."""
        return self._info.names

    @property
    def real_time(self) -> bool:
        """Whether calls wait for the wall clock."""
        return self._real_time

    @property
    def time(self) -> float:
        """Simulated time since the group was made [s]."""
        return self._time

    def feedback(self, timeout: float | None = None) -> GroupFeedback:
        """Move time on to the next feedback instant and return what the modules report then.

        Args:
            timeout: Longest simulated time to wait [s]; None waits 0.5 s, or two feedback
                periods where those are longer.

        Raises:
            FeedbackTimeoutError: If none comes in that time, which has then gone by.
            CommandRejectedError: If the timeout is negative or not a number.
            DeviceStateError: If the group is closed.
        """
        self._require_open("feedback")
        patience = self._patience(timeout)
        self._catch_up()
        began, deadline = self._time, self._time + patience
        after = self._time
        if self._lost_fraction == 1.0 and self._is_lost(after):  # none in a loss that is complete
            after = min(self._lost_until, deadline)
        for instant in self._instants(after):
            if instant > deadline + _SLACK:
                break
            if not self._is_lost(instant):
                self._advance_to(instant)
                self._wait()
                self._answers = True
                return self._read()
        self._advance_to(deadline)
        self._wait()
        why = "" if self._frequency > 0.0 else "; feedback_frequency is 0, which asks for none"
        raise FeedbackTimeoutError(
            f"feedback: none of {self.size} modules answered within {patience:g} s, from "
            f"{began:.6g} s of simulated time on{why}"
        )

    def send(self, command: GroupCommand) -> None:
        """Replace the command that acts now; it acts until its lifetime ends.

        Raises:
            CommandRejectedError: If the command is made for another number of modules.
            DeviceStateError: If the group is closed.
        """
        rows = self._rows_of(command, self.size)
        now = self._catch_up(answering=self._answers)
        self._answers = False
        period = 1.0 / self._frequency if self._frequency > 0.0 else _PERIOD_WITHOUT_FEEDBACK
        self._physics.command(rows, period)
        self._expiry = now + self._lifetime if self._lifetime > 0.0 else math.inf

    def step(self, dt: float) -> None:
        """Move simulated time on; feedback instants that are passed are not reported.

        Args:
            dt: How far [s], not negative.

        Raises:
            CommandRejectedError: If dt is negative or not a finite number.
            DeviceStateError: If the group is closed.
        """
        self._require_open("step")
        self._advance_to(self._time + setting("step", dt, "seconds"))
        self._wait()

    def lose_feedback(self, seconds: float, *, fraction: float = 1.0) -> None:
        """Lose feedback for a while, as a bad network does; commands still arrive.

        Args:
            seconds: How long from now [s]; inf for ever. 0 ends a loss.
            fraction: Which part of the feedback is lost, 0 to 1, drawn with the group's seed.

        Raises:
            CommandRejectedError: If a number is out of range.
            DeviceStateError: If the group is closed.
        """
        self._require_open("lose_feedback")
        error, what = CommandRejectedError, "lose_feedback"
        how_long = number(
            seconds, what, "seconds, not negative", low=0.0, high=math.inf, error=error
        )
        wanted = "a fraction of 0 to 1"
        part = number(fraction, f"{what}, fraction", wanted, low=0.0, high=1.0, error=error)
        self._lost_from, self._lost_until = self._time, self._time + how_long
        self._lost_fraction = part

    def info(self) -> GroupInfo:
        """Return what the modules say they are.

        Raises:
            DeviceStateError: If the group is closed.
        """
        self._require_open("info")
        return self._info

    def close(self) -> None:
        """Let go of the modules: nothing is commanded any more. Closing twice does nothing."""
        if self._state is GroupState.OPEN:
            self._physics.release()
            self._state = GroupState.CLOSED

    def __repr__(self) -> str:
        return (
            f"SimulatedGroup({self.size} modules, {self._state.value}, time={self._time:.6g} s, "
            f"feedback_frequency={self._frequency:g} Hz, command_lifetime={self._lifetime:g} s)"
        )

    def _take_frequency(self, value: float) -> float:
        self._anchor = self._time
        return value

    def _instants(self, after: float) -> Iterator[float]:
        """Give the feedback instants after a moment, without end unless there are none."""
        if self._frequency > 0.0:
            slack = max(_SLACK, 4.0 * math.ulp(after))  # late, moments are told apart less well
            passed = math.floor((after - self._anchor + slack) * self._frequency)
            for count in itertools.count(passed + 1):
                yield self._anchor + count / self._frequency

    def _is_lost(self, instant: float) -> bool:
        """Tell whether the feedback of an instant is lost."""
        if not self._lost_from - _SLACK <= instant <= self._lost_until + _SLACK:
            return False
        return self._lost_fraction == 1.0 or bool(self._random.random() < self._lost_fraction)

    def _advance_to(self, moment: float) -> None:
        """Let simulated time go by; a command whose lifetime ends on the way is dropped there."""
        while self._time < moment:
            stop = min(moment, self._expiry)
            self._physics.advance(self._time, stop)
            self._time = stop
            if stop >= self._expiry:
                self._physics.release()
                self._expiry = math.inf

    def _catch_up(self, *, answering: bool = False) -> float:
        """In real time, bring the simulation up to the wall clock, and return that time [s].

        For a command that answers a feedback, it stays at the last feedback instant before now.
        """
        if not self._real_time:
            return self._time
        reading = self._clock()
        now = reading - self._origin
        moment = now
        if answering and self._frequency > 0.0:
            slack = max(_SLACK, 4.0 * math.ulp(reading))
            passed = math.floor((now - self._anchor + slack) * self._frequency)
            moment = self._anchor + passed / self._frequency
        self._advance_to(moment)
        return max(now, self._time)

    def _wait(self) -> None:
        """In real time, sleep until the wall clock has reached simulated time."""
        if self._real_time:
            ahead = self._origin + self._time - self._clock()
            if ahead > 0.0:
                self._sleep(ahead)

    def _read(self) -> GroupFeedback:
        """Report the state of this moment."""
        physics = self._physics
        feedback = GroupFeedback(
            self._time, physics.position, physics.velocity, physics.effort(), *physics.commands
        )
        imu: Callable[[FloatArray, FloatArray], Imu] | None = getattr(physics, "imu", None)
        if imu is not None:
            feedback._sensing(lambda: imu(feedback.position, feedback.velocity))
        return feedback
