"""Arms that stand still and are not what their model says.

What they measure is computed by the slow twin in ``tests/oracles.py`` from the truth: where the
joints really are, what hangs on them, and which signs the modules get wrong.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

import armwright as aw
from armwright.devices import doctor
from tests import oracles

FloatArray = npt.NDArray[np.float64]

G = np.array([0.0, 0.0, -9.81])
SIX = ("J1_base", "J2_shoulder", "J3_elbow", "J4_wrist1", "J5_wrist2", "J6_wrist3")
POSES = np.array(
    [
        [0.0, 0.6, 0.9, -0.5, 0.7, 0.3],
        [0.2, 0.9, 0.4, -0.1, 0.2, 0.0],
        [-0.3, 0.3, 1.3, 0.4, 1.1, -0.5],
        [0.0, 1.0, 1.5, -0.9, -0.6, 0.9],
    ]
)


@dataclass
class Truth:
    """What an arm really is, and what its modules get wrong."""

    sign: tuple[int, ...] = ()
    direction: tuple[int, ...] = ()
    zero: dict[int, float] = field(default_factory=dict)
    mass: float = 0.0
    com: tuple[float, float, float] = (0.0, 0.0, 0.0)
    gravity: FloatArray = field(default_factory=lambda: G)

    def read(self, model: aw.RobotModel, reported: FloatArray) -> doctor.StillReading:
        """Return what the modules report where they report these positions."""
        turn, push, shift = np.ones(model.dof), np.ones(model.dof), np.zeros(model.dof)
        for i in self.direction:
            turn[i] = push[i] = -1.0
        for i in self.sign:
            push[i] = -1.0
        for i, zero in self.zero.items():
            shift[i] = zero
        frames = oracles.frames(model.description, turn * reported + shift)
        torque = np.zeros(model.dof)
        for frame in frames["com"]:
            torque -= frame.jacobian(model.dof)[:3].T @ (frame.mass * self.gravity)
        if self.mass:
            ends = [i for i, e in enumerate(model.elements) if e.kind == "end-effector"]
            carried = frames["input"][ends[0]]
            T_world_com = carried.T_world_frame.copy()
            T_world_com[:3, 3] += T_world_com[:3, :3] @ self.com
            at_com = oracles.Frame(T_world_com, carried.joints)
            torque -= at_com.jacobian(model.dof)[:3].T @ (self.mass * self.gravity)
        return doctor.StillReading(reported, push * torque)

    def readings(self, model: aw.RobotModel, poses: FloatArray) -> list[doctor.StillReading]:
        return [self.read(model, pose) for pose in np.atleast_2d(poses)]


def diagnose(
    model: aw.RobotModel, truth: Truth, poses: FloatArray = POSES, **options: Any
) -> doctor.Diagnosis:
    options.setdefault("tolerance", 0.02)
    return doctor.diagnose(model, truth.readings(model, poses), **options)
