"""Simulated modules behind the same protocol as real ones."""

from .faults import FaultyGroup
from .group import Physics, SimulatedGroup
from .ideal import IdealPhysics
from .making import simulate

__all__ = ["FaultyGroup", "IdealPhysics", "Physics", "SimulatedGroup", "simulate"]
