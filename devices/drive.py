"""A plain control loop: drive a group along a trajectory and remember what it did.

One turn of the loop per feedback: read, compute, send. There is no thread and no clock of its
own; time is the feedback's.
"""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from armwright.errors import (
    CommandRejectedError,
    DeviceError,
    FeedbackTimeoutError,
    ModelError,
    SafetyLimitError,
    TrajectoryError,
)

from .group import ActuatorGroup
from .messages import FloatArray, GroupCommand, GroupFeedback
from .trajectory import Trajectory

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

LOST_AFTER = 0.1
"""Feedback that is later than this, and than three feedback periods, counts as lost [s]."""

START_TOLERANCE = 0.1
"""How far from the start of a trajectory a joint may stand before it follows it [rad or m]."""


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """What a group was told and what it did, one row per feedback; arrays are read-only.

    Attributes:
        times: Time on the trajectory's clock, shape (k,) [s].
        commanded: Commanded positions that acted until then, shape (k, size) [rad or m].
        commanded_velocity: Shape (k, size) [rad/s or m/s].
        commanded_effort: Shape (k, size) [N m or N]; NaN without gravity compensation.
        measured: Measured positions, shape (k, size).
        measured_velocity: Shape (k, size).
        measured_effort: Shape (k, size).
    """

    times: FloatArray
    commanded: FloatArray
    commanded_velocity: FloatArray
    commanded_effort: FloatArray
    measured: FloatArray
    measured_velocity: FloatArray
    measured_effort: FloatArray

    def largest_error(self) -> float:
        """Return the largest distance between commanded and measured positions [rad or m]."""
        return float(np.max(np.abs(self.commanded - self.measured), initial=0.0))


def follow(
    group: ActuatorGroup,
    model: "RobotModel",
    trajectory: Trajectory,
    *,
    gravity_compensation: bool = True,
    settle: float = 0.5,
    progress: Callable[[float], None] | None = None,
) -> Recording:
    """Drive a group along a trajectory, from where it stands now to the trajectory's end.

    At every feedback it sends the position and velocity of that moment and, with gravity
    compensation, the efforts that hold the arm where it was measured. The end is held for
    ``settle`` seconds more. After that the last command acts until its lifetime ends.

    When anything goes wrong, feedback that is lost included, the last thing sent is to stand
    still at the last commanded position; when the command lifetime ends the arm goes limp.

    Args:
        group: The modules, one per joint, in the order of q.
        model: The arm.
        trajectory: Where to go; its first position is where the arm stands, within 0.1.
        gravity_compensation: Send holding efforts beside the positions.
        settle: How long to hold the end [s].
        progress: Called with the fraction of the way, 0 to 1, at every feedback.

    Returns:
        What was commanded and measured.

    Raises:
        CommandRejectedError: If group, model and trajectory differ in size, settle is negative,
            or the command lifetime is shorter than the time between two feedbacks.
        ModelError: If the model is none.
        TrajectoryError: If the trajectory is none.
        SafetyLimitError: If the arm does not stand where the trajectory starts.
        FeedbackTimeoutError: If feedback is lost for 0.1 s, or three feedback periods.
    """
    _check_kinds(model, trajectory)
    if not group.size == model.dof == trajectory.size:
        raise CommandRejectedError(
            f"follow: expected one module, joint and column each, got a group of {group.size}, "
            f"a model of {model.dof} and a trajectory of {trajectory.size}"
        )
    if not 0.0 <= settle < math.inf:
        raise CommandRejectedError(f"follow, settle: expected seconds, not negative, got {settle}")
    frequency, lifetime = group.feedback_frequency, group.command_lifetime
    if frequency * lifetime > 0.0 and frequency * lifetime < 1.0 - 1e-9:
        raise CommandRejectedError(
            f"follow: commands act for {lifetime:g} s and one is sent every {1 / frequency:g} s, "
            "at each feedback, so the arm would go limp between them. Raise feedback_frequency or "
            "command_lifetime"
        )
    feedback = group.feedback()
    _check_start(group, feedback, trajectory)
    patience = max(LOST_AFTER, 3.0 / frequency if frequency > 0.0 else 0.0)
    began = feedback.time
    total = trajectory.duration + settle
    last = _command(model, trajectory, 0.0, feedback, gravity_compensation)
    rows = []
    try:
        elapsed = 0.0
        while elapsed < total:
            group.send(last)
            feedback = group.feedback(timeout=patience)
            elapsed = feedback.time - began
            rows.append(_row(trajectory.start_time + elapsed, last, feedback))
            last = _command(model, trajectory, elapsed, feedback, gravity_compensation)
            if progress is not None:
                progress(min(1.0, elapsed / total))
    except FeedbackTimeoutError as error:
        _stand_still(group, last)
        raise FeedbackTimeoutError(
            f"follow: feedback was lost {elapsed:.3g} s after the start; the arm was told to stand "
            f"still and goes limp when the command lifetime ends. {error}"
        ) from error
    except BaseException:
        _stand_still(group, last)
        raise
    return _recording(rows)


def _check_start(group: ActuatorGroup, feedback: GroupFeedback, trajectory: Trajectory) -> None:
    """Refuse to begin with a jump."""
    start = trajectory.waypoints[0, 0]
    away = np.abs(feedback.position - start)
    far = np.flatnonzero(~(away <= START_TOLERANCE))  # NaN is far
    if len(far):
        i = int(far[0])
        raise SafetyLimitError(
            f"follow, joint {group.names[i]!r}: stands at {feedback.position[i]:.4g} and the "
            f"trajectory starts at {start[i]:.4g}, expected within {START_TOLERANCE}; plan from "
            "the measured position"
        )


def _check_kinds(model: object, trajectory: object) -> None:
    """Refuse a model or a trajectory that is none: mostly two arguments that changed places."""
    from armwright.kinematics import RobotModel  # loaded where a model was made

    if not isinstance(model, RobotModel):
        raise ModelError(
            f"follow, model: expected a RobotModel, got {type(model).__name__}; the order is "
            "group, model, trajectory"
        )
    if not isinstance(trajectory, Trajectory):
        raise TrajectoryError(
            f"follow, trajectory: expected a Trajectory, as plan and minimum_jerk make it, got "
            f"{type(trajectory).__name__}"
        )


def _command(
    model: "RobotModel",
    trajectory: Trajectory,
    elapsed: float,
    feedback: GroupFeedback,
    gravity_compensation: bool,
) -> GroupCommand:
    """Return what to send at a moment of the trajectory."""
    position, velocity, _ = trajectory.state(trajectory.start_time + elapsed)
    if not gravity_compensation:
        return GroupCommand(position=position, velocity=velocity)
    reported = np.isfinite(feedback.position)
    effort = model.gravity_efforts(np.where(reported, feedback.position, position))
    return GroupCommand(position=position, velocity=velocity, effort=effort)


def _stand_still(group: ActuatorGroup, last: GroupCommand) -> None:
    """Tell the group to stay at the last commanded position, if it still takes commands."""
    still = np.zeros(group.size)
    with suppress(DeviceError):  # what went wrong first is what is raised
        group.send(GroupCommand(position=last.position, velocity=still, effort=last.effort))


def _row(t: float, command: GroupCommand, feedback: GroupFeedback) -> tuple[object, ...]:
    """Return one row of every array of a recording."""
    effort = np.full(feedback.size, np.nan) if command.effort is None else command.effort
    told = (command.position, command.velocity, effort)
    return (t, *told, feedback.position, feedback.velocity, feedback.effort)


def _recording(rows: list[tuple[object, ...]]) -> Recording:
    """Stack rows into read-only arrays."""
    columns = [np.array(column, dtype=np.float64) for column in zip(*rows, strict=True)]
    for column in columns:
        column.setflags(write=False)
    return Recording(*columns)
