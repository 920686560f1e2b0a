"""The turns of one drive along a trajectory, and its stops.

One turn per feedback: read, take its time, compute, send, then tell the caller; nothing is sent
that is older than the feedback before it. What is commanded is q(s), q' r and q'' r^2 + q' r' at a
path time s with a rate r, which is 1 until something asks for a stop:

- a stop that the caller asked for, by Ctrl-C or an error of its own, ramps the rate down gently;
- a fault in which commands still mean something ramps it down quickly: lost feedback, a clock that
  is none, a silent module, a plugin that failed. Where nothing comes in, or no time with it, the
  ramp goes on blindly;
- a fault in which the arm is not where it was told to be captures it: it is told to hold where it
  is measured. So after a gap, and off its path;
- a command that is refused ends everything: the last place is sent once more, to hold.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from armwright.devices.group import ActuatorGroup
from armwright.devices.messages import GroupCommand, GroupFeedback
from armwright.devices.plugins import ArmState, Mixer, Turn
from armwright.devices.trajectory import Cursor, Trajectory
from armwright.errors import (
    ArmFaultError,
    DeviceError,
    DeviceStateError,
    FaultKind,
    PluginError,
)
from armwright.kinematics.arrays import FloatArray, frozen

from .checks import check_start
from .clock import LoopClock, Timing
from .faults import fault_error
from .place import Place
from .rate import FAST, GENTLE, STANDING, Quickness
from .recording import Recorder, Recording
from .tracking import Tracking

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

logger = logging.getLogger(__name__)

ARRIVES_WITHIN = 1.0
"""How long after the end of its path an arm may take to be there [s]."""

_MOST_INTERRUPTS = 2  # the next one drops out at once
_MOST_FAILURES = 10  # in a row, with no command sent between: nothing gets through any more


class Drive:
    """One drive of an arm along a trajectory.

    Args:
        group: The modules.
        model: The arm.
        trajectory: The way.
        mixer: The plugins.
        clock: The clock of the loop.
        tracking: Where the arm should be.
        period: Time between two feedbacks [s].
        lost_after: How long feedback may stay away [s].
        settle: How long to hold the end [s].
        progress: Called with the fraction of the way.
    """

    def __init__(
        self,
        group: ActuatorGroup,
        model: "RobotModel",
        trajectory: Trajectory,
        *,
        mixer: Mixer,
        clock: LoopClock,
        tracking: Tracking,
        period: float,
        lost_after: float,
        settle: float,
        progress: Callable[[float], None] | None,
    ) -> None:
        self._group = group
        self._model = model
        self._trajectory = trajectory
        self._cursor = Cursor(trajectory)
        self._start_time, self._duration = trajectory.start_time, trajectory.duration
        self._total = trajectory.duration + settle
        self._goal = trajectory.waypoints[-1, 0]
        self._mixer = mixer
        self._clock = clock
        self._tracking = tracking
        self._period = period
        self._lost_after = lost_after
        lifetime = group.command_lifetime
        self._runs_out_after = lifetime + 0.5 * period if lifetime > 0.0 else np.inf
        self._progress = progress
        slides = model.joint_slides
        units = tuple("m" if one else "rad" for one in slides)
        self._recorder = Recorder(model.joint_names, units)
        self._nothing = np.full(group.size, np.nan)
        self._place = Place()  # of the last command that was sent
        self._sent = GroupCommand()
        self._error: BaseException | None = None  # why it stops; raised when it has stopped
        self._interrupt: KeyboardInterrupt | None = None
        self._interrupts = 0
        self._failures = 0  # since the last command that was sent
        self._slowed: Quickness | None = None
        self._blind = False
        self._over = False

    def run(self, first: GroupFeedback) -> Recording:
        """Drive to the end.

        Args:
            first: A feedback that was just read.

        Raises:
            BaseException: Whatever stopped it, when the arm has stopped.
        """
        self._clock.begin(first)
        command = self._command(self._place, first)  # a plugin that fails now moves nothing
        if self._clock.is_stale():  # kernels were compiled, say; nothing was sent so far
            again = self._group.feedback()
            check_start(self._group, again, self._trajectory)
            self._clock.begin(again)
        self._sent = command
        first_command: GroupCommand | None = command
        while not self._over:
            try:
                if first_command is not None:
                    command, first_command = first_command, None
                    self._send(self._place, command)
                while not self._over:
                    self._turn()
            except BaseException as error:
                self._stop_for(error)
        if self._interrupt is not None and self._interrupt is not self._error:
            raise self._interrupt from self._error
        if self._error is not None:
            raise self._error
        return self._recorder.recording()

    def _turn(self) -> None:
        """Read, take the time, compute, send, tell."""
        feedback = self._read()
        ds = self._time_of(feedback)
        if feedback is not None:
            t = self._start_time + self._clock.elapsed
            self._recorder.add(t, self._sent, feedback)
            self._tracking.watch(self._sent, feedback, self._clock.dt)
            if not self._over:
                self._look(feedback)
        if self._over:  # captured
            return
        place = self._place.after(ds, self._slowed)
        arrived = self._is_done(place, feedback)
        self._send(place, self._command(place, feedback))
        if self._error is None and self._progress is not None:
            self._progress(min(1.0, place.s / self._total) if self._total > 0.0 else 1.0)
        if arrived or (self._error is not None and self._stands(place)):
            self._end(feedback)

    def _read(self) -> GroupFeedback | None:
        """Return the next feedback; None where none came."""
        if self._blind:
            with suppress(Exception):
                return self._group.feedback(timeout=self._period)
            return None
        try:
            return self._group.feedback(timeout=self._lost_after)
        except DeviceStateError:
            raise
        except DeviceError as error:
            what = f"feedback was lost for {self._lost_after:g} s, {self._at()}: {error}"
            self._ramp_down("lost", what, bound=self._lost_after, cause=error, blind=True)
            return None

    def _time_of(self, feedback: GroupFeedback | None) -> float:
        """Return how much time a turn has [s]; stops when the clock says so."""
        clock = self._clock
        if feedback is not None and not self._blind:
            timing = clock.turn(feedback)
            if timing is Timing.WRONG:
                what = f"the clock of the feedback leaps, runs back or stands still, {self._at()}"
                self._ramp_down("clock", what, value=feedback.time, blind=True)
            elif clock.dt > self._runs_out_after:
                self._came_back("ran out", feedback, self._group.command_lifetime)
            elif timing is Timing.CAME_BACK and not self._stands(self._place):
                self._came_back("came back", feedback, self._lost_after)
            elif timing is Timing.CAME_BACK:  # at rest a gap does no harm
                return self._period
            else:
                return clock.ds
        if not self._over:
            clock.blind()
        return clock.ds

    def _look(self, feedback: GroupFeedback) -> None:
        """Stop for an arm that is not where it should be."""
        if self._blind:
            return
        joint = self._tracking.silent(self._lost_after)
        if joint is not None and not isinstance(self._error, ArmFaultError):
            what = f"has not said where it is for {self._lost_after:g} s, {self._at()}"
            self._ramp_down("silent", what, joint=joint, bound=self._lost_after)
        joint = self._tracking.off_track()
        if joint is not None:
            assert self._sent.position is not None
            assert self._sent.velocity is not None
            away = float(abs(feedback.position[joint] - self._sent.position[joint]))
            bound = float(self._tracking.bound(self._sent.velocity)[joint])
            what = f"is {away:.3g} away from where it should be (bound {bound:.3g}), {self._at()}"
            self._capture("off track", what, feedback, joint=joint, value=away, bound=bound)

    def _is_done(self, place: Place, feedback: GroupFeedback | None) -> bool:
        """Tell whether the arm is where it was sent; stops when that takes too long."""
        if self._error is not None or feedback is None or place.s < self._total:
            return False
        if self._place.s < self._duration:  # the end was not sent yet
            return False
        if self._tracking.has_arrived(self._goal, feedback):
            return True
        if place.s >= self._duration + ARRIVES_WITHIN:
            joint, away, bound = self._tracking.furthest(self._goal, feedback)
            what = f"is {away:.3g} away from the goal (bound {bound:.3g})"
            if away <= bound:
                joint = int(np.nanargmax(np.abs(feedback.velocity)))
                what = f"still moves at {feedback.velocity[joint]:.3g}"
            what += f", {place.s - self._duration:.3g} s after the end of its path"
            self._ramp_down("not arrived", what, joint=joint, value=away, bound=bound)
        return False

    def _command(self, place: Place, feedback: GroupFeedback | None) -> GroupCommand:
        """Return what to send for a place on the path."""
        position, slope, bend = self._cursor.at(place.s)
        rate = place.rate
        velocity, acceleration = slope, bend
        if rate.value != 1.0 or rate.slope != 0.0:
            velocity = slope * rate.value
            acceleration = bend * rate.value**2 + slope * rate.slope
        state = ArmState.MOVING if place.s < self._duration else ArmState.HOLDING
        if self._error is not None:
            state = ArmState.STOPPING
        return self._filled(position, velocity, acceleration, state, feedback)

    def _filled(
        self,
        position: FloatArray,
        velocity: FloatArray,
        acceleration: FloatArray,
        state: ArmState,
        feedback: GroupFeedback | None,
    ) -> GroupCommand:
        """Return a command with the efforts of the plugins; stops for one that fails."""
        if not len(self._mixer):
            return GroupCommand(position=position, velocity=velocity)
        if feedback is None:
            feedback = GroupFeedback(self._clock.elapsed, self._nothing)
        turn = Turn(
            t=self._clock.elapsed,
            dt=min(self._clock.dt, self._period),
            goal_position=frozen(position.copy()),  # setflags reaches no command
            goal_velocity=frozen(velocity.copy()),
            goal_acceleration=frozen(acceleration.copy()),
            state=state,
            model=self._model,
            feedback=feedback,
        )
        try:
            self._mixer.update(turn)
        except PluginError as error:
            if self._sent.position is None:  # nothing was told so far, and nothing moves
                raise
            self._ramp_down("plugin", f"{error}, {self._at()}", cause=error.__cause__)
        return GroupCommand(position=position, velocity=velocity, effort=self._mixer.efforts)

    def _send(self, place: Place, command: GroupCommand) -> None:
        """Send a command; where it is refused the last one is sent once more, to hold."""
        try:
            self._group.send(command)
        except DeviceStateError:
            self._over = True
            raise
        except DeviceError as error:
            self._over = True
            still = np.zeros(self._group.size)
            held = False
            with suppress(DeviceError):
                self._group.send(GroupCommand(self._sent.position, still, self._sent.effort))
                held = True
            self._fault("send", f"a command was refused, {self._at()}: {error}", error, held=held)
        else:
            self._place, self._sent = place, command
            self._failures = 0

    def _came_back(self, kind: FaultKind, feedback: GroupFeedback, bound: float) -> None:
        """Capture an arm after a gap."""
        gap = self._clock.dt
        what = f"the loop stood still, or feedback stayed away, for {gap:.3g} s (bound {bound:.3g})"
        if kind == "ran out":
            what = f"{what}, so the last command had ended"
        what = f"{what}, {self._at()}"
        self._capture(kind, what, feedback, value=gap, bound=bound)

    def _capture(self, kind: FaultKind, what: str, feedback: GroupFeedback, **facts: Any) -> None:
        """Tell the arm to hold where it is measured, and end."""
        assert self._sent.position is not None
        self._fault(kind, what, None, captured=True, **facts)
        self._hold_where_measured(feedback)
        self._over = True

    def _hold_where_measured(self, feedback: GroupFeedback) -> None:
        """Send the measured place; the last commanded one for joints that do not say theirs."""
        measured = feedback.position
        assert self._sent.position is not None
        position = np.where(np.isfinite(measured), measured, self._sent.position)
        still = np.zeros_like(position)
        command = self._filled(position, still, still.copy(), ArmState.STOPPING, feedback)
        with suppress(DeviceError):
            self._group.send(command)

    def _ramp_down(
        self,
        kind: FaultKind,
        what: str,
        *,
        cause: BaseException | None = None,
        blind: bool = False,
        **facts: Any,
    ) -> None:
        """Stop on the path, quickly, for a fault."""
        self._blind = self._blind or blind
        self._fault(kind, what, cause, **facts)
        self._slow_down(FAST)

    def _stop_for(self, error: BaseException) -> None:
        """Stop on the path for what a caller's function raised, or Ctrl-C."""
        if isinstance(error, KeyboardInterrupt):
            self._interrupts += 1
            if self._interrupts > _MOST_INTERRUPTS:
                raise error
            self._interrupt = error
            self._slow_down(FAST if self._interrupts > 1 else GENTLE)
        elif self._error is None:
            self._slow_down(GENTLE)
        else:  # while it stops already: what raised is not to be relied on
            logger.warning("while the arm was being stopped: %s", error)
            self._blind = True
            self._slow_down(FAST)
            self._give_up_after_failures()
        if self._error is None:
            self._error = error

    def _give_up_after_failures(self) -> None:
        """End a stop in which every turn raises: no place is reached that is never sent."""
        self._failures += 1
        if self._failures < _MOST_FAILURES:
            return
        self._over = True
        still = np.zeros(self._group.size)
        with suppress(Exception):
            self._group.send(GroupCommand(self._sent.position, still, self._sent.effort))

    def _slow_down(self, quickness: Quickness) -> None:
        """Let the rate go to 0; what has begun quickly never goes on more slowly."""
        if self._slowed is None or quickness is FAST:
            self._slowed = quickness

    def _fault(self, kind: FaultKind, what: str, cause: BaseException | None, **facts: Any) -> None:
        """Remember a fault to be raised; what came first is what is raised."""
        error = fault_error(self._group, kind, what, self._place.s, **facts)
        error.__cause__ = cause
        if self._error is None:
            self._error = error
        else:
            logger.warning("while the arm was being stopped: %s", error)

    def _end(self, feedback: GroupFeedback | None) -> None:
        """End, when the arm stands; after a fault it must be near where it is told to be."""
        self._over = True
        if feedback is None or not isinstance(self._error, ArmFaultError):
            return
        assert self._sent.position is not None
        if not self._tracking.is_near(self._sent.position, feedback):
            self._hold_where_measured(feedback)

    def _stands(self, place: Place) -> bool:
        """Tell whether what is commanded at a place stands."""
        return place.s >= self._duration or place.rate == STANDING

    def _at(self) -> str:
        """Say where on the path that was."""
        return f"at {self._place.s:.3g} s of {self._duration:.3g} s"
