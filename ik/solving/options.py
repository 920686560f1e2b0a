"""The options of a solve, checked."""

import math
from typing import NamedTuple

import numpy as np

from armwright.errors import ObjectiveError
from armwright.ik.checks import number

# What the options are when nobody says; ``solve`` knows these very objects without a look.
POSITION_TOLERANCE = 1e-6
ORIENTATION_TOLERANCE = 1e-5
MAX_STARTS = 300
RANDOM_SEED = 0


class Options(NamedTuple):
    """How long and how exactly to search.

    Attributes:
        position_tolerance: The search stops below it [m].
        orientation_tolerance: The search stops below it [rad].
        max_starts: Most starts, the seed included.
        random_seed: Of the starts after the first.
        time_limit: Wall-clock time after which the search ends [s]; None for no limit.
    """

    position_tolerance: float
    orientation_tolerance: float
    max_starts: int
    random_seed: int
    time_limit: float | None

    @property
    def tolerances(self) -> tuple[float, float]:
        """Of position [m] and orientation [rad]."""
        return self.position_tolerance, self.orientation_tolerance


def check_options(
    position_tolerance: object,
    orientation_tolerance: object,
    max_starts: object,
    random_seed: object,
    time_limit: object,
) -> Options:
    """Convert and check the options.

    Raises:
        ObjectiveError: If one is not usable.
    """
    starts = _whole("max_starts", max_starts)
    if starts < 1:
        raise ObjectiveError(f"solve: max_starts is {starts}, expected at least 1 (the seed)")
    limit = None
    if time_limit is not None:
        limit = number("solve", "time_limit", time_limit)
        if not limit > 0.0:
            raise ObjectiveError(
                f"solve: time_limit is {limit:g}, expected a positive number of seconds or None"
            )
    return Options(
        _tolerance("position_tolerance", position_tolerance),
        _tolerance("orientation_tolerance", orientation_tolerance),
        min(starts, 2**31),
        _whole("random_seed", random_seed),
        limit,
    )


def _tolerance(name: str, value: object) -> float:
    """Check a tolerance."""
    tolerance = number("solve", name, value)
    if not 0.0 < tolerance < math.inf:
        raise ObjectiveError(f"solve: {name} is {tolerance:g}, expected a positive number")
    return tolerance


def _whole(name: str, value: object) -> int:
    """Check a whole number."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ObjectiveError(f"solve: {name} is {value!r}, expected a whole number")
    return int(value)
