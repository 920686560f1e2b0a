"""Secondary goals and model in, columns and rows for the kernels out (``_kernels/layout.py``)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from armwright.errors import ObjectiveError
from armwright.ik._kernels import layout
from armwright.ik.checks import FloatArray
from armwright.ik.objectives import (
    ROWS,
    SECONDARY_OBJECTIVES,
    CenteringObjective,
    EffortObjective,
    ManipulabilityObjective,
    Objective,
    PostureObjective,
    SecondaryObjective,
)
from armwright.kinematics import RobotModel
from armwright.kinematics.engine import lazy

_gravity = lazy(__name__, "_gravity", "armwright.kinematics._kernels.gravity")

_MASS = 16  # columns of the model's rows, see kinematics/compile.py
_GRAVITY = slice(29, 32)


@dataclass(frozen=True, slots=True, eq=False)
class Secondary:
    """What the secondary goals of one problem come to.

    Attributes:
        asked: Whether there are any.
        needs_limits: Whether they change with the joint limits.
        is_quadratic: Whether springs are all: then the best is known when nothing else is asked.
        reference: Where a spring pulls each joint, shape (n_dof,) [rad or m].
        stiffness: How strongly, shape (n_dof,), per joint unit; 0 where nothing pulls.
        effort: Weight of half the sum of the squared efforts; 0 when not asked for.
        curvature: About the second derivatives of what is not a spring.
        goals: Rows of the manipulabilities and then of their chains, shape (m, 16); the chains
            are counted from the first of these rows.
        n_goals: How many manipulabilities there are.
        longest: Rows of their longest chain, 0 when there is none.
        rows: The model's rows, with the gravity that counts, shape (n_dof + 1, 32).
    """

    asked: bool
    needs_limits: bool
    is_quadratic: bool
    reference: FloatArray
    stiffness: FloatArray
    effort: float
    curvature: float
    goals: FloatArray
    n_goals: int
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
        header[layout.N_GOALS] = self.n_goals
        header[layout.FIRST_GOAL] = first_row
        header[layout.LONGEST] = max(header[layout.LONGEST], self.longest)
        table[first_row:, :16] = self.goals
        table[first_row : first_row + self.n_goals, layout.CHAIN] += first_row


def secondary(
    model: RobotModel,
    objectives: Sequence[Objective],
    limits: FloatArray,
    unit: FloatArray,
    length_weight: float,
) -> Secondary:
    """Add up the secondary goals among the objectives.

    Args:
        model: The robot.
        objectives: All objectives of the problem.
        limits: Lower and upper, shape (2, n_dof).
        unit: Joint units per unit of q, shape (n_dof,).
        length_weight: Joint units that count like one metre [1/m].

    Raises:
        ObjectiveError: If a length does not fit the model, or there are two gravities.
        FrameNotFoundError: If the frame of a manipulability does not exist.
    """
    asked = [o for o in objectives if isinstance(o, SECONDARY_OBJECTIVES)]
    stiffness = np.zeros(model.dof)
    pull = np.zeros(model.dof)
    for goal in asked:
        if isinstance(goal, PostureObjective):
            if goal.q_ref.size != model.dof:
                raise ObjectiveError(
                    f"posture: one number per joint: expected {model.dof}, got {goal.q_ref.size}"
                )
            stiffness += goal.weight
            pull += goal.weight * goal.q_ref
        elif isinstance(goal, CenteringObjective):
            middle, half = middles(limits)
            strong = np.zeros(model.dof)
            strong[half > 0.0] = goal.weight / (unit * half)[half > 0.0] ** 2
            stiffness += strong
            pull += strong * middle
    efforts = [o for o in asked if isinstance(o, EffortObjective)]
    manipulabilities = [o for o in asked if isinstance(o, ManipulabilityObjective)]
    rows, effort = _efforts(model, efforts, length_weight)
    heads, chains = _manipulabilities(model, manipulabilities)
    return Secondary(
        asked=bool(asked),
        needs_limits=any(isinstance(o, CenteringObjective) for o in asked),
        is_quadratic=not (efforts or manipulabilities),
        reference=np.divide(pull, stiffness, out=np.zeros(model.dof), where=stiffness > 0.0),
        stiffness=stiffness,
        effort=effort,
        curvature=sum([o.weight for o in efforts] + [o.weight for o in manipulabilities]),
        goals=np.concatenate([heads, *chains]),
        n_goals=len(heads),
        longest=max(map(len, chains), default=0),
        rows=rows,
    )


def secondary_residual(
    model: RobotModel, goal: SecondaryObjective, q: FloatArray, limits: FloatArray
) -> FloatArray:
    """Return what a result reports of a secondary goal, unweighted.

    Target minus actual: posture and centering (n_dof,) [rad or m], 0 for joints that are left
    alone; least effort (n_dof,), minus the holding efforts [N m or N]. A manipulability has no
    target: its measure, (1,).
    """
    if isinstance(goal, PostureObjective):
        return goal.q_ref - q
    if isinstance(goal, CenteringObjective):
        middle, half = middles(limits)
        to_go: FloatArray = np.where(half > 0.0, middle - q, 0.0)
        return to_go
    if isinstance(goal, EffortObjective):
        rows, _ = _efforts(model, [goal], 1.0)
        efforts = np.empty(model.dof)
        _gravity(rows, np.array(q), efforts)
        return -efforts
    kind, number = model._frame(goal.frame_type, goal.index, goal.tag)
    J = model.jacobian(q, None, kind, number)[slice(*ROWS[goal.rows])]
    n_moving = len(model._chain(kind, number)) - 1  # other columns are zero
    values = np.linalg.svd(J, compute_uv=False)[:n_moving] if n_moving else np.zeros(1)
    return np.array([np.prod(values)], dtype=np.float64)


def middles(limits: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return middle and half range of every joint, shape (n_dof,); 0 where a limit is missing."""
    both = np.isfinite(limits).all(axis=0)
    lower, upper = np.where(both, limits, 0.0)
    return 0.5 * (lower + upper), 0.5 * (upper - lower)


def _efforts(
    model: RobotModel, asked: Sequence[EffortObjective], length_weight: float
) -> tuple[FloatArray, float]:
    """Return the model's rows under the gravity that counts, and the weight of squared efforts."""
    if not asked:
        return model._rows, 0.0
    if any(goal.gravity.tolist() != asked[0].gravity.tolist() for goal in asked):
        raise ObjectiveError("least_effort: there can be only one gravity in a problem")
    rows = model._rows.copy()
    rows[0, _GRAVITY] = asked[0].gravity
    lever = 2.0 / length_weight  # the reach
    whole = float(rows[1:, _MASS].sum() * np.linalg.norm(asked[0].gravity)) * lever
    return rows, sum(goal.weight for goal in asked) / (whole * whole) if whole > 0.0 else 0.0


def _manipulabilities(
    model: RobotModel, asked: Sequence[ManipulabilityObjective]
) -> tuple[FloatArray, list[FloatArray]]:
    """Lay out one row for each manipulability, shape (n, 16), and their chains."""
    heads = np.zeros((len(asked), 16))
    chains: list[FloatArray] = []
    row = len(asked)
    for head, goal in zip(heads, asked, strict=True):
        kind, number = model._frame(goal.frame_type, goal.index, goal.tag)
        chain = model._chain(kind, number)
        head[layout.GOAL_WEIGHT] = goal.weight
        head[layout.CHAIN] = row
        head[layout.N_JOINTS] = len(chain) - 1
        head[layout.GOAL_ROW], head[layout.GOAL_END] = ROWS[goal.rows]
        chains.append(chain)
        row += len(chain)
    return heads, chains
