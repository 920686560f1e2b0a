"""Secondary objectives: what to do with the freedom that the other objectives leave.

They are a second level. First the objectives are met, or come as close as they can; then the joints
move within what keeps them met, until the sum of the secondary ones is lowest. They never count
for success. Weights matter only between secondary objectives, each of which is about 1 when a joint
is a radian, or the whole arm, from where it should be.
"""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FloatArray

from .base import Objective


@dataclass(slots=True, eq=False)
class SecondarySum:
    """What the secondary objectives of one problem add up to; each adds its own part.

    Attributes:
        model: The robot.
        limits: Joint limits of the problem, shape (2, dof).
        unit: Joint units per unit of q, shape (dof,).
        stiffness: How strongly springs pull each joint, shape (dof,), per joint unit squared.
        pull: The same times where they pull it, shape (dof,).
        effort_weights: Of the squared holding efforts.
        gravity: That the efforts hold against, shape (3,) [m/s^2]; None when there are none.
        manipulabilities: Rows of the kernels' table, shape (16,) each; their chains are put in
            later.
        manipulability_weights: Of each.
        chains: Of each, shape (k + 1, 16).
    """

    model: RobotModel
    limits: FloatArray
    unit: FloatArray
    stiffness: FloatArray = field(init=False)
    pull: FloatArray = field(init=False)
    effort_weights: list[float] = field(default_factory=list)
    gravity: FloatArray | None = None
    manipulabilities: list[FloatArray] = field(default_factory=list)
    manipulability_weights: list[float] = field(default_factory=list)
    chains: list[FloatArray] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.stiffness = np.zeros(self.model.dof)
        self.pull = np.zeros(self.model.dof)


class SecondaryObjective(Objective):
    """What to do with freedom that is left.

    Attributes:
        needs_limits: Whether its part changes with the joint limits.
    """

    __slots__ = ()

    needs_limits: ClassVar[bool] = False

    def add_to(self, total: SecondarySum) -> None:
        """Add its part to what the kernels lower.

        Raises:
            ObjectiveError: If it does not fit the model or the others.
        """
        raise NotImplementedError
