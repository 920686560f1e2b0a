"""Efforts that hold the robot against gravity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy.typing as npt
from numpy import empty, ndarray

from armwright.kinematics import arrays
from armwright.kinematics.arrays import FLOAT, LARGEST, FloatArray, JointValues, as_array
from armwright.kinematics.engine import lazy
from armwright.kinematics.motion import Rows, SampleRows, evaluate, evaluate_at, vectors
from armwright.kinematics.robot import ModelData, under_gravity

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.kinematics._kernels import gravity as _gravity_kernels  # noqa: F401

_KERNELS = "armwright.kinematics._kernels.gravity"
_gravity = lazy(__name__, "_gravity", _KERNELS)
_gravity_batch = lazy(__name__, "_gravity_batch", _KERNELS)


def gravity_efforts(
    model: ModelData,
    q: JointValues,
    gravity: npt.ArrayLike | None = None,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute the efforts that hold the robot still against gravity.

    Minus the sum over all masses, payloads included, of J_linear^T m g. Send them to the
    joints as they are: they push up when gravity pulls down.

    Args:
        q: Joint positions, shape (..., dof) [rad or m].
        gravity: Acceleration of free fall in world axes, shape (3,), or (..., 3) for one per
            sample, whose leading axes broadcast with those of q [m/s^2]; None is the model's,
            (0, 0, -9.81) unless ``with_gravity`` said otherwise. Used as it is, never normalized;
            one of length 1, in mm/s^2 or upwards warns.
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
    kernels = (_gravity, _gravity_batch)
    if isinstance(rows, SampleRows):
        values = vectors(model, out, sampled(rows), q=q)
        efforts = evaluate(model, kernels, (rows,), values, out, (model.dof,))
        return efforts if out is None else out
    return evaluate_at(model, kernels, (rows,), q, out, (model.dof,))


def rows_under(model: ModelData, gravity: npt.ArrayLike) -> Rows:
    """Return the model rows with another gravity, or one for each sample.

    Call from public methods only. Warns, at the user's line, about a vector that looks normalized,
    in millimetres or upside down.
    """
    g = as_array(gravity, (..., 3), "gravity", most=LARGEST)
    _warn(g)
    return under_gravity(model._rows, g) if g.ndim == 1 else SampleRows(model._rows, g)


def one_gravity(gravity: npt.ArrayLike) -> FloatArray:
    """Return one gravity, checked, shape (3,); call it and warn as ``rows_under``."""
    g = as_array(gravity, (3,), "gravity", most=LARGEST)
    _warn(g)
    return g


def sampled(rows: Rows) -> dict[str, FloatArray | None]:
    """Return what rows say of the leading axes of a result."""
    return {"gravity": rows.gravity if isinstance(rows, SampleRows) else None}


def _warn(g: FloatArray) -> None:
    """Warn of one gravity, or of the first of many: they come from one place."""
    each = g.reshape(-1, 3)
    if len(each):
        arrays.warn_of_gravity(each[0], upwards=True)
