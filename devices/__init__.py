"""Actuators, real and simulated, behind one protocol, and the motion to drive them with."""

from typing import TYPE_CHECKING

from armwright.hrdf import RobotConfig, load_config

from . import doctor, plugins, trajectory
from .driving import Recording, follow
from .group import ActuatorGroup
from .hebi import connect, imitate
from .imu import gravity_from_imu
from .messages import GroupCommand, GroupFeedback, GroupInfo
from .simulation import FaultyGroup, SimulatedGroup, simulate
from .trajectory import Trajectory, estimate_times, minimum_jerk, plan

__all__ = [
    "ActuatorGroup",
    "FaultyGroup",
    "GroupCommand",
    "GroupFeedback",
    "GroupInfo",
    "Recording",
    "RobotConfig",
    "SimulatedGroup",
    "Trajectory",
    "connect",
    "doctor",
    "estimate_times",
    "follow",
    "gravity_from_imu",
    "imitate",
    "load_config",
    "minimum_jerk",
    "plan",
    "plugins",
    "simulate",
    "trajectory",
]

if not TYPE_CHECKING:  # a name that is not there is an error for static tools

    def __getattr__(name):
        """Say what hebi-py's names are called here."""
        from armwright.kinematics.hebi_names import no_attribute

        raise no_attribute(__name__, name)
