"""Problems with objectives that the kernels do not know: SciPy's bounded least squares.

From several starts, by the residual and the Jacobian of every objective itself.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from armwright.ik._kernels import layout
from armwright.ik.objectives import FrameObjective, Objective, PrimaryObjective
from armwright.ik.program import (
    LEAST_IN_SEARCH,
    LEAST_WEIGHT,
    Program,
    fit_into,
    objective_at,
    relative_weight,
    with_seed,
)
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FloatArray
from armwright.kinematics.engine import lazy

from .judge import ENOUGH_STARTS, judge
from .options import Options
from .residuals import are_met, residuals
from .result import IKResult, IKStatus
from .search import Clock

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.ik._kernels import secondary as _secondary_kernels  # noqa: F401

_weigh = lazy(__name__, "_weigh", "armwright.ik._kernels.secondary")

EQUAL = 1.0 + 1e-4  # costs that count as equal: SciPy comes to rest less sharply than the kernels
MOST_STARTS = 40  # each costs milliseconds, or what the user's function costs


class _OutOfTimeError(Exception):
    """The clock ran out between two calls of the user's function."""


class LeastSquares:
    """One solve; made, run and thrown away.

    Args:
        model: The robot.
        objectives: What to reach.
        program: The same, looked up.
        seed: Joint positions to start from, shape (dof,).
        options: Tolerances, starts, time.
    """

    def __init__(
        self,
        model: RobotModel,
        objectives: Sequence[Objective],
        program: Program,
        seed: FloatArray,
        options: Options,
    ) -> None:
        self.model = model
        self.objectives = objectives
        self.program = program
        self.options = options
        others = (o for o in objectives if not isinstance(o, FrameObjective))
        self.primary: list[PrimaryObjective] = [
            *(objective_at(objectives, target) for target in program.targets),
            *(objective for objective in others if isinstance(objective, PrimaryObjective)),
        ]
        self.given = seed
        self.seed = fit_into(seed, program.limits)
        self.joints = with_seed(program.table, model.dof, options.random_seed)[1 : model.dof + 1]
        self.free = program.limits[1] > program.limits[0]
        self.unit = self.joints[:, layout.UNIT]
        self.clock = Clock(options.time_limit)
        self.iterations = 0
        self.tried = 0
        self.best = self.seed
        self.lowest = np.inf
        self.ends: list[tuple[float, FloatArray]] = []
        self.least_weight = LEAST_IN_SEARCH

    def run(self) -> IKResult:
        """Search, then take the secondary goals as far as the rest allows."""
        starts = min(self.options.max_starts, MOST_STARTS) if self.free.any() else 1
        status = IKStatus.UNREACHABLE
        try:
            self._search(starts)
            if self._weights_differ_much() and not self._is_met(self.best, 10.0):
                self.least_weight = LEAST_WEIGHT
                self.lowest = np.inf
                self.errors(self.best)  # its cost with these weights
                self._search(starts)
            if self._is_met(self.best, 10.0) and self.program.secondary.asked:
                self._descend_secondary()
        except _OutOfTimeError:
            status = IKStatus.OUT_OF_TIME
        if status is IKStatus.UNREACHABLE and self.tried < ENOUGH_STARTS and self.free.any():
            status = IKStatus.STALLED
        return judge(
            self.model,
            self.objectives,
            self.program,
            self.best,
            self.iterations,
            self.tried - 1,
            self.options,
            status,
        )

    def _search(self, starts: int) -> None:
        """Minimize from one start after another, until all objectives are met.

        When none meets them, the best is the end nearest to the seed of those as good as the best.
        """
        self.tried = 0
        self.ends.clear()
        for start in range(starts):
            self.tried += 1
            q = self._minimize(self._start(start))
            if self._is_met(q, 1.0):
                self.best = q
                return
            e = self.errors(q)
            self.ends.append((0.5 * float(e @ e), q))
        met = self._is_met(self.best, 10.0)
        least = self._distance(self.best)
        for cost, q in self.ends:
            good = self._is_met(q, 10.0) if met else cost <= EQUAL * self.lowest
            if good and self._distance(q) < least:
                self.best, least = q, self._distance(q)

    def _distance(self, q: FloatArray) -> float:
        """Distance from the seed as it was given [joint units]."""
        return float(np.linalg.norm(self.unit * (q - self.given)))

    def _weights_differ_much(self) -> bool:
        """Whether the search took some weight for a larger one."""
        least = min(objective.weight for objective in self.primary)
        return least < LEAST_IN_SEARCH * self.program.top_weight

    def errors(self, q: FloatArray) -> FloatArray:
        """Weighted errors of all primary objectives, target minus actual.

        The best point that was ever seen is remembered.
        """
        if self.clock.is_out and self.lowest < np.inf:
            raise _OutOfTimeError
        parts = []
        for objective in self.primary:
            to_go = objective.to_go(self.model, q, self.program.limits)
            parts.append(self._weights(objective, len(to_go)) * to_go)
        e: FloatArray = np.concatenate(parts)
        lowest = 0.5 * float(e @ e)
        if lowest < self.lowest:
            self.lowest = lowest
            self.best = q
        return e

    def jacobian(self, q: FloatArray) -> FloatArray:
        """Weighted Jacobian: a small step d lowers the errors by J d."""
        parts = []
        for objective in self.primary:
            rows = objective.slope(self.model, q, self.program.limits)
            parts.append(self._weights(objective, len(rows))[:, None] * rows)
        J: FloatArray = np.concatenate(parts)
        return J

    def _weights(self, objective: PrimaryObjective, size: int) -> FloatArray:
        """Weights of the rows of one objective, metres made comparable."""
        top, least = self.program.top_weight, self.least_weight
        weights = np.full(size, relative_weight(objective.weight, top, least))
        if objective.position_rows is not None:
            weights[objective.position_rows] *= self.program.length_weight
        return weights

    def _start(self, start: int) -> FloatArray:
        """Joint positions of one start: the seed, then evenly over one turn or the limits."""
        if start == 0:
            return self.seed
        lower, upper = self.program.limits
        turn = self.joints[:, layout.TURN]
        half = np.where(turn > 0.0, 0.5 * turn, self.joints[:, layout.TRAVEL])
        wide = upper - lower > 2.0 * half
        low = np.where(wide, np.maximum(lower, np.minimum(self.seed, upper - half) - half), lower)
        high = np.where(wide, np.minimum(upper, low + 2.0 * half), upper)
        u = (self.joints[:, layout.OFFSET] + start * self.joints[:, layout.STRIDE]) % 1.0
        return fit_into(low + u * (high - low), self.program.limits)

    def _minimize(self, q0: FloatArray) -> FloatArray:
        """Run SciPy from one start, over the joints that have room."""
        if not self.free.any():
            self.errors(q0)
            return q0
        from scipy.optimize import least_squares

        def whole(x: FloatArray) -> FloatArray:
            q = q0.copy()
            q[self.free] = x
            return fit_into(q, self.program.limits)

        lower, upper = self.program.limits[:, self.free]
        found = least_squares(
            lambda x: self.errors(whole(x)),
            q0[self.free],
            jac=lambda x: -self.jacobian(whole(x))[:, self.free],
            bounds=(lower, upper),
            x_scale=1.0 / self.unit[self.free],
            ftol=1e-15,
            xtol=1e-12,
            gtol=1e-15,
            max_nfev=100,
        )
        self.iterations += int(found.nfev)
        return whole(found.x)

    def _is_met(self, q: FloatArray, factor: float) -> bool:
        """Whether all objectives are within a multiple of their tolerances."""
        values = residuals(self.model, self.objectives, q, self.program.limits)
        return are_met(self.objectives, values, self.options.tolerances, factor)

    def _descend_secondary(self) -> None:
        """Lower the secondary objectives by steps that leave the objectives met."""
        q = self.best
        slope = np.empty(q.size)
        value = self._weigh_secondary(q, slope)
        springs = self.program.secondary.stiffness + self.program.secondary.curvature
        strength = np.maximum(springs, max(0.01 * springs.max(initial=0.0), 1e-12))
        step = self._free_part(q, -slope / self.unit / strength)
        pace = 1.0
        for _ in range(200):
            largest = np.abs(step).max()
            if largest < 1e-7:
                break
            pace = min(pace, 0.5 / largest)
            nearer = False
            while not nearer and pace * largest > 1e-8:
                moved = self._back_on_target(self._advance(q, pace * step))
                new = self._weigh_secondary(moved, slope)
                nearer = new < value and self._is_met(moved, 10.0)
                pace *= 0.5
            if not nearer:
                break
            way = self.unit * (moved - q)
            before = step
            q, value = moved, new
            step = self._free_part(q, -slope / self.unit / strength)
            # The pace that this way would have needed (Barzilai and Borwein 1988).
            curved = float(way @ (strength * (before - step)))
            pace = float(way @ (strength * way)) / curved if curved > 0.0 else 100.0
            pace = min(max(pace, 0.01), 100.0)
        self.best = q

    def _weigh_secondary(self, q: FloatArray, slope: FloatArray) -> float:
        """Return the value of the secondary goals; their gradient by q goes into ``slope``."""
        return float(_weigh(self.program.table, self.program.secondary.rows, q, slope))

    def _advance(self, q: FloatArray, step: FloatArray) -> FloatArray:
        """Add a step in joint units, clipped at the limits."""
        return fit_into(q + step / self.unit, self.program.limits)

    def _free_part(self, q: FloatArray, wish: FloatArray) -> FloatArray:
        """Part of a step, in joint units, that leaves the objectives alone and the limits kept."""
        J = self.jacobian(q) / self.unit
        free = self.free.copy()
        while True:
            step = np.where(free, wish, 0.0)
            step[free] -= np.linalg.pinv(J[:, free], rcond=1e-9) @ (J @ step)
            lower, upper = self.program.limits
            stuck = free & (((q <= lower) & (step < 0.0)) | ((q >= upper) & (step > 0.0)))
            if not stuck.any():
                return step
            free &= ~stuck

    def _back_on_target(self, q: FloatArray) -> FloatArray:
        """Take Gauss-Newton steps until the objectives are met again, eight at most."""
        for _ in range(8):
            if self._is_met(q, 1.0):
                break
            self.iterations += 1
            J = self.jacobian(q) / self.unit
            J[:, ~self.free] = 0.0
            q = self._advance(q, np.linalg.pinv(J, rcond=1e-9) @ self.errors(q))
        return q


def solve_by_least_squares(
    model: RobotModel,
    objectives: Sequence[Objective],
    program: Program,
    seed: FloatArray,
    options: Options,
) -> IKResult:
    """Solve a problem that has objectives which the kernels do not know."""
    return LeastSquares(model, objectives, program, seed, options).run()
