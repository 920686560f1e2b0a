"""Checks of what people hand to the doctor; every refusal names the argument."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from armwright.devices.kinds import listed
from armwright.errors import CommandRejectedError, did_you_mean
from armwright.kinematics.arrays import FloatArray, check_each, row, whole_number
from armwright.reprs import short

from .still import StillReading

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

ABSURD = 1e50
"""An effort that no module measures [N m or N]; squares beyond it overflow."""


def check_sizes(
    model: "RobotModel", readings: Sequence[StillReading], names: tuple[str, ...]
) -> None:
    """Refuse what does not fit the model."""
    if not len(readings):
        raise CommandRejectedError("diagnose: expected at least one reading, got none")
    for number, reading in enumerate(readings):
        if len(reading.position) != model.dof:
            raise CommandRejectedError(
                f"diagnose, reading {number}: expected {model.dof} joints, "
                f"got {len(reading.position)}"
            )
    if len(names) != model.dof:
        raise CommandRejectedError(f"diagnose, names: expected {model.dof}, got {len(names)}")


def one_per_joint(values: npt.ArrayLike, dof: int, what: str) -> FloatArray:
    """Return one number per joint."""
    where, error = f"diagnose, {what}", CommandRejectedError
    numbers = row(values, dof, where, error, one_for_all=True)
    good = np.abs(numbers) < ABSURD
    check_each(numbers, good, where, f"a number below {ABSURD:g}", error, axes=("joint",))
    return numbers


def as_readings(given: Any) -> list[StillReading]:
    """Return readings as a list; a single one is one."""
    if isinstance(given, StillReading):
        return [given]
    flat = isinstance(given, np.ndarray) and not given.ndim
    readings = list(given) if isinstance(given, Iterable) and not flat else [given]
    for reading in readings:
        if not isinstance(reading, StillReading):
            raise CommandRejectedError(f"diagnose: expected StillReadings, got {short(reading)}")
    return readings


def joint_numbers(ignore: Any, names: tuple[str, ...]) -> list[int]:
    """Return the numbers of joints; a single name is one."""
    return [_number(joint, names) for joint in _listed(ignore)]


def _listed(ignore: Any) -> Any:
    """Return joints as a list."""
    if isinstance(ignore, set | frozenset):
        return sorted(ignore, key=str)
    return listed(ignore, "diagnose, ignore", "names or numbers of joints")


def _number(joint: object, names: tuple[str, ...]) -> int:
    """Return the number of a joint."""
    error = CommandRejectedError
    if isinstance(joint, str):
        if joint in names:
            return names.index(joint)
    else:
        expected = "the name or number of a joint"
        number = whole_number(joint, "diagnose, ignore", None, error, expected=expected)
        if 0 <= number < len(names):
            return number
    hint = did_you_mean(joint, names)
    raise error(f"diagnose, ignore: there is no joint {short(joint)}.{hint}")
