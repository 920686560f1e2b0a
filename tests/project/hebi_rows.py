"""The rows of the tables of docs/hebi-py.md, and what checks them."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.project.sources import ROOT

Check = Callable[[Any, Any, Any], None]
CHECKS: dict[str, Check] = {}


def row(*cells: str) -> Callable[[Check], Check]:
    """Make a function the check of some rows; it gets hebi-py, its model and ours."""

    def keep(check: Check) -> Check:
        CHECKS.update(dict.fromkeys(cells, check))
        return check

    return keep


def rows_of_the_page() -> list[str]:
    """Return the left cell of every row of the page's tables."""
    text = (ROOT / "docs" / "hebi-py.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| (.+?) \| .+ \|$", text, re.MULTILINE)
    return [cell for cell in cells if cell != "hebi-py"]


def same(ours: Any, theirs: Any, atol: float = 1e-5) -> None:
    np.testing.assert_allclose(ours, theirs, atol=atol)
