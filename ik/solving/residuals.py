"""How far joint positions are from every objective, from the model's own forward kinematics.

Independent of the solver's kernels: this is what a result reports.
"""

import math
from collections.abc import Sequence

import numpy as np

from armwright.ik.objectives import Objective, PrimaryObjective
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FloatArray, frozen


def residuals(
    model: RobotModel, objectives: Sequence[Objective], q: FloatArray, limits: FloatArray
) -> tuple[FloatArray, ...]:
    """Return what is still to go for each objective, unweighted, target minus actual, read-only.

    Args:
        model: The robot.
        objectives: All objectives of the problem.
        q: Joint positions, shape (dof,).
        limits: The joint limits of the problem, shape (2, dof).
    """
    return tuple(frozen(objective.residual(model, q, limits)) for objective in objectives)


def largest_errors(
    objectives: Sequence[Objective], values: Sequence[FloatArray]
) -> tuple[float, float]:
    """Return the largest position error [m] and orientation error [rad]; nan if there is none."""
    positions = []
    orientations = []
    for objective, value in zip(objectives, values, strict=True):
        if objective.position_rows is not None:
            positions.append(value[objective.position_rows])
        if objective.orientation_rows is not None:
            orientations.append(value[objective.orientation_rows])
    return (
        max((float(np.linalg.norm(v)) for v in positions), default=math.nan),
        max((float(np.linalg.norm(v)) for v in orientations), default=math.nan),
    )


def are_met(
    objectives: Sequence[Objective],
    values: Sequence[FloatArray],
    tolerances: tuple[float, float],
    factor: float,
) -> bool:
    """Whether every objective is met within ``factor`` times its tolerance.

    Args:
        objectives: All objectives of the problem.
        values: The residual of each.
        tolerances: Of position [m] and orientation [rad].
        factor: How much more is allowed.
    """
    position_error, orientation_error = largest_errors(objectives, values)
    return (
        not position_error > factor * tolerances[0]
        and not orientation_error > factor * tolerances[1]
        and all(
            objective.is_met(value, factor)
            for objective, value in zip(objectives, values, strict=True)
            if isinstance(objective, PrimaryObjective)
        )
    )


def has_errors(objectives: Sequence[Objective]) -> tuple[bool, bool]:
    """Whether some objective counts for the position error, and for the orientation error."""
    return (
        any(objective.position_rows is not None for objective in objectives),
        any(objective.orientation_rows is not None for objective in objectives),
    )
