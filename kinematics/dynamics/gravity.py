"""Efforts that hold the robot against gravity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy.typing as npt
from numpy import empty, ndarray

from armwright.errors import ModelError
from armwright.kinematics.arrays import FLOAT, LARGEST, FloatArray, as_array, warn_of_gravity
from armwright.kinematics.engine import lazy
from armwright.kinematics.robot import GRAVITY, ModelData

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.kinematics._kernels import gravity as _gravity_kernels  # noqa: F401

_KERNELS = "armwright.kinematics._kernels.gravity"
_gravity = lazy(__name__, "_gravity", _KERNELS)
_gravity_batch = lazy(__name__, "_gravity_batch", _KERNELS)


def gravity_efforts(
    model: ModelData,
    q: npt.ArrayLike,
    gravity: npt.ArrayLike | None = None,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute the efforts that hold the robot still against gravity.

    Minus the sum over all masses, payloads included, of J_linear^T m g. Send them to the
    joints as they are: they push up when gravity pulls down.

    Args:
        q: Joint positions, shape (..., dof) [rad or m].
        gravity: Acceleration of free fall in world axes, shape (3,) [m/s^2]; None is
            (0, 0, -9.81). Used as it is, never normalized; one of length 1, in mm/s^2 or
            upwards warns.
        out: Array to fill, shape of the result.

    Returns:
        Holding efforts, shape (..., dof) [N m or N].

    Raises:
        JointVectorError: If q has the wrong length or is not finite.
        ModelError: If gravity is not three finite numbers, or ``out`` cannot be filled.
    """
    rows = model._rows if gravity is None else rows_under(model, gravity)
    try:
        if q.__class__ is ndarray and q.dtype is FLOAT:
            if out is None:
                efforts = empty(model.dof)
                _gravity(rows, q, efforts)
                return efforts
            if out.dtype is FLOAT:
                _gravity(rows, q, out)
                return out
    except (AttributeError, TypeError, ValueError):
        pass  # other dtypes, batches; what is wrong becomes a clear error below
    return model._evaluate((_gravity, _gravity_batch), (rows,), q, out, (model.dof,))


def rows_under(model: ModelData, gravity: npt.ArrayLike) -> FloatArray:
    """Return the model rows with another gravity; call from public methods only.

    Warns, at the caller of the public method, about a vector that looks normalized,
    in millimetres or upside down.
    """
    g = as_array(gravity, (..., 3), "gravity", most=LARGEST)
    if g.ndim != 1:
        raise ModelError(f"gravity: expected shape (3,), got {g.shape}")
    warn_of_gravity(g, upwards=True)
    rows = model._rows.copy()
    rows[0, GRAVITY] = g
    return rows
