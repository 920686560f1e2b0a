"""The one gate for arrays that users hand over: joint values and arrays to fill.

What can be converted without a doubt is converted (lists, integers, float32, strided and
read-only arrays); everything else raises an error that says what was expected and what came.
"""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from armwright.errors import JointVectorError, ModelError

from .transforms import LARGEST, FloatArray, numeric, short

# Of native arrays: the kernels' own check may mistake another byte order for it.
FLOAT = np.dtype(np.float64)


def joint_vectors(q: Any, dof: int, name: str = "q") -> FloatArray:
    """Return joint values as a fresh C-contiguous float64 array, shape (..., dof).

    Args:
        q: Joint values, one vector or any number of leading axes.
        dof: How many there must be.
        name: What to call them in a message.

    Raises:
        JointVectorError: If they are not numbers, too few or too many, not finite, or so large
            that poses would not be.
    """
    values = numeric(q)
    if values is None:
        hint = ". Joint values are real numbers" if isinstance(q, list | tuple) else ""
        raise JointVectorError(f"{name}: expected {dof} joint values, got {short(q)}{hint}")
    if values.ndim == 0:
        raise JointVectorError(f"{name}: expected {dof} joint values in a row, got the number {q}")
    if values.shape[-1] != dof:
        shape = f" (shape {values.shape})" if values.ndim > 1 else ""
        raise JointVectorError(
            f"{name}: expected {dof} joint values, got {values.shape[-1]}{shape}"
        )
    good = np.abs(values) <= LARGEST
    if not good.all():
        where = tuple(int(i) for i in np.argwhere(~good)[0])
        at = where[0] if len(where) == 1 else where
        wanted = "finite joint values"
        if np.isfinite(values[where]):
            wanted = f"joint values of at most {LARGEST:g}"
        raise JointVectorError(
            f"{name}: expected {dof} {wanted}, got {values[where]} at index {at}"
        )
    return values


def joint_vector(q: Any, dof: int, name: str = "q") -> FloatArray:
    """Return one vector of joint values, shape (dof,); see ``joint_vectors``."""
    values = joint_vectors(q, dof, name)
    if values.ndim != 1:
        raise JointVectorError(
            f"{name}: expected {dof} joint values in a row, got an array of shape {values.shape}"
        )
    return values


def finite_numbers(value: Any, count: int, name: str) -> FloatArray:
    """Return so many finite numbers as a read-only copy.

    Raises:
        ModelError: If there are more or fewer, or one is not finite or beyond ``LARGEST``; names
            the argument.
    """
    numbers = numeric(value)
    if numbers is None or numbers.ndim != 1:
        got = short(value) if numbers is None else f"shape {numbers.shape}"
        raise ModelError(f"{name}: expected {count} numbers, got {got}")
    if len(numbers) != count:
        raise ModelError(f"{name}: expected {count} numbers, got {len(numbers)}")
    good = np.abs(numbers) <= LARGEST
    if not good.all():
        where = int(np.argmin(good))
        wanted = "finite numbers"
        if np.isfinite(numbers[where]):
            wanted = f"numbers of at most {LARGEST:g}"
        raise ModelError(
            f"{name}: expected {count} {wanted}, got {numbers[where]} at index {where}"
        )
    numbers.setflags(write=False)
    return numbers


def array_to_fill(out: Any, shape: tuple[int, ...]) -> FloatArray:
    """Return ``out`` itself after checking that a kernel can fill it.

    Raises:
        ModelError: If it is not a writable, aligned, C-contiguous float64 array of that shape.
    """
    wanted = f"out: expected a writable C-contiguous float64 array of shape {shape}"
    if not isinstance(out, np.ndarray):
        hint = ". Frames are named by frame_type=, index= and tag=" if isinstance(out, str) else ""
        raise ModelError(f"{wanted}, got {short(out)}{hint}")
    if out.shape != shape:
        raise ModelError(f"{wanted}, got shape {out.shape}")
    if out.dtype != np.float64 or not out.dtype.isnative:
        raise ModelError(f"{wanted}, got {out.dtype}")
    if not out.flags.c_contiguous:
        raise ModelError(f"{wanted}, got one with strides {out.strides}")
    if not out.flags.writeable:
        raise ModelError(f"{wanted}, got a read-only one")
    if not out.flags.aligned:
        raise ModelError(f"{wanted}, got one that is not aligned in memory")
    return out.view(np.ndarray)


def read_only(values: Any) -> FloatArray:
    """Return a read-only copy of numbers."""
    array = np.array(values, dtype=np.float64)
    array.setflags(write=False)
    return array


def one_of(value: object, choices: Sequence[str], name: str) -> str:
    """Return a choice, whatever its case.

    Raises:
        ModelError: If it is none of them; the message lists them and names the nearest.
    """
    if isinstance(value, str) and value.casefold() in choices:
        return value.casefold()
    near = get_close_matches(str(value).casefold(), choices, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    known = ", ".join(repr(choice) for choice in choices)
    raise ModelError(f"{name}: expected one of {known}, got {value!r}.{hint}")
