"""Sizes of parts: known answers, and what stands in for parts that nobody measured."""

from dataclasses import replace

import pytest

from armwright.hrdf import (
    Actuator,
    Bracket,
    Element,
    EndEffector,
    Link,
    load_catalog,
    parse,
    sizes,
)
from armwright.hrdf.elements import ActuatorPart, BracketPart


def element(content: str) -> Element:
    return parse(f'<robot version="1.6.0">{content}</robot>').elements[0]


def actuator(type: str) -> Actuator:
    made = element(f'<actuator type="{type}"/>')
    assert isinstance(made, Actuator)
    return made


def link(attributes: str) -> Link:
    made = element(f'<link twist="0" {attributes}/>')
    assert isinstance(made, Link)
    return made


def test_every_actuator_of_the_catalog_was_measured() -> None:
    for part in load_catalog().parts["actuator"].values():
        assert isinstance(part, ActuatorPart)
        housing = sizes.housing_of(Actuator(part=part))
        assert housing is sizes.HOUSINGS[part.family]
        assert housing.height == pytest.approx(part.output_z, abs=1e-3)


def test_an_unknown_actuator_is_an_x8_of_its_own_height() -> None:
    part = actuator("X5-1").part
    tall = sizes.housing_of(Actuator(part=replace(part, family="W10", output_z=0.2)))
    assert tall == sizes.Housing(-0.073, 0.0365, 0.0365, 0.2, 0.022)
    flat = sizes.housing_of(Actuator(part=replace(part, family="W10", output_z=0.0)))
    assert flat.height == 0.01  # room for twice an output face


def test_a_link_is_a_tube_between_adapters() -> None:
    tube = sizes.tube_of(link('type="X5" extension="0.3"'))
    half_height = link('type="X5" extension="1"').part.half_height
    assert (tube.radius, tube.half_height) == (0.016, half_height)
    assert tube.flange_radius == pytest.approx(0.0232)
    assert tube.block_half_width == pytest.approx(0.02)
    assert tube.foot_height == pytest.approx(0.45 * tube.half_height)


@pytest.mark.parametrize(
    ("styles", "extension", "length"),
    [
        ('input="Inline"', 0.3, 0.02),
        ('input="Inline"', 0.012, 0.012),
        ('input="Inline" output="Inline"', 0.3, 0.02),
        ('input="Inline" output="Inline"', 0.03, 0.015),  # two of them share it
    ],
)
def test_inline_adapters_are_no_longer_than_the_link(
    styles: str, extension: float, length: float
) -> None:
    tube = sizes.tube_of(link(f'type="X5" extension="{extension}" {styles}'))
    assert tube.inline_length == pytest.approx(length)


def test_brackets_have_the_plates_of_their_family() -> None:
    for part in load_catalog().parts["bracket"].values():
        assert isinstance(part, BracketPart)
        plates = sizes.plates_of(Bracket(part=part))
        assert plates is not None
        assert plates.round_base == ("Light" in part.type)


def test_plain_joints_scale() -> None:
    one, two = sizes.joint_sizes(), sizes.joint_sizes(2.0)
    assert one == sizes.JointSizes(0.02, (-0.025, 0.017), 0.025, 0.017, 0.009, 0.03, 0.018)
    assert two.carriage == pytest.approx(2 * one.carriage)
    assert two.cap_radius == pytest.approx(2 * one.cap_radius)


def test_grippers_reach_as_far_as_their_fingers() -> None:
    for type in ("X5Parallel", "R8Parallel"):
        made = element(f'<end-effector type="{type}"/>')
        assert isinstance(made, EndEffector)
        gripper = sizes.gripper_of(made)
        assert gripper is not None
        assert max(corner[2] for box in gripper.boxes for corner in box) == 0.095
        assert (gripper.flange_radius, gripper.flange_height) == (0.03, 0.006)
    plain = element("<end-effector/>")
    assert isinstance(plain, EndEffector)
    assert sizes.gripper_of(plain) is None


def test_shares_and_radii_of_what_is_only_drawn() -> None:
    assert (sizes.FACE_HEIGHT, sizes.CHAMFER, sizes.DOT_RADIUS) == (0.005, 0.35, 0.003)
    assert (sizes.PIPE_RADIUS, sizes.BRACKET_RADIUS) == (0.022, 0.016)
    assert sizes.BLOB_RADII == (0.008, 0.15)
