"""What the IMUs of simulated modules report, one in the housing of every module.

The housing is the input side of the joint: its axes are those of the input frame of the joint's
element. What accelerates the arm is not in the accelerometers: they read the opposite of gravity,
as of an arm that stands.
"""

from typing import TYPE_CHECKING

import numpy as np

from armwright.devices.messages import Imu
from armwright.kinematics.arrays import FloatArray, quaternions_from_rotations

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel


def imu_of(model: "RobotModel", q: FloatArray, v: FloatArray) -> Imu:
    """Return accelerometer (dof, 3) [m/s^2], gyro (dof, 3) [rad/s] and orientation (dof, 4)."""
    housings = list(model.joint_elements)
    Rs = model.forward_kinematics("input", q)[housings, :3, :3]  # R_world_module
    turns = model.jacobians("input", q)[housings, 3:] @ v  # (dof, 3), world axes
    accelerometer = np.einsum("nji,j->ni", Rs, -model.gravity)
    return accelerometer, np.einsum("nji,nj->ni", Rs, turns), quaternions_from_rotations(Rs)
