"""Forward kinematics: where the frames are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numpy import empty, ndarray

from armwright.kinematics.arrays import FLOAT, FloatArray, JointValues
from armwright.kinematics.engine import lazy
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.naming import FrameKey, end_effector_number
from armwright.kinematics.robot import ModelData, joined

from .evaluate import evaluate_at

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.kinematics._kernels import frames as _frames_kernels  # noqa: F401

_KERNELS = "armwright.kinematics._kernels.frames"
_poses = lazy(__name__, "_poses", _KERNELS)
_poses_batch = lazy(__name__, "_poses_batch", _KERNELS)
_chain_pose = lazy(__name__, "_chain_pose", _KERNELS)
_chain_pose_batch = lazy(__name__, "_chain_pose_batch", _KERNELS)


def forward_kinematics(
    model: ModelData, frame_type: FrameType | str, q: JointValues, out: FloatArray | None = None
) -> FloatArray:
    """Compute the poses of all frames of one type.

    Args:
        frame_type: Which type of frame; n is how many the robot has (``frame_count``).
        q: Joint positions, shape (..., dof) [rad or m].
        out: Array to fill, shape of the result.

    Returns:
        T_world_frame of each frame, shape (..., n, 4, 4), base frame included. Frames are
        depth first; a body with several outputs gives the first output, then everything that
        hangs on it, then the second, and so on.

    Raises:
        JointVectorError: If q has the wrong length or is not finite.
        FrameNotFoundError: If there is no such type of frame.
        ModelError: If ``out`` cannot be filled.

    Example:
        >>> from armwright import loads
        >>> arm = loads('<robot version="1.6.0"><joint axis="rz"/>'
        ...             '<rigid-body mass="1" output_trans="0.5 0 0"/></robot>')
        >>> arm.forward_kinematics("output", [0.0])[1, :3, 3].tolist()
        [0.5, 0.0, 0.0]
    """
    try:
        if q.__class__ is ndarray and q.dtype is FLOAT:
            rows, shape, _ = model._joined[frame_type]
            if out is None:
                poses = empty(shape)
                _poses(rows, q, poses)
                return poses
            if out.dtype is FLOAT:
                _poses(rows, q, out)
                return out
    except (AttributeError, KeyError, TypeError, ValueError):
        pass  # other dtypes, batches, spellings; what is wrong becomes a clear error below
    rows, shape, _ = model._joined[FrameType.parse(frame_type)]
    return evaluate_at(model, (_poses, _poses_batch), (rows,), q, out, shape)


def end_effector(
    model: ModelData,
    q: JointValues,
    out: FloatArray | None = None,
    index: int | None = None,
    tag: str | None = None,
    frame: FrameKey | None = None,
) -> FloatArray:
    """Compute the pose of an end effector.

    Args:
        q: Joint positions, shape (..., dof) [rad or m].
        out: Array to fill, shape of the result.
        index: Which end effector, from 0; not needed when there is only one.
        tag: The same by its tag.
        frame: The same by itself: its name, ("endeffector", index or name) or a ``Frame``.

    Returns:
        T_world_tool, shape (..., 4, 4), base frame included.

    Raises:
        JointVectorError: If q has the wrong length or is not finite.
        FrameNotFoundError: If the robot has no end effector, not that one, or several and
            it is not said which one.
        ModelError: If ``out`` cannot be filled.
    """
    if index is None and tag is None and frame is None:
        chain = model._end_chain
        try:
            if q.__class__ is ndarray and q.dtype is FLOAT:
                if out is None:
                    pose = empty((4, 4))
                    _chain_pose(chain, q, pose)
                    return pose
                if out.dtype is FLOAT:
                    _chain_pose(chain, q, out)
                    return out
        except (AttributeError, TypeError, ValueError):
            pass
    number = end_effector_number(model, index, tag, frame)
    chain = model._end_chains[number]
    return evaluate_at(model, (_chain_pose, _chain_pose_batch), (chain,), q, out, (4, 4))


def poses_of(model: ModelData, table: FloatArray, q: JointValues) -> FloatArray:
    """Compute the poses of the frames in a table, shape (..., len(table), 4, 4)."""
    fixed = (joined(model._rows, table),)
    return evaluate_at(model, (_poses, _poses_batch), fixed, q, None, (len(table), 4, 4))
