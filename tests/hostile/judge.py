"""How a reader ended: accepted and usable, refused by an error of ours, or wrong in some way.

Wrong is: another exception, a warning that is none of ours, numbers that are not finite, a message
that nobody can read, too much time or memory.
"""

import contextlib
import re
import resource
import sys
import time
import traceback
import unicodedata
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from armwright.errors import ArmwrightError
from armwright.hrdf.limits import MAX_PROBLEMS
from tests.hostile.files import Case
from tests.hostile.readers import BY_NAME, Reader, WrongError
from tests.project.odd_values import TooLongError, within_seconds

LONGEST = 2000  # characters of a problem's text
SECONDS = 2.0  # of the processor, for one file
HANGING = 60.0  # seconds after which it is interrupted
MEMORY, MEMORY_PER_BYTE = 200 * 2**20, 50
_PEAK_UNIT = 1 if sys.platform == "darwin" else 1024
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True)
class Verdict:
    """What came of one file.

    Attributes:
        accepted: Whether it was read.
        wrong: What is wrong; "" for nothing.
        seconds: Processor time.
        trace: Where an exception came from; "" without one.
    """

    accepted: bool
    wrong: str
    seconds: float
    trace: str = ""

    @property
    def name(self) -> str:
        """Return "accepted", "refused" or "wrong"."""
        return "wrong" if self.wrong else "accepted" if self.accepted else "refused"


class Judge:
    """Judges one file after the other in this process.

    Attributes:
        folder: Where the files are written.
        readers: Who reads what.
    """

    def __init__(self, folder: Path, readers: dict[str, Reader] = BY_NAME) -> None:
        self.folder = folder
        self.readers = readers
        self._peak = peak_memory()

    def __call__(self, case: Case) -> Verdict:
        """Write the file, have it read, and judge."""
        path = self.folder / case.name
        path.write_bytes(case.data)
        reader = self.readers[case.reader]
        accepted, wrong, trace = False, "", ""
        odd: list[str] = []
        with _watched(odd):
            start = time.process_time()
            try:
                with within_seconds(HANGING):
                    try:
                        found = reader.read(path)
                    except ArmwrightError as error:
                        wrong = unreadable(error)
                        if not isinstance(error, reader.refuses):
                            wrong, trace = _told(error), traceback.format_exc()
                    else:
                        accepted = True
                        reader.use(found, path, case.random())
                        del found
            except TooLongError:
                wrong = f"more than {HANGING:g} s"
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                wrong, trace = _told(error), traceback.format_exc()
            seconds = time.process_time() - start
        path.unlink(missing_ok=True)
        wrong = wrong or next(iter(odd), "")
        if not wrong and seconds > SECONDS:
            wrong = f"more than {SECONDS:g} s"
        return Verdict(accepted, wrong or self._memory(len(case.data)), seconds, trace)

    def _memory(self, size: int) -> str:
        """Say whether the process has grown by more than a file of that size may cost."""
        grown = peak_memory() - self._peak
        if grown <= MEMORY + MEMORY_PER_BYTE * size:
            return ""
        self._peak += grown
        return f"memory: grown by {grown / 2**20:.0f} MB"


def peak_memory() -> int:
    """Return the most memory that this process has had [bytes]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _PEAK_UNIT


def unreadable(error: ArmwrightError) -> str:
    """Say what is wrong with an error's text, "" for nothing."""
    problems = getattr(error, "problems", None)
    lines = str(error).split("\n") if problems is None else [str(one) for one in problems]
    if not any(line.strip() for line in lines):
        return f"{type(error).__name__} says nothing"
    if len(lines) > 2 * MAX_PROBLEMS + 2:
        return f"{len(lines)} problems in one error"
    longest = max(map(len, lines))
    if longest > LONGEST:
        return f"a message of {longest} characters"
    for line in lines:
        if line.isascii() and line.isprintable():
            continue
        try:
            line.encode()
        except UnicodeEncodeError:
            return "a message that cannot be printed"
        sign = _CONTROL.search(line)
        if sign:
            return f"a message with the control character {sign.group()!r}"
        if "\n" in line:
            return "a problem of several lines"
        turned = next((s for s in line if unicodedata.bidirectional(s) in _TURNING), "")
        if turned:
            return f"a message with U+{ord(turned):04X}, which turns the text around"
    return ""


_TURNING = ("RLO", "LRO", "RLE", "LRE", "PDF", "RLI", "LRI", "FSI", "PDI")


def _told(error: BaseException) -> str:
    """Return what an exception says, and where in our code it came from."""
    if isinstance(error, WrongError):
        return f"accepted, but {error}"
    try:
        text = " ".join(str(error).split())[:150]
    except Exception:
        text = "cannot be said"
    *_, last = traceback.extract_tb(error.__traceback__)
    shown = text.encode("ascii", "backslashreplace").decode()
    return f"{type(error).__name__}: {shown} ({Path(last.filename).name}:{last.lineno})"


@contextlib.contextmanager
def _watched(odd: list[str]) -> Iterator[None]:
    """Collect warnings that are not ours, and exceptions that nobody could catch."""
    before = sys.unraisablehook

    def unraisable(what: Any) -> None:
        odd.append(f"unraisable {what.exc_type.__name__}: {what.exc_value}"[:160])

    sys.unraisablehook = unraisable
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
    finally:
        sys.unraisablehook = before
    odd += [
        f"{one.category.__name__}: {one.message}"[:160]
        for one in caught
        if one.category is not UserWarning  # ours say what is doubtful about an argument
    ]
