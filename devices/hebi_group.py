"""Real modules through hebi-py, behind the protocol; the only place that imports ``hebi``.

hebi-py is optional and imported when it is first needed, with the line that it prints held back.
It works in milliseconds, float32 and None; here it is seconds, float64 and named errors. Nothing
that it raises comes out as it is.

Worth knowing about real modules: they take command lifetimes of at most 5 s in one message, and
while a command acts they ignore every other program.

An imitation group (``imitate``) is hebi-py's own: it has no physics. It reports every command at
once as its state, has nothing to say about itself, and command lifetimes have no effect. hebi-py
answers at once, however low the frequency, and reports NaN for what is not commanded; here
feedback keeps to its frequency and such a module stays where it was.
"""

import contextlib
import importlib
import io
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any

import numpy as np

from armwright.errors import (
    ActuatorNotFoundError,
    BackendUnavailableError,
    CommandRejectedError,
    DeviceError,
    FeedbackTimeoutError,
)

from .group import DEFAULT_FREQUENCY, DEFAULT_LIFETIME, GroupSettings, GroupState, setting
from .lookup import not_found, pairs, spell
from .messages import FloatArray, GroupCommand, GroupFeedback, GroupInfo

_SHORTEST_LOOKUP = 0.1  # hebi-py needs a moment to hear from the modules [s]

_LARGEST = 1e9  # commands travel as 32-bit floats, in which large numbers become infinite


def connect(
    families: str | Sequence[str], names: str | Sequence[str], *, timeout: float = 2.0
) -> "HebiGroup":
    """Find modules on the network and make a group of them.

    Args:
        families: Family of the modules; one for all, or one per name.
        names: Names of the modules, in the order that every array will have.
        timeout: How long to look for them [s].

    Returns:
        The group; close it, or use it in a ``with`` statement.

    Raises:
        ActuatorNotFoundError: If some are not there; it says which, and what was seen.
        BackendUnavailableError: If hebi-py is not installed; it says how to install it.
        DeviceError: If hebi-py fails, or two modules answer to the same family and name.

    Example:
        group = devices.connect("Arm", ["base", "shoulder", "elbow"])
    """
    wanted = pairs(families, names)
    timeout = setting("connect, timeout", timeout, "seconds")
    hebi = _import_hebi()
    with _vendor_errors("connect"):
        lookup = hebi.Lookup()
        group = lookup.get_group_from_names(
            [family for family, _ in wanted],
            [name for _, name in wanted],
            timeout_ms=1000.0 * max(timeout, _SHORTEST_LOOKUP),
        )
        seen = [(entry.family, entry.name) for entry in lookup.entrylist if entry is not None]
    if group is None:
        raise ActuatorNotFoundError(not_found(wanted, seen, timeout))
    for pair in wanted:
        if seen.count(pair) > 1:
            raise DeviceError(
                f"connect: {seen.count(pair)} modules answer to {spell(pair)}; expected one. "
                "Give them different names"
            )
    return HebiGroup(hebi, group, wanted)


def imitate(n: int) -> "HebiGroup":
    """Make hebi-py's imitation of a group: it takes every command as its state at once.

    Args:
        n: Number of modules, 1 or more.

    Returns:
        The group; its modules are called "module1", "module2", ...

    Raises:
        CommandRejectedError: If n is not a whole number above 0.
        BackendUnavailableError: If hebi-py is not installed; it says how to install it.
    """
    if not isinstance(n, int) or isinstance(n, bool) or n < 1:
        raise CommandRejectedError(f"imitate: expected a whole number above 0, got {n!r}")
    hebi = _import_hebi()
    with _vendor_errors("imitate"):
        group = importlib.import_module("hebi.util").create_imitation_group(n)
    return HebiGroup(
        hebi, group, [("imitation", f"module{i + 1}") for i in range(n)], imitation=True
    )


class HebiGroup(GroupSettings):
    """A group of hebi-py behind the protocol; made by ``connect`` and ``imitate``.

    Args:
        hebi: The imported package.
        group: hebi-py's group.
        modules: Family and name of each module, in order.
        imitation: Whether it is an imitation group.
        clock: Seconds of the wall clock, any zero.
        sleep: Waits a number of seconds; used by imitation groups alone.
    """

    def __init__(
        self,
        hebi: Any,
        group: Any,
        modules: Sequence[tuple[str, str]],
        *,
        imitation: bool = False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__()
        self._group = group
        self._families = tuple(family for family, _ in modules)
        self._names = tuple(name for _, name in modules)
        self._imitation = imitation
        self._clock = clock
        self._sleep = sleep
        self._origin = clock()
        self._last_feedback = 0.0
        self._state_so_far = np.zeros((3, len(self._names)))  # of an imitation group
        with _vendor_errors("connect"):
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
        if self._imitation:
            self._keep_pace(patience)
        with _vendor_errors("feedback"):
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
        self._require_open("send")
        if not isinstance(command, GroupCommand):
            raise CommandRejectedError(f"send: expected a GroupCommand, got {command!r}")
        rows = command.for_size(self.size)
        if np.nanmax(np.abs(rows), initial=0.0) > _LARGEST:
            raise CommandRejectedError(
                f"send: expected numbers of at most {_LARGEST:g}, which modules can hold, "
                f"got {command!r}"
            )
        with _vendor_errors("send"):
            self._command.clear()
            for field in ("position", "velocity", "effort"):
                row = getattr(command, field)
                if row is not None:
                    # hebi-py misreads strided arrays and keeps no copy of its own
                    setattr(self._command, field, np.ascontiguousarray(row))
            sent = self._group.send_command(self._command)
        if not sent:
            raise DeviceError(
                f"send: hebi-py could not send a command to {', '.join(self._names)}; "
                "check the network"
            )

    def info(self) -> GroupInfo:
        """Ask the modules what they are; imitation groups know nothing but their names."""
        self._require_open("info")
        with _vendor_errors("info"):
            raw = self._group.request_info(timeout_ms=1000.0 * self._patience(None))
        if raw is None and not self._imitation:
            raise FeedbackTimeoutError(
                f"info: not all of {self.size} modules ({', '.join(self._names)}) answered; "
                "check power and cables"
            )
        if raw is None:
            nothing = np.full((2, self.size), np.nan)
            return GroupInfo(self._names, self._families, ("",) * self.size, nothing)
        with _vendor_errors("info"):
            return GroupInfo(
                names=tuple(str(name or "") for name in raw.name),
                families=tuple(str(family or "") for family in raw.family),
                types=tuple(str(kind or "") for kind in raw.mechanical_type),
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

    def __enter__(self) -> "HebiGroup":
        self._require_open("with")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        what = "imitation, " if self._imitation else ""
        return (
            f"HebiGroup({what}{list(self._names)}, {self._state.value}, "
            f"feedback_frequency={self._frequency:g} Hz, command_lifetime={self._lifetime:g} s)"
        )

    def _take_frequency(self, value: float) -> float:
        with _vendor_errors("feedback_frequency"):
            self._group.feedback_frequency = value
            return float(self._group.feedback_frequency)

    def _take_lifetime(self, value: float) -> float:
        milliseconds = math.ceil(round(1000.0 * value, 6))  # 0 is for ever: never round down to it
        with _vendor_errors("command_lifetime"):
            self._group.command_lifetime = milliseconds
            return float(self._group.command_lifetime) / 1000.0

    def _keep_pace(self, patience: float) -> None:
        """Wait as long as modules would; hebi-py's imitation answers without waiting."""
        now = self._clock() - self._origin
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

    def _convert(self, raw: Any) -> GroupFeedback:
        """Copy hebi-py's feedback into ours."""
        with _vendor_errors("feedback"):
            state = np.array([raw.position, raw.velocity, raw.effort], dtype=np.float64)
            commands = (raw.position_command, raw.velocity_command, raw.effort_command)
            now = self._clock() - self._origin
            if self._imitation:
                state = self._imitated(state)
            return GroupFeedback(now, state[0], state[1], state[2], *commands)

    def _imitated(self, state: FloatArray) -> FloatArray:
        """Let modules that are not commanded stay: position kept, velocity and effort 0."""
        self._state_so_far[1:] = 0.0
        self._state_so_far = np.where(np.isnan(state), self._state_so_far, state)
        return self._state_so_far


@contextlib.contextmanager
def _vendor_errors(doing: str) -> Iterator[None]:
    """Turn whatever hebi-py raises into a ``DeviceError`` that says what was being done."""
    try:
        yield
    except Exception as error:
        try:
            said = str(error) or type(error).__name__
        except Exception:  # hebi-py has errors that cannot be printed
            said = type(error).__name__
        raise DeviceError(f"{doing}: hebi-py reported: {said}") from error


def _import_hebi() -> Any:
    """Import hebi-py without the line that it prints."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            return importlib.import_module("hebi")
    except Exception as error:  # its native library can fail in many ways
        raise BackendUnavailableError(_how_to_install(error)) from error


def _how_to_install(error: Exception) -> str:
    """Say why hebi-py is not there and what to do."""
    missing = isinstance(error, ModuleNotFoundError) and error.name == "hebi"
    problem = "hebi-py is not installed" if missing else f"hebi-py cannot be loaded: {error}"
    advice = 'install it with: pip install "armwright[hebi]"'
    version = sys.version_info[:2]
    if version >= (3, 13):
        advice += f"; it needs Python below 3.13, this is {version[0]}.{version[1]}"
    else:
        advice += " (it needs Python below 3.13 and brings numpy below 2)"
    return f"{problem}; {advice}"
