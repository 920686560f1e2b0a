"""What counts as numbers, and what is said about what does not.

What can be converted without a doubt is converted: every kind of real number (integers, floats of
any width, fractions, decimals, numpy scalars and arrays without axes) in lists, tuples and arrays
of any layout. Truth values, text, complex numbers, rows of different lengths and arrays in which
something is masked are no numbers, also inside lists.
"""

import math
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from armwright.reprs import short

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

FLOAT = np.dtype(np.float64)  # native: Numba may mistake another byte order for it

_PLAIN = {float, int, np.float64}  # what a list may hold without being looked at
_ROWS = (list, tuple)
_MASKED = np.ma.MaskedArray
_MOST_AXES = 8  # of nested lists; one that holds itself has no end


def numeric(value: Any) -> FloatArray | None:
    """Return real numbers as a fresh C-contiguous float64 array, None for anything else.

    Numbers beyond the range of float64 become infinite; no number is checked here.
    """
    if value.__class__ is np.ndarray and value.dtype is FLOAT:
        copied: FloatArray = value.copy()
        return copied
    if isinstance(value, _ROWS) and not set(map(type, value)) <= _PLAIN and _is_doubtful(value):
        return None
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        return None
    kind = array.dtype.kind
    if kind not in "fiuO" or (isinstance(value, _MASKED) and is_masked(value)):
        return None
    if kind == "O":
        return _from_objects(array)
    if array.dtype.itemsize <= 8:
        return np.array(array, dtype=np.float64, order="C")
    with np.errstate(over="ignore"):  # a long double
        return np.array(array, dtype=np.float64, order="C")


def is_masked(value: object) -> bool:
    """Whether something is masked in an array, or in arrays in a list: it is not meant then."""
    if isinstance(value, _ROWS):
        return any(isinstance(one, _MASKED) and is_masked(one) for one in _leaves(value)[0])
    return isinstance(value, _MASKED) and bool(np.any(value.mask))


def got(value: Any) -> str:
    """Describe what came instead of numbers, with what to try where it can be seen."""
    return short(value) + _advice(value)


def words(values: Sequence[float] | FloatArray) -> str:
    """Write numbers for a message."""
    return " ".join(f"{value:g}" for value in values)


def _advice(value: Any) -> str:
    """Say what keeps a value from being numbers, as the end of a message."""
    if is_masked(value):
        return ". What is masked has no value: fill it, or leave it out"
    try:
        kind = np.asarray(value).dtype.kind
    except (TypeError, ValueError):
        return ". Do its rows differ in length?"
    if kind in "US":
        return ". Text is not converted; float() does it"
    if kind == "c":
        return ". Real numbers are needed: values.real, if that is meant"
    if kind == "b" or (isinstance(value, _ROWS) and _is_doubtful(value)):
        return ". Truth values are not taken for numbers"
    return ""


def _is_doubtful(value: list[Any] | tuple[Any, ...]) -> bool:
    """Whether a list holds truth values or masked numbers: numpy would make numbers of them."""
    leaves, kinds = _leaves(value)
    if kinds <= _PLAIN:
        return False
    for one in leaves:
        if isinstance(one, np.ndarray):
            if one.dtype.kind == "b" or is_masked(one):
                return True
        elif isinstance(one, bool | np.bool_ | list | tuple):  # a list here has no end
            return True
    return False


def _leaves(value: list[Any] | tuple[Any, ...]) -> tuple[Sequence[Any], set[type]]:
    """Return what stands in nested lists, and of what types it is."""
    leaves: Sequence[Any] = value
    kinds = set(map(type, leaves))
    for _ in range(_MOST_AXES):
        nested = sum(issubclass(kind, _ROWS) for kind in kinds)
        if not nested:
            break
        if nested == len(kinds):
            leaves = list(chain.from_iterable(leaves))
        else:
            leaves = [x for one in leaves for x in (one if isinstance(one, _ROWS) else (one,))]
        kinds = set(map(type, leaves))
    return leaves, kinds


def _from_objects(array: npt.NDArray[Any]) -> FloatArray | None:
    """Convert fractions, decimals, huge integers and the like; None if something else is there."""
    numbers = []
    for one in array.ravel().tolist():
        if isinstance(one, np.ndarray) and one.dtype.kind == "O" and not one.ndim:
            one = one.item()
        if isinstance(one, np.generic | np.ndarray):
            real = one.dtype.kind in "fiu" and not one.ndim and not is_masked(one)
        else:
            real = hasattr(one, "__float__") and not isinstance(one, bool)
        if not real:
            return None
        try:
            numbers.append(float(one))
        except OverflowError:
            numbers.append(math.inf if one > 0 else -math.inf)
        except (TypeError, ValueError):  # what says that it is a number, and is not
            return None
    return np.array(numbers, dtype=np.float64).reshape(array.shape)
