"""Checks of what people hand to the planner; every refusal names the waypoint and the joint."""

from typing import Any

import numpy as np
import numpy.typing as npt

from armwright.errors import TrajectoryError
from armwright.kinematics.arrays import (
    BoolArray,
    FloatArray,
    as_array,
    check_each,
    row,
    true_or_false,
)


def numbers(values: Any, what: str) -> FloatArray:
    """Convert to a fresh float64 array, or say what is wrong."""
    return as_array(values, (...,), what, TrajectoryError, most=None)


def table(values: npt.ArrayLike, what: str, *, joints_first: bool) -> FloatArray:
    """Return one row per waypoint; one number per waypoint is one joint."""
    given = numbers(values, what)
    if given.ndim == 1:
        return given[:, None]
    if true_or_false(joints_first, "joints_first", TrajectoryError):
        return np.ascontiguousarray(given.T)
    return given


def check_times(times: FloatArray) -> None:
    """Refuse times that no trajectory can have, naming the waypoint."""
    if times.ndim != 1 or len(times) < 2:
        raise TrajectoryError(
            f"times: expected at least 2 waypoints, shape (m,), got shape {times.shape}"
        )
    name_first("times", times, ~np.isfinite(times))
    late = np.flatnonzero(times[1:] <= times[:-1])
    if len(late):
        i = int(late[0])
        raise TrajectoryError(
            f"times, waypoint {i + 1}: expected a time after {times[i]:.9g} s of waypoint {i}, "
            f"got {times[i + 1]:.9g} s"
        )


def as_places(
    values: npt.ArrayLike, places: FloatArray, what: str, *, joints_first: bool
) -> FloatArray:
    """Return velocities or accelerations in the shape of the positions."""
    given = table(values, what, joints_first=joints_first)
    if given.shape != places.shape:
        wanted = places.T.shape if joints_first else places.shape
        raise TrajectoryError(f"{what}: expected shape {wanted}, got {np.shape(values)}")
    return given


def check_states(states: FloatArray, *, free_positions: bool) -> None:
    """Refuse infinities, and NaN where it does not mean "free"."""
    for i, what in enumerate(("positions", "velocities", "accelerations")):
        name_first(what, states[:, i], np.isinf(states[:, i]))
    if not free_positions:
        places = states[:, 0]
        hint = "free_positions=True leaves it to the planner"
        name_first("positions", places, np.isnan(places), hint)


def name_first(what: str, values: FloatArray, bad: BoolArray, hint: str = "") -> None:
    """Raise for the first bad number, naming its waypoint and joint."""
    axes = ("waypoint", "joint")[: values.ndim]
    check_each(values, ~bad, what, "a finite number", TrajectoryError, axes=axes, hint=hint)


def limits(what: str, values: npt.ArrayLike, n: int) -> FloatArray:
    """Return positive limits of n joints, from one number or n; inf is allowed."""
    bounds = row(values, n, what, TrajectoryError, one_for_all=True)
    check_each(bounds, bounds > 0.0, what, "a limit above 0", TrajectoryError, axes=("joint",))
    return bounds
