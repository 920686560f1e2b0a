"""The state of a trajectory at one time after another, as control loops ask for it."""

from __future__ import annotations

import math
from bisect import bisect_right

import numpy as np

from armwright.errors import TrajectoryError
from armwright.kinematics.arrays import (
    FloatArray,
    number,
)
from armwright.reprs import short

from .trajectory import Trajectory


class Cursor:
    """Reads a trajectory at one path time at a time, ten times as quickly as ``Trajectory.state``.

    Args:
        trajectory: The trajectory.

    Example:
        >>> from armwright.devices.trajectory import minimum_jerk
        >>> position, velocity, _ = Cursor(minimum_jerk([5, 7], [[0.0], [1.0]])).at(1.0)
        >>> float(position[0]), float(velocity[0])
        (0.5, 0.9375)
    """

    def __init__(self, trajectory: Trajectory) -> None:
        if not isinstance(trajectory, Trajectory):
            raise TrajectoryError(f"Cursor: expected a Trajectory, got {short(trajectory)}")
        self._starts: list[float] = (trajectory.times - trajectory.start_time).tolist()
        self._lengths: list[float] = np.diff(trajectory.times).tolist()
        self._polynomials = tuple(np.ascontiguousarray(one) for one in trajectory._polynomials)
        self._duration = trajectory.duration

    def __repr__(self) -> str:
        return f"Cursor({len(self._lengths)} segments, {self._duration:.6g} s)"

    def at(self, s: float) -> FloatArray:
        """Return where the joints are; before the start and after the end they stand.

        Args:
            s: Time since the start of the trajectory [s].

        Returns:
            Position, velocity and acceleration, shape (3, n).
        """
        if s.__class__ is not float:
            s = number(s, "at", "seconds", low=-math.inf, high=math.inf, error=TrajectoryError)
        last = len(self._lengths) - 1
        segment = min(max(bisect_right(self._starts, s) - 1, 0), last)
        length = self._lengths[segment]
        x = min(max((s - self._starts[segment]) / length, 0.0), 1.0)
        x2 = x * x
        x3 = x2 * x
        x4 = x2 * x2
        u = 1.0 / length if 0.0 <= s <= self._duration else 0.0
        w = u * u
        powers = np.array(
            (
                (1.0, x, x2, x3, x4, x2 * x3),
                (0.0, u, 2 * u * x, 3 * u * x2, 4 * u * x3, 5 * u * x4),
                (0.0, 0.0, 2 * w, 6 * w * x, 12 * w * x2, 20 * w * x3),
            )
        )
        state: FloatArray = powers @ self._polynomials[segment]
        return state
