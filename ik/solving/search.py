"""The long way: searches that need time, seeds or secondary goals, and what to say when one fails.

After a failed search the eight best points are brought to rest, so that "the closest" is a true
local minimum, and the nearest to the seed of those that are equally close is taken; then the limits
are lifted, to tell a target that only they forbid from one that is out of reach.

The kernels are called for a few starts at a time, about 10 ms: between two calls Ctrl-C is heard.
"""

import math
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from armwright.ik._kernels import layout
from armwright.ik.objectives import Objective
from armwright.ik.program import (
    GENERAL,
    Program,
    fill_in,
    fit_into,
    pose_of,
    with_compromise,
    with_seed,
    without_limits,
)
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FloatArray
from armwright.kinematics.engine import kernel, lazy

from .judge import ENOUGH_STARTS, judge
from .options import FIRST_STARTS, Options
from .result import IKResult, IKStatus

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.ik._kernels import descend_secondary as _descend_secondary_kernels  # noqa: F401
    from armwright.ik._kernels import general as _general_kernels  # noqa: F401
    from armwright.ik._kernels import polish as _polish_kernels  # noqa: F401
    from armwright.ik._kernels import pose as _pose_kernels  # noqa: F401

_solve_pose = lazy(__name__, "_solve_pose", "armwright.ik._kernels.pose")
_solve_any = lazy(__name__, "_solve_any", "armwright.ik._kernels.general")
_polish_pool = lazy(__name__, "_polish_pool", "armwright.ik._kernels.polish")
_choose_nearest = lazy(__name__, "_choose_nearest", "armwright.ik._kernels.polish")
_descend_secondary = lazy(__name__, "_descend_secondary", "armwright.ik._kernels.descend_secondary")

OUTSIDE_STARTS = 100  # to look whether a target can be met without the limits
STARTS_AT_ONCE = 8  # between two looks at the clock
SLICE = 0.01  # s, about, between two looks at Ctrl-C
MANY_JOINTS = 16  # from here on even one round of polishing, or a few steps, take their time
ROUNDS = layout.N_POOL + 2  # of polishing


class StoppedError(Exception):
    """Somebody else wants the search to end; who asked for it raises what there is to say."""


class Clock:
    """A time limit that begins when it is made.

    Args:
        time_limit: Time from now on [s]; None for no limit.
        stopped: Says whether the search is to end without an answer.
    """

    def __init__(self, time_limit: float | None, stopped: Callable[[], bool] | None = None) -> None:
        self._end = math.inf if time_limit is None else time.perf_counter() + time_limit
        self._stopped = stopped

    @property
    def is_out(self) -> bool:
        """Whether the time is over."""
        return self._end < math.inf and time.perf_counter() >= self._end

    def look(self) -> None:
        """Raise StoppedError when the search is to end."""
        if self._stopped is not None and self._stopped():
            raise StoppedError


def search_at_length(
    model: RobotModel,
    objectives: Sequence[Objective],
    program: Program,
    seed: FloatArray,
    options: Options,
    searched: FloatArray | None,
    stopped: Callable[[], bool] | None = None,
) -> IKResult:
    """Search, then polish, then judge.

    Args:
        model: The robot.
        objectives: What to reach, all of them such as the kernels know.
        program: The same for the kernels.
        seed: Joint positions to start from, shape (dof,).
        options: Tolerances, starts, time.
        searched: State of a search whose first starts have failed already, or None.
        stopped: Says whether the search is to end without an answer.

    Raises:
        StoppedError: If it is.
    """
    secondary = program.secondary
    if program.n_rows == 0 and secondary.is_quadratic:
        q = fit_into(np.where(secondary.stiffness > 0.0, secondary.reference, seed), program.limits)
        return judge(model, objectives, program, q, 0, 0, options, IKStatus.CONVERGED)
    if options.time_limit is not None:  # compiling does not count
        if program.direct_pose != GENERAL:
            kernel("armwright.ik._kernels.pose", "solve_pose")
        else:
            kernel("armwright.ik._kernels.general", "solve_any")
        kernel("armwright.ik._kernels.polish", "polish_pool")
    clock = Clock(options.time_limit, stopped)
    table = fill_in(program, objectives)
    if options.random_seed != 0:
        table = with_seed(table, model.dof, options.random_seed)
    target = pose_of(program, objectives) if program.direct_pose != GENERAL else None
    starts = options.max_starts if program.n_moving else 1
    state, reached = _search(table, target, seed, options, starts, clock, searched)
    if program.compromise is not None and not _met(state, options) and not clock.is_out:
        table = with_compromise(table, program)
        before = state[0, layout.ITERATIONS]
        state, reached = _search(table, target, seed, options, starts, clock)
        state[0, layout.ITERATIONS] += before
    if not reached:
        _settle(table, seed, state, options, clock)
    status = IKStatus.CONVERGED
    outside = None
    if _met(state, options):
        if secondary.asked:
            _descend(table, secondary.rows, state, options, clock)
    elif clock.is_out:
        status = IKStatus.OUT_OF_TIME
    else:
        if _limits_restrict(table, model.dof):
            outside = _outside(without_limits(table, model.dof), target, seed, options, clock)
        if outside is not None:
            status = IKStatus.OUTSIDE_LIMITS
        elif clock.is_out:
            status = IKStatus.OUT_OF_TIME
        else:
            tried = state[0, layout.STARTS] >= ENOUGH_STARTS and state[0, layout.STATIONARY]
            sure = program.n_moving == 0 or bool(tried)
            status = IKStatus.UNREACHABLE if sure else IKStatus.STALLED
    return judge(
        model,
        objectives,
        program,
        state[1:, layout.BEST],
        int(state[0, layout.ITERATIONS]),
        max(int(state[0, layout.STARTS]) - 1, 0),
        options,
        status,
        outside,
    )


def _search(
    table: FloatArray,
    target: FloatArray | None,
    seed: FloatArray,
    options: Options,
    starts: int,
    clock: Clock,
    searched: FloatArray | None = None,
) -> tuple[FloatArray, bool]:
    """Run the starts, a few at a time; return the state, and whether the target is reached."""
    timed = options.time_limit is not None
    at_once = STARTS_AT_ONCE if timed else FIRST_STARTS
    if searched is None:
        state = np.empty((seed.size + 1, layout.STATE_WIDTH))
        first, last = 0, min(1 if timed else at_once, starts)
    else:
        state = searched
        first = int(state[0, layout.STARTS])
        last = min(first + at_once, starts)
    while first < last:
        begin = time.perf_counter()
        if target is not None:
            code = _solve_pose(table, target, seed, state, *options.tolerances, first, last)
        else:
            code = _solve_any(table, seed, state, *options.tolerances, first, last)
        if code == layout.REACHED:
            return state, True
        if clock.is_out:
            break
        clock.look()
        if not timed and time.perf_counter() - begin < SLICE:
            at_once *= 2
        first, last = last, min(last + at_once, starts)
    return state, False


def _settle(
    table: FloatArray, seed: FloatArray, state: FloatArray, options: Options, clock: Clock
) -> None:
    """Bring the best points to rest unless one is good enough, and take the nearest to the seed."""
    if not _met(state, options):
        if clock.is_out:
            return
        at_once = 1 if seed.size >= MANY_JOINTS else ROUNDS
        for first in range(0, ROUNDS, at_once):
            _polish_pool(table, seed, state, first, first + at_once)
            clock.look()
    _choose_nearest(table, seed, state, *(10.0 * value for value in options.tolerances))


def _descend(
    table: FloatArray, rows: FloatArray, state: FloatArray, options: Options, clock: Clock
) -> None:
    """Lower the secondary goals from an answer, a few steps at a time."""
    n = len(state) - 1
    curvature = np.empty((n, n))
    position = max(options.position_tolerance, float(state[0, layout.POSITION_ERROR]))
    orientation = max(options.orientation_tolerance, float(state[0, layout.ORIENTATION_ERROR]))
    at_once = 1 if n >= MANY_JOINTS else layout.MOST_DESCENTS
    step = 0
    while step < layout.MOST_DESCENTS:
        step = _descend_secondary(
            table, rows, state, curvature, position, orientation, step, step + at_once
        )
        clock.look()
        if clock.is_out:
            return


def _met(state: FloatArray, options: Options) -> bool:
    """Whether the best point is within 10 times the tolerances."""
    return bool(
        state[0, layout.POSITION_ERROR] <= 10.0 * options.position_tolerance
        and state[0, layout.ORIENTATION_ERROR] <= 10.0 * options.orientation_tolerance
    )


def _limits_restrict(table: FloatArray, n: int) -> bool:
    """Whether any joint that matters has less than a whole turn, or a slide has an end."""
    joints = table[1 : n + 1]
    room = joints[:, layout.UPPER] - joints[:, layout.LOWER]
    turn = joints[:, layout.TURN]
    narrow = np.where(turn > 0.0, room < turn * (1.0 - 1e-12), np.isfinite(room))
    ended = (turn == 0.0) & np.isfinite(joints[:, [layout.LOWER, layout.UPPER]]).any(axis=1)
    return bool(((narrow | ended) & (joints[:, layout.MOVES] != 0.0)).any())


def _outside(
    table: FloatArray,
    target: FloatArray | None,
    seed: FloatArray,
    options: Options,
    clock: Clock,
) -> FloatArray | None:
    """Return joint positions that meet the objectives without limits, or None."""
    state, reached = _search(table, target, seed, options, OUTSIDE_STARTS, clock)
    if not reached:
        _settle(table, seed, state, options, clock)
    return state[1:, layout.BEST].copy() if _met(state, options) else None
