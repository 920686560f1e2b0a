"""Closed solids made of triangles: the few primitives that all parts are drawn with.

Vertices are in metres, in the frame of whoever asked; triangles turn counter-clockwise seen from
outside, so normals point outward. Every solid is closed: each edge belongs to exactly two
triangles, which is what hiding back faces and finding outlines rely on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

SIDES = 24
"""Sides of round parts: flat shading looks smooth from here on."""
_CREASE = np.cos(np.deg2rad(30.0))


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A closed surface.

    Attributes:
        vertices: Shape (n, 3) [m].
        triangles: Vertex numbers, shape (m, 3).
        edges: Vertex numbers, shape (k, 2).
        edge_triangles: The two triangles of each edge, shape (k, 2).
        creases: Whether those two meet at more than 30 degrees, shape (k,).
    """

    vertices: FloatArray
    triangles: IntArray
    edges: IntArray
    edge_triangles: IntArray
    creases: BoolArray

    def transform(self, T_A_B: FloatArray) -> "Solid":
        """Return the solid, given in frame B, in frame A."""
        vertices = self.vertices @ T_A_B[:3, :3].T + T_A_B[:3, 3]
        return Solid(vertices, self.triangles, self.edges, self.edge_triangles, self.creases)


def solid(vertices: npt.ArrayLike, triangles: npt.ArrayLike) -> Solid:
    """Find the edges of a closed triangle mesh.

    Args:
        vertices: Shape (n, 3) [m].
        triangles: Vertex numbers, shape (m, 3), counter-clockwise from outside.
    """
    points = np.array(vertices, dtype=np.float64)
    faces = np.array(triangles, dtype=np.int64)
    sides = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)  # (3m, 2)
    owner = np.repeat(np.arange(len(faces)), 3)
    ends = np.sort(sides, axis=1)
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    one, other = order[0::2], order[1::2]
    assert np.array_equal(ends[one], ends[other]), "a solid must be closed"
    edge_triangles = np.stack((owner[one], owner[other]), axis=1)
    normals = normals_of(points, faces)
    bend = np.sum(normals[edge_triangles[:, 0]] * normals[edge_triangles[:, 1]], axis=1)
    return Solid(points, faces, ends[one], edge_triangles, bend < _CREASE)


def normals_of(vertices: FloatArray, triangles: IntArray) -> FloatArray:
    """Return unit normals, shape (m, 3); zero for a triangle without area."""
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    result: FloatArray = np.divide(normals, length, out=np.zeros_like(normals), where=length > 0)
    return result


def prism(outline: npt.ArrayLike, bottom: float, top: float) -> Solid:
    """Extrude a convex outline along z.

    Args:
        outline: Corners, shape (n, 2) [m], counter-clockwise seen from +z.
        bottom: Lower z [m].
        top: Upper z [m].
    """
    corners = np.asarray(outline, dtype=np.float64)
    n = len(corners)
    lower = np.column_stack((corners, np.full(n, bottom)))
    upper = np.column_stack((corners, np.full(n, top)))
    i = np.arange(n)
    j = (i + 1) % n
    walls = np.concatenate((np.stack((i, j, n + j), axis=1), np.stack((i, n + j, n + i), axis=1)))
    fan = np.arange(1, n - 1)
    zero = np.zeros_like(fan)
    floor = np.stack((zero, fan + 1, fan), axis=1)
    roof = np.stack((zero + n, fan + n, fan + 1 + n), axis=1)
    return solid(np.concatenate((lower, upper)), np.concatenate((walls, floor, roof)))


def cylinder(radius: float, bottom: float, top: float, sides: int = SIDES) -> Solid:
    """Return a cylinder about z."""
    return prism(arc(radius, radius, 0.0, 2 * np.pi, sides)[:-1], bottom, top)


def arc(
    radius_x: float, radius_y: float, start: float, stop: float, steps: int = SIDES // 2
) -> FloatArray:
    """Return points of an ellipse about the origin, shape (steps + 1, 2) [m], with both ends."""
    angle = np.linspace(start, stop, steps + 1)
    return np.stack((radius_x * np.cos(angle), radius_y * np.sin(angle)), axis=1)


def box(low: Sequence[float], high: Sequence[float]) -> Solid:
    """Return a box between two opposite corners [m]."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    return prism([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], z0, z1)


def ellipsoid(radii: Sequence[float], around: int = SIDES, rings: int = SIDES // 2) -> Solid:
    """Return an ellipsoid about the origin with its axes along x, y, z [m]; it has no creases."""
    circle = arc(1.0, 1.0, 0.0, 2 * np.pi, around)[:-1]
    vertices = [(0.0, 0.0, -1.0)]
    for polar in np.linspace(-np.pi / 2, np.pi / 2, rings + 1)[1:-1]:
        vertices += [(x * np.cos(polar), y * np.cos(polar), np.sin(polar)) for x, y in circle]
    vertices.append((0.0, 0.0, 1.0))
    last = len(vertices) - 1
    triangles = []
    for i in range(around):
        j = (i + 1) % around
        triangles.append((0, 1 + j, 1 + i))
        for ring in range(rings - 2):
            a = 1 + ring * around
            triangles.append((a + i, a + j, a + around + j))
            triangles.append((a + i, a + around + j, a + around + i))
        a = 1 + (rings - 2) * around
        triangles.append((a + i, a + j, last))
    ball = solid(np.array(vertices) * np.asarray(radii, dtype=np.float64), triangles)
    return replace(ball, creases=np.zeros_like(ball.creases))


def rod(start: npt.ArrayLike, end: npt.ArrayLike, radius: float, sides: int = SIDES) -> Solid:
    """Return a cylinder from one point to another [m]."""
    a, b = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    length = float(np.linalg.norm(b - a))
    return cylinder(radius, 0.0, length, sides).transform(along(a, b - a))


def along(origin: npt.ArrayLike, direction: npt.ArrayLike) -> FloatArray:
    """Return a frame, shape (4, 4), at a point, with its z axis in a direction."""
    z = np.asarray(direction, dtype=np.float64)
    z = z / np.linalg.norm(z)
    helper = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = np.cross(helper, z)
    x /= np.linalg.norm(x)
    T = np.eye(4)
    T[:3, :3] = np.stack((x, np.cross(z, x), z), axis=1)
    T[:3, 3] = origin
    return T
