"""How one step of a tracker ended."""

from enum import Enum


class TrackStatus(Enum):
    """Whether a target was met, or what holds the joints back.

    Attributes:
        REACHED: The target is met.
        STEP: Too far away for one step; the next one comes nearer.
        SINGULAR: Near, but at a nearly singular pose joints must move further than their steps.
        LIMIT: A joint limit is in the way.
        STUCK: No joint motion comes nearer: out of reach, or only on another branch.
        FLIP: Found by ``track`` and ``Tracker.explain``: only another branch meets the target.
        UNREACHABLE: Found by the same: no joint positions meet the target.
    """

    REACHED = 0
    STEP = 1
    SINGULAR = 2
    LIMIT = 3
    STUCK = 4
    FLIP = 5
    UNREACHABLE = 6
