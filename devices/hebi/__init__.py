"""Real modules, and imitated ones, through hebi-py: the one room that imports it."""

from .connecting import connect, imitate
from .group import HebiGroup

__all__ = ["HebiGroup", "connect", "imitate"]
