"""Numbers, rows of them, joint vectors and arrays to fill, as users hand them over.

Each function returns what it checked as a fresh float64 array, or raises an error that says
where, what was expected, what came and, if it can be seen, what to try. The class of the error is
the caller's choice.
"""

import math
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from types import EllipsisType
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from armwright.errors import JointVectorError, ModelError
from armwright.reprs import short

from .conversion import BoolArray, FloatArray, got, numeric
from .named import values_by_name

AnyArray = TypeVar("AnyArray", bound=npt.NDArray[Any])
Shape = tuple[int | EllipsisType, ...]  # ... first: any leading axes
Hints = Mapping[tuple[int, ...] | None, str]  # by the shape that came; None: any other

FINITE = sys.float_info.max
LARGEST = 1e50  # of a motion, place or force: products of a few of them do not overflow
POSITIVE = math.nextafter(0.0, 1.0)  # the smallest number above 0

_LONGEST_WORD = 60  # characters that are compared with the words that were expected
_SMALL = 40  # numbers; that many are checked more quickly one by one


def number(
    value: Any,
    name: str,
    expected: str = "",
    *,
    low: float = -FINITE,
    high: float = FINITE,
    error: type[Exception] = ModelError,
) -> float:
    """Return one number within a range; NaN is in none.

    Args:
        value: The number.
        name: What to call it in a message.
        expected: What is wanted, in words; "" says it from the range.
        low: The smallest that will do; ``POSITIVE``: above 0; -inf: none.
        high: The largest that will do; inf: none.
        error: What to raise.
    """
    if isinstance(value, float):
        x = float(value)
    else:
        converted = numeric(value)
        if converted is None or converted.ndim:
            wanted = expected or _range_in_words(low)
            raise error(f"{name}: expected {wanted}, got {got(value)}")
        x = float(converted)
    if low <= x <= high:
        return x
    wanted = expected or _range_in_words(low)
    if high < x < math.inf:
        wanted = f"at most {high:g}"
    elif -math.inf < x < low < 0.0:
        wanted = f"at least {low:g}"
    elif not expected and high < math.inf and not math.isfinite(x):
        wanted = wanted.replace("a number", "a finite number")
    raise error(f"{name}: expected {wanted}, got {x:g}")


def whole_number(
    value: Any,
    name: str,
    least: int | None = 0,
    error: type[Exception] = ModelError,
    *,
    expected: str = "",
) -> int:
    """Return a whole number that is given as one: 2.0 is not.

    Args:
        value: The number.
        name: What to call it in a message.
        least: The smallest that will do; None: the caller looks at its size.
        error: What to raise.
        expected: What is wanted, in words; "" says it from ``least``.
    """
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or (least is not None and value < least):
        wanted = expected or f"a whole number from {least or 0}"
        raise error(f"{name}: expected {wanted}, got {short(value)}")
    return int(value)


def true_or_false(value: Any, name: str, error: type[Exception] = ModelError) -> bool:
    """Return a truth value; 0, 1, None and text are none."""
    if not isinstance(value, bool | np.bool_):
        raise error(f"{name}: expected True or False, got {short(value)}")
    return bool(value)


def one_of(
    value: object, choices: Sequence[str], name: str, error: type[Exception] = ModelError
) -> str:
    """Return a choice, whatever its case; the message lists them and names the nearest."""
    if isinstance(value, str) and value.casefold() in choices:
        return value.casefold()
    text = value[:_LONGEST_WORD].casefold() if isinstance(value, str) else ""
    near = get_close_matches(text, choices, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    known = ", ".join(repr(choice) for choice in choices)
    raise error(f"{name}: expected one of {known}, got {short(value)}.{hint}")


def is_row(value: object) -> bool:
    """Whether a value can be gone through as a list: a list, a tuple, an array with axes."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def joint_vectors(
    q: Any,
    dof: int,
    name: str = "q",
    error: type[Exception] = JointVectorError,
    joints: Sequence[str] = (),
) -> FloatArray:
    """Return joint values as a fresh C-contiguous float64 array, shape (..., dof).

    Args:
        q: Joint values, one vector or any number of leading axes; or mappings by name.
        dof: How many there must be.
        name: What to call them in a message.
        error: What to raise if they are not numbers, too few or too many, not finite, or so large
            that poses would not be.
        joints: Names of the joints, for mappings; (): these are not taken.
    """
    values = numeric(q)
    if values is None and joints:
        values = values_by_name(q, joints, name, error)
    if values is None:
        raise error(f"{name}: expected {dof} joint values, got {got(q)}")
    if values.ndim == 0:
        raise error(f"{name}: expected {dof} joint values in a row, got the number {short(q)}")
    if values.shape[-1] != dof:
        shape = f" (shape {values.shape})" if values.ndim > 1 else ""
        raise error(f"{name}: expected {dof} joint values, got {values.shape[-1]}{shape}")
    if not within(values):
        _complain_of_size(values, f"{name}: expected {dof}", "joint values", LARGEST, error)
    return values


def joint_vector(
    q: Any,
    dof: int,
    name: str = "q",
    error: type[Exception] = JointVectorError,
    joints: Sequence[str] = (),
) -> FloatArray:
    """Return one vector of joint values, shape (dof,); see ``joint_vectors``."""
    values = joint_vectors(q, dof, name, error, joints)
    if values.ndim != 1:
        raise error(
            f"{name}: expected {dof} joint values in a row, got an array of shape {values.shape}"
        )
    return values


def finite_numbers(
    value: Any,
    count: int,
    name: str,
    error: type[Exception] = ModelError,
    *,
    most: float = LARGEST,
) -> FloatArray:
    """Return so many finite numbers, each of size ``most`` or less, as a read-only copy."""
    numbers = row(value, count, name, error)
    if not within(numbers, most):
        _complain_of_size(numbers, f"{name}: expected {count}", "numbers", most, error)
    numbers.setflags(write=False)
    return numbers


def row(
    value: Any,
    count: int | None,
    name: str,
    error: type[Exception] = ModelError,
    *,
    one_for_all: bool = False,
) -> FloatArray:
    """Return so many numbers as a fresh array, shape (count,); infinities and NaN pass.

    Args:
        value: The numbers.
        count: How many; None: any number.
        name: What to call them in a message.
        error: What to raise.
        one_for_all: Whether a single number may stand for all of them.
    """
    numbers = numeric(value)
    if numbers is not None and numbers.ndim == 0 and one_for_all:
        return np.full(1 if count is None else count, numbers)
    if numbers is None or numbers.ndim != 1 or (count is not None and len(numbers) != count):
        wanted = "a row of numbers" if count is None else f"{count} numbers"
        wanted = f"one number or {wanted}" if one_for_all else wanted
        came = got(value)
        if numbers is not None:
            came = f"{len(numbers)}" if numbers.ndim == 1 else f"shape {numbers.shape}"
        raise error(f"{name}: expected {wanted}, got {came}")
    return numbers


def check_each(
    values: FloatArray,
    good: BoolArray,
    name: str,
    expected: str,
    error: type[Exception] = ModelError,
    *,
    axes: Sequence[str] = (),
    joints: Sequence[str] = (),
    hint: str = "",
) -> None:
    """Raise for the first number that is not good, and say where it stands.

    Args:
        values: The numbers.
        good: Whether each of them will do, of the same shape.
        name: What to call them in a message.
        expected: What is wanted of each.
        error: What to raise.
        axes: What the axes count, such as ("waypoint", "joint"); () gives the bare index.
        joints: Names of the joints that the last axis counts.
        hint: What to try, for the end of the message.
    """
    if good.all():
        return
    where = tuple(int(i) for i in np.argwhere(~good)[0])
    came = f"{values[where]:g}"
    if joints:
        name = f"{name} of joint {joints[where[-1]]!r}"
    elif axes:
        name += "".join(f", {axis} {i}" for axis, i in zip(axes, where, strict=True))
    else:
        came += f" at index {_index(where)}"
    raise error(f"{name}: expected {expected}, got {came}{hint and '. ' + hint}")


def as_array(
    value: Any,
    shape: Shape | list[Shape],
    name: str,
    error: type[Exception] = ModelError,
    *,
    most: float | None = FINITE,
    hints: Hints | None = None,
) -> FloatArray:
    """Return finite numbers as a fresh C-contiguous float64 array of a given shape.

    Args:
        value: The numbers.
        shape: Their shape; ``(..., 3)`` allows any leading axes, ``(...,)`` any shape. A list: any
            of these shapes.
        name: What to call them in a message.
        error: What to raise.
        most: The largest size of a number; ``LARGEST`` where products are made of them; None:
            infinities and NaN pass too.
        hints: What to try where another shape came, by that shape; None: any other.
    """
    shapes = shape if isinstance(shape, list) else [shape]
    array = numeric(value)
    if array is None:
        raise error(f"{name}: expected numbers{_of_shape(shapes)}, got {got(value)}")
    if not any(_has_shape(array.shape, wanted) for wanted in shapes):
        hints = hints or {}
        hint = hints.get(array.shape) or hints.get(None, "")
        came = f"got {array.shape}" if array.ndim else f"got {array.shape}, the number {array:g}"
        raise error(f"{name}: expected shape {_in_words(shapes)}, {came}{hint and '. ' + hint}")
    if most is not None and not within(array, most):
        shown = f"finite numbers{_of_shape(shapes)}"
        _complain_of_size(array, f"{name}: expected", "numbers", most, error, shown)
    return array


def array_to_fill(
    out: Any, shape: tuple[int, ...], name: str = "out", error: type[Exception] = ModelError
) -> FloatArray:
    """Return ``out`` itself if a kernel can fill it.

    That is a writable, aligned, C-contiguous float64 array of that shape.
    """
    wanted = f"{name}: expected a writable C-contiguous float64 array of shape {shape}"
    if not isinstance(out, np.ndarray):
        hint = ". Frames are named by frame_type=, index= and tag=" if isinstance(out, str) else ""
        raise error(f"{wanted}, got {short(out)}{hint}")
    if out.shape != shape:
        raise error(f"{wanted}, got shape {out.shape}")
    if out.dtype != np.float64 or not out.dtype.isnative:
        raise error(f"{wanted}, got {out.dtype}")
    if not out.flags.c_contiguous:
        raise error(f"{wanted}, got one with strides {out.strides}")
    if not out.flags.writeable:
        raise error(f"{wanted}, got a read-only one")
    if not out.flags.aligned:
        raise error(f"{wanted}, got one that is not aligned in memory")
    if out.__class__ is np.ndarray:
        return out
    if isinstance(out, np.ma.MaskedArray):  # its mask would hide what is written
        raise error(f"{wanted}, got {short(out)}")
    return out.view(np.ndarray)


def filled(out: FloatArray | None, result: FloatArray) -> FloatArray:
    """Return a result, or ``out`` with the result in it, if ``array_to_fill`` lets it."""
    if out is None:
        return result
    array_to_fill(out, result.shape)[...] = result
    return out


def within(values: FloatArray, most: float = LARGEST) -> bool:
    """Whether no number is larger than ``most``, infinite or NaN."""
    if values.size <= _SMALL and math.hypot(*values.ravel().tolist()) <= most:
        return True
    # NaN is neither; two passes, but no array in between as for (abs(values) <= most).all()
    return not values.size or bool(values.min() >= -most and values.max() <= most)


def read_only(values: Any) -> FloatArray:
    """Return a read-only copy of numbers that are ours."""
    array = np.array(values, dtype=np.float64)
    array.setflags(write=False)
    return array


def frozen(values: AnyArray) -> AnyArray:
    """Make an array of any kind read-only, and return it."""
    values.setflags(write=False)
    return values


def read_only_view(values: FloatArray) -> FloatArray:
    """Return a read-only view of an array that stays writable."""
    view = values.view()
    view.setflags(write=False)
    return view


def _has_shape(shape: tuple[int, ...], wanted: Shape) -> bool:
    if wanted[:1] == (...,):
        return len(shape) >= len(wanted) - 1 and shape[len(shape) - len(wanted) + 1 :] == wanted[1:]
    return shape == wanted


def _in_words(shapes: list[Shape]) -> str:
    """Write shapes as Python does."""
    return " or ".join(str(shape).replace("Ellipsis", "...") for shape in shapes)


def _of_shape(shapes: list[Shape]) -> str:
    """Say of what shape numbers have to be; "" for any."""
    return "" if (...,) in shapes else f" of shape {_in_words(shapes)}"


def _range_in_words(low: float) -> str:
    return {0.0: "a number, 0 or more", POSITIVE: "a positive number"}.get(low, "a number")


def _index(where: tuple[int, ...]) -> object:
    return where[0] if len(where) == 1 else where


def _complain_of_size(
    values: FloatArray,
    start: str,
    what: str,
    most: float,
    error: type[Exception],
    finite: str = "",
) -> None:
    """Raise for the first number that is not finite or too large."""
    where = tuple(int(i) for i in np.argwhere(~(np.abs(values) <= most))[0])
    wanted = finite or f"finite {what}"
    if np.isfinite(values[where]):
        wanted = f"{what} of at most {most:g}"
    at = f" at index {_index(where)}" if where else ""
    raise error(f"{start} {wanted}, got {values[where]}{at}")
