"""A model and objectives made ready, to be solved from many seeds."""

from collections.abc import Sequence
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from armwright.errors import ModelError, ObjectiveError
from armwright.ik.checks import FloatArray
from armwright.ik.objectives import OBJECTIVES, CustomObjective, Objective
from armwright.ik.program import GENERAL, Program, compile_program, filled, pose_of
from armwright.kinematics import RobotModel
from armwright.kinematics.engine import lazy

from .custom import solve_custom
from .options import checked
from .result import IKResult, new, put_source
from .search import solve as search_at_length

_solve_pose = lazy(__name__, "_solve_pose", "armwright.ik._kernels.pose")
_solve_any = lazy(__name__, "_solve_any", "armwright.ik._kernels.general")

_ndarray = np.ndarray
_empty = np.empty
_FLOAT = np.dtype(np.float64)  # native: Numba may mistake another byte order for it


class IKProblem:
    """A prepared solver: looks up frames and limits once, then solves from any seed.

    Holds no scratch: one problem can be solved by many threads at once.

    Args:
        model: The robot.
        objectives: What to reach, see ``solve``.

    Attributes:
        model: The robot.
        objectives: What to reach.

    Raises:
        ObjectiveError: If there is nothing to solve for, or an objective does not fit the model.
        FrameNotFoundError: If the frame of an objective does not exist.
    """

    __slots__ = ("_goal", "_plain", "_program", "_shape", "_table", "model", "objectives")

    model: RobotModel
    objectives: tuple[Objective, ...]
    _program: Program
    _plain: bool
    _shape: tuple[int, int]
    _table: FloatArray
    _goal: FloatArray | None

    def __init__(self, model: RobotModel, *objectives: Objective) -> None:
        check_kinds(model, objectives)
        program = compile_program(model, objectives)
        put = object.__setattr__
        put(self, "model", model)
        put(self, "objectives", objectives)
        put(self, "_program", program)
        put(self, "_plain", program.plain)
        put(self, "_shape", program.shape)
        put(self, "_table", filled(program, objectives))
        goal = None if program.quick == GENERAL else pose_of(program, objectives)
        put(self, "_goal", goal)

    def solve(
        self,
        q0: npt.ArrayLike,
        *,
        position_tolerance: float = 1e-6,
        orientation_tolerance: float = 1e-5,
        max_starts: int = 300,
        random_seed: int = 0,
        time_limit: float | None = None,
    ) -> IKResult:
        """Solve from a seed; see the function ``solve`` for arguments and results.

        Raises:
            JointVectorError: If q0 has the wrong length or is not finite.
            ObjectiveError: If an option is not usable.
        """
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
            and self._plain
        ):
            state = _empty(self._shape)
            goal = self._goal
            try:
                if goal is not None:
                    code = _solve_pose(
                        self._table, goal, q0, state, position_tolerance,
                        orientation_tolerance, 0, max_starts,
                    )  # fmt: skip
                else:
                    code = _solve_any(
                        self._table, q0, state, position_tolerance, orientation_tolerance, 0,
                        max_starts,
                    )  # fmt: skip
                if code == 0:
                    result = new(IKResult)
                    put_source(result, (self.model, self.objectives, state))
                    return result
                if code != 1 or max_starts < 1:
                    state = None
            except (TypeError, OverflowError):  # checked and converted below
                state = None
        return solve_slowly(
            self.model,
            self.objectives,
            self._program,
            q0,
            (position_tolerance, orientation_tolerance, max_starts, random_seed, time_limit),
            state,
        )

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a problem cannot be changed (tried to set {name!r})")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a problem cannot be changed (tried to delete {name!r})")

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return IKProblem, (self.model, *self.objectives)

    def __repr__(self) -> str:
        names = ", ".join(objective.name for objective in self.objectives)
        return f"IKProblem({self.model!r}, {names})"


def check_kinds(model: RobotModel, objectives: Sequence[Objective]) -> None:
    """Refuse what is no model and what are no objectives.

    Raises:
        ModelError: If the model is something else.
        ObjectiveError: If an objective is something else.
    """
    if not isinstance(model, RobotModel):
        raise ModelError(
            f"expected a RobotModel, got {type(model).__name__}; armwright.load reads one"
        )
    for objective in objectives:
        if not isinstance(objective, OBJECTIVES):
            apart = isinstance(objective, list | tuple)
            raise ObjectiveError(
                "expected objectives made by ik.position, ik.pose, ik.joint_limits, ...; "
                f"got {objective!r}{'; pass them one by one, not in a list' if apart else ''}"
            )


def solve_slowly(
    model: RobotModel,
    objectives: Sequence[Objective],
    program: Program,
    q0: npt.ArrayLike,
    options: tuple[object, object, object, object, object],
    state: FloatArray | None,
) -> IKResult:
    """Solve with everything checked; ``state`` is that of a search which has failed already."""
    good = checked(*options)
    seed = model._joint_vector(q0, "q0")
    if any(isinstance(objective, CustomObjective) for objective in objectives):
        return solve_custom(model, objectives, program, seed, good)
    return search_at_length(model, objectives, program, seed, good, searched=state)
