"""What makes metres and radians, joints and slides comparable, for one model and its frames."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from armwright.ik._kernels import layout
from armwright.ik.objectives import pose
from armwright.kinematics import FrameType, RobotModel
from armwright.kinematics.arrays import FloatArray, frozen

from .program import compile_program

Frame = tuple[FrameType, int]


class Scaling(NamedTuple):
    """Units in which all motions of a robot are about 1.

    Attributes:
        length_weight: Radians that count like one metre, 2 / reach [1/m].
        unit: Joint units per unit of q, shape (dof,): radians of a joint's output, and what
            counts like them for a slide.
    """

    length_weight: float
    unit: FloatArray


@lru_cache(maxsize=32)
def scaling(model: RobotModel, frames: tuple[Frame, ...]) -> Scaling:
    """Return the scaling that ``solve`` uses for poses of these frames."""
    objectives = [pose(np.eye(4), frame_type=name, index=index) for name, index in frames]
    program = compile_program(model, objectives)
    unit = program.table[1 : model.dof + 1, layout.UNIT].copy()
    return Scaling(program.length_weight, frozen(unit))
