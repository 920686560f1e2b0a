"""Joint velocities for wanted twists, and how well a frame can be moved."""

from .manipulability import Manipulability, manipulability
from .velocity import twist, velocity

__all__ = [
    "Manipulability",
    "manipulability",
    "twist",
    "velocity",
]
