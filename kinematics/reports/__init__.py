"""What a model says of itself and of joint values: a page, doubts, limits."""

from .describe import describe, gear_ratios, gravity, name
from .limits import LimitViolation, check_limits, clip, continuous_efforts, has_position_limits
from .plausibility import check

__all__ = [
    "LimitViolation",
    "check",
    "check_limits",
    "clip",
    "continuous_efforts",
    "describe",
    "gear_ratios",
    "gravity",
    "has_position_limits",
    "name",
]
