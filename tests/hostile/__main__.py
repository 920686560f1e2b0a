"""Hostile files by the million over every reader: ``python -m tests.hostile --count 1000000``.

Prints how many were accepted, refused by an error of ours, and wrong, by reader and by kind of
hostility. ``--only NUMBER`` repeats one, tells what came of it, and keeps the file.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from tests.hostile.files import READERS, case
from tests.hostile.judge import Judge
from tests.hostile.readers import prepare
from tests.hostile.running import Table, Tally, run

_SHOWN = 40  # wrong ones that are listed


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000, help="how many files")
    parser.add_argument("--start", type=int, default=0, help="the first number")
    parser.add_argument("--seed", type=int, default=1, help="which series of files")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--reader", choices=READERS, nargs="+", default=READERS)
    parser.add_argument("--only", type=int, metavar="NUMBER", help="repeat one, and keep the file")
    given = parser.parse_args(arguments)
    if given.only is not None:
        return repeat(given.seed, given.only)
    start = time.monotonic()
    table = _with_progress(given.seed, given.count, given.processes, given.start, given.reader)
    print("\n".join(report(table, given.seed)))
    tried = sum(tally.tried for tally in table.values())
    seconds = time.monotonic() - start
    print(f"{tried} files in {seconds:.0f} s, {given.processes} processes, seed {given.seed}")
    return 1 if any(tally.counts["wrong"] for tally in table.values()) else 0


def repeat(seed: int, number: int) -> int:
    """Judge one file again, say all about it, and keep it."""
    folder = Path(tempfile.mkdtemp(prefix=f"hostile-{number}-"))
    prepare(folder)
    one = case(seed, number)
    verdict = Judge(folder)(one)
    (folder / one.name).write_bytes(one.data)
    print(f"{one.reader}, {one.kind}, {len(one.data)} bytes: {folder / one.name}")
    print(verdict.trace, end="")
    print(f"{verdict.name} {verdict.wrong} in {verdict.seconds * 1e3:.1f} ms")
    return 1 if verdict.wrong else 0


def report(table: Table, seed: int) -> list[str]:
    """Return the lines of the table: each reader and kind, sums, and the first wrong ones."""
    head: tuple[str, ...] = (
        "reader",
        "kind",
        "tried",
        "accepted",
        "refused",
        "wrong",
        "p50 ms",
        "p99 ms",
        "max ms",
    )
    rows = [head]
    for reader in READERS:
        kinds = {kind: tally for (one, kind), tally in sorted(table.items()) if one == reader}
        rows += [_row(reader, kind, tally) for kind, tally in kinds.items()]
        if kinds:
            rows.append(_row(reader, "all", _sum(kinds.values())))
    for kind in sorted({kind for _, kind in table}):
        rows.append(_row("all", kind, _sum(t for (_, one), t in table.items() if one == kind)))
    rows.append(_row("all", "all", _sum(table.values())))
    lines = [
        "".join(f"{cell:<16}" if k < 2 else f"{cell:>10}" for k, cell in enumerate(row))
        for row in rows
    ]
    found = sorted((number, *key, text) for key, t in table.items() for number, text in t.faults)
    lines += [
        f"wrong: {reader}, {kind}: {text}\n"
        f"       python -m tests.hostile --seed {seed} --only {number}"
        for number, reader, kind, text in found[:_SHOWN]
    ]
    if len(found) > _SHOWN:
        lines.append(f"and {len(found) - _SHOWN} more")
    return lines


def _row(reader: str, kind: str, tally: Tally) -> tuple[str, ...]:
    times = np.array(tally.seconds) * 1e3
    middle, high = np.percentile(times, [50, 99])
    counts = (tally.tried, *tally.counts.values())
    return (reader, kind, *map(str, counts), f"{middle:.2f}", f"{high:.1f}", f"{times.max():.0f}")


def _sum(tallies: Iterable[Tally]) -> Tally:
    whole = Tally()
    for tally in tallies:
        whole.add(tally)
    return whole


def _with_progress(
    seed: int, count: int, processes: int, start: int, readers: Sequence[str]
) -> Table:
    """Run, with a bar where somebody looks, and else with a line now and then."""
    if not sys.stderr.isatty():
        lines = _Lines(count)
        return run(seed, count, processes, start=start, readers=readers, progress=lines)
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=count if readers == READERS else None)

        def advance(done: int, _: Table) -> None:
            bar.advance(task, done)

        return run(seed, count, processes, start=start, readers=readers, progress=advance)


class _Lines:
    """Says now and then on standard error how far a run is."""

    def __init__(self, count: int) -> None:
        self._every = max(count // 20, 10_000)
        self._done, self._told = 0, 0
        self._start = time.monotonic()

    def __call__(self, done: int, table: Table) -> None:
        self._done += done
        if self._done - self._told < self._every:
            return
        self._told = self._done
        wrong = sum(tally.counts["wrong"] for tally in table.values())
        seconds = time.monotonic() - self._start
        print(f"{self._done} files, {wrong} wrong, {seconds:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
