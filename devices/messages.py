"""What travels between a program and a group of actuators: frozen values in SI units.

Every array holds one number per module, in the order of the group's names. NaN says "not
commanded" in a command and "not reported" in feedback. Arrays are copied in and read-only, so a
message can be kept, logged and compared later without fear of change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from armwright.errors import CommandRejectedError
from armwright.kinematics.arrays import (
    FloatArray,
    as_array,
    check_each,
    frozen,
    number,
    numeric,
    row,
)
from armwright.kinematics.hebi_names import answers_hebi_names

_FIELDS = ("position", "velocity", "effort")
_REPORTED = (*_FIELDS, "position_command", "velocity_command", "effort_command")


@answers_hebi_names
@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class GroupCommand:
    """What a group is asked to do until its command lifetime ends or the next command comes.

    A command replaces the one before, whole: a field that is not given, and a module whose
    number is NaN, is not commanded, and that controller is off.

    Args:
        position: Positions to go to, shape (size,) [rad or m]; here and below one number is
            for all modules.
        velocity: Velocities to keep, or feed-forward beside positions, shape (size,)
            [rad/s or m/s].
        effort: Efforts to exert, or feed-forward beside the others, shape (size,) [N m or N].

    Attributes:
        position: As given, read-only; of shape () where one number was given for all modules and
            no field says how many there are. None where not given.
        velocity: As position.
        effort: As position.

    Raises:
        CommandRejectedError: If a field is no row of numbers, holds an infinity, has masked
            numbers, or the fields differ in length. It is also a ValueError.

    Example:
        >>> GroupCommand(position=[0.1, float("nan")], effort=[0, 2])
        GroupCommand(position=[0.1, nan], effort=[0.0, 2.0])
    """

    position: FloatArray | None
    velocity: FloatArray | None
    effort: FloatArray | None

    def __init__(
        self,
        position: npt.ArrayLike | None = None,
        velocity: npt.ArrayLike | None = None,
        effort: npt.ArrayLike | None = None,
    ) -> None:
        fields = [
            None if value is None else _row(name, value)
            for name, value in zip(_FIELDS, (position, velocity, effort), strict=True)
        ]
        size: int | None = None
        for name, values in zip(_FIELDS, fields, strict=True):
            if values is None or not values.ndim:
                continue
            if size is not None and len(values) != size:
                raise CommandRejectedError(
                    f"GroupCommand, {name}: expected {size}, got {len(values)} numbers; all "
                    "fields of a command have one number per module"
                )
            size = len(values)
        for name, values in zip(_FIELDS, fields, strict=True):
            if values is not None and not values.ndim and size is not None:
                values = frozen(np.full(size, values))
            object.__setattr__(self, name, values)

    @property
    def size(self) -> int | None:
        """Number of modules it is made for; None when it fits any group."""
        for value in (self.position, self.velocity, self.effort):
            if value is not None and value.ndim:
                return len(value)
        return None

    def for_size(self, size: int) -> FloatArray:
        """Return position, velocity and effort as rows of one fresh array, NaN where not given.

        Args:
            size: Number of modules of the group that takes the command.

        Returns:
            Shape (3, size).

        Raises:
            CommandRejectedError: If the command is made for another number of modules.
        """
        if self.size not in (None, size):
            raise CommandRejectedError(
                f"command for a group of {size} modules: expected {size}, got {self.size} numbers "
                "per field; NaN leaves a module out"
            )
        rows = np.full((3, size), np.nan)
        for one, value in zip(rows, (self.position, self.velocity, self.effort), strict=True):
            if value is not None:
                one[:] = value
        return rows

    def __repr__(self) -> str:
        values = ((name, getattr(self, name)) for name in _FIELDS)
        given = [f"{name}={_short(value)}" for name, value in values if value is not None]
        return f"GroupCommand({', '.join(given)})"

    def __reduce__(self) -> tuple[type, tuple[FloatArray | None, ...]]:
        return GroupCommand, (self.position, self.velocity, self.effort)


@answers_hebi_names
@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class GroupFeedback:
    """What the modules of a group reported at one moment; NaN where a module does not report.

    Attributes:
        time: Seconds on the group's own clock; 0 is when the group was made.
        position: Shape (size,) [rad or m].
        velocity: Shape (size,) [rad/s or m/s].
        effort: Shape (size,) [N m or N]; positive in the joint's positive direction.
        position_command: What the module follows now, shape (size,); NaN when not commanded.
        velocity_command: As position_command.
        effort_command: As position_command.
    """

    time: float
    position: FloatArray
    velocity: FloatArray
    effort: FloatArray
    position_command: FloatArray
    velocity_command: FloatArray
    effort_command: FloatArray

    def __init__(
        self,
        time: float,
        position: npt.ArrayLike,
        velocity: npt.ArrayLike | None = None,
        effort: npt.ArrayLike | None = None,
        position_command: npt.ArrayLike | None = None,
        velocity_command: npt.ArrayLike | None = None,
        effort_command: npt.ArrayLike | None = None,
    ) -> None:
        places = row(position, None, "GroupFeedback, position", ValueError)
        block = np.full((6, len(places)), np.nan)
        block[0] = places
        given = (velocity, effort, position_command, velocity_command, effort_command)
        for name, one, value in zip(_REPORTED[1:], block[1:], given, strict=True):
            if value is not None:
                one[:] = row(value, len(places), f"GroupFeedback, {name}", ValueError)
        frozen(block)
        object.__setattr__(self, "time", number(time, "GroupFeedback, time", error=ValueError))
        for name, one in zip(_REPORTED, block, strict=True):
            object.__setattr__(self, name, one)

    @property
    def size(self) -> int:
        """Number of modules."""
        return len(self.position)

    def __repr__(self) -> str:
        values = ((name, getattr(self, name)) for name in _REPORTED)
        shown = [
            f"{name}={_short(value)}"
            for name, value in values
            if name == "position" or not np.isnan(value).all()
        ]
        return f"GroupFeedback(time={self.time:.6g}, {', '.join(shown)})"

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return GroupFeedback, (
            self.time,
            *(getattr(self, name) for name in _REPORTED),
        )


@answers_hebi_names
@dataclass(frozen=True, slots=True, eq=False)
class GroupInfo:
    """What the modules of a group are; "" and NaN where a module does not say.

    Attributes:
        names: Name of each module, in the group's order.
        families: Family of each module.
        types: Mechanical type of each module, such as "X5-4".
        position_limits: Lower and upper limits kept by the modules, shape (2, size) [rad or m].
    """

    names: tuple[str, ...]
    families: tuple[str, ...]
    types: tuple[str, ...]
    position_limits: FloatArray

    def __post_init__(self) -> None:
        shape = (2, len(self.names))
        where = "GroupInfo, position_limits"
        limits = as_array(self.position_limits, shape, where, ValueError, most=None)
        object.__setattr__(self, "position_limits", frozen(limits))

    @property
    def size(self) -> int:
        """Number of modules."""
        return len(self.names)

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return GroupInfo, (self.names, self.families, self.types, self.position_limits)


def _row(name: str, value: npt.ArrayLike) -> FloatArray:
    """Copy one field of a command into a read-only row of float64, one number into shape ()."""
    where = f"GroupCommand, {name}"
    numbers = numeric(value)
    if numbers is None or numbers.ndim > 1:
        numbers = row(value, None, where, CommandRejectedError)  # raises, and says why
    wanted = "a finite number, or NaN for not commanded"
    several = np.atleast_1d(numbers)
    check_each(several, ~np.isinf(several), where, wanted, CommandRejectedError, axes=("module",))
    return frozen(numbers)


def _short(values: Sequence[float] | FloatArray) -> str:
    """Write numbers so that a line stays readable."""
    if np.ndim(values) == 0:
        return repr(round(float(np.asarray(values)), 6) + 0.0)
    return "[" + ", ".join(repr(round(float(value), 6) + 0.0) for value in values) + "]"
