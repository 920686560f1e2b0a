"""Which joint positions get me there: inverse kinematics with objectives and hard limits."""

from .all_solutions import AllSolutions, solve_all
from .objectives import custom, joint_limits, orientation, pose, position, posture, tip_axis
from .problem import IKProblem
from .problem import IKProblem as Problem
from .result import IKResult, IKStatus
from .solver import solve

__all__ = [
    "AllSolutions",
    "IKProblem",
    "IKResult",
    "IKStatus",
    "Problem",
    "custom",
    "joint_limits",
    "orientation",
    "pose",
    "position",
    "posture",
    "solve",
    "solve_all",
    "tip_axis",
]
