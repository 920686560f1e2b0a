"""The clock of the control loop: how far along its path an arm may go at each turn.

Time is that of the feedback: for real modules the computer's monotonic clock, for simulated ones
simulated time. Whatever that clock says, a turn is never longer than one feedback period; a clock
that is late, leaps, runs back or stands still moves nothing further than that. This is the one
file of the loop that looks at time.
"""

import logging
import math
import time
from collections.abc import Callable
from enum import Enum

from armwright.devices.messages import GroupFeedback

logger = logging.getLogger(__name__)

LOST_AFTER = 0.1
"""A gap of this, or of three feedback periods where those are longer, is a fault [s]."""

_PERIODS = 3.0  # a turn that is later than so many periods counts as late
_FROZEN_TURNS = 10  # so many turns in a row without time, and so much time, are a clock ...
_FROZEN_TIME = 0.1  # ... that stands still [s]
_LOG_EVERY = 1.0  # [s]


class Timing(Enum):
    """What a feedback says of the loop and its clock."""

    ON_TIME = "on time"
    NO_TIME = "no time"  # an old packet, a stamp that is no number: nothing moves
    LATE = "late"
    CAME_BACK = "came back"  # after so long that the arm may be anywhere
    WRONG = "wrong"  # a clock that is none


class LoopClock:
    """Says at every turn how much time of the path it has.

    Args:
        period: Time between two feedbacks, T [s].
        lost_after: Gap from which the arm counts as lost [s].
        real_time: Whether the group waits for the wall clock; simulated time does not.
        monotonic: The computer's own clock, for turns whose feedback has no time [s].
        sleep: Waits a number of seconds.

    Attributes:
        ds: Time that this turn may use, 0 to T [s].
        dt: Time since the turn before, as the feedback says; 0 where it says nothing usable [s].
        elapsed: Sum of dt [s].
        late: How many turns were late.
    """

    def __init__(
        self,
        period: float,
        lost_after: float,
        *,
        real_time: bool = True,
        monotonic: Callable[[], float] | None = None,
        sleep: Callable[[float], None] | None = None,
    ) -> None:
        self._period = period
        self._late_after = _PERIODS * period * (1.0 + 1e-9)
        self._lost_after = lost_after * (1.0 - 1e-9)
        self._real_time = real_time
        self._monotonic = time.monotonic if monotonic is None else monotonic
        self._sleep = time.sleep if sleep is None else sleep
        self._most_bad = max(_FROZEN_TURNS, math.ceil(_FROZEN_TIME / period - 1e-9))
        self._last = math.nan
        self._turned = 0.0
        self._debt = 0.0
        self._bad = 0
        self._logged = -math.inf
        self.ds = self.dt = self.elapsed = 0.0
        self.late = 0

    def begin(self, feedback: GroupFeedback) -> None:
        """Start with a first feedback."""
        self._last = feedback.time
        self._turned = self._monotonic()

    def is_stale(self) -> bool:
        """Tell whether the last feedback is older than a period, in real time."""
        return self._real_time and self._monotonic() - self._turned > self._period

    def turn(self, feedback: GroupFeedback) -> Timing:
        """Take the time of the next feedback; afterwards ``ds`` and ``dt`` are those of the turn.

        Turns that come early make up for those before that were late; none is longer than a
        period.
        """
        now, period = feedback.time, self._period
        dt = now - self._last
        self.ds = self.dt = 0.0
        if not dt > 0.0:  # or one of the two is no number
            self._bad += 1
            if math.isfinite(now) and not math.isfinite(self._last):
                self._last = now
            if dt < -_PERIODS * period or self._bad >= self._most_bad:
                return Timing.WRONG
            self._turned = self._monotonic()
            return Timing.NO_TIME
        if not math.isfinite(dt):
            return Timing.WRONG
        self._bad = 0
        self._last = now
        self._turned = self._monotonic()
        self.dt = dt
        self.elapsed += dt
        if dt <= self._late_after and dt < self._lost_after:
            self.ds = min(dt + self._debt, period)
            self._debt = min(period, self._debt + dt - self.ds)
            return Timing.ON_TIME
        self._debt = 0.0
        if dt >= self._lost_after:
            return Timing.CAME_BACK
        self.ds = period
        self.late += 1
        self._say_late(dt)
        return Timing.LATE

    def blind(self) -> None:
        """Make a turn whose feedback has no time: a stop never needs the clock that is broken.

        In real time it takes what the computer's own clock says, up to a period, and a turn that
        came at once waits for the rest of it; in simulated time it takes a period.
        """
        self.ds = self._period
        if self._real_time:
            gone = self._monotonic() - self._turned
            if gone < 0.5 * self._period:
                self._sleep(self._period - gone)
                gone = self._monotonic() - self._turned
            self.ds = min(max(0.0, gone), self._period)
        self.dt = self.ds
        self.elapsed += self.ds
        self._turned = self._monotonic()

    def _say_late(self, dt: float) -> None:
        """Log late turns, at most once a second."""
        if self.elapsed - self._logged >= _LOG_EVERY:
            self._logged = self.elapsed
            logger.warning(
                "the control loop is late: %.3g s between two turns instead of %.3g s; late turns "
                "so far: %d",
                dt,
                self._period,
                self.late,
            )
