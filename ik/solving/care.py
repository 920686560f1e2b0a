"""What the quick way of a solve leaves over: checked, converted, and searched at length."""

from collections.abc import Sequence
from typing import Any

from armwright.ik.objectives import Objective
from armwright.ik.program import Program
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FloatArray, JointValues, warn_of_degrees

from .least_squares import solve_by_least_squares
from .options import POSITION_TOLERANCE, check_options
from .result import IKResult
from .search import search_at_length


def solve_with_care(
    model: RobotModel,
    objectives: Sequence[Objective],
    program: Program,
    q0: JointValues,
    options: tuple[Any, ...],
    searched: FloatArray | None,
) -> IKResult:
    """Solve what the first search of the kernels did not, or could not take as it was given.

    Args:
        model: The robot.
        objectives: What to reach.
        program: The same, laid out.
        q0: Seed, not checked yet.
        options: Those of ``solve`` in their order, not checked yet.
        searched: State of a search whose first starts have failed already, or None.

    Raises:
        JointVectorError: If q0 has the wrong length or is not finite.
        ObjectiveError: If an option is not usable.
    """
    if options[0] is POSITION_TOLERANCE:
        options = (program.position_tolerance, *options[1:])
    checked = check_options(*options)
    seed = model._joint_vector(q0, "q0")
    warn_of_degrees("q0", seed, model.joint_slides, model.joint_names)
    if program.is_general:
        return solve_by_least_squares(model, objectives, program, seed, checked)
    return search_at_length(model, objectives, program, seed, checked, searched=searched)
