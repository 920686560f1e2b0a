"""Refuse what is no model, what are no objectives, and no numbers for the joints."""

from collections.abc import Mapping, Sequence

import numpy as np

from armwright.errors import ModelError, ObjectiveError
from armwright.ik.objectives import Objective
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FloatArray, check_each, row, some_by_name
from armwright.reprs import short


def check_model(model: RobotModel) -> None:
    """Refuse what is no model.

    Raises:
        ModelError: If it is something else.
    """
    if not isinstance(model, RobotModel):
        raise ModelError(
            f"expected a RobotModel, got {type(model).__name__}; armwright.load reads one"
        )


def check_objectives(objectives: Sequence[Objective]) -> None:
    """Refuse what are no objectives.

    Raises:
        ObjectiveError: If one of them is something else.
    """
    for objective in objectives:
        if not isinstance(objective, Objective):
            apart = isinstance(objective, list | tuple)
            raise ObjectiveError(
                "expected objectives made by ik.position, ik.pose, ik.joint_limits, ...; "
                f"got {short(objective)}{'; pass them one by one, not in a list' if apart else ''}"
            )


def one_or_each(value: object, name: str, joints: Sequence[str]) -> FloatArray:
    """Return one number for all joints, or one for each, as an array of shape (dof,).

    A mapping by name says it of some joints; others have no limit, inf.

    Raises:
        ObjectiveError: If there are too few or too many, there is no joint of a name, or one is
            negative or NaN.
    """
    if isinstance(value, Mapping):
        free = np.full(len(joints), np.inf)
        numbers = some_by_name(value, joints, free, name, ObjectiveError)
    else:
        numbers = row(value, len(joints), name, ObjectiveError, one_for_all=True)
    check_each(numbers, numbers >= 0.0, name, "a number, 0 or more", ObjectiveError)
    return numbers
