"""The examples in docstrings run, in every module of the package."""

import ast
import doctest
import importlib
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armwright
from tests.project.rooms import module_of
from tests.project.sources import CODE, ROOT, name, python_files, tree

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
# hebi-py and MuJoCo are optional: their modules can be imported only where those are installed.
OPTIONAL = ("armwright.devices.hebi.", "armwright.devices.simulation.")


ALL = [module_of(path) for path in python_files(*CODE) if path.name != "__main__.py"]
WITH_EXAMPLES = [
    module_of(path) for path in python_files(*CODE) if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("module", ALL)
def test_every_module_can_be_imported(module: str) -> None:
    try:
        importlib.import_module(module)
    except ImportError as error:
        if module.startswith(OPTIONAL):
            pytest.skip(str(error))
        raise


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples_in_docstrings(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # A docstring may take these for granted: `model` is the arm of six joints, `state` one of it.
    monkeypatch.chdir(ROOT)
    model = armwright.load("examples/arms/six_dof.hrdf")
    state = armwright.kinematics.RobotState(model, np.zeros(6))
    names: dict[str, Any] = {"np": np, "aw": armwright, "model": model, "state": state}
    loaded = importlib.import_module(module)
    with np.printoptions(precision=8, suppress=False):
        result = doctest.testmod(loaded, extraglobs=names, optionflags=FLAGS)
    assert result.attempted > 0, "the examples are not in docstrings that doctest sees"
    assert result.failed == 0


@pytest.mark.parametrize("path", python_files(*CODE), ids=name)
def test_every_argument_is_described(path: Path) -> None:
    # What a method gets before its brackets, the model or state, needs no words.
    # What a file says of its arguments at the top, its docstrings need not repeat.
    top = re.findall(r"^    ([\w, ]+):", ast.get_docstring(tree(path)) or "", re.MULTILINE)
    once = [one.strip() for names in top for one in names.split(",")]
    wrong = []
    for function in ast.walk(tree(path)):
        if not isinstance(function, ast.FunctionDef) or function.name.startswith("_"):
            continue
        text = ast.get_docstring(function) or ""
        if "\nArgs:\n" not in text:
            continue
        given = function.args
        names = [a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
        described = re.findall(r"^    \**(\w+):", text, re.MULTILINE)
        wrong += [
            f"{function.name}: {one}"
            for one in names
            if one not in (*described, *once, "self", "cls", "model", "state")
        ]
    assert not wrong
