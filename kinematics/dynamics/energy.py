"""Energies, momentum, and efforts as a linear function of the inertial parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from numpy import empty, ndarray

from armwright.kinematics.arrays import FLOAT, FloatArray, JointValues, read_only
from armwright.kinematics.engine import lazy
from armwright.kinematics.motion import Rows, evaluate, evaluate_at, vectors
from armwright.kinematics.robot import FIRST_MOMENT, MASS, SECOND_MOMENTS, ModelData

from .gravity import rows_under, sampled

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.kinematics._kernels import dynamics_coriolis as _dynamics_coriolis_kernels  # noqa: F401
    from armwright.kinematics._kernels import dynamics_external as _dynamics_external_kernels  # noqa: F401
    from armwright.kinematics._kernels import dynamics_mass as _dynamics_mass_kernels  # noqa: F401

_energies = lazy(__name__, "_energies", "armwright.kinematics._kernels.dynamics_coriolis")
_energies_batch = lazy(
    __name__, "_energies_batch", "armwright.kinematics._kernels.dynamics_coriolis"
)
_momentum_matrix = lazy(__name__, "_momentum_matrix", "armwright.kinematics._kernels.dynamics_mass")
_momentum_matrix_batch = lazy(
    __name__, "_momentum_matrix_batch", "armwright.kinematics._kernels.dynamics_mass"
)
_regressor = lazy(__name__, "_regressor", "armwright.kinematics._kernels.dynamics_external")
_regressor_batch = lazy(
    __name__, "_regressor_batch", "armwright.kinematics._kernels.dynamics_external"
)

Energy = FloatArray | np.float64
"""One number for one configuration, an array of the leading axes for many [J]."""


def kinetic_energy(model: ModelData, q: JointValues, v: JointValues) -> Energy:
    """Compute the kinetic energy, v^T M v / 2, rotors included.

    Args:
        q: Joint positions, shape (..., dof) [rad or m].
        v: Joint velocities, shape (..., dof); leading axes broadcast.

    Returns:
        Energy, shape (...) [J].

    Raises:
        JointVectorError: If a length is wrong or a number is not finite.
    """
    return _energies_of(model, model._rows, q, v)[0]


def potential_energy(
    model: ModelData, q: JointValues, gravity: npt.ArrayLike | None = None
) -> Energy:
    """Compute the potential energy of gravity, minus the sum of m g . c; base included.

    It is 0 for a mass at the world's origin. Its derivative by q are the holding efforts.

    Args:
        q: Joint positions, shape (..., dof) [rad or m].
        gravity: As for ``gravity_efforts``; None is the model's.

    Returns:
        Energy, shape (...) [J].

    Raises:
        JointVectorError: If q has the wrong length or is not finite.
        ModelError: If gravity is not three finite numbers.
    """
    rows = model._rows if gravity is None else rows_under(model, gravity)
    return _energies_of(model, rows, q, np.zeros(model.dof))[1]


def energy(
    model: ModelData, q: JointValues, v: JointValues, gravity: npt.ArrayLike | None = None
) -> Energy:
    """Compute the sum of kinetic and potential energy; constant without efforts and friction.

    Args:
        q: Joint positions, shape (..., dof) [rad or m].
        v: Joint velocities, shape (..., dof); leading axes broadcast.
        gravity: As for ``gravity_efforts``; None is the model's.

    Returns:
        Energy, shape (...) [J].

    Raises:
        JointVectorError: If a length is wrong or a number is not finite.
        ModelError: If gravity is not three finite numbers.
    """
    rows = model._rows if gravity is None else rows_under(model, gravity)
    kinetic, potential = _energies_of(model, rows, q, v)
    return kinetic + potential


def momentum_matrix(model: ModelData, q: JointValues, out: FloatArray | None = None) -> FloatArray:
    """Compute the centroidal momentum matrix.

    Maps joint velocities to the robot's momentum: linear, then angular about its center of
    mass (that of all masses: base and payloads included); world axes. Rotors are not in it.

    Args:
        q: Joint positions, shape (..., dof) [rad or m].
        out: Array to fill, shape of the result.

    Returns:
        Shape (..., 6, dof); rows 0-2 [kg m/s per unit of v], rows 3-5 [kg m^2/s per unit].

    Raises:
        JointVectorError: If q has the wrong length or is not finite.
        ModelError: If ``out`` cannot be filled.

    References:
        Orin, Goswami and Lee, Centroidal dynamics of a humanoid robot, 2013.
    """
    try:
        if q.__class__ is ndarray and q.dtype is FLOAT and (out is None or out.dtype is FLOAT):
            matrix = empty(model._jacobian_shape) if out is None else out
            _momentum_matrix(model._rows, q, matrix)
            return matrix
    except (AttributeError, TypeError, ValueError):
        pass  # other dtypes, batches; what is wrong becomes a clear error below
    kernels = (_momentum_matrix, _momentum_matrix_batch)
    return evaluate_at(model, kernels, (model._rows,), q, out, model._jacobian_shape)


def inertial_parameters(model: ModelData) -> FloatArray:
    """Inertial parameters of the moving bodies, payloads included, shape (10 dof,).

    Ten for each joint's body (all parts up to the next joint), in the order of q: mass [kg],
    mass times center of mass [kg m], Ixx Ixy Iyy Ixz Iyz Izz [kg m^2] about the body's
    origin. The body's frame sits in its joint, z along the joint's positive direction.
    """
    return read_only(parameters_of(model._rows[1:]))


def inverse_dynamics_regressor(
    model: ModelData,
    q: JointValues,
    v: JointValues,
    a: JointValues,
    gravity: npt.ArrayLike | None = None,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute the matrix Y with efforts = Y ``inertial_parameters``, for bodies alone.

    Rotor inertia, friction and external wrenches are not in it.

    Args:
        q: Joint positions, shape (..., dof) [rad or m].
        v: Joint velocities, shape (..., dof).
        a: Joint accelerations, shape (..., dof); leading axes broadcast.
        gravity: As for ``gravity_efforts``; None is the model's.
        out: Array to fill, shape of the result.

    Returns:
        Shape (..., dof, 10 dof).

    Raises:
        JointVectorError: If a length is wrong or a number is not finite.
        ModelError: If gravity is not three finite numbers, or ``out`` cannot be filled.

    References:
        Atkeson, An and Hollerbach, Estimation of inertial parameters of manipulator loads
        and links, 1986.
    """
    rows = model._rows if gravity is None else rows_under(model, gravity)
    values = vectors(model, out, sampled(rows), q=q, v=v, a=a)
    shape = (model.dof, 10 * model.dof)
    Y = evaluate(model, (_regressor, _regressor_batch), (rows,), values, out, shape)
    return Y if out is None else out


def parameters_of(rows: FloatArray) -> FloatArray:
    """Return the inertial parameters of some model rows, ten for each."""
    xx, yy, zz, xy, xz, yz = rows[:, SECOND_MOMENTS].T
    inertia = np.stack([yy + zz, -xy, xx + zz, -xz, -yz, xx + yy], axis=1)
    return np.hstack([rows[:, [MASS]], rows[:, FIRST_MOMENT], inertia]).ravel()


def _energies_of(
    model: ModelData, rows: Rows, q: JointValues, v: JointValues
) -> tuple[Energy, Energy]:
    """Return kinetic and potential energy."""
    values = vectors(model, None, sampled(rows), q=q, v=v)
    both = evaluate(model, (_energies, _energies_batch), (rows,), values, None, (2,))
    return both[..., 0][()], both[..., 1][()]
