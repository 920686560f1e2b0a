"""Let me see it: drawings of a robot, headless, into Matplotlib axes.

Matplotlib is imported by the first drawing, not by importing this folder.
"""

from armwright.hooks import register as _register

from .plot import plot_model
from .recording_plot import plot_recording
from .save import save_picture

__all__ = ["plot_model", "plot_recording", "save_picture"]

_register("plot_model", plot_model)
_register("plot_recording", plot_recording)
