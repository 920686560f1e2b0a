"""Primitives: closed, turned outward, of the right size."""

import numpy as np
import numpy.typing as npt
import pytest

from armwright.gui.solids import (
    Solid,
    along,
    box,
    cylinder,
    ellipsoid,
    normals_of,
    prism,
    rod,
    solid,
)

FloatArray = npt.NDArray[np.float64]


def volume(body: Solid) -> float:
    """Return the enclosed volume [m^3]; positive when all normals point outward."""
    a, b, c = (body.vertices[body.triangles[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def bounds(body: Solid) -> FloatArray:
    """Return smallest and largest coordinates, shape (2, 3)."""
    return np.stack((body.vertices.min(axis=0), body.vertices.max(axis=0)))


SOLIDS = {
    "box": (box((0.0, -0.1, 0.2), (0.3, 0.1, 0.5)), 0.3 * 0.2 * 0.3),
    "cylinder": (cylinder(0.1, -0.2, 0.3), 24 / 2 * np.sin(np.pi / 12) * 0.01 * 0.5),
    "prism": (prism([(0, 0), (1, 0), (0, 1)], 0.0, 2.0), 1.0),
    "rod": (rod((0.1, 0.2, 0.3), (0.1, -0.2, 0.0), 0.05, 6), 3 * np.sin(np.pi / 3) * 0.0025 * 0.5),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_primitive_has_the_volume_of_its_formula(name: str) -> None:
    body, expected = SOLIDS[name]
    assert volume(body) == pytest.approx(expected, rel=1e-12)


def test_ellipsoid_nears_the_volume_of_the_formula_from_below() -> None:
    body = ellipsoid((0.1, 0.2, 0.3), 96, 48)
    exact = 4 / 3 * np.pi * 0.1 * 0.2 * 0.3
    assert 0.995 * exact < volume(body) < exact
    assert not body.creases.any()


@pytest.mark.parametrize("name", SOLIDS)
def test_every_edge_belongs_to_two_triangles(name: str) -> None:
    body, _ = SOLIDS[name]
    assert len(body.edges) * 2 == len(body.triangles) * 3
    for (a, b), (one, other) in zip(body.edges, body.edge_triangles, strict=True):
        assert one != other
        assert {a, b} <= set(body.triangles[one])
        assert {a, b} <= set(body.triangles[other])


def test_creases_of_a_box_are_its_twelve_edges() -> None:
    body = box((0, 0, 0), (1, 2, 3))
    assert body.creases.sum() == 12


def test_creases_of_a_round_part_are_its_two_rims() -> None:
    assert cylinder(0.02, 0.0, 0.1).creases.sum() == 2 * 24


def test_an_open_surface_is_refused() -> None:
    with pytest.raises(AssertionError, match="closed"):
        solid([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])


def test_transforming_turns_and_shifts() -> None:
    T = np.array([[0.0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]])
    np.testing.assert_allclose(
        bounds(box((0, 0, 0), (1, 2, 3)).transform(T)), [[-1, 2, 3], [1, 3, 6]], atol=1e-15
    )


@pytest.mark.parametrize("direction", [(0, 0, 1), (0, 0, -2), (1, 0, 0), (0.3, -0.4, 0.1)])
def test_along_is_a_frame_whose_z_axis_has_the_direction(direction: tuple[float, ...]) -> None:
    T = along((1, 2, 3), direction)
    np.testing.assert_allclose(T[:3, :3].T @ T[:3, :3], np.eye(3), atol=1e-15)
    assert np.linalg.det(T[:3, :3]) == pytest.approx(1)
    np.testing.assert_allclose(T[:3, 2], np.array(direction) / np.linalg.norm(direction))
    np.testing.assert_array_equal(T[:, 3], [1, 2, 3, 1])


def test_normals_are_unit_and_zero_without_area() -> None:
    points = np.array([(0.0, 0, 0), (2, 0, 0), (0, 2, 0), (4, 0, 0)])
    normals = normals_of(points, np.array([(0, 1, 2), (0, 1, 3)]))
    np.testing.assert_array_equal(normals, [(0, 0, 1), (0, 0, 0)])
