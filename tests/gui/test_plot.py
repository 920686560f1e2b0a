"""The drawing as a caller meets it: headless, equal axes, nothing left open, something to see."""

import io
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import armwright as aw
from armwright import gui
from armwright.errors import DrawingError, JointVectorError
from armwright.gui.palette import ROLE_COLORS, rgb
from armwright.gui.shapes import Role
from tests.gui.robots import EVERY_KIND, Q_SIX, arm, robot

EQUAL = 1e-6


def pixels(axes: Any) -> npt.NDArray[np.uint8]:
    """Draw and return the picture, shape (rows, columns, 3), the highest row first."""
    canvas = axes.figure.figure.canvas
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[:, :, :3].copy()


def new_figure(**options: Any) -> Any:
    """Make a figure of the caller's own, without pyplot."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(**options)
    FigureCanvasAgg(figure)
    return figure


def ranges(axes: Any) -> npt.NDArray[np.float64]:
    """Return the lengths of the three axes [m]."""
    limits = np.array([axes.get_xlim(), axes.get_ylim(), axes.get_zlim()])
    lengths: npt.NDArray[np.float64] = limits[:, 1] - limits[:, 0]
    return lengths


@pytest.fixture(autouse=True)
def no_figure_of_pyplot_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """After every test of this file: pyplot knows of no figure, and nobody called show."""
    import matplotlib.pyplot as plt

    def show(*_: Any, **__: Any) -> None:
        raise AssertionError("show was called")

    monkeypatch.setattr(plt, "show", show)
    plt.close("all")
    yield
    left = plt.get_fignums()
    plt.close("all")
    assert left == []


# ------------------------------------------------------------------------------------- case C48


@pytest.mark.shared
def test_case_c48(cases: dict[str, dict[str, Any]], corpus: list[Path]) -> None:
    """All of the case but the animation, which does not exist yet."""
    case = cases["C48"]
    kit = next(path for path in corpus if path.stem == case["input"]["hrdf_kit"])
    model, q = aw.load(kit), case["input"]["q"]
    mine = new_figure().add_subplot(projection="3d")
    tree = next(aw.load(path) for path in corpus if path.stem == "Daisy")
    limit = float(case["expect"]["returns_within_s"])
    tolerance = float(case["expect"]["axis_ranges_equal"]["relative_tolerance"])
    calls = [(model, q, mine), (model, q, None), (robot(""), [], None)]
    for robot_, joints, given in [*calls, (tree, np.zeros(tree.dof), None)]:
        start = time.perf_counter()
        axes = gui.plot_model(robot_, joints, ax=given)
        assert time.perf_counter() - start < limit
        assert given is None or axes is given
        x, y, z = ranges(axes)
        assert y == pytest.approx(x, rel=tolerance)
        assert z == pytest.approx(x, rel=tolerance)
        assert len(np.unique(pixels(axes).reshape(-1, 3), axis=0)) > 10


def test_importing_does_not_import_matplotlib() -> None:
    code = (
        "import sys, armwright.gui, armwright.gui.plot, armwright.gui.scene, armwright.gui.drawing;"
        "print([m for m in ('matplotlib', 'numba', 'mpl_toolkits') if m in sys.modules])"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root)
    assert done.stdout.strip() == "[]", done.stderr


def test_a_figure_of_pyplot_stays_the_callers() -> None:
    import matplotlib.pyplot as plt

    figure = plt.figure()
    axes = figure.add_subplot(projection="3d")
    assert gui.plot_model(arm("three_dof"), [0, 1, 1], ax=axes) is axes
    assert plt.get_fignums() == [figure.number]
    plt.close(figure)


def test_a_new_figure_has_a_title_and_a_legend_and_given_axes_have_not() -> None:
    own = gui.plot_model(arm("six_dof"), Q_SIX)
    given = gui.plot_model(arm("six_dof"), Q_SIX, new_figure().add_subplot(projection="3d"))
    assert own.get_title() == arm("six_dof").description.description
    words = [text.get_text() for text in own.get_legend().get_texts()]
    assert {"actuator", "link", "bracket", "rigid body", "end effector"} < set(words)
    assert (given.get_title(), given.get_legend()) == ("", None)
    asked = gui.plot_model(arm("six_dof"), Q_SIX, given, title="mine", legend=True)
    assert asked.get_title() == "mine"
    assert asked.get_legend() is not None


# --------------------------------------------------------------------------------- what is seen


def hues(image: npt.NDArray[np.uint8], role: Role) -> int:
    """Count pixels that have the color of a role, in any light."""
    color = np.array(rgb(ROLE_COLORS[role]))
    unit = image.reshape(-1, 3) / 255
    bright = unit @ color / (color @ color)  # how light the best match would be
    off = np.abs(unit - bright[:, None] * color).max(axis=1)
    return int(((off < 0.012) & (bright > 0.5) & (bright <= 1.02)).sum())


def test_every_kind_of_part_shows_its_color() -> None:
    model = robot(EVERY_KIND)
    q = [0.1, 0.4, 0.0, 1.2, 0.6]
    axes = gui.plot_model(model, q, legend=False, triads=False, shadow=False, labels=False)
    image = pixels(axes)
    roles: tuple[Role, ...] = (
        "actuator", "joint", "face", "link", "bracket", "body", "tool", "adapter",
    )  # fmt: skip
    for role in roles:
        assert hues(image, role) > 30, role


@pytest.mark.parametrize("name", ["three_dof", "six_dof", "seven_dof", "two_armed", "gantry"])
@pytest.mark.parametrize("view", ["iso", "top", "front", "side", (35.0, 140.0)])
def test_the_robot_fills_the_panel_and_is_not_cut(name: str, view: Any) -> None:
    model = arm(name)
    q = np.random.default_rng(3).uniform(-1, 1, model.dof)
    axes = gui.plot_model(model, q, view=view, legend=False, title="", size=(5, 4))
    image = pixels(axes)
    ink: npt.NDArray[np.bool_] = np.any(image < 250, axis=2)
    rows, columns = np.flatnonzero(np.any(ink, axis=1)), np.flatnonzero(np.any(ink, axis=0))
    height, width = ink.shape
    assert rows[0] > 0
    assert columns[0] > 0
    assert rows[-1] < height - 1
    assert columns[-1] < width - 1
    assert max((rows[-1] - rows[0]) / height, (columns[-1] - columns[0]) / width) > 0.75


def test_a_solid_is_drawn_where_the_axes_project_it() -> None:
    """Also in SVG and PDF, whose canvas has other pixels than their images."""
    axes = gui.plot_model(
        robot('<rigid-body mass="1" output_trans="0 0 0.3"/>'),
        [],
        view="side",
        floor=False,
        shadow=False,
        triads=False,
        legend=False,
        title="",
    )
    image = pixels(axes)
    rows, columns = np.nonzero((image < 200).any(axis=2))
    from armwright.gui.artist import project

    ends = project(axes, np.array([[-0.022, 0, 0.0], [0.022, 0, 0.3]]))
    np.testing.assert_allclose((columns.min(), columns.max() + 1), ends[:, 0], atol=2.0)
    np.testing.assert_allclose(image.shape[0] - rows.max() - 1, ends[0, 1], atol=2.0)
    np.testing.assert_allclose(image.shape[0] - rows.min(), ends[1, 1], atol=2.0)

    svg = io.StringIO()
    axes.figure.savefig(svg, format="svg", dpi=200)
    tag = re.search(r"<image [^>]*>", svg.getvalue())
    assert tag is not None
    numbers = dict(re.findall(r' (x|y|width|height)="([-\d.]+)"', tag[0]))
    x, y, width, height = (float(numbers[name]) for name in ("x", "y", "width", "height"))
    shift = re.search(r"scale\(1 -1\) translate\(0 ([-\d.]+)\)", tag[0])  # rows are counted upward
    assert shift is not None
    scale = 72 / axes.figure.dpi  # an SVG has 72 units an inch, counted downward
    bottom = axes.figure.bbox.height * scale + (y + float(shift[1]))
    np.testing.assert_allclose((x, x + width), ends[:, 0] * scale, atol=1.0)
    np.testing.assert_allclose((bottom, bottom + height), ends[:, 1] * scale, atol=1.0)


def test_a_ghost_a_target_and_a_path_are_drawn() -> None:
    model = arm("six_dof")
    plain = pixels(gui.plot_model(model, Q_SIX, legend=False))
    rich = gui.plot_model(
        model,
        Q_SIX,
        ghosts=[np.zeros(6)],
        target=[0.35, 0.1, 0.25],
        path=[[0.3, 0, 0.1], [0.35, 0.1, 0.25]],
    )
    words = [text.get_text() for text in rich.get_legend().get_texts()]
    assert {"other position", "target", "path"} < set(words)
    assert purple(pixels(rich)) > 2000
    assert purple(plain) < 50
    pose = np.eye(4)
    pose[:3, 3] = (0.35, 0.1, 0.25)
    pixels(gui.plot_model(model, Q_SIX, target=pose, view="front"))


def purple(image: npt.NDArray[np.uint8]) -> int:
    """Count pixels in which green is the weakest by far."""
    red, green, blue = (image[:, :, i].astype(int) for i in range(3))
    return int(((np.minimum(red, blue) - green > 8) & (blue > red)).sum())


@pytest.mark.parametrize("style", ["print", "stick"])
def test_styles_differ(style: str) -> None:
    model = arm("six_dof")
    solid, other = (pixels(gui.plot_model(model, Q_SIX, style=s)) for s in ("solid", style))
    assert (np.abs(solid.astype(int) - other) > 30).any(axis=2).mean() > 0.01


def test_parts_of_the_picture_can_be_left_out() -> None:
    model = arm("three_dof")
    bare = gui.plot_model(
        model,
        [0, 1, 1],
        joint_axes=False,
        triads=False,
        shadow=False,
        floor=False,
        labels=False,
        legend=False,
        title="",
    )
    assert len(bare.lines) == len(bare.texts) == 0
    assert len([a for a in bare.get_children() if type(a).__name__ == "SolidArtist"]) == 1


# -------------------------------------------------------------------------------- odd robots


ODD = {
    "nothing": ("", [], ""),
    "only a tool": ("<end-effector/>", [], ""),
    "tiny": ('<joint axis="rz"/><rigid-body mass="1" output_trans="0.004 0 0.009"/>', [1.0], ""),
    "huge": ('<joint axis="rz"/><rigid-body mass="1" output_trans="60 0 80"/>', [1.0], ""),
    "far away": ('<actuator type="X5-4"/>', [1.0], 'trans="1e5 -2e5 300"'),
    "sliding far": ('<joint axis="tz"/><rigid-body mass="1" ixx="1"/>', [-3.0], ""),
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("view", ["iso", "front"])
def test_odd_robots_are_drawn(name: str, view: str) -> None:
    elements, q, attributes = ODD[name]
    axes = gui.plot_model(robot(elements, attributes), q, view=view)
    x, y, z = ranges(axes)
    assert y == pytest.approx(x, rel=EQUAL)
    assert z == pytest.approx(x, rel=EQUAL)
    assert (pixels(axes) < 200).any(axis=2).mean() > 0.001


def test_tight_boxes_hold_the_robot() -> None:
    axes = gui.plot_model(arm("six_dof"), Q_SIX, size=(5, 4))
    file = io.BytesIO()
    axes.figure.savefig(file, format="png", bbox_inches="tight")
    assert file.tell() > 10_000
    hidden = gui.plot_model(arm("six_dof"), Q_SIX, size=(5, 4))
    for artist in hidden.get_children():
        if type(artist).__name__ in ("SolidArtist", "LabelArtist"):
            artist.set_visible(False)
    assert hues(pixels(hidden), "bracket") < hues(pixels(axes), "bracket") / 2


def test_subplots_and_subfigures() -> None:
    figure = new_figure(figsize=(8, 4))
    left, right = figure.subfigures(1, 2)
    for part, view in ((left, "iso"), (right, "top")):
        axes = part.add_subplot(projection="3d")
        gui.plot_model(arm("three_dof"), [0, 1, 1], axes, view=view)
    image = pixels(axes)
    half = image.shape[1] // 2
    assert hues(image[:, :half], "actuator") > 100
    assert hues(image[:, half:], "actuator") > 100


# ------------------------------------------------------------------------------------- errors


def test_axes_that_are_not_3d_are_refused() -> None:
    with pytest.raises(DrawingError, match=r"got Axes, expected 3D axes.*projection='3d'"):
        gui.plot_model(arm("six_dof"), Q_SIX, new_figure().add_subplot())
    with pytest.raises(DrawingError, match="got str"):
        gui.plot_model(arm("six_dof"), Q_SIX, "axes")


@pytest.mark.parametrize("style", [{}, {"ghosts": [[0.0] * 4]}])
def test_joint_positions_of_the_wrong_length_are_refused(style: dict[str, Any]) -> None:
    q = Q_SIX if style else Q_SIX[:4]
    with pytest.raises(JointVectorError, match=r"expected 6.*got 4|got 4.*expected 6"):
        gui.plot_model(arm("six_dof"), q, **style)


def test_an_error_leaves_given_axes_as_they_were() -> None:
    axes = new_figure().add_subplot(projection="3d")
    before = (axes.get_xlim(), axes.elev, len(axes.get_children()))
    with pytest.raises(DrawingError):
        gui.plot_model(arm("six_dof"), Q_SIX, axes, view="below")
    assert (axes.get_xlim(), axes.elev, len(axes.get_children())) == before
