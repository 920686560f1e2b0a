"""``armwright warmup``."""

from armwright.kinematics import engine
from tests.cli.running import Cli


def test_every_kernel_is_ready(cli: Cli) -> None:
    outcome = cli("warmup", "--json")
    assert outcome.code == 0
    expected = [f"{module}.{name}" for module, name in engine.entries()]
    assert outcome.json["kernels"] == expected
    assert len(expected) > 5
    assert outcome.json["duration"] >= 0
    text = cli("warmup")
    assert text.out.startswith(f"{len(expected)} kernels ready after ")
