"""Inverse kinematics in one call."""

import numpy.typing as npt

from armwright.ik.objectives import Objective
from armwright.ik.program import GENERAL, Program, fill_in, pose_of
from armwright.kinematics import RobotModel

from .program_cache import prepare, programs
from .result import IKResult
from .run import run


def solve(
    model: RobotModel,
    q0: npt.ArrayLike,
    *objectives: Objective,
    position_tolerance: float = 1e-6,
    orientation_tolerance: float = 1e-5,
    max_starts: int = 300,
    random_seed: int = 0,
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
        q0: Seed, shape (n_dof,) [rad or m]; pulled in when it is outside the limits.
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
    program: Program
    try:
        if len(objectives) == 2:
            one, two = objectives
            program = programs[(id(model), one.key, two.key)]
        else:
            program = programs[(id(model), *[objective.key for objective in objectives])]
    except (AttributeError, KeyError, TypeError):  # new, or no objective at all
        program = prepare(model, objectives)
    direct_pose = program.direct_pose
    if direct_pose == GENERAL:
        table, target = fill_in(program, objectives) if program.plain else None, None
    elif direct_pose >= 0:  # the number of the pose; read here to save a call
        table, target = program.table, objectives[direct_pose].target  # type: ignore[attr-defined]
    else:
        table, target = program.table, pose_of(program, objectives)
    return run(
        model, objectives, program, table, target, q0, position_tolerance, orientation_tolerance,
        max_starts, random_seed, time_limit,
    )  # fmt: skip
