"""Small robots with answers in closed form: signs, orders, conventions that people get wrong."""

from typing import Any

import numpy as np
import pytest

from armwright.errors import FrameNotFoundError, ModelError
from armwright.kinematics import RobotModel, loads, rotation_vector
from tests.oracles import near
from tests.robots import BRANCHES, PLANAR

pytestmark = pytest.mark.kernels

DOWN_Y = [0, -9.81, 0]


# C05: negative axes move, differentiate and weigh with the right sign.


def test_negative_turning_axes() -> None:
    arm = loads(PLANAR.replace("rz", "-rz"))
    q = [0.3, 0.5]
    assert arm.end_effector(q)[:3, 3] == near([0.826021599, -0.506438149, 0.0])
    expected = [
        [-0.506438149, -0.358678045],
        [-0.826021599, -0.348353355],
        [0, 0],
        [0, 0],
        [0, 0],
        [-1, -1],
    ]
    assert arm.jacobian(q) == near(expected)
    assert arm.jacobians("endeffector", q)[0] == near(expected)
    assert arm.gravity_efforts(q, DOWN_Y) == near([-8.737561423, -1.708673205])
    assert len(arm.warnings) == 2  # the format page does not list negative axes


def test_negative_sliding_axis() -> None:
    slide = loads(
        '<robot version="1.6.0"><joint axis="-tx"/><rigid-body mass="1"/><end-effector/></robot>'
    )
    assert slide.end_effector([0.2])[:3, 3] == near([-0.2, 0, 0])
    assert slide.jacobian([0.2])[:, 0] == near([-1, 0, 0, 0, 0, 0])


# C14: rows linear first, world axes, at the frame's origin; the others by name.


def test_jacobian_conventions(planar: RobotModel) -> None:
    q = [0.3, 0.5]
    assert planar.end_effector(q)[:3, 3] == near([1.303689844, 0.654198252, 0])
    turning = [[0, 0], [0, 0], [0, 0], [1, 1]]
    world = [[-0.654198252, -0.358678045], [1.303689844, 0.348353355], *turning]
    body = [[0.479425539, 0.0], [1.377582562, 0.5], *turning]
    spatial = [[0.0, 0.295520207], [0.0, -0.955336489], *turning]
    assert planar.jacobian(q) == near(world)
    assert planar.jacobian(q, reference="world") == near(world)
    assert planar.jacobian(q, reference="body") == near(body)
    assert planar.jacobian(q, reference="spatial") == near(spatial)
    assert planar.jacobians("endeffector", q, reference="body")[0] == near(body)
    assert planar.jacobians("endeffector", q, reference="spatial")[0] == near(spatial)


# C15: joints on another branch have zero columns, for every kind of frame.


def test_siblings_have_zero_columns() -> None:
    model = loads(BRANCHES)
    q = [0.1, 0.2]
    zeros = [[0, 0], [0, 0], [0, 0]]
    first = [[-0.099833417, 0], [0.995004165, 0], *zeros, [1, 0]]
    second = [[0, -0.397338662], [0, 1.960133156], *zeros, [0, 1]]
    assert model.jacobian(q, index=0) == near(first)
    assert model.jacobian(q, index=1) == near(second)
    assert model.jacobians("endeffector", q) == near([first, second])
    # input frames: base body, joint, arm, end effector; joint, arm, end effector
    assert not model.jacobians("input", q)[:4, :, 1].any()
    assert not model.jacobians("input", q)[4:, :, 0].any()
    assert not model.jacobians("output", q)[:4, :, 1].any()
    assert not model.jacobians("output", q)[4:, :, 0].any()
    for kind in ("com", "mesh"):  # base body; arm, end effector; arm, end effector
        J = model.jacobians(kind, q)
        assert not J[:3, :, 1].any()
        assert not J[3:, :, 0].any()
        assert J[1:3, :, 0].any(axis=1).all()
        assert J[3:, :, 1].any(axis=1).all()


# C16: a chain that ends in fixed parts needs no extra joint value.


def test_fixed_parts_after_the_last_joint() -> None:
    arm = loads("""
        <robot version="1.6.0">
          <joint axis="rz"/>
          <rigid-body mass="1" output_trans="1 0 0"/>
          <rigid-body mass="0" output_trans="0 0.5 0" output_rot="Rz(pi/2)"/>
          <rigid-body mass="0" output_trans="0.25 0 0"/>
          <end-effector output_trans="0 0 0.1"/>
        </robot>""")
    assert arm.dof == 1
    assert arm.end_effector([0.0])[:3, 3] == near([1.0, 0.75, 0.1])
    assert arm.end_effector([np.pi / 2])[:3, 3] == near([-0.75, 1.0, 0.1])


def test_robot_without_joints() -> None:
    post = loads(
        '<robot version="1.6.0"><rigid-body mass="1" output_trans="1 2 3"/><end-effector/></robot>'
    )
    assert post.dof == 0
    nothing: list[Any] = [[], np.zeros(0), ()]
    for q in nothing:
        assert post.end_effector(q)[:3, 3].tolist() == [1, 2, 3]
        assert post.jacobian(q).shape == (6, 0)
        assert post.jacobians("output", q).shape == (2, 6, 0)
        assert post.gravity_efforts(q).shape == (0,)
        assert post.forward_kinematics("com", q).shape == (2, 4, 4)
    assert post.jacobian(np.zeros((3, 0)), reference="body").shape == (3, 6, 0)
    assert post.gravity_efforts(np.zeros((5, 2, 0))).shape == (5, 2, 0)


# C18: joints are numbered depth first, in document order, and found by tag.


def test_joint_order_in_trees() -> None:
    model = loads("""
        <robot version="1.6.0">
          <joint axis="rz" tag="trunk"/>
          <rigid-body mass="1">
            <output><joint axis="ry" tag="L1"/><rigid-body mass="1" output_trans="1 0 0"/>
              <joint axis="ry" tag="L2"/><end-effector tag="left"/></output>
            <output><joint axis="rx" tag="R1"/>
              <end-effector tag="right" output_trans="0 0 1"/></output>
          </rigid-body>
        </robot>""")
    assert model.joint_names == ("trunk", "L1", "L2", "R1")
    ends = [e.tag for e in model.elements if e.kind == "end-effector"]
    assert ends == ["left", "right"]
    q = np.array([0.1, 0.2, 0.3, 0.4])
    both = model.forward_kinematics("endeffector", q)
    assert model.end_effector(q, tag="left") == near(both[0], 1e-15)
    assert model.end_effector(q, tag="right") == near(both[1], 1e-15)
    assert model.jacobian(q, tag="right")[:, 1:3] == near(np.zeros((6, 2)))
    assert model.jacobian(q, tag="left")[:, 3] == near(np.zeros(6))
    with pytest.raises(FrameNotFoundError, match=r"no element has the tag 'rihgt'.*'right'"):
        model.end_effector(q, tag="rihgt")


# C35, C36: gravity is an acceleration in world axes; the efforts hold the arm.


def test_gravity_sign(planar: RobotModel) -> None:
    q = [0.3, 0.5]
    assert planar.gravity_efforts(q, DOWN_Y) == near([20.452375121, 1.708673205])
    assert planar.gravity_efforts(q, [0, 9.81, 0]) == near([-20.452375121, -1.708673205])
    lift = loads(
        '<robot version="1.6.0"><joint axis="tz"/><rigid-body mass="3"/><end-effector/></robot>'
    )
    assert lift.gravity_efforts([0.0], [0, 0, -9.81]) == near([29.43])
    assert lift.gravity_efforts([0.4]) == near([29.43])  # the default


def test_gear_ratio_divides_motion_jacobian_and_effort() -> None:
    lift = loads("""
        <robot version="1.6.0"><joint axis="tz" gear_ratio="2"/><rigid-body mass="3"/>
        <end-effector/></robot>""")
    assert lift.end_effector([0.4])[2, 3] == near(0.2)
    assert lift.jacobian([0.4])[:, 0] == near([0, 0, 0.5, 0, 0, 0])
    assert lift.gravity_efforts([0.4]) == near([14.715])


def test_gravity_is_in_world_axes_with_a_turned_base(planar: RobotModel) -> None:
    turned = [[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1]]
    on_wall = planar.with_base_frame(turned)
    q = [0.3, 0.5]
    assert on_wall.end_effector(q)[:3, 3] == near([-0.654198252, 1.303689844, 1.0])
    assert on_wall.gravity_efforts(q, DOWN_Y) == near([-7.557422268, -1.759315813])
    back = on_wall.with_base_frame(np.eye(4))
    assert back.gravity_efforts(q, DOWN_Y) == near([20.452375121, 1.708673205])


# C38: payloads replace; zero changes nothing and restores every bit.


def test_payload_steps(planar: RobotModel) -> None:
    q = [0.3, 0.5]
    start = planar.gravity_efforts(q, DOWN_Y)
    zero = planar.with_payload(0)
    assert zero.gravity_efforts(q, DOWN_Y).tobytes() == start.tobytes()
    two = zero.with_payload(2)
    assert two.gravity_efforts(q, DOWN_Y) == near([46.030769860, 8.543366024])
    offset = two.with_payload(2, com=[0.1, 0, 0])
    assert offset.gravity_efforts(q, DOWN_Y) == near([47.397708424, 9.910304588])
    # One kilogram: the call replaces mass and com together, so the offset is gone.
    one = offset.with_payload(1)
    expected = 0.5 * (start + np.array([46.030769860, 8.543366024]))
    assert one.gravity_efforts(q, DOWN_Y) == near(expected)
    none = one.with_payload(0)
    assert none.gravity_efforts(q, DOWN_Y).tobytes() == start.tobytes()
    with pytest.raises(ModelError, match=r"payload mass: expected .* got -1"):
        planar.with_payload(-1)
    for kind in ("input", "output", "com", "endeffector", "mesh"):
        np.testing.assert_array_equal(
            offset.forward_kinematics(kind, q), planar.forward_kinematics(kind, q)
        )
        np.testing.assert_array_equal(offset.jacobians(kind, q), planar.jacobians(kind, q))


# C21: rotation vectors of tiny angles, near half turns, and of matrices that are a little off.


def about(axis: str, angle: float) -> np.ndarray[Any, Any]:
    c, s = np.cos(angle), np.sin(angle)
    if axis == "x":
        return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def test_rotation_vectors_at_the_ends() -> None:
    assert rotation_vector(about("z", 1e-9)) == pytest.approx([0, 0, 1e-9], rel=1e-6)
    assert rotation_vector(about("z", 0.0)).tolist() == [0, 0, 0]
    assert rotation_vector(about("z", 3.141592653)) == near([0, 0, 3.141592653])
    half = 2 / 3 * np.ones((3, 3)) - np.eye(3)
    v = rotation_vector(half)
    assert np.linalg.norm(v) == near(np.pi)
    assert v / np.linalg.norm(v) == near(np.ones(3) / np.sqrt(3))
    assert rotation_vector(about("x", 2.0) * 1.000000001) == near([2.0, 0, 0])
