"""When a motion within limits can be at each of its waypoints: estimates."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from armwright.errors import TrajectoryError
from armwright.kinematics.arrays import FloatArray, number

from .waypoints import limits, name_first, numbers

DEFAULT_SPEED = 1.0
"""Speed that estimates use for joints without a speed limit [rad/s or m/s]."""

TIME_TO_SPEED = 0.5
"""Estimates without acceleration limits assume that a joint is at full speed after this [s]."""

SHORTEST_SEGMENT = 0.01
"""Shortest time that an estimate gives a segment [s]."""


def estimate_times(
    positions: npt.ArrayLike,
    max_speeds: npt.ArrayLike,
    max_accelerations: npt.ArrayLike | None = None,
    *,
    start_time: float = 0.0,
) -> FloatArray:
    """Estimate when a motion within limits can be at each waypoint.

    Every segment takes as long as its slowest joint: t = 2 d/v (1 + 6.5 (v/a) exp(-2 d/v)) for a
    step d with the speed v and acceleration a, and 0.01 s at least. It is a guess that leaves
    room for speeding up and slowing down; ``Trajectory.within_limits`` makes a limit hold.

    Args:
        positions: Shape (m, n), or (m,) for one joint [rad or m].
        max_speeds: One number or shape (n,) [rad/s or m/s]; inf counts as 1.
        max_accelerations: The same; None or inf: full speed is reached in 0.5 s, a = 2 v.
        start_time: Time of the first waypoint [s].

    Returns:
        Times, shape (m,) [s].

    Raises:
        TrajectoryError: If there are fewer than two waypoints, or a number is out of range.
    """
    places = numbers(positions, "positions")
    if places.ndim == 1:
        places = places[:, None]
    if places.ndim != 2 or len(places) < 2:
        raise TrajectoryError(
            f"positions: expected at least 2 waypoints, shape (m, n), got {np.shape(positions)}"
        )
    name_first("positions", places, ~np.isfinite(places))
    start = number(start_time, "start_time", "a finite number", error=TrajectoryError)
    slowest = np.maximum(segment_times(places, max_speeds, max_accelerations), SHORTEST_SEGMENT)
    result: FloatArray = start + np.concatenate(([0.0], np.cumsum(slowest)))
    return result


def segment_times(
    places: FloatArray, max_speeds: npt.ArrayLike, max_accelerations: npt.ArrayLike | None
) -> FloatArray:
    """Return the estimate of each segment, without a shortest time, shape (m - 1,) [s]."""
    n = places.shape[1]
    v = limits("max_speeds", max_speeds, n)
    v = np.where(np.isinf(v), DEFAULT_SPEED, v)
    a = np.full(n, np.inf)
    if max_accelerations is not None:
        a = limits("max_accelerations", max_accelerations, n)
    a = np.where(np.isinf(a), v / TIME_TO_SPEED, a)
    with np.errstate(over="ignore", invalid="ignore"):
        ratio = 2.0 * np.abs(np.diff(places, axis=0)) / v  # (m - 1, n)
        times: FloatArray = ratio * (1.0 + 6.5 * (v / a) * np.exp(-ratio))
    if not np.isfinite(times).all():
        raise TrajectoryError(
            "max_speeds, max_accelerations: with limits that are so low the way takes for ever"
        )
    result: FloatArray = times.max(axis=1, initial=0.0)
    return result
