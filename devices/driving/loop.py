"""A plain control loop: drive a group along a trajectory and remember what it did.

One turn of the loop per feedback: read, compute, send. There is no thread and no clock of its
own; time is the feedback's. Efforts come from plugins alone, gravity compensation being one.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from armwright.devices.group import ActuatorGroup
from armwright.devices.messages import GroupCommand, GroupFeedback
from armwright.devices.plugins import ArmState, GravityCompensationEffort, Mixer, Turn, as_mixer
from armwright.devices.trajectory import Trajectory
from armwright.errors import DeviceError, FeedbackTimeoutError
from armwright.kinematics.arrays import FloatArray, frozen

from .checks import check_kinds, check_lifetime, check_settle, check_sizes, check_start
from .recording import Recorder, Recording

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

LOST_AFTER = 0.1
"""Feedback that is later than this, and than three feedback periods, counts as lost [s]."""


def follow(
    group: ActuatorGroup,
    model: "RobotModel",
    trajectory: Trajectory,
    *,
    gravity_compensation: bool = True,
    settle: float = 0.5,
    plugins: Iterable[object] = (),
    progress: Callable[[float], None] | None = None,
) -> Recording:
    """Drive a group along a trajectory, from where it stands now to the trajectory's end.

    At every feedback it sends the position and velocity of that moment and, with gravity
    compensation, the efforts that hold the arm where it was measured. The end is held for
    ``settle`` seconds more. After that the last command acts until its lifetime ends.

    When anything goes wrong, lost feedback and a plugin that fails included, the last thing sent
    is to stand still at the last commanded position; when the command lifetime ends the arm goes
    limp.

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

    Returns:
        What was commanded and measured.

    Raises:
        CommandRejectedError: If group, model and trajectory differ in size, settle is negative,
            the command lifetime is shorter than the time between two feedbacks, or a plugin is
            none.
        ModelError: If the model is none.
        TrajectoryError: If the trajectory is none.
        SafetyLimitError: If the arm does not stand where the trajectory starts.
        PluginError: If a plugin fails; the arm is held by what it and the others gave last.
        FeedbackTimeoutError: If feedback is lost for 0.1 s, or three feedback periods.
    """
    check_kinds(model, trajectory)
    check_sizes(group, model.dof, trajectory)
    check_settle(settle)
    ours = (GravityCompensationEffort(),) if gravity_compensation else ()
    mixer = as_mixer(plugins, model.max_efforts, before=ours)
    frequency = group.feedback_frequency
    check_lifetime(frequency, group.command_lifetime)
    feedback = group.feedback()
    check_start(group, feedback, trajectory)
    period = 1.0 / frequency if frequency > 0.0 else LOST_AFTER / 3.0
    patience = max(LOST_AFTER, 3.0 * period)
    turns = _Turns(model, trajectory, mixer, feedback, period)
    recorder = Recorder(
        model.joint_names, tuple("m" if one else "rad" for one in model.joint_slides)
    )
    total = trajectory.duration + settle
    command = turns.command(feedback)
    try:
        while turns.elapsed < total:
            group.send(command)
            feedback = group.feedback(timeout=patience)
            t = trajectory.start_time + turns.elapsed_at(feedback)
            recorder.add(t, command, feedback)
            command = turns.command(feedback)
            if progress is not None:
                progress(min(1.0, turns.elapsed / total))
    except FeedbackTimeoutError as error:
        _hold(group, turns, command)
        raise FeedbackTimeoutError(
            f"follow: feedback was lost {turns.elapsed:.3g} s after the start; the arm was told to "
            f"stand still and goes limp when the command lifetime ends. {error}"
        ) from error
    except BaseException:
        _hold(group, turns, command)
        raise
    return recorder.recording()


class _Turns:
    """What to send at each feedback: the trajectory of that moment, and what plugins give."""

    def __init__(
        self,
        model: "RobotModel",
        trajectory: Trajectory,
        mixer: Mixer,
        first: GroupFeedback,
        period: float,
    ) -> None:
        self._model = model
        self._trajectory = trajectory
        self._mixer = mixer
        self._began = self._last = first.time
        self._period = period
        self.elapsed = 0.0  # of the trajectory, at the last feedback [s]

    @property
    def efforts(self) -> FloatArray | None:
        """What all plugins gave last; None where there are none."""
        return self._mixer.efforts if len(self._mixer) else None

    def elapsed_at(self, feedback: GroupFeedback) -> float:
        """Return the time of a feedback since the first [s]."""
        return feedback.time - self._began

    def command(self, feedback: GroupFeedback) -> GroupCommand:
        """Return what to send after a feedback.

        Raises:
            PluginError: If a plugin fails.
        """
        trajectory = self._trajectory
        self.elapsed = self.elapsed_at(feedback)
        states = trajectory.state(trajectory.start_time + self.elapsed)
        position, velocity, acceleration = map(frozen, states)
        if len(self._mixer):
            turn = Turn(
                t=self.elapsed,
                dt=min(max(0.0, feedback.time - self._last), self._period),
                goal_position=position,
                goal_velocity=velocity,
                goal_acceleration=acceleration,
                state=ArmState.MOVING if self.elapsed < trajectory.duration else ArmState.HOLDING,
                model=self._model,
                feedback=feedback,
            )
            self._mixer.update(turn)
        self._last = feedback.time
        return GroupCommand(position=position, velocity=velocity, effort=self.efforts)


def _hold(group: ActuatorGroup, turns: _Turns, last: GroupCommand) -> None:
    """Tell the group to stay at the last commanded position, if it still takes commands."""
    still = np.zeros(group.size)
    with suppress(DeviceError):  # what went wrong first is what is raised
        group.send(GroupCommand(position=last.position, velocity=still, effort=turns.efforts))
