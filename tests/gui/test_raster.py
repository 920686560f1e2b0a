"""The depth buffer against a slow twin; shading, edges, and pictures as a whole."""

import numpy as np
import numpy.typing as npt
import pytest

from armwright.gui.palette import SOLID, rgb
from armwright.gui.raster import SAMPLES, Lines, Surface, flatten, merge, render
from armwright.gui.solids import box
from armwright.kinematics.engine import kernel

FloatArray = npt.NDArray[np.float64]
NO_EDGES = {"edge_color": "#000000", "edge_width": 0.0, "point": 1.0}


def plain(points: FloatArray) -> FloatArray:
    """Look down the z axis, 10 pixels a metre, high is near."""
    return np.column_stack((points[:, 0] * 10, points[:, 1] * 10, -points[:, 2]))


def test_kernel_agrees_with_a_slow_twin() -> None:
    rng = np.random.default_rng(5)
    rows, columns = 23, 31
    corners = rng.uniform(-5, 36, (40, 3, 3))
    depth = np.full((rows, columns), np.inf)
    index = np.full((rows, columns), -1, dtype=np.int32)
    kernel("armwright.gui._kernels.raster", "rasterise")(corners.reshape(-1, 9), depth, index)
    for row in range(rows):
        for column in range(columns):
            best, nearest = -1, np.inf
            for i, triangle in enumerate(corners):
                M = np.vstack((triangle[:, :2].T, np.ones(3)))
                weights = np.linalg.solve(M, [column + 0.5, row + 0.5, 1.0])
                z = weights @ triangle[:, 2]
                if (weights >= 0).all() and z < nearest:
                    best, nearest = i, z
            assert index[row, column] == best
            if best >= 0:
                assert depth[row, column] == pytest.approx(nearest, abs=1e-9)


def test_samples_are_averaged_with_their_alpha() -> None:
    index = np.array([[0, -1], [1, -1]], dtype=np.int32)
    colors = np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.5]])
    rgba = np.empty((1, 1, 4), dtype=np.uint8)
    kernel("armwright.gui._kernels.raster", "resolve")(index, colors, rgba)
    assert rgba[0, 0].tolist() == [170, 85, 0, 96]


def picture(
    surface: Surface, lines: tuple[Lines, ...] = (), **more: object
) -> npt.NDArray[np.uint8]:
    """Render 40 by 40 pixels looking down, without light; the whole canvas."""
    options = {"canvas": (40, 40), "light": None, "ambient": 1.0, **NO_EDGES, **more}
    shot = render(surface, lines, plain, **options)  # type: ignore[arg-type]
    canvas = np.zeros((40, 40, 4), dtype=np.uint8)
    if shot is not None:
        rows, columns = shot.rgba.shape[:2]
        canvas[shot.bottom : shot.bottom + rows, shot.left : shot.left + columns] = shot.rgba
    return canvas


def test_the_nearer_solid_hides_the_other_and_parts_that_cross_hide_in_parts() -> None:
    low = box((0, 0, 0), (4, 4, 1))
    slope = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [0.5, 0, 1, 0], [0, 0, 0, 1]])  # rises with x
    ramp = box((0, 1, -1.01), (4, 3, 0)).transform(slope)
    canvas = picture(merge([low, ramp], ["link", "bracket"], SOLID))
    gray, blue = (np.rint(np.multiply(rgb(c), 255)) for c in ("#dde2e7", "#5aa9dc"))
    np.testing.assert_array_equal(canvas[20, 18, :3], gray)  # the ramp is still inside
    np.testing.assert_array_equal(canvas[20, 22, :3], blue)
    np.testing.assert_array_equal(canvas[5, 22, :3], gray)


def test_light_falls_on_the_side_that_faces_it() -> None:
    cube = merge([box((0, 0, 0), (4, 4, 4))], ["link"], SOLID)
    bright = picture(cube, light=np.array([0.0, 0, 1]), ambient=0.5)[20, 20, 0]
    dark = picture(cube, light=np.array([0.0, 0, -1]), ambient=0.5)[20, 20, 0]
    assert (bright, dark) == (0xDD, round(0xDD / 2 + 0.1))


def test_edges_are_drawn_where_faces_meet_and_not_inside_faces() -> None:
    cube = merge([box((1, 1, 0), (3, 3, 1))], ["link"], SOLID)
    canvas = picture(cube, edge_width=2.0)
    dark = canvas[:, :, :3].max(axis=2) < 60
    assert (dark & (canvas[:, :, 3] > 0))[20, [10, 29]].all()
    assert not dark[12:28, 12:28].any()  # the diagonal of the top is no edge


@pytest.mark.parametrize(("height", "hidden"), [(0.5, True), (1.5, False)])
def test_solids_hide_lines_that_lie_lower(height: float, hidden: bool) -> None:
    cube = merge([box((1, 1, 0), (3, 3, 1))], ["link"], SOLID)
    line = Lines(np.array([[[0.0, 2, height], [4, 2, height]]]), (1.0, 0.0, 0.0), 2.0)
    canvas = picture(cube, (line,))
    assert (canvas[20, 20, :3].tolist() == [255, 0, 0]) != hidden
    assert canvas[20, 4, :3].tolist() == [255, 0, 0]  # beside the cube


def test_a_flattened_surface_is_seen_from_both_sides() -> None:
    flat = flatten(merge([box((1, 1, 5), (3, 3, 6))], ["link"], SOLID), 2.0)
    assert (flat.vertices[:, 2] == 2.0).all()
    assert picture(flat)[20, 20, 3] == 255


def test_nothing_to_draw_is_no_picture() -> None:
    empty = merge([], [], SOLID)
    options = {"canvas": (40, 40), "light": None, "ambient": 1.0, **NO_EDGES}
    assert render(empty, (), plain, **options) is None  # type: ignore[arg-type]
    outside = merge([box((50, 50, 0), (51, 51, 1))], ["link"], SOLID)
    assert render(outside, (), plain, **options) is None  # type: ignore[arg-type]


def test_points_behind_the_viewer_are_left_out() -> None:
    cube = merge([box((1, 1, 0), (3, 3, 1))], ["link"], SOLID)

    def behind(points: FloatArray) -> FloatArray:
        return np.full((len(points), 3), np.nan)

    options = {"canvas": (40, 40), "light": None, "ambient": 1.0, **NO_EDGES}
    assert render(cube, (), behind, **options) is None  # type: ignore[arg-type]


def test_there_is_more_than_one_sample_per_pixel() -> None:
    half = merge([box((0, 0, 0), (1.05, 4, 1))], ["link"], SOLID)
    assert SAMPLES > 1
    assert picture(half)[20, 10, 3] == pytest.approx(255 / SAMPLES, abs=1)
