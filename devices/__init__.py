"""Actuators, real and simulated, behind one protocol, and the motion to drive them with."""

from . import trajectory
from .drive import Recording, follow
from .group import ActuatorGroup
from .hebi_group import connect, imitate
from .messages import GroupCommand, GroupFeedback, GroupInfo
from .planning import plan
from .simulation import SimulatedGroup, simulate
from .trajectory import Trajectory, estimate_times, minimum_jerk

__all__ = [
    "ActuatorGroup",
    "GroupCommand",
    "GroupFeedback",
    "GroupInfo",
    "Recording",
    "SimulatedGroup",
    "Trajectory",
    "connect",
    "estimate_times",
    "follow",
    "imitate",
    "minimum_jerk",
    "plan",
    "simulate",
    "trajectory",
]
