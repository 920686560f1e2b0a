"""The control loop: drive a group along a trajectory, and remember what it did."""

from .loop import follow
from .recording import Recording

__all__ = ["Recording", "follow"]
