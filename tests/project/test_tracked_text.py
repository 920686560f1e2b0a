"""Tracked files speak of the project: no places of one machine, no host of a package registry."""

import re

import pytest

from tests.project.sources import ROOT, tracked_files

# Patterns are written so that this file does not match itself.
MACHINE = re.compile(r"(?<![\w.~-])/(?:home|Users|root|work|tmp|mnt|opt)/[\w.-]")
REGISTRY = re.compile(
    r"\b(?:[\w-]+\.)*(?:py[p]i|pythonhoste[d]|anacond[a]|np[m]js|crate[s])\.[a-z]+\b"
)
# Words of how a file came to be, which say nothing about what it does.
MAKING = re.compile(
    r"\b(?:L[L]Ms?|GP[T]|chat[b]ot|co[p]ilot|cla[u]de|language mode[l]|co-author[e]d"
    r"|as an A[I]|previous sessio[n]|this sessio[n]|helper H\d)\b",
    re.IGNORECASE,
)
OPEN_ENDS = re.compile(r"\b(?:TOD[O]|FIXM[E]|XX[X])\b")
BINARY = (".png", ".jpg", ".gif", ".ico", ".npz", ".npy")
MOST_BYTES = 500_000
ROOT_FILES = {
    ".gitignore",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "__init__.py",
    "noxfile.py",
    "pyproject.toml",
}


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    files = tracked_files()
    if not files:
        pytest.skip("not a git checkout")
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in files
        if path.suffix not in BINARY
    }


@pytest.mark.parametrize("pattern", [MACHINE, REGISTRY, MAKING, OPEN_ENDS])
def test_no_line_matches(texts: dict[str, str], pattern: re.Pattern[str]) -> None:
    found = [
        f"{file}:{number}: {line.strip()}"
        for file, text in texts.items()
        if file != "LICENSE"
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]
    assert not found


def test_text_files_end_with_one_newline_and_have_no_tabs(texts: dict[str, str]) -> None:
    wrong = [
        file
        for file, text in texts.items()
        if text
        and (not text.endswith("\n") or text.endswith("\n\n") or "\r" in text or "\t" in text)
    ]
    assert not wrong


def test_nothing_large_is_tracked() -> None:
    sizes = {path.relative_to(ROOT).as_posix(): path.stat().st_size for path in tracked_files()}
    assert {file: size for file, size in sizes.items() if size > MOST_BYTES} == {}


def test_no_stray_file_lies_in_the_root() -> None:
    # What a test writes into the current folder is easily committed with the rest.
    there = {path.name for path in tracked_files() if path.parent == ROOT}
    assert there <= ROOT_FILES


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (MACHINE, "open('/" + "home/someone/arm.hrdf')"),
        (REGISTRY, "files.python" + "hosted.org"),
        (MAKING, "as the Chat" + "bot said"),
        (OPEN_ENDS, "# TO" + "DO: later"),
    ],
)
def test_the_patterns_find_what_they_are_for(pattern: re.Pattern[str], line: str) -> None:
    assert pattern.search(line)
