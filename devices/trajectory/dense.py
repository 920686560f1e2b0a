"""Times of waypoints that lie densely, as a recording has them: the way counts, not its rows.

The path is measured by the time that it takes at full speed, sigma. The arm starts and ends at
rest; between, its pace d sigma / dt is 1 at most, grows and falls by what the accelerations allow,
and is so low in bends that no joint has to change its velocity more quickly than they allow. Found
in one pass forward and one backward. The whole then takes as long as estimates for single segments
say, added up without their shortest time, if that is longer.
"""

import numpy as np
import numpy.typing as npt

from armwright.kinematics.arrays import FloatArray

from .timing import SHORTEST_SEGMENT, TIME_TO_SPEED, segment_times
from .waypoints import limits

_SHORT = 0.15  # a segment that would take less belongs to a dense path [s]
_FEW = 5  # so many of them make one
_CORNER = 0.05  # a bend spreads over so much of the path at most [s at full speed]
_LEAST = 1e-3  # shortest segment, as a part of the mean one


def is_dense(
    places: FloatArray, speeds: FloatArray, max_accelerations: npt.ArrayLike | None
) -> bool:
    """Tell whether waypoints, shape (m, n), lie so densely that single segments say little."""
    times = segment_times(places, speeds, max_accelerations)
    moving = (np.diff(places, axis=0) != 0.0).any(axis=1)
    return int(((times < _SHORT) & moving).sum()) >= _FEW


def dense_times(
    places: FloatArray,
    speeds: FloatArray,
    max_accelerations: npt.ArrayLike | None,
    words: list[str],
) -> FloatArray:
    """Return the time of each waypoint from the first on, shape (m,) [s].

    Args:
        places: Shape (m, n).
        speeds: Shape (n,), finite.
        max_accelerations: One number, shape (n,) or None: full speed is reached in 0.5 s.
        words: How each waypoint is passed; at "stop" the path rests.
    """
    n = places.shape[1]
    a = np.full(n, np.inf)
    if max_accelerations is not None:
        a = limits("max_accelerations", max_accelerations, n)
    a = np.where(np.isinf(a), speeds / TIME_TO_SPEED, a)
    steps = np.diff(places, axis=0)
    sigma = (np.abs(steps) / speeds).max(axis=1)  # (m - 1,)
    stands = sigma == 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        u = np.where(stands[:, None], 0.0, steps / sigma[:, None])  # velocity at full pace
        gains = (a / np.abs(u)).min(axis=1, initial=np.inf)  # how quickly the pace changes [1/s]
        around = np.minimum(sigma, _CORNER)
        room = 0.5 * (around[:-1] + around[1:])
        bends = (a / np.abs(np.diff(u, axis=0))).min(axis=1, initial=np.inf) * room
    squared = np.ones(len(places))  # of the pace at each waypoint
    squared[1:-1] = np.minimum(1.0, bends)
    squared[[0, -1]] = 0.0
    squared[[word == "stop" for word in words]] = 0.0
    squared[:-1][stands] = 0.0
    squared[1:][stands] = 0.0
    gains = np.where(stands, 1.0, gains)
    rise = 2.0 * gains * sigma
    for i in range(len(rise)):
        squared[i + 1] = min(squared[i + 1], squared[i] + rise[i])
    for i in reversed(range(len(rise))):
        squared[i] = min(squared[i], squared[i + 1] + rise[i])
    times = np.where(stands, 0.0, _times(sigma, gains, squared))
    wanted = float(segment_times(places, speeds, max_accelerations).sum())
    total = float(times.sum())
    times = np.maximum(times * max(1.0, wanted / total), _LEAST * max(total, wanted) / len(times))
    times[stands] = np.maximum(times[stands], _standing(stands))
    return np.concatenate(([0.0], np.cumsum(times)))


def _times(sigma: FloatArray, gains: FloatArray, squared: FloatArray) -> FloatArray:
    """Return how long each segment takes: faster to a peak, along at it, slower to the next."""
    begins, ends = np.sqrt(squared[:-1]), np.sqrt(squared[1:])
    peak = np.sqrt(np.minimum(1.0, 0.5 * (squared[:-1] + squared[1:]) + gains * sigma))
    peak = np.maximum(peak, np.maximum(begins, ends))
    along = sigma - (2.0 * peak**2 - squared[:-1] - squared[1:]) / (2.0 * gains)
    with np.errstate(divide="ignore", invalid="ignore"):
        level = np.where(peak > 0.0, np.maximum(along, 0.0) / peak, 0.0)
    result: FloatArray = (2.0 * peak - begins - ends) / gains + level
    return result


def _standing(stands: npt.NDArray[np.bool_]) -> FloatArray:
    """Return the time of each repeated row: 0.01 s for a few in a row, 1 ms each for many."""
    numbers = np.flatnonzero(stands)
    runs = np.split(numbers, np.flatnonzero(np.diff(numbers) > 1) + 1)
    return np.concatenate(
        [np.full(len(run), max(SHORTEST_SEGMENT / max(1, len(run)), 1e-3)) for run in runs]
    )
