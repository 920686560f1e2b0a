"""Print coverage per folder and fail where it lies below its floor.

    python scripts/coverage_floors.py coverage.json hrdf=90 kinematics=90

Two percentages are counted: branches alone, and statements and branches together as coverage.py
counts them. Both must reach the floor. The input is what ``coverage json`` writes.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path


def main(arguments: list[str]) -> int:
    """Print the table; return 1 when a folder is below its floor or was not measured."""
    report = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    floors = {
        folder: float(floor) for folder, _, floor in (a.partition("=") for a in arguments[1:])
    }
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for name, entry in report["files"].items():
        for key, value in entry["summary"].items():
            if isinstance(value, int):
                counts[Path(name).parts[0]][key] += value

    failures = 0
    print(f"{'folder':<12}{'branches':>10}{'lines+branches':>16}{'floor':>8}")
    for folder in sorted({*counts, *floors}):
        branches, together = percentages(counts[folder])
        floor = floors.get(folder)
        low = floor is not None and min(branches, together) < floor
        failures += low
        shown = "" if floor is None else f"{floor:.0f} %"
        note = "   BELOW ITS FLOOR" if low else ""
        print(f"{folder:<12}{branches:>8.1f} %{together:>14.1f} %{shown:>8}{note}")
    return 1 if failures else 0


def percentages(count: dict[str, int]) -> tuple[float, float]:
    """Return covered branches, and covered statements and branches together, in percent."""
    if not count["num_statements"]:
        return 0.0, 0.0  # a folder that was not measured
    branches = count["num_branches"]
    together = count["covered_lines"] + count["covered_branches"]
    return (
        100 * count["covered_branches"] / branches if branches else 100.0,
        100 * together / (count["num_statements"] + branches),
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
