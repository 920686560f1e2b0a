"""hebi-py's imitation of a group behind the protocol.

It has no physics: it reports every command at once as its state, has nothing to say about itself,
and command lifetimes have no effect. hebi-py answers at once, however low the frequency, and
reports NaN for what is not commanded; here feedback keeps to its frequency and such a module stays
where it was.
"""

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from armwright.devices.messages import GroupInfo, Imu, imu_arrays
from armwright.errors import FeedbackTimeoutError
from armwright.kinematics.arrays import FloatArray

from .group import HebiGroup


class ImitationGroup(HebiGroup):
    """An imitation group of hebi-py behind the protocol; made by ``imitate``.

    Args:
        hebi: The imported package.
        group: hebi-py's group.
        sleep: Waits a number of seconds.
        **others: As for ``HebiGroup``: modules, clock.
    """

    def __init__(
        self, hebi: Any, group: Any, *, sleep: Callable[[float], None] = time.sleep, **others: Any
    ) -> None:
        super().__init__(hebi, group, **others)
        self._sleep = sleep
        self._last_feedback = 0.0
        self._state_so_far = np.zeros((3, self.size))

    def info(self) -> GroupInfo:
        """Return what is known of the modules: nothing but their names."""
        self._require_open("info")
        nothing = np.full((2, self.size), np.nan)
        return GroupInfo(self._names, self._families, ("",) * self.size, nothing)

    def _keep_pace(self, patience: float) -> None:
        """Wait as long as modules would; hebi-py's imitation answers without waiting."""
        now = self._now()
        period = 1.0 / self._frequency if self._frequency > 0.0 else math.inf
        due = max(self._last_feedback + period, now)
        if due > now + patience:
            self._sleep(patience)
            raise FeedbackTimeoutError(
                f"feedback: none within {patience:g} s at a feedback_frequency of "
                f"{self._frequency:g} Hz"
            )
        if due > now:
            self._sleep(due - now)
        self._last_feedback = due

    def _imu_of(self, raw: Any) -> Imu:
        """Return nothing: an imitation has no IMUs, though hebi-py reports zeros."""
        return imu_arrays((None,) * 3, self.size)

    def _state_of(self, reported: FloatArray) -> FloatArray:
        """Let modules that are not commanded stay: position kept, velocity and effort 0."""
        self._state_so_far[1:] = 0.0
        self._state_so_far = np.where(np.isnan(reported), self._state_so_far, reported)
        return self._state_so_far
