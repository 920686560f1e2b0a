"""Fixtures for all tests: the shared folder where it exists, and quiet, repeatable settings."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

os.environ["MPLBACKEND"] = "Agg"  # no test opens a window

ROOT = Path(__file__).resolve().parent.parent

_QUIET = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]
settings.register_profile(
    "quick", max_examples=40, deadline=None, derandomize=True, suppress_health_check=_QUIET
)
settings.register_profile(
    "ci", max_examples=150, deadline=None, derandomize=True, suppress_health_check=_QUIET
)
settings.register_profile(
    "long", max_examples=2000, deadline=None, derandomize=True, suppress_health_check=_QUIET
)
settings.load_profile(os.environ.get("ARMWRIGHT_HYPOTHESIS", "quick"))


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared material beside the checkout."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip(f"needs material that is not part of the project, in {folder}")
    return folder


@pytest.fixture(scope="session")
def corpus(shared: Path) -> list[Path]:
    """Every HRDF file of the shared corpus, sorted."""
    files = sorted((shared / "corpus").rglob("*.hrdf"))
    if not files:
        pytest.skip("the shared corpus is absent")
    return files


@pytest.fixture(scope="session")
def cases(shared: Path) -> dict[str, dict[str, Any]]:
    """The shared cases by their id, such as ``cases["C03"]["input"]``."""
    import yaml

    found = {}
    for file in sorted((shared / "cases").glob("*.yaml")):
        case = yaml.safe_load(file.read_text("utf-8"))
        found[case["id"]] = case
    if not found:
        pytest.skip("the shared cases are absent")
    return found
