"""What the IMUs of simulated modules report, one in the housing of every module.

The housing is the input side of the joint: its axes are those of the input frame of the joint's
element. What accelerates the arm is not in the accelerometers: they read the opposite of gravity,
as of an arm that stands.
"""

from typing import TYPE_CHECKING

import numpy as np

from armwright.devices.messages import Imu
from armwright.kinematics.arrays import FloatArray

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel


def imu_of(model: "RobotModel", q: FloatArray, v: FloatArray) -> Imu:
    """Return accelerometer (dof, 3) [m/s^2], gyro (dof, 3) [rad/s] and orientation (dof, 4)."""
    housings = list(model.joint_elements)
    Rs = model.forward_kinematics("input", q)[housings, :3, :3]  # R_world_module
    turns = model.jacobians("input", q)[housings, 3:] @ v  # (dof, 3), world axes
    accelerometer = np.einsum("nji,j->ni", Rs, -model.gravity)
    return accelerometer, np.einsum("nji,nj->ni", Rs, turns), quaternions(Rs)


def quaternions(Rs: FloatArray) -> FloatArray:
    """Return rotation matrices, shape (n, 3, 3), as quaternions (w, x, y, z), w not negative.

    The largest of the four is found first, so that nothing is divided by a small number.
    """
    xx, yy, zz = Rs[:, 0, 0], Rs[:, 1, 1], Rs[:, 2, 2]
    squares = np.stack(  # four times each, by w, x, y, z
        [1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz], axis=1
    )
    x, y, z = (Rs[:, k, j] - Rs[:, j, k] for j, k in ((1, 2), (2, 0), (0, 1)))  # 4 w x, ...
    xy, xz, yz = (Rs[:, j, k] + Rs[:, k, j] for j, k in ((0, 1), (0, 2), (1, 2)))  # 4 x y, ...
    products = np.stack(
        [
            np.stack([squares[:, 0], x, y, z], axis=1),
            np.stack([x, squares[:, 1], xy, xz], axis=1),
            np.stack([y, xy, squares[:, 2], yz], axis=1),
            np.stack([z, xz, yz, squares[:, 3]], axis=1),
        ],
        axis=1,
    )  # (n, 4, 4): 4 q q^T
    rows = products[np.arange(len(Rs)), squares.argmax(axis=1)]
    found = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    upright: FloatArray = np.where(found[:, :1] < 0.0, -found, found)
    return upright
