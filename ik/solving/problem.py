"""A model and objectives made ready, to be solved from many seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from numpy import empty, ndarray

from armwright.ik.objectives import Objective
from armwright.ik.program import (
    GENERAL,
    Program,
    check_model,
    check_objectives,
    compile_program,
    fill_in,
    pose_of,
)
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FLOAT, FloatArray, JointValues
from armwright.kinematics.engine import lazy
from armwright.reprs import cut_to_line

from .care import solve_with_care
from .options import (
    FIRST_STARTS,
    MAX_STARTS,
    ORIENTATION_TOLERANCE,
    POSITION_TOLERANCE,
    RANDOM_SEED,
    first_starts,
)
from .result import IKResult, new, put_source

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.ik._kernels import general as _general_kernels  # noqa: F401
    from armwright.ik._kernels import pose as _pose_kernels  # noqa: F401

_solve_pose = lazy(__name__, "_solve_pose", "armwright.ik._kernels.pose")
_solve_any = lazy(__name__, "_solve_any", "armwright.ik._kernels.general")


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

    __slots__ = ("_program", "_table", "_target", "model", "objectives")

    model: RobotModel
    objectives: tuple[Objective, ...]
    _program: Program
    _table: FloatArray
    _target: FloatArray | None

    def __init__(self, model: RobotModel, *objectives: Objective) -> None:
        check_model(model)
        check_objectives(objectives)
        program = compile_program(model, objectives)
        put = object.__setattr__
        put(self, "model", model)
        put(self, "objectives", objectives)
        put(self, "_program", program)
        put(self, "_table", fill_in(program, objectives))
        is_direct = program.direct_pose != GENERAL
        put(self, "_target", pose_of(program, objectives) if is_direct else None)

    def solve(
        self,
        q0: JointValues,
        *,
        position_tolerance: float = POSITION_TOLERANCE,
        orientation_tolerance: float = ORIENTATION_TOLERANCE,
        max_starts: int = MAX_STARTS,
        random_seed: int = RANDOM_SEED,
        time_limit: float | None = None,
    ) -> IKResult:
        """Solve from a seed; see the function ``solve`` for arguments and results.

        Raises:
            JointVectorError: If q0 has the wrong length or is not finite.
            ObjectiveError: If an option is not usable.
        """
        program = self._program
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
            try:
                if self._target is not None:
                    code = _solve_pose(
                        self._table, self._target, q0, state, position_tolerance,
                        orientation_tolerance, 0, starts,
                    )  # fmt: skip
                else:
                    code = _solve_any(
                        self._table, q0, state, position_tolerance, orientation_tolerance, 0,
                        starts,
                    )  # fmt: skip
                if code == 0:
                    result = new(IKResult)
                    put_source(result, (self.model, self.objectives, state))
                    return result
                if code != 1 or starts < 1:
                    state = None
            except (TypeError, OverflowError):  # checked and converted below
                state = None
        options = (position_tolerance, orientation_tolerance, max_starts, random_seed, time_limit)
        return solve_with_care(self.model, self.objectives, program, q0, options, state)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a problem cannot be changed (tried to set {name!r})")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a problem cannot be changed (tried to delete {name!r})")

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return IKProblem, (self.model, *self.objectives)

    def __repr__(self) -> str:
        names = ", ".join(objective.name for objective in self.objectives)
        return cut_to_line(f"IKProblem({names}; {self.model!r})")
