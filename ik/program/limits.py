"""The joint limits that hold in one problem: the model's, narrowed by the objectives'."""

from collections.abc import Iterable

import numpy as np

from armwright.ik.objectives import LARGEST, Objective
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FloatArray


def combine_limits(model: RobotModel, objectives: Iterable[Objective]) -> FloatArray:
    """Intersect the model's position limits with all that were asked for.

    Returns:
        Lower and upper, shape (2, dof) [rad or m]; infinite where there is none, or one that is
        farther than any joint can go.

    Raises:
        ObjectiveError: If a length is wrong, or a joint is left without room.
    """
    result = np.array(model.position_limits, dtype=np.float64)  # (2, dof)
    for objective in objectives:
        objective.narrow(model, result)
    result[0][result[0] < -LARGEST] = -np.inf
    result[1][result[1] > LARGEST] = np.inf
    return result


def fit_into(q: FloatArray, limits: FloatArray) -> FloatArray:
    """Bring joint positions into limits by clipping."""
    clipped: FloatArray = np.clip(q, limits[0], limits[1])
    return clipped
