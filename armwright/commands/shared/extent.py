"""How far an end effector gets from the base: the reach that ``armwright info`` prints.

As a function of one turning joint, the squared distance is a constant plus one cosine wave, so
three evaluations give its exact maximum. Going round the joints until nothing grows, from several
starts, finds the largest distance. Joints that slide have no travel in the format; they stay at 0.
"""

import math
from typing import TYPE_CHECKING

import numpy as np

from armwright.hrdf import Joint

from .arm import joints
from .values import FloatArray

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

_STARTS = 32
_ROUNDS = 200
_ENOUGH = 1e-12  # m^2, growth of a round that is none


def reach_of(model: "RobotModel", index: int) -> float:
    """Return the largest distance of an end effector from the base frame's origin [m]."""
    turning = [
        (column, joint.element.gear_ratio if isinstance(joint.element, Joint) else 1.0)
        for column, joint in enumerate(joints(model))
        if not joint.slides
    ]
    q = np.zeros((_STARTS, model.dof))
    for column, ratio in turning:
        angles = np.random.default_rng(column).uniform(-math.pi, math.pi, _STARTS - 1)
        q[1:, column] = angles * ratio
    best = float(_squared_distances(model, q, index).max())
    for _ in range(_ROUNDS):
        for column, ratio in turning:
            q[:, column] += ratio * _best_turn(model, q, index, column, ratio)
        found = float(_squared_distances(model, q, index).max())
        if found - best <= _ENOUGH:
            break
        best = found
    return math.sqrt(max(best, found) if turning else best)


def _best_turn(
    model: "RobotModel", q: FloatArray, index: int, column: int, ratio: float
) -> FloatArray:
    """Return how far to turn one joint to get farthest, shape (n,) [rad at its output]."""
    ahead, behind = q.copy(), q.copy()
    ahead[:, column] += ratio * math.pi / 2
    behind[:, column] -= ratio * math.pi / 2
    here, plus, minus = (_squared_distances(model, each, index) for each in (q, ahead, behind))
    middle = (plus + minus) / 2
    return np.arctan2((plus - minus) / 2, here - middle)


def _squared_distances(model: "RobotModel", q: FloatArray, index: int) -> FloatArray:
    """Return the squared distances from the base frame's origin, shape (n,) [m^2]."""
    Ts_world_tool = model.end_effector(q, index=index)
    offset = Ts_world_tool[:, :3, 3] - model.base_frame[:3, 3]
    squared: FloatArray = np.einsum("ni,ni->n", offset, offset)
    return squared
