"""Runs the command line in this process, quickly, and keeps what it printed."""

from pathlib import Path

import pytest

from armwright.cli import run
from tests.cli.running import ARMS, Cli, Hrdf, Outcome


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run ``armwright`` with these arguments."""

    def call(*arguments: object) -> Outcome:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Outcome(code, out, err)

    return call


@pytest.fixture
def six() -> Path:
    """Six-axis example arm."""
    return ARMS / "six_dof.hrdf"


@pytest.fixture
def arms() -> Path:
    """Folder of the example arms."""
    return ARMS


@pytest.fixture
def hrdf(tmp_path: Path) -> Hrdf:
    """Write an HRDF 1.6.0 file with this content and return its path."""

    def write(content: str, name: str = "arm.hrdf") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'<robot version="1.6.0">{content}</robot>', encoding="utf-8")
        return path

    return write
