"""A script beside a checkout named ``armwright``: Python finds the folder before any package."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.sources import ROOT

SCRIPT = """
import armwright as aw
import armwright.errors
from armwright import ik

model = aw.load(aw.examples.path("three_dof"))
assert ik.__name__ == "armwright.ik" and aw.HrdfError is armwright.errors.HrdfError
print(model.dof, aw.__version__, aw.__doc__.split(":")[0])
"""


def test_a_script_beside_a_checkout_of_that_name_works(tmp_path: Path) -> None:
    try:
        (tmp_path / "armwright").symlink_to(ROOT, target_is_directory=True)
    except OSError:
        pytest.skip("no symbolic links here")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    run = [sys.executable, str(script)]
    done = subprocess.run(run, cwd=tmp_path, env=clean, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("3 0.1.0 Armwright")


def test_the_file_at_the_root_is_no_part_of_the_package() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '"armwright" = "armwright"' in text  # the wheel takes the folder inside
