"""Where a frame objective acts: a frame of the model and the chain that leads to it."""

from collections.abc import Sequence
from dataclasses import dataclass

from armwright.ik.checks import FloatArray
from armwright.ik.objectives import FRAME_OBJECTIVES, FrameObjective, Objective
from armwright.kinematics import FrameType


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


def frame_objective(objectives: Sequence[Objective], target: Target) -> FrameObjective:
    """Return the objective that belongs to a target."""
    objective = objectives[target.number]
    assert isinstance(objective, FRAME_OBJECTIVES)
    return objective
