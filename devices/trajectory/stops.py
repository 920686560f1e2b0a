"""How waypoints between the ends are passed: flowing, turning, or at rest."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from armwright.errors import TrajectoryError
from armwright.kinematics.arrays import BoolArray, FloatArray, one_of, short

Stop = Literal["flow", "turn", "stop"]
Stops = Stop | Sequence[Stop]

_WORDS = ("flow", "turn", "stop")


def stop_words(stop: Stops, m: int) -> list[str]:
    """Return one of the words for each of m waypoints."""
    if isinstance(stop, str):
        return [one_of(stop, _WORDS, "stop", TrajectoryError)] * m
    if not isinstance(stop, Sequence):
        raise TrajectoryError(
            f'stop: expected "flow", "turn" or "stop", or a list of them, got {short(stop)}'
        )
    if len(stop) != m:
        raise TrajectoryError(
            f"stop: expected one word, or {m}, one per waypoint, ends included, got {len(stop)}"
        )
    return [
        one_of(word, _WORDS, f"stop, waypoint {i}", TrajectoryError) for i, word in enumerate(stop)
    ]


def turns(places: FloatArray) -> BoolArray:
    """Return which joints turn round at a waypoint, or begin or end to stand, shape (m, n)."""
    steps = np.diff(places, axis=0)
    result = np.zeros(places.shape, dtype=bool)
    result[1:-1] = np.sign(steps[:-1]) * np.sign(steps[1:]) <= 0.0
    return result


def apply_stops(states: FloatArray, stop: Stops) -> None:
    """Fill in the velocities and accelerations that stops give, where they are NaN.

    Args:
        states: Position, velocity, acceleration per waypoint, shape (m, 3, n); changed.
        stop: One word or m.
    """
    words = stop_words(stop, len(states))
    inner = np.arange(len(states)) % (len(states) - 1) != 0
    rests = np.array([word == "stop" for word in words]) & inner
    turning = np.array([word == "turn" for word in words]) & inner
    velocities, accelerations = states[:, 1], states[:, 2]
    stands = np.broadcast_to(rests[:, None], velocities.shape)
    if turning.any():
        stands = stands | (turning[:, None] & turns(states[:, 0]))
    velocities[stands & np.isnan(velocities)] = 0.0
    accelerations[rests[:, None] & np.isnan(accelerations)] = 0.0
