"""Inverse dynamics of a robot that touches something: efforts and the forces of constraints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from armwright.errors import ModelError
from armwright.kinematics.arrays import LARGEST, FloatArray, as_array, finite_numbers, read_only
from armwright.kinematics.dynamics import Wrenches
from armwright.reprs import one_line_repr

from .data import StateData
from .dynamics import inverse_dynamics

HELD = 1e-8  # what may be missing of the wrench on a free base, relative
NONE = 1e-12  # a singular value that is a smaller part of the largest is none


@dataclass(frozen=True, slots=True, eq=False)
class ConstrainedEfforts:
    """What drives and constraints do together for a motion; arrays are read-only.

    Attributes:
        efforts: Joint efforts, shape (dof,) [N m or N].
        forces: Forces of the constraints on the robot, one for each row of their Jacobian,
            shape (k,); the smallest ones where several would do.
    """

    efforts: FloatArray
    forces: FloatArray

    __repr__ = one_line_repr


def constrained_inverse_dynamics(
    state: StateData,
    J: npt.ArrayLike,
    weights: npt.ArrayLike | None = None,
    external_wrenches: Wrenches | None = None,
) -> ConstrainedEfforts:
    """Compute the least efforts for the state's motion when constraints share the load.

    Of all efforts tau and forces f with M acceleration + bias = S^T tau + J^T f + what pushes
    from outside, it returns those with the smallest sum of weights * tau^2; S leaves a free
    base without effort. The acceleration is taken as it is: it should respect the
    constraints, J acceleration + (dJ/dt) velocity = 0. Nothing keeps f from pulling.

    Args:
        J: Jacobian of the constraints, shape (k, size), in the state's representation: rows
            of ``jacobian``, such as the linear ones of a foot that stands.
        weights: Cost of each joint's effort, shape (dof,), positive; None: all alike.
        external_wrenches: As for ``inverse_dynamics``.

    Returns:
        Efforts and forces.

    Raises:
        ModelError: If J or the weights have the wrong shape or are not finite, a weight is
            not positive, or no constraint forces hold a free base.

    References:
        Righetti, Buchli, Mistry and Schaal, Inverse dynamics control of floating-base robots
        with external constraints: a unified view, 2011.
    """
    rows = as_array(J, (..., state.size), "J", most=LARGEST)
    if rows.ndim != 2:
        raise ModelError(f"J: expected shape (k, {state.size}), got {rows.shape}")
    n = state.model.dof
    costs = np.ones(n) if weights is None else finite_numbers(weights, n, "weights")
    if not (costs > 0.0).all():
        raise ModelError(f"weights: expected positive numbers, got {costs.min():g}")
    needed = inverse_dynamics(state, external_wrenches)
    base = state.size - n
    fixed, free = np.zeros(len(rows)), np.eye(len(rows))
    if base:
        fixed, free = _carry(rows[:, :base].T, needed[:base])
    # What is free in f goes where it spares the most costly efforts.
    root = np.sqrt(costs)[:, None]
    shared = rows[:, base:].T
    left = needed[base:] - shared @ fixed
    spared, whole = root * (shared @ free), float(np.linalg.norm(root * shared))
    forces, largest = fixed, float(np.linalg.norm(spared))
    if largest > NONE * whole:  # else it is but rounding, whose inverse would be enormous
        part = np.linalg.lstsq(spared, root[:, 0] * left, rcond=NONE * whole / largest)[0]
        forces = fixed + free @ part
    return ConstrainedEfforts(read_only(needed[base:] - shared @ forces), read_only(forces))


def _carry(J_t: FloatArray, wrench: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the least forces that carry a free base, and a basis of those that leave it alone.

    Raises:
        ModelError: If no forces carry it.
    """
    U, sizes, V_t = np.linalg.svd(J_t)
    rank = int((sizes > NONE * sizes.max(initial=0.0)).sum())
    forces: FloatArray = V_t[:rank].T @ ((U[:, :rank].T @ wrench) / sizes[:rank])
    missing = wrench - J_t @ forces
    if np.abs(missing).max() > HELD * max(1.0, float(np.abs(wrench).max())):
        raise ModelError(
            "J: no constraint forces give the free base the wrench that the motion needs; "
            f"missing are {np.array2string(missing, precision=3)} (force, then moment)"
        )
    return forces, V_t[rank:].T
