"""Smooth motion through waypoints: minimum-jerk curves, the times they need, and plans."""

from .cursor import Cursor
from .planning import plan
from .trajectory import (
    DEFAULT_SPEED,
    SHORTEST_SEGMENT,
    TIME_TO_SPEED,
    Trajectory,
    estimate_times,
    minimum_jerk,
)

__all__ = [
    "DEFAULT_SPEED",
    "SHORTEST_SEGMENT",
    "TIME_TO_SPEED",
    "Cursor",
    "Trajectory",
    "estimate_times",
    "minimum_jerk",
    "plan",
]
