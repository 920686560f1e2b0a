"""The long way: searches that need time, seeds or secondary goals, and what to say when one fails.

After a failed search the eight best points are brought to rest, so that "the closest" is a true
local minimum; then the limits are lifted, to tell a target that only they forbid from one that is
out of reach.
"""

import math
import time
from collections.abc import Sequence
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
from .options import Options
from .result import IKResult, IKStatus

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.ik._kernels import descend_secondary as _descend_secondary_kernels  # noqa: F401
    from armwright.ik._kernels import general as _general_kernels  # noqa: F401
    from armwright.ik._kernels import polish as _polish_kernels  # noqa: F401
    from armwright.ik._kernels import pose as _pose_kernels  # noqa: F401

_solve_pose = lazy(__name__, "_solve_pose", "armwright.ik._kernels.pose")
_solve_any = lazy(__name__, "_solve_any", "armwright.ik._kernels.general")
_polish_pool = lazy(__name__, "_polish_pool", "armwright.ik._kernels.polish")
_descend_secondary = lazy(__name__, "_descend_secondary", "armwright.ik._kernels.descend_secondary")

OUTSIDE_STARTS = 100  # to look whether a target can be met without the limits
STARTS_AT_ONCE = 8  # between two looks at the clock


class Clock:
    """A time limit that begins when it is made."""

    def __init__(self, time_limit: float | None) -> None:
        self._end = math.inf if time_limit is None else time.perf_counter() + time_limit

    @property
    def is_out(self) -> bool:
        """Whether the time is over."""
        return self._end < math.inf and time.perf_counter() >= self._end


def search_at_length(
    model: RobotModel,
    objectives: Sequence[Objective],
    program: Program,
    seed: FloatArray,
    options: Options,
    searched: FloatArray | None,
) -> IKResult:
    """Search, then polish, then judge.

    Args:
        model: The robot.
        objectives: What to reach, all of them such as the kernels know.
        program: The same for the kernels.
        seed: Joint positions to start from, shape (n_dof,).
        options: Tolerances, starts, time.
        searched: State of a search of all starts that has failed already, or None.
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
    clock = Clock(options.time_limit)
    table = fill_in(program, objectives)
    if options.random_seed != 0:
        table = with_seed(table, model.dof, options.random_seed)
    target = pose_of(program, objectives) if program.direct_pose != GENERAL else None
    state = searched
    starts = options.max_starts if program.n_moving else 1
    if state is None:
        state = _search(table, target, seed, options, starts, clock)
    if program.compromise is not None and not _met(state, options) and not clock.is_out:
        table = with_compromise(table, program)
        before = state[0, layout.ITERATIONS]
        state = _search(table, target, seed, options, starts, clock)
        state[0, layout.ITERATIONS] += before
    if not _met(state, options) and not clock.is_out:
        _polish_pool(table, state)
    status = IKStatus.CONVERGED
    outside = None
    if _met(state, options):
        if secondary.asked:
            _descend_secondary(table, secondary.rows, state, *options.tolerances)
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
) -> FloatArray:
    """Run the starts, a few at a time when there is a clock to look at."""
    state = np.empty((seed.size + 1, layout.STATE_WIDTH))
    at_once = starts if options.time_limit is None else STARTS_AT_ONCE
    first, last = 0, 1 if options.time_limit is not None else at_once
    while True:
        if target is not None:
            code = _solve_pose(table, target, seed, state, *options.tolerances, first, last)
        else:
            code = _solve_any(table, seed, state, *options.tolerances, first, last)
        if code == layout.REACHED or last >= starts or clock.is_out:
            return state
        first, last = last, min(last + at_once, starts)


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
    state = _search(table, target, seed, options, OUTSIDE_STARTS, clock)
    if not _met(state, options) and not clock.is_out:
        _polish_pool(table, state)
    return state[1:, layout.BEST].copy() if _met(state, options) else None
