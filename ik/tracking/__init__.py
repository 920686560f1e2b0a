"""Follow targets on one branch, step by step."""

from .status import TrackStatus
from .track import track
from .tracker import Tracker

__all__ = [
    "TrackStatus",
    "Tracker",
    "track",
]
