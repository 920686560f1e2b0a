"""What a group was told and what it did, row by row."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from armwright import hooks
from armwright.copies import stays_read_only
from armwright.devices.messages import GroupCommand, GroupFeedback
from armwright.kinematics.arrays import FloatArray, frozen
from armwright.reprs import one_line_repr


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """What a group was told and what it did, one row per feedback; arrays are read-only.

    Attributes:
        times: Time that went by on the feedback's clock, counted from the trajectory's start time,
            shape (k,) [s]; the path is behind it where turns were late, or the arm was stopped.
        commanded: Commanded positions that acted until then, shape (k, size) [rad or m].
        commanded_velocity: Shape (k, size) [rad/s or m/s].
        commanded_effort: Shape (k, size) [N m or N]; NaN where none were commanded.
        measured: Measured positions, shape (k, size).
        measured_velocity: Shape (k, size).
        measured_effort: Shape (k, size).
        joint_names: Names of the joints, size of them.
        units: Unit of the positions of each joint, "rad" or "m".
    """

    times: FloatArray
    commanded: FloatArray
    commanded_velocity: FloatArray
    commanded_effort: FloatArray
    measured: FloatArray
    measured_velocity: FloatArray
    measured_effort: FloatArray
    joint_names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """Copies and pickles are read-only as well, which arrays forget."""
        return _read_only, tuple(getattr(self, field.name) for field in fields(self))

    def largest_error(self) -> float:
        """Return the largest distance between commanded and measured positions [rad or m]."""
        return float(np.max(np.abs(self.commanded - self.measured), initial=0.0))

    def plot(self, axes: Any = None) -> Any:
        """Draw commanded and measured position of every joint over time.

        Args:
            axes: One pair of Matplotlib axes per joint; a figure of its own when None.

        Returns:
            The axes, shape (size,).

        Raises:
            BackendUnavailableError: If Matplotlib is not installed.
            DrawingError: If the axes are not one per joint.
        """
        return hooks.find("plot_recording")(self, axes)

    __repr__ = one_line_repr


def _read_only(*values: Any) -> Recording:
    """Make a recording of the fields of another one."""
    again: tuple[Any, ...] = tuple(
        frozen(one) if isinstance(one, np.ndarray) else one for one in values
    )
    return Recording(*again)


class Recorder:
    """Collects the rows of a recording while the loop runs.

    Args:
        joint_names: Names of the joints.
        units: Unit of the positions of each.
    """

    def __init__(self, joint_names: tuple[str, ...], units: tuple[str, ...]) -> None:
        self._joint_names = joint_names
        self._units = units
        self._rows: list[tuple[object, ...]] = []

    def add(self, t: float, command: GroupCommand, feedback: GroupFeedback) -> None:
        """Remember one feedback, and the command that acted until then."""
        effort = np.full(feedback.size, np.nan) if command.effort is None else command.effort
        told = (command.position, command.velocity, effort)
        self._rows.append((t, *told, feedback.position, feedback.velocity, feedback.effort))

    def recording(self) -> Recording:
        """Stack the rows into read-only arrays."""
        told, told_velocity, told_effort, was, was_velocity, was_effort = (
            self._stack(column) for column in range(1, 7)
        )
        return Recording(
            self._stack(0),
            told,
            told_velocity,
            told_effort,
            was,
            was_velocity,
            was_effort,
            self._joint_names,
            self._units,
        )

    def _stack(self, column: int) -> FloatArray:
        """Return one column of all rows, read-only."""
        return frozen(np.array([row[column] for row in self._rows], dtype=np.float64))
