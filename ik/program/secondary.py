"""Secondary objectives and model in, columns and rows for the kernels out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from armwright.ik._kernels import layout
from armwright.ik.objectives import Objective, SecondaryObjective, SecondarySum
from armwright.kinematics import RobotModel
from armwright.kinematics._kernels.layout import MASS
from armwright.kinematics.arrays import FloatArray
from armwright.kinematics.robot import under_gravity


@dataclass(frozen=True, slots=True, eq=False)
class Secondary:
    """What the secondary objectives of one problem come to.

    Attributes:
        asked: Whether there are any.
        needs_limits: Whether they change with the joint limits.
        is_quadratic: Whether springs are all: then the best is known when nothing else is asked.
        reference: Where a spring pulls each joint, shape (dof,) [rad or m].
        stiffness: How strongly, shape (dof,), per joint unit; 0 where nothing pulls.
        effort: Weight of half the sum of the squared efforts; 0 when not asked for.
        curvature: About the second derivatives of what is not a spring.
        manipulabilities: Rows of each and then of their chains, shape (m, 16); the chains are
            counted from the first of these rows.
        n_manipulabilities: How many manipulabilities there are.
        longest: Rows of their longest chain, 0 when there is none.
        rows: The model's rows, with the gravity that counts, shape (dof + 1, 32).
    """

    asked: bool
    needs_limits: bool
    is_quadratic: bool
    reference: FloatArray
    stiffness: FloatArray
    effort: float
    curvature: float
    manipulabilities: FloatArray
    n_manipulabilities: int
    longest: int
    rows: FloatArray

    def put(self, table: FloatArray, first_row: int) -> None:
        """Write all of it into a table whose rows from ``first_row`` on are free for it."""
        n = len(self.reference)
        header, joints = table[0], table[1 : n + 1]
        joints[:, layout.REFERENCE] = self.reference
        joints[:, layout.STIFFNESS] = self.stiffness
        header[layout.EFFORT] = self.effort
        header[layout.CURVATURE] = self.curvature
        header[layout.N_GOALS] = self.n_manipulabilities
        header[layout.FIRST_GOAL] = first_row
        header[layout.LONGEST] = max(header[layout.LONGEST], self.longest)
        table[first_row:, :16] = self.manipulabilities
        table[first_row : first_row + self.n_manipulabilities, layout.CHAIN] += first_row


def add_up_secondary(
    model: RobotModel,
    objectives: Sequence[Objective],
    limits: FloatArray,
    unit: FloatArray,
    length_weight: float,
) -> Secondary:
    """Add up the secondary objectives among the objectives.

    Args:
        model: The robot.
        objectives: All objectives of the problem.
        limits: Lower and upper, shape (2, dof).
        unit: Joint units per unit of q, shape (dof,).
        length_weight: Joint units that count like one metre [1/m].

    Raises:
        ObjectiveError: If a length does not fit the model, or there are two gravities.
        FrameNotFoundError: If the frame of a manipulability does not exist.
    """
    asked = [o for o in objectives if isinstance(o, SecondaryObjective)]
    total = SecondarySum(model, limits, unit)
    for objective in asked:
        objective.add_to(total)
    stiffness = total.stiffness
    rows, effort = _weigh_efforts(total, length_weight)
    return Secondary(
        asked=bool(asked),
        needs_limits=any(objective.needs_limits for objective in asked),
        is_quadratic=not (total.effort_weights or total.manipulabilities),
        reference=np.divide(total.pull, stiffness, out=np.zeros(model.dof), where=stiffness > 0.0),
        stiffness=stiffness,
        effort=effort,
        curvature=sum(total.effort_weights + total.manipulability_weights),
        manipulabilities=_lay_out_manipulabilities(total),
        n_manipulabilities=len(total.manipulabilities),
        longest=max(map(len, total.chains), default=0),
        rows=rows,
    )


def _weigh_efforts(total: SecondarySum, length_weight: float) -> tuple[FloatArray, float]:
    """Return the model's rows under the gravity that counts, and the weight of squared efforts."""
    if total.gravity is None:
        return total.model._rows, 0.0
    rows = under_gravity(total.model._rows, total.gravity)
    lever = 2.0 / length_weight  # the reach
    whole = float(rows[1:, MASS].sum() * np.linalg.norm(total.gravity)) * lever
    return rows, sum(total.effort_weights) / (whole * whole) if whole > 0.0 else 0.0


def _lay_out_manipulabilities(total: SecondarySum) -> FloatArray:
    """Stack the rows of the manipulabilities and then their chains, shape (m, 16)."""
    heads = np.array(total.manipulabilities).reshape(-1, 16)
    row = len(heads)
    for head, chain in zip(heads, total.chains, strict=True):
        head[layout.CHAIN] = row
        row += len(chain)
    return np.concatenate([heads, *total.chains])
