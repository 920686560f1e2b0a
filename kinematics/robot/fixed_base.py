"""What dynamics with a fixed base is asked for most: parts of one array, from one kernel call.

Every row of the array has one number for each joint, so that the parts are contiguous; they
are the TERMS ones of ``_kernels/layout.py``.
"""

from collections.abc import Callable
from itertools import pairwise
from operator import itemgetter

import numpy as np

from armwright.kinematics._kernels import layout
from armwright.kinematics.arrays import FloatArray

from .rows import SUBTREE_MASS

POSES = slice(layout.TERMS_POSES, layout.TERMS_MASSES)
MASSES = layout.TERMS_MASSES

Cut = Callable[[FloatArray], tuple[FloatArray, ...]]


class FixedBaseLayout:
    """Where everything is in the array of one model.

    Attributes:
        shape: Of the array.
        joint: Cuts mass matrix, bias efforts of the bodies, holding efforts.
        central: Cuts centroidal momentum matrix, com Jacobian, motions of joints, com, com
            velocity, centroidal momentum.
        energies: Kinetic and potential energy by name, as indices of the flat array.
        zeros: Shape (dof,), read-only.
        fixed_base: Whether the base is fixed unless something else is said.
        frictionless: Whether bias efforts are those of the bodies alone.
    """

    __slots__ = ("central", "energies", "fixed_base", "frictionless", "joint", "shape", "zeros")

    shape: tuple[int, int]
    joint: Cut
    central: Cut
    energies: dict[str, int]
    zeros: FloatArray
    fixed_base: bool
    frictionless: bool

    def __init__(self, dof: int, fixed_base: bool, frictionless: bool) -> None:
        end = MASSES + dof
        three, six = -(-3 // dof), -(-6 // dof)  # rows that so many numbers take
        self.shape = (end + 3 * three + six, dof)
        first = (end + 2 * three + six) * dof
        self.energies = {"kinetic_energy": first, "potential_energy": first + 1}
        self.joint = itemgetter(slice(MASSES, end), layout.TERMS_BIAS, layout.TERMS_HOLD)
        edges = (layout.TERMS_MOMENTUM, layout.TERMS_COM, layout.TERMS_MOTION, layout.TERMS_POSES)
        wide = tuple(slice(here, below) for here, below in pairwise(edges))
        if dof >= 6:
            small = ((end, slice(3)), (end + 1, slice(3)), (end + 2, slice(6)))
            self.central = itemgetter(*wide, *small)
        else:
            self.central = _cutter(wide, end, three)
        self.zeros = np.zeros(dof)
        self.zeros.setflags(write=False)
        self.fixed_base = fixed_base
        self.frictionless = frictionless


def fixed_base_layout(rows: FloatArray, free: bool, frictionless: bool) -> FixedBaseLayout | None:
    """Return the layout of a model's array; None where there are no joints or there is no mass.

    Args:
        rows: The model's.
        free: Whether its base is free unless something else is said.
        frictionless: Whether its joints have no friction.
    """
    if len(rows) < 2 or not rows[0, SUBTREE_MASS] > 0.0:
        return None
    return FixedBaseLayout(len(rows) - 1, not free, frictionless)


def _cutter(wide: tuple[slice, ...], end: int, three: int) -> Cut:
    """Return what cuts where six numbers take several rows."""

    def cut(terms: FloatArray) -> tuple[FloatArray, ...]:
        com, velocity, momentum = (
            terms[end + a * three :].reshape(-1)[:count] for a, count in ((0, 3), (1, 3), (2, 6))
        )
        return (*(terms[rows] for rows in wide), com, velocity, momentum)

    return cut
