"""Which entries of a Jacobian can be other than 0, whatever the configuration."""

from __future__ import annotations

import numpy as np

from armwright.kinematics.arrays import BoolArray, true_or_false
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.robot import LAST, ModelData

from .frame_keys import FrameKey, find_frame, frame_of
from .named_frames import Frame, floating_base


def jacobian_sparsity(
    model: ModelData,
    frame_type: FrameType | FrameKey | None = None,
    index: int | None = None,
    tag: str | None = None,
    *,
    floating: bool | None = None,
    frame: FrameKey | None = None,
) -> BoolArray:
    """Say which entries of the Jacobian of a frame can be other than 0.

    Args:
        frame_type: Which type of frame; or, alone, what ``frame`` takes. None: end effectors, or
            the frame that a tag alone means.
        index: Which frame of that type, from 0; not needed when there is only one.
        tag: The same by the tag of its element.
        floating: Whether the six columns of a free base come first; None: as a state of this
            robot would have it.
        frame: The frame by itself, without frame_type, index and tag: a name, (frame type, index
            or name) or a ``Frame``.

    Returns:
        Shape (6, dof) or (6, dof + 6), True where the entry can be other than 0.

    Raises:
        FrameNotFoundError: If there is no such frame, or it is not clear which is meant.

    Example:
        >>> model.jacobian_sparsity("output", 3).any(axis=0)
        array([ True,  True, False, False, False, False])
    """
    moving = _moving(model, _body_of(model, *find_frame(model, frame_type, index, tag, frame)))
    if floating is None:
        floating = model._annotations.free_flyer
    free = true_or_false(floating, "floating")
    base = floating_base(model)
    if free and base is not None:
        moving = moving != _moving(model, _body_of(model, *base))
    joints = _pattern(model, moving)
    if not free:
        return joints
    own = np.ones((6, 6), dtype=bool)
    own[3:, :3] = False
    return np.hstack([own, joints])


def relative_jacobian_sparsity(
    model: ModelData,
    frame: FrameKey | None,
    reference: FrameKey | None,
    *,
    full: bool = False,
) -> BoolArray:
    """Say which entries of a relative Jacobian can be other than 0.

    Args:
        frame: A name, (frame type, index or name) or a ``Frame``; None: the end effector.
        reference: The same: the frame that the other is seen from.
        full: Whether the six columns of a free base, which are False, come first.

    Returns:
        Shape (6, dof), or (6, dof + 6), True where the entry can be other than 0. Joints that move
        both frames, or neither, have columns of False.

    Raises:
        FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
    """
    mine, others = (
        _moving(model, _body_of(model, *_keyed(model, key, argument)))
        for argument, key in (("frame", frame), ("reference", reference))
    )
    joints = _pattern(model, mine != others)
    if true_or_false(full, "full"):
        return np.hstack([np.zeros((6, 6), dtype=bool), joints])
    return joints


def _body_of(model: ModelData, frame_type: FrameType, number: int) -> int:
    """Return the row of the body that a frame sits on."""
    return int(model._pose_tables[frame_type][0][number, 0])


def _keyed(model: ModelData, key: object, argument: str) -> Frame:
    """Resolve a key; None: the end effector."""
    return find_frame(model) if key is None else frame_of(model, key, argument)


def _moving(model: ModelData, body: int) -> BoolArray:
    """Say which joints move a body, shape (dof,)."""
    found: BoolArray = model._rows[1:, LAST] >= body
    found[body:] = False
    return found


def _pattern(model: ModelData, joints: BoolArray) -> BoolArray:
    """Return the columns of some joints, shape (6, dof)."""
    pattern = np.tile(joints, (6, 1))
    pattern[3:] &= ~model.joint_slides
    return pattern
