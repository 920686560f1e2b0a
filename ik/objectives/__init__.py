"""What can be asked for: targets for frames, limits, functions, and what to do with freedom.

One file for each objective: its value, its maker, its residual and Jacobian, which error it counts
for, its row for the kernels, its words. ``base.py`` says what a new one must bring.
"""

from .base import (
    LARGEST,
    FrameObjective,
    Objective,
    PrimaryObjective,
    check_weight,
    named_frame,
)
from .centering import CenteringObjective, centering
from .custom import CustomFunction, CustomObjective, custom
from .joint_limits import JointLimits, joint_limits, only_limits
from .least_effort import EffortObjective, least_effort
from .manipulability_goal import ROWS, ManipulabilityObjective, manipulability_goal
from .orientation import OrientationObjective, orientation
from .pose import PoseObjective, pose
from .position import PositionObjective, position
from .posture import PostureObjective, posture
from .secondary import SecondaryObjective, SecondarySum
from .target import KernelRow, TargetObjective
from .tip_axis import TipAxisObjective, tip_axis

__all__ = [
    "LARGEST",
    "ROWS",
    "CenteringObjective",
    "CustomFunction",
    "CustomObjective",
    "EffortObjective",
    "FrameObjective",
    "JointLimits",
    "KernelRow",
    "ManipulabilityObjective",
    "Objective",
    "OrientationObjective",
    "PoseObjective",
    "PositionObjective",
    "PostureObjective",
    "PrimaryObjective",
    "SecondaryObjective",
    "SecondarySum",
    "TargetObjective",
    "TipAxisObjective",
    "centering",
    "check_weight",
    "custom",
    "joint_limits",
    "least_effort",
    "manipulability_goal",
    "named_frame",
    "only_limits",
    "orientation",
    "pose",
    "position",
    "posture",
    "tip_axis",
]
