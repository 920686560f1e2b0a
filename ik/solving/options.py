"""The options of a solve, checked."""

import math
from typing import NamedTuple

from armwright.errors import ObjectiveError
from armwright.ik.program import POSITION_TOLERANCE as POSITION_TOLERANCE
from armwright.kinematics.arrays import POSITIVE, number, whole_number

# What the options are when nobody says; ``solve`` knows these very objects without a look.
ORIENTATION_TOLERANCE = 1e-5
MAX_STARTS = 300
RANDOM_SEED = 0

# What is more says nothing, or would never end.
MOST_POSITION_TOLERANCE = 1e3  # m; as in ``_kernels/joints.py``
MOST_STARTS = 10**9

FIRST_STARTS = 16  # before the first look at Ctrl-C: far more than near targets take


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


def first_starts(max_starts: object) -> int:
    """Return how many starts come before the first look around; 0 when the number is in doubt."""
    if type(max_starts) is int and 0 < max_starts <= MOST_STARTS:
        return min(max_starts, FIRST_STARTS)
    return 0


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
    if starts > MOST_STARTS:
        shown = starts if starts < 10**30 else "far more"  # whose digits may be too many
        raise ObjectiveError(f"max_starts: expected at most {MOST_STARTS}, got {shown}")
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
        number(
            position_tolerance,
            "position_tolerance",
            low=POSITIVE,
            high=MOST_POSITION_TOLERANCE,
            error=ObjectiveError,
        ),
        number(
            orientation_tolerance,
            "orientation_tolerance",
            low=POSITIVE,
            high=math.pi,
            error=ObjectiveError,
        ),
        starts,
        whole_number(random_seed, "random_seed", None, ObjectiveError, expected="a whole number"),
        limit,
    )
