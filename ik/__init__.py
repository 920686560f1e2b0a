"""Which joint positions get me there: inverse kinematics with objectives and hard limits."""

from .all_solutions import AllSolutions, solve_all
from .objectives import (
    centering,
    custom,
    joint_limits,
    least_effort,
    manipulability_goal,
    orientation,
    pose,
    position,
    posture,
    tip_axis,
)
from .rates import manipulability, twist, velocity
from .solving import IKProblem, IKResult, IKStatus, solve, solve_batch
from .solving import IKProblem as Problem
from .tracking import Tracker, TrackStatus, track

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
