"""What one run of the command line leaves behind, and where the example arms are."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ARMS = ROOT / "examples" / "arms"


@dataclass(frozen=True)
class Outcome:
    """What one command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one object on standard output; anything else there fails."""
        value = json.loads(self.out, parse_constant=_refuse)
        assert isinstance(value, dict)
        assert self.out.count("\n") == 1
        return value


Cli = Callable[..., Outcome]
Hrdf = Callable[..., Path]


def _refuse(token: str) -> None:
    raise AssertionError(f"{token} is no JSON")
