"""Compare calls fairly: interleaved slices in one process, medians of ratios round by round.

Times of a shared machine drift by half; ratios of calls that were made within the same
millisecond do not. Every round runs a slice of each candidate, in an order that rotates; the
ratio of two candidates is the median of their ratios over all rounds. The garbage collector is
off while a slice runs.
"""

import gc
import importlib.metadata
import platform
import statistics
import time
import timeit
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SLICE = 5e-4  # s


@dataclass(frozen=True)
class Call:
    """One candidate.

    Attributes:
        statement: Python source that makes the call, such as "model.jacobian(q)".
        names: What the source refers to.
    """

    statement: str
    names: Mapping[str, Any]


@dataclass(frozen=True)
class Timing:
    """Times per call [s], one for each round."""

    rounds: tuple[float, ...]

    @property
    def quiet(self) -> float:
        """10th percentile: the time on a machine that nothing disturbs."""
        return statistics.quantiles(self.rounds, n=10)[0]

    def ratio(self, other: "Timing") -> float:
        """Median over the rounds of this time divided by the other's."""
        pairs = zip(self.rounds, other.rounds, strict=True)
        return statistics.median(ours / theirs for ours, theirs in pairs)


def compare(calls: Mapping[str, Call], *, rounds: int = 100) -> dict[str, Timing]:
    """Time all calls in turn.

    Args:
        calls: The candidates by name.
        rounds: How often each gets a slice.
    """
    timers = {name: timeit.Timer(c.statement, globals=dict(c.names)) for name, c in calls.items()}
    counts = {name: _calls_per_slice(timer) for name, timer in timers.items()}
    times: dict[str, list[float]] = {name: [] for name in calls}
    order = list(calls)
    for _ in range(rounds):
        for name in order:
            times[name].append(timers[name].timeit(counts[name]) / counts[name])
        order.append(order.pop(0))
    return {name: Timing(tuple(values)) for name, values in times.items()}


def fastest(call: Call, *, repeats: int = 7) -> float:
    """Return the shortest time [s] of a long call, such as a batch."""
    timer = timeit.Timer(call.statement, globals=dict(call.names))
    timer.timeit(1)
    return min(timer.repeat(repeats, 1))


def least_work(call: Call, *, repeats: int = 7) -> float:
    """Return the least processor time [s], of all threads, of a long call."""
    timer = timeit.Timer(call.statement, timer=time.process_time, globals=dict(call.names))
    timer.timeit(1)
    return min(timer.repeat(repeats, 1))


def _calls_per_slice(timer: timeit.Timer) -> int:
    """Return how many calls fill a slice; warms up on the way."""
    timer.timeit(2)
    count = 1
    while True:
        took = min(timer.repeat(3, count))  # one may have been interrupted
        if took > SLICE / 4:
            return max(1, round(count * SLICE / took))
        count *= 4


def report_machine(packages: Sequence[str]) -> None:
    """Print the processor, Python and the versions of packages."""
    print(f"{_processor()}, Python {platform.python_version()}, {time.strftime('%Y-%m-%d')}")
    versions = []
    for package in packages:
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"{package} absent")
    print(", ".join(versions))
    gc.collect()


def _processor() -> str:
    """Return the name of the processor."""
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


@dataclass(frozen=True)
class Row:
    """One of our calls, the peer's that it is measured by, and the most it may take of its time."""

    what: str
    ours: str
    peer: str
    budget: float
