"""Where is everything: from a robot description to poses, Jacobians and efforts."""

from .builder import ArmBuilder
from .frames import FrameType
from .loading import load, loads
from .model import RobotModel
from .transforms import pose_error, rotation_vector

__all__ = [
    "ArmBuilder",
    "FrameType",
    "RobotModel",
    "load",
    "loads",
    "pose_error",
    "rotation_vector",
]
