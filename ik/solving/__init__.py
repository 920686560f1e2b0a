"""Search for joint positions that meet objectives, and say what was found."""

from .batch import BatchResult, solve_batch
from .options import check_options
from .problem import IKProblem
from .residuals import has_errors, largest_errors, residuals
from .result import IKResult, IKStatus, reached_words
from .solver import solve
from .targets import call_numbered, target_array

__all__ = [
    "BatchResult",
    "IKProblem",
    "IKResult",
    "IKStatus",
    "call_numbered",
    "check_options",
    "has_errors",
    "largest_errors",
    "reached_words",
    "residuals",
    "solve",
    "solve_batch",
    "target_array",
]
