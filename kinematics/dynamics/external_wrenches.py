"""Wrenches from outside, on any frame of the robot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from armwright.errors import ModelError
from armwright.kinematics import arrays
from armwright.kinematics.arrays import LARGEST, FloatArray, JointValues, array_to_fill, as_array
from armwright.kinematics.engine import lazy
from armwright.kinematics.motion import evaluate, vectors
from armwright.kinematics.naming import frame_of
from armwright.kinematics.robot import ModelData

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.kinematics._kernels import dynamics_external as _dynamics_external_kernels  # noqa: F401

_KERNELS = "armwright.kinematics._kernels.dynamics_external"
_wrench_efforts = lazy(__name__, "_wrench_efforts", _KERNELS)
_wrench_efforts_batch = lazy(__name__, "_wrench_efforts_batch", _KERNELS)

Wrenches = Mapping[Any, npt.ArrayLike]
"""{frame: (6,)}: force [N], then moment [N m], world axes; any way to name a frame is a key."""


Pushes = tuple[FloatArray, FloatArray]
"""Frames, shape (k, 13), and wrenches on them, shape (k, 6) or (..., k, 6) for many samples."""


def external_efforts(
    model: ModelData, q: JointValues, external_wrenches: Wrenches, out: FloatArray | None = None
) -> FloatArray:
    """Compute what wrenches on the robot do to its joints: the sum of J^T w.

    A robot that holds still against them needs the opposite.

    Args:
        q: Joint positions, shape (..., dof) [rad or m].
        external_wrenches: {frame: (6,)}, where a frame is a name, (frame type, index or name)
            or a ``Frame``; or (..., 6) for one wrench per sample, whose leading axes broadcast
            with those of q. Force [N], then moment [N m], on the robot, world axes, at the
            frame's origin.
        out: Array to fill, shape of the result.

    Returns:
        Efforts, shape (..., dof) [N m or N].

    Raises:
        JointVectorError: If q has the wrong length or is not finite.
        FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
        ModelError: If a wrench is not six finite numbers, or ``out`` cannot be filled.
    """
    pushes = wrench_table(model, external_wrenches)
    (Q,) = vectors(model, out, pushed(pushes), q=q)
    efforts = efforts_of(model, Q, pushes, out)
    return efforts if out is None else out


def efforts_of(
    model: ModelData, Q: FloatArray, pushes: Pushes, out: FloatArray | None = None
) -> FloatArray:
    """Return the sum of J^T w for checked joint positions, shape (..., dof).

    Those of the wrenches are among their leading axes.
    """
    frames, values = pushes
    if values.ndim == 2:
        kernels = (
            lambda M, F, q, result: _wrench_efforts(M, F, q, values, result),
            lambda M, F, rows, result: _wrench_efforts_batch(M, F, rows, values, result),
        )
        return evaluate(model, kernels, (model._rows, frames), (Q,), out, (model.dof,))
    result = np.empty(Q.shape) if out is None else array_to_fill(out, Q.shape)
    each = np.broadcast_to(values, (*Q.shape[:-1], *values.shape[-2:]))
    for place in np.ndindex(*Q.shape[:-1]):
        wrenches = np.ascontiguousarray(each[place])
        _wrench_efforts(model._rows, frames, Q[place], wrenches, result[place])
    return result


def pushed(pushes: Pushes | None) -> dict[str, FloatArray | None]:
    """Return what wrenches say of the leading axes of a result."""
    return {"external_wrenches": None if pushes is None else pushes[1].sum(axis=-2)}


def wrench_table(model: ModelData, wrenches: Wrenches, *, one: bool = False) -> Pushes:
    """Return the frames that are pushed at, (k, 13), and their wrenches, (k, 6) or (..., k, 6).

    Args:
        model: The robot.
        wrenches: By frame.
        one: Whether there can be one wrench for each frame alone.
    """
    if not isinstance(wrenches, Mapping):
        raise ModelError(
            "external_wrenches: expected a mapping {name or (frame type, index): six numbers}, "
            f"got {arrays.short(wrenches)}"
        )
    frames = np.empty((len(wrenches), 13))
    values = []
    for i, (key, wrench) in enumerate(wrenches.items()):
        frame_type, index = frame_of(model, key, "external_wrenches")
        frames[i] = model._pose_tables[frame_type][0][index]
        name = f"external wrench at {arrays.short(key)}"
        values.append(as_array(wrench, (6,) if one else (..., 6), name, most=LARGEST))
    if not values:
        return frames, np.empty((0, 6))
    try:
        return frames, np.stack(np.broadcast_arrays(*values), axis=-2)
    except ValueError:
        shapes = ", ".join(str(value.shape) for value in values)
        raise ModelError(
            f"external_wrenches: expected leading axes that fit, got shapes {shapes}"
        ) from None
