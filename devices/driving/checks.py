"""What must be true before an arm is driven; each refusal says what to do."""

from typing import TYPE_CHECKING

import numpy as np

from armwright.devices.group import LONGEST_LIFETIME, ActuatorGroup, setting
from armwright.devices.messages import GroupFeedback
from armwright.devices.trajectory import Trajectory, limit_violation
from armwright.errors import CommandRejectedError, ModelError, SafetyLimitError, TrajectoryError
from armwright.reprs import short

from .clock import LOST_AFTER

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

START_TOLERANCE = 0.1
"""How far from the start of a trajectory a joint may stand before it follows it [rad or m]."""


def check_kinds(model: object, trajectory: object) -> None:
    """Refuse a model or a trajectory that is none: mostly two arguments that changed places."""
    from armwright.kinematics import RobotModel

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


_A_DAY = 86400.0  # s


def check_sizes(group: ActuatorGroup, dof: int, trajectory: Trajectory) -> None:
    """Refuse group, model and trajectory that do not belong together."""
    if not group.size == dof == trajectory.size:
        raise CommandRejectedError(
            f"follow: expected one module, joint and column each, got a group of {group.size}, "
            f"a model of {dof} and a trajectory of {trajectory.size}"
        )


def check_settle(settle: float) -> float:
    """Return for how long the end is held [s]."""
    seconds = setting("follow, settle", settle, "seconds")
    if seconds > _A_DAY:
        raise CommandRejectedError(f"follow, settle: expected at most a day, got {seconds:g} s")
    return seconds


def check_progress(progress: object) -> None:
    """Refuse what cannot be called, before anything moves."""
    if progress is not None and not callable(progress):
        raise CommandRejectedError(
            "follow, progress: expected a function of the fraction of the way, got "
            f"{short(progress)}. progress=print shows it"
        )


def check_late_after(late_after: float | None, period: float) -> float:
    """Return after what gap an arm counts as lost [s]."""
    least = 3.0 * period
    if late_after is None:
        return max(LOST_AFTER, least)
    given = setting("follow, late_after", late_after, "seconds")
    if given < least * (1.0 - 1e-9):
        raise CommandRejectedError(
            f"follow, late_after: expected {least:g} s or more, three feedback periods, got "
            f"{given:g} s"
        )
    most = max(LONGEST_LIFETIME, least)
    if given > most * (1.0 + 1e-9):
        raise CommandRejectedError(
            f"follow, late_after: expected at most {most:g} s, the longest that a command lasts, "
            f"got {given:g}. Is it in milliseconds? Here it is seconds"
        )
    return given


def check_pace(group: ActuatorGroup) -> float:
    """Return how often feedback comes [Hz]; refuse commands that end before the next is sent."""
    frequency = setting(
        "follow, feedback_frequency of the group", group.feedback_frequency, "Hz, 0 for none"
    )
    lifetime = setting(
        "follow, command_lifetime of the group", group.command_lifetime, "seconds, 0 for ever"
    )
    if frequency * lifetime > 0.0 and frequency * lifetime < 1.0 - 1e-9:
        raise CommandRejectedError(
            f"follow: commands act for {lifetime:g} s and one is sent every {1 / frequency:g} s, "
            "at each feedback, so the arm would go limp between them. Raise feedback_frequency or "
            "command_lifetime"
        )
    return frequency


def check_limits(model: "RobotModel", trajectory: Trajectory) -> None:
    """Refuse a trajectory that is beyond what the model allows, and say by how much."""
    found = limit_violation(model, trajectory)
    if found is not None:
        raise SafetyLimitError(
            f"follow, trajectory, {found.words(model)}. Plan it with this model, or slow it down "
            "with rescale; allow_beyond_limits=True drives it as it is"
        )


def check_start(group: ActuatorGroup, feedback: GroupFeedback, trajectory: Trajectory) -> None:
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
