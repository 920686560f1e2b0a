"""How long ``import armwright`` takes beyond numpy's own import; the budget is 50 ms.

    scripts/benchmark import_time [--rounds 15]

Fresh interpreters are started in turn: one that imports numpy alone, one that imports numpy and
then the package in question. Each reports how long its imports took by its own clock; the number is
the median of the differences between neighbors, so that slow phases of the machine cancel.
Compiled files are written by a first round that does not count.
"""

import argparse
import statistics
import subprocess
import sys
from pathlib import Path

from benchmarks.harness import report_machine

ROOT = Path(__file__).resolve().parent.parent
BUDGET_MS = 50.0
MODULES = {
    "armwright": "import armwright",
    "armwright, with load, ik, devices and plot_model": (
        "import armwright; armwright.load, armwright.ik.solve, armwright.devices.simulate,"
        " armwright.gui.plot_model"
    ),
}
TIMED = """
import time
start = time.perf_counter()
import numpy
{statement}
print(time.perf_counter() - start)
"""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=15, help="interpreters of each kind")
    rounds = parser.parse_args().rounds

    report_machine(["armwright", "numpy"])
    within = True
    for name, statement in MODULES.items():
        milliseconds_of(statement)
        alone, extra = [], []
        for _ in range(rounds):
            numpy_alone = milliseconds_of("pass")
            alone.append(numpy_alone)
            extra.append(milliseconds_of(statement) - numpy_alone)
        median = statistics.median(extra)
        print(
            f"{name}: {median:.1f} ms beyond numpy's {statistics.median(alone):.1f} ms"
            f" (quartiles {quartiles(extra)}, {rounds} rounds)"
        )
        if name == "armwright":
            within = median < BUDGET_MS
            print(f"  budget {BUDGET_MS:.0f} ms: {'kept' if within else 'EXCEEDED'}")
    return 0 if within else 1


def milliseconds_of(statement: str) -> float:
    """Return the import time that a fresh interpreter reports [ms]."""
    answer = subprocess.run(
        [sys.executable, "-c", TIMED.format(statement=statement)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return 1e3 * float(answer.stdout)


def quartiles(values: list[float]) -> str:
    lower, _, upper = statistics.quantiles(values, n=4)
    return f"{lower:.1f} to {upper:.1f}"


if __name__ == "__main__":
    sys.exit(main())
