"""A model and objectives laid out for the kernels: one table, and what is looked up once."""

from .arguments import check_model, check_objectives, one_or_each
from .limits import combine_limits, fit_into
from .program import (
    GENERAL,
    POSITION_TOLERANCE,
    Program,
    compile_program,
    fill_in,
    pose_of,
    with_compromise,
    with_limits,
    with_seed,
    without_limits,
)
from .rows import LEAST_IN_SEARCH, LEAST_WEIGHT, relative_weight
from .scaling import scaling
from .starts import strides
from .target import CHAIN_ORIGIN, Target, objective_at

__all__ = [
    "CHAIN_ORIGIN",
    "GENERAL",
    "LEAST_IN_SEARCH",
    "LEAST_WEIGHT",
    "POSITION_TOLERANCE",
    "Program",
    "Target",
    "check_model",
    "check_objectives",
    "combine_limits",
    "compile_program",
    "fill_in",
    "fit_into",
    "objective_at",
    "one_or_each",
    "pose_of",
    "relative_weight",
    "scaling",
    "strides",
    "with_compromise",
    "with_limits",
    "with_seed",
    "without_limits",
]
