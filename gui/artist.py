"""The Matplotlib artist that draws solids into 3D axes, with exact hiding.

Matplotlib's own 3D collections are sorted by one depth per polygon, which shows wrong parts where
solids lie close together. This artist draws a picture of its own with a depth buffer, exactly
where the axes' projection puts it; in PDF and SVG it is an image of the file's resolution.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.transforms import Bbox

from .palette import EDGE
from .raster import Lines, Picture, Surface, render
from .solids import FloatArray


class SolidArtist(Artist):
    """Draws one surface, and lines that it may hide.

    Args:
        surface: What to draw.
        lines: Lines in the same space.
        ambient: Brightness of surfaces without light; 1 draws colors as they are.
        edge_width: Width of edges [points]; 0 draws none.
    """

    def __init__(
        self,
        surface: Surface,
        lines: Sequence[Lines] = (),
        *,
        ambient: float = 0.58,
        edge_width: float = 0.0,
    ) -> None:
        super().__init__()
        self.surface = surface
        self.lines = tuple(lines)
        self.ambient = ambient
        self.edge_width = edge_width

    def draw(self, renderer: Any) -> None:
        """Draw on a renderer; called by Matplotlib."""
        if not self.get_visible():
            return
        scale = float(renderer.get_image_magnification())
        picture = self._picture(scale, float(renderer.points_to_pixels(1.0)))
        if picture is not None:
            alpha = self.get_alpha()
            if alpha is not None:
                picture.rgba[:, :, 3] = np.rint(picture.rgba[:, :, 3] * alpha)
            graphics = renderer.new_gc()
            x, y = picture.left / scale, picture.bottom / scale
            renderer.draw_image(graphics, x, y, picture.rgba)
            graphics.restore()
        self.stale = False

    def get_window_extent(self, renderer: Any = None) -> Bbox:
        """Return the box around the solids [pixels], for tight layouts."""
        points = [self.surface.vertices, *(line.ends.reshape(-1, 3) for line in self.lines)]
        screen = project(self.axes, np.concatenate(points))
        screen = screen[np.isfinite(screen).all(axis=1)]
        if not len(screen):
            return Bbox.null()
        return Bbox([screen[:, :2].min(axis=0), screen[:, :2].max(axis=0)])

    def get_tightbbox(self, renderer: Any = None) -> Bbox:
        """Return the same box."""
        return self.get_window_extent(renderer)

    def _picture(self, scale: float, point: float) -> Picture | None:
        """Draw at a number of image pixels per canvas pixel."""
        width, height = (round(side * scale) for side in root_figure(self).bbox.size)
        axes = self.axes
        return render(
            self.surface,
            self.lines,
            lambda points: project(axes, points) * (scale, scale, 1.0),
            canvas=(width, height),
            light=None if self.ambient >= 1.0 else light(axes),
            ambient=self.ambient,
            edge_color=EDGE,
            edge_width=self.edge_width,
            point=point * scale,
        )


def root_figure(artist: Any) -> Any:
    """Return the figure that an artist is drawn in, around all subfigures."""
    figure = artist.figure
    while figure.figure is not figure:
        figure = figure.figure
    return figure


def project(axes: Any, points: FloatArray) -> FloatArray:
    """Map points (n, 3) [m, world] to x, y [pixels] and depth through 3D axes; NaN when behind."""
    M = np.asarray(axes.get_proj())
    homogeneous = points @ M[:, :3].T + M[:, 3]  # (n, 4)
    w = homogeneous[:, 3:]
    seen: FloatArray = np.full((len(points), 3), np.nan)
    np.divide(homogeneous[:, :3], w, out=seen, where=w > 1e-12)
    if len(seen):
        seen[:, :2] = axes.transData.transform(seen[:, :2])
    return seen


def viewer(axes: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the unit vectors right, up and toward the viewer, in world axes."""
    elevation, azimuth = np.deg2rad(axes.elev), np.deg2rad(axes.azim)
    toward = np.array(
        [
            np.cos(elevation) * np.cos(azimuth),
            np.cos(elevation) * np.sin(azimuth),
            np.sin(elevation),
        ]
    )
    right = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    return right, np.cross(toward, right), toward


def light(axes: Any) -> FloatArray:
    """Return the direction to the light: above, and over the viewer's left shoulder."""
    right, up, toward = viewer(axes)
    direction = 0.62 * toward + 0.5 * up - 0.35 * right + np.array([0.0, 0.0, 0.35])
    unit: FloatArray = direction / np.linalg.norm(direction)
    return unit
