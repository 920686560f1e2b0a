"""The project's own files, as the tests of this folder read them."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("hrdf", "kinematics", "ik", "devices", "gui")  # lowest first: imports point down
CODE = ("armwright", *FOLDERS)
IMPORTERS = ("import_module", "_import_module", "__import__", "importorskip")
ALL_CODE = (*CODE, "tests", "examples", "benchmarks", "scripts")


class Import(NamedTuple):
    """One imported module: a dotted absolute name, with the line that asks for it."""

    module: str
    line: int


def python_files(*folders: str) -> list[Path]:
    """Return the Python files below some folders of the checkout, links not followed."""
    found = []
    for folder in folders:
        found += [
            path
            for path in sorted((ROOT / folder).rglob("*.py"))
            if not any(parent.is_symlink() for parent in path.parents)
        ]
    return found


def name(path: Path) -> str:
    """Return a path as people write it, relative to the checkout."""
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def package_of(path: Path) -> str:
    """Return the package whose relative imports a file uses, such as "armwright.ik"."""
    parts = path.relative_to(ROOT).parts[:-1]
    return ".".join(parts if parts[0] == "armwright" else ("armwright", *parts))


def imports(path: Path) -> list[Import]:
    """Return every module a file imports, anywhere in it; see `imports_in`."""
    return list(imports_in(tree(path), package_of(path)))


def imports_in(module: ast.Module, package: str) -> Iterator[Import]:
    """Give every module that is imported, anywhere; relative names are made absolute.

    ``from armwright import ik`` counts as ``armwright.ik``, ``from .pose import Pose`` in a file
    of ``hrdf/`` as ``armwright.hrdf.pose``. Modules named by a string in a call of
    ``import_module`` count too.
    """
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = node.module or ""
            if node.level:
                parts = package.split(".")
                base = parts[: len(parts) - (node.level - 1)]
                source = ".".join([*base, *([source] if source else [])])
            if source == "armwright" or not node.module:
                yield from (Import(f"{source}.{alias.name}", node.lineno) for alias in node.names)
            else:
                yield Import(source, node.lineno)
    yield from named_by_text(module)


def named_by_text(module: ast.Module) -> Iterator[Import]:
    """Give every module that a call of ``import_module`` or the like names by a string."""
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and node.args:
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            first = node.args[0]
            if called in IMPORTERS and isinstance(first, ast.Constant):
                yield Import(str(first.value), node.lineno)


def tracked_files() -> list[Path]:
    """Return every file that git tracks and that is there; [] outside a checkout."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
        )
    except (OSError, subprocess.CalledProcessError):
        return []
    paths = [ROOT / entry for entry in listed.stdout.split("\0") if entry]
    return [path for path in paths if path.is_file() and not path.is_symlink()]


def output_of(script: str) -> list[str]:
    """Return the words that a script prints in a fresh interpreter, from the checkout."""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.split()
