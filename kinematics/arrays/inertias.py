"""Moments of inertia as users hand them over: six numbers, or the symmetric matrix."""

from typing import Any

import numpy as np

from armwright.errors import ModelError

from .checks import FINITE, Hints, as_array

SixNumbers = tuple[float, float, float, float, float, float]

_HINTS: Hints = {None: "They are ixx, iyy, izz, ixy, ixz, iyz, or the symmetric 3x3 matrix"}


def as_inertia(
    value: Any, name: str, error: type[Exception] = ModelError, *, most: float = FINITE
) -> SixNumbers:
    """Return ixx, iyy, izz, ixy, ixz, iyz [kg m^2], given as such or as a symmetric matrix.

    Whether a body can have them is not looked at.

    Args:
        value: Shape (6,) or (3, 3).
        name: What to call it in a message.
        error: What to raise.
        most: The largest size of a number.
    """
    given = as_array(value, [(6,), (3, 3)], name, error, most=most, hints=_HINTS)
    if given.ndim == 2:
        if not np.array_equal(given, given.T):
            raise error(f"{name}: expected six numbers or a symmetric 3x3 matrix")
        given = given[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    xx, yy, zz, xy, xz, yz = given.tolist()
    return (xx, yy, zz, xy, xz, yz)
