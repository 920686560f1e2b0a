"""Every error that Armwright raises, and the findings that a reader reports.

    ArmwrightError                  the one base
      HrdfError (ValueError)        a file: carries every Problem that was found
        HrdfSyntaxError             not well-formed XML, or over the limits
        HrdfVersionError            unknown version, or a part newer than the file's version
        UnknownPartError            a type that no catalog has
        InterfaceMismatchError      two neighbors that cannot be bolted together
      ModelError (ValueError)       an array or a request that does not fit the model
        FrameNotFoundError (LookupError)
        JointVectorError            joint values of the wrong length, or not finite
        ModelFileError              a saved model that cannot be read
      IKError
        ObjectiveError (ValueError)
        IKNotConvergedError
      ConfigError (ValueError)      a robot configuration: carries every Problem, as HrdfError does
      TrajectoryError, GainsError, LogError (ValueError)
      DrawingError (ValueError)     a style, axes or picture file that cannot be used
      FileWriteError (OSError)      a file that cannot be written
      DeviceError (RuntimeError)
        ActuatorNotFoundError
        FeedbackTimeoutError (TimeoutError)
        CommandRejectedError (ValueError)
        SafetyLimitError
        DeviceStateError
        PluginError                 a plugin of the control loop that failed; the arm was stopped
        ArmFaultError               the control loop stopped the arm: carries the ArmFault
          FeedbackLostError (FeedbackTimeoutError)
          PluginFaultError (PluginError)
        BackendUnavailableError (ImportError)

A message has four parts: where, what we got, what we expected, what to try. This is the one
module that every other may import; of ours it asks ``reprs`` alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from typing import Literal

from armwright.reprs import (
    cut_to_line,
    escaped,
    one_line_repr,
    printable,
)


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding of a reader or of a check.

    Attributes:
        file: The file as it was named, or "<text>" for text that was handed over.
        line: Line in that file, from 1; 0 when the finding belongs to no line.
        element: Path such as ``robot/rigid-body[1]/output[1]/actuator[2]``, counted from 1
            among the siblings of the same tag; "" when it belongs to no element.
        attribute: The attribute, or "".
        message: What it is, what was expected, what to try.
        severity: "error" (nothing is loaded) or "warning" (loaded, but look).
    """

    file: str
    line: int
    element: str
    attribute: str
    message: str
    severity: Literal["error", "warning"] = "error"

    def __post_init__(self) -> None:
        """Cut what is too long to be read: a hostile file must not fill a terminal."""
        if isinstance(self.file, str) and not self.file.isascii():
            object.__setattr__(self, "file", printable(self.file))
        for name, most in (("attribute", 100), ("message", 1000)):
            text = getattr(self, name)
            if isinstance(text, str):
                object.__setattr__(self, name, _cut(text, most))

    def __str__(self) -> str:
        """Return one line: ``file:line, element, attribute: message``.

        What a file holds must not steer the terminal that shows it: signs that cannot be seen are
        spelled out.
        """
        file = _cut(self.file, 400)
        where = f"{file}:{self.line}" if self.line else file
        parts = [part for part in (where, _cut(self.element, 400), self.attribute) if part]
        return escaped(f"{', '.join(parts)}: {self.message}")

    __repr__ = one_line_repr


FaultKind = Literal[
    "lost",
    "came back",
    "ran out",
    "clock",
    "silent",
    "off track",
    "not arrived",
    "send",
    "plugin",
]


@dataclass(frozen=True, slots=True)
class ArmFault:
    """Why the control loop stopped an arm, and how it left it.

    Attributes:
        kind: "lost" (no feedback), "came back" (the loop stood still), "ran out" (so did the
            commands: the modules had let go), "clock" (time leaps, runs back or stands still),
            "silent" (a module does not say where it is), "off track", "not arrived", "send"
            (a command was refused) or "plugin".
        joint: Name of the joint that it was about; "" for all of them.
        value: What was found: a gap or a time [s], a distance [rad or m]; nan where there is none.
        bound: What would have done; nan where there is none.
        time: When on the path, from its start [s].
        held: Whether the arm was told to hold at the end.
    """

    kind: FaultKind
    joint: str
    value: float
    bound: float
    time: float
    held: bool

    __repr__ = one_line_repr


def _cut(text: str, most: int) -> str:
    """Return a text without its middle when it is longer than so many characters."""
    half = most // 2 - 3
    return text if len(text) <= most else f"{text[:half]} ... {text[-half:]}"


def did_you_mean(got: object, known: Iterable[str], *, most: int = 12) -> str:
    """Return " Known: a, b. Did you mean 'a'?" for the end of a message; "" if nothing is known.

    What is no text is near to nothing.
    """
    names = [_cut(str(name), 60) for name in known]
    if not names:
        return ""
    folded = got[:_LONGEST_NAME].casefold() if isinstance(got, str) else ""
    by_folded = {name.casefold(): name for name in names}
    # Comparing takes time: of very many names only those of about this length and beginning.
    alike = by_folded if len(by_folded) <= _MOST_NAMES else _alike(folded, by_folded)
    close = get_close_matches(folded, list(alike), n=1, cutoff=0.5)
    shown = ", ".join(names[:most]) + (", ..." if len(names) > most else "")
    hint = f" Did you mean {by_folded[close[0]]!r}?" if close else ""
    return f" Known: {shown}.{hint}"


_LONGEST_NAME = 60  # characters of a name that is compared
_MOST_NAMES = 100


def _alike(got: str, names: Iterable[str]) -> list[str]:
    """Return the names that may be near to another one; not more than can be compared in time."""
    found = (name for name in names if abs(len(name) - len(got)) <= 2 and name[:2] == got[:2])
    return list(islice(found, _MOST_NAMES))


class ArmwrightError(Exception):
    """Base of every error that Armwright raises on purpose."""

    def __repr__(self) -> str:
        """Return class and message in one line of at most 200 characters; ``str`` is whole."""
        return cut_to_line(super().__repr__())


class _FileError(ArmwrightError, ValueError):
    """A file that cannot be used; carries all findings, errors and warnings.

    Attributes:
        problems: Every finding, in document order.
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        """Collect the findings; the message lists the errors, one per line."""
        self.problems: tuple[Problem, ...] = tuple(problems)
        errors = [str(problem) for problem in self.problems if problem.severity == "error"]
        super().__init__("\n".join(errors))

    def __reduce__(self) -> tuple[type, tuple[tuple[Problem, ...]]]:
        """Pickle by the findings, so that the error crosses process borders whole."""
        return type(self), (self.problems,)


class HrdfError(_FileError):
    """A robot description that cannot be used; carries all findings, errors and warnings.

    Attributes:
        problems: Every finding, in document order.
    """


class HrdfSyntaxError(HrdfError):
    """The text is not well-formed XML, uses what is refused (DTD), or is over a limit."""


class HrdfVersionError(HrdfError):
    """The version is unknown, or the file uses something newer than its version."""


class UnknownPartError(HrdfError):
    """A part type that the catalog does not have."""


class InterfaceMismatchError(HrdfError):
    """Two neighboring parts whose interfaces do not fit."""


class ModelError(ArmwrightError, ValueError):
    """An argument that does not fit the model: shape, value, frame or request."""


class FrameNotFoundError(ModelError, LookupError):
    """No frame, element or tag of that name, type or number."""


class JointVectorError(ModelError):
    """Joint values of the wrong length or type, or not finite."""


class ModelFileError(ModelError):
    """A saved model that cannot be read: damaged, of another version, or something else."""


class WrongTypeError(ArmwrightError, TypeError):
    """An argument that is of no kind that the call takes, or by a name that it does not know."""


class IKError(ArmwrightError):
    """Base of the errors of inverse kinematics."""


class ObjectiveError(IKError, ValueError):
    """An objective, a limit or a target that is not usable."""


class IKNotConvergedError(IKError):
    """Raised by ``IKResult.raise_for_status`` when the target was not reached.

    Attributes:
        result: The result that did not succeed, or None.
    """

    def __init__(self, message: str, result: object = None) -> None:
        """Keep the result beside the message."""
        super().__init__(message)
        self.result = result


class TrajectoryError(ArmwrightError, ValueError):
    """Waypoints, times or limits that no trajectory can have."""


class ConfigError(_FileError):
    """A robot configuration file that cannot be used; carries all findings.

    Attributes:
        problems: Every finding, in document order.
    """


class GainsError(ArmwrightError, ValueError):
    """A gains file that cannot be used."""


class LogError(ArmwrightError, ValueError):
    """A log or recording that cannot be used."""


class DrawingError(ArmwrightError, ValueError):
    """A style, axes or picture file that cannot be used."""


class FileWriteError(ArmwrightError, OSError):
    """A file that cannot be written: its name, its folder, what is there already, or the disk.

    What was there before is as it was.
    """

    def __str__(self) -> str:
        """Return one line: the file, and what is wrong."""
        message = str(self.strerror or "cannot be written")
        if self.filename is None:
            return message
        return f"{_cut(printable(self.filename), 400)}: {_cut(message, 1000)}"


class DeviceError(ArmwrightError, RuntimeError):
    """Base of the errors of actuators, real or simulated."""


class ActuatorNotFoundError(DeviceError):
    """A module that was asked for was not seen on the network."""


class FeedbackTimeoutError(DeviceError, TimeoutError):
    """No feedback within the time given."""


class CommandRejectedError(DeviceError, ValueError):
    """A command or a setting that a group does not take: its length, its numbers, its range."""


class SafetyLimitError(DeviceError):
    """A command or state beyond a safety limit."""


class DeviceStateError(DeviceError):
    """A device used in a state that does not allow it, such as after ``close``."""


class PluginError(DeviceError):
    """A plugin of the control loop that raised, or returned no efforts; the message names it."""


class ArmFaultError(DeviceError):
    """The control loop stopped the arm; the message says why, and what the arm does now.

    Attributes:
        fault: The same as values.
    """

    def __init__(self, message: str, fault: ArmFault) -> None:
        """Keep the values beside the message."""
        super().__init__(message)
        self.fault = fault

    def __reduce__(self) -> tuple[type, tuple[str, ArmFault]]:
        """Pickle with the fault, so that the error crosses process borders whole."""
        return type(self), (str(self), self.fault)


class FeedbackLostError(ArmFaultError, FeedbackTimeoutError):
    """Feedback stayed away for so long that the control loop stopped the arm."""


class PluginFaultError(ArmFaultError, PluginError):
    """A plugin failed, and the control loop stopped the arm."""


class BackendUnavailableError(DeviceError, ImportError):
    """An optional package is missing or cannot be loaded; the message says how to install it."""
