"""Imports point one way, and each heavy package has one home; read from the syntax trees."""

import ast
import sys

import pytest

from tests.project.sources import (
    ALL_CODE,
    CODE,
    FOLDERS,
    ROOT,
    imports,
    imports_in,
    name,
    python_files,
)

HOMES = {
    "hebi": ("devices/hebi/",),
    "mujoco": ("devices/simulation/",),
    "matplotlib": ("gui/",),
    "mpl_toolkits": ("gui/",),
    "xmltodict": ("hrdf/reading/xml.py",),
    "yaml": ("hrdf/",),
    "numba": ("/_kernels/", "kinematics/engine.py"),
    "scipy": ("kinematics/", "ik/", "devices/"),
    "typer": ("armwright/cli.py", "armwright/commands/"),
    "rich": ("armwright/cli.py", "armwright/commands/", "ik/solving/batch.py"),  # its progress bar
    "numpy": ("",),
}


@pytest.mark.parametrize("folder", FOLDERS)
def test_imports_point_down(folder: str) -> None:
    allowed = {f"armwright.{lower}" for lower in FOLDERS[: FOLDERS.index(folder) + 1]}
    allowed |= {"armwright.copies", "armwright.errors", "armwright.hooks", "armwright.reprs"}
    wrong = [
        f"{name(path)}:{found.line} imports {found.module}"
        for path in python_files(folder)
        for found in imports(path)
        if found.module.split(".")[0] == "armwright"
        and ".".join(found.module.split(".")[:2]) not in allowed
    ]
    assert not wrong, f"{folder} may import {sorted(allowed)} of ours"


def test_errors_and_hooks_import_nothing_of_ours() -> None:
    def ours(path: str) -> list[str]:
        return [one.module for one in imports(ROOT / path) if "armwright" in one.module]

    assert ours("armwright/errors.py") == ["armwright.reprs"]
    assert ours("armwright/reprs.py") == []
    assert ours("armwright/copies.py") == []
    assert ours("armwright/hooks.py") == ["armwright.errors"]


def test_commands_are_imported_by_the_command_line_alone() -> None:
    wrong = [
        f"{name(path)}:{found.line} imports {found.module}"
        for path in python_files(*CODE)
        for found in imports(path)
        if found.module.startswith("armwright.commands")
        and name(path) != "armwright/cli.py"
        and not name(path).startswith("armwright/commands/")
    ]
    assert not wrong


@pytest.mark.parametrize("folder", ALL_CODE)
def test_no_bare_import_of_a_folder(folder: str) -> None:
    # `import hrdf` from the root would load a second copy, whose classes differ.
    wrong = [
        f"{name(path)}:{found.line} imports {found.module}: write armwright.{found.module}"
        for path in python_files(folder)
        for found in imports(path)
        if found.module.split(".")[0] in FOLDERS
    ]
    assert not wrong


@pytest.mark.parametrize("package", sorted(HOMES))
def test_heavy_packages_have_one_home(package: str) -> None:
    wrong = [
        f"{name(path)}:{found.line}"
        for path in python_files(*CODE)
        for found in imports(path)
        if found.module.split(".")[0] == package and not at_home(name(path), HOMES[package])
    ]
    assert not wrong, f"{package} belongs to {HOMES[package]}"


def at_home(path: str, homes: tuple[str, ...]) -> bool:
    return any(path.startswith(home) or (home.startswith("/") and home in path) for home in homes)


def test_every_third_party_import_is_a_known_dependency() -> None:
    known = {*HOMES, "armwright", *sys.stdlib_module_names}
    wrong = [
        f"{name(path)}:{found.line} imports {found.module}"
        for path in python_files(*CODE)
        for found in imports(path)
        if found.module.split(".")[0] not in known
    ]
    assert not wrong


def test_the_reader_of_imports_sees_every_form() -> None:
    text = (
        "import numpy as np\n"
        "from armwright import hrdf, kinematics\n"
        "from armwright.hrdf import read\n"
        "from . import objectives\n"
        "from .result import IKResult\n"
        "def late():\n"
        "    import scipy.optimize\n"
        "    import_module('hebi')\n"
    )
    assert [module for module, _ in sorted(imports_in(ast.parse(text), "armwright.ik"))] == [
        "armwright.hrdf",
        "armwright.hrdf",
        "armwright.ik.objectives",
        "armwright.ik.result",
        "armwright.kinematics",
        "hebi",
        "numpy",
        "scipy.optimize",
    ]
