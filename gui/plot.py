"""Draw a model in one position into 3D axes: the entry that other people call."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from armwright.errors import DrawingError
from armwright.kinematics import RobotModel

from . import palette
from .floor import Grid, make_grid
from .raster import Lines, flatten, merge
from .scene import Scene, make_scene
from .solids import FloatArray
from .style import Style, read_style

if TYPE_CHECKING:
    from .labels import Letter

_SHADOW_ALPHA = 0.18
_GHOST_ALPHA = 0.28
_MOST_LABELS = 12
"""Joints that are labelled without being asked."""
_ZORDER = {"grid": 0.0, "shadow": 1.0, "ghost": 2.0, "solid": 3.0, "line": 4.0, "label": 5.0}


def plot_model(model: RobotModel, q: npt.ArrayLike, ax: Any = None, **style: Any) -> Any:
    """Draw a robot: parts as solids, joint axes, tool frames, a floor; nothing is shown.

    Works without a display and never waits. The picture is the caller's to show or save, for
    example with ``gui.save_picture(ax, "arm.png")``.

    Args:
        model: The robot.
        q: Joint positions, shape (n_dof,) [rad or m].
        ax: 3D axes to draw into, made with ``projection="3d"``. None makes a new figure that
            pyplot does not know of. Given axes lose their box, and get cubic limits, a view and
            drawing by zorder.
        **style: Choices, by name.

            - ``style``: "solid" (parts), "print" (light line drawing) or "stick".
            - ``view``: "iso", "top", "front", "side", or (elevation, azimuth) [degrees].
            - ``labels``: Names and types at the joints. None: in a new figure, up to 12 joints.
            - ``joint_axes``, ``triads``, ``shadow``, ``floor``: Draw them (default True).
            - ``legend``: What the colors mean. None: in a new figure.
            - ``title``: Text above; None: the robot's description, in a new figure.
            - ``ghosts``: More joint positions, drawn pale behind the robot.
            - ``target``: Point (3,) or pose T_world_target (4, 4) [m, world].
            - ``path``: Points (n, 3) [m, world] of a line, such as the tool's way.
            - ``size``: Width and height of a new figure [inches].

    Returns:
        The axes; ``.figure`` is the figure.

    Raises:
        JointVectorError: If q, or a ghost, has the wrong length or is not finite.
        DrawingError: If ax is not 3D, or a choice is unknown or does not fit.

    Example:
        >>> import armwright as aw
        >>> model = aw.ArmBuilder().actuator("X5-4").end_effector().build()
        >>> ax = aw.gui.plot_model(model, [0.5], view="top")
        >>> bool(ax.get_xlim()[1] > ax.get_xlim()[0])
        True
    """
    choices = read_style(style)
    sticks = choices.style == "stick"
    scene = make_scene(model, q, sticks=sticks)
    ghosts = [make_scene(model, ghost, sticks=sticks) for ghost in choices.ghosts]
    own = ax is None
    axes = _new_axes(choices) if own else _checked(ax)
    _Drawing(axes, scene, ghosts, choices, own).draw(model)
    return axes


def _new_axes(choices: Style) -> Any:
    """Make 3D axes in a figure that pyplot does not know of."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from mpl_toolkits.mplot3d import Axes3D

    figure = Figure(figsize=choices.size, facecolor="white")
    FigureCanvasAgg(figure)
    right = 1.0 if choices.legend is False else 0.8
    return figure.add_axes(Axes3D(figure, (0.0, 0.0, right, 0.93)))


def _checked(ax: Any) -> Any:
    """Return the caller's axes if they are 3D."""
    from mpl_toolkits.mplot3d import Axes3D

    if not isinstance(ax, Axes3D):
        kind = type(ax).__name__
        raise DrawingError(
            f"plot_model: ax: got {kind}, expected 3D axes. "
            "Make them with figure.add_subplot(projection='3d')"
        )
    return ax


class _Drawing:
    """One picture on its way into the axes."""

    def __init__(
        self, axes: Any, scene: Scene, ghosts: Sequence[Scene], style: Style, own: bool
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
        extent = float(np.max(np.ptp(self.points, axis=0)))
        self.extent = extent or 0.2  # m; a robot without any part
        self.letters: list[Letter] = []

    def draw(self, model: RobotModel) -> None:
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
        title = style.title
        if title is None and self.own:
            title = model.description.description
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
            lines = Line3DCollection(grid.lines, colors=palette.GRID, linewidths=0.7)
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
                shadow = SolidArtist(
                    _painted(flatten(surface, grid.height), "#000000"), ambient=1.0
                )
                shadow.set_alpha(_SHADOW_ALPHA / (2 if is_ghost else 1))
                self._add(shadow, "shadow")
            if is_ghost:
                artist = SolidArtist(_painted(surface, palette.GHOST), ambient=0.75)
                artist.set_alpha(_GHOST_ALPHA)
                self._add(artist, "ghost")
                continue
            lines = self._axis_lines() if self.style.joint_axes else []
            width = colors.edge_width
            self._add(
                SolidArtist(surface, lines, ambient=colors.ambient, edge_width=width), "solid"
            )

    def _axis_lines(self) -> list[Lines]:
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
        return [Lines(lines, palette.rgb(palette.AXIS), 1.1)]

    def _triads(self) -> None:
        """Draw the frames of the tools, and a smaller one at the base."""
        self._triad(self.scene.T_world_base, 0.10 * self.extent, 1.4)
        for T_world_tool in self.scene.tools:
            self._triad(T_world_tool, 0.13 * self.extent, 2.2)

    def _triad(
        self, T_world_frame: FloatArray, length: float, width: float, line: str = "-"
    ) -> None:
        """Draw the axes of one frame."""
        from .labels import Letter

        origin = T_world_frame[:3, 3]
        for i, (name, color) in enumerate(zip("xyz", palette.AXES, strict=True)):
            tip = origin + length * T_world_frame[:3, i]
            self._line(np.stack((origin, tip)), color=color, lw=width, ls=line)
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
            self._triad(style.target, 0.16 * self.extent, 1.2, "--")
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
        self.axes.plot(*points.T, zorder=_ZORDER["line"], **look)

    def _add(self, artist: Any, layer: str) -> None:
        """Put an artist of ours into its layer; it clips itself to the figure."""
        artist.set_zorder(_ZORDER[layer])
        self.axes.add_artist(artist)
        artist.set_clip_on(False)


def _painted(surface: Any, color: str) -> Any:
    """Return a surface in one color."""
    from dataclasses import replace

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
