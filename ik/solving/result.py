"""What a solver found, and whether that is what was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import FrozenInstanceError
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

from armwright.errors import IKNotConvergedError
from armwright.ik._kernels import layout
from armwright.ik.objectives import Objective
from armwright.ik.program import combine_limits
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FloatArray, frozen, words
from armwright.reprs import cut_to_line

from .residuals import has_errors, residuals

if TYPE_CHECKING:
    from collections.abc import Callable


class IKStatus(Enum):
    """How a search ended.

    Attributes:
        CONVERGED: Every objective is met.
        UNREACHABLE: No joint positions meet the objectives; ``q`` is the closest.
        OUTSIDE_LIMITS: Only joint positions outside the limits meet them; ``q`` is the closest
            inside.
        STALLED: Not met, and too few starts were tried to say why, or the closest point was still
            not at rest.
        OUT_OF_TIME: ``time_limit`` ended the search.
    """

    CONVERGED = 1
    UNREACHABLE = 2
    OUTSIDE_LIMITS = 3
    STALLED = 4
    OUT_OF_TIME = 5


_PUBLIC = (
    "q",
    "success",
    "status",
    "position_error",
    "orientation_error",
    "residuals",
    "iterations",
    "restarts",
    "message",
)


class IKResult:
    """The best joint positions found, and what they reach; frozen.

    Attributes:
        q: Joint positions, shape (dof,) [rad or m], read-only; always finite and inside the
            limits, also when the objectives are not met.
        success: Whether every objective is met at ``q``: within 10 times the tolerances.
        status: How the search ended.
        position_error: Largest distance over the objectives with a position [m]; nan if none.
        orientation_error: Largest angle over the objectives with an orientation or a tip axis
            [rad]; nan if none.
        residuals: What is still to go for each objective, in their order, unweighted, target minus
            actual: position (3,), 0 on free axes; orientation and tip axis (3,) rotation vector,
            world axes; pose (6,); posture and centering (dof,); least_effort (dof,), minus the
            efforts; manipulability_goal (1,), the measure itself; custom (n_errors,), as the
            function gives them; joint_limits (0,).
        iterations: Steps taken, over all starts.
        restarts: Starts after the first.
        message: The status in words, with a hint.
    """

    __slots__ = (*_PUBLIC, "_source")

    q: FloatArray
    success: bool
    status: IKStatus
    position_error: float
    orientation_error: float
    residuals: tuple[FloatArray, ...]
    iterations: int
    restarts: int
    message: str
    _source: tuple[RobotModel, Sequence[Objective], FloatArray] | Callable[[], str] | None

    def __init__(
        self,
        *,
        q: FloatArray,
        success: bool,
        status: IKStatus,
        position_error: float,
        orientation_error: float,
        residuals: Sequence[FloatArray],
        iterations: int,
        restarts: int,
        message: str | Callable[[], str],
    ) -> None:
        """Keep the values; arrays are copied and made read-only.

        A function in place of the message is called when that is first asked for.
        """
        put = object.__setattr__
        put(self, "q", frozen(np.array(q, dtype=np.float64)))
        put(self, "success", success)
        put(self, "status", status)
        put(self, "position_error", position_error)
        put(self, "orientation_error", orientation_error)
        put(self, "residuals", tuple(frozen(np.array(value)) for value in residuals))
        put(self, "iterations", iterations)
        put(self, "restarts", restarts)
        if isinstance(message, str):
            put(self, "message", message)
        put(self, "_source", None if isinstance(message, str) else message)

    def raise_for_status(self) -> IKResult:
        """Return the result itself if it is a success.

        Raises:
            IKNotConvergedError: If not; the message says why, ``error.result`` is this result.
        """
        if not self.success:
            raise IKNotConvergedError(self.message, self)
        return self

    def __getattr__(self, name: str) -> Any:
        """Work out what was put off until it is first asked for."""
        if name not in _PUBLIC:
            raise AttributeError(f"'IKResult' object has no attribute {name!r}")
        source = self._source
        assert source is not None
        put = object.__setattr__
        if callable(source):
            put(self, "message", source())
        elif name == "residuals":
            model, objectives, _ = source
            limits = combine_limits(model, objectives)
            put(self, name, residuals(model, objectives, self.q, limits))
        else:
            for key, value in _read(source[1], source[2]).items():
                put(self, key, value)
        return object.__getattribute__(self, name)

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __reduce__(self) -> tuple[Callable[..., IKResult], tuple[dict[str, Any]]]:
        return _from_values, ({name: getattr(self, name) for name in _PUBLIC},)

    def __repr__(self) -> str:
        return cut_to_line(
            f"IKResult({self.status.name}, success={self.success}, "
            f"position_error={self.position_error:.3g}, "
            f"orientation_error={self.orientation_error:.3g}, iterations={self.iterations}, "
            f"restarts={self.restarts}, q=[{words(self.q)}], message={self.message!r})"
        )


# How a solver wraps the state of a kernel that reached its target, without the cost of a call:
# result = new(IKResult); put_source(result, (model, objectives, state)). All else is read later.
new = object.__new__
put_source = IKResult.__dict__["_source"].__set__


def _from_values(values: dict[str, Any]) -> IKResult:
    """Rebuild a result; used by pickle and copy."""
    return IKResult(**values)


def _read(objectives: Sequence[Objective], state: FloatArray) -> dict[str, Any]:
    """Read all but the residuals out of the state of a converged solve."""
    totals = state[0].tolist()
    has_position, has_orientation = has_errors(objectives)
    position_error = totals[layout.POSITION_ERROR] if has_position else np.nan
    orientation_error = totals[layout.ORIENTATION_ERROR] if has_orientation else np.nan
    iterations = int(totals[layout.ITERATIONS])
    restarts = int(totals[layout.STARTS]) - 1
    return {
        "q": frozen(state[1:, layout.BEST].copy()),
        "success": True,
        "status": IKStatus.CONVERGED,
        "position_error": position_error,
        "orientation_error": orientation_error,
        "iterations": iterations,
        "restarts": restarts,
        "message": "converged" + reached_words(position_error, orientation_error),
    }


def reached_words(position_error: float, orientation_error: float) -> str:
    """Write the errors for a message: " within 1.2e-07 m and 3e-08 rad"."""
    parts = []
    if not np.isnan(position_error):
        parts.append(f"{position_error:.3g} m")
    if not np.isnan(orientation_error):
        parts.append(f"{orientation_error:.3g} rad")
    return f" within {' and '.join(parts)}" if parts else ""
