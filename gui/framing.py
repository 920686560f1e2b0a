"""Point the view at what is drawn, and make it fill the panel: cubic limits, so nothing is bent."""

from typing import Any

import numpy as np

from .artist import project, viewer
from .solids import FloatArray

ZOOM = 1.4
"""Without the axes box this fills the panel; a zoom of 1 wastes half of it."""
_ROUNDS = 8


def set_view(axes: Any, angles: tuple[float, float], perspective: bool) -> None:
    """Set direction and projection of the view."""
    axes.set_proj_type("persp" if perspective else "ortho")
    axes.view_init(*angles)
    axes.set_box_aspect((1, 1, 1), zoom=ZOOM)


def fit(axes: Any, points: FloatArray, *, fill: float) -> None:
    """Choose cubic limits that show all points, in the middle of the panel.

    Args:
        axes: 3D axes whose view is set.
        points: Shape (n, 3) [m, world], at least one.
        fill: Share of the panel's width and height that the points may take.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    middle = (low + high) / 2
    half = float(np.max(high - low)) / 2 or 0.25
    _limit(axes, middle, half)
    axes.apply_aspect()
    panel = axes.get_position(original=True).transformed(axes.figure.transSubfigure)
    room = np.array([panel.width, panel.height]) * fill
    center = np.array([panel.x0 + panel.width / 2, panel.y0 + panel.height / 2])
    right, up, _ = viewer(axes)
    for _ in range(_ROUNDS):
        screen = project(axes, points)[:, :2]
        least, most = screen.min(axis=0), screen.max(axis=0)
        three = np.stack((middle, middle + half * right, middle + half * up))
        start, x, y = project(axes, three)[:, :2]
        per_pixel = half / np.array([np.linalg.norm(x - start), np.linalg.norm(y - start)])
        shift = ((least + most) / 2 - center) * per_pixel
        middle = middle + shift[0] * right + shift[1] * up
        half *= float(np.max((most - least) / room)) or 1.0
        _limit(axes, middle, half)


def _limit(axes: Any, middle: FloatArray, half: float) -> None:
    """Set the same range on all three axes."""
    axes.set_xlim(middle[0] - half, middle[0] + half)
    axes.set_ylim(middle[1] - half, middle[1] + half)
    axes.set_zlim(middle[2] - half, middle[2] + half)
