"""How a command answers: a ``Report``, printed for people or as one JSON object.

Tables that are wider than the terminal are printed in parts, one below the other, each with the
first column; no cell is cut. Where COLUMNS is set it is their width, in a pipe and a file too, as
with other programs that use rich. Without it, what goes there does not depend on the width of any
terminal; nor does other text. Colors appear on a terminal alone (and not with NO_COLOR); what the
terminal cannot show, such as control characters in a file's text, is printed as an escape.
"""

import json
import math
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from pathlib import PurePath
from typing import IO, TYPE_CHECKING, Any, TextIO

import numpy as np

from armwright.errors import ArmwrightError
from armwright.reprs import escaped

if TYPE_CHECKING:
    from rich.console import Console

_WIDE = 10_000  # columns; more than any table here needs
_BETWEEN = 3  # blanks between two columns


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text in one of rich's styles, such as "bold red"."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings; columns whose heading starts with ">" are aligned right."""

    headings: tuple[str, ...]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Report:
    """The answer of a command.

    Attributes:
        data: What ``--json`` prints: plain values, arrays, paths, enums, dataclasses.
        blocks: What people read, from top to bottom.
        exit_code: 0, or 1 for a negative answer.
    """

    data: Mapping[str, object]
    blocks: Sequence[Line | Table]
    exit_code: int = 0


class StreamError(ArmwrightError):
    """Standard output does not take the answer, such as a file on a full disk."""


@contextmanager
def to_stdout() -> Iterator[None]:
    """Tell what goes wrong while printing from what goes wrong while computing.

    Raises:
        StreamError: If standard output does not take what is printed.
        BrokenPipeError: If nobody reads it any more.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StreamError(f"standard output: {error.strerror or error}") from error


def print_report(report: Report, *, as_json: bool) -> None:
    """Print the answer to standard output; raises as ``to_stdout``."""
    if as_json:
        print_json(report.data)
        return
    console = _console(sys.stdout)
    with to_stdout():
        for block in report.blocks:
            if isinstance(block, Line):
                console.print(escaped(block.text), style=block.style or None, soft_wrap=True)
            else:
                _print_table(console, block)


def print_json(data: Mapping[str, object]) -> None:
    """Print one JSON object on one line; numbers that are not finite become null."""
    text = json.dumps(jsonable(data), allow_nan=False)
    with to_stdout():
        print(text)


def jsonable(value: Any) -> Any:
    """Return the same in the types that JSON has."""
    if isinstance(value, Enum):
        return value.name
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, np.ndarray | np.generic):
        return jsonable(value.tolist())
    if isinstance(value, PurePath):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): jsonable(item) for key, item in value.items()}
    if is_dataclass(value):
        return {field.name: jsonable(getattr(value, field.name)) for field in fields(value)}
    return [jsonable(item) for item in value]


def complain(lines: Sequence[str], *, level: str = "error") -> None:
    """Print errors or warnings to standard error, one line each; where that fails, nothing."""
    if sys.stderr is None:
        return
    with suppress(OSError):  # a full disk: the exit code and the answer still speak
        for line in lines:
            print(f"{level}: {escaped(line)}", file=sys.stderr)


@contextmanager
def progress(total: float, description: str) -> Iterator[Callable[[float, str], None]]:
    """Show a progress bar on standard error, when that is a terminal.

    Args:
        total: What is to be done.
        description: The words in front of the bar.

    Yields:
        A function to be told how much is done, and the words from now on.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, words: None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    console = _console(sys.stderr, wide=False)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(description, total=total)
        yield lambda done, words: bar.update(task, completed=done, description=words)


def number(value: float, digits: int = 4) -> str:
    """Return a number with fixed decimals, never "-0.0000"; "-" when it is not finite."""
    if not math.isfinite(value):
        return "-"
    return f"{round(value, digits) + 0.0:.{digits}f}"


def numbers(values: Any, digits: int = 4) -> str:
    """Return several numbers with blanks between them."""
    return " ".join(number(float(value), digits) for value in values)


def prepare_streams() -> None:
    """Let any text through, whatever the encoding: what it cannot hold is printed as escapes."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - stays open
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _print_table(console: "Console", table: Table) -> None:
    """Print a table as wide as its text, in parts where the terminal is narrower."""
    parts = table_parts(table, _width(console.file))
    for number, part in enumerate(parts):
        if number:
            console.file.write("\n")
        _print_part(console, part)


def table_parts(table: Table, width: int) -> list[Table]:
    """Split a table into parts that fit a width, each with the first column.

    A part has two columns at least, however wide they are.
    """
    columns = list(zip(table.headings, *table.rows, strict=True))
    wide = [
        max(
            cell_width(escaped(cell.removeprefix(">") if row == 0 else cell))
            for row, cell in enumerate(c)
        )
        for c in columns
    ]
    parts: list[list[int]] = []
    for column in range(1, len(columns)):
        if parts:
            taken = sum(wide[one] + _BETWEEN for one in (*parts[-1], column)) - _BETWEEN
        if not parts or (taken > width and len(parts[-1]) > 1):
            parts.append([0])
        parts[-1].append(column)
    if len(parts) < 2:
        return [table]
    return [
        Table(
            tuple(table.headings[one] for one in part),
            [[row[one] for one in part] for row in table.rows],
        )
        for part in parts
    ]


def cell_width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    from rich.cells import cell_len

    return cell_len(text)


def _width(file: IO[str]) -> int:
    """Return COLUMNS, else the width of the terminal that a file is; wide where it is none."""
    if file.isatty():
        return shutil.get_terminal_size().columns
    return shutil.get_terminal_size((_WIDE, 25)).columns if os.environ.get("COLUMNS") else _WIDE


def _print_part(console: "Console", table: Table) -> None:
    """Print a table as wide as its text."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in table.headings:
        right = heading.startswith(">")
        shown.add_column(
            Text(heading.removeprefix(">")), justify="right" if right else "left", no_wrap=True
        )
    for row in table.rows:
        shown.add_row(*(Text(escaped(cell)) for cell in row))
    with console.capture() as printed:
        console.print(shown)
    for line in printed.get().splitlines():
        console.file.write(f"{line.rstrip()}\n")  # rich pads the last column


def _console(file: TextIO, *, wide: bool = True) -> "Console":
    """Return a console that takes text as it is: no markup, no highlighting, no emoji codes."""
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # rich would exit with 1, which is a negative answer here

    # Without a height rich would take 80 columns for any terminal that calls itself dumb.
    width, height = (_WIDE, 25) if wide else (None, None)
    return Plain(file=file, width=width, height=height, markup=False, highlight=False, emoji=False)
