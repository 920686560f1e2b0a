"""Dynamics: what efforts a motion needs, and what motion efforts cause.

Everything follows M(q) a + C(q, v) v + g(q) = tau + J^T w, with rotor inertia in M and friction on
the left where the model has them (``with_joint_dynamics``). The hot methods call their kernel
directly and fall back to the slow path, which converts what can be converted and explains the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from numpy import empty, ndarray

from armwright.kinematics.arrays import FLOAT, FloatArray, JointValues
from armwright.kinematics.engine import lazy
from armwright.kinematics.motion import evaluate, vectors
from armwright.kinematics.robot import ModelData

from .external_wrenches import Wrenches, efforts_of, pushed, wrench_table
from .friction import add_friction
from .gravity import rows_under, sampled

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.kinematics._kernels import dynamics_inverse as _dynamics_inverse_kernels  # noqa: F401

_KERNELS = "armwright.kinematics._kernels.dynamics_"
_inverse_dynamics = lazy(__name__, "_inverse_dynamics", f"{_KERNELS}inverse")
_inverse_dynamics_batch = lazy(__name__, "_inverse_dynamics_batch", f"{_KERNELS}inverse")


def inverse_dynamics(
    model: ModelData,
    q: JointValues,
    v: JointValues,
    a: JointValues,
    gravity: npt.ArrayLike | None = None,
    out: FloatArray | None = None,
    external_wrenches: Wrenches | None = None,
) -> FloatArray:
    """Compute the efforts that a motion needs: M a + C v + g, less what pushes from outside.

    Full rigid-body dynamics, rotational inertia and payloads included; rotor inertia and
    friction as far as the model has them. ``point_mass_dynamics_efforts`` is HEBI's
    approximation.

    Args:
        q: Joint positions, shape (..., dof) [rad or m].
        v: Joint velocities, shape (..., dof) [rad/s or m/s].
        a: Joint accelerations, shape (..., dof) [rad/s^2 or m/s^2]; leading axes broadcast.
        gravity: As for ``gravity_efforts``; None is the model's.
        out: Array to fill, shape of the result.
        external_wrenches: {tag or (frame type, index or tag): (6,)}, or (..., 6) for one per
            sample. Force [N], then moment [N m], on the robot, world axes, at the frame's origin.
            A tag alone is the output frame of that element, for an end effector its tool frame.

    Returns:
        Efforts, shape (..., dof) [N m or N].

    Raises:
        JointVectorError: If q, v or a has the wrong length or is not finite.
        FrameNotFoundError: If a wrench is on a frame that does not exist.
        ModelError: If gravity or a wrench has the wrong shape, or ``out`` cannot be filled.

    References:
        Luh, Walker and Paul 1980; Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 5.
    """
    rows = model._rows if gravity is None else rows_under(model, gravity)
    try:
        if (
            q.__class__ is ndarray
            and q.dtype is FLOAT
            and v.__class__ is ndarray
            and v.dtype is FLOAT
            and a.__class__ is ndarray
            and a.dtype is FLOAT
            and (out is None or out.dtype is FLOAT)
            and external_wrenches is None
        ):
            friction = model._friction
            if friction is None or out is None:
                efforts = empty(model.dof) if out is None else out
                _inverse_dynamics(rows, q, v, a, efforts)
                if friction is not None:
                    add_friction(model, v, 1.0, efforts)
                return efforts
    except (AttributeError, TypeError, ValueError):
        pass  # other dtypes, batches; what is wrong becomes a clear error below
    pushes = None if external_wrenches is None else wrench_table(model, external_wrenches)
    Q, V, A = vectors(model, out, {**sampled(rows), **pushed(pushes)}, q=q, v=v, a=a)
    kernels = (_inverse_dynamics, _inverse_dynamics_batch)
    efforts = evaluate(model, kernels, (rows,), (Q, V, A), out, (model.dof,))
    if pushes is not None:
        efforts -= efforts_of(model, Q, pushes)
    add_friction(model, V, 1.0, efforts)
    return efforts if out is None else out


def bias_efforts(
    model: ModelData,
    q: JointValues,
    v: JointValues,
    gravity: npt.ArrayLike | None = None,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute the efforts of a motion without acceleration: C v + g, and friction if any.

    Args:
        q: Joint positions, shape (..., dof) [rad or m].
        v: Joint velocities, shape (..., dof); leading axes broadcast.
        gravity: As for ``gravity_efforts``; None is the model's.
        out: Array to fill, shape of the result.

    Returns:
        Efforts, shape (..., dof) [N m or N].

    Raises:
        JointVectorError: If q or v has the wrong length or is not finite.
        ModelError: If gravity is not three finite numbers, or ``out`` cannot be filled.
    """
    rows = model._rows if gravity is None else rows_under(model, gravity)
    Q, V = vectors(model, out, sampled(rows), q=q, v=v)
    kernels = (_inverse_dynamics, _inverse_dynamics_batch)
    values = (Q, V, np.zeros_like(Q))
    efforts = evaluate(model, kernels, (rows,), values, out, (model.dof,))
    add_friction(model, V, 1.0, efforts)
    return efforts if out is None else out
