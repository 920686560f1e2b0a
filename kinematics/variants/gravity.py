"""Copies of a model under another gravity."""

from __future__ import annotations

import dataclasses

import numpy.typing as npt

from armwright.kinematics.dynamics import one_gravity
from armwright.kinematics.robot import STANDARD_GRAVITY, ModelT


def with_gravity(model: ModelT, gravity: npt.ArrayLike) -> ModelT:
    """Return the same robot under another gravity, where a call says no other.

    It counts in holding efforts, dynamics, energies and states, in plans, for goals of inverse
    kinematics and in simulation. A ``gravity=`` argument still wins. ``gravity`` reads it back;
    ``kinematics.GRAVITY`` is the usual one.

    Args:
        gravity: Acceleration of free fall in world axes, shape (3,) [m/s^2]. Used as it is, never
            normalized; one of length 1 warns.

    Raises:
        ModelError: If it is not three finite numbers.

    Example:
        >>> on_the_wall = model.with_gravity([9.81, 0, 0])
        >>> on_the_wall.gravity
        array([9.81, 0.  , 0.  ])
    """
    x, y, z = one_gravity(gravity).tolist()
    chosen = None if (x, y, z) == STANDARD_GRAVITY else (x, y, z)
    return model._variant(annotations=dataclasses.replace(model._annotations, gravity=chosen))
