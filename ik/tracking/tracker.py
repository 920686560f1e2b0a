"""Follow a stream of targets: one bounded step per target, always on the same branch.

Unlike a search, a tracker never starts anew. Each step stays within a box around the joint
positions: what a joint may move in one step, intersected with its limits, which is never empty.
Inside the box the weighted error is made as small as it gets, so that a target that is too far
away is approached, and one that comes back is met again.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from numpy import ndarray

from armwright.copies import stays_read_only
from armwright.errors import ObjectiveError
from armwright.ik._kernels import layout
from armwright.ik.objectives import (
    JointLimits,
    TargetObjective,
    only_limits,
    pose,
    position,
)
from armwright.ik.program import (
    POSITION_TOLERANCE,
    Program,
    check_model,
    combine_limits,
    compile_program,
    fill_in,
    one_or_each,
)
from armwright.ik.solving import check_options, has_errors
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import (
    FLOAT,
    POSITIVE,
    FloatArray,
    JointValues,
    frozen,
    number,
    words,
)
from armwright.kinematics.engine import lazy
from armwright.kinematics.naming import FrameKey
from armwright.reprs import cut_to_line, short

from .reasons import explain_step
from .status import TrackStatus

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.ik._kernels import track as _track_kernels  # noqa: F401

TrackTarget = npt.ArrayLike | TargetObjective | Sequence[TargetObjective]

_track_step = lazy(__name__, "_track_step", "armwright.ik._kernels.track")
_take_pose = lazy(__name__, "_take_pose", "armwright.ik._kernels.track")

DEFAULT_STEP = 0.5  # rad of a joint's output; for slides what moves the tool as much at its reach
_NUMBERS = (int, float, list, tuple, np.ndarray, np.number, type(None))


_STATUSES = tuple(TrackStatus)


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False)
class TrackStep:
    """Where one step of a tracker led.

    Attributes:
        q: Joint positions to go to, shape (dof,) [rad or m], read-only, always finite.
        success: Whether they meet the target within 10 times the tolerances.
        status: Why not, as far as this step knows; ``Tracker.explain`` searches for more.
        position_error: Distance from the target [m]; nan if it has no position.
        orientation_error: Angle from the target [rad]; nan if it has no orientation or tip axis.
    """

    q: FloatArray
    success: bool
    status: TrackStatus
    position_error: float
    orientation_error: float


class Tracker:
    """Follow targets one at a time, as they come; made for loops of a kilohertz.

    Holds the joint positions of the last step: one tracker belongs to one loop. Between two
    continuations at a singular pose (an elbow that comes back from straight) the one on the side
    that it came from is taken.

    Args:
        model: The robot.
        q0: Joint positions now, shape (dof,) [rad or m]. Joints that are outside their limits
            move back in by bounded steps.
        max_step: Most that each joint may move in one step, one number, (dof,), or {joint name:
            number} of some joints [rad or m]; None: 0.5 rad of the output (a slide: a quarter of
            the reach) where ``dt`` sets none.
        dt: Time between steps [s]; holds every joint to its ``max_speeds`` of the model.
        limits: ``joint_limits`` that narrow those of the model.
        position_tolerance: A step comes nearer than this where it can [m].
        orientation_tolerance: The same [rad].
        frame_type: Kind of the frame that follows targets given as arrays.
        index: Number of that frame.
        tag: Tag of its element, instead of the index.
        frame: The frame by itself, without frame_type, index and tag: a name of
            ``model.frame_names()``, (frame type, index or name), or a ``Frame``.

    Raises:
        JointVectorError: If q0 has the wrong length or is not finite.
        ObjectiveError: If an option is not usable.
        FrameNotFoundError: If there is no such frame.

    Example:
        >>> q0 = np.array([0.0, 0.9, 1.6, -0.7, 0.2, 0.0])
        >>> tracker = Tracker(model, q0, max_step=0.01)
        >>> step = tracker.step(model.end_effector(q0 + 0.005))
        >>> step.success, step.status.name
        (True, 'REACHED')
    """

    __slots__ = (
        "_asked_steps",
        "_before",
        "_by_default",
        "_frame",
        "_has",
        "_key",
        "_limits",
        "_objectives",
        "_program",
        "_state",
        "_status",
        "_steps",
        "_table",
        "_takes_poses",
        "_tolerances",
        "model",
    )

    model: RobotModel
    _program: Program
    _table: FloatArray  # of the program, with the targets of the last step
    _steps: FloatArray  # (dof,)

    def __init__(
        self,
        model: RobotModel,
        q0: JointValues,
        *,
        max_step: JointValues | None = None,
        dt: float | None = None,
        limits: JointLimits | None = None,
        position_tolerance: float = POSITION_TOLERANCE,
        orientation_tolerance: float = 1e-5,
        frame_type: str = "endeffector",
        index: int | None = None,
        tag: str | None = None,
        frame: FrameKey | None = None,
    ) -> None:
        check_model(model)
        options = check_options(position_tolerance, orientation_tolerance, 1, 0, None)
        self.model = model
        self._by_default = position_tolerance is POSITION_TOLERANCE
        self._tolerances = (options.position_tolerance, options.orientation_tolerance)
        self._limits = only_limits(limits)
        self._frame = (frame_type, index, tag, frame)
        self._asked_steps = largest_steps(model, max_step, dt)
        self._key: object = None
        self._takes_poses = False
        self._has = (False, False)
        self._objectives: tuple[TargetObjective, ...] | None = ()
        self._state = np.zeros((model.dof + 1, layout.STATE_WIDTH))
        self._before = np.zeros(model.dof)
        combine_limits(model, self._limits)
        self.reset(q0)

    def __repr__(self) -> str:
        return cut_to_line(f"Tracker({self._status.value}, q=[{words(self.q)}]; {self.model!r})")

    @property
    def q(self) -> FloatArray:
        """Joint positions after the last step, shape (dof,), read-only."""
        return frozen(self._state[1:, layout.BEST].copy())

    def reset(self, q0: JointValues) -> None:
        """Start anew from other joint positions.

        Args:
            q0: Joint positions now, shape (dof,) [rad or m].

        Raises:
            JointVectorError: If q0 has the wrong length or is not finite.
        """
        q = self.model._joint_vector(q0, "q0")
        self._state[:] = 0.0
        self._state[1:, layout.BEST] = q
        self._state[1:, layout.REGULAR] = q
        self._before = q
        self._status = TrackStatus.REACHED
        self._objectives = ()

    def step(self, target: TrackTarget) -> TrackStep:
        """Move toward a target as far as one step allows.

        Args:
            target: A pose T_world_frame (4, 4) or a position (3,) [m] of the tracker's frame; or
                an objective such as ``tip_axis(...)``, or several in a tuple, on any frames.

        Returns:
            The joint positions to go to, and whether they meet the target.

        Raises:
            ObjectiveError: If the target is not usable; the tracker stays where it was.
            FrameNotFoundError: If the frame does not exist.
        """
        state = self._state
        before = state[1:, layout.BEST].copy()
        taken = 0
        if self._takes_poses and target.__class__ is ndarray and target.dtype is FLOAT:
            with contextlib.suppress(TypeError, ValueError):  # converted below
                taken = _take_pose(self._table, target, before.size + 2)
        if taken:
            self._objectives = None
        else:
            objectives = self.objectives_for(target)
            self._use(objectives)
            self._objectives = objectives
        code = _track_step(self._table, self._steps, state, *self._tolerances)
        self._before = before
        self._status = status = _STATUSES[code]
        q = state[1:, layout.BEST].copy()
        q.setflags(write=False)
        has_position, has_orientation = self._has
        return TrackStep(
            q,
            code == 0,
            status,
            float(state[0, layout.POSITION_ERROR]) if has_position else math.nan,
            float(state[0, layout.ORIENTATION_ERROR]) if has_orientation else math.nan,
        )

    def explain(self) -> tuple[TrackStatus, str]:
        """Say how the last step ended; looks for other branches, in about a millisecond.

        Returns:
            The status, FLIP or UNREACHABLE where the step itself could not tell, and one sentence
            such as "a flip: only another branch meets the target: joint 'elbow' would have to
            move by 2.1, its step is 0.05".
        """
        objectives = self._objectives
        if objectives is None:
            target = np.eye(4)
            target[:3] = self._table[self.model.dof + 2, layout.TARGET : 16].reshape(3, 4)
            objectives = self.objectives_for(target)
        if not objectives:
            return TrackStatus.REACHED, "no step was made yet"
        return explain_step(
            self.model,
            (*objectives, *self._limits),
            self._before,
            self.q,
            self._status,
            self._steps,
            self._program,
            self._tolerances,
        )

    def objectives_for(self, target: TrackTarget) -> tuple[TargetObjective, ...]:
        """Turn a target of any kind into objectives.

        Raises:
            ObjectiveError: If the target is not usable.
        """
        if isinstance(target, TargetObjective):
            return (target,)
        given: Any = target
        if isinstance(given, list | tuple) and not all(isinstance(x, _NUMBERS) for x in given):
            for one in given:
                if not isinstance(one, TargetObjective):
                    raise ObjectiveError(
                        "step: expected a pose (4, 4), a position (3,), or objectives for frames "
                        f"(pose, position, orientation, tip_axis), got {short(one)}"
                    )
            return tuple(given)
        frame_type, index, tag, frame = self._frame
        make = position if np.ndim(np.array(given, dtype=object)) == 1 else pose
        return (make(given, frame_type=frame_type, index=index, tag=tag, frame=frame),)

    def _use(self, objectives: tuple[TargetObjective, ...]) -> None:
        """Put the targets into a table, laid out anew when more than the targets differ."""
        key = tuple(objective.key for objective in objectives)
        if key != self._key:
            program = compile_program(self.model, (*objectives, *self._limits))
            table = program.table.copy()
            table[1 : self.model.dof + 1, layout.TURN] = 0.0
            unit = table[1 : self.model.dof + 1, layout.UNIT]
            self._steps = np.where(
                np.isfinite(self._asked_steps), self._asked_steps, DEFAULT_STEP / unit
            )
            self._program = replace(program, table=table)
            if self._by_default:  # small arms want small errors
                self._tolerances = (program.position_tolerance, self._tolerances[1])
            self._has = has_errors(objectives)
            one = objectives[0]
            self._takes_poses = (
                len(objectives) == 1
                and one.kernel_code == layout.POSE
                and (one.frame_type, one.index, one.tag, one.frame) == self._frame
                and one.weight == 1.0
            )
            self._key = key
        self._table = fill_in(self._program, objectives)


def largest_steps(model: RobotModel, max_step: JointValues | None, dt: object) -> FloatArray:
    """Return the most that each joint may move, shape (dof,); inf where nobody says."""
    steps = np.full(model.dof, np.inf)
    if dt is not None:
        expected = "a positive number of seconds, such as 0.001"
        seconds = number(dt, "dt", expected, low=POSITIVE, error=ObjectiveError)
        with np.errstate(over="ignore"):
            steps = model.max_speeds * seconds
    if max_step is not None:
        steps = np.minimum(steps, one_or_each(max_step, "max_step", model.joint_names))
    return steps
