"""Every code block of the README and of docs/ runs, and says the truth about what it prints.

Blocks of one document run in order, in one namespace, in a folder where ``examples/`` can be seen.
A line ``print(...)  # text`` promises that exactly this text is printed. Shell lines that call
Armwright run; others have to name a script or a file that exists. ``xml`` blocks are robots,
``yaml`` blocks are YAML. A fence such as "python hebi" runs only where that package is installed.
"""

import contextlib
import importlib.util
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.project.sources import ROOT, name

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LANGUAGES = {"python", "bash", "xml", "yaml", "text", "toml"}
PROMISE = re.compile(r"^ *print\(.*\)  # (.+)$", re.MULTILINE)
OURS = ("scripts/armwright", "armwright")
SCRIPTS = ("scripts/benchmark", "scripts/test", "scripts/check", "scripts/nox", ".ci/run")
OTHERS = ("git", "cd", "pip", "source", "apt-get")
# What a document may call, but no test: they take minutes or run the tests themselves.
NOT_RUN = ("warmup",)


class Block(NamedTuple):
    """One fenced block of a document."""

    line: int
    language: str
    needs: str
    text: str


def blocks(document: Path) -> list[Block]:
    """Return the fenced blocks of a document."""
    text = document.read_text(encoding="utf-8")
    found = []
    for match in re.finditer(r"^```([^\n]*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        language, _, needs = match.group(1).partition(" ")
        line = text.count("\n", 0, match.start()) + 1
        found.append(Block(line, language, needs, match.group(2)))
    assert text.count("\n```") + text.startswith("```") == 2 * len(found), "a fence is not closed"
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty working folder in which the examples can be seen."""
    (tmp_path / "docs").mkdir()  # where commands of the documents write pictures
    (tmp_path / "examples").symlink_to(ROOT / "examples", target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    return tmp_path


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_blocks_have_a_known_language(document: Path) -> None:
    unknown = {block.language for block in blocks(document)} - LANGUAGES
    assert not unknown


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_python_blocks_run(document: Path, folder: Path) -> None:
    space: dict[str, Any] = {"__name__": "document"}
    for block in blocks(document):
        if block.language != "python":
            continue
        if block.needs and importlib.util.find_spec(block.needs) is None:
            continue
        where = f"{document.name}:{block.line}"
        lead = "\n" * block.line  # so that a traceback shows the document's own line
        printed = io.StringIO()
        plain = np.printoptions(precision=8, suppress=False, linewidth=75, formatter=None)
        with contextlib.redirect_stdout(printed), plain:
            exec(compile(lead + block.text, str(document), "exec"), space)
        promised = PROMISE.findall(block.text)
        if promised:
            assert printed.getvalue().splitlines() == promised, where
    assert sorted(path.name for path in folder.rglob("*")) == ["docs", "examples"], "files are left"
    if "matplotlib" in sys.modules:
        import matplotlib.pyplot

        matplotlib.pyplot.close("all")


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_shell_lines_run_or_exist(document: Path, folder: Path) -> None:
    for block in blocks(document):
        if block.language != "bash":
            continue
        for line in block.text.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if words:
                check_command(words, f"{document.name}:{block.line}: {line}")


def check_command(words: list[str], where: str) -> None:
    if words[0] in OURS:
        if words[1] in NOT_RUN:
            return
        done = subprocess.run(
            [sys.executable, "-m", "armwright", *words[1:]],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{where}\n{done.stdout}{done.stderr}"
        assert done.stdout.strip(), where
    elif words[0] in SCRIPTS:
        assert (ROOT / words[0]).is_file(), where
        paths = [word.partition("::")[0] for word in words[1:] if word.startswith("tests/")]
        if words[0] == "scripts/benchmark":
            paths.append(f"benchmarks/{words[1]}.py")
        assert all((ROOT / path).exists() for path in paths), where
    elif words[0] in ("python", "python3"):
        assert words[1] == "-m" or (ROOT / words[1]).is_file(), where
    else:
        assert words[0] in OTHERS, f"{where}: unknown command"


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_xml_and_yaml_blocks_are_well_formed(document: Path) -> None:
    import yaml

    from armwright import hrdf

    for block in blocks(document):
        if block.language == "xml":
            assert hrdf.parse(block.text, folder=ROOT / "examples/arms").elements
        elif block.language == "yaml":
            assert yaml.safe_load(block.text)


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_links_lead_somewhere(document: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.S | re.M)
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if not re.match(r"[a-z]+:", target):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_the_readme_opens_with_its_two_commands() -> None:
    first = next(block for block in blocks(ROOT / "README.md") if block.language == "bash")
    lines = [line for line in first.text.splitlines() if line and not line.startswith("#")]
    assert len(lines) == 2
    assert lines[0].startswith("scripts/armwright reach examples/arms/six_dof.hrdf --xyz ")
    assert lines[1] == "scripts/test"


def test_a_promise_is_read_from_the_line() -> None:
    assert PROMISE.findall("print(1 + 1)  # 2\nprint('x')\n") == ["2"]
