"""Columns of the kernels' tables have one home, and its page says what they are."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armwright.kinematics
from armwright.kinematics import RobotModel, robot
from armwright.kinematics._kernels import layout

FOLDER = Path(armwright.kinematics.__file__).parent / "_kernels"
FILES = sorted(path for path in FOLDER.glob("*.py") if path.name != "layout.py")
CONSTANTS = {name: value for name, value in vars(layout).items() if name.isupper()}


def tables() -> Iterator[list[tuple[int, int, str]]]:
    """First column, one past the last (or -1 where it is open) and name, table by table."""
    rows: list[tuple[int, int, str]] = []
    assert layout.__doc__ is not None
    for line in [*layout.__doc__.splitlines(), ""]:
        found = re.match(r"\| (\d+)(-(\d+)?)? \| ([A-Z_]+) \| \S", line)
        if found:
            first = int(found[1])
            last = first if found[2] is None else int(found[3] or -2)
            rows.append((first, last + 1, found[4]))
        elif rows and not line.startswith("|"):
            yield rows
            rows = []


def assigned(tree: ast.Module) -> Iterator[str]:
    """Names that a module's statements outside functions assign."""
    for statement in tree.body:
        for node in ast.walk(statement) if not isinstance(statement, ast.FunctionDef) else ():
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_kernel_file_declares_a_column_again(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    again = CONSTANTS.keys() & set(assigned(tree))
    assert not again, "import it from layout.py, or give the column of this file another name"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_stack_memory_is_as_large_as_its_shape(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "carray"):
            continue
        memory, shape = node.args
        if isinstance(memory, ast.Call) and ast.unparse(memory.func) == "stack":
            count: Any = eval(ast.unparse(memory.args[0]))
            assert count == np.prod(eval(ast.unparse(shape))), f"{path.name}:{node.lineno}"


def test_the_page_names_every_constant_once_with_its_number() -> None:
    told = {name: first for table in tables() for first, _, name in table}
    assert sum(len(table) for table in tables()) == len(told)
    assert told == CONSTANTS


def test_columns_of_a_table_do_not_overlap() -> None:
    for table in tables():
        for (_, end, name), (first, _, after) in pairwise(table):
            if {name, after} != {"LAST", "GRAVITY"} and {name, after} != {"GRAVITY", "SCALE"}:
                assert first >= end > 0, f"{name} and {after}"


def test_python_slices_follow_the_layout() -> None:
    spans = {name: (first, end) for table in tables() for first, end, name in table}
    for name in ("PLACEMENT", "FIRST_MOMENT", "SECOND_MOMENTS", "GRAVITY"):
        columns = getattr(robot, name)
        assert (columns.start, columns.stop) == spans[name]
    assert (robot.POSES.start, robot.POSES.stop) == spans["TERMS_POSES"]
    for name in ("LAST", "MASS", "PARENT", "ROTOR", "SCALE", "SLIDES"):
        assert getattr(robot, name) == CONSTANTS[name]


def test_tables_have_the_widths_that_the_page_says(planar: RobotModel) -> None:
    assert planar._rows.shape == (planar.dof + 1, layout.ROW_WIDTH)
    for table in planar._compiled.frames.values():
        assert table.shape[1] == layout.FRAME_WIDTH
    table = planar._compiled.frames[next(iter(planar._compiled.frames))]
    assert robot.chain_to(planar._rows, table[-1]).shape[1] == layout.CHAIN_WIDTH
