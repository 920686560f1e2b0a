"""A model and objectives laid out for the kernels: one flat table."""

from .limits import combined_limits, fit_into
from .program import (
    GENERAL,
    Program,
    compile_program,
    filled,
    pose_of,
    with_compromise,
    with_limits,
    with_seed,
    without_limits,
)
from .rows import LEAST_IN_SEARCH, LEAST_WEIGHT, relative_weight
from .scaling import scaling
from .secondary import secondary_residual
from .target import Target, frame_objective

__all__ = [
    "GENERAL",
    "LEAST_IN_SEARCH",
    "LEAST_WEIGHT",
    "Program",
    "Target",
    "combined_limits",
    "compile_program",
    "filled",
    "fit_into",
    "frame_objective",
    "pose_of",
    "relative_weight",
    "scaling",
    "secondary_residual",
    "with_compromise",
    "with_limits",
    "with_seed",
    "without_limits",
]
