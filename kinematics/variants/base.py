"""Models whose base is free to move, and whose base is any frame of the robot."""

from __future__ import annotations

import dataclasses

import numpy.typing as npt

from armwright.kinematics.arrays import as_pose
from armwright.kinematics.naming import FrameKey, find_frame
from armwright.kinematics.robot import ModelT, fit_pose


def with_floating_base(model: ModelT, frame: FrameKey | None = None) -> ModelT:
    """Return the same robot with a base that is free to move, which may be any of its frames.

    Every ``RobotState`` of it floats, unless ``floating=False`` is said. Where that frame is,
    and how it moves, are ``T_world_base``, ``base_twist`` and ``base_acceleration`` of a
    state then; the first six columns of its Jacobians, and rows of its mass matrix and
    efforts, are for that frame; momenta and average velocities are about its origin. Joints
    keep their order, signs and zeros, and the model's own methods, which have a fixed base,
    give the same as before.

    Args:
        frame: A name, (frame type, index or name) or a ``Frame``. None: where the first element
            is attached.

    Raises:
        FrameNotFoundError: If there is no such frame, or it is not clear which is meant.

    Example:
        >>> from armwright.kinematics import RobotState
        >>> walker = model.with_floating_base(("output", 3))
        >>> state = RobotState(walker, np.zeros(6), T_world_base=np.eye(4))
        >>> bool(np.allclose(state.pose(("output", 3)), np.eye(4)))
        True
    """
    chosen = None
    if frame is not None:
        frame_type, number = find_frame(model, frame=frame)
        chosen = (frame_type.value, number)
    annotations = dataclasses.replace(model._annotations, free_flyer=True, floating_base=chosen)
    return model._variant(annotations=annotations)


def with_base_frame(model: ModelT, T: npt.ArrayLike) -> ModelT:
    """Return the same robot standing elsewhere.

    Args:
        T: T_world_base, shape (4, 4); replaces the base frame of the description. A rotation
            that is too inexact for a file becomes the nearest one.

    Raises:
        ModelError: If it is not a pose.
    """
    base = fit_pose(as_pose(T, "base frame"))
    return model._variant(description=dataclasses.replace(model.description, base=base))
