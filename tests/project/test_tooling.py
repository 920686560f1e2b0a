"""Scripts, nox sessions, environments and their pins hold together."""

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts import environment, pins
from tests.project.sources import ROOT, tree

NOXFILE = ROOT / "noxfile.py"
CONSTRAINTS = {
    ROOT / "constraints/hebi.txt": ["3.10", "3.11", "3.12"],
    ROOT / "constraints/numpy2.txt": ["3.10", "3.11", "3.12", "3.13"],
}


def sessions() -> Iterator[str]:
    """Give the names of all nox sessions, without Python versions."""
    for node in ast.walk(tree(NOXFILE)):
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                given = re.search(r"name='([^']+)'", ast.unparse(decorator))
                yield given.group(1) if given else node.name
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "ACCEPTED":
            yield from ast.literal_eval(node.value)


def named_sessions(path: str) -> list[str]:
    """Return the sessions that a file calls with nox -s, without Python versions."""
    text = (ROOT / path).read_text(encoding="utf-8")
    calls = re.findall(r"(?:scripts/|/|-m )nox\"?(?: -j \d)? -s ((?:[a-z][\w.-]*[ \n]*)+)", text)
    return [re.sub(r"-3\..*", "", name) for call in calls for name in call.split()]


@pytest.mark.parametrize(
    "path",
    [
        "scripts/armwright",
        "scripts/benchmark",
        "scripts/check",
        "scripts/environment.py",
        "scripts/nox",
        "scripts/test",
        ".ci/run",
    ],
)
def test_scripts_can_be_executed(path: str) -> None:
    script = ROOT / path
    assert os.access(script, os.X_OK)
    assert script.read_text(encoding="utf-8").startswith("#!/usr/bin/env ")


def test_contributing_has_a_line_for_every_session() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    tables = text.split("## How the code is laid out")[0]
    assert sorted(re.findall(r"^\| `([\w-]+)` \|", tables, re.MULTILINE)) == sorted(sessions())


@pytest.mark.parametrize("path", [".ci/run", "scripts/test", "scripts/check", "scripts/benchmark"])
def test_scripts_call_sessions_that_exist(path: str) -> None:
    called = named_sessions(path)
    assert called
    assert set(called) <= set(sessions())


def test_paths_in_the_noxfile_exist() -> None:
    text = NOXFILE.read_text(encoding="utf-8")
    paths = re.findall(r'"((?:tests|scripts|constraints)/[^"{]+)"', text)
    several = re.findall(r'f"(tests/\w+/test_)\{name\}\.py" for name in \(([^)]*)\)', text)
    for start, names in several:
        paths += [f"{start}{name}.py" for name in re.findall(r'"(\w+)"', names)]
    assert len(several) == 2
    assert not [path for path in paths if not (ROOT / path).exists()]


def test_every_environment_has_a_session_and_a_list() -> None:
    lists = {path.stem for path in (ROOT / "constraints").glob("*.in")}
    assert lists - {"tools"} <= set(sessions())


@pytest.mark.parametrize(("path", "pythons"), CONSTRAINTS.items(), ids=["hebi", "numpy2"])
def test_all_that_is_asked_for_is_pinned_for_every_python(path: Path, pythons: list[str]) -> None:
    pinned = {name.lower(): by_python for name, by_python in pins.read(path, pythons).items()}
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8").split("[project.scripts]")[0]
    asked = re.findall(r'^ +"([\w.-]+)[<>=]', project, re.MULTILINE)
    asked += re.findall(r"^([\w-]+)", path.with_suffix(".in").read_text("utf-8"), re.MULTILINE)
    assert {"numpy", "numba", "pytest", "nox", "pin"} <= set(asked)
    wrong = {name for name in asked if name[0] != "-" and set(pinned[name.lower()]) != set(pythons)}
    assert not wrong


def test_a_line_that_is_no_pin_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("numpy>=2\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"not name==version: 'numpy>=2'"):
        pins.read(tmp_path / "a.txt", ["3.11"])


def test_pins_of_one_python_are_replaced_alone(tmp_path: Path) -> None:
    path, pythons = tmp_path / "a.txt", ["3.10", "3.11", "3.12"]
    for python in pythons:
        pins.replace(path, pythons, python, {"numpy": "2.0", "six": "1"})
    pins.replace(path, pythons, "3.10", {"numpy": "1.9", "tomli": "2"})
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    assert lines == [
        'numpy==1.9 ; python_version == "3.10"',
        'numpy==2.0 ; python_version in "3.11 3.12"',
        'six==1 ; python_version in "3.11 3.12"',
        'tomli==2 ; python_version == "3.10"',
    ]
    assert pins.read(path, pythons)["numpy"] == {"3.10": "1.9", "3.11": "2.0", "3.12": "2.0"}


def test_the_first_script_is_understood_by_old_pythons() -> None:
    text = (ROOT / "scripts/environment.py").read_text(encoding="utf-8")
    ast.parse(text, feature_version=(3, 6))


def test_an_environment_is_outdated_when_its_pins_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout = tmp_path / "a checkout"
    (checkout / "constraints").mkdir(parents=True)
    for path in ("pyproject.toml", "constraints/run.in", "constraints/numpy2.txt"):
        (checkout / path).write_bytes((ROOT / path).read_bytes())
    monkeypatch.setenv("ARMWRIGHT_ENVIRONMENTS", str(tmp_path / "environments"))
    monkeypatch.setattr(environment, "ROOT", str(checkout))
    assert not environment.is_whole("run")
    python = Path(environment.program("run", "python"))
    python.parent.mkdir(parents=True)
    python.touch()
    assert not environment.is_whole("run")  # begun and not finished
    environment.mark_whole("run")
    assert environment.is_whole("run")

    def change(path: str, old: str, new: str) -> bool:
        text = (checkout / path).read_text(encoding="utf-8")
        assert old in text
        (checkout / path).write_text(text.replace(old, new), encoding="utf-8")
        whole = environment.is_whole("run")
        (checkout / path).write_text(text, encoding="utf-8")
        return whole

    assert change("pyproject.toml", "line-length = 100", "line-length = 99")
    assert not change("pyproject.toml", "numpy>=1.26", "numpy>=1.27")
    assert not change("constraints/numpy2.txt", "numba==", "numba==0.")
    python.unlink()
    assert not environment.is_whole("run")
