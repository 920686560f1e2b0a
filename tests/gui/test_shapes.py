"""Shapes of parts: the sizes of the table, at the right place, closed."""

import numpy as np
import numpy.typing as npt
import pytest

from armwright.gui.shapes import Piece, shape_of, stick_of
from armwright.gui.shapes.bodies import inertia_ellipsoid
from armwright.hrdf import Actuator, Bracket, EndEffector, Link, load_catalog
from armwright.hrdf.elements import ActuatorPart
from armwright.hrdf.sizes import HOUSINGS, PLATES, tube_radius
from tests.gui.robots import EVERY_KIND, robot

FloatArray = npt.NDArray[np.float64]

PARTS = load_catalog().parts


def bounds(pieces: tuple[Piece, ...], T_in_out: FloatArray | None = None) -> FloatArray:
    """Return smallest and largest coordinates in the input frame, shape (2, 3) [m]."""
    T = np.eye(4) if T_in_out is None else T_in_out
    points = np.concatenate(
        [(p.solid.transform(T) if p.moves else p.solid).vertices for p in pieces]
    )
    return np.stack((points.min(axis=0), points.max(axis=0)))


HOUSING_TABLE = {  # back, front, half width, height [m]; R25 and T25 are estimates
    "X5": (-0.073, 0.0365, 0.0365, 0.031),
    "X8": (-0.073, 0.0365, 0.0365, 0.045),
    "T5": (-0.089, 0.037, 0.037, 0.034),
    "T8": (-0.089, 0.037, 0.037, 0.0475),
    "R8": (-0.117, 0.039, 0.039, 0.051),
    "R25": (-0.14, 0.055, 0.055, 0.069),
    "T25": (-0.12, 0.055, 0.052, 0.067),
}
TYPES = {
    "X5": "X5-1",
    "X8": "X8-3",
    "T5": "T5-4",
    "T8": "T8-9",
    "R8": "R8-16",
    "R25": "R25-8",
    "T25": "T25-40",
}


@pytest.mark.parametrize("family", HOUSING_TABLE)
def test_actuator_has_the_bounds_of_the_table(family: str) -> None:
    element = robot(f'<actuator type="{TYPES[family]}"/>').elements[0]
    back, front, half_width, height = HOUSING_TABLE[family]
    found = bounds(shape_of(element), element.output_poses[0].matrix())
    expected = [[back, -half_width, 0.0], [front, half_width, height]]
    np.testing.assert_allclose(found, expected, atol=2.5e-4)  # output frames differ by 0.1 mm


def test_every_actuator_of_the_catalog_has_a_housing() -> None:
    families = {
        part.family for part in PARTS["actuator"].values() if isinstance(part, ActuatorPart)
    }
    assert families == set(HOUSINGS)


def test_every_bracket_of_the_catalog_has_plates() -> None:
    for type in PARTS["bracket"]:
        assert any(type.startswith(name) for name in PLATES), type


def test_output_face_lies_at_the_output_and_moves_with_it() -> None:
    element = robot('<actuator type="X8-9"/>').elements[0]
    pieces = shape_of(element)
    faces = [piece for piece in pieces if piece.role == "face"]
    assert [piece.moves for piece in pieces if piece.role in ("face", "mark")] == [True, True]
    assert faces[0].solid.vertices[:, 2].max() == 0.0
    assert np.hypot(*faces[0].solid.vertices[:, :2].T).max() == pytest.approx(0.022)


@pytest.mark.parametrize("style_in", ["RightAngle", "Inline"])
@pytest.mark.parametrize("style_out", ["RightAngle", "Inline"])
def test_link_ends_where_its_output_begins(style_in: str, style_out: str) -> None:
    element = robot(
        f'<link type="X5" extension="0.3" twist="0.7" input="{style_in}" output="{style_out}"/>'
    ).elements[0]
    pieces = shape_of(element)
    T_in_out = element.output_poses[0].matrix()
    points = np.concatenate([piece.solid.vertices for piece in pieces])
    from_out = (points - T_in_out[:3, 3]) @ T_in_out[:3, :3]
    assert points[:, 2].min() == pytest.approx(0.0, abs=1e-12) or style_in == "RightAngle"
    foot_in = points[np.abs(points[:, 2]) < 1e-9]
    foot_out = from_out[np.abs(from_out[:, 2]) < 1e-9]
    assert np.hypot(*foot_in[:, :2].T).max() >= 1.45 * 0.016 - 1e-9  # a round foot on both faces
    assert np.hypot(*foot_out[:, :2].T).max() >= 1.45 * 0.016 - 1e-9
    tube = next(piece for piece in pieces if piece.role == "link").solid.vertices
    assert np.ptp(tube, axis=0).max() == pytest.approx(0.3, abs=1e-9)


def test_links_of_no_length_have_no_tube() -> None:
    element = robot('<link type="R8" extension="0" twist="0"/>').elements[0]
    assert {piece.role for piece in shape_of(element)} == {"adapter"}
    inline = '<link type="X5" extension="0" twist="0" input="Inline" output="Inline"/>'
    assert shape_of(robot(inline).elements[0]) == ()


def test_tube_radii_by_family() -> None:
    assert [tube_radius(t) for t in ("X5", "R8", "R25", "R25-R8", "other")] == [
        0.016, 0.0175, 0.022, 0.022, 0.016,
    ]  # fmt: skip


BRACKETS = {  # y of the upright's two faces, top z [m]
    "X5LightLeft": (0.038, 0.043, 0.073),
    "X5LightRight": (-0.043, -0.038, 0.073),
    "X5HeavyLeftInside": (-0.0375, -0.0225, 0.0875),
    "X5HeavyLeftOutside": (0.0225, 0.0375, 0.0875),
    "X5HeavyRightInside": (0.0225, 0.0375, 0.0875),
    "X5HeavyRightOutside": (-0.0375, -0.0225, 0.0875),
    "R25HeavyRightOutside": (-0.055, -0.035, 0.118),
}


@pytest.mark.parametrize("type", BRACKETS)
def test_bracket_plates_lie_on_input_and_output(type: str) -> None:
    element = robot(f'<bracket type="{type}"/>').elements[0]
    base, upright = (piece.solid.vertices for piece in shape_of(element))
    low, high, top = BRACKETS[type]
    np.testing.assert_allclose((upright[:, 1].min(), upright[:, 1].max()), (low, high), atol=1e-12)
    assert upright[:, 2].max() == pytest.approx(top)
    assert base[:, 2].min() == 0.0
    output_y = element.output_poses[0].translation[1]
    assert min(abs(output_y - low), abs(output_y - high)) < 1e-12
    assert base[:, 1].min() - 1e-12 <= low < high <= base[:, 1].max() + 1e-12


def test_body_is_a_pipe_up_and_then_across() -> None:
    element = robot('<rigid-body mass="1" output_trans="0.3 0 0.4"/>').elements[0]
    upright, ball, across = (piece.solid.vertices for piece in shape_of(element))
    np.testing.assert_allclose(np.ptp(upright, axis=0), [0.044, 0.044, 0.4], atol=1e-3)
    assert ball[:, 2].mean() == pytest.approx(0.4)
    assert [across[:, 0].min(), across[:, 0].max()] == pytest.approx([0.0, 0.3])


def test_pipes_of_short_bodies_are_thin() -> None:
    element = robot('<rigid-body mass="1" output_trans="0 0 0.01"/>').elements[0]
    assert bounds(shape_of(element))[1][0] == pytest.approx(0.003, rel=0.02)


def test_body_without_outputs_elsewhere_is_its_ellipsoid_of_inertia() -> None:
    a, b, c = 0.03, 0.05, 0.08
    inertia = (
        2 * (b * b + c * c) / 5,
        2 * (a * a + c * c) / 5,
        2 * (a * a + b * b) / 5,
        0.0,
        0.0,
        0.0,
    )
    radii, T = inertia_ellipsoid(2.0, inertia, 1.0)
    np.testing.assert_allclose(np.abs(T[:3, :3]) @ radii, (a, b, c))
    numbers = " ".join(f'i{n}="{v}"' for n, v in zip(("xx", "yy", "zz"), inertia, strict=False))
    element = robot(f'<rigid-body mass="2" com_trans="1 0 0" {numbers}/>').elements[0]
    low, high = bounds(shape_of(element))
    np.testing.assert_allclose(high - low, (2 * a, 2 * b, 2 * c), rtol=0.02)
    np.testing.assert_allclose((high + low) / 2, (1, 0, 0), atol=1e-12)


def test_invented_inertias_stay_within_bounds() -> None:
    assert inertia_ellipsoid(0.0, (1.0,) * 6, 1.0)[0] <= (0.15,) * 3
    assert inertia_ellipsoid(1.0, (0.0,) * 6, 1.0)[0] == (0.008,) * 3


def test_plain_joint_is_a_barrel_about_its_axis() -> None:
    turning = robot('<joint axis="-ry"/>').elements[0]
    pieces = shape_of(turning)
    low, high = bounds(pieces)
    np.testing.assert_allclose((low[1], high[1]), (-0.025, 0.025))
    face = next(piece for piece in pieces if piece.role == "face")
    assert face.solid.vertices[:, 1].max() < 0  # the cap is at the positive end of the axis


def test_sliding_joint_has_a_rail_as_long_as_its_way() -> None:
    sliding = robot('<joint axis="tz"/>').elements[0]
    rail, carriage = shape_of(sliding, travel=-0.4)
    assert rail.solid.vertices[:, 2].min() == pytest.approx(-0.43)
    assert rail.solid.vertices[:, 2].max() == pytest.approx(0.03)
    assert (rail.moves, carriage.moves) == (False, True)


def test_gripper_tips_reach_the_tool_frame() -> None:
    element = robot('<end-effector type="X5Parallel"/>').elements[0]
    low, high = bounds(shape_of(element))
    np.testing.assert_allclose(high - low, (0.070, 0.060, 0.095), atol=2e-3)
    assert high[2] == pytest.approx(element.output_poses[0].translation[2])


def test_custom_end_effector_is_a_dot_with_a_stem_to_a_tool_elsewhere() -> None:
    (dot,) = shape_of(robot("<end-effector/>").elements[0])
    assert np.ptp(dot.solid.vertices[:, 2]) == pytest.approx(0.006)
    dot, stem = shape_of(robot('<end-effector output_trans="0 0 0.1"/>').elements[0])
    assert dot.solid.vertices[:, 2].max() == pytest.approx(0.103)
    assert np.ptp(stem.solid.vertices[:, 2]) == pytest.approx(0.1)


def test_parts_that_no_table_knows_still_have_a_shape() -> None:
    from dataclasses import replace

    known = robot('<actuator type="X8-9"/>').elements[0]
    assert isinstance(known, Actuator)
    own = replace(known, part=replace(known.part, family="Z1", output_z=0.2))
    assert bounds(shape_of(own), own.output_poses[0].matrix())[1][2] == pytest.approx(0.2)
    bracket = robot('<bracket type="X5LightLeft"/>').elements[0]
    assert isinstance(bracket, Bracket)
    other = shape_of(replace(bracket, part=replace(bracket.part, type="Adapter")))
    assert {piece.role for piece in other} == {"bracket"}
    assert isinstance(robot("<end-effector/>").elements[0], EndEffector)
    assert isinstance(robot('<link type="X5" extension="1" twist="0"/>').elements[0], Link)


def test_sticks_join_frames() -> None:
    for element in robot(EVERY_KIND).elements:
        pieces = stick_of(element, travel=0.1)
        tip = np.array(element.output_poses[0].translation)
        if element.kind not in ("joint", "actuator") and np.linalg.norm(tip) > 0.01:
            points = np.concatenate([piece.solid.vertices for piece in pieces])
            assert np.linalg.norm(points - tip, axis=1).min() < 0.01
            assert np.linalg.norm(points, axis=1).min() < 0.01


def test_all_shapes_of_the_catalog_are_closed_and_turned_outward() -> None:
    texts = [f'<actuator type="{t}"/>' for t in PARTS["actuator"]]
    texts += [f'<bracket type="{t}"/>' for t in PARTS["bracket"]]
    texts += [f'<link type="{t}" extension="0.2" twist="1"/>' for t in PARTS["link"]]
    texts += [f'<end-effector type="{t}"/>' for t in PARTS["end-effector"]]
    for text in texts:
        for piece in shape_of(robot(text).elements[0]):
            body = piece.solid
            a, b, c = (body.vertices[body.triangles[:, i]] for i in range(3))
            enclosed = np.einsum("ij,ij->i", a - a[0], np.cross(b - a[0], c - a[0])).sum() / 6
            assert enclosed > 1e-9, text
            middle = body.vertices.mean(axis=0)  # all pieces are convex: each face looks away
            facing = np.einsum("ij,ij->i", np.cross(b - a, c - a), a - middle)
            assert (facing > 0).all(), text
