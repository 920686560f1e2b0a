"""Turn surfaces and lines, seen through a projection, into a picture with exact hiding.

The depth buffer runs in kernels; here the arrays are prepared: back faces dropped, surfaces
shaded, edges and lines turned into thin pairs of triangles that lie a little nearer to the viewer.
No Matplotlib: a projection is given as a function.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from armwright.kinematics.engine import lazy

from .palette import Palette, rgb
from .shapes import Role
from .solids import BoolArray, FloatArray, IntArray, Solid, normals_of

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.gui._kernels import raster as _raster_kernels  # noqa: F401

_rasterise = lazy(__name__, "_rasterise", "armwright.gui._kernels.raster")
_resolve = lazy(__name__, "_resolve", "armwright.gui._kernels.raster")

SAMPLES = 2
"""Samples per pixel, along each side."""
_EDGE_LIFT = 0.003
"""How far edges are lifted toward the viewer, as a share of the picture's depth."""
_LARGEST = 16_384
"""Pixels along one side that are drawn at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Many solids as one mesh.

    Attributes:
        vertices: Shape (n, 3) [m, world].
        triangles: Vertex numbers, shape (m, 3).
        normals: Outward unit normals, shape (m, 3).
        colors: Red, green, blue of each triangle, 0 to 1, shape (m, 3).
        edges: Vertex numbers, shape (k, 2).
        edge_triangles: The two triangles of each edge, shape (k, 2).
        creases: Edges that are drawn wherever they can be seen, shape (k,).
    """

    vertices: FloatArray
    triangles: IntArray
    normals: FloatArray
    colors: FloatArray
    edges: IntArray
    edge_triangles: IntArray
    creases: BoolArray


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Straight pieces that solids can hide.

    Attributes:
        ends: Shape (n, 2, 3) [m, world].
        color: Red, green, blue, 0 to 1.
        width: [points].
    """

    ends: FloatArray
    color: tuple[float, float, float]
    width: float


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A part of the canvas.

    Attributes:
        rgba: Shape (rows, columns, 4), 0 to 255; row 0 is the lowest.
        left: Pixels from the left border of the canvas.
        bottom: Pixels from its lower border.
    """

    rgba: npt.NDArray[np.uint8]
    left: int
    bottom: int


def merge(solids: Sequence[Solid], roles: Sequence[Role], palette: Palette) -> Surface:
    """Join solids into one surface, colored by what they stand for."""
    if not solids:
        none, no_numbers = np.zeros((0, 3)), np.zeros((0, 2), dtype=np.int64)
        triangles = np.zeros((0, 3), dtype=np.int64)
        creases = np.zeros(0, dtype=bool)
        return Surface(none, triangles, none, none, no_numbers, no_numbers, creases)
    first_vertex = np.cumsum([0] + [len(solid.vertices) for solid in solids])
    first_triangle = np.cumsum([0] + [len(solid.triangles) for solid in solids])
    vertices = np.concatenate([solid.vertices for solid in solids])
    triangles = np.concatenate(
        [s.triangles + n for s, n in zip(solids, first_vertex, strict=False)]
    )
    return Surface(
        vertices,
        triangles,
        normals_of(vertices, triangles),
        np.concatenate(
            [
                np.tile(palette.color(role), (len(solid.triangles), 1))
                for solid, role in zip(solids, roles, strict=True)
            ]
        ),
        np.concatenate([s.edges + n for s, n in zip(solids, first_vertex, strict=False)]),
        np.concatenate(
            [s.edge_triangles + n for s, n in zip(solids, first_triangle, strict=False)]
        ),
        np.concatenate([solid.creases for solid in solids]),
    )


def render(
    surface: Surface,
    lines: Sequence[Lines],
    project: Callable[[FloatArray], FloatArray],
    *,
    canvas: tuple[int, int],
    light: FloatArray | None,
    ambient: float,
    edge_color: str,
    edge_width: float,
    point: float,
) -> Picture | None:
    """Draw a surface and lines.

    Args:
        surface: What hides.
        lines: What it hides, too.
        project: Maps points (n, 3) [m, world] to x, y [pixels] and depth, which grows away from the
            viewer, shape (n, 3).
        canvas: Width and height [pixels]; what lies outside is not drawn.
        light: Unit vector toward the light, world; None draws colors as they are.
        ambient: Brightness without light, 0 to 1.
        edge_color: Color of edges.
        edge_width: Width of edges [points]; 0 draws none.
        point: Pixels per point.

    Returns:
        The picture, or None when nothing is on the canvas.
    """
    screen = project(surface.vertices)
    corners = screen[surface.triangles]  # (m, 3, 3)
    front = _turn(corners) > 0
    colors = surface.colors
    if light is not None:
        diffuse = np.clip(surface.normals @ light, 0.0, 1.0)
        colors = colors * (ambient + (1.0 - ambient) * diffuse)[:, None]
    ends = [project(line.ends.reshape(-1, 3)).reshape(-1, 2, 3) for line in lines]
    strips = [(e, line.color, line.width) for e, line in zip(ends, lines, strict=True)]
    lift = _EDGE_LIFT * _depth_range([screen, *(e.reshape(-1, 3) for e in ends)])
    if edge_width > 0 and len(surface.edges):
        sides = front[surface.edge_triangles]  # (k, 2)
        shown = np.where(surface.creases, sides.any(axis=1), sides[:, 0] != sides[:, 1])
        edges = screen[surface.edges[shown]]
        edges[:, :, 2] -= lift
        strips.append((edges, rgb(edge_color), edge_width))
    batches = [corners[front]]
    paints = [np.column_stack((colors[front], np.ones(int(front.sum()))))]
    for strip, color, width in strips:
        quads = _thicken(strip, max(width * point, 1.0 / SAMPLES))
        batches.append(quads)
        paints.append(np.tile((*color, 1.0), (len(quads), 1)))
    return _paint(np.concatenate(batches), np.concatenate(paints), canvas)


def flatten(surface: Surface, height: float) -> Surface:
    """Press a surface onto the plane z = height [m]; both sides of it then face up."""
    vertices = surface.vertices.copy()
    vertices[:, 2] = height
    return Surface(
        vertices,
        np.concatenate((surface.triangles, surface.triangles[:, ::-1])),
        np.concatenate((surface.normals, -surface.normals)),
        np.concatenate((surface.colors, surface.colors)),
        surface.edges[:0],
        surface.edge_triangles[:0],
        surface.creases[:0],
    )


def _paint(corners: FloatArray, paints: FloatArray, canvas: tuple[int, int]) -> Picture | None:
    """Rasterise triangles (n, 3, 3) of the given colors (n, 4) inside the canvas."""
    good = np.isfinite(corners).all(axis=(1, 2))
    low, high = corners[:, :, :2].min(axis=1), corners[:, :, :2].max(axis=1)
    good &= (high > 0).all(axis=1) & (low < canvas).all(axis=1)
    corners, paints = np.ascontiguousarray(corners[good]), np.ascontiguousarray(paints[good])
    if not len(corners):
        return None
    left, bottom = np.floor(np.maximum(low[good].min(axis=0), 0.0)).astype(int)
    right, top = np.ceil(np.minimum(high[good].max(axis=0), canvas)).astype(int)
    columns, rows = min(int(right - left), _LARGEST), min(int(top - bottom), _LARGEST)
    if columns < 1 or rows < 1:
        return None
    corners[:, :, :2] = (corners[:, :, :2] - (left, bottom)) * SAMPLES
    depth = np.full((rows * SAMPLES, columns * SAMPLES), np.inf)
    index = np.full(depth.shape, -1, dtype=np.int32)
    _rasterise(corners.reshape(-1, 9), depth, index)
    rgba = np.empty((rows, columns, 4), dtype=np.uint8)
    _resolve(index, paints, rgba)
    return Picture(rgba, int(left), int(bottom))


def _turn(corners: FloatArray) -> FloatArray:
    """Return twice the signed area of triangles on the screen: positive is counter-clockwise."""
    a, b, c = corners[:, 0, :2], corners[:, 1, :2], corners[:, 2, :2]
    u, v = b - a, c - a
    area: FloatArray = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    return area


def _thicken(ends: FloatArray, width: float) -> FloatArray:
    """Turn lines (n, 2, 3) on the screen into triangles (2 n, 3, 3) of a width [pixels]."""
    a, b = ends[:, 0], ends[:, 1]
    step = b[:, :2] - a[:, :2]
    length = np.linalg.norm(step, axis=1, keepdims=True)
    step = np.divide(step, length, out=np.zeros_like(step), where=length > 0) * (width / 2)
    across = np.zeros_like(a)
    across[:, 0], across[:, 1] = -step[:, 1], step[:, 0]
    ahead = np.zeros_like(a)  # square ends close the gaps at corners
    ahead[:, :2] = step
    a, b = a - ahead, b + ahead
    one = np.stack((a - across, b - across, b + across), axis=1)
    two = np.stack((a - across, b + across, a + across), axis=1)
    return np.concatenate((one, two))


def _depth_range(screens: Sequence[FloatArray]) -> float:
    """Return how deep the picture is, in units of its depth."""
    depth = np.concatenate([screen[:, 2] for screen in screens])
    depth = depth[np.isfinite(depth)]
    return float(np.ptp(depth)) if len(depth) else 0.0
