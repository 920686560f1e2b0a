"""Each folder offers an alphabetical list of names, all there, none more, few."""

import ast
import importlib
import types

import pytest

from tests.project.sources import FOLDERS, ROOT, tree

PACKAGES = ["armwright", *(f"armwright.{folder}" for folder in FOLDERS)]
MOST = 25


@pytest.mark.parametrize("package", PACKAGES)
def test_all_is_alphabetical_and_short(package: str) -> None:
    names = importlib.import_module(package).__all__
    # Constants come first, as ruff sorts them.
    assert list(names) == sorted(set(names), key=lambda name: (not name.isupper(), name))
    assert len(names) < MOST, "offer what few need from a room: armwright.devices.trajectory"


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_is_there_and_documented(package: str) -> None:
    module = importlib.import_module(package)
    for name in module.__all__:
        value = getattr(module, name)
        assert not name.startswith("_")
        assert name in dir(module)
        if callable(value) and not isinstance(value, types.GenericAlias):
            assert (value.__doc__ or "").strip(), f"{package}.{name} has no docstring"


@pytest.mark.parametrize("package", PACKAGES)
def test_public_names_are_exactly_the_list(package: str) -> None:
    # A fresh look, since tests that ran before may have loaded submodules into the namespace.
    folder = package.partition(".")[2] or "armwright"
    public = set()
    for node in tree(ROOT / folder / "__init__.py").body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            public |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            public.add(node.name)
        elif isinstance(node, ast.Assign):
            public |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            public.add(node.target.id)
    public = {name for name in public if not name.startswith("_") and name != "TYPE_CHECKING"}
    extra = public - set(importlib.import_module(package).__all__)
    assert not extra, "name these with an underscore, or list them in __all__"


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_module_hides_a_public_name(folder: str) -> None:
    # Loading armwright/ik/solve.py late would put that module in the place of ik.solve, unless
    # ik/__init__.py itself takes solve from it.
    submodules = {path.stem for path in (ROOT / folder).iterdir() if path.name[0] not in "_."}
    from_inside = {
        alias.asname or alias.name
        for node in ast.walk(tree(ROOT / folder / "__init__.py"))
        if isinstance(node, ast.ImportFrom) and node.module  # not `from . import trajectory`
        for alias in node.names
        if node.module != alias.name
    }
    assert not submodules & from_inside


def test_star_import_gives_the_list() -> None:
    space: dict[str, object] = {}
    exec("from armwright import *", space)
    import armwright

    assert set(space) - {"__builtins__"} == set(armwright.__all__)
