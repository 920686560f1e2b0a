"""Targets as people type them: a place, an orientation or an axis, and what is to reach them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import options
from .errors import InputError
from .values import FloatArray, direction, place, rotation_from_quaternion, rotation_from_rpy

if TYPE_CHECKING:
    from armwright.ik.objectives import Objective
    from armwright.kinematics import Frame


@dataclass(frozen=True, slots=True)
class Target:
    """What a frame is to reach.

    Attributes:
        xyz: Its place in the world, shape (3,) [m].
        rotation: Its orientation, shape (3, 3); None where it is free.
        axis: The direction of its z axis, shape (3,); None where it is free.
    """

    xyz: FloatArray
    rotation: FloatArray | None = None
    axis: FloatArray | None = None

    @property
    def T_world_target(self) -> FloatArray:
        """The pose, shape (4, 4); not turned where the orientation is free."""
        T = np.eye(4)
        T[:3, 3] = self.xyz
        if self.rotation is not None:
            T[:3, :3] = self.rotation
        return T

    @property
    def drawn(self) -> FloatArray:
        """What a picture shows: the pose, or the place where the orientation is free."""
        return self.xyz if self.rotation is None else self.T_world_target

    def objectives(self, frame: "Frame") -> "tuple[Objective, ...]":
        """Return what inverse kinematics is asked for."""
        from armwright import ik

        if self.rotation is not None:
            return (ik.pose(self.T_world_target, frame=frame),)
        if self.axis is not None:
            return (ik.position(self.xyz, frame=frame), ik.tip_axis(self.axis, frame=frame))
        return (ik.position(self.xyz, frame=frame),)

    def turn_error(self, T_world_frame: FloatArray) -> float:
        """Return the angle between what is wanted and a pose [rad]; 0 where nothing is."""
        from armwright.kinematics import rotation_vector

        R = T_world_frame[:3, :3]
        if self.rotation is not None:
            return float(np.linalg.norm(rotation_vector(self.rotation.T @ R)))
        if self.axis is None:
            return 0.0
        across = float(np.linalg.norm(np.cross(self.axis, R[:, 2])))
        return float(np.arctan2(across, self.axis @ R[:, 2]))


def target_typed(
    xyz: options.Three,
    rpy: options.Three | None = None,
    quat: options.Four | None = None,
    axis: options.Three | None = None,
) -> Target:
    """Return the target that was typed; at most one way to say how it is turned."""
    given = {"--rpy": rpy, "--quat": quat, "--axis": axis}
    names = [name for name, value in given.items() if value is not None]
    if len(names) > 1:
        raise InputError(f"{' and '.join(names)}: only one of them can be the target orientation")
    where = place(xyz)
    if axis is not None:
        return Target(where, axis=direction(axis))
    if rpy is not None:
        return Target(where, rotation_from_rpy(rpy))
    return Target(where, None if quat is None else rotation_from_quaternion(quat))
