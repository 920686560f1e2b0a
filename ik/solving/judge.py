"""Judge joint positions by the model's own forward kinematics, and put it into words."""

from collections.abc import Sequence

import numpy as np

from armwright.ik.objectives import Objective
from armwright.ik.program import Program
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FloatArray

from .hints import outside_words, uncontrolled_words, unreachable_words
from .options import Options
from .residuals import are_met, largest_errors, residuals
from .result import IKResult, IKStatus, reached_words

ENOUGH_STARTS = 30  # after so many, what was not found is called unreachable


def judge(
    model: RobotModel,
    objectives: Sequence[Objective],
    program: Program,
    q: FloatArray,
    iterations: int,
    restarts: int,
    options: Options,
    status: IKStatus,
    outside: FloatArray | None = None,
) -> IKResult:
    """Judge joint positions; see the top of the file."""
    q = np.array(q)
    values = residuals(model, objectives, q, program.limits)
    position_error, orientation_error = largest_errors(objectives, values)
    success = are_met(objectives, values, options.tolerances, 10.0)
    if success:
        status = IKStatus.CONVERGED
    elif status is IKStatus.CONVERGED:
        status = IKStatus.STALLED

    def message() -> str:
        return _words(
            model, objectives, program, q, restarts, options, status, outside,
            reached_words(position_error, orientation_error),
        )  # fmt: skip

    return IKResult(
        q=q,
        success=success,
        status=status,
        position_error=position_error,
        orientation_error=orientation_error,
        residuals=values,
        iterations=iterations,
        restarts=restarts,
        message=message,  # when it is asked for: reasons take longer than the search
    )


def _words(
    model: RobotModel,
    objectives: Sequence[Objective],
    program: Program,
    q: FloatArray,
    restarts: int,
    options: Options,
    status: IKStatus,
    outside: FloatArray | None,
    reached: str,
) -> str:
    """Put it into words, with what may be the reason and what to change."""
    starts = f"{restarts + 1} start{'s' if restarts else ''}"
    if status is IKStatus.CONVERGED:
        message = f"converged{reached}"
    elif status is IKStatus.OUTSIDE_LIMITS:
        message = f"reachable only outside the limits; the closest inside is{reached}"
        message += outside_words(model, program, outside)
    elif status is IKStatus.UNREACHABLE:
        message = f"unreachable; the closest of {starts} is{reached or ' not there'}"
        message += unreachable_words(model, program, objectives, q)
        message += uncontrolled_words(model, program, q)
    elif status is IKStatus.OUT_OF_TIME:
        message = f"out of time (time_limit={options.time_limit:g} s) after {starts}; "
        message += f"the closest so far is{reached or ' not there'}"
    else:
        message = f"stalled; the closest of {starts} is{reached or ' not there'}; "
        if restarts + 1 < ENOUGH_STARTS:
            message += "too few to call it unreachable, "
            message += f"allow more than max_starts={options.max_starts}"
        else:
            message += "the search ended before it came to rest, solve again from its q"
        message += unreachable_words(model, program, objectives, q)
    return message
