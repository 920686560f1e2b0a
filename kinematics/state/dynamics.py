"""Dynamics of a state: M times acceleration + bias = efforts + what pushes from outside.

All follow the size of the state: joints alone for a fixed base, or six rows for the base first,
wrenches at its origin in the state's representation. Friction and rotor inertia count as they do
in ``RobotModel``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from armwright.errors import ModelError
from armwright.kinematics.arrays import (
    LARGEST,
    FloatArray,
    JointValues,
    as_array,
    filled,
    finite_numbers,
    values_by_name,
)
from armwright.kinematics.dynamics import Wrenches, parameters_of
from armwright.kinematics.engine import lazy
from armwright.kinematics.motion import no_inertia
from armwright.kinematics.robot import GRAVITY

from .bodies import EFFORT, HOLD, MASSES, WRENCH, array, root_velocity
from .cached import cached, cached_energy, cached_with_joints
from .coordinates import (
    coordinates,
    from_rows,
    root_acceleration,
    to_accelerations,
    to_columns,
    to_rows,
    to_velocities,
)
from .coriolis import free_coriolis
from .data import StateData
from .momentum import mass, root_momentum_jacobian, to_com
from .twists import cross
from .wrenches import external_efforts

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.kinematics._kernels import dynamics_coriolis as _dynamics_coriolis_kernels  # noqa: F401
    from armwright.kinematics._kernels import dynamics_external as _dynamics_external_kernels  # noqa: F401
    from armwright.kinematics._kernels import dynamics_forward as _dynamics_forward_kernels  # noqa: F401
    from armwright.kinematics._kernels import dynamics_inverse as _dynamics_inverse_kernels  # noqa: F401
    from armwright.kinematics._kernels import dynamics_mass as _dynamics_mass_kernels  # noqa: F401

_KERNELS = "armwright.kinematics._kernels.dynamics_"
_inverse_dynamics = lazy(__name__, "_inverse_dynamics", f"{_KERNELS}inverse")
_inverse_dynamics_free = lazy(__name__, "_inverse_dynamics_free", f"{_KERNELS}inverse")
_forward_dynamics = lazy(__name__, "_forward_dynamics", f"{_KERNELS}forward")
_forward_dynamics_free = lazy(__name__, "_forward_dynamics_free", f"{_KERNELS}forward")
_solve_mass = lazy(__name__, "_solve_mass", f"{_KERNELS}mass")
_coriolis = lazy(__name__, "_coriolis", f"{_KERNELS}coriolis")
_friction = lazy(__name__, "_friction", f"{_KERNELS}external")
_regressor = lazy(__name__, "_regressor", f"{_KERNELS}external")
_regressor_free = lazy(__name__, "_regressor_free", f"{_KERNELS}external")


@cached_with_joints
def mass_matrix(state: StateData) -> FloatArray:
    """Mass matrix, full and symmetric, rotors on its diagonal, shape (size, size)."""
    joints = array(state)[1:, MASSES:]
    if not state.floating:
        return joints.copy()
    M = np.empty((state.size, state.size))
    M[:6] = root_momentum_jacobian(state)
    M[6:, :6] = M[:6, 6:].T
    M[6:, 6:] = joints
    change = coordinates(state)
    if change is not None:
        M = to_rows(to_columns(M, change), change)
    M[:6, :6] = 0.5 * (M[:6, :6] + M[:6, :6].T)
    if change is not None:
        M[6:, :6] = M[:6, 6:].T
        M[6:, 6:] = 0.5 * (M[6:, 6:] + M[6:, 6:].T)
    return M


def solve_mass(state: StateData, b: npt.ArrayLike, *, out: FloatArray | None = None) -> FloatArray:
    """Solve M x = b without forming the inverse.

    Args:
        b: Right-hand sides, shape (size,) or (size, k).
        out: Array to fill, shape of b.

    Returns:
        x, shape of b.

    Raises:
        ModelError: If a joint or the free base moves no inertia (names it), or b has the
            wrong shape or is not finite, or ``out`` cannot be filled.

    References:
        Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.5; table 9.4 for a free
        base.
    """
    right = as_array(b, (...,), "b", most=LARGEST)
    if right.ndim not in (1, 2) or right.shape[0] != state.size:
        raise ModelError(
            f"b: expected shape ({state.size},) or ({state.size}, k), got {right.shape}"
        )
    columns = right.reshape(state.size, -1)
    x = np.empty_like(columns)
    if not state.floating:
        _refuse_singular(state, _solve_mass(state._rows, state.q, columns, x))
        return filled(out, x.reshape(right.shape))
    change = coordinates(state)
    columns = from_rows(columns, change)
    rows, still = state._rows.copy(), np.zeros(state.size)
    rows[0, GRAVITY] = 0.0
    for k in range(columns.shape[1]):
        one = np.empty(state.size)
        arguments = (rows, state._root_pose, state.q, still, columns[:, k].copy())
        _refuse_singular(state, _forward_dynamics_free(*arguments, one))
        x[:, k] = one
    return filled(out, to_velocities(x, change).reshape(right.shape))


@cached
def coriolis(state: StateData) -> FloatArray:
    """Coriolis matrix C of Christoffel symbols, shape (size, size): dM/dt = C + C^T.

    C times the generalized velocity are the velocity terms of inverse dynamics.
    """
    if state.floating:
        return free_coriolis(state)
    C = np.empty((state.size, state.size))
    _coriolis(state._rows, state.q, state.v, C)
    return C


@cached_with_joints
def bias_efforts(state: StateData) -> FloatArray:
    """Efforts without generalized acceleration: velocity terms, gravity, friction, (size,)."""
    return _with_friction(state, rigid_bias(state).copy())


@cached_with_joints
def gravity_efforts(state: StateData) -> FloatArray:
    """Holding efforts, shape (size,); of a free base the wrench that carries it."""
    joints = array(state)[1:, HOLD]
    if not state.floating:
        return joints
    force = -mass(state) * state.gravity
    efforts = np.concatenate([force, cross(to_com(state), force), joints])
    return to_rows(efforts, coordinates(state))


@cached
def coriolis_efforts(state: StateData) -> FloatArray:
    """Velocity terms alone, C times the generalized velocity, shape (size,)."""
    return rigid_bias(state) - gravity_efforts(state)


def inverse_dynamics(
    state: StateData,
    external_wrenches: Wrenches | None = None,
    *,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute the efforts that the state's acceleration needs.

    Args:
        external_wrenches: {frame: (6,)}, where a frame is a name, (frame type, index or
            name) or a ``Frame``. Force [N], then moment [N m], on the robot, at the frame's
            origin: axes of the world when the state is mixed, of the frame when it is body; axes
            and origin of the world when inertial.
        out: Array to fill, shape (size,).

    Returns:
        Shape (size,) [N m or N]; for a free base first the wrench that it needs from outside,
        zeros when it really is free and the acceleration is right.

    Raises:
        FrameNotFoundError: If a wrench is on a frame that does not exist.
        ModelError: If a wrench is not six finite numbers, or ``out`` cannot be filled.
    """
    efforts = np.empty(state.size)
    if state.floating:
        arguments = (state.q, root_velocity(state), root_acceleration(state))
        _inverse_dynamics_free(state._rows, state._root_pose, *arguments, efforts)
        efforts = to_rows(efforts, coordinates(state))
    else:
        _inverse_dynamics(state._rows, state.q, state.v, state.a, efforts)
    if external_wrenches is not None:
        efforts -= external_efforts(state, external_wrenches)
    return filled(out, _with_friction(state, efforts))


def forward_dynamics(
    state: StateData,
    tau: JointValues,
    external_wrenches: Wrenches | None = None,
    *,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute the generalized acceleration that efforts cause; the state's own plays no part.

    Args:
        tau: Efforts, shape (size,) [N m or N]; for a free base first the wrench on it (zeros
            when nothing holds it). Or a mapping by name, ``state.velocity_names``.
        external_wrenches: As for ``inverse_dynamics``.
        out: Array to fill, shape (size,).

    Returns:
        Shape (size,).

    Raises:
        FrameNotFoundError: If a wrench is on a frame that does not exist.
        ModelError: If tau has the wrong length or is not finite, a joint or the free base
            moves no inertia (names it), a wrench is not six finite numbers, or ``out`` cannot be
            filled.
    """
    if isinstance(tau, Mapping):
        named = values_by_name(tau, state.velocity_names, "tau", ModelError)
        tau = np.zeros(0) if named is None else named
    efforts = _with_friction(state, -finite_numbers(tau, state.size, "tau"))
    np.negative(efforts, out=efforts)
    if external_wrenches is not None:
        efforts += external_efforts(state, external_wrenches)
    result = np.empty(state.size)
    if not state.floating:
        arguments = (state._rows, state.q, state.v)
        _refuse_singular(state, _forward_dynamics(*arguments, efforts, result))
        return filled(out, result)
    change = coordinates(state)
    efforts = from_rows(efforts, change)
    moving = (state._rows, state._root_pose, state.q, root_velocity(state))
    _refuse_singular(state, _forward_dynamics_free(*moving, efforts, result))
    return filled(out, to_accelerations(result, change))


@cached
def inertial_parameters(state: StateData) -> FloatArray:
    """Inertial parameters as in ``RobotModel``, those of a free base first.

    Shape (10 dof,) or (10 (dof + 1),); the base's are in its own frame.
    """
    return parameters_of(state._rows if state.floating else state._rows[1:])


@cached
def inverse_dynamics_regressor(state: StateData) -> FloatArray:
    """Matrix Y with efforts = Y ``inertial_parameters``, shape (size, 10 (dof or dof + 1)).

    Rotor inertia, friction and external wrenches are not in it.
    """
    if not state.floating:
        Y = np.empty((state.size, 10 * state.size))
        _regressor(state._rows, state.q, state.v, state.a, Y)
        return Y
    Y = np.empty((state.size, 10 * (state.model.dof + 1)))
    arguments = (state.q, root_velocity(state), root_acceleration(state))
    _regressor_free(state._rows, state._root_pose, *arguments, Y)
    return to_rows(Y, coordinates(state))


@cached_energy
def kinetic_energy(state: StateData) -> float:
    """Kinetic energy, rotors included [J]."""
    return float(array(state)[0, EFFORT])


@cached_energy
def potential_energy(state: StateData) -> float:
    """Potential energy of gravity, base included; 0 for a mass at the world's origin [J]."""
    return float(array(state)[0, HOLD])


@cached
def energy(state: StateData) -> float:
    """Sum of both; constant without efforts and friction [J]."""
    return kinetic_energy(state) + potential_energy(state)


@cached_with_joints
def rigid_bias(state: StateData) -> FloatArray:
    """Bias efforts of the bodies."""
    joints = array(state)[1:, EFFORT]
    if not state.floating:
        return joints
    R, wrench = state._root_pose[:3, :3], array(state)[0, WRENCH]
    efforts: FloatArray = np.concatenate([R @ wrench[:3], R @ wrench[3:], joints])
    change = coordinates(state)
    if change is None:
        return efforts
    return to_rows(efforts + root_momentum_jacobian(state).T @ change.drift, change)


def _with_friction(state: StateData, efforts: FloatArray) -> FloatArray:
    """Add friction to efforts, in place."""
    friction = state.model._friction
    if friction is not None:
        _friction(friction, state.v, 1.0, efforts[state.size - state.model.dof :])
    return efforts


def _refuse_singular(state: StateData, joint: int) -> None:
    """Raise for what a kernel found to move no inertia: a joint from 1, or -1, the base.

    Raises:
        ModelError: If there is such a joint.
    """
    if joint < 0:
        raise ModelError("the free base moves no inertia; the robot has too little mass")
    if joint:
        raise no_inertia(state.model, joint)
