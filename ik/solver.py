"""Inverse kinematics in one call."""

import numpy.typing as npt

from armwright.errors import ModelError
from armwright.kinematics import RobotModel

from .objectives import Objective
from .problem import IKProblem
from .result import IKResult

# The problems solved last: a loop over seeds, with objectives made before it, prepares only once.
# Keys are the model and the objectives themselves, all of them frozen.
_recent: dict[tuple[RobotModel, tuple[Objective, ...]], IKProblem] = {}
_MOST_RECENT = 8


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
    is the length of the longest chain involved; the weights of the objectives multiply that.

    Args:
        model: The robot.
        q0: Seed, shape (n_dof,) [rad or m]; pulled in when it is outside the limits.
        objectives: What to reach, from ``position``, ``orientation``, ``pose``, ``tip_axis``,
            ``joint_limits``, ``posture`` and ``custom``, in any mix, on any frames.
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
        >>> result = solve(model, q0, pose(T_world_tool), joint_limits(lower, upper))
        >>> result.raise_for_status().q
    """
    try:
        problem = _recent.get((model, objectives))
    except TypeError:  # something that is no objective; told below
        problem = None
    if problem is None:
        problem = prepared(model, objectives)
    return problem._solve(
        q0, position_tolerance, orientation_tolerance, max_starts, random_seed, time_limit
    )


def prepared(model: RobotModel, objectives: tuple[Objective, ...]) -> IKProblem:
    """Prepare a problem and remember it, unless it holds functions of the user's."""
    if not isinstance(model, RobotModel):
        raise ModelError(
            f"solve: expected a RobotModel, got {type(model).__name__}; armwright.load reads one"
        )
    problem = IKProblem(model, *objectives)
    if not problem._program.customs:
        if len(_recent) >= _MOST_RECENT:
            _recent.clear()
        _recent[model, objectives] = problem
    return problem
