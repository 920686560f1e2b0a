"""Rows of the tables of migration in the documents, and what runs each on both sides."""

import re
from collections.abc import Callable
from typing import Any

from tests.project.sources import ROOT

Run = Callable[[Any], None]


def rows_of(document: str, heading: str) -> dict[str, str]:
    """Return the right cell of every row of the table below a heading, by what stands first left.

    That is the first piece of code, or the text where there is none.
    """
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    level = re.match(r"#+", heading)
    assert level is not None
    section = text.split(f"\n{heading}\n")[1]
    section = re.split(rf"\n#{{1,{len(level.group())}}} ", section)[0]
    found: dict[str, str] = {}
    lines = section.splitlines()
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        cells = line.strip().strip("|").split(" | ")
        if not line.startswith("| ") or len(cells) < 2 or below.startswith("|--"):
            continue  # no row, or the head of the table
        first = re.search(r"`([^`]+)`", cells[0])
        key = first.group(1) if first else cells[0].strip()
        assert key not in found, f"two rows begin with {key}"
        found[key] = cells[1]
    assert found
    return found


class Table:
    """The runs of one table: ``@table("first code of the row")`` above each."""

    def __init__(self, document: str, heading: str) -> None:
        self.rows = rows_of(document, heading)
        self.runs: dict[str, Run] = {}

    def __call__(self, key: str) -> Callable[[Run], Run]:
        """Register the run of a row."""

        def register(run: Run) -> Run:
            assert key in self.rows, f"no row begins with {key}"
            assert key not in self.runs, key
            self.runs[key] = run
            return run

        return register

    def missing(self) -> set[str]:
        """Return the rows that nothing runs."""
        return set(self.rows) - set(self.runs)
