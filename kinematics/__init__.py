"""Where is everything: from a robot description to poses, Jacobians and efforts."""

from .builder import ArmBuilder
from .frames import FrameType
from .loading import load, loads
from .model import RobotModel
from .representation import Representation
from .state import RobotState
from .transforms import pose_error, rotation_vector

__all__ = [
    "ArmBuilder",
    "FrameType",
    "Representation",
    "RobotModel",
    "RobotState",
    "load",
    "loads",
    "pose_error",
    "rotation_vector",
]
