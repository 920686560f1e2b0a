"""Where is everything: from a robot description to poses, Jacobians and efforts."""

from armwright.hooks import register as _register

from .building import ArmBuilder, ModelBuilder
from .capability import PayloadLimit, StaticCapability, largest_payload, static_capability
from .frame_types import FrameType
from .loading import load, loads
from .model import RobotModel
from .naming import Frame, FrameInfo, JointInfo, Topology
from .reports import LimitViolation
from .representation import Representation
from .robot import STANDARD_GRAVITY as GRAVITY
from .robot import Group, Payload
from .state import RobotState
from .transforms import pose_error, rotation_vector

__all__ = [
    "GRAVITY",
    "ArmBuilder",
    "Frame",
    "FrameInfo",
    "FrameType",
    "Group",
    "JointInfo",
    "LimitViolation",
    "ModelBuilder",
    "Payload",
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

_register("load", load)
