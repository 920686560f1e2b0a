"""Wrenches from outside, on any frame of the robot."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from armwright.errors import FrameNotFoundError, ModelError, did_you_mean

from .core import ModelCore
from .engine import lazy
from .frames import FrameType
from .inputs import joint_vectors
from .motions import evaluate
from .transforms import FloatArray, as_numbers, short

_KERNELS = "armwright.kinematics._kernels.dynamics_external"
_wrench_efforts = lazy(__name__, "_wrench_efforts", _KERNELS)
_wrench_efforts_batch = lazy(__name__, "_wrench_efforts_batch", _KERNELS)

Wrenches = Mapping[Any, npt.ArrayLike]
"""{tag or (frame type, index or tag): (6,)}: force [N], then moment [N m], world axes."""


class External(ModelCore):
    """What pushes on the robot."""

    __slots__ = ()

    def external_efforts(
        self, q: npt.ArrayLike, external_wrenches: Wrenches, out: FloatArray | None = None
    ) -> FloatArray:
        """Compute what wrenches on the robot do to its joints: the sum of J^T w.

        A robot that holds still against them needs the opposite.

        Args:
            q: Joint positions, shape (..., dof) [rad or m].
            external_wrenches: {tag or (frame type, index or tag): (6,)}. Force [N], then moment
                [N m], on the robot, world axes, at the frame's origin. A tag alone is the output
                frame of that element, for an end effector its tool frame.
            out: Array to fill, shape of the result.

        Returns:
            Efforts, shape (..., dof) [N m or N].

        Raises:
            JointVectorError: If q has the wrong length or is not finite.
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
            ModelError: If a wrench is not six finite numbers, or ``out`` cannot be filled.
        """
        Q = joint_vectors(q, self.dof)
        efforts = efforts_of(self, Q, external_wrenches, out)
        return efforts if out is None else out


def efforts_of(
    model: ModelCore, Q: FloatArray, wrenches: Wrenches, out: FloatArray | None = None
) -> FloatArray:
    """Return the sum of J^T w for checked joint positions, shape (..., dof)."""
    frames, values = wrench_table(model, wrenches)
    kernels = (
        lambda M, F, q, result: _wrench_efforts(M, F, q, values, result),
        lambda M, F, rows, result: _wrench_efforts_batch(M, F, rows, values, result),
    )
    return evaluate(model, kernels, (model._rows, frames), (Q,), out, (model.dof,))


def wrench_table(model: ModelCore, wrenches: Wrenches) -> tuple[FloatArray, FloatArray]:
    """Return the frames that are pushed at, shape (k, 13), and their wrenches, shape (k, 6)."""
    if not isinstance(wrenches, Mapping):
        raise ModelError(
            "external_wrenches: expected a mapping {tag or (frame type, index): six numbers}, "
            f"got {short(wrenches)}"
        )
    frames = np.empty((len(wrenches), 13))
    values = np.empty((len(wrenches), 6))
    for i, (key, wrench) in enumerate(wrenches.items()):
        kind, index = frame_of(model, key, "external_wrenches")
        frames[i] = model._pose_tables[kind][0][index]
        numbers = as_numbers(wrench, f"external wrench at {key!r}", (6,), bounded=True)
        if numbers.ndim != 1:
            raise ModelError(
                f"external wrench at {key!r}: expected shape (6,), got {numbers.shape}"
            )
        values[i] = numbers
    return frames, values


def frame_of(model: ModelCore, key: object, name: str) -> tuple[FrameType, int]:
    """Resolve a key: a tag, or (frame type, index or tag); ``name`` is for the message."""
    if isinstance(key, str):
        return model._frame(FrameType.OUTPUT, None, key)
    if isinstance(key, tuple) and len(key) == 2:
        kind, which = key
        if isinstance(which, str):
            return model._frame(kind, None, which)
        return model._frame(kind, which)
    raise FrameNotFoundError(
        f"{name}: expected a tag or (frame type, index or tag) as key, got {short(key)}"
    )


def one_frame(
    model: ModelCore, frame_type: object, index: object = None, tag: object = None
) -> tuple[FrameType, int]:
    """Resolve the arguments that name a frame of a state: those of ``RobotModel``, or one key.

    Args:
        model: The robot.
        frame_type: Kind of frame, or one key: a tag, or (frame type, index or tag); None: end
            effectors, or the output frame of a tag.
        index: Number among the frames of that kind.
        tag: Tag of the frame's element.

    Raises:
        FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
    """
    if isinstance(frame_type, tuple):
        if index is not None or tag is not None:
            raise FrameNotFoundError(
                f"expected (frame type, index or tag) alone, got {frame_type!r} with index "
                f"{index!r} and tag {tag!r}"
            )
        return frame_of(model, frame_type, "frame")
    if index is not None:
        return model._frame(frame_type, index, tag)
    if tag is not None:
        return model._frame(FrameType.OUTPUT if frame_type is None else frame_type, None, tag)
    if isinstance(frame_type, str) and not FrameType.names(frame_type):
        if frame_type in model.tags:
            return frame_of(model, frame_type, "frame")
        known = did_you_mean(frame_type, [*(kind.value for kind in FrameType), *model.tags])
        raise FrameNotFoundError(
            f"frame: expected a frame type, a tag or (frame type, index or tag), "
            f"got {frame_type!r}.{known}"
        )
    return model._frame(frame_type)
