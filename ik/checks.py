"""Checks of the numbers that objectives are made of, with words that say what to do."""

import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from armwright.errors import ObjectiveError

FloatArray = npt.NDArray[np.float64]
N = TypeVar("N", float, FloatArray)

LARGEST = 1e30  # of targets and errors: squares and joint values stay far from overflow
ROTATION_TOLERANCE = 1e-4  # a matrix that is off by less is replaced by the nearest rotation


def number(where: str, name: str, value: object) -> float:
    """Convert to float, or say what came instead."""
    unfit = isinstance(value, bool | np.bool_ | str | bytes | np.complexfloating)
    if unfit or (isinstance(value, np.ndarray) and value.ndim):
        raise ObjectiveError(f"{where}: {name} is {value!r}, expected a number")
    try:
        return float(value)  # type: ignore[arg-type]
    except OverflowError:  # a whole number of many digits
        return math.inf if value > 0 else -math.inf  # type: ignore[operator]
    except (TypeError, ValueError):
        raise ObjectiveError(f"{where}: {name} is {value!r}, expected a number") from None


def positive_weight(where: str, value: object) -> float:
    """Check a weight."""
    weight = number(where, "weight", value)
    if not 0.0 < weight < math.inf:
        raise ObjectiveError(
            f"{where}: weight is {weight:g}, expected a positive number; "
            "leave the objective out to switch it off"
        )
    return weight


def array(where: str, value: npt.ArrayLike, shape: tuple[int, ...], what: str) -> FloatArray:
    """Copy into a fresh finite array of one shape."""
    if value.__class__ is np.ndarray and value.dtype == np.float64:
        result: FloatArray = value.copy()  # in order of rows, as kernels take it
    else:
        result = _converted(where, what, value)
    if result.shape != shape:
        raise ObjectiveError(f"{where}: expected {what}, shape {shape}, got shape {result.shape}")
    if not math.isfinite(sum(result.ravel().tolist())) and not np.isfinite(result).all():
        raise ObjectiveError(f"{where}: expected {what} of finite numbers, got NaN or infinity")
    return result


def vector(where: str, name: str, value: npt.ArrayLike) -> FloatArray:
    """Copy into a fresh vector of any length; its numbers are not checked."""
    result = _converted(where, f"{name} to be one number per joint", value)
    if result.ndim != 1:
        raise ObjectiveError(
            f"{where}: expected {name} to be one number per joint, got shape {result.shape}"
        )
    return result


def one_or_each(where: str, name: str, value: npt.ArrayLike, dof: int) -> FloatArray:
    """Convert one number, or one per joint, that may not be negative; shape (dof,)."""
    if np.ndim(value) == 0:
        numbers = np.full(dof, number(where, name, value))
    else:
        numbers = vector(where, name, value)
    if numbers.size != dof:
        raise ObjectiveError(
            f"{where}: {name}, one number or one per joint: expected {dof}, got {numbers.size}"
        )
    if not (numbers >= 0.0).all():
        raise ObjectiveError(f"{where}: {name} is {value!r}, expected positive numbers")
    return numbers


def check_size(where: str, what: str, values: Sequence[float]) -> None:
    """Refuse numbers that are not finite, or so large that their squares would not be."""
    for value in values:
        if not abs(value) <= LARGEST:
            raise ObjectiveError(
                f"{where}: {what} is {words(values)}, "
                f"expected finite numbers of at most {LARGEST:g}"
            )


def rotation(where: str, R: FloatArray) -> FloatArray:
    """Return the rotation nearest to a matrix that is one up to rounding."""
    (a, b, c), (d, e, f), (g, h, i) = R.tolist()
    off = max(
        abs(a * a + d * d + g * g - 1.0), abs(b * b + e * e + h * h - 1.0),
        abs(c * c + f * f + i * i - 1.0), abs(a * b + d * e + g * h),
        abs(a * c + d * f + g * i), abs(b * c + e * f + h * i),
    )  # fmt: skip
    if off > ROTATION_TOLERANCE:
        raise ObjectiveError(
            f"{where}: not a rotation: R^T R differs from the identity by {off:.2g}, "
            f"expected at most {ROTATION_TOLERANCE:g}"
        )
    if a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0.0:
        raise ObjectiveError(
            f"{where}: not a rotation but a reflection (determinant -1); are two axes swapped?"
        )
    if off <= 1e-15:
        return R
    nine = (a, b, c, d, e, f, g, h, i)
    while off > 1e-15:
        nine = nearer_rotation(*nine)
        off = 3.0 * off * off
    return np.array(nine).reshape(3, 3)


def nearer_rotation(a: N, b: N, c: N, d: N, e: N, f: N, g: N, h: N, i: N) -> tuple[N, ...]:
    """Take one Newton step to the nearest rotation: squares the distance (Higham 1986).

    The nine numbers, row by row, are floats or arrays of them. Written out, since the bits of a
    matrix product depend on the library that numpy was built with.
    """
    aa = 1.5 - 0.5 * (a * a + d * d + g * g)
    bb = 1.5 - 0.5 * (b * b + e * e + h * h)
    cc = 1.5 - 0.5 * (c * c + f * f + i * i)
    ab = -0.5 * (a * b + d * e + g * h)
    ac = -0.5 * (a * c + d * f + g * i)
    bc = -0.5 * (b * c + e * f + h * i)
    return (
        a * aa + b * ab + c * ac, a * ab + b * bb + c * bc, a * ac + b * bc + c * cc,
        d * aa + e * ab + f * ac, d * ab + e * bb + f * bc, d * ac + e * bc + f * cc,
        g * aa + h * ab + i * ac, g * ab + h * bb + i * bc, g * ac + h * bc + i * cc,
    )  # fmt: skip


def frozen(values: FloatArray) -> FloatArray:
    """Make an array read-only."""
    values.setflags(write=False)
    return values


def seen(values: FloatArray) -> FloatArray:
    """Return a read-only view of an array that stays writable."""
    view = values.view()
    view.setflags(write=False)
    return view


def words(values: Sequence[float]) -> str:
    """Write numbers for a message."""
    return " ".join(f"{value:g}" for value in values)


def is_masked(value: object) -> bool:
    """Whether some of the numbers of an array, or of arrays in a list, are masked."""
    if isinstance(value, list | tuple):
        if value and isinstance(value[0], int | float):
            return False  # a row of plain numbers; a masked one among them becomes NaN
        return any(map(is_masked, value))
    return isinstance(value, np.ma.MaskedArray) and bool(np.any(value.mask))


def floats(value: object) -> FloatArray | None:
    """Copy numbers into a fresh float array; None when there is something else among them."""
    try:
        given = np.asarray(value)
        if is_masked(value):
            return None  # what lies under a mask is not meant
        if given.dtype.kind in "iuf":
            return np.array(given, dtype=np.float64, order="C")
        if given.dtype.kind == "O":  # fractions and the like; float(None) is an error
            return np.array([float(v) for v in given.ravel()]).reshape(given.shape)
    except (TypeError, ValueError, OverflowError):
        pass
    return None


def _converted(where: str, what: str, value: npt.ArrayLike) -> FloatArray:
    """Copy into a float array, or say what came instead."""
    result = floats(value)
    if result is None:
        raise ObjectiveError(f"{where}: expected {what}, got {value!r}")
    return result
