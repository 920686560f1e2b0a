"""Many configurations at once: rows of a batch, shared out to threads when there are many.

The batch kernels release the interpreter's lock, so plain threads run them side by side. Numba's
own parallel loops are not used: they take 0.4 s to load, twice the kernels to compile, and with
its default threading layer they abort the process when two threads of a program call them.
Every row is computed by the same code as a single call, so the results have the same bits.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

Result = TypeVar("Result")

ROWS_PER_THREAD = 4096  # about 1 ms of work, ten times what starting a thread takes


def share_rows(count: int, work: Callable[[int, int], Result]) -> list[Result]:
    """Do ``work(first, end)`` for a range of rows, in several threads when there are very many.

    Args:
        count: How many rows there are.
        work: What to do with rows first to end - 1; must release the interpreter's lock.

    Returns:
        What each share of the work returned, in the order of the rows.
    """
    if count < 2 * ROWS_PER_THREAD or (workers := min(_cores(), count // ROWS_PER_THREAD)) < 2:
        return [work(0, count)]
    edges = [count * i // workers for i in range(workers + 1)]
    with ThreadPoolExecutor(workers - 1) as pool:
        others = [pool.submit(work, a, b) for a, b in pairwise(edges[1:])]
        first = work(0, edges[1])
        return [first, *(other.result() for other in others)]


def _cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
