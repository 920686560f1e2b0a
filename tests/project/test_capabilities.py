"""The table of abilities in docs/ is up to date, and what it names is there.

``python -m tests.project.test_capabilities`` writes the table anew.
"""

import re
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from armwright import kinematics
from tests.project.sources import ROOT, tree

SOURCE = Path(__file__).with_name("capabilities.yaml")
DOCUMENT = ROOT / "docs" / "capabilities.md"
CLASSES = {"M": "RobotModel", "S": "RobotState", "B": "ModelBuilder"}
HEAD = """# What other systems can do, and where it is here

For people who come from Pinocchio, iDynTree or XBot: one line for each thing that their models can
do, our calls for it, and the tests that show it. The calls are explained in
[dynamics](dynamics.md) and [models](models.md), where a table goes from their names to ours.

`M.` is `kinematics.RobotModel`, `S.` is `kinematics.RobotState`, `B.` is `kinematics.ModelBuilder`;
tests are in `tests/kinematics`. The table is made by `tests/project/test_capabilities.py`, which
fails when it is out of date or names what is not there.
"""


class Row(NamedTuple):
    """One ability: whose it is, its number there, what it is, our calls, what shows it."""

    system: str
    number: int
    ability: str
    calls: str
    tests: str


ROWS = [
    Row(system, number, entry["can"], entry["calls"], entry["tests"])
    for system, numbers in yaml.safe_load(SOURCE.read_text(encoding="utf-8")).items()
    for number, entries in numbers.items()
    for entry in entries
]


def render() -> str:
    """Return the document."""
    parts = [HEAD]
    for system in dict.fromkeys(row.system for row in ROWS):
        parts.append(f"\n## {system}\n\n| ability | here | shown by |\n|---|---|---|\n")
        for row in ROWS:
            if row.system != system:
                continue
            calls = ", ".join(f"`{call}`" for call in row.calls.split())
            tests = ", ".join(f"`{test_id(test)}`" for test in row.tests.split())
            parts.append(f"| {row.ability} | {calls} | {tests} |\n")
    return "".join(parts)


def test_id(test: str) -> str:
    """Return a test as pytest names it in its folder."""
    file, _, function = test.partition(":")
    return f"test_{file}.py::{function}"


test_id.__test__ = False  # type: ignore[attr-defined]


def functions(file: Path) -> set[str]:
    """Return the names of the tests of a file."""
    return {node.name for node in tree(file).body if hasattr(node, "name")}


def test_the_document_is_made_of_the_rows() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == render()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.ability[:40])
def test_calls_and_tests_exist(row: Row) -> None:
    for call in row.calls.split():
        owner, _, name = call.partition(".")
        if owner in CLASSES:
            cls = getattr(kinematics, CLASSES[owner])
            assert not name or hasattr(cls, name), call
        else:
            assert owner == "kinematics"
            assert hasattr(kinematics, name), call
    assert row.tests
    for test in row.tests.split():
        file, _, function = test.partition(":")
        path = ROOT / "tests" / "kinematics" / f"test_{file}.py"
        assert function.startswith("test_")
        assert function in functions(path), test


def wanted(shared: Path) -> list[tuple[str, int, str]]:
    """Return system, number and our names of every ability that belongs to dynamics."""
    found = []
    text = (shared / "facts" / "capabilities.md").read_text(encoding="utf-8")
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        system, number = section.partition("\n")[0].strip(), 0
        for line in section.splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if line.startswith("|") and "dynamics" in cells[-1]:
                number += 1
                found.append((system, number, cells[-2]))
    return found


@pytest.mark.shared
def test_every_ability_that_belongs_here_has_a_row(shared: Path) -> None:
    rows = wanted(shared)
    assert len(rows) == 26
    for system, number, here in rows:
        mine = [row for row in ROWS if (row.system, row.number) == (system, number)]
        assert mine, f"{system}, row {number}"
        calls = {call for row in mine for call in row.calls.split()}
        for owner, name, star in re.findall(r"\b([MS])\.([a-z_]+\b)(\*?)", here):
            there = any(
                call.startswith(f"{owner}.{name}") if star else call == f"{owner}.{name}"
                for call in calls
            )
            assert there, f"{system}, row {number}: {owner}.{name}"
    known = {(system, number) for system, number, _ in rows}
    assert {(row.system, row.number) for row in ROWS} == known


if __name__ == "__main__":
    DOCUMENT.write_text(render(), encoding="utf-8")
