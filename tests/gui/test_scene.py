"""Scenes: one group per element, in the right place."""

import numpy as np
import pytest

from armwright.errors import JointVectorError, ModelError
from armwright.gui.scene import make_scene
from tests.gui.robots import EVERY_KIND, Q_SIX, arm, robot

EXAMPLES = ("three_dof", "six_dof", "seven_dof", "gripper_arm", "two_armed", "gantry")


@pytest.mark.parametrize("name", EXAMPLES)
def test_one_group_per_element_and_one_axis_per_joint(name: str) -> None:
    model = arm(name)
    scene = make_scene(model, np.full(model.dof, 0.3))
    assert [group.element for group in scene.groups] == list(range(model.n_elements))
    assert [group.kind for group in scene.groups] == [e.kind for e in model.elements]
    assert [group.tag for group in scene.groups] == [e.tag or "" for e in model.elements]
    assert all(group.solids for group in scene.groups)
    assert all(len(group.solids) == len(group.roles) for group in scene.groups)
    assert [axis.name for axis in scene.axes] == list(model.joint_names)
    np.testing.assert_array_equal(
        scene.tools, model.forward_kinematics("endeffector", np.full(model.dof, 0.3))
    )


@pytest.mark.parametrize("name", EXAMPLES)
def test_output_faces_lie_at_their_output_frames(name: str) -> None:
    """Also in trees, where output frames are not numbered as elements are."""
    model = arm(name)
    q = np.random.default_rng(1).uniform(-1, 1, model.dof)
    scene = make_scene(model, q)
    outputs = model.forward_kinematics("output", q)[:, :3, 3]
    axes = iter(scene.axes)
    for group, element in zip(scene.groups, model.elements, strict=True):
        if element.kind not in ("actuator", "joint"):
            continue
        axis = next(axes)
        if "face" not in group.roles:
            continue
        T_world_input = model.forward_kinematics("input", q)[group.element]
        origin = T_world_input[:3] @ np.append(element.output_poses[0].translation, 1.0)
        assert np.linalg.norm(outputs - origin, axis=1).min() < 1e-12
        face = group.solids[group.roles.index("face")].vertices
        offset = face.mean(axis=0) - origin  # half the face below, or a barrel's cap above
        assert np.linalg.norm(np.cross(offset, axis.direction)) < 1e-12
        assert np.linalg.norm(offset) < 0.022


def test_faces_turn_with_the_joint_and_housings_do_not() -> None:
    model = robot('<actuator type="X5-4"/>')
    still, turned = (make_scene(model, [q]).groups[0] for q in (0.0, np.pi / 2))
    for role in ("actuator", "face", "mark"):
        i = still.roles.index(role)
        moved = not np.allclose(still.solids[i].vertices, turned.solids[i].vertices)
        assert moved == (role != "actuator")
    key = still.roles.index("mark")
    assert still.solids[key].vertices.mean(axis=0)[0] > 0.02
    assert turned.solids[key].vertices.mean(axis=0)[1] > 0.02


@pytest.mark.parametrize(("axis", "expected"), [("rx", (1, 0, 0)), ("-ty", (0, -1, 0))])
def test_axes_of_plain_joints_point_in_the_positive_direction(
    axis: str, expected: tuple[int, ...]
) -> None:
    scene = make_scene(robot(f'<joint axis="{axis}"/>'), [0.2])
    np.testing.assert_allclose(scene.axes[0].direction, expected)


def test_gear_ratio_shortens_the_rail() -> None:
    scene = make_scene(robot('<joint axis="tx" gear_ratio="4"/>'), [2.0])
    rail = scene.groups[0].solids[0].vertices
    assert rail[:, 0].max() == pytest.approx(0.5 + 0.03, abs=0.01)


def test_base_frame_counts() -> None:
    T = np.eye(4)
    T[:3, 3] = (5.0, 6.0, 7.0)
    model = arm("six_dof")
    here, there = make_scene(model, Q_SIX), make_scene(model.with_base_frame(T), Q_SIX)
    np.testing.assert_allclose(there.points(), here.points() + T[:3, 3], atol=1e-12)


def test_a_robot_without_parts_has_a_point() -> None:
    scene = make_scene(robot(""), [])
    assert scene.groups == ()
    np.testing.assert_array_equal(scene.points(), [[0, 0, 0]])


@pytest.mark.parametrize(("length", "size"), [(0.01, 0.1), (1.0, 1.0), (40.0, 10.0)])
def test_free_shapes_grow_with_robots_that_are_not_of_ordinary_size(
    length: float, size: float
) -> None:
    model = robot(f'<rigid-body mass="1" output_trans="{length} 0 0"/>')
    assert make_scene(model, []).size == pytest.approx(size)


def test_sticks_have_the_same_groups() -> None:
    model = robot(EVERY_KIND)
    scene = make_scene(model, np.zeros(model.dof), sticks=True)
    assert len(scene.groups) == model.n_elements


@pytest.mark.parametrize("q", [[0.0] * 5, [0.0] * 5 + [np.nan], [[0.0] * 6]])
def test_joint_positions_are_checked(q: object) -> None:
    with pytest.raises(JointVectorError):
        make_scene(arm("six_dof"), q)  # type: ignore[arg-type]


def test_what_is_no_model_is_refused() -> None:
    with pytest.raises(ModelError, match="expected a RobotModel, got list"):
        make_scene(Q_SIX, arm("six_dof"))  # type: ignore[arg-type]
