"""Inverse kinematics in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numpy import empty, ndarray

from armwright.ik.objectives import Objective
from armwright.ik.program import GENERAL, fill_in, pose_of
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FLOAT, JointValues
from armwright.kinematics.engine import lazy

from .care import solve_with_care
from .options import (
    FIRST_STARTS,
    MAX_STARTS,
    ORIENTATION_TOLERANCE,
    POSITION_TOLERANCE,
    RANDOM_SEED,
    first_starts,
)
from .program_cache import last, look_up
from .result import IKResult, new, put_source

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.ik._kernels import general as _general_kernels  # noqa: F401
    from armwright.ik._kernels import pose as _pose_kernels  # noqa: F401

_solve_pose = lazy(__name__, "_solve_pose", "armwright.ik._kernels.pose")
_solve_any = lazy(__name__, "_solve_any", "armwright.ik._kernels.general")


def solve(
    model: RobotModel,
    q0: JointValues,
    *objectives: Objective,
    position_tolerance: float = POSITION_TOLERANCE,
    orientation_tolerance: float = ORIENTATION_TOLERANCE,
    max_starts: int = MAX_STARTS,
    random_seed: int = RANDOM_SEED,
    time_limit: float | None = None,
) -> IKResult:
    """Find joint positions that meet all objectives within the joint limits.

    Searches from the seed first, then from evenly spread starts, always inside the limits of the
    model, narrowed by ``joint_limits``. Joints without limits are searched one turn around the
    seed. The same inputs give the same bits, unless ``time_limit`` cuts the search.

    Objectives are weighed against each other only when they cannot all be met: then the weighted
    sum of squares is smallest at ``q``. One metre counts like 2 / reach radians, where the reach
    is the length of the longest chain involved; the weights of the objectives multiply that, none
    as less than 1e-5 of the largest.

    Args:
        model: The robot.
        q0: Seed, shape (dof,) [rad or m]; pulled in when it is outside the limits.
        objectives: What to reach, from ``position``, ``orientation``, ``pose``, ``tip_axis``,
            ``joint_limits`` and ``custom``, and what to do with freedom that is left, from
            ``posture``, ``centering``, ``manipulability_goal`` and ``least_effort``; in any mix,
            on any frames.
        position_tolerance: The search stops when every position is nearer than this [m] ...
        orientation_tolerance: ... and every orientation and tip axis than this [rad].
        max_starts: Most starts, the seed included.
        random_seed: Of the starts after the first.
        time_limit: Wall-clock time after which the search ends with the best so far [s].

    Returns:
        The best found, and what it reaches; ``success`` means within 10 times the tolerances.

    Raises:
        JointVectorError: If q0 has the wrong length or is not finite.
        ObjectiveError: If an objective or an option is not usable, or there is none.
        FrameNotFoundError: If the frame of an objective does not exist.

    Example:
        >>> from armwright import ik
        >>> T_world_tool = model.end_effector(np.full(6, 0.5))
        >>> result = ik.solve(model, np.full(6, 0.4), ik.pose(T_world_tool))
        >>> bool(np.allclose(model.end_effector(result.q), T_world_tool, atol=1e-4))
        True
    """
    try:
        last_model, count, first_key, place, last_key, program = last[0]
        if (
            last_model is not model
            or len(objectives) != count
            or objectives[0].key != first_key
            or objectives[place].key != last_key
        ):
            program = look_up(model, objectives)
    except AttributeError:  # no objective
        program = look_up(model, objectives)
    state = None
    if (
        time_limit is None
        and q0.__class__ is ndarray
        and q0.dtype is FLOAT
        and program.quick
        and (position_tolerance is POSITION_TOLERANCE or position_tolerance.__class__ is float)
        and (
            orientation_tolerance is ORIENTATION_TOLERANCE
            or orientation_tolerance.__class__ is float
        )
        and random_seed is RANDOM_SEED
    ):
        state = empty(program.shape)
        starts = FIRST_STARTS if max_starts is MAX_STARTS else first_starts(max_starts)
        direct_pose = program.direct_pose
        try:
            if direct_pose == GENERAL:
                code = _solve_any(
                    fill_in(program, objectives), q0, state, position_tolerance,
                    orientation_tolerance, 0, starts,
                )  # fmt: skip
            else:
                # By number it is a pose; the attribute is read here to save a call.
                target = (
                    objectives[direct_pose].target
                    if direct_pose >= 0
                    else pose_of(program, objectives)
                )
                code = _solve_pose(
                    program.table, target, q0, state, position_tolerance, orientation_tolerance, 0,
                    starts,
                )  # fmt: skip
            if code == 0:
                result = new(IKResult)
                put_source(result, (model, objectives, state))
                return result
            if code != 1 or starts < 1:
                state = None
        except (TypeError, OverflowError):  # checked and converted below
            state = None
    options = (position_tolerance, orientation_tolerance, max_starts, random_seed, time_limit)
    return solve_with_care(model, objectives, program, q0, options, state)
