"""Importing Armwright is silent and loads numpy alone; heavy packages wait for first use."""

import importlib.metadata
import json
import subprocess
import sys

import pytest

from tests.project.sources import ROOT, output_of

HEAVY = {"numba", "scipy", "matplotlib", "hebi", "mujoco", "xmltodict", "yaml", "rich", "typer"}
SCRIPT = """
import sys
before = set(sys.modules)
import {module}
import json
loaded = set(sys.modules) - before
print(json.dumps(sorted({{name.partition(".")[0] for name in loaded}})))
"""


def loaded_by(module: str) -> set[str]:
    """Import a module in a fresh interpreter; return the top-level names it loaded."""
    answer = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT.format(module=module)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stderr == ""
    lines = answer.stdout.splitlines()
    assert len(lines) == 1, f"importing {module} printed {lines[:-1]}"
    return set(json.loads(lines[0]))


@pytest.mark.parametrize(
    "module",
    [
        "armwright",
        "armwright.errors",
        "armwright.hrdf",
        "armwright.kinematics",
        "armwright.ik",
        "armwright.devices",
        "armwright.gui",
    ],
)
def test_import_is_silent_and_light(module: str) -> None:
    loaded = loaded_by(module)
    assert not loaded & HEAVY
    third_party = {name for name in loaded if not name.startswith("_")} - set(
        sys.stdlib_module_names
    )
    assert third_party <= {"armwright", "numpy", "cython_runtime"}  # numpy brings the last one


def test_the_first_load_of_an_arm_needs_no_kernels() -> None:
    script = (
        "import armwright, sys; armwright.load('examples/arms/six_dof.hrdf');"
        "print(sorted({'numba', 'scipy', 'matplotlib', 'hebi'} & set(sys.modules)))"
    )
    assert output_of(script) == ["[]"]


def test_unknown_names_are_attribute_errors() -> None:
    import armwright

    with pytest.raises(AttributeError, match="no attribute 'inverse'"):
        armwright.inverse  # noqa: B018
    assert {"load", "__version__"} <= set(dir(armwright))


def test_errors_can_be_had_from_the_package() -> None:
    import armwright
    from armwright import errors

    assert armwright.HrdfError is errors.HrdfError
    with pytest.raises(AttributeError):
        armwright.did_you_mean  # noqa: B018


def test_the_version_is_that_of_the_project() -> None:
    import armwright

    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'version = "{armwright.__version__}"' in text


def test_an_installed_package_says_its_installed_version(monkeypatch: pytest.MonkeyPatch) -> None:
    import armwright

    monkeypatch.setattr(importlib.metadata, "version", lambda name: f"{name} 9.9")
    assert armwright.__version__ == "armwright 9.9"
