"""A small plot of a recording: where every joint was told to be, and where it was, over time."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from armwright.errors import DrawingError
from armwright.reprs import short

from .palette import TARGET, TEXT
from .solids import FloatArray

_INCHES = (8.0, 1.6)  # width of a figure, and height for each joint
_LINE = 1.4


class Recording(Protocol):
    """What is drawn: one row per feedback, as ``devices.follow`` returns it."""

    @property
    def times(self) -> FloatArray:
        """Shape (k,) [s]."""

    @property
    def commanded(self) -> FloatArray:
        """Positions, shape (k, size) [rad or m]."""

    @property
    def measured(self) -> FloatArray:
        """Positions, shape (k, size) [rad or m]."""

    @property
    def joint_names(self) -> Sequence[str]:
        """Names of the joints; none: they are numbered."""

    @property
    def units(self) -> Sequence[str]:
        """Unit of the positions of each joint; none: "rad or m"."""


def plot_recording(recording: Recording, axes: Any = None) -> Any:
    """Draw commanded and measured position of every joint over time; nothing is shown.

    Args:
        recording: What ``devices.follow`` returned.
        axes: One pair of Matplotlib axes per joint, to draw into; None makes a new figure that
            pyplot does not know of.

    Returns:
        The axes, shape (size,); ``axes[0].figure`` is the figure.

    Raises:
        DrawingError: If there are no joints, or the axes are not one per joint.

    Example:
        >>> import armwright as aw
        >>> model = aw.ArmBuilder().actuator("X5-4", tag="base").build()
        >>> move = aw.devices.plan(model, [[0.0], [1.0]])
        >>> with aw.devices.simulate(model) as group:
        ...     recording = aw.devices.follow(group, model, move)
        >>> recording.plot()[0].get_ylabel()
        'base [rad]'
    """
    if not hasattr(recording, "commanded") or isinstance(recording, type):
        raise DrawingError(f"plot_recording: expected a Recording, got {short(recording)}")
    size = recording.commanded.shape[1]
    if not size:
        raise DrawingError("plot_recording: got a recording of no joints, expected at least one")
    drawn = _new_axes(size) if axes is None else np.atleast_1d(np.asarray(axes, dtype=object))
    if drawn.shape != (size,):
        raise DrawingError(
            f"plot_recording: axes: got shape {drawn.shape}, expected one for each of {size} joints"
        )
    if not all(hasattr(ax, "set_ylabel") for ax in drawn):
        raise DrawingError(f"plot_recording: axes: expected Matplotlib axes, got {short(axes)}")
    names = recording.joint_names or [f"joint {number}" for number in range(size)]
    units = recording.units or ["rad or m"] * size
    for joint, ax in enumerate(drawn):
        told, was = recording.commanded[:, joint], recording.measured[:, joint]
        ax.plot(recording.times, told, color=TARGET, lw=_LINE, ls="--", label="commanded")
        ax.plot(recording.times, was, color=TEXT, lw=_LINE, label="measured")
        ax.set_ylabel(f"{names[joint]} [{units[joint]}]")
    drawn[-1].set_xlabel("time [s]")
    drawn[0].legend(loc="best", fontsize=8, frameon=False)
    return drawn


def _new_axes(size: int) -> Any:
    """Make axes below one another, in a figure that pyplot does not know of."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    width, height = _INCHES
    figure = Figure(figsize=(width, height * size + 0.6), layout="constrained")
    FigureCanvasAgg(figure)
    return np.atleast_1d(figure.subplots(size, 1, sharex=True))
