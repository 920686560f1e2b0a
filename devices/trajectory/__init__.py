"""Smooth motion through waypoints: minimum-jerk curves, the times they need, and plans."""

from .cursor import Cursor
from .model_limits import Violation, limit_violation
from .planning import plan
from .timing import DEFAULT_SPEED, SHORTEST_SEGMENT, TIME_TO_SPEED, estimate_times
from .trajectory import Trajectory, minimum_jerk

__all__ = [
    "DEFAULT_SPEED",
    "SHORTEST_SEGMENT",
    "TIME_TO_SPEED",
    "Cursor",
    "Trajectory",
    "Violation",
    "estimate_times",
    "limit_violation",
    "minimum_jerk",
    "plan",
]
