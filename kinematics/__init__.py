"""Where is everything: from a robot description to poses, Jacobians and efforts."""

from .builder import ArmBuilder
from .capability import PayloadLimit, StaticCapability, largest_payload, static_capability
from .frames import FrameType
from .groups import Group
from .limits import LimitViolation
from .loading import load, loads
from .model import RobotModel
from .model_builder import ModelBuilder
from .named_frames import Frame
from .representation import Representation
from .state import RobotState
from .topology import Topology
from .transforms import pose_error, rotation_vector

__all__ = [
    "ArmBuilder",
    "Frame",
    "FrameType",
    "Group",
    "LimitViolation",
    "ModelBuilder",
    "PayloadLimit",
    "Representation",
    "RobotModel",
    "RobotState",
    "StaticCapability",
    "Topology",
    "largest_payload",
    "load",
    "loads",
    "pose_error",
    "rotation_vector",
    "static_capability",
]
