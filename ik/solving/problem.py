"""A model and objectives made ready, to be solved from many seeds."""

from typing import NoReturn

import numpy.typing as npt

from armwright.ik.checks import FloatArray
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

from .result import IKResult
from .run import run


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
        return run(
            self.model, self.objectives, self._program, self._table, self._target, q0,
            position_tolerance, orientation_tolerance, max_starts, random_seed, time_limit,
        )  # fmt: skip

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a problem cannot be changed (tried to set {name!r})")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a problem cannot be changed (tried to delete {name!r})")

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return IKProblem, (self.model, *self.objectives)

    def __repr__(self) -> str:
        names = ", ".join(objective.name for objective in self.objectives)
        return f"IKProblem({self.model!r}, {names})"
