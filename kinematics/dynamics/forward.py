"""Forward dynamics: the motion that efforts cause."""

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
    from armwright.kinematics._kernels import dynamics_forward as _dynamics_forward_kernels  # noqa: F401

_KERNELS = "armwright.kinematics._kernels.dynamics_forward"
_forward_dynamics = lazy(__name__, "_forward_dynamics", _KERNELS)
_forward_dynamics_batch = lazy(__name__, "_forward_dynamics_batch", _KERNELS)


def forward_dynamics(
    model: ModelData,
    q: JointValues,
    v: JointValues,
    tau: JointValues,
    gravity: npt.ArrayLike | None = None,
    out: FloatArray | None = None,
    external_wrenches: Wrenches | None = None,
) -> FloatArray:
    """Compute the accelerations that efforts cause; the inverse of ``inverse_dynamics``.

    Args:
        q: Joint positions, shape (..., dof) [rad or m].
        v: Joint velocities, shape (..., dof) [rad/s or m/s].
        tau: Joint efforts, shape (..., dof) [N m or N]; leading axes broadcast.
        gravity: As for ``gravity_efforts``; None is the model's.
        out: Array to fill, shape of the result.
        external_wrenches: As for ``inverse_dynamics``.

    Returns:
        Accelerations, shape (..., dof) [rad/s^2 or m/s^2].

    Raises:
        JointVectorError: If q, v or tau has the wrong length or is not finite.
        FrameNotFoundError: If a wrench is on a frame that does not exist.
        ModelError: If a joint moves no inertia (an arm that ends in a massless body; names
            the joint), if gravity or a wrench has the wrong shape, or ``out`` cannot be filled.

    References:
        Featherstone, Rigid Body Dynamics Algorithms, 2008, table 7.1.
    """
    rows = model._rows if gravity is None else rows_under(model, gravity)
    try:
        if (
            q.__class__ is ndarray
            and q.dtype is FLOAT
            and v.__class__ is ndarray
            and v.dtype is FLOAT
            and tau.__class__ is ndarray
            and tau.dtype is FLOAT
            and (out is None or out.dtype is FLOAT)
            and external_wrenches is None
            and model._friction is None
        ):
            accelerations = empty(model.dof) if out is None else out
            if not _forward_dynamics(rows, q, v, tau, accelerations):
                return accelerations
    except (AttributeError, TypeError, ValueError):
        pass
    pushes = None if external_wrenches is None else wrench_table(model, external_wrenches)
    others = {**sampled(rows), **pushed(pushes)}
    Q, V, efforts = vectors(model, out, others, q=q, v=v, tau=tau)
    if pushes is not None:
        efforts = efforts + efforts_of(model, Q, pushes)
    if model._friction is not None:
        efforts = np.array(efforts)  # not the caller's
        add_friction(model, V, -1.0, efforts)
    kernels = (_forward_dynamics, _forward_dynamics_batch)
    result = evaluate(model, kernels, (rows,), (Q, V, efforts), out, (model.dof,))
    return result if out is None else out
