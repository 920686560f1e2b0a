"""The findings of one read: collected in order, raised together as one error."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

from armwright.errors import (
    HrdfError,
    HrdfSyntaxError,
    HrdfVersionError,
    InterfaceMismatchError,
    Problem,
    UnknownPartError,
    did_you_mean,
)

from .limits import MAX_NEAR, MAX_PROBLEMS

Kind = Literal["rule", "syntax", "version", "part", "interface"]

_CLASSES: dict[Kind, type[HrdfError]] = {
    "rule": HrdfError,
    "syntax": HrdfSyntaxError,
    "version": HrdfVersionError,
    "part": UnknownPartError,
    "interface": InterfaceMismatchError,
}


class Located(Protocol):
    """Anything with a place in a file: a node of a tree, an element of a robot."""

    @property
    def file(self) -> str:
        """File, as it was named."""

    @property
    def line(self) -> int:
        """Line, from 1; 0 for none."""

    @property
    def path(self) -> str:
        """Element path."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a file.

    Attributes:
        file: File, as it was named.
        line: Line, from 1.
        path: Element path, or keys.
    """

    file: str = ""
    line: int = 0
    path: str = ""

    @classmethod
    def of(cls, located: Located) -> "Spot":
        """Return the place of something."""
        return cls(located.file, located.line, located.path)


class Findings:
    """Errors and warnings in the order they were found, each once."""

    def __init__(self) -> None:
        """Start without findings."""
        self._kinds: dict[Problem, Kind] = {}
        self._counts = {"error": 0, "warning": 0}
        self._errors = 0

    def error(
        self, where: Located, message: str, *, attribute: str = "", kind: Kind = "rule"
    ) -> None:
        """Note something that makes the file unusable."""
        self.add(Problem(where.file, where.line, where.path, attribute, message), kind)

    def warning(self, where: Located, message: str, *, attribute: str = "") -> None:
        """Note something doubtful."""
        self.add(Problem(where.file, where.line, where.path, attribute, message, "warning"), "rule")

    def add(self, problem: Problem, kind: Kind = "rule") -> None:
        """Note a finding; one that is there already is told once."""
        self._errors += problem.severity == "error"
        if problem in self._kinds:
            return
        self._counts[problem.severity] += 1
        if self._counts[problem.severity] <= MAX_PROBLEMS:
            self._kinds[problem] = kind

    def near(self, got: str, known: Iterable[str], *, most: int = 12) -> str:
        """Return what ``did_you_mean`` says, for as many findings as anybody reads.

        Near names take time, and a hostile file has thousands of wrong ones.
        """
        return did_you_mean(got, known, most=most) if self._counts["error"] < MAX_NEAR else ""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Every finding, up to a bound; beyond it their number."""
        found = tuple(self._kinds)
        severities: tuple[Literal["error", "warning"], ...] = ("error", "warning")
        for severity in severities:
            more = self._counts[severity] - MAX_PROBLEMS
            if more > 0:
                text = f"and {more} more {severity}s"
                found += (Problem(found[-1].file, 0, "", "", text, severity),)
        return found

    @property
    def error_count(self) -> int:
        """How often an error was noted: those beyond the bound too, and each time it was found.

        Whether an element is good is seen by comparing this before and after it, and an element
        of a file that is included twice is as bad the second time.
        """
        return self._errors

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """The findings that do not make the file unusable."""
        return tuple(problem for problem in self.problems if problem.severity == "warning")

    def raise_errors(self) -> None:
        """Raise one error with all findings, if any of them is an error.

        Raises:
            HrdfError: Its subclass when all errors are of that one kind.
        """
        kinds = {kind for problem, kind in self._kinds.items() if problem.severity == "error"}
        if kinds:
            raise error_of(self.problems, kinds)


def error_of(problems: Iterable[Problem], kinds: Iterable[Kind]) -> HrdfError:
    """Make the error for findings of these kinds."""
    distinct = set(kinds)
    cls = _CLASSES[distinct.pop()] if len(distinct) == 1 else HrdfError
    return cls(tuple(problems))
