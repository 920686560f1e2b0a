"""Where a frame objective acts: a frame of the model and the chain that leads to it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from armwright.ik.objectives import FrameObjective, Objective, TargetObjective
from armwright.kinematics import FrameType, RobotModel
from armwright.kinematics._kernels.layout import (
    CHAIN_JOINT,
    CHAIN_PLACEMENT,
    CHAIN_SCALE,
    CHAIN_SLIDES,
)
from armwright.kinematics.arrays import FloatArray

CHAIN_ORIGIN = [CHAIN_PLACEMENT + k for k in (3, 7, 11)]  # columns: where the placements put it
# Limits far out stand for none: counted whole, they would make metres weigh nothing against turns.
MOST_TRAVEL = 100.0  # of one slide, in lengths of the links


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """Where one frame objective acts.

    Attributes:
        number: Place of the objective in the list of objectives.
        frame_type: Kind of its frame.
        index: Number of its frame.
        chain: Joints on the way there and the frame itself, shape (k + 1, 16).
        reach: Length of that chain [m].
    """

    number: int
    frame_type: FrameType
    index: int
    chain: FloatArray
    reach: float


def find_targets(
    model: RobotModel, objectives: Sequence[Objective], limits: FloatArray
) -> tuple[Target, ...]:
    """Look up the frames; objectives of the same frame come to stand side by side.

    Raises:
        FrameNotFoundError: If a frame is not found.
    """
    targets = []
    for number, objective in enumerate(objectives):
        if not isinstance(objective, FrameObjective):
            continue
        frame_type, index = objective.find_frame(model)
        chain = model._chain(frame_type, index)
        reach = _reach(chain, limits)
        targets.append(Target(number, frame_type, index, chain, reach))
    return tuple(sorted(targets, key=lambda target: (target.frame_type.value, target.index)))


def objective_at(objectives: Sequence[Objective], target: Target) -> FrameObjective:
    """Return the objective that belongs to a target."""
    objective = objectives[target.number]
    assert isinstance(objective, FrameObjective)
    return objective


def known_at(objectives: Sequence[Objective], target: Target) -> TargetObjective:
    """Return the objective that belongs to a target, one that the kernels know."""
    objective = objectives[target.number]
    assert isinstance(objective, TargetObjective)
    return objective


def _reach(chain: FloatArray, limits: FloatArray) -> float:
    """Length of a chain from its first joint on: links, and the travel of limited slides [m]."""
    links = total = math.fsum(math.hypot(*p) for p in chain[1:, CHAIN_ORIGIN].tolist())
    most = MOST_TRAVEL * links if links > 1e-6 else math.inf
    for joint, slides, scale in chain[:-1, [CHAIN_JOINT, CHAIN_SLIDES, CHAIN_SCALE]].tolist():
        travel = abs(scale) * float(limits[1, int(joint)] - limits[0, int(joint)])
        if slides and travel < math.inf:
            total += min(travel, most)
    return total
