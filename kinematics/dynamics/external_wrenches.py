"""Wrenches from outside, on any frame of the robot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from armwright.errors import ModelError
from armwright.kinematics.arrays import LARGEST, FloatArray, as_array, joint_vectors, short
from armwright.kinematics.engine import lazy
from armwright.kinematics.motion import evaluate
from armwright.kinematics.naming import frame_of
from armwright.kinematics.robot import ModelData

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.kinematics._kernels import dynamics_external as _dynamics_external_kernels  # noqa: F401

_KERNELS = "armwright.kinematics._kernels.dynamics_external"
_wrench_efforts = lazy(__name__, "_wrench_efforts", _KERNELS)
_wrench_efforts_batch = lazy(__name__, "_wrench_efforts_batch", _KERNELS)

Wrenches = Mapping[Any, npt.ArrayLike]
"""{frame: (6,)}: force [N], then moment [N m], world axes; any way to name a frame is a key."""


def external_efforts(
    model: ModelData, q: npt.ArrayLike, external_wrenches: Wrenches, out: FloatArray | None = None
) -> FloatArray:
    """Compute what wrenches on the robot do to its joints: the sum of J^T w.

    A robot that holds still against them needs the opposite.

    Args:
        q: Joint positions, shape (..., dof) [rad or m].
        external_wrenches: {frame: (6,)}, where a frame is a name, (frame type, index or name)
            or a ``Frame``. Force [N], then moment [N m], on the robot, world axes, at the
            frame's origin.
        out: Array to fill, shape of the result.

    Returns:
        Efforts, shape (..., dof) [N m or N].

    Raises:
        JointVectorError: If q has the wrong length or is not finite.
        FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
        ModelError: If a wrench is not six finite numbers, or ``out`` cannot be filled.
    """
    Q = joint_vectors(q, model.dof)
    efforts = efforts_of(model, Q, external_wrenches, out)
    return efforts if out is None else out


def efforts_of(
    model: ModelData, Q: FloatArray, wrenches: Wrenches, out: FloatArray | None = None
) -> FloatArray:
    """Return the sum of J^T w for checked joint positions, shape (..., dof)."""
    frames, values = wrench_table(model, wrenches)
    kernels = (
        lambda M, F, q, result: _wrench_efforts(M, F, q, values, result),
        lambda M, F, rows, result: _wrench_efforts_batch(M, F, rows, values, result),
    )
    return evaluate(model, kernels, (model._rows, frames), (Q,), out, (model.dof,))


def wrench_table(model: ModelData, wrenches: Wrenches) -> tuple[FloatArray, FloatArray]:
    """Return the frames that are pushed at, shape (k, 13), and their wrenches, shape (k, 6)."""
    if not isinstance(wrenches, Mapping):
        raise ModelError(
            "external_wrenches: expected a mapping {name or (frame type, index): six numbers}, "
            f"got {short(wrenches)}"
        )
    frames = np.empty((len(wrenches), 13))
    values = np.empty((len(wrenches), 6))
    for i, (key, wrench) in enumerate(wrenches.items()):
        frame_type, index = frame_of(model, key, "external_wrenches")
        frames[i] = model._pose_tables[frame_type][0][index]
        numbers = as_array(wrench, (..., 6), f"external wrench at {key!r}", most=LARGEST)
        if numbers.ndim != 1:
            raise ModelError(
                f"external wrench at {key!r}: expected shape (6,), got {numbers.shape}"
            )
        values[i] = numbers
    return frames, values
