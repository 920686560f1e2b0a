"""``armwright warmup``."""

import pytest

from armwright.kinematics import engine
from tests.cli.running import Cli


def test_compiles_every_entry_once(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [("kinematics.forward", "pose"), ("ik.solve", "solve")]
    compiled = []
    monkeypatch.setattr(engine, "entries", lambda: names)
    monkeypatch.setattr(engine, "kernel", lambda *name: compiled.append(name))
    outcome = cli("warmup", "--json")
    assert outcome.code == 0
    assert outcome.err == ""
    assert compiled == names
    assert outcome.json["kernels"] == ["kinematics.forward.pose", "ik.solve.solve"]
    assert outcome.json["duration"] >= 0
    assert cli("warmup").out.startswith("2 kernels ready after ")


@pytest.mark.slow
def test_every_kernel_of_the_project_compiles(cli: Cli) -> None:
    outcome = cli("warmup", "--json")
    assert outcome.code == 0
    kernels = outcome.json["kernels"]
    assert kernels == [f"{module}.{name}" for module, name in engine.entries()]
    for folder in ("kinematics", "ik", "gui"):
        assert any(name.startswith(f"armwright.{folder}._kernels.") for name in kernels)
