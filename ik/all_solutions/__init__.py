"""Every posture that puts a frame at a pose."""

from .solve_all import AllSolutions, solve_all

__all__ = [
    "AllSolutions",
    "solve_all",
]
