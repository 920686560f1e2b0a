"""Inverse kinematics in one call."""

from typing import Any

import numpy as np
import numpy.typing as npt

from armwright.ik.objectives import CustomObjective, JointLimits, Objective
from armwright.ik.program import GENERAL, Program, compile_program, filled, pose_of, with_limits
from armwright.kinematics import RobotModel
from armwright.kinematics.engine import lazy

from .problem import check_kinds, solve_slowly
from .result import IKResult, new, put_source

_solve_pose = lazy(__name__, "_solve_pose", "armwright.ik._kernels.pose")
_solve_any = lazy(__name__, "_solve_any", "armwright.ik._kernels.general")

_ndarray = np.ndarray
_empty = np.empty
_FLOAT = np.dtype(np.float64)  # native: Numba may mistake another byte order for it

# Programs made last, by model and keys of the objectives: a loop over targets lays out only once.
# Both are frozen, so that a program never goes stale. A model goes by its id, since models that
# compare by content hash slowly; its programs keep it alive, so that the id stays its own.
_programs: dict[object, Program] = {}
_MOST_PROGRAMS = 32
# Model, keys and program of the last solve for two objectives: identity is found out in no time.
_last: Any = (None, None, None, None)


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
    global _last
    program: Program
    try:
        if len(objectives) == 2:
            one, two = objectives
            last_model, last_one, last_two, program = _last
            if last_model is not model or last_one is not one.key or last_two is not two.key:
                program = _programs[(id(model), one.key, two.key)]
                _last = (model, one.key, two.key, program)
        else:
            program = _programs[(id(model), *[objective.key for objective in objectives])]
    except (AttributeError, KeyError, TypeError):  # new, or no objective at all
        program = laid_out(model, objectives)
    state = None
    if (
        time_limit is None
        and random_seed.__class__ is int
        and random_seed == 0
        and max_starts.__class__ is int
        and position_tolerance.__class__ is float
        and orientation_tolerance.__class__ is float
        and q0.__class__ is _ndarray
        and q0.dtype is _FLOAT
        and program.plain
    ):
        state = _empty(program.shape)
        quick = program.quick
        try:
            if quick == GENERAL:
                code = _solve_any(
                    filled(program, objectives), q0, state, position_tolerance,
                    orientation_tolerance, 0, max_starts,
                )  # fmt: skip
            else:
                # By number it is a pose; the attribute is read here to save a call.
                goal = (
                    objectives[quick].goal  # type: ignore[union-attr]
                    if quick >= 0
                    else pose_of(program, objectives)
                )
                code = _solve_pose(
                    program.table, goal, q0, state, position_tolerance, orientation_tolerance, 0,
                    max_starts,
                )  # fmt: skip
            if code == 0:
                result = new(IKResult)
                put_source(result, (model, objectives, state))
                return result
            if code != 1 or max_starts < 1:
                state = None
        except (TypeError, OverflowError):  # checked and converted below
            state = None
    return solve_slowly(
        model,
        objectives,
        program,
        q0,
        (position_tolerance, orientation_tolerance, max_starts, random_seed, time_limit),
        state,
    )


def laid_out(model: RobotModel, objectives: tuple[Objective, ...]) -> Program:
    """Lay out a program and remember it, unless it holds functions of the user's."""
    check_kinds(model, objectives)
    if any(isinstance(objective, CustomObjective) for objective in objectives):
        return compile_program(model, objectives)
    keys = [objective.key for objective in objectives]
    # Limits are often new with every call: then the rest is taken from where it was the same.
    others = [
        "any limits" if isinstance(objective, JointLimits) else objective.key
        for objective in objectives
    ]
    program = None
    like = _programs.get((id(model), *others))
    if like is not None:
        program = with_limits(like, model, objectives)
    if program is None:
        program = compile_program(model, objectives)
    if len(_programs) >= _MOST_PROGRAMS:
        _programs.clear()
    _programs[(id(model), *keys)] = _programs[(id(model), *others)] = program
    return program
