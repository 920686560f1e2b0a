"""Some sixty arguments that nobody should give, and what has to come of them.

Each value is made anew for each call, so that a generator or a list that was emptied by one call
does not spare the next. ``outcome`` calls something and says in a word what went wrong: "" for a
normal return or an error of ours.
"""

import datetime
import signal
import time
import traceback
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import Path
from types import FrameType as StackFrame
from typing import Any

import numpy as np

from armwright.errors import ArmwrightError

MA: Any = np.ma  # untyped in numpy 1
SECONDS = 60.0  # a guard against calls that never end; slow machines are no fault
LONGEST = 2000  # characters of a message about one argument


class Color(Enum):
    """An enumeration that means nothing here."""

    RED = "red"


class Series:
    """Like a column of a table: it has ``values``, and numpy takes it for an array."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values, dtype=float)
        self.index = list("abcdef")

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, key: Any) -> Any:
        return self.values[key]

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array(self.values, dtype=dtype)

    def __eq__(self, other: object) -> Any:
        return self.values == other

    __hash__ = None  # type: ignore[assignment]


class Undecided:
    """Says neither yes nor no, nor what it looks like."""

    def __bool__(self) -> bool:
        raise ValueError("neither true nor false")


class Same:
    """Equal to everything, and to be hashed like nothing."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


def _read_only() -> Any:
    array = np.zeros(6)
    array.setflags(write=False)
    return array


def _holds_itself() -> list[Any]:
    endless: list[Any] = []
    endless.append(endless)
    return endless


def _nested(depth: int) -> list[Any]:
    nested: list[Any] = []
    for _ in range(depth):
        nested = [nested]
    return nested


ODD: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "True": lambda: True,
    "np.False_": lambda: np.False_,
    "empty text": lambda: "",
    "text": lambda: "text",
    "a number in text": lambda: "1.5",
    "long text": lambda: "x" * 100_000,
    "lines": lambda: "a\nb\x00c",
    "lone surrogate": lambda: "\ud800",
    "bytes": lambda: b"x",
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "-1": lambda: -1,
    "0": lambda: 0,
    "7": lambda: 7,
    "0.5": lambda: 0.5,
    "-0.0": lambda: -0.0,
    "1e300": lambda: 1e300,
    "1e-320": lambda: 1e-320,
    "2**63": lambda: 2**63,
    "10**400": lambda: 10**400,
    "-10**400": lambda: -(10**400),
    "10**5000": lambda: 10**5000,
    "complex": lambda: 1j,
    "np.float64": lambda: np.float64(0.5),
    "np.int8": lambda: np.int8(3),
    "Fraction": lambda: Fraction(1, 3),
    "huge Fraction": lambda: Fraction(10**400, 3),
    "Decimal": lambda: Decimal("0.1"),
    "Decimal sNaN": lambda: Decimal("sNaN"),
    "object": lambda: object(),
    "class": lambda: dict,
    "lambda": lambda: lambda *_, **__: None,
    "module": lambda: np,
    "Enum": lambda: Color.RED,
    "Ellipsis": lambda: ...,
    "slice": lambda: slice(None),
    "range": lambda: range(6),
    "date": lambda: datetime.date(2020, 1, 1),
    "undecided": Undecided,
    "equal to all": Same,
    "[]": lambda: [],
    "()": lambda: (),
    "{}": lambda: {},
    "set": lambda: {1.0, 2.0},
    "dict of text": lambda: {"a": 1},
    "dict of lists": lambda: {"J1_base": [1, 2], 3: None},
    "OrderedDict": lambda: OrderedDict(x=1.0),
    "list of None": lambda: [None] * 6,
    "list of texts": lambda: ["a"] * 6,
    "list of lists": lambda: [[0.0] * 6] * 6,
    "list of dicts": lambda: [{}, {"a": 1}],
    "list of objects": lambda: [object()] * 6,
    "list of truths": lambda: [True] * 6,
    "list with 10**400": lambda: [10**400] * 6,
    "ragged": lambda: [[0.0, 1.0], [2.0]],
    "holds itself": _holds_itself,
    "nested 50": lambda: _nested(50),
    "nested 5000": lambda: _nested(5000),
    "array of none": lambda: np.zeros(0),
    "array without axes": lambda: np.array(0.5),
    "array of six": lambda: np.zeros(6),
    "array of four by four": lambda: np.eye(4),
    "array of nan": lambda: np.full(6, np.nan),
    "array of 1e300": lambda: np.full(6, 1e300),
    "array of three axes": lambda: np.zeros((2, 3, 6)),
    "array of no rows": lambda: np.zeros((0, 6)),
    "array of truths": lambda: np.ones(6, bool),
    "array of objects": lambda: np.array([None, "a", 1.0, [], {}, 2], dtype=object),
    "array of texts": lambda: np.array(["a"] * 6),
    "array of dates": lambda: np.zeros(6, "datetime64[s]"),
    "array of complex": lambda: np.zeros(6, complex),
    "array of records": lambda: np.zeros(6, dtype=[("x", float), ("y", int)]),
    "masked": lambda: MA.array(np.zeros(6), mask=[True] + [False] * 5),
    "masked alone": lambda: MA.masked,
    "float32": lambda: np.zeros(6, np.float32),
    "big-endian": lambda: np.zeros(6, ">f8"),
    "read-only": _read_only,
    "matrix": lambda: np.zeros((6, 6)).view(np.recarray),
    "huge integers": lambda: np.full(6, 2**63 - 1),
    "series": lambda: Series([0.0] * 6),
    "generator": lambda: (x for x in [0.0] * 6),
    "iterator": lambda: iter(["a", "b"]),
    "file not there": lambda: Path("/nonexistent/file"),
    "folder": lambda: Path("/"),
    "device": lambda: "/dev/null",
    "path with NUL": lambda: Path("a\x00b"),
    "path too long": lambda: Path("p" * 5000),
    "path of bytes": lambda: b"/nonexistent/file",
}
"""What is given instead of an argument, by its name in a message."""


class TooLongError(BaseException):
    """A call took longer than it may."""


@contextmanager
def within_seconds(seconds: float) -> Iterator[None]:
    """Interrupt what takes longer, where there is such a signal."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(_number: int, _stack: StackFrame | None) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def outcome(call: Callable[[], object], allowed: tuple[type[Exception], ...] = ()) -> str:
    """Call something; return what is wrong with how it ended, "" for nothing."""
    start = time.monotonic()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with within_seconds(SECONDS):
                result = call()
                if type(result).__module__.startswith("armwright"):
                    assert len(repr(result)) < LONGEST
        except ArmwrightError as error:
            text = str(error)
            problems = max(1, len(getattr(error, "problems", ())))
            if len(text) > LONGEST * problems:
                return f"a message of {len(text)} characters"
            try:
                text.encode()
            except UnicodeEncodeError:
                return "a message that cannot be printed"
        except allowed:
            pass
        except TooLongError:
            return f"more than {SECONDS} s"
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return f"{type(error).__name__}: {_said(error)}"
    if time.monotonic() - start > SECONDS:
        return f"more than {SECONDS} s"
    odd = [one for one in caught if one.category is not UserWarning]
    return f"{odd[0].category.__name__}: {odd[0].message}"[:160] if odd else ""


def _said(error: BaseException) -> str:
    """Return what an error says, if it can say it, and it can be printed."""
    try:
        text = " ".join(str(error).split())[:150]
    except (ValueError, RecursionError):
        return "cannot be said"
    *_, last = traceback.extract_tb(error.__traceback__)
    where = f"{Path(last.filename).name}:{last.lineno}"
    return f"{text.encode('ascii', 'backslashreplace').decode()} ({where})"
