"""The one gate for arrays of numbers that users hand to devices.

What can be converted without a doubt is converted: lists, integers, float32, strided arrays.
Booleans, texts, complex numbers and ragged lists are no numbers. An array in which something is
masked is refused, as nobody can tell whether what lies under the mask is meant; one in which
nothing is masked is taken.
"""

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
_Array = TypeVar("_Array", bound=npt.NDArray[Any])


def as_numbers(what: str, values: Any, error: type[Exception]) -> FloatArray:
    """Return a fresh float64 array, of any shape.

    Args:
        what: Where the values come from, for the message: "plan, waypoints".
        values: What was handed over.
        error: The class of what is raised.

    Raises:
        error: If they are not numbers, or some of them are masked.
    """
    if is_plain(values):
        return values.astype(np.float64, order="C")  # type: ignore[no-any-return]
    if is_masked(values):
        raise error(
            f"{what}: some numbers are masked; leave them out, or fill them by .filled(...)"
        )
    try:
        given = np.asarray(values)
    except ValueError:
        raise error(f"{what}: expected a table of numbers, got rows of several lengths") from None
    if given.dtype.kind not in "fiu":
        raise error(f"{what}: expected numbers, got {shorten(values)}")
    return np.array(given, dtype=np.float64, order="C")


def is_plain(values: Any) -> bool:
    """Tell whether something is an ordinary array of real numbers, which needs no second look."""
    return type(values) is np.ndarray and values.dtype.kind in "fiu"


def is_masked(values: Any) -> bool:
    """Tell whether something is masked in an array, or in the arrays of a list."""
    if isinstance(values, np.ma.MaskedArray):
        return bool(np.any(values.mask))
    return isinstance(values, list | tuple) and any(map(is_masked, values))


def shorten(values: object, most: int = 80) -> str:
    """Show an offending argument without flooding the terminal."""
    text = repr(values)
    return text if len(text) < most else f"{text[: most - 3]}..."


def freeze(array: _Array) -> _Array:
    """Let nobody write to an array any more, and return it."""
    array.setflags(write=False)
    return array
