"""Follow a list of poses on one branch, or stop and say where and why it cannot be followed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from armwright.copies import stays_read_only
from armwright.errors import ObjectiveError
from armwright.ik.objectives import JointLimits, TargetObjective
from armwright.ik.program import POSITION_TOLERANCE
from armwright.ik.solving import call_numbered, target_array
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FloatArray, JointValues, frozen
from armwright.kinematics.naming import FrameKey
from armwright.reprs import one_line_repr

from .status import TrackStatus
from .tracker import Tracker, TrackTarget


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False)
class TrackResult:
    """Joint positions along a path of targets.

    Attributes:
        q: Shape (n, dof) [rad or m], read-only, always finite. From ``stopped_at`` on, the joint
            positions of the last target that was met (q0 when there is none): the robot stands
            still. With ``keep_going`` each row is as near to its target as it may be.
        success: Whether every target was met.
        status: REACHED, or what ended the path at its first target that was not met.
        reason: The same in words, with the number of the target; "" when all were met.
        stopped_at: Number of the first target that was not met, or None.
        reached: Which targets were met, shape (n,).
        position_error: Distance of each row from its target, shape (n,) [m]; nan where none was
            tried, or the targets have no position.
        orientation_error: Angle of each row from its target, shape (n,) [rad]; nan likewise.
    """

    q: FloatArray
    success: bool
    status: TrackStatus
    reason: str
    stopped_at: int | None
    reached: npt.NDArray[np.bool_]
    position_error: FloatArray
    orientation_error: FloatArray

    __repr__ = one_line_repr


def track(
    model: RobotModel,
    q0: JointValues,
    poses: npt.ArrayLike | Sequence[TrackTarget],
    *,
    max_step: JointValues | None = None,
    dt: float | None = None,
    limits: JointLimits | None = None,
    keep_going: bool = False,
    position_tolerance: float = POSITION_TOLERANCE,
    orientation_tolerance: float = 1e-5,
    frame_type: str = "endeffector",
    index: int | None = None,
    tag: str | None = None,
    frame: FrameKey | None = None,
) -> TrackResult:
    """Follow a list of targets from joint positions, without leaving the branch they are on.

    From each row to the next, and from q0 to the first, no joint moves further than its step. The
    limits of the model always hold. Where a target cannot be met like this the path stops, and the
    result says whether it takes a larger step, another branch (a flip), or nothing can.

    Args:
        model: The robot.
        q0: Joint positions at the start, shape (dof,) [rad or m]; they must be within one step
            of the first target.
        poses: Targets, shape (n, 4, 4) T_world_frame, or (n, 3) positions [m]; or a list of
            objectives, or of tuples of them, such as ``(position(p), tip_axis(a))``.
        max_step: Most that a joint may move from target to target, one number, (dof,), or {joint
            name: number} of some joints [rad or m]; None: 0.5 rad of the output (a slide: a
            quarter of the reach) where ``dt`` sets none.
        dt: Time from target to target [s]; holds every joint to its ``max_speeds``.
        limits: ``joint_limits`` that narrow those of the model.
        keep_going: Do not stop, but come as near to every target as one step allows.
        position_tolerance: Each target is met nearer than this where possible [m]; 10 times as
            much counts as met.
        orientation_tolerance: The same [rad].
        frame_type: Kind of the frame that follows arrays; like the next three as in ``Tracker``.
        index: Number of the frame, or None.
        tag: Tag of the frame's element, or None.
        frame: The frame by itself, or None.

    Returns:
        Joint positions for every target, and where and why the path ended.

    Raises:
        JointVectorError: If q0 has the wrong length or is not finite.
        ObjectiveError: If a target or an option is not usable; no target is tried before all
            arrays are looked at.
        FrameNotFoundError: If there is no such frame.

    Example:
        >>> q = np.linspace([0.0, 0.9, 1.6, -0.7, 0.2, 0.0], [0.1, 1.0, 1.5, -0.6, 0.3, 0.2], 20)
        >>> path = track(model, q[0], model.end_effector(q), max_step=0.05)
        >>> path.success, bool(np.abs(path.q - q).max() < 1e-3)
        (True, True)
    """
    tracker = Tracker(
        model,
        q0,
        max_step=max_step,
        dt=dt,
        limits=limits,
        position_tolerance=position_tolerance,
        orientation_tolerance=orientation_tolerance,
        frame_type=frame_type,
        index=index,
        tag=tag,
        frame=frame,
    )
    targets = _list_targets(poses)
    wanted = [
        call_numbered(tracker.objectives_for, "poses", i, target)
        for i, target in enumerate(targets)
    ]
    n = len(wanted)
    q = np.empty((n, model.dof))
    reached = np.zeros(n, dtype=np.bool_)
    errors = np.full((2, n), math.nan)
    status = TrackStatus.REACHED
    reason = ""
    stopped_at = None
    for i, objectives in enumerate(wanted):
        here = tracker.q
        step = call_numbered(tracker.step, "poses", i, objectives)
        q[i] = step.q
        reached[i] = step.success
        errors[:, i] = step.position_error, step.orientation_error
        if step.success or stopped_at is not None:
            continue
        stopped_at = i
        status, words = tracker.explain()
        first = "; q0 does not match the first target" if i == 0 else ""
        reason = f"target {i} of {n}: {words}{first}"
        if not keep_going:
            q[i:] = here
            break
    reached.setflags(write=False)
    return TrackResult(
        q=frozen(q),
        success=stopped_at is None,
        status=status,
        reason=reason,
        stopped_at=stopped_at,
        reached=reached,
        position_error=frozen(errors[0].copy()),
        orientation_error=frozen(errors[1].copy()),
    )


def _list_targets(poses: Any) -> Sequence[Any]:
    """Split the targets into a list; an array must be (n, 4, 4) or (n, 3)."""
    if isinstance(poses, TargetObjective):
        raise ObjectiveError("poses: expected a list of targets, got one objective")
    if isinstance(poses, Sequence) and any(_holds_objectives(target) for target in poses):
        return poses
    return list(target_array("poses", poses))


def _holds_objectives(target: object) -> bool:
    """Whether a target is an objective or several."""
    if isinstance(target, list | tuple):
        return any(isinstance(one, TargetObjective) for one in target)
    return isinstance(target, TargetObjective)
