"""The mass matrix and the Coriolis matrix, and equations with the former."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from numpy import empty, ndarray

from armwright.errors import ModelError
from armwright.kinematics.arrays import (
    FLOAT,
    LARGEST,
    FloatArray,
    JointValues,
    array_to_fill,
    as_array,
    joint_vectors,
)
from armwright.kinematics.engine import lazy
from armwright.kinematics.motion import evaluate, evaluate_at, vectors
from armwright.kinematics.robot import ModelData

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.kinematics._kernels import dynamics_coriolis as _dynamics_coriolis_kernels  # noqa: F401
    from armwright.kinematics._kernels import dynamics_mass as _dynamics_mass_kernels  # noqa: F401

_KERNELS = "armwright.kinematics._kernels.dynamics_"
_mass_matrix = lazy(__name__, "_mass_matrix", f"{_KERNELS}mass")
_mass_matrix_batch = lazy(__name__, "_mass_matrix_batch", f"{_KERNELS}mass")
_solve_mass_one = lazy(__name__, "_solve_mass_one", f"{_KERNELS}mass")
_solve_mass = lazy(__name__, "_solve_mass", f"{_KERNELS}mass")
_solve_mass_batch = lazy(__name__, "_solve_mass_batch", f"{_KERNELS}mass")
_coriolis = lazy(__name__, "_coriolis", f"{_KERNELS}coriolis")
_coriolis_batch = lazy(__name__, "_coriolis_batch", f"{_KERNELS}coriolis")


def mass_matrix(model: ModelData, q: JointValues, out: FloatArray | None = None) -> FloatArray:
    """Compute the mass matrix, full and symmetric, rotors on its diagonal.

    Args:
        q: Joint positions, shape (..., dof) [rad or m].
        out: Array to fill, shape of the result.

    Returns:
        Shape (..., dof, dof) [kg m^2, kg m or kg].

    Raises:
        JointVectorError: If q has the wrong length or is not finite.
        ModelError: If ``out`` cannot be filled.

    References:
        Walker and Orin 1982; Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.2.
    """
    try:
        if q.__class__ is ndarray and q.dtype is FLOAT and (out is None or out.dtype is FLOAT):
            matrix = empty(model._mass_shape) if out is None else out
            _mass_matrix(model._rows, q, matrix)
            return matrix
    except (AttributeError, TypeError, ValueError):
        pass
    kernels = (_mass_matrix, _mass_matrix_batch)
    return evaluate_at(model, kernels, (model._rows,), q, out, model._mass_shape)


def solve_mass(
    model: ModelData, q: JointValues, b: npt.ArrayLike, out: FloatArray | None = None
) -> FloatArray:
    """Solve M(q) x = b without forming the inverse.

    Args:
        q: Joint positions, shape (..., dof) [rad or m].
        b: Right-hand sides: the leading axes of q, then (dof,) or (dof, k).
        out: Array to fill, shape of b.

    Returns:
        x, shape of b.

    Raises:
        JointVectorError: If q has the wrong length or is not finite.
        ModelError: If a joint moves no inertia (names it), b has the wrong shape or is not
            finite, or ``out`` cannot be filled.

    References:
        Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.5.
    """
    try:
        if (
            q.__class__ is ndarray
            and q.dtype is FLOAT
            and b.__class__ is ndarray
            and (out is None or (out.dtype is FLOAT and _in_place(b, out)))
        ):
            x = empty(model.dof) if out is None else out
            if not _solve_mass_one(model._rows, q, b, x):
                return x
    except (AttributeError, TypeError, ValueError):
        pass
    Q = joint_vectors(q, model.dof, joints=model.joint_names)
    right = as_array(b, (...,), "b", most=LARGEST)
    single = right.shape == Q.shape
    if not single and (right.ndim != Q.ndim + 1 or right.shape[:-1] != Q.shape):
        raise ModelError(
            f"b: expected shape {Q.shape} or {(*Q.shape, 'k')}, got {right.shape}".replace("'", "")
        )
    filled = None if out is None else array_to_fill(out, right.shape)
    if single:
        right = right[..., None]
        filled = None if filled is None else filled[..., None]
    kernels = (_solve_mass, _solve_mass_batch)
    x = evaluate(model, kernels, (model._rows,), (Q, right), filled, right.shape[Q.ndim - 1 :])
    if out is not None:
        return out
    return x[..., 0] if single else x


def coriolis(
    model: ModelData, q: JointValues, v: JointValues, out: FloatArray | None = None
) -> FloatArray:
    """Compute the Coriolis matrix C, with C v the velocity terms of inverse dynamics.

    It is the matrix of Christoffel symbols: dM/dt = C + C^T, so that dM/dt - 2 C is skew.

    Args:
        q: Joint positions, shape (..., dof) [rad or m].
        v: Joint velocities, shape (..., dof); leading axes broadcast.
        out: Array to fill, shape of the result.

    Returns:
        Shape (..., dof, dof).

    Raises:
        JointVectorError: If q or v has the wrong length or is not finite.
        ModelError: If ``out`` cannot be filled.

    References:
        Echeandia and Wensing, Numerical methods to compute the Coriolis matrix and
        Christoffel symbols for rigid-body systems, 2021.
    """
    try:
        if (
            q.__class__ is ndarray
            and q.dtype is FLOAT
            and v.__class__ is ndarray
            and (out is None or out.dtype is FLOAT)
        ):
            matrix = empty(model._mass_shape) if out is None else out
            _coriolis(model._rows, q, v, matrix)
            return matrix
    except (AttributeError, TypeError, ValueError):
        pass
    values = vectors(model, out, q=q, v=v)
    kernels = (_coriolis, _coriolis_batch)
    C = evaluate(model, kernels, (model._rows,), values, out, model._mass_shape)
    return C if out is None else out


def _in_place(b: npt.ArrayLike, out: FloatArray) -> bool:
    """Whether a kernel that fills out while it reads b reads what was there: all or nothing."""
    return b is out or not np.may_share_memory(b, out)
