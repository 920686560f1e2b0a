"""Runs the command line in this process, quickly, and keeps what it printed."""

from pathlib import Path
from typing import Any

import pytest

from armwright.cli import run
from tests.cli.running import ARMS, Cli, Hrdf, Outcome

DOCTOR_CONFIG = ARMS / "six_dof.cfg.yaml"


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


@pytest.fixture
def doctor(cli: Cli, six: Path) -> Any:
    """Run ``armwright doctor`` on the six-axis arm."""

    def call(*arguments: object, config: Path = DOCTOR_CONFIG) -> Outcome:
        return cli("doctor", six, "--config", config, *arguments)

    return call


@pytest.fixture
def write(tmp_path: Path) -> Any:
    """Write a configuration like the example's, with changes."""

    def write(*changes: tuple[str, str], more: str = "") -> Path:
        text = DOCTOR_CONFIG.read_text(encoding="utf-8").replace("hrdf: six_dof.hrdf", "# none")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        file = tmp_path / "arm.cfg.yaml"
        file.write_text(text + more, encoding="utf-8")
        return file

    return write
