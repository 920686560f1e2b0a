"""Short ways to write robots in tests."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from armwright.errors import HrdfError, Problem
from armwright.hrdf import RobotDescription, parse

Robot = Callable[..., RobotDescription]
Errors = Callable[..., tuple[Problem, ...]]


def text_of(content: str, version: str | None = "1.6.0", attributes: str = "") -> str:
    """Put elements into a robot."""
    said = f' version="{version}"' if version else ""
    return f"<robot{said} {attributes}>{content}</robot>"


@pytest.fixture
def robot() -> Robot:
    """Read elements: ``robot('<joint axis="rz"/>', version="1.5.0")``."""
    return lambda content, version="1.6.0", attributes="": parse(
        text_of(content, version, attributes)
    )


@pytest.fixture
def errors() -> Errors:
    """Read elements that must fail; gives the errors, warnings left out."""

    def read_badly(content: str, version: str | None = "1.6.0", attributes: str = "") -> object:
        with pytest.raises(HrdfError) as info:
            parse(text_of(content, version, attributes))
        return tuple(p for p in info.value.problems if p.severity == "error")

    return read_badly  # type: ignore[return-value]


@pytest.fixture
def comma_locale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a German locale, made here where the system has none but the means to make it."""
    if tool := shutil.which("localedef"):
        made = tmp_path / "de_DE.UTF-8"
        call = [tool, "-i", "de_DE", "-f", "UTF-8", str(made)]
        subprocess.run(call, check=False, capture_output=True, timeout=60)
        if made.exists():
            monkeypatch.setenv("LOCPATH", str(tmp_path))
