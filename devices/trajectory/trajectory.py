"""Smooth motion through waypoints: minimum-jerk trajectories.

A trajectory passes every waypoint at its time, and moves between them with the least integral of
squared jerk. It starts and ends at rest unless told otherwise. Before its start and after its end
a trajectory stands: the position of that end, velocity and acceleration 0.

Times are seconds, positions rad or m; one column per joint.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from armwright.copies import stays_read_only
from armwright.errors import TrajectoryError
from armwright.kinematics.arrays import (
    POSITIVE,
    FloatArray,
    as_array,
    frozen,
    number,
    true_or_false,
)
from armwright.kinematics.hebi_names import answers_hebi_names

from . import extremes, quintic
from .stops import Stops, apply_stops
from .waypoints import as_places, check_states, check_times, limits, numbers, table

_SHORTEST, _LONGEST = 1e-100, 1e100  # segments whose squares are good numbers [s]
_MISSED = 1e-6  # how far, absolute and relative, rounding may take a curve from a waypoint


@answers_hebi_names
@stays_read_only
@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """Positions, velocities and accelerations of all joints as functions of time.

    Make one with ``minimum_jerk``.

    Attributes:
        times: Time of each waypoint, increasing, shape (m,) [s].
        waypoints: State at each waypoint, shape (m, 3, n): position, velocity, acceleration.

    Example:
        >>> move = minimum_jerk([0, 2], [[0.0], [1.0]])
        >>> position, velocity, acceleration = move.state(1.0)
        >>> float(position[0]), float(velocity[0])
        (0.5, 0.9375)
    """

    times: FloatArray
    waypoints: FloatArray
    _polynomials: FloatArray

    def __reduce__(self) -> tuple[object, tuple[FloatArray, ...]]:
        """Copies and pickles are read-only as well, which arrays forget."""
        return _read_only, (self.times, self.waypoints, self._polynomials)

    @property
    def start_time(self) -> float:
        """Time of the first waypoint [s]."""
        return float(self.times[0])

    @property
    def end_time(self) -> float:
        """Time of the last waypoint [s]."""
        return float(self.times[-1])

    @property
    def duration(self) -> float:
        """Time from the first waypoint to the last [s]."""
        return self.end_time - self.start_time

    @property
    def size(self) -> int:
        """Number of joints."""
        return int(self.waypoints.shape[2])

    def state(self, t: npt.ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return where the joints are at a time, or at many.

        Before the start and after the end: the position of that end, with velocity and
        acceleration 0, whatever they are at the end itself.

        Args:
            t: Time [s], one number or shape (k,).

        Returns:
            Position, velocity and acceleration, each of shape (n,), or (k, n) for many times.

        Raises:
            TrajectoryError: If a time is not a finite number.
        """
        given = as_array(t, (...,), "state, t", TrajectoryError)
        if given.ndim > 1:
            raise TrajectoryError(
                f"state, t: expected one time or shape (k,), got shape {given.shape}"
            )
        at = np.atleast_1d(given)
        segment = np.clip(np.searchsorted(self.times, at, side="right") - 1, 0, len(self.times) - 2)
        length = np.diff(self.times)[segment]
        s = np.clip((at - self.times[segment]) / length, 0.0, 1.0)
        position, velocity, acceleration = quintic.evaluate(self._polynomials[segment], s, length)
        outside = (at < self.times[0]) | (at > self.times[-1])
        velocity[outside] = 0.0
        acceleration[outside] = 0.0
        if given.ndim == 0:
            return position[0], velocity[0], acceleration[0]
        return position, velocity, acceleration

    def max_speeds(self) -> FloatArray:
        """Return the largest speed that each joint reaches, shape (n,) [rad/s or m/s]."""
        return extremes.largest(self._polynomials, 1, np.diff(self.times))

    def max_accelerations(self) -> FloatArray:
        """Return the largest acceleration, up or down, of each joint, shape (n,)."""
        return extremes.largest(self._polynomials, 2, np.diff(self.times))

    def position_range(self) -> FloatArray:
        """Return the smallest and largest position of each joint, shape (2, n)."""
        return np.stack(extremes.extremes(self._polynomials, 0, np.diff(self.times)))

    def rescale(self, factor: float) -> Trajectory:
        """Return the same path in ``factor`` times the time, from the same start.

        Raises:
            TrajectoryError: If the factor is not a positive finite number, or the times that
                follow from it are too close together or too far apart.
        """
        factor = number(factor, "rescale", "a factor above 0", low=POSITIVE, error=TrajectoryError)
        times = self.start_time + (self.times - self.start_time) * factor
        _check_lengths(times)
        with np.errstate(over="ignore"):  # what is not finite is refused
            slower = self.waypoints * np.float64(factor) ** -np.arange(3.0)[:, None]
        return _make(times, slower, self._polynomials)

    def within_limits(
        self, max_speeds: npt.ArrayLike, max_accelerations: npt.ArrayLike | None = None
    ) -> Trajectory:
        """Slow the whole trajectory down, just as much as the limits need; never speed it up.

        Args:
            max_speeds: One number or shape (n,) [rad/s or m/s]; inf is no limit.
            max_accelerations: The same for accelerations; None is no limit.

        Returns:
            The trajectory itself when it keeps the limits, else one that reaches the tightest
            of them exactly.

        Raises:
            TrajectoryError: If a limit is not positive.
        """
        speeds = limits("within_limits, max_speeds", max_speeds, self.size)
        with np.errstate(over="ignore"):  # rescale refuses what is not finite
            factor = float(np.max(self.max_speeds() / speeds, initial=1.0))
        if max_accelerations is not None:
            bounds = limits("within_limits, max_accelerations", max_accelerations, self.size)
            with np.errstate(over="ignore"):
                most = float(np.max(self.max_accelerations() / bounds, initial=0.0))
            factor = max(factor, math.sqrt(most))
        return self if factor == 1.0 else self.rescale(factor)

    def __repr__(self) -> str:
        return (
            f"Trajectory({len(self.times)} waypoints, {self.size} joints, "
            f"{self.start_time:.6g} to {self.end_time:.6g} s)"
        )


def minimum_jerk(
    times: npt.ArrayLike,
    positions: npt.ArrayLike,
    velocities: npt.ArrayLike | None = None,
    accelerations: npt.ArrayLike | None = None,
    *,
    free_positions: bool = False,
    stop: Stops = "flow",
    joints_first: bool = False,
) -> Trajectory:
    """Plan the smoothest motion through waypoints at given times.

    Velocities and accelerations that are NaN are free: they take the values that make the
    integral of the squared jerk over the whole motion smallest. Where None is given, they are 0
    at both ends and, as ``stop`` says, free between. What is free swings beyond its waypoints: a
    curve that comes down to a waypoint and goes up again passes it with a velocity, below it or
    above.

    Args:
        times: Increasing, shape (m,) with m of at least 2 [s].
        positions: Shape (m, n), or (m,) for one joint [rad or m].
        velocities: The same shape, or None [rad/s or m/s].
        accelerations: The same shape, or None [rad/s^2 or m/s^2].
        free_positions: Let a position that is NaN be free too, instead of an error.
        stop: How waypoints between the ends are passed, one word for all or one per waypoint:
            "flow" leaves their velocities and accelerations free; "turn" lets each joint that
            turns round there, or begins or ends to stand, have velocity 0; "stop" is at rest. What
            is given by ``velocities`` and ``accelerations`` goes first.
        joints_first: Positions, velocities and accelerations have one column per waypoint, shape
            (n, m), as hebi-py has them.

    Returns:
        The trajectory.

    Raises:
        TrajectoryError: If there are fewer than two waypoints, times do not increase, shapes
            disagree, numbers are not finite, or so little is given that no single curve follows.

    References:
        Flash and Hogan, The coordination of arm movements, J. Neuroscience 5, 1985: least
        squared jerk gives quintics.
    """
    at = numbers(times, "times")
    check_times(at)
    places = table(positions, "positions", joints_first=joints_first)
    if places.ndim != 2 or len(places) != len(at):
        hint = ""
        if places.ndim == 2 and places.shape[1] == len(at):
            hint = (
                ". One row of joint positions per waypoint; joints_first=True takes one column "
                "per waypoint, as hebi-py has them"
            )
        raise TrajectoryError(
            f"positions: expected {len(at)} waypoints, one row per time, shape ({len(at)}, n), "
            f"got shape {np.shape(positions)}{hint}"
        )
    rest = np.full_like(places, np.nan)
    rest[[0, -1]] = 0.0
    rates = [
        rest.copy() if given is None else as_places(given, places, what, joints_first=joints_first)
        for given, what in ((velocities, "velocities"), (accelerations, "accelerations"))
    ]
    states = np.stack((places, *rates), axis=1)
    apply_stops(states, stop)
    free = true_or_false(free_positions, "minimum_jerk, free_positions", TrajectoryError)
    check_states(states, free_positions=free)
    _check_lengths(at)
    try:
        with np.errstate(all="ignore"):  # what is not finite is refused below
            solved = quintic.solve_open_values(at, states)
            polynomials = quintic.coefficients(at, solved)
    except np.linalg.LinAlgError:
        raise TrajectoryError(
            "waypoints: too little is given to determine the motion; give more positions, or "
            "velocities and accelerations at the ends"
        ) from None
    rounding = np.abs(polynomials).max(axis=1) * np.finfo(np.float64).eps  # of a sum of the terms
    if (rounding > _MISSED * (1.0 + np.abs(solved[1:, 0]))).any():
        lengths = np.diff(at)
        raise TrajectoryError(
            f"times: segments of {lengths.min():.3g} s and {lengths.max():.3g} s are too different "
            "for one curve; leave out waypoints that are almost at the same time"
        )
    return _make(at, solved, polynomials)


def _check_lengths(times: FloatArray) -> None:
    """Refuse segments whose speeds and accelerations cannot be computed in double precision."""
    with np.errstate(over="ignore"):
        lengths = np.diff(times)
    if not (lengths.min() > _SHORTEST and lengths.max() < _LONGEST):
        raise TrajectoryError(
            f"times: expected segments of {_SHORTEST:g} to {_LONGEST:g} s, "
            f"got {lengths.min():.3g} to {lengths.max():.3g} s"
        )


def _read_only(times: FloatArray, waypoints: FloatArray, polynomials: FloatArray) -> Trajectory:
    """Make a trajectory of arrays that come from another one."""
    return Trajectory(frozen(times), frozen(waypoints), frozen(polynomials))


def _make(times: FloatArray, waypoints: FloatArray, polynomials: FloatArray) -> Trajectory:
    """Make a trajectory of arrays that nobody else holds, all finite."""
    _check_lengths(times)
    with np.errstate(over="ignore"):
        accelerations = np.abs(polynomials).max(initial=0.0) * 20.0 / np.diff(times).min() ** 2
    if not (np.isfinite(waypoints).all() and np.isfinite(accelerations)):
        raise TrajectoryError(
            "positions and times: the motion is so large or so fast that its accelerations are "
            "not finite"
        )
    return Trajectory(frozen(times), frozen(waypoints), frozen(polynomials))
