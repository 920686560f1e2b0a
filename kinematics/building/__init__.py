"""Robots made in code: arms part by part, and any tree."""

from .arm_builder import ArmBuilder
from .model_builder import ModelBuilder

__all__ = [
    "ArmBuilder",
    "ModelBuilder",
]
