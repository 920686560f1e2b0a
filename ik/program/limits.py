"""The joint limits that hold in one problem: the model's, narrowed by the objectives'."""

from collections.abc import Iterable

import numpy as np

from armwright.errors import ObjectiveError
from armwright.ik.checks import LARGEST, FloatArray
from armwright.ik.objectives import JointLimits
from armwright.kinematics import RobotModel


def combined_limits(model: RobotModel, limits: Iterable[JointLimits]) -> FloatArray:
    """Intersect the model's position limits with all that were asked for.

    Returns:
        Lower and upper, shape (2, n_dof) [rad or m]; infinite where there is none, or one that is
        farther than any joint can go.

    Raises:
        ObjectiveError: If a length is wrong, or a joint is left without room.
    """
    result = np.array(model.position_limits, dtype=np.float64)  # (2, n_dof)
    for asked in limits:
        if asked.lower.size != model.dof:
            raise ObjectiveError(
                f"joint_limits: one number per joint: expected {model.dof}, got {asked.lower.size}"
            )
        np.maximum(result[0], asked.lower, out=result[0])
        np.minimum(result[1], asked.upper, out=result[1])
        for j in np.flatnonzero(result[0] > result[1]).tolist():
            low, high = model.position_limits[:, j].tolist()
            raise ObjectiveError(
                f"joint_limits, joint {model.joint_names[j]!r} (q[{j}]): "
                f"{asked.lower[j]:g} to {asked.upper[j]:g} has nothing in common with its other "
                f"limits (the model's are {low:g} to {high:g})"
            )
    result[0][result[0] < -LARGEST] = -np.inf
    result[1][result[1] > LARGEST] = np.inf
    return result


def fit_into(q: FloatArray, limits: FloatArray) -> FloatArray:
    """Bring joint positions into limits by clipping."""
    clipped: FloatArray = np.clip(q, limits[0], limits[1])
    return clipped
