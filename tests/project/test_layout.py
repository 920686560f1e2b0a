"""The checkout holds together: packages, links, file lengths, versions."""

import ast
import os
import re
import sys
from pathlib import Path

import pytest

from tests.project.sources import ALL_CODE, CODE, FOLDERS, ROOT, name, python_files, tree

PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
LONGEST = 400
LONGEST_KERNELS = 600  # one unit of the compiled code's cache


def listed_packages() -> list[str]:
    block = re.search(r"^packages = \[(.*?)^\]", PYPROJECT, re.DOTALL | re.MULTILINE)
    assert block is not None
    return re.findall(r'"([\w.]+)"', block.group(1))


def test_packages_are_the_folders_that_hold_init() -> None:
    folders = [
        path.parent.relative_to(ROOT).parts
        for path in python_files(*CODE)
        if path.name == "__init__.py"
    ]
    real = {".".join(p if p[0] == "armwright" else ("armwright", *p)) for p in folders}
    real.add("armwright.arms")  # data alone
    assert sorted(listed_packages()) == sorted(real)


def test_every_module_lies_in_a_listed_package() -> None:
    packages = set(listed_packages())
    wrong = []
    for path in python_files(*CODE):
        parts = path.parent.relative_to(ROOT).parts
        if ".".join(parts if parts[0] == "armwright" else ("armwright", *parts)) not in packages:
            wrong.append(name(path))
    assert not wrong, "these would be missing from the wheel"


def test_every_data_file_is_package_data() -> None:
    section = PYPROJECT.split("[tool.setuptools.package-data]")[1].split("\n[")[0]
    patterns = {
        package: re.findall(r'"([^"]+)"', globs)
        for package, globs in re.findall(r'^"([\w.]+)" = \[(.*?)\]', section, re.MULTILINE)
    }
    section = PYPROJECT.split("[tool.setuptools.package-dir]")[1].split("\n[")[0]
    elsewhere = dict(re.findall(r'^"([\w.]+)" = "([\w/]+)"', section, re.MULTILINE))
    shipped = set()
    for package, globs in patterns.items():
        parts = package.split(".")
        folder = ROOT.joinpath(*(parts if len(parts) == 1 else parts[1:]))
        if package in elsewhere:
            folder = ROOT / elsewhere[package]
        elif not folder.is_dir():
            folder = ROOT.joinpath(*parts)
        for pattern in globs:
            files = list(folder.glob(pattern))
            assert files, f"{package}: no file matches {pattern}"
            shipped |= set(files)
    data = {
        path
        for folder in (*CODE, "examples/arms")
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
        and not any(parent.is_symlink() for parent in path.parents)
        and path.suffix not in (".py", ".pyc")
        and "__pycache__" not in path.parts
    }
    assert {name(path) for path in data} == {name(path) for path in shipped}


@pytest.mark.parametrize("folder", FOLDERS)
def test_links_for_static_tools(folder: str) -> None:
    link = ROOT / "armwright" / folder
    if not link.is_symlink():  # git on Windows writes a text file; only mypy misses it
        assert link.read_text(encoding="utf-8") == f"../{folder}"
        pytest.skip("this checkout has no symbolic links")
    assert os.readlink(link) == f"../{folder}"


def test_files_stay_short() -> None:
    def limit(path: Path) -> int:
        return LONGEST_KERNELS if "_kernels" in path.parts else LONGEST

    lengths = {
        path: len(path.read_text(encoding="utf-8").splitlines()) for path in python_files(*ALL_CODE)
    }
    assert {name(path): n for path, n in lengths.items() if n > limit(path)} == {}


def test_every_module_says_what_it_is() -> None:
    silent = [
        name(path)
        for path in python_files(*CODE, "benchmarks", "scripts", "examples")
        if ast.get_docstring(tree(path)) is None
    ]
    assert not silent


def test_changelog_begins_with_this_version() -> None:
    version = re.search(r'^version = "(.+)"', PYPROJECT, re.MULTILINE)
    assert version is not None
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    first = re.search(r"^## (\S+)", text, re.MULTILINE)
    assert first is not None
    assert first.group(1) == version.group(1)


def test_license_is_the_whole_apache_license() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text
    assert "Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert 'license = "Apache-2.0"' in PYPROJECT


def test_this_python_is_one_of_ours() -> None:
    assert f"Programming Language :: Python :: 3.{sys.version_info[1]}" in PYPROJECT
