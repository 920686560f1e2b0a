"""The entry that other people call: draw a model in one position into 3D axes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from armwright.errors import DrawingError
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import JointValues

from .drawing import Drawing
from .scene import make_scene
from .style import Style, read_style


def plot_model(model: RobotModel, q: JointValues, ax: Any = None, **style: Any) -> Any:
    """Draw a robot: parts as solids, joint axes, tool frames, a floor; nothing is shown.

    Works without a display and never waits. The picture is the caller's to show or save, for
    example with ``gui.save_picture(ax, "arm.png")``.

    Args:
        model: The robot.
        q: Joint positions, shape (dof,) [rad or m].
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
        ModelError: If the model is none.
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
    axes = _new_axes(choices) if own else _check_axes(ax)
    title = choices.title
    if title is None and own:
        title = model.description.description or _file_name(model)
    Drawing(axes, scene, ghosts, choices, own=own).draw(title or "")
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


def _check_axes(ax: Any) -> Any:
    """Return the caller's axes if they are 3D."""
    from mpl_toolkits.mplot3d import Axes3D

    if not isinstance(ax, Axes3D):
        kind = type(ax).__name__
        raise DrawingError(
            f"plot_model: ax: got {kind}, expected 3D axes. "
            "Make them with figure.add_subplot(projection='3d')"
        )
    return ax


def _file_name(model: RobotModel) -> str:
    """Return the name of the file that the robot came from, or ""."""
    files = model.description.files
    return Path(files[0]).stem if files and not files[0].startswith("<") else ""
