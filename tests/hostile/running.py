"""Many hostile files in several processes; one that dies is noted, and the run goes on."""

import gc
import multiprocessing
import shutil
import signal
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from tests.hostile.files import READERS, case, reader_of
from tests.hostile.judge import HANGING, Judge, Verdict
from tests.hostile.readers import prepare

CHUNK = 1000  # numbers that a process is given at a time
MOST_FAULTS = 50  # that are kept of one reader and kind
_WARM = 3  # rounds of all readers before anything is judged, in numbers of another seed


@dataclass
class Tally:
    """Counts of one reader and kind.

    Attributes:
        counts: How many were accepted, refused, wrong.
        seconds: Processor time of each.
        faults: Number and what is wrong, of the first wrong ones.
    """

    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("accepted", "refused", "wrong"), 0)
    )
    seconds: Any = field(default_factory=lambda: array("f"))
    faults: list[tuple[int, str]] = field(default_factory=list)

    def note(self, number: int, verdict: Verdict) -> None:
        """Count one file."""
        self.counts[verdict.name] += 1
        self.seconds.append(verdict.seconds)
        if verdict.wrong and len(self.faults) < MOST_FAULTS:
            self.faults.append((number, verdict.wrong))

    def add(self, other: "Tally") -> None:
        """Add the counts of others."""
        for key, count in other.counts.items():
            self.counts[key] += count
        self.seconds.extend(other.seconds)
        self.faults = sorted([*self.faults, *other.faults])[:MOST_FAULTS]

    @property
    def tried(self) -> int:
        """How many files."""
        return sum(self.counts.values())


Table = dict[tuple[str, str], Tally]
Progress = Callable[[int, Table], None]


def work_folder() -> Path:
    """Return a new folder, in memory where there is such a place."""
    memory = Path("/dev/shm")
    place = str(memory) if memory.is_dir() else None
    folder = Path(tempfile.mkdtemp(prefix="armwright-hostile-", dir=place))
    prepare(folder)
    return folder


def run_numbers(seed: int, numbers: Sequence[int], judge: Judge, now: Any = None) -> Table:
    """Judge the files of some numbers in this process.

    Args:
        seed: Which series of files.
        numbers: Which of them.
        judge: Who judges.
        now: Shared value that holds the number at hand; None: nobody asks.
    """
    table: Table = {}
    for number in numbers:
        if now is not None:
            now.value = number
        one = case(seed, number)
        table.setdefault((one.reader, one.kind), Tally()).note(number, judge(one))
    return table


def warm(judge: Judge) -> None:
    """Load and compile everything, so that the first files are judged like the others."""
    rounds = _WARM * 20
    for number in range(rounds):
        judge(case(-1, number))
    gc.collect()
    gc.freeze()


def merge(table: Table, other: Table) -> None:
    """Add one table to another."""
    for key, tally in other.items():
        table.setdefault(key, Tally()).add(tally)


def run(
    seed: int,
    count: int,
    processes: int,
    *,
    start: int = 0,
    readers: Sequence[str] = READERS,
    progress: Progress = lambda done, table: None,
) -> Table:
    """Judge many files in processes of their own.

    Args:
        seed: Which series of files.
        count: How many numbers.
        processes: How many processes.
        start: The first number.
        readers: Whose files.
        progress: Called with how many more numbers are done, and all counts so far.

    Returns:
        The counts; of what is done by then, when it is interrupted.
    """
    table: Table = {}
    jobs = _jobs(start, count, readers)
    workers = [_Worker(seed) for _ in range(processes)]
    try:
        busy = [worker for worker in workers if worker.give(next(jobs, None))]
        while busy:
            ready = wait([worker.pipe for worker in busy], timeout=1.0)
            for worker in list(busy):
                if worker.pipe in ready:
                    if worker.take(table, progress) and not worker.give(next(jobs, None)):
                        busy.remove(worker)
                elif worker.is_stuck():
                    worker.kill()  # its pipe ends, which is taken next
    except KeyboardInterrupt:
        pass
    finally:
        for worker in workers:
            worker.close()
    return table


def _jobs(start: int, count: int, readers: Sequence[str]) -> Iterator[list[int]]:
    """Give the numbers in portions."""
    for first in range(start, start + count, CHUNK):
        numbers = range(first, min(first + CHUNK, start + count))
        yield [number for number in numbers if reader_of(number) in readers]


class _Worker:
    """One process, with what it is at."""

    def __init__(self, seed: int) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._seed = seed
        self._folder = work_folder()
        self._job: list[int] = []
        self._dead: Table = {}
        self._start()

    def _start(self) -> None:
        self.pipe, theirs = self._context.Pipe()
        self._now = self._context.Value("q", -1, lock=False)
        self._seen, self._since = -1, time.monotonic()
        self._process = self._context.Process(
            target=_serve, args=(theirs, self._now, self._seed, self._folder), daemon=True
        )
        self._process.start()
        theirs.close()

    def give(self, job: list[int] | None) -> bool:
        """Give it a portion; False when there is none."""
        if job is None:
            return False
        self._job = job
        self._since = time.monotonic()
        self.pipe.send(job)
        return True

    def take(self, table: Table, progress: Progress) -> bool:
        """Take its counts; False when it died, and goes on with what is left."""
        try:
            counted = self.pipe.recv()
        except (EOFError, OSError):
            self._note_death()
            return False
        merge(table, counted)
        merge(table, self._dead)
        self._dead = {}
        progress(len(self._job), table)
        return True

    def _note_death(self) -> None:
        """Note the number that killed it, and start another one on the rest."""
        self._process.join()
        number = self._now.value
        if number < 0:
            raise RuntimeError("a process of the run does not start; see its message above")
        self.pipe.close()
        one = case(self._seed, number)
        verdict = Verdict(False, f"the process died: {self._process.exitcode}", 0.0)
        self._dead.setdefault((one.reader, one.kind), Tally()).note(number, verdict)
        self._start()
        self.give([other for other in self._job if other != number])

    def is_stuck(self) -> bool:
        """Whether it has been at one number for so long that not even a signal reached it."""
        if self._now.value != self._seen:
            self._seen, self._since = self._now.value, time.monotonic()
        return self._seen >= 0 and time.monotonic() - self._since > 3 * HANGING

    def kill(self) -> None:
        """End it."""
        self._process.kill()
        self._since = time.monotonic()

    def close(self) -> None:
        """Tell it that nothing follows."""
        self.pipe.close()
        self._process.join(timeout=1.0)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        shutil.rmtree(self._folder, ignore_errors=True)


def _serve(pipe: Connection, now: Any, seed: int, folder: Path) -> None:
    """Judge what comes in until nothing does; runs in a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who gives the numbers is told
    judge = Judge(folder)
    warm(judge)
    judge = Judge(folder)
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        pipe.send(run_numbers(seed, job, judge, now))
