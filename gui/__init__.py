"""Let me see it: drawings of a robot, headless, into Matplotlib axes.

Matplotlib is imported by the first drawing, not by importing this folder.
"""

from .plot import plot_model
from .save import save_picture

__all__ = ["plot_model", "save_picture"]
