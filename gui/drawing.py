"""From scenes to artists in 3D axes: layers of floor, shadow, solids, lines and labels."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from . import palette
from .floor import Grid, make_grid
from .raster import Lines, Surface, flatten, merge
from .scene import Scene
from .solids import FloatArray
from .style import Style

if TYPE_CHECKING:
    from .labels import Letter

_SHADOW_ALPHA = 0.18
_GHOST_ALPHA = 0.28
_MOST_LABELS = 12
"""Joints that are labeled without being asked."""
_ZORDER = {"grid": 0.0, "shadow": 1.0, "ghost": 2.0, "solid": 3.0, "line": 4.0, "label": 5.0}


class Drawing:
    """One picture on its way into the axes.

    Args:
        axes: 3D axes.
        scene: The robot.
        ghosts: The same robot in other positions.
        style: The caller's choices.
        own: Whether the figure was made for this picture alone.
    """

    def __init__(
        self, axes: Any, scene: Scene, ghosts: Sequence[Scene], style: Style, *, own: bool
    ) -> None:
        self.axes = axes
        self.scene = scene
        self.ghosts = ghosts
        self.style = style
        self.own = own
        self.palette = palette.PRINT if style.style == "print" else palette.SOLID
        self.points = np.concatenate([s.points() for s in (scene, *ghosts)])
        for more in (style.target, style.path):
            if more is not None:
                point = more[None, :3, 3] if more.shape == (4, 4) else more.reshape(-1, 3)
                self.points = np.concatenate((self.points, point))
        if np.max(np.ptp(self.points, axis=0)) < 0.05 * scene.size:  # no part, or a dot alone
            around = (
                scene.T_world_base[:3, 3]
                + np.array([[-0.1, -0.1, 0.0], [0.1, 0.1, 0.0]]) * scene.size
            )
            self.points = np.concatenate((self.points, around))
        self.extent = float(np.max(np.ptp(self.points, axis=0)))
        self.letters: list[Letter] = []

    def draw(self, title: str) -> None:
        """Draw everything, back to front."""
        from .framing import fit, set_view

        axes, style = self.axes, self.style
        axes.set_axis_off()
        axes.computed_zorder = False  # by our own zorder: mplot3d would sort by mean depth
        set_view(axes, style.angles, style.perspective)
        grid = self._grid() if style.floor or style.shadow else None
        self._solids(grid)
        if style.triads:
            self._triads()
        self._extras(grid)
        self._labels(len(self.scene.axes))
        if style.legend or (style.legend is None and self.own):
            self._legend()
        if title:
            axes.set_title(title, fontsize=11, color=palette.TEXT)
        tips = [np.array([letter.tip for letter in self.letters]).reshape(-1, 3)]
        if grid is not None and style.floor:
            tips += [grid.corners, np.array([point for point, _ in grid.numbers])]
        fit(axes, np.concatenate((self.points, *tips)), fill=0.93)

    def _grid(self) -> Grid:
        """Plan the grid, and draw it when it is wanted."""
        from mpl_toolkits.mplot3d.art3d import Line3DCollection

        elevation, azimuth = self.style.angles
        grid = make_grid(self.points, self.scene.T_world_base[:3, 3], elevation, azimuth)
        if self.style.floor:
            lines = Line3DCollection(grid.lines, colors=palette.GRID, linewidths=0.7, clip_on=False)
            lines.set_zorder(_ZORDER["grid"])
            self.axes.add_collection3d(lines)
            for (x, y, z), text in grid.numbers:
                self.axes.text(
                    x,
                    y,
                    z,
                    text,
                    color=palette.GRID_TEXT,
                    fontsize=7.5,
                    ha="center",
                    va="center",
                    zorder=_ZORDER["grid"],
                )
        return grid

    def _solids(self, grid: Grid | None) -> None:
        """Draw shadow, ghosts, and the robot with its joint axes."""
        from .artist import SolidArtist

        colors = self.palette
        for scene, is_ghost in [*((ghost, True) for ghost in self.ghosts), (self.scene, False)]:
            solids = [solid for group in scene.groups for solid in group.solids]
            roles = [role for group in scene.groups for role in group.roles]
            surface = merge(solids, roles, colors)
            if self.style.shadow and grid is not None and grid.height is not None:
                shadow = SolidArtist(_paint(flatten(surface, grid.height), "#000000"), ambient=1.0)
                shadow.set_alpha(_SHADOW_ALPHA / (2 if is_ghost else 1))
                self._add(shadow, "shadow")
            if is_ghost:
                artist = SolidArtist(_paint(surface, palette.GHOST), ambient=0.75)
                artist.set_alpha(_GHOST_ALPHA)
                self._add(artist, "ghost")
                continue
            lines = self._axis_lines(grid) if self.style.joint_axes else []
            width = colors.edge_width
            self._add(
                SolidArtist(surface, lines, ambient=colors.ambient, edge_width=width), "solid"
            )

    def _axis_lines(self, grid: Grid | None) -> list[Lines]:
        """Return the joint axes as dash-dotted lines, with an arrow head at the positive end."""
        ends = []
        for axis in self.scene.axes:
            tip = axis.origin + axis.half_length * axis.direction
            tail = axis.origin - axis.half_length * axis.direction
            for start, stop in _dashes(axis.half_length * 2, 0.016 * self.scene.size):
                ends.append((tail + start * axis.direction, tail + stop * axis.direction))
            helper = np.eye(3)[int(np.argmin(np.abs(axis.direction)))]
            side = np.cross(axis.direction, helper)
            side /= np.linalg.norm(side)
            other = np.cross(axis.direction, side)
            barb = 0.012 * self.scene.size
            for across in (side, -side, other, -other):
                ends.append((tip, tip - barb * axis.direction + 0.4 * barb * across))
        lines = np.array(ends).reshape(-1, 2, 3)
        if grid is not None and grid.height is not None:  # nothing reaches below the floor
            lines = lines[(lines[:, :, 2] >= grid.height).all(axis=1)]
        return [Lines(lines, palette.rgb(palette.AXIS), 1.1)]

    def _triads(self) -> None:
        """Draw the frames of the tools, and a smaller one at the base."""
        self._triad(self.scene.T_world_base, 0.10 * self.extent, 1.4)
        length, width = (0.13, 2.2) if len(self.scene.tools) <= 2 else (0.08, 1.6)
        for T_world_tool in self.scene.tools:
            self._triad(T_world_tool, length * self.extent, width)

    def _triad(
        self,
        T_world_frame: FloatArray,
        length: float,
        width: float,
        line: str = "-",
        letters: bool = True,
    ) -> None:
        """Draw the axes of one frame, and their letters."""
        from .labels import Letter

        origin = T_world_frame[:3, 3]
        for i, (name, color) in enumerate(zip("xyz", palette.AXES, strict=True)):
            tip = origin + length * T_world_frame[:3, i]
            self._line(np.stack((origin, tip)), color=color, lw=width, ls=line)
            if letters:
                self.letters.append(Letter(origin, tip, name, color))

    def _extras(self, grid: Grid | None) -> None:
        """Draw path and target."""
        style = self.style
        if style.path is not None:
            self._line(style.path, color=palette.TARGET, lw=1.6)
        if style.target is None:
            return
        point = style.target[:3, 3] if style.target.shape == (4, 4) else style.target
        if style.target.shape == (4, 4):
            # A tool that has reached it has the same letters in the same places.
            tools = self.scene.tools if style.triads else ()
            reached = any(np.allclose(T, style.target, atol=1e-2) for T in tools)
            self._triad(style.target, 0.16 * self.extent, 1.2, "--", letters=not reached)
        if grid is not None and grid.height is not None:
            foot = np.array([point[0], point[1], grid.height])
            self._line(np.stack((point, foot)), color=palette.TARGET, lw=0.9, ls=":")
            self._line(foot[None], color=palette.TARGET, marker="x", ms=5, mew=1.2, ls="")
        ring = {"marker": "o", "ms": 11, "mfc": "none", "mec": palette.TARGET, "mew": 1.8, "ls": ""}
        self._line(point[None], **ring)

    def _labels(self, dof: int) -> None:
        """Write the names of the joints, and the letters of the frames."""
        from .labels import Label, LabelArtist

        wanted = self.style.labels
        if wanted is None:
            wanted = self.own and dof <= _MOST_LABELS
        axes = self.scene.axes if wanted else ()
        labels = [Label(axis.origin, axis.label) for axis in axes]
        if labels or self.letters:
            self._add(LabelArtist(labels, self.letters), "label")

    def _legend(self) -> None:
        """Say what the colors mean, beside the robot in a figure of our own."""
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch

        roles = self.scene.roles()
        handles: list[Any] = []
        for role, words in palette.LEGEND.items():
            if role in roles:
                color = self.palette.color(role)
                handles.append(Patch(fc=color, ec=palette.EDGE, lw=0.6, label=words))
        if self.ghosts:
            handles.append(Patch(fc=palette.GHOST, alpha=_GHOST_ALPHA, label="other position"))
        if self.style.joint_axes and self.scene.axes:
            handles.append(Line2D([], [], color=palette.AXIS, lw=1.1, ls="-.", label="joint axis"))
        if self.style.path is not None:
            handles.append(Line2D([], [], color=palette.TARGET, lw=1.6, label="path"))
        if self.style.target is not None:
            ring = Line2D([], [], marker="o", ms=7, mfc="none", mec=palette.TARGET, mew=1.5, ls="")
            ring.set_label("target")
            handles.append(ring)
        place: dict[str, Any] = {"loc": "upper right"}
        if self.own:
            place["bbox_to_anchor"] = (0.995, 0.985)
            place["bbox_transform"] = self.axes.figure.transFigure
        if handles:
            self.axes.legend(handles=handles, fontsize=8, frameon=False, **place)

    def _line(self, points: FloatArray, **look: Any) -> None:
        """Draw a line over the solids."""
        self.axes.plot(*points.T, zorder=_ZORDER["line"], clip_on=False, **look)

    def _add(self, artist: Any, layer: str) -> None:
        """Put an artist of ours into its layer; it clips itself to the figure."""
        artist.set_zorder(_ZORDER[layer])
        self.axes.add_artist(artist)
        artist.set_clip_on(False)


def _paint(surface: Surface, color: str) -> Surface:
    """Return a surface in one color."""
    return replace(surface, colors=np.tile(palette.rgb(color), (len(surface.triangles), 1)))


def _dashes(length: float, dash: float) -> list[tuple[float, float]]:
    """Cut a length into long dashes and dots, as center lines are drawn; ends with a dash."""
    period = 1.6 * dash
    count = max(1, round((length - dash) / period))
    stretch = length / (count * period + dash)
    cuts = []
    for i in range(count + 1):
        start = i * period * stretch
        cuts.append((start, start + dash * stretch))
        if i < count:
            dot = start + 1.25 * dash * stretch
            cuts.append((dot, dot + 0.12 * dash * stretch))
    return cuts
