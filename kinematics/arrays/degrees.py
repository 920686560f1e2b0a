"""Angles that look like degrees: radians are expected, and numbers alone cannot say so."""

import math
import warnings

import numpy as np
import numpy.typing as npt

from .conversion import FloatArray

_FAR = 4.0 * math.pi  # two turns: further, nobody means radians
_TURN = 2.0 * math.pi
_STEP = 5.0  # degrees are mostly said in whole multiples of this


def look_like_degrees(values: FloatArray, slides: npt.NDArray[np.bool_] | None = None) -> bool:
    """Tell whether joint values look like degrees where radians are expected.

    So do angles beyond two turns, and angles beyond one turn that are whole multiples of 5, all of
    them. Sliding joints have no angles; infinities and NaN are left out.

    Args:
        values: Joint values, shape (..., dof) [rad or m].
        slides: Which joints slide, shape (dof,); None: none.
    """
    angles = values if slides is None else values[..., ~slides]
    angles = np.abs(angles[np.isfinite(angles)])
    largest = angles.max(initial=0.0)
    if largest <= _TURN:
        return False
    return bool(largest > _FAR or (angles % _STEP == 0.0).all())


def warn_of_degrees(
    values: FloatArray,
    where: str,
    slides: npt.NDArray[np.bool_] | None = None,
    *,
    stacklevel: int = 3,
) -> None:
    """Warn, by Python's warnings, when joint values look like degrees.

    Args:
        values: Joint values, shape (..., dof) [rad or m].
        where: What they are, for the message.
        slides: Which joints slide, shape (dof,); None: none.
        stacklevel: As for ``warnings.warn``; 3 is the caller of the function that calls this.
    """
    if look_like_degrees(values, slides):
        angles = values if slides is None else values[..., ~slides]
        largest = float(np.max(np.abs(angles[np.isfinite(angles)])))
        warnings.warn(
            f"{where}: an angle of {largest:g} rad is {largest / _TURN:.3g} turns. Are these "
            "degrees? np.radians() converts them",
            UserWarning,
            stacklevel=stacklevel,
        )
