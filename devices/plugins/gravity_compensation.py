"""Gravity compensation: the efforts that hold the arm where it was measured."""

import numpy as np

from armwright.errors import PluginError
from armwright.kinematics.arrays import FloatArray
from armwright.reprs import short

from .turn import Turn


class GravityCompensationEffort:
    """Hold the arm against gravity, by its model.

    Where a module does not report its position, the place that it is told to be stands in.
    """

    name = "gravity compensation"

    def __repr__(self) -> str:
        return "GravityCompensationEffort()"

    def update(self, turn: Turn) -> FloatArray:
        """Return the holding efforts, shape (dof,) [N m or N].

        Raises:
            PluginError: If it is no turn.
        """
        if not isinstance(turn, Turn):
            raise PluginError(f"update: expected a Turn, got {short(turn)}")
        known = np.isfinite(turn.q)
        return turn.model.gravity_efforts(np.where(known, turn.q, turn.goal_position))
