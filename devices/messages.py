"""What travels between a program and a group of actuators: frozen values in SI units.

Every array holds one number per module, in the order of the group's names. NaN says "not
commanded" in a command and "not reported" in feedback. Arrays are copied in and read-only, so a
message can be kept, logged and compared later without fear of change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import InitVar, dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

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
    whole_number,
)
from armwright.kinematics.hebi_names import answers_hebi_names
from armwright.reprs import (
    cut_to_line,
    one_line_repr,
    short,
)

Imu = tuple[FloatArray, FloatArray, FloatArray]
"""Accelerometer (size, 3), gyro (size, 3) and orientation (size, 4) of the modules."""

_IMU = {"accelerometer": 3, "gyro": 3, "orientation": 4}
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
        size = whole_number(size, "for_size", error=CommandRejectedError)
        if self.size not in (None, size):
            raise CommandRejectedError(
                f"command for a group of {short(size)} modules: expected {short(size)}, got "
                f"{self.size} numbers per field; NaN leaves a module out"
            )
        rows = np.full((3, size), np.nan)
        for one, value in zip(rows, (self.position, self.velocity, self.effort), strict=True):
            if value is not None:
                one[:] = value
        return rows

    def __repr__(self) -> str:
        values = ((name, getattr(self, name)) for name in _FIELDS)
        given = [f"{name}={_short(value)}" for name, value in values if value is not None]
        return cut_to_line(f"GroupCommand({', '.join(given)})")

    def __reduce__(self) -> tuple[type, tuple[FloatArray | None, ...]]:
        return GroupCommand, (self.position, self.velocity, self.effort)


@answers_hebi_names
@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class GroupFeedback:
    """What the modules of a group reported at one moment; NaN where a module does not report.

    ``repr`` shows the joints alone.

    Attributes:
        time: Seconds on the group's own clock; 0 is when the group was made.
        position: Shape (size,) [rad or m].
        velocity: Shape (size,) [rad/s or m/s].
        effort: Shape (size,) [N m or N]; positive in the joint's positive direction.
        position_command: What the module follows now, shape (size,); NaN when not commanded.
        velocity_command: As position_command.
        effort_command: As position_command.
        accelerometer: What the accelerometer of each module reads, in the module's axes, shape
            (size, 3) [m/s^2]: at rest the opposite of gravity, 9.81 upwards.
        gyro: How each module turns, in its own axes, shape (size, 3) [rad/s].
        orientation: How each module stands, R_world_module as a quaternion (w, x, y, z), shape
            (size, 4).
    """

    time: float
    position: FloatArray
    velocity: FloatArray
    effort: FloatArray
    position_command: FloatArray
    velocity_command: FloatArray
    effort_command: FloatArray
    if not TYPE_CHECKING:  # properties, which ``dataclasses.replace`` hands on as arguments
        accelerometer: InitVar[npt.ArrayLike | None]
        gyro: InitVar[npt.ArrayLike | None]
        orientation: InitVar[npt.ArrayLike | None]
    _imu: Imu | Callable[[], Imu] = field(init=False)

    def __init__(
        self,
        time: float,
        position: npt.ArrayLike,
        velocity: npt.ArrayLike | None = None,
        effort: npt.ArrayLike | None = None,
        position_command: npt.ArrayLike | None = None,
        velocity_command: npt.ArrayLike | None = None,
        effort_command: npt.ArrayLike | None = None,
        *,
        accelerometer: npt.ArrayLike | None = None,
        gyro: npt.ArrayLike | None = None,
        orientation: npt.ArrayLike | None = None,
    ) -> None:
        places = row(position, None, "GroupFeedback, position", CommandRejectedError)
        block = np.full((6, len(places)), np.nan)
        block[0] = places
        given = (velocity, effort, position_command, velocity_command, effort_command)
        for name, one, value in zip(_REPORTED[1:], block[1:], given, strict=True):
            if value is not None:
                one[:] = row(value, len(places), f"GroupFeedback, {name}", CommandRejectedError)
        frozen(block)
        object.__setattr__(
            self, "time", number(time, "GroupFeedback, time", error=CommandRejectedError)
        )
        for name, one in zip(_REPORTED, block, strict=True):
            object.__setattr__(self, name, one)
        sensed = (accelerometer, gyro, orientation)
        object.__setattr__(self, "_imu", imu_arrays(sensed, len(places)))

    @property
    def size(self) -> int:
        """Number of modules."""
        return len(self.position)

    @property
    def accelerometer(self) -> FloatArray:
        """What the accelerometer of each module reads, in the module's axes, (size, 3) [m/s^2]."""
        return self._sensed()[0]

    @property
    def gyro(self) -> FloatArray:
        """How each module turns, in its own axes, shape (size, 3) [rad/s]."""
        return self._sensed()[1]

    @property
    def orientation(self) -> FloatArray:
        """How each module stands: R_world_module as quaternions (w, x, y, z), shape (size, 4)."""
        return self._sensed()[2]

    def _sensing(self, imu: Imu | Callable[[], Imu]) -> GroupFeedback:
        """Take what the IMUs report, or what finds it when it is asked for; for a new message."""
        object.__setattr__(self, "_imu", imu)
        return self

    def _sensed(self) -> Imu:
        """Return what the IMUs report; worked out when it is first asked for."""
        if callable(self._imu):
            object.__setattr__(self, "_imu", imu_arrays(self._imu(), self.size))
        assert isinstance(self._imu, tuple)
        return self._imu

    def __repr__(self) -> str:
        values = ((name, getattr(self, name)) for name in _REPORTED)
        shown = [
            f"{name}={_short(value)}"
            for name, value in values
            if name == "position" or not np.isnan(value).all()
        ]
        return cut_to_line(f"GroupFeedback(time={self.time:.6g}, {', '.join(shown)})")

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        numbers = (self.time, *(getattr(self, name) for name in _REPORTED))
        return _feedback_again, (numbers, self._sensed())


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
        limits = as_array(self.position_limits, shape, where, CommandRejectedError, most=None)
        object.__setattr__(self, "position_limits", frozen(limits))

    @property
    def size(self) -> int:
        """Number of modules."""
        return len(self.names)

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return GroupInfo, (self.names, self.families, self.types, self.position_limits)

    __repr__ = one_line_repr


def _feedback_again(numbers: tuple[Any, ...], imu: Imu) -> GroupFeedback:
    """Make feedback again from what was pickled."""
    return GroupFeedback(*numbers)._sensing(tuple(map(frozen, imu)))  # type: ignore[arg-type]


@lru_cache(maxsize=8)
def _no_imu(size: int) -> Imu:
    """Return what modules without IMU report."""
    nothing = (np.full((size, wide), np.nan) for wide in _IMU.values())
    accelerometer, gyro, orientation = map(frozen, nothing)
    return accelerometer, gyro, orientation


def imu_arrays(given: Sequence[npt.ArrayLike | None], size: int) -> Imu:
    """Copy what IMUs report into read-only arrays; a module that does not report is NaN, whole.

    Raises:
        CommandRejectedError: If a shape is wrong; it is also a ValueError.
    """
    if all(value is None for value in given):
        return _no_imu(size)
    found = []
    for (name, wide), value, nothing in zip(_IMU.items(), given, _no_imu(size), strict=True):
        if value is None:
            found.append(nothing)
            continue
        numbers = as_array(
            value, (size, wide), f"GroupFeedback, {name}", CommandRejectedError, most=None
        )
        numbers[np.isnan(numbers).any(axis=1)] = np.nan
        found.append(frozen(numbers))
    return found[0], found[1], found[2]


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
