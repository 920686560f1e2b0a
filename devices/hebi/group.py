"""Real modules through hebi-py, behind the protocol.

hebi-py works in milliseconds, float32 and None; here it is seconds, float64 and named errors.
Nothing that it raises comes out as it is.

Worth knowing about real modules: they take command lifetimes of at most 5 s in one message, and
while a command acts they ignore every other program.
"""

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from armwright.devices.group import DEFAULT_FREQUENCY, DEFAULT_LIFETIME, GroupSettings, GroupState
from armwright.devices.messages import GroupCommand, GroupFeedback, GroupInfo, Imu, imu_arrays
from armwright.errors import CommandRejectedError, DeviceError, FeedbackTimeoutError
from armwright.kinematics.arrays import FloatArray
from armwright.reprs import cut_to_line, short

from .vendor import vendor_errors

_LARGEST = 1e9  # commands travel as 32-bit floats, in which large numbers become infinite


class HebiGroup(GroupSettings):
    """A group of hebi-py behind the protocol; made by ``connect`` and ``imitate``.

    Args:
        hebi: The imported package.
        group: hebi-py's group.
        modules: Family and name of each module, in order.
        clock: Seconds of the wall clock, any zero.
    """

    def __init__(
        self,
        hebi: Any,
        group: Any,
        modules: Sequence[tuple[str, str]],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._group = group
        self._families = tuple(family for family, _ in modules)
        self._names = tuple(name for _, name in modules)
        self._clock = clock
        self._origin = clock()
        with vendor_errors("connect"):
            self._command = hebi.GroupCommand(len(self._names))
        self.feedback_frequency = DEFAULT_FREQUENCY
        self.command_lifetime = DEFAULT_LIFETIME

    @property
    def size(self) -> int:
        """Number of modules."""
        return len(self._names)

    @property
    def names(self) -> tuple[str, ...]:
        """Name of each module, in the order of every array."""
        return self._names

    def feedback(self, timeout: float | None = None) -> GroupFeedback:
        """Wait for the next feedback and return it; see ``ActuatorGroup.feedback``."""
        self._require_open("feedback")
        patience = self._patience(timeout)
        self._keep_pace(patience)
        with vendor_errors("feedback"):
            raw = self._group.get_next_feedback(timeout_ms=1000.0 * patience)
        if raw is None:
            raise FeedbackTimeoutError(
                f"feedback: not all of {self.size} modules ({', '.join(self._names)}) answered "
                f"within {patience:g} s; check power, cables and feedback_frequency "
                f"({self._frequency:g} Hz)"
            )
        return self._convert(raw)

    def send(self, command: GroupCommand) -> None:
        """Replace the command that acts now; see ``ActuatorGroup.send``."""
        rows = self._rows_of(command, self.size)
        if np.nanmax(np.abs(rows), initial=0.0) > _LARGEST:
            raise CommandRejectedError(
                f"send: expected numbers of at most {_LARGEST:g}, which modules can hold, "
                f"got {short(command)}"
            )
        with vendor_errors("send"):
            self._command.clear()
            for field, row in zip(("position", "velocity", "effort"), rows, strict=True):
                if getattr(command, field) is not None:
                    # hebi-py misreads strided arrays; these rows are contiguous
                    setattr(self._command, field, row)
            sent = self._group.send_command(self._command)
        if not sent:
            raise DeviceError(
                f"send: hebi-py could not send a command to {', '.join(self._names)}; "
                "check the network"
            )

    def info(self) -> GroupInfo:
        """Ask the modules what they are."""
        self._require_open("info")
        with vendor_errors("info"):
            raw = self._group.request_info(timeout_ms=1000.0 * self._patience(None))
        if raw is None:
            raise FeedbackTimeoutError(
                f"info: not all of {self.size} modules ({', '.join(self._names)}) answered; "
                "check power and cables"
            )
        with vendor_errors("info"):
            return GroupInfo(
                names=tuple(str(name or "") for name in raw.name),
                families=tuple(str(family or "") for family in raw.family),
                types=tuple(str(type_ or "") for type_ in raw.mechanical_type),
                position_limits=np.array([raw.position_limit_min, raw.position_limit_max]),
            )

    def close(self) -> None:
        """Let go of the modules: no more feedback is asked for. Closing twice does nothing.

        What was commanded last acts until its lifetime ends.
        """
        if self._state is GroupState.OPEN:
            try:
                self.feedback_frequency = 0.0
            finally:
                self._state = GroupState.CLOSED
                self._group = self._command = None

    def __repr__(self) -> str:
        return cut_to_line(
            f"{type(self).__name__}({list(self._names)}, {self._state.value}, "
            f"feedback_frequency={self._frequency:g} Hz, command_lifetime={self._lifetime:g} s)"
        )

    def _take_frequency(self, value: float) -> float:
        with vendor_errors("feedback_frequency"):
            self._group.feedback_frequency = value
            return float(self._group.feedback_frequency)

    def _take_lifetime(self, value: float) -> float:
        milliseconds = math.ceil(round(1000.0 * value, 6))  # 0 is for ever: never round down to it
        with vendor_errors("command_lifetime"):
            self._group.command_lifetime = milliseconds
            return float(self._group.command_lifetime) / 1000.0

    def _convert(self, raw: Any) -> GroupFeedback:
        """Copy hebi-py's feedback into ours."""
        with vendor_errors("feedback"):
            state = np.array([raw.position, raw.velocity, raw.effort], dtype=np.float64)
            commands = (raw.position_command, raw.velocity_command, raw.effort_command)
            position, velocity, effort = self._state_of(state)
            feedback = GroupFeedback(self._now(), position, velocity, effort, *commands)
            # hebi-py's views change with the next feedback, so these are copied now as well.
            return feedback._sensing(self._imu_of(raw))

    def _now(self) -> float:
        """Return the time since the group was made [s]."""
        return self._clock() - self._origin

    def _keep_pace(self, patience: float) -> None:
        """Wait until feedback may be asked for; hebi-py itself waits for real modules."""

    def _imu_of(self, raw: Any) -> Imu:
        """Return what the IMUs report; NaN for a module that has none."""
        values = (getattr(raw, name, None) for name in ("accelerometer", "gyro", "orientation"))
        return imu_arrays(tuple(values), self.size)

    def _state_of(self, reported: FloatArray) -> FloatArray:
        """Return position, velocity and effort, shape (3, size), of what was reported."""
        return reported
