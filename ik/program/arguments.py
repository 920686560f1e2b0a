"""Refuse what is no model and what are no objectives."""

from collections.abc import Sequence

from armwright.errors import ModelError, ObjectiveError
from armwright.ik.objectives import Objective
from armwright.kinematics import RobotModel


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
                f"got {objective!r}{'; pass them one by one, not in a list' if apart else ''}"
            )
