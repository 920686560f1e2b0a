"""Joint values by the names of the joints: mappings of names to numbers, put in order.

A mapping is looked at only where numbers were expected and something else came, so that calls with
arrays and lists pay nothing for it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from armwright.errors import did_you_mean
from armwright.reprs import short

from .conversion import FloatArray, got, numeric

JointValues = npt.ArrayLike | Mapping[str, float]
"""Numbers of joints in their order, or by their names."""

_SHOWN = 8  # names in a message


def values_by_name(
    value: Any, joints: Sequence[str], name: str, error: type[Exception]
) -> FloatArray | None:
    """Return joint values that came as a mapping, or as a list of mappings, in the joints' order.

    Args:
        value: {joint name: number}, every joint once; or a list or tuple of them.
        joints: Names of the joints, in the order of q; "velocities" of a state likewise.
        name: What to call the values in a message.
        error: What to raise.

    Returns:
        Shape (n,), or (k, n) for k mappings; None when it is neither: the caller complains.
        Infinities and NaN pass.
    """
    if isinstance(value, Mapping):
        return _in_order(value, joints, name, error)
    if isinstance(value, list | tuple) and value and all(isinstance(v, Mapping) for v in value):
        rows = [_in_order(v, joints, f"{name}, row {i}", error) for i, v in enumerate(value)]
        return np.array(rows)
    return None


def some_by_name(
    value: Mapping[Any, Any],
    joints: Sequence[str],
    others: FloatArray,
    name: str,
    error: type[Exception],
) -> FloatArray:
    """Return numbers for all joints of which a mapping names some; the others keep theirs.

    Args:
        value: {joint name: number}.
        joints: Names of the joints.
        others: What joints have that are not named, shape (n,).
        name: What to call the values in a message.
        error: What to raise.
    """
    numbers = others.copy()
    for place, given in _places(value, joints, name, error).items():
        numbers[place] = given
    return numbers


def _in_order(
    value: Mapping[Any, Any], joints: Sequence[str], name: str, error: type[Exception]
) -> FloatArray:
    """Return the numbers of a mapping that names all joints, shape (n,)."""
    found = _places(value, joints, name, error)
    missing = [joint for place, joint in enumerate(joints) if place not in found]
    if missing:
        shown = ", ".join(missing[:_SHOWN]) + (", ..." if len(missing) > _SHOWN else "")
        raise error(f"{name}: expected {len(joints)} joints, got {len(found)}; missing: {shown}")
    return np.array([found[place] for place in range(len(joints))], dtype=np.float64)


def _places(
    value: Mapping[Any, Any], joints: Sequence[str], name: str, error: type[Exception]
) -> dict[int, float]:
    """Return the numbers of a mapping by the places of their joints."""
    places = {joint: place for place, joint in enumerate(joints)}
    found: dict[int, float] = {}
    for key, given in value.items():
        if not isinstance(key, str) or key not in places:
            text = f"{name}: there is no joint {short(key)}."
            raise error(text + (did_you_mean(key, joints) or " The robot has no joints"))
        number = numeric(given)
        if number is None or number.ndim:
            raise error(f"{name}, joint {short(key)}: expected a number, got {got(given)}")
        found[places[key]] = float(number)
    return found
