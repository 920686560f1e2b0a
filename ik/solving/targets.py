"""Lists of targets as users give them: arrays of poses or positions, and errors that say which."""

from typing import Any

import numpy as np
import numpy.typing as npt

from armwright.errors import ArmwrightError, ObjectiveError
from armwright.kinematics.arrays import got, is_masked


def target_array(name: str, given: Any) -> npt.NDArray[Any]:
    """Return targets as one array, (n, 4, 4) or (n, 3); their numbers are not checked.

    Args:
        name: Of the argument, for messages.
        given: What the user gave; an empty list makes shape (0, 4, 4).

    Raises:
        ObjectiveError: If the shape is another one, or some numbers are masked.
    """
    if is_masked(given):
        raise ObjectiveError(f"{name}: expected numbers, got {got(given)}")
    try:
        array = np.array(given)
    except ValueError:
        array = np.array(given, dtype=object)
    if array.size == 0 and array.ndim == 1:
        return np.empty((0, 4, 4))
    if array.shape[1:] not in ((4, 4), (3,)):
        hint = "; one target must stand in a list" if array.shape in ((4, 4), (3,)) else ""
        raise ObjectiveError(f"{name}: expected shape (n, 4, 4) or (n, 3), got {array.shape}{hint}")
    return array


def call_numbered(function: Any, name: str, number: int, target: Any) -> Any:
    """Call a function with a target; an error says which target it was."""
    try:
        return function(target)
    except ArmwrightError as error:
        raise type(error)(f"{name}[{number}]: {error}") from None
