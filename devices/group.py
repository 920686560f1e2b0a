"""The one shape of every group of actuators: real, simulated or imitated.

Programs are written against ``ActuatorGroup`` and do not know what is behind it. A group is a
machine: it is open until it is closed, and using it after that is a ``DeviceStateError``. Its
clock starts at 0 when it is made; real groups follow the computer's clock, simulated ones move
only when they are asked to, unless they run in real time.
"""

import math
from enum import Enum
from types import TracebackType
from typing import Protocol, TypeVar, runtime_checkable

from armwright.errors import CommandRejectedError, DeviceStateError
from armwright.kinematics.arrays import FloatArray, number
from armwright.kinematics.hebi_names import answers_hebi_names
from armwright.reprs import cut_to_line, short

from .kinds import check_command
from .messages import GroupCommand, GroupFeedback, GroupInfo

DEFAULT_FREQUENCY = 100.0
"""Feedback frequency of a new group [Hz]."""

DEFAULT_LIFETIME = 0.25
"""Command lifetime of a new group [s]."""

LONGEST_LIFETIME = 5.0
"""Longest command lifetime that modules take [s]."""

LARGEST_FREQUENCY = 10000.0
"""Largest feedback frequency that modules take [Hz]."""

DEFAULT_TIMEOUT = 0.5
"""Least time that ``feedback()`` waits when no timeout is given [s]."""


_Self = TypeVar("_Self", bound="ContextOfGroup")


@runtime_checkable
class ActuatorGroup(Protocol):
    """Modules that are commanded and read together.

    Attributes:
        feedback_frequency: How often feedback comes [Hz], 10000 at most; 0 asks for none.
        command_lifetime: How long a command acts after it was sent [s], 5 at most; 0 is for ever.
            When it ends, the modules go limp: nothing is commanded.
    """

    feedback_frequency: float
    command_lifetime: float

    @property
    def size(self) -> int:
        """Number of modules."""

    @property
    def names(self) -> tuple[str, ...]:
        """Name of each module, in the order of every array."""

    def feedback(self, timeout: float | None = None) -> GroupFeedback:
        """Wait for the next feedback and return it.

        Args:
            timeout: Longest time to wait [s]; None waits 0.5 s, or two feedback periods where
                those are longer.

        Raises:
            FeedbackTimeoutError: If none came in that time.
            DeviceStateError: If the group is closed.
        """

    def send(self, command: GroupCommand) -> None:
        """Replace the command that acts now.

        Raises:
            CommandRejectedError: If the command is made for another number of modules.
            DeviceStateError: If the group is closed.
        """

    def info(self) -> GroupInfo:
        """Ask the modules what they are."""

    def close(self) -> None:
        """Let go of the modules; closing twice does nothing."""

    def __enter__(self) -> "ActuatorGroup":
        """Return the group itself."""

    def __exit__(
        self,
        cls: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the group."""


class GroupState(Enum):
    """Whether a group can be used."""

    OPEN = "open"
    CLOSED = "closed"


@answers_hebi_names
class ContextOfGroup:
    """Groups are closed at the end of their ``with`` statement, whatever happened in it."""

    def close(self) -> None:
        """Let go of the modules; closing twice does nothing."""
        raise NotImplementedError

    def __enter__(self: _Self) -> _Self:
        self._enter()
        return self

    def __exit__(
        self,
        cls: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _enter(self) -> None:
        """Refuse to be entered, where that makes no sense."""


class GroupSettings(ContextOfGroup):
    """The state and the two settings that every group keeps and checks alike."""

    def __init__(self) -> None:
        self._state = GroupState.OPEN
        self._frequency = DEFAULT_FREQUENCY
        self._lifetime = DEFAULT_LIFETIME

    @property
    def state(self) -> GroupState:
        """Whether the group is open."""
        return self._state

    @property
    def feedback_frequency(self) -> float:
        """How often feedback comes [Hz], 10000 at most; 0 asks for none."""
        return self._frequency

    @feedback_frequency.setter
    def feedback_frequency(self, value: float) -> None:
        self._require_open("setting feedback_frequency")
        frequency = setting("feedback_frequency", value, "Hz, 0 for no feedback")
        if frequency > 0.0 and math.isinf(1.0 / frequency):
            raise CommandRejectedError(
                f"feedback_frequency: {short(value)} Hz would never give any; expected Hz, 0 for "
                "no feedback"
            )
        if frequency > LARGEST_FREQUENCY:
            raise CommandRejectedError(
                f"feedback_frequency: expected at most {LARGEST_FREQUENCY:g} Hz, which modules "
                f"take, got {frequency:g}"
            )
        self._frequency = self._take_frequency(frequency)

    @property
    def command_lifetime(self) -> float:
        """How long a command acts after it was sent [s], 5 at most; 0 is for ever."""
        return self._lifetime

    @command_lifetime.setter
    def command_lifetime(self, value: float) -> None:
        self._require_open("setting command_lifetime")
        lifetime = setting("command_lifetime", value, "seconds, 0 for ever")
        if lifetime > LONGEST_LIFETIME:
            raise CommandRejectedError(
                f"command_lifetime: expected at most {LONGEST_LIFETIME:g} s, which modules take, "
                f"got {lifetime:g}. Is it in milliseconds? Here it is seconds"
            )
        self._lifetime = self._take_lifetime(lifetime)

    def _take_frequency(self, value: float) -> float:
        """Make a checked frequency effective and return what was set."""
        return value

    def _take_lifetime(self, value: float) -> float:
        """Make a checked lifetime effective and return what was set."""
        return value

    def _require_open(self, doing: str) -> None:
        """Refuse to go on after ``close``."""
        if self._state is GroupState.CLOSED:
            raise DeviceStateError(f"{doing}: this group was closed; make a new one")

    def _enter(self) -> None:
        self._require_open("with")

    def _rows_of(self, command: GroupCommand, size: int) -> FloatArray:
        """Return position, velocity and effort of a command for this group, shape (3, size)."""
        self._require_open("send")
        check_command(command)
        return command.for_size(size)

    def _patience(self, timeout: float | None) -> float:
        """Return how long ``feedback`` waits [s]."""
        if timeout is None:
            period = 1.0 / self._frequency if self._frequency > 0.0 else 0.0
            return max(DEFAULT_TIMEOUT, 2.0 * period)
        return setting("timeout", timeout, "seconds")


def _handed_on(name: str, unit: str, doc: str) -> property:
    """Return a setting that is that of the group behind."""

    def read(self: "GroupAround") -> float:
        return setting(name, getattr(self._group, name), unit)

    def write(self: "GroupAround", value: float) -> None:
        setattr(self._group, name, value)

    return property(read, write, doc=doc)


class GroupAround(ContextOfGroup):
    """A group around another one: what it does not change, it hands on.

    Args:
        group: The group behind it; it is closed with this one.
    """

    def __init__(self, group: ActuatorGroup) -> None:
        self._group = group

    @property
    def size(self) -> int:
        """Number of modules."""
        return self._group.size

    @property
    def names(self) -> tuple[str, ...]:
        """Name of each module, in the order of every array."""
        return self._group.names

    @property
    def real_time(self) -> bool:
        """Whether the group behind it waits for the wall clock, as real ones do."""
        return is_real_time(self._group)

    def __repr__(self) -> str:
        return cut_to_line(f"{type(self).__name__}({self._group!r})")

    feedback_frequency = _handed_on("feedback_frequency", "Hz", "How often feedback comes [Hz].")
    command_lifetime = _handed_on("command_lifetime", "seconds", "How long a command acts [s].")

    def feedback(self, timeout: float | None = None) -> GroupFeedback:
        """Wait for the next feedback and return it; see ``ActuatorGroup.feedback``."""
        return self._group.feedback(timeout)

    def send(self, command: GroupCommand) -> None:
        """Replace the command that acts now; see ``ActuatorGroup.send``."""
        self._group.send(command)

    def info(self) -> GroupInfo:
        """Ask the modules what they are."""
        return self._group.info()

    def close(self) -> None:
        """Let go of the modules; closing twice does nothing."""
        self._group.close()

    def _enter(self) -> None:
        self._group.__enter__()


def is_real_time(group: ActuatorGroup) -> bool:
    """Tell whether a group waits for the wall clock; only simulated ones may say that they do not.

    Args:
        group: Any group; what has no ``real_time`` is real.
    """
    return bool(getattr(group, "real_time", True))


def setting(name: str, value: float, what: str) -> float:
    """Check a number that may be 0 but not negative, NaN or infinite."""
    return number(value, name, f"{what}, not negative", low=0.0, error=CommandRejectedError)
