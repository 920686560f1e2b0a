"""A model and objectives made ready, to be solved from many seeds."""

import math

import numpy as np
import numpy.typing as npt

from armwright.errors import ModelError, ObjectiveError
from armwright.kinematics import RobotModel
from armwright.kinematics.engine import lazy

from . import outcome
from ._kernels import layout
from .checks import FloatArray
from .custom import solve_custom
from .objectives import OBJECTIVES, Objective
from .options import checked
from .program import Program, compile_program
from .residuals import residuals
from .result import IKResult, converged

_solve_pose = lazy(__name__, "_solve_pose", "armwright.ik._kernels.pose")
_solve_any = lazy(__name__, "_solve_any", "armwright.ik._kernels.general")

_ndarray = np.ndarray
_empty = np.empty
_inf = math.inf


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

    __slots__ = ("_program", "_quick", "_shape", "_table", "model", "objectives")

    model: RobotModel
    objectives: tuple[Objective, ...]
    _program: Program
    _table: FloatArray
    _shape: tuple[int, int]
    _quick: int

    def __init__(self, model: RobotModel, *objectives: Objective) -> None:
        if not isinstance(model, RobotModel):
            raise ModelError(
                f"expected a RobotModel, got {type(model).__name__}; armwright.load reads one"
            )
        for objective in objectives:
            if not isinstance(objective, OBJECTIVES):
                apart = "; pass them one by one, not in a list"
                raise ObjectiveError(
                    f"expected objectives made by ik.position, ik.pose, ...; got {objective!r}"
                    f"{apart if isinstance(objective, list | tuple) else ''}"
                )
        program = compile_program(model, objectives)
        put = object.__setattr__
        put(self, "model", model)
        put(self, "objectives", objectives)
        put(self, "_program", program)
        put(self, "_table", program.table)
        put(self, "_shape", (model.dof + 1, layout.STATE_WIDTH))
        # Which kernel answers without further ado: 1 one pose, 2 any objectives, 0 neither.
        plain = not (program.customs or program.has_posture)
        put(self, "_quick", (1 if program.quick else 2) if plain else 0)

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
        return self._solve(
            q0, position_tolerance, orientation_tolerance, max_starts, random_seed, time_limit
        )

    def _solve(
        self,
        q0: npt.ArrayLike,
        position_tolerance: float,
        orientation_tolerance: float,
        max_starts: int,
        random_seed: int,
        time_limit: float | None,
    ) -> IKResult:
        """Solve: the common case by one call of a kernel, all else by the long way."""
        quick = self._quick
        state = None
        if (
            quick
            and time_limit is None
            and random_seed == 0
            and q0.__class__ is _ndarray
            and max_starts.__class__ is int
            and 0 < max_starts < 2147483648
            and position_tolerance.__class__ is float
            and 0.0 < position_tolerance < _inf
            and orientation_tolerance.__class__ is float
            and 0.0 < orientation_tolerance < _inf
        ):
            state = _empty(self._shape)
            try:
                code = (_solve_pose if quick == 1 else _solve_any)(
                    self._table, q0, state, position_tolerance, orientation_tolerance, 0, max_starts
                )
                if code == 0:
                    return converged(self, state)
                if code == layout.BAD_SEED:
                    state = None
            except TypeError:  # an array of another type or layout: converted below
                state = None
        options = checked(
            position_tolerance, orientation_tolerance, max_starts, random_seed, time_limit
        )
        seed = self.model._joint_vector(q0, "q0")
        if self._program.customs:
            return solve_custom(self.model, self.objectives, self._program, seed, options)
        return outcome.solve(
            self.model, self.objectives, self._program, seed, options, searched=state
        )

    def _residuals(self, q: FloatArray) -> tuple[FloatArray, ...]:
        """What is still to go at q, for a result that is asked for it."""
        return residuals(self.model, self.objectives, self._program.targets, q)

    def _kinds(self) -> tuple[bool, bool]:
        """Whether any objective has a position, and any an orientation or a tip axis."""
        rows = self._program.table[1 + self.model.dof :]
        kinds = rows[: 2 * int(self._table[0, layout.N_OBJECTIVES]) : 2, layout.KIND].tolist()
        return (
            any(kind in (layout.POSITION, layout.POSE) for kind in kinds),
            any(kind != layout.POSITION for kind in kinds),
        )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a prepared problem is frozen; make another one")

    def __repr__(self) -> str:
        names = ", ".join(objective.name for objective in self.objectives)
        return f"IKProblem({self.model!r}, {names})"
