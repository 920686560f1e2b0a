"""The options of a solve, checked."""

import math
from typing import NamedTuple

import numpy as np

from armwright.errors import ObjectiveError
from armwright.kinematics.arrays import POSITIVE, number, short, whole_number

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
    starts = whole_number(max_starts, "max_starts", 1, ObjectiveError)  # the seed is one
    limit = None
    if time_limit is not None:
        limit = number(
            time_limit,
            "time_limit",
            "a positive number of seconds or None",
            low=POSITIVE,
            high=math.inf,
            error=ObjectiveError,
        )
    return Options(
        number(position_tolerance, "position_tolerance", low=POSITIVE, error=ObjectiveError),
        number(orientation_tolerance, "orientation_tolerance", low=POSITIVE, error=ObjectiveError),
        min(starts, 2**31),
        _any_whole_number(random_seed, "random_seed"),
        limit,
    )


def _any_whole_number(value: object, name: str) -> int:
    """Return a whole number of either sign."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ObjectiveError(f"{name}: expected a whole number, got {short(value)}")
    return int(value)
