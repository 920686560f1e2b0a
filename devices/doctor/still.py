"""What a group reports while the arm stands still: positions and efforts, averaged.

Reading never moves an arm. ``visit`` does, and only it: it drives the group through poses, slowly
and by positions alone, without efforts from a model that may be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from armwright.copies import stays_read_only
from armwright.devices.driving import follow
from armwright.devices.group import ActuatorGroup
from armwright.devices.kinds import check_command, check_group, check_model
from armwright.devices.messages import GroupCommand
from armwright.devices.trajectory import plan
from armwright.errors import CommandRejectedError, DeviceError, DeviceStateError
from armwright.kinematics.arrays import (
    BoolArray,
    FloatArray,
    as_array,
    check_each,
    frozen,
    row,
    whole_number,
)
from armwright.reprs import (
    one_line_repr,
    short,
)

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

SAMPLES = 20
"""Feedbacks that one reading is the mean of."""

STILL = 0.01
"""How far a joint may move during a reading [rad or m]."""

GENTLE = 0.2
"""Part of the largest speeds at which ``visit`` moves."""


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False, init=False)
class StillReading:
    """What an arm that stands still reported; arrays are read-only.

    Args:
        position: Joint positions, shape (dof,) [rad or m].
        effort: Efforts, shape (dof,) [N m or N]; nan where a module does not report.
        spread: Standard deviation of each effort over the samples; 0 when not given.

    Raises:
        CommandRejectedError: If the lengths differ, a position is not finite, a spread is
            negative, or an array has masked entries.
    """

    position: FloatArray
    effort: FloatArray
    spread: FloatArray

    def __init__(
        self,
        position: npt.ArrayLike,
        effort: npt.ArrayLike,
        spread: npt.ArrayLike | None = None,
    ) -> None:
        size: int | None = None
        given = (position, effort, spread)
        for name, values in zip(("position", "effort", "spread"), given, strict=True):
            if values is None and name == "spread":
                values = np.zeros(size or 0)
            numbers = row(values, size, f"StillReading, {name}", CommandRejectedError)
            size = len(numbers)
            object.__setattr__(self, name, frozen(numbers))
        _check("position", self.position, np.isfinite(self.position), "a finite number")
        wide = (self.spread < 0.0) | np.isinf(self.spread)
        _check("spread", self.spread, ~wide, "0 or more")

    __repr__ = one_line_repr


_MOST_SAMPLES = 100_000
_FAR = 1e4  # rad or m: no arm goes there


def read_still(
    group: ActuatorGroup, *, samples: int = SAMPLES, hold: GroupCommand | None = None
) -> StillReading:
    """Average what a group reports while the arm stands still; moves nothing.

    Args:
        group: The modules.
        samples: How many feedbacks to average, 1 or more.
        hold: Command to repeat meanwhile, such as one that holds the arm; none when not given.

    Returns:
        The reading.

    Raises:
        DeviceStateError: If a joint moves by more than 0.01 rad or m meanwhile.
        DeviceError: If a module does not report its position.
        FeedbackTimeoutError: If feedback fails.
        CommandRejectedError: If samples is not a whole number above 0.
    """
    check_group(group, "read_still")
    if hold is not None:
        check_command(hold, "read_still, hold")
    count = whole_number(samples, "samples", 1, CommandRejectedError)
    if count > _MOST_SAMPLES:
        raise CommandRejectedError(f"samples: expected at most {_MOST_SAMPLES}, got {short(count)}")
    rows = []
    for _ in range(count):
        if hold is not None:
            group.send(hold)
        feedback = group.feedback()
        rows.append((feedback.position, feedback.effort))
    positions, efforts = np.array(rows).transpose(1, 0, 2)  # (samples, size) each
    _refuse_silent(group, positions, "reading")
    moved = np.ptp(positions, axis=0)
    if (moved > STILL).any():
        i = int(np.argmax(moved))
        raise DeviceStateError(
            f"reading the arm: {group.names[i]} moved by {moved[i]:.3g}, expected an arm that "
            f"stands still, within {STILL:g}; wait until it does, or hold it"
        )
    return StillReading(positions.mean(axis=0), efforts.mean(axis=0), efforts.std(axis=0))


def visit(
    group: ActuatorGroup,
    model: RobotModel,
    poses: npt.ArrayLike,
    *,
    samples: int = SAMPLES,
    max_speeds: npt.ArrayLike | None = None,
) -> Iterator[StillReading]:
    """MOVE the arm to poses, one after the other, and read it at each.

    It is held by positions alone while it is read. Keep clear: an arm whose zeros are wrong does
    not stand where its model says.

    Args:
        group: The modules, one per joint, in the order of q.
        model: The arm, for the limits of the moves.
        poses: Positions that the modules are to report, shape (n, dof) [rad or m].
        samples: As for ``read_still``.
        max_speeds: One number or shape (dof,) [rad/s or m/s]; a fifth of the model's when None.

    Yields:
        One reading per pose.

    Raises:
        CommandRejectedError: If the poses are not such a table of finite numbers; nothing is
            moved then.
        TrajectoryError: If there is no way within the limits.
        DeviceError: As ``follow`` and ``read_still`` raise them; if a module does not report
            its position, before anything is moved.
    """
    check_group(group, "visit, group")
    check_model(model, "visit, model")
    places = _table(poses, group.size)
    if max_speeds is None:
        finite = np.where(np.isfinite(model.max_speeds), model.max_speeds, 1.0)
        max_speeds = GENTLE * finite
    for pose in places:
        here = group.feedback().position
        _refuse_silent(group, here[None], "moving")  # from nowhere, it would be a jump
        if np.abs(here - pose).max(initial=0.0) > 1e-9:
            move = plan(model, [here, pose], max_speeds=max_speeds)
            follow(group, model, move, gravity_compensation=False)
        yield read_still(group, samples=samples, hold=GroupCommand(position=pose))


def _refuse_silent(group: ActuatorGroup, positions: FloatArray, doing: str) -> None:
    """Raise when a module is missing in positions, shape (n, size)."""
    silent = [group.names[i] for i in np.flatnonzero(np.isnan(positions).any(axis=0))]
    if silent:
        raise DeviceError(
            f"{doing} the arm: {', '.join(silent)} did not report a position, expected one from "
            "every module; check power and cables"
        )


def _table(poses: npt.ArrayLike, size: int) -> FloatArray:
    """Return poses, shape (n, size), all of them finite."""
    table = np.atleast_2d(
        as_array(poses, (..., size), "visit, poses", CommandRejectedError, most=_FAR)
    )
    if table.ndim != 2 or not len(table):
        raise CommandRejectedError(
            f"visit, poses: expected rows of {size} joint positions, got shape {table.shape}"
        )
    return table


def _check(name: str, values: FloatArray, good: BoolArray, wanted: str) -> None:
    """Refuse a reading with a number that is not good."""
    what = f"StillReading, {name}"
    check_each(values, good, what, wanted, CommandRejectedError, axes=("joint",))
