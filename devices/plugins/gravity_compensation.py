"""Gravity compensation: the efforts that hold the arm where it was measured."""

import numpy as np

from armwright.kinematics.arrays import FloatArray

from .turn import Turn


class GravityCompensationEffort:
    """Hold the arm against gravity, by its model.

    Where a module does not report its position, the place that it is told to be stands in.
    """

    name = "gravity compensation"

    def __repr__(self) -> str:
        return "GravityCompensationEffort()"

    def update(self, turn: Turn) -> FloatArray:
        """Return the holding efforts, shape (dof,) [N m or N]."""
        known = np.isfinite(turn.q)
        return turn.model.gravity_efforts(np.where(known, turn.q, turn.goal_position))
