"""Why a step of a tracker did not meet its target: the search and the words."""

import math
from collections.abc import Sequence

import numpy as np

from armwright.ik._kernels import layout
from armwright.ik.objectives import Objective
from armwright.ik.program import Program
from armwright.ik.solving import IKResult, IKStatus, largest_errors, reached_words, residuals, solve
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FloatArray

from .status import TrackStatus

ENOUGH = 100  # starts that look for another branch


def explain_step(
    model: RobotModel,
    objectives: Sequence[Objective],
    before: FloatArray,
    after: FloatArray,
    status: TrackStatus,
    steps: FloatArray,
    program: Program,
    tolerances: tuple[float, float],
) -> tuple[TrackStatus, str]:
    """Return the precise status of a step, and one sentence about it.

    Args:
        model: The robot.
        objectives: The targets and limits of the step.
        before: Joint positions before it, shape (dof,).
        after: Joint positions after it.
        status: What the step itself found.
        steps: Most that each joint may move, shape (dof,).
        program: The objectives for the kernels.
        tolerances: Of position [m] and orientation [rad].
    """
    errors = largest_errors(objectives, residuals(model, objectives, after, program.limits))
    here = f"the step ends{reached_words(*errors)}"
    if status is TrackStatus.REACHED:
        return status, f"the target is met{reached_words(*errors)}"
    unit = program.table[1 : model.dof + 1, layout.UNIT]

    def search(starts: int) -> IKResult:
        return solve(
            model,
            before,
            *objectives,
            position_tolerance=tolerances[0],
            orientation_tolerance=tolerances[1],
            max_starts=starts,
        )

    result = search(1)
    first_errors = largest_errors(objectives, residuals(model, objectives, before, program.limits))
    on_branch = result.success and _is_same_branch(
        unit * (result.q - before), first_errors, program.length_weight
    )
    if not result.success:
        result = search(ENOUGH)
    if not result.success:
        if result.status is IKStatus.OUTSIDE_LIMITS:
            return TrackStatus.LIMIT, f"{result.message}; {here}"
        return TrackStatus.UNREACHABLE, f"{result.message}; {here}"
    needed = _needed(model, before, result.q, steps)
    if on_branch and status in (TrackStatus.STEP, TrackStatus.SINGULAR):
        where = "at a nearly singular pose, " if status is TrackStatus.SINGULAR else ""
        return status, f"too far for one step: {where}{needed}; {here}"
    held = _at_limits(model, program, after)
    because = f"{held}, and " if held and status is TrackStatus.LIMIT else ""
    return (
        TrackStatus.FLIP,
        f"a flip: {because}only another branch meets the target: {needed}; {here}",
    )


def _is_same_branch(motion: FloatArray, errors: tuple[float, float], length_weight: float) -> bool:
    """Whether a joint motion is in proportion to the error it corrects, in joint units."""
    position, orientation = np.nan_to_num(errors).tolist()
    return float(np.abs(motion).max(initial=0.0)) <= 0.5 + 4.0 * math.hypot(
        length_weight * position, orientation
    )


def _needed(model: RobotModel, before: FloatArray, after: FloatArray, steps: FloatArray) -> str:
    """Name the joint that would exceed its step the most."""
    motion = after - before
    with np.errstate(divide="ignore", invalid="ignore"):
        j = int(np.nanargmax(np.where(motion == 0.0, 0.0, np.abs(motion) / steps)))
    return (
        f"joint {model.joint_names[j]!r} would have to move by {motion[j]:.3g}, "
        f"its step is {steps[j]:.3g}"
    )


def _at_limits(model: RobotModel, program: Program, q: FloatArray) -> str:
    """Name the joints that stand at a limit."""
    lower, upper = program.limits
    names = [
        f"joint {name!r} is at its limit {value:.4g}"
        for name, value, low, high in zip(
            model.joint_names, q.tolist(), lower.tolist(), upper.tolist(), strict=True
        )
        if value in (low, high)
    ]
    return ", ".join(names)
