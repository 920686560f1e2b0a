"""A robot at one moment, and everything that follows from it."""

from .robot_state import RobotState, _rebuild

__all__ = ["RobotState", "_rebuild"]
