"""Search for joint positions that meet objectives, and say what was found."""

from .batch import BatchResult, solve_batch
from .options import checked
from .problem import IKProblem, check_kinds
from .residuals import largest_errors, residuals
from .result import IKResult, IKStatus, reached_words
from .solver import solve

__all__ = [
    "BatchResult",
    "IKProblem",
    "IKResult",
    "IKStatus",
    "check_kinds",
    "checked",
    "largest_errors",
    "reached_words",
    "residuals",
    "solve",
    "solve_batch",
]
