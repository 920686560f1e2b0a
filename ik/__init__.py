"""Which joint positions get me there: inverse kinematics with objectives and hard limits."""

from .all_solutions import AllSolutions, solve_all
from .batch import solve_batch
from .goals import centering, least_effort, manipulability_goal, posture
from .manipulability import manipulability
from .objectives import custom, joint_limits, orientation, pose, position, tip_axis
from .problem import IKProblem
from .problem import IKProblem as Problem
from .result import IKResult, IKStatus
from .solver import solve
from .tracker import Tracker, TrackStatus
from .tracking import track
from .velocity import twist, velocity

__all__ = [
    "AllSolutions",
    "IKProblem",
    "IKResult",
    "IKStatus",
    "Problem",
    "TrackStatus",
    "Tracker",
    "centering",
    "custom",
    "joint_limits",
    "least_effort",
    "manipulability",
    "manipulability_goal",
    "orientation",
    "pose",
    "position",
    "posture",
    "solve",
    "solve_all",
    "solve_batch",
    "tip_axis",
    "track",
    "twist",
    "velocity",
]
