"""All solutions where they are known by hand: limits, twins, order, frames, odd arms."""

import math

import numpy as np
import pytest

import armwright as aw
from armwright import hrdf, ik
from armwright.errors import ModelError, ObjectiveError
from tests.ik.all_arms import placement, random_arm
from tests.ik.conftest import FloatArray, rotation_about

PLANAR_3 = """
<robot version="1.6.0">
  <joint axis="rz"/><rigid-body mass="1" output_trans="0.5 0 0"/>
  <joint axis="rz"/><rigid-body mass="1" output_trans="0.5 0 0"/>
  <joint axis="rz"/><rigid-body mass="1" output_trans="0.2 0 0"/><end-effector/>
</robot>
"""
GANTRY = """
<robot version="1.6.0">
  <joint axis="tx"/><joint axis="ty"/><joint axis="tz" gear_ratio="-2"/><joint axis="rz"/>
  <rigid-body mass="1" output_trans="0 0 -0.1"/><end-effector/>
</robot>
"""
TWO_HANDS = """
<robot version="1.6.0">
  <joint axis="rz" tag="trunk"/>
  <rigid-body mass="1">
    <output trans="0 0.2 0">
      <joint axis="rz"/><rigid-body mass="1" output_trans="0.4 0 0"/><end-effector tag="left"/>
    </output>
    <output trans="0 -0.2 0">
      <joint axis="rx"/><rigid-body mass="1" output_trans="0.3 0 0"/><end-effector tag="right"/>
    </output>
  </rigid-body>
</robot>
"""


@pytest.fixture(scope="module")
def six() -> aw.RobotModel:
    """An arm with a closed form."""
    return aw.load("examples/arms/six_dof.hrdf")


@pytest.fixture(scope="module")
def planar_3() -> aw.RobotModel:
    """Three joints about z, links of 0.5, 0.5 and 0.2 m along x."""
    return aw.loads(PLANAR_3)


def flat(x: float, y: float, angle: float) -> FloatArray:
    """A pose in the plane."""
    return placement(rotation_about([0, 0, 1], angle), np.array([x, y, 0.0]))


def test_elbow_up_and_elbow_down(planar_3: aw.RobotModel) -> None:
    # The wrist at (0.6, 0): both links span 0.6, so that cos(q2) = (0.36 - 0.5) / 0.5.
    found = ik.solve_all(planar_3, flat(0.8, 0.0, 0.0), reference=[0.0, 1.0, 0.0])
    bend = math.acos(-0.28)
    half = math.acos(0.6)
    expected = [[-half, bend, half - bend], [half, -bend, bend - half]]
    np.testing.assert_allclose(found.solutions, expected, atol=1e-8)
    assert found.method == "numeric"
    assert found.expected_missed < 1e-3
    assert not found.singular
    assert found.distances[0] == pytest.approx(np.linalg.norm(found.solutions[0] - [0, 1, 0]))
    assert found.message.startswith("2 solutions (numeric)")


def test_the_reference_decides_the_order(planar_3: aw.RobotModel) -> None:
    down = ik.solve_all(planar_3, flat(0.8, 0.0, 0.0), reference=[0.0, -1.0, 0.0])
    assert down.solutions[0, 1] < 0.0 < down.solutions[1, 1]


@pytest.mark.parametrize("angle", [0.0, 0.7, -3.0, math.pi])
def test_one_joint(one_joint: aw.RobotModel, angle: float) -> None:
    T = flat(math.cos(angle), math.sin(angle), angle)
    found = ik.solve_all(one_joint, T)
    assert found.solutions.shape == (1, 1)
    assert math.cos(found.solutions[0, 0] - angle) == pytest.approx(1.0)
    assert len(ik.solve_all(one_joint, flat(1.0, 0.1, 0.0))) == 0


def test_whole_turns_come_nearest_to_the_reference(one_joint: aw.RobotModel) -> None:
    T = one_joint.end_effector([0.5])
    for turns in (-3, 0, 2):
        found = ik.solve_all(one_joint, T, reference=[0.6 + 2 * math.pi * turns])
        np.testing.assert_allclose(found.solutions, [[0.5 + 2 * math.pi * turns]])
        assert found.distances[0] == pytest.approx(0.1)


@pytest.mark.filterwarnings("ignore:.*looks like degrees")  # they are radians
def test_limits_choose_the_twin(one_joint: aw.RobotModel) -> None:
    T = one_joint.end_effector([0.5])
    for lower, upper, reference, expected in (
        (6.0, 7.0, 0.0, 0.5 + 2 * math.pi),
        (-7.0, -1.0, 0.0, 0.5 - 2 * math.pi),
        (0.0, 20.0, 13.0, 0.5 + 4 * math.pi),
        (0.0, 20.0, 100.0, 0.5 + 6 * math.pi),  # the reference outside: the nearest inside
        (0.0, 20.0, -100.0, 0.5),
        (-math.inf, 0.0, 0.0, 0.5 - 2 * math.pi),
    ):
        model = one_joint.with_position_limits([lower], [upper])
        found = ik.solve_all(model, T, reference=[reference])
        np.testing.assert_allclose(found.solutions, [[expected]], atol=1e-9)
        assert found.outside_limits == 0
    found = ik.solve_all(one_joint.with_position_limits([1.0], [6.0]), T)
    assert (len(found), found.outside_limits) == (0, 1)
    assert "outside" in found.message


@pytest.mark.filterwarnings("ignore:.*looks like degrees")  # they are radians
def test_the_default_reference(one_joint: aw.RobotModel) -> None:
    T = one_joint.end_effector([0.5])
    for lower, upper, reference in (
        (-math.inf, math.inf, 0.0),
        (-10.0, 20.0, 5.0),
        (0.1, math.inf, 0.1),
        (-math.inf, -4.0, -4.0),
    ):
        model = one_joint.with_position_limits([lower], [upper])
        found = ik.solve_all(model, T)
        assert found.distances[0] == pytest.approx(abs(found.solutions[0, 0] - reference))
        same = ik.solve_all(model, T, reference=[reference])
        np.testing.assert_array_equal(found.solutions, same.solutions)


def test_solutions_on_the_limits_count(six: aw.RobotModel) -> None:
    rng = np.random.default_rng(1)
    for _ in range(30):
        q = rng.uniform(-2.0, 2.0, 6)
        model = six.with_position_limits(q, q + rng.uniform(0.1, 2.0, 6))
        found = ik.solve_all(model, six.end_effector(q))
        lower, upper = model.position_limits
        assert ((found.solutions >= lower) & (found.solutions <= upper)).all()
        assert np.abs(found.solutions - q).max(axis=1).min() < 1e-7


def test_limits_take_solutions_away_and_nothing_else(six: aw.RobotModel) -> None:
    rng = np.random.default_rng(2)
    kept = 0
    for _ in range(50):
        T = six.end_effector(rng.uniform(-math.pi, math.pi, 6))
        free = ik.solve_all(six, T)
        model = six.with_position_limits([-2.5] * 6, [2.5] * 6)
        inside = ik.solve_all(model, T)
        fits = (np.abs(free.solutions) <= 2.5).all(axis=1)
        np.testing.assert_array_equal(inside.solutions, free.solutions[fits])
        assert len(inside) + inside.outside_limits == len(free)
        kept += len(inside)
    assert kept > 20


def test_sorted_by_distance_on_the_circle(six: aw.RobotModel) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        q = rng.uniform(-math.pi, math.pi, 6)
        reference = rng.uniform(-9.0, 9.0, 6)
        found = ik.solve_all(six, six.end_effector(q), reference=reference)
        assert len(found) >= 2
        assert np.abs(found.solutions - reference).max() <= math.pi + 1e-12
        distances = np.linalg.norm(found.solutions - reference, axis=1)
        np.testing.assert_allclose(found.distances, distances)
        assert (np.diff(distances) >= 0.0).all()


def test_gears_scale_the_answer() -> None:
    plain = random_arm(np.random.default_rng(4), "wrist", gears=False)
    geared = random_arm(np.random.default_rng(4), "wrist", gears=False)
    text = hrdf.write(geared.description).replace('axis="rz"', 'axis="rz" gear_ratio="-3"', 1)
    changed = text.index("gear_ratio")
    joint = text[:changed].count("<joint") - 1
    geared = aw.loads(text)
    T = plain.end_effector([0.3, -0.4, 0.5, 0.6, -0.7, 0.8])
    one, other = ik.solve_all(plain, T), ik.solve_all(geared, T)
    assert len(one) == len(other) > 0
    factor = np.ones(6)
    factor[joint] = -3.0
    for q in one:
        assert np.abs(other.solutions / factor - q).max(axis=1).min() < 1e-9


def test_base_frame_moves_the_targets_along(six: aw.RobotModel) -> None:
    T_world_base = placement(rotation_about([1, 2, 3], 2.0), np.array([3.0, -4.0, 5.0]))
    moved = six.with_base_frame(T_world_base @ six.base_frame)
    T = six.end_effector([0.4, 0.6, -0.9, 0.3, 1.0, 2.0])
    here, there = ik.solve_all(six, T), ik.solve_all(moved, T_world_base @ T)
    assert here.method == there.method == "closed form"
    np.testing.assert_allclose(here.solutions, there.solutions, atol=1e-9)


def test_any_frame_can_be_asked_for(six: aw.RobotModel) -> None:
    q = np.array([0.4, 0.6, -0.9, 0.3, 1.0, 2.0])
    outputs = six.forward_kinematics("output", q)
    last = ik.solve_all(six, outputs[-1], frame_type="OUTPUT", index=len(outputs) - 1)
    assert np.abs(last.solutions - q).max(axis=1).min() < 1e-9
    probe = ik.solve_all(six, six.end_effector(q), tag="probe")
    np.testing.assert_array_equal(probe.solutions, ik.solve_all(six, six.end_effector(q)).solutions)
    # The elbow's output: three joints move it, the others stay at the reference.
    elbow = six.tags["J3_elbow"]
    T = six.forward_kinematics("output", q)[elbow]
    reference = np.array([0.0, 0.0, 0.0, 0.1, 0.2, 0.3])
    found = ik.solve_all(six, T, frame_type="output", tag="J3_elbow", reference=reference)
    np.testing.assert_allclose(found.solutions[0], [*q[:3], 0.1, 0.2, 0.3], atol=1e-8)


def test_each_hand_of_a_tree() -> None:
    model = aw.loads(TWO_HANDS)
    q = np.array([0.3, 0.5, -0.7])
    for tag, index, still in (("left", 0, 2), ("right", 1, 1)):
        T = model.end_effector(q, tag=tag)
        found = ik.solve_all(model, T, tag=tag, reference=[0.0, 0.9, 0.8])
        assert len(found) == 1
        expected = q.copy()
        expected[still] = (0.0, 0.9, 0.8)[still]
        np.testing.assert_allclose(found.solutions[0], expected, atol=1e-8)
        again = ik.solve_all(model, T, index=index, reference=[0.0, 0.9, 0.8])
        np.testing.assert_array_equal(found.solutions, again.solutions)
    with pytest.raises(ModelError, match="left"):
        ik.solve_all(model, T)


def test_sliding_joints() -> None:
    model = aw.loads(GANTRY)
    q = np.array([0.3, -4.0, 2.0, 1.0])
    T = model.end_effector(q)
    np.testing.assert_allclose(ik.solve_all(model, T).solutions, [q], atol=1e-7)
    reference = [0.0, 0.0, 0.0, 8.0]
    found = ik.solve_all(model, T, reference=reference)
    np.testing.assert_allclose(found.solutions, [[*q[:3], 1.0 + 2 * math.pi]], atol=1e-7)
    short = model.with_position_limits([-1, -1, -1, -4], [1, 1, 1, 4])
    assert (len(ik.solve_all(short, T)), ik.solve_all(short, T).outside_limits) == (0, 1)


def test_five_joints_reach_their_own_poses_and_no_others(six: aw.RobotModel) -> None:
    lower, upper = six.position_limits.copy()
    lower[5] = upper[5] = 0.4  # a sixth joint that cannot move
    model = six.with_position_limits(lower, upper)
    rng = np.random.default_rng(6)
    for _ in range(10):
        q = rng.uniform(-2.0, 2.0, 6)
        q[5] = 0.4
        found = ik.solve_all(model, six.end_effector(q))
        assert np.abs(found.solutions - q).max(axis=1).min() < 1e-6
        assert (found.solutions[:, 5] == 0.4).all()
        q[5] = 0.9
        off = ik.solve_all(model, six.end_effector(q))
        assert (off.solutions[:, 5] == 0.4).all()
        assert np.abs(off.solutions - q).max(axis=1).min() > 0.1 if len(off) else True


def test_seven_joints_are_refused_until_one_is_locked(seven: aw.RobotModel) -> None:
    q = np.array([0.3, 0.7, -0.4, 1.2, 0.5, -0.8, 0.9])
    T = seven.end_effector(q)
    with pytest.raises(ObjectiveError, match=r"7 joints move the frame \(base, joint2.*infinit"):
        ik.solve_all(seven, T)
    for locked in range(7):
        lower, upper = seven.position_limits.copy()
        lower[locked] = upper[locked] = q[locked]
        found = ik.solve_all(seven.with_position_limits(lower, upper), T)
        assert np.abs(found.solutions - q).max(axis=1).min() < 1e-6
        assert (found.solutions[:, locked] == q[locked]).all()
        assert found.pose_errors.max() < 1e-8


@pytest.mark.parametrize("method", ["closed form", "numeric"])
def test_out_of_reach(method: str, six: aw.RobotModel) -> None:
    arm = random_arm(np.random.default_rng(8), "free")
    model = six if method == "closed form" else arm
    T = model.end_effector(np.full(6, 0.3))
    T[:3, 3] += 20.0
    found = ik.solve_all(model, T)
    assert found.solutions.shape == (0, 6)
    assert found.pose_errors.shape == (0, 2)
    assert found.distances.shape == (0,)
    assert not found
    assert (found.method, found.expected_missed, found.singular) == (method, 0.0, False)
    assert found.starts == (0 if method == "closed form" else 200)
    assert found.message.startswith("no solution")
    assert "out of reach" in found.message


@pytest.mark.parametrize("q", [np.zeros(6), np.array([0.5, 0.6, 0.7, 0.8, 0.0, 1.0])])
def test_a_curve_of_solutions_is_said_to_be_one(q: FloatArray, six: aw.RobotModel) -> None:
    # Axis 6 parallel to axes 2, 3 and 4: four parallel axes move while the tool stands still.
    T = six.end_effector(q)
    found = ik.solve_all(six, T, reference=q)
    assert found.expected_missed == math.inf
    assert found.singular
    assert 8 < len(found) <= 32
    assert "infinitely many" in found.message
    assert found.pose_errors.max() < 1e-7
    np.testing.assert_allclose(found.solutions[0], q, atol=1e-5)  # the reference is a start


def test_a_target_at_full_stretch(six: aw.RobotModel, planar_3: aw.RobotModel) -> None:
    stretched = ik.solve_all(planar_3, flat(1.2, 0.0, 0.0))
    assert len(stretched) == 1
    np.testing.assert_allclose(stretched.solutions, [[0.0, 0.0, 0.0]], atol=2e-3)
    assert stretched.singular
    assert stretched.pose_errors.max() < 1e-5
    q = np.array([0.3, 0.4, 0.0, 0.6, 1.0, -0.5])  # two solutions are one there
    T = six.end_effector(q)
    found = ik.solve_all(six, T)
    assert np.abs(found.solutions - q).max(axis=1).min() < 2e-3
    assert found.pose_errors.max() < 1e-7
    # Written down with six digits the target lies a little out of reach of that posture.
    T[:3, 3] = T[:3, 3].round(6)
    assert ik.solve_all(six, T).pose_errors.max(initial=0.0) < 1e-5
