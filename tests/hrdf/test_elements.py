"""What follows from what is written: masses, centers, inertias, output frames, order."""

import math
from typing import Any

import numpy as np
import pytest

from armwright.hrdf import (
    Joint,
    Output,
    Placed,
    Pose,
    RigidBody,
    RobotDescription,
    parse,
    walk,
)
from armwright.hrdf.elements.pose import rotation_about, rotation_product
from tests.hrdf.conftest import Robot


def only(robot: Robot, content: str) -> Any:
    (element,) = robot(content).elements
    return element


def test_an_estimated_inertia_follows_the_mass_and_a_published_one_does_not(robot: Robot) -> None:
    plain, heavy = (
        only(robot, '<actuator type="R25-8"/>'),
        only(robot, '<actuator type="R25-8" mass="3.8"/>'),
    )
    assert heavy.inertia == pytest.approx([2 * x for x in plain.inertia])
    assert plain.inertia_estimated
    plain, heavy = (
        only(robot, '<actuator type="X8-9"/>'),
        only(robot, '<actuator type="X8-9" mass="2"/>'),
    )
    assert heavy.inertia == plain.inertia
    assert not heavy.inertia_estimated


def test_a_link_is_a_slender_rod_with_two_end_masses(robot: Robot) -> None:
    e, h, tube = 0.4, 0.02, 0.4 * 0.4
    ends = 0.199
    along = ends * (h / 2) ** 2
    across = tube * e**2 / 12 + ends * (e / 2) ** 2 + along
    link = only(robot, f'<link type="X5" extension="{e}" twist="1"/>')
    assert link.inertia == pytest.approx((along, across, across, 0, 0, 0))
    assert link.com == Pose(translation=(e / 2, 0, h))
    upright = only(robot, f'<link type="X5" extension="{e}" twist="1" input="Inline"/>')
    ends += 0.015
    along = ends * (h / 2) ** 2
    across = tube * e**2 / 12 + ends * (e / 2) ** 2 + along
    assert upright.inertia == pytest.approx((across, across, along, 0, 0, 0))
    assert upright.com == Pose(translation=(0, 0, e / 2))
    double = only(robot, f'<link type="X5" extension="{e}" twist="1" mass="{2 * link.mass}"/>')
    assert double.inertia == pytest.approx([2 * x for x in link.inertia])
    assert link.inertia_estimated


@pytest.mark.parametrize(
    ("content", "mass"),
    [
        ('<bracket type="X5LightLeft"/>', 0.1),
        ('<bracket type="X5LightLeft" mass="2"/>', 2.0),
        ('<end-effector type="X5Parallel"/>', 0.2464),
    ],
)
def test_brackets_and_grippers_are_solid_spheres(robot: Robot, content: str, mass: float) -> None:
    element = only(robot, content)
    sphere = 0.4 * mass * 0.04**2
    assert element.inertia == pytest.approx((sphere, sphere, sphere, 0, 0, 0))
    assert element.inertia_estimated


def test_inertias_that_are_given_are_no_estimates(robot: Robot) -> None:
    six = ' ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"'
    for content in (
        '<actuator type="R25-8"',
        '<bracket type="X5LightLeft"',
        '<end-effector type="X5Parallel"',
        '<link type="X5" extension="1" twist="0"',
    ):
        element = only(robot, content + six + "/>")
        assert element.inertia == (1, 1, 1, 0, 0, 0)
        assert not element.inertia_estimated
        assert only(robot, content + ' ixx="1"/>').inertia_estimated
    custom = only(robot, '<end-effector mass="1"/>')
    assert (custom.inertia, custom.inertia_estimated) == ((0,) * 6, False)


def test_output_frames_of_links(robot: Robot) -> None:
    e, t, h = 0.3, 0.7, 0.02
    s, c = math.sin(t), math.cos(t)
    x, z = rotation_about("x", t), rotation_about("z", t)
    expected = {
        ("RightAngle", "RightAngle"): Pose(x, (e, -h * s, h + h * c)),
        ("RightAngle", "Inline"): Pose(
            rotation_product(x, rotation_about("y", math.pi / 2)), (e, 0, h)
        ),
        ("Inline", "RightAngle"): Pose(
            rotation_product(z, rotation_about("y", -math.pi / 2)), (-h * c, -h * s, e)
        ),
        ("Inline", "Inline"): Pose(z, (0, 0, e)),
    }
    for (input_, output), pose in expected.items():
        link = only(
            robot,
            f'<link type="X5" extension="{e}" twist="{t}" input="{input_}" output="{output}"/>',
        )
        np.testing.assert_allclose(link.output_poses[0].matrix(), pose.matrix(), atol=1e-15)


def test_a_pose_comes_back_from_its_matrix() -> None:
    pose = Pose(rotation_about("y", 0.3), (1.0, 2.0, 3.0))
    assert Pose.from_matrix(pose.matrix()) == pose
    assert pose.matrix()[3].tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_turns_follow_the_right_hand(axis: str) -> None:
    i = "xyz".index(axis)
    R = np.reshape(rotation_about(axis, 0.1), (3, 3))
    turned = R @ np.eye(3)[(i + 1) % 3]
    assert turned[(i + 2) % 3] == pytest.approx(math.sin(0.1))
    for quarters in (-5, -1, 1, 2, 3, 4, 1000):
        exact = np.reshape(rotation_about(axis, quarters * math.pi / 2), (3, 3))
        assert set(np.abs(exact).ravel()) == {0.0, 1.0}


def test_walking_a_long_or_deep_robot_needs_no_recursion() -> None:
    chain = RobotDescription(elements=(Joint(axis="rz"),) * 5000)
    assert [p.parent for p in walk(chain)] == list(range(-1, 4999))
    body = RigidBody(mass=1.0)
    for _ in range(2000):
        body = RigidBody(mass=1.0, branched=True, outputs=(Output(), Output(elements=(body,))))
    placed = list(walk(RobotDescription(elements=(body,))))
    assert len(placed) == 2001
    assert placed[2000] == Placed(RigidBody(mass=1.0), 1999, 1)


def test_a_tool_frame_that_is_the_parts_own_counts_as_not_given() -> None:
    def tool(attributes: str) -> object:
        return parse(f'<robot version="1.6.0"><end-effector {attributes}/></robot>')

    assert tool('output_rot="Rz(0)" output_trans="0 0 0.1"') == tool('output_trans="0 0 0.1"')
    assert tool('type="X5Parallel" output_trans="0 0 0.095"') == tool('type="X5Parallel"')
    assert tool('type="X5Parallel" output_trans="0 0 0"') != tool('type="X5Parallel"')
