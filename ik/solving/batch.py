"""Many targets in one call, shared among threads; each is solved exactly as ``solve`` does."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from armwright.copies import stays_read_only
from armwright.errors import JointVectorError, ObjectiveError
from armwright.ik._kernels import layout
from armwright.ik.objectives import (
    JointLimits,
    Objective,
    only_limits,
)
from armwright.ik.program import GENERAL, Program, check_model, compile_program, with_seed
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import (
    FloatArray,
    JointValues,
    joint_vectors,
    true_or_false,
    whole_number,
)
from armwright.kinematics.engine import kernel, lazy
from armwright.kinematics.naming import FrameKey
from armwright.reprs import one_line_repr

from .options import (
    FIRST_STARTS,
    MAX_STARTS,
    ORIENTATION_TOLERANCE,
    POSITION_TOLERANCE,
    RANDOM_SEED,
    Options,
    check_options,
)
from .residuals import has_errors
from .result import IKResult, IKStatus
from .search import StoppedError, search_at_length
from .targets import check_targets

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.ik._kernels import batch as _batch_kernels  # noqa: F401

_solve_many = lazy(__name__, "_solve_many", "armwright.ik._kernels.batch")

CHUNK = 200  # targets between two looks at the progress bar, about 1 ms when near
JOINTS = 8  # of more joints, fewer targets come between two looks at Ctrl-C


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False)
class BatchResult:
    """What ``solve_batch`` found, one row per target; all arrays are read-only.

    Attributes:
        q: Joint positions, shape (n, dof) [rad or m]; always finite and inside the limits, the
            best found where the target was not met.
        success: Whether each target is met within 10 times the tolerances, shape (n,).
        status: How each search ended, shape (n,), of ``IKStatus``.
        position_error: Shape (n,) [m].
        orientation_error: Shape (n,) [rad]; nan for targets without orientation.
        iterations: Steps of each, over all starts, shape (n,).
        restarts: Starts of each after the first, shape (n,).
    """

    q: FloatArray
    success: npt.NDArray[np.bool_]
    status: npt.NDArray[np.object_]
    position_error: FloatArray
    orientation_error: FloatArray
    iterations: npt.NDArray[np.int64]
    restarts: npt.NDArray[np.int64]

    def __len__(self) -> int:
        """Return the number of targets."""
        return len(self.q)

    __repr__ = one_line_repr


def solve_batch(
    model: RobotModel,
    q0: JointValues,
    targets: npt.ArrayLike,
    *,
    limits: JointLimits | None = None,
    progress: bool = False,
    threads: int | None = None,
    position_tolerance: float = POSITION_TOLERANCE,
    orientation_tolerance: float = ORIENTATION_TOLERANCE,
    max_starts: int = MAX_STARTS,
    random_seed: int = RANDOM_SEED,
    frame_type: str = "endeffector",
    index: int | None = None,
    tag: str | None = None,
    frame: FrameKey | None = None,
) -> BatchResult:
    """Find joint positions for many targets, on all cores.

    Each target is solved on its own, with the same joint positions as from ``solve``, bit by bit,
    whatever the number of threads. Targets that cannot be met cost about a millisecond each, the
    others microseconds.

    Args:
        model: The robot.
        q0: Seed for all, shape (dof,), or one for each target, (n, dof) [rad or m].
        targets: Poses T_world_frame, shape (n, 4, 4), or positions, (n, 3) [m].
        limits: ``joint_limits`` that narrow those of the model.
        progress: Show a progress bar on standard error; without it nothing is printed.
        threads: How many threads share the work; None: one per available core.
        position_tolerance: See ``solve`` [m].
        orientation_tolerance: See ``solve`` [rad].
        max_starts: See ``solve``.
        random_seed: See ``solve``.
        frame_type: Kind of frame that is to reach the targets.
        index: Number of that frame.
        tag: Tag of its element, instead of the index.
        frame: The frame by itself, without frame_type, index and tag: a name of
            ``model.frame_names()``, (frame type, index or name), or a ``Frame``.

    Returns:
        One row per target.

    Raises:
        JointVectorError: If q0 has the wrong shape or is not finite.
        ObjectiveError: If a target (its number is in the text) or an option is not usable; none is
            solved then.
        FrameNotFoundError: If there is no such frame.

    Example:
        >>> Ts_world_tool = model.end_effector(np.linspace(-1, 1, 12).reshape(2, 6))
        >>> found = solve_batch(model, np.zeros(6), Ts_world_tool)
        >>> found.q[found.success].shape
        (2, 6)
    """
    options = check_options(
        position_tolerance, orientation_tolerance, max_starts, random_seed, None
    )
    check_model(model)
    hard = only_limits(limits)
    poses, make = check_targets(targets)

    def objectives(i: int) -> tuple[Objective, ...]:
        target = make(poses[i], frame_type=frame_type, index=index, tag=tag, frame=frame)
        return (target, *hard)

    n = len(poses)
    seeds = _seeds(model, q0, n)
    if not n:  # the frame and the limits are checked all the same
        compile_program(
            model,
            (make(np.eye(4), frame_type=frame_type, index=index, tag=tag, frame=frame), *hard),
        )
        return _Rows(0, model.dof).result()
    program = compile_program(model, objectives(0))
    if position_tolerance is POSITION_TOLERANCE:
        options = options._replace(position_tolerance=program.position_tolerance)
    work = _Work(model, program, options, poses, seeds, objectives, _Rows(n, model.dof))
    count = _thread_count(threads)
    if program.plain:
        kernel("armwright.ik._kernels.batch", "solve_many")  # compiled before threads need it
    with _bar(n, true_or_false(progress, "solve_batch, progress", ObjectiveError)) as done:
        if count == 1 or n <= CHUNK:
            for first in range(0, n, CHUNK):
                done(work.run(first))
        else:
            _share(work, n, count, done)
    return work.rows.result()


class _Rows:
    """The arrays of a result while they are filled."""

    def __init__(self, n: int, dof: int) -> None:
        self.q = np.empty((n, dof))
        self.success = np.ones(n, dtype=np.bool_)
        self.status: npt.NDArray[np.object_] = np.full(n, IKStatus.CONVERGED, dtype=object)
        self.errors = np.full((2, n), math.nan)
        self.counts = np.zeros((2, n), dtype=np.int64)

    def put(self, i: int, result: IKResult) -> None:
        """Fill one row."""
        self.q[i] = result.q
        self.success[i] = result.success
        self.status[i] = result.status
        self.errors[:, i] = result.position_error, result.orientation_error
        self.counts[:, i] = result.iterations, result.restarts

    def result(self) -> BatchResult:
        """Seal the arrays."""
        arrays: list[Any] = [self.q, self.success, self.status, *self.errors, *self.counts]
        for array in arrays:
            array.setflags(write=False)
        return BatchResult(*arrays)


@dataclass(frozen=True, slots=True)
class _Work:
    """All that the threads share; each chunk writes its own rows."""

    model: RobotModel
    program: Program
    options: Options
    poses: FloatArray
    seeds: FloatArray
    objectives: Callable[[int], tuple[Objective, ...]]
    rows: _Rows

    def run(self, first: int, stopped: Callable[[], bool] | None = None) -> int:
        """Solve one chunk of targets from number ``first`` on; return how many it had.

        Raises:
            StoppedError: If ``stopped`` says so meanwhile.
        """
        end = min(first + CHUNK, len(self.poses))
        at_once = max(1, CHUNK * JOINTS**2 // max(self.model.dof, JOINTS) ** 2)
        for start in range(first, end, at_once):
            self._solve(start, min(start + at_once, end), stopped)
            if stopped is not None and stopped():
                raise StoppedError
        return end - first

    def _solve(self, first: int, last: int, stopped: Callable[[], bool] | None) -> None:
        """Solve the targets from ``first`` to ``last - 1``."""
        one_seed = len(self.seeds) == 1
        seeds = self.seeds if one_seed else self.seeds[first:last]
        states = np.zeros((last - first, *self.program.shape))
        codes = np.full(last - first, float(layout.BAD_INPUT))
        options = self.options
        rows = self.rows
        if self.program.plain:
            table = self.program.table
            if options.random_seed != 0:
                table = with_seed(table, self.model.dof, options.random_seed)
            _solve_many(
                table,
                self.poses[first:last],
                seeds,
                states,
                codes,
                options.position_tolerance,
                options.orientation_tolerance,
                min(options.max_starts, FIRST_STARTS),
                int(self.program.direct_pose != GENERAL),
            )
            rows.q[first:last] = states[:, 1:, layout.BEST]
            rows.errors[0, first:last] = states[:, 0, layout.POSITION_ERROR]
            if has_errors(self.objectives(first))[1]:
                rows.errors[1, first:last] = states[:, 0, layout.ORIENTATION_ERROR]
            rows.counts[0, first:last] = states[:, 0, layout.ITERATIONS]
            rows.counts[1, first:last] = states[:, 0, layout.STARTS] - 1.0
        for k in np.flatnonzero(codes != layout.REACHED).tolist():
            rows.put(
                first + k,
                search_at_length(
                    self.model,
                    self.objectives(first + k),
                    self.program,
                    seeds[0 if one_seed else k].copy(),
                    options,
                    states[k] if codes[k] == layout.NOT_REACHED else None,
                    stopped,
                ),
            )


def _share(work: _Work, n: int, count: int, done: Callable[[int], None]) -> None:
    """Let threads solve the chunks; Ctrl-C ends them after the chunks that are being solved.

    No pool of the standard library: an interrupt within its ``wait`` can leave locks taken that
    the workers need, and then nothing ever ends. Here the workers need none.
    """
    starts = iter(range(0, n, CHUNK))  # a step of it is one act of the interpreter
    ending = iter(range(count - 1))
    solved: list[int] = []
    failures: list[BaseException] = []
    over = threading.Lock()  # held until the last worker ends
    stop = False

    def solve_chunks() -> None:
        try:
            while not stop and not failures and (first := next(starts, None)) is not None:
                solved.append(work.run(first, lambda: stop))
        except BaseException as failure:
            failures.append(failure)
        finally:
            if next(ending, None) is None:
                over.release()

    over.acquire()
    seen = 0
    threads: list[threading.Thread] = []
    try:
        for _ in range(count):
            threads.append(threading.Thread(target=solve_chunks, daemon=True))
            threads[-1].start()
        while not over.acquire(timeout=0.1):
            fresh = solved[seen:]
            seen += len(fresh)
            done(sum(fresh))
    except BaseException:
        stop = True
        for thread in threads:
            if thread.ident is not None:  # it was started
                thread.join()
        raise
    if failures:
        raise failures[0]
    done(sum(solved[seen:]))


@contextmanager
def _bar(n: int, wanted: bool) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error if wanted; yields what is told of finished targets."""
    if not wanted:
        yield lambda count: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("inverse kinematics", total=n)
        yield lambda count: bar.advance(task, count)


def _thread_count(threads: int | None) -> int:
    """Return how many threads to use."""
    if threads is None:
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    return whole_number(threads, "threads", 1, ObjectiveError)


def _seeds(model: RobotModel, q0: JointValues, n: int) -> FloatArray:
    """Return the seeds, shape (1, dof) or (n, dof), checked."""
    seeds = joint_vectors(q0, model.dof, "q0", joints=model.joint_names)
    if seeds.ndim == 1:
        return seeds.reshape(1, model.dof)
    if seeds.ndim != 2 or len(seeds) != n:
        raise JointVectorError(
            f"q0: one seed, or one for each target: expected {n}, got {len(seeds)} "
            f"(shape {seeds.shape})"
        )
    return seeds
