"""A plain control loop: drive a group along a trajectory and remember what it did.

One turn of the loop per feedback, with the time that ``LoopClock`` gives it. There is no thread.
Efforts come from plugins alone, gravity compensation being one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy.typing as npt

from armwright.devices.group import ActuatorGroup, is_real_time
from armwright.devices.kinds import check_group
from armwright.devices.plugins import GravityCompensationEffort, as_mixer
from armwright.devices.trajectory import Trajectory
from armwright.errors import CommandRejectedError
from armwright.kinematics.arrays import true_or_false, warn_of_degrees

from .checks import (
    check_kinds,
    check_late_after,
    check_limits,
    check_pace,
    check_progress,
    check_settle,
    check_sizes,
    check_start,
)
from .clock import LOST_AFTER, LoopClock
from .drive import Drive
from .recording import Recording
from .tracking import Tracking

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel


def follow(
    group: ActuatorGroup,
    model: RobotModel,
    trajectory: Trajectory,
    *,
    gravity_compensation: bool = True,
    settle: float = 0.5,
    plugins: Iterable[object] = (),
    progress: Callable[[float], None] | None = None,
    late_after: float | None = None,
    off_track: npt.ArrayLike | None = None,
    allow_beyond_limits: bool = False,
) -> Recording:
    """Drive a group along a trajectory, from where it stands now to the trajectory's end.

    At every feedback it sends the position and velocity of the next place on the path and, with
    gravity compensation, the efforts that hold the arm where it was measured. No command is more
    than one feedback period of the path further than the one before, whatever any clock says; a
    loop that is late goes on from where it was. The end is held for ``settle`` seconds more. After
    that the last command acts until its lifetime ends.

    It returns when the arm is at the end, and never elsewhere. What goes wrong stops the arm:

    - lost feedback, a clock that leaps, runs back or stands still, a silent module, or a plugin
      that fails: along the path, within 0.25 s; then it is told to hold;
    - a gap of 0.1 s or three feedback periods, or a joint that is off its path for 0.1 s: it is
      told to hold where it is measured;
    - an error of ``progress``, or Ctrl-C: along the path, within 0.55 s, then that is raised. A
      second Ctrl-C stops within 0.25 s, a third one drops out at once.

    The last command acts until its lifetime ends; then the arm goes limp.

    Args:
        group: The modules, one per joint, in the order of q.
        model: The arm.
        trajectory: Where to go; its first position is where the arm stands, within 0.1.
        gravity_compensation: Send holding efforts beside the positions.
        settle: How long to hold the end [s].
        plugins: What acts beside the path: functions of a ``Turn``, or objects with ``update``,
            that return efforts, shape (dof,) [N m or N]; see ``devices.plugins``. Their efforts
            are added to one another and to gravity compensation, and clipped to the model's.
        progress: Called with the fraction of the way, 0 to 1, at every feedback.
        late_after: Gap between two feedbacks that is a fault [s], three feedback periods to 5 s;
            None: 0.1 s or three periods, whichever is longer.
        off_track: How far a joint may be from its command, one number or shape (dof,) [rad or m];
            None: 0.1, or more where the model's efforts and speeds say so.
        allow_beyond_limits: Drive a trajectory that is beyond the model's limits of position,
            speed or effort. Efforts that are sent stay clipped.

    Returns:
        What was commanded and measured.

    Raises:
        CommandRejectedError: If group, model and trajectory differ in size, settle is negative,
            progress is no function, the command lifetime is shorter than the time between two
            feedbacks, late_after or off_track make no sense, or a plugin is none.
        ModelError: If the model is none.
        TrajectoryError: If the trajectory is none.
        SafetyLimitError: If the trajectory is beyond a limit of the model, or the arm does not
            stand where it starts; names the joint.
        ArmFaultError: If the arm had to be stopped on the way, or is not at the end after 1 s; the
            message says why, and what the arm does now, and ``fault`` has the same as values.
        PluginError: If a plugin fails; the arm is held by what it and the others gave last. It is
            an ArmFaultError too, but at the very first turn, before anything moves.
        FeedbackTimeoutError: If feedback is lost for that long; it is an ArmFaultError too.
    """
    check_kinds(model, trajectory)
    check_group(group, "follow, group")
    check_sizes(group, model.dof, trajectory)
    warn_of_degrees(
        "follow, trajectory", trajectory.waypoints[:, 0], model.joint_slides, model.joint_names
    )
    if not true_or_false(allow_beyond_limits, "follow, allow_beyond_limits", CommandRejectedError):
        check_limits(model, trajectory)
    held = check_settle(settle)
    check_progress(progress)
    compensated = true_or_false(
        gravity_compensation, "follow, gravity_compensation", CommandRejectedError
    )
    ours = (GravityCompensationEffort(),) if compensated else ()
    mixer = as_mixer(plugins, model.max_efforts, before=ours)
    frequency = check_pace(group)
    period = 1.0 / frequency if frequency > 0.0 else LOST_AFTER / 3.0
    lost_after = check_late_after(late_after, period)
    tracking = Tracking(model, trajectory, compensated=compensated, given=off_track)
    feedback = group.feedback()
    check_start(group, feedback, trajectory)
    drive = Drive(
        group,
        model,
        trajectory,
        mixer=mixer,
        clock=LoopClock(period, lost_after, real_time=is_real_time(group)),
        tracking=tracking,
        period=period,
        lost_after=lost_after,
        settle=held,
        progress=progress,
    )
    return drive.run(feedback)
