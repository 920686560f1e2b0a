"""Run a program from a seed: at once when all is as it should be, else with everything checked."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from armwright.ik.checks import FloatArray
from armwright.ik.objectives import Objective
from armwright.ik.program import Program
from armwright.kinematics import RobotModel
from armwright.kinematics.engine import lazy

from .least_squares import solve_by_least_squares
from .options import check_options
from .result import IKResult, new, put_source
from .search import search_at_length

_solve_pose = lazy(__name__, "_solve_pose", "armwright.ik._kernels.pose")
_solve_any = lazy(__name__, "_solve_any", "armwright.ik._kernels.general")

_ndarray = np.ndarray
_empty = np.empty
_FLOAT = np.dtype(np.float64)  # native: Numba may mistake another byte order for it


def run(
    model: RobotModel,
    objectives: Sequence[Objective],
    program: Program,
    table: FloatArray | None,
    target: FloatArray | None,
    q0: npt.ArrayLike,
    position_tolerance: float,
    orientation_tolerance: float,
    max_starts: int,
    random_seed: int,
    time_limit: float | None,
) -> IKResult:
    """Solve from a seed; see the function ``solve`` for seed, options and results.

    Written for speed: by position, and no word of why until something fails.

    Args:
        model: The robot.
        objectives: What to reach.
        program: The same, laid out.
        table: Of the program, with the targets unless there is one ``target``; None when the
            program is not ``plain``.
        target: The pose for the kernel of one pose, shape (4, 4); None for the general one.
        q0: Seed.
        position_tolerance: As for ``solve``, and not checked yet, like all that follow.
        orientation_tolerance: The same.
        max_starts: The same.
        random_seed: The same.
        time_limit: The same.
    """
    state = None
    if (
        time_limit is None
        and random_seed.__class__ is int
        and random_seed == 0
        and max_starts.__class__ is int
        and position_tolerance.__class__ is float
        and orientation_tolerance.__class__ is float
        and q0.__class__ is _ndarray
        and q0.dtype is _FLOAT
        and program.plain
    ):
        state = _empty(program.shape)
        try:
            if target is not None:
                code = _solve_pose(
                    table, target, q0, state, position_tolerance, orientation_tolerance, 0,
                    max_starts,
                )  # fmt: skip
            else:
                code = _solve_any(
                    table, q0, state, position_tolerance, orientation_tolerance, 0, max_starts
                )
            if code == 0:
                result = new(IKResult)
                put_source(result, (model, objectives, state))
                return result
            if code != 1 or max_starts < 1:
                state = None
        except (TypeError, OverflowError):  # checked and converted below
            state = None
    options = check_options(
        position_tolerance, orientation_tolerance, max_starts, random_seed, time_limit
    )
    seed = model._joint_vector(q0, "q0")
    if program.is_general:
        return solve_by_least_squares(model, objectives, program, seed, options)
    return search_at_length(model, objectives, program, seed, options, searched=state)
