"""Known answers, statuses, and what a result tells: single arms without limits of their own."""

import math
import re

import numpy as np
import pytest

import armwright as aw
from armwright import ik
from armwright.errors import IKNotConvergedError
from armwright.ik import IKStatus
from armwright.ik.objectives import Objective
from armwright.ik.program import compile_program
from armwright.kinematics import pose_error, rotation_vector
from tests.ik.conftest import SEVEN, FloatArray, Kit


def turn(axis: str, angle: float) -> FloatArray:
    """Rotation about a coordinate axis, (3, 3)."""
    c, s = math.cos(angle), math.sin(angle)
    rows = {
        "x": [[1, 0, 0], [0, c, -s], [0, s, c]],
        "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
        "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]],
    }
    return np.array(rows[axis])


def planar_pose(angle: float) -> FloatArray:
    """Pose of the tip of the one-joint arm."""
    T = np.eye(4)
    T[:3, :3] = turn("z", angle)
    T[:2, 3] = [math.cos(angle), math.sin(angle)]
    return T


def test_out_of_reach_c23(planar: aw.RobotModel) -> None:
    result = ik.solve(planar, [0.1, 0.5], ik.position([2.0, 0.0, 0.0]))
    assert not result.success
    assert result.status is IKStatus.UNREACHABLE
    assert abs(result.position_error - 1.0) < 1e-4
    assert np.abs(result.q).max() < 0.02
    assert "2.000 m from the first joint" in result.message
    assert "reaches 1.000 m" in result.message
    with pytest.raises(IKNotConvergedError) as caught:
        result.raise_for_status()
    assert caught.value.result is result
    assert str(caught.value) == result.message


@pytest.mark.shared
def test_from_the_shipped_seed_c24(kit: Kit) -> None:
    model, seed = kit("A-2085-06")
    assert seed.tolist() == [0.01, 1.0, 2.5, 1.5, -1.5, 0.01]
    T = [
        [-0.071332388, -0.988893646, 0.130388063, 0.315084705],
        [-0.975043578, 0.096684728, 0.199855156, -0.034044860],
        [-0.210242029, -0.112878898, -0.971111152, 0.049141799],
        [0.0, 0.0, 0.0, 1.0],
    ]
    result = ik.solve(model, seed, ik.pose(T))
    assert result.success
    there = model.end_effector(result.q)
    assert np.linalg.norm(there[:3, 3] - np.array(T)[:3, 3]) < 1e-5
    assert np.linalg.norm(rotation_vector(np.array(T)[:3, :3] @ there[:3, :3].T)) < 1e-4


@pytest.mark.parametrize("kind", ["pose", "position", "orientation"])
def test_across_the_half_turn_c28(one_joint: aw.RobotModel, kind: str) -> None:
    def target(angle: float) -> Objective:
        T = planar_pose(angle)
        kinds: dict[str, Objective] = {
            "pose": ik.pose(T),
            "position": ik.position(T[:3, 3]),
            "orientation": ik.orientation(T[:3, :3]),
        }
        return kinds[kind]

    crossed = ik.solve(one_joint, [3.1], target(-3.1))
    assert abs(crossed.q[0] - 3.183185307) < 1e-6
    limits = ik.joint_limits([-3.14], [3.14])
    other_side = ik.solve(one_joint, [-3.1], target(3.1), limits)
    assert abs(other_side.q[0] - 3.1) < 1e-6
    antipode = ik.solve(one_joint, [0.0], target(math.pi))
    assert antipode.success
    assert abs(abs(antipode.q[0]) - 3.141592654) < 1e-4


def test_limited_wrist_c28() -> None:
    model = aw.loads("""
      <robot version="1.6.0">
        <joint axis="rz"/><rigid-body mass="0" output_trans="0.2 0 0.3"/>
        <joint axis="ry"/><rigid-body mass="0" output_trans="0.4 0 0"/>
        <joint axis="ry"/><rigid-body mass="0" output_trans="0.35 0 0"/>
        <joint axis="rx"/><joint axis="ry"/><joint axis="rx"/>
        <rigid-body mass="0" output_trans="0.1 0 0"/><end-effector/>
      </robot>""")
    lower = np.array([-3.1, -1.5, -0.2, -2, -1.5, -3.13])
    upper = np.array([3.1, 1.5, 2.2, 2, 1.5, 3.13])
    T = [
        [0.991445607, 0.034556819, 0.125862758, 0.935616454],
        [-0.016603784, -0.923086637, 0.384233491, 0.257090700],
        [0.129460117, -0.383036405, -0.914616417, 0.300914410],
        [0.0, 0.0, 0.0, 1.0],
    ]
    seed = [0, 0, 0.5, 0, -0.5, -3.0]
    result = ik.solve(model, seed, ik.pose(T), ik.joint_limits(lower, upper))
    assert result.success
    assert result.position_error < 1e-5
    assert result.orientation_error < 1e-4
    assert (lower <= result.q).all()
    assert (result.q <= upper).all()

    tight = upper.copy()
    tight[2] = 0.5  # every solution bends the elbow by 0.9
    outside = ik.solve(model, seed, ik.pose(T), ik.joint_limits(lower, tight))
    assert outside.status is IKStatus.OUTSIDE_LIMITS
    assert not outside.success
    assert (outside.q <= tight).all()
    assert (outside.q >= lower).all()
    assert "joint3 at 0.9 (limits -0.2 to 0.5)" in outside.message
    assert 0.0 < outside.position_error < 0.1


def test_both_errors_are_told_c30(planar: aw.RobotModel) -> None:
    R = [[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]]
    xyz = ik.position([0.6, 0.3, 0.0])
    problem = ik.IKProblem(planar, xyz, ik.orientation(R))
    both = problem.solve([0.1, 0.5], position_tolerance=1e-4, orientation_tolerance=1e-3)
    assert not both.success
    assert both.status is IKStatus.UNREACHABLE
    assert math.isfinite(both.position_error)
    assert both.orientation_error >= 1.570796326
    alone = ik.solve(planar, [0.1, 0.5], xyz, position_tolerance=1e-4)
    assert alone.success
    assert math.isnan(alone.orientation_error)


@pytest.mark.shared
def test_five_joints_c31(kit: Kit) -> None:
    model, seed = kit("A-2085-05")
    known = np.array([0.2, 1.0, 1.8, -0.6, 0.3])
    T = model.end_effector(known)
    xyz = [0.344061721, -0.041012990, 0.127851267]
    axis = [-0.965806346, -0.195778631, -0.169967143]
    assert np.abs(T[:3, 3] - xyz).max() < 1e-7  # the kit's pi is short
    assert np.abs(T[:3, 2] - axis).max() < 1e-6

    tip = ik.solve(model, seed, ik.position(xyz), ik.tip_axis(axis))
    assert tip.success
    assert tip.position_error < 1e-6
    assert tip.orientation_error < 1e-5

    rolled = ik.solve(
        model, known + 0.05, ik.position(xyz), ik.orientation(T[:3, :3] @ turn("z", 0.3))
    )
    assert rolled.success
    assert np.abs(rolled.q - [0.2, 1.0, 1.8, -0.6, 0.6]).max() < 1e-4

    pitched = ik.solve(model, seed, ik.position(xyz), ik.orientation(T[:3, :3] @ turn("x", 0.3)))
    assert pitched.status is IKStatus.UNREACHABLE
    assert pitched.position_error + pitched.orientation_error > 0.05
    hint = (
        "5 joints cannot meet 6 constraints; "
        "use the tip axis objective or lower the orientation weight"
    )
    assert hint in pitched.message
    # What five joints cannot do is perpendicular, in scaled metres, to what each of them does.
    words = pitched.message.split("not controllable there, in world axes: a turn about ")[1]
    turned, shifted = (
        np.array([float(x) for x in re.findall(r"-?[0-9.]+", part)])
        for part in words.split(" with a shift of ")
    )
    scale = compile_program(model, (ik.pose(T),)).length_weight
    J = model.jacobian(pitched.q)
    along = np.concatenate([scale * shifted, turned]) @ np.concatenate([scale * J[:3], J[3:]])
    assert np.abs(along).max() < 0.02 * (1 + scale)
    assert np.linalg.norm(turned) == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize(
    ("axis", "angle"),
    [("z", 1e-9), ("z", 0.0), ("z", 3.141592653), ("d", math.pi), ("x", 2.0), ("y", math.pi)],
)
def test_turns_of_every_size_c21(axis: str, angle: float) -> None:
    """A wrist that turns about three axes reaches every turn from zero."""
    model = aw.loads("""
      <robot version="1.6.0"><joint axis="rz"/><joint axis="ry"/><joint axis="rz"/>
        <rigid-body mass="1" output_trans="0 0 0.1"/><end-effector/></robot>""")
    start = np.array([0.3, 0.8, -0.4])
    diagonal = np.full((3, 3), 2 / 3) - np.eye(3)  # half a turn about (1, 1, 1)
    R = (diagonal if axis == "d" else turn(axis, angle)) @ model.end_effector(start)[:3, :3]
    for scale in (1.0, 1.000000001):  # slightly off from orthonormal
        result = ik.solve(model, start, ik.orientation(scale * R))
        assert result.success
        assert np.isfinite(result.q).all()
        there = model.end_effector(result.q)[:3, :3]
        assert np.linalg.norm(rotation_vector(R @ there.T)) < 1e-5


def test_a_seed_that_is_the_answer_comes_back_unchanged(seven: aw.RobotModel) -> None:
    q = np.array([0.3, 0.5, -0.4, 1.0, 0.2, 0.7, 0.1])
    result = ik.solve(seven, q, ik.pose(seven.end_effector(q)))
    assert result.q.tolist() == q.tolist()
    assert (result.iterations, result.restarts) == (0, 0)


def test_opposite_axes(one_joint: aw.RobotModel, seven: aw.RobotModel) -> None:
    """A tip that points exactly the wrong way has no preferred way to turn: it must still turn."""
    q = np.array([0.0, 0.4, 0.0, 0.9, 0.0, 0.3, 0.0])
    axis = seven.end_effector(q)[:3, 2]
    result = ik.solve(seven, q, ik.tip_axis(-axis))
    assert result.success
    assert seven.end_effector(result.q)[:3, 2] @ -axis > 1 - 1e-9
    stuck = ik.solve(one_joint, [0.2], ik.tip_axis([0, 0, -1]))
    assert stuck.status is IKStatus.UNREACHABLE
    assert stuck.orientation_error == pytest.approx(math.pi)
    assert np.abs(stuck.residuals[0]).max() == pytest.approx(math.pi * math.cos(stuck.q[0]))


def test_free_axes(seven: aw.RobotModel) -> None:
    xyz = [0.35, None, 0.4]
    result = ik.solve(seven, np.full(7, 0.3), ik.position(xyz))
    assert result.success
    there = seven.end_effector(result.q)[:3, 3]
    assert abs(there[0] - 0.35) < 1e-5
    assert abs(there[2] - 0.4) < 1e-5
    assert result.residuals[0][1] == 0.0


def test_residuals_are_target_minus_actual(seven: aw.RobotModel) -> None:
    q0 = np.full(7, 0.3)
    T = np.eye(4)
    T[:3, 3] = [3.0, 1.0, 2.0]
    objectives = (
        ik.pose(T, weight=3.0),
        ik.joint_limits([-3] * 7, [3] * 7),
        ik.tip_axis([0, 0, -1]),
        ik.orientation(turn("y", 0.2)),
        ik.posture(np.zeros(7)),
        ik.position([None, 1.0, None]),
    )
    result = ik.solve(seven, q0, *objectives, max_starts=1)
    there = seven.end_effector(result.q)
    pose, limits, axis, rotation, posture, position = result.residuals
    assert np.abs(pose - pose_error(there, T)).max() < 1e-12
    assert limits.shape == (0,)
    assert np.linalg.norm(axis) == pytest.approx(math.acos(-there[2, 2]), abs=1e-7)
    assert abs(axis @ there[:3, 2]) < 1e-12
    assert np.abs(rotation - rotation_vector(turn("y", 0.2) @ there[:3, :3].T)).max() < 1e-12
    assert posture.tolist() == (-result.q).tolist()
    assert position.tolist() == [0.0, 1.0 - there[1, 3], 0.0]
    assert result.position_error == pytest.approx(np.linalg.norm(pose[:3]))
    angles = [np.linalg.norm(v) for v in (pose[3:], axis, rotation)]
    assert result.orientation_error == pytest.approx(max(angles))


def test_success_is_judged_where_the_joints_are(seven: aw.RobotModel) -> None:
    """What a result says equals what the model's own forward kinematics says."""
    rng = np.random.default_rng(11)
    for _ in range(50):
        T = seven.end_effector(rng.uniform(-3, 3, 7))
        result = ik.solve(seven, rng.uniform(-3, 3, 7), ik.pose(T))
        error = pose_error(seven.end_effector(result.q), T)
        assert result.success
        assert result.position_error == pytest.approx(np.linalg.norm(error[:3]), abs=1e-12)
        assert result.orientation_error == pytest.approx(np.linalg.norm(error[3:]), abs=1e-10)
        assert np.linalg.norm(error[:3]) < 1e-5
        assert np.linalg.norm(error[3:]) < 1e-4


def test_one_start_that_fails_is_no_proof() -> None:
    flat = aw.loads(SEVEN.replace('axis="rz"', 'axis="ry"'))  # moves in the x-z plane only
    result = ik.solve(flat, np.full(7, 0.1), ik.position([0.0, 0.5, 0.5]), max_starts=2)
    assert result.status is IKStatus.STALLED
    assert result.restarts == 1
    assert "allow more than max_starts=2" in result.message
    enough = ik.solve(flat, np.full(7, 0.1), ik.position([0.0, 0.5, 0.5]))
    assert enough.status is IKStatus.UNREACHABLE
    assert enough.position_error == pytest.approx(0.5)


def test_out_of_time(seven: aw.RobotModel) -> None:
    far = ik.position([9.0, 9.0, 9.0])
    result = ik.solve(seven, np.full(7, 0.3), far, time_limit=1e-9)
    assert result.status is IKStatus.OUT_OF_TIME
    assert not result.success
    assert np.isfinite(result.q).all()
    assert "time_limit=1e-09 s" in result.message
    patient = ik.solve(seven, np.full(7, 0.3), far, time_limit=1e6)
    assert patient.status is IKStatus.UNREACHABLE
    assert patient.q.tolist() == ik.solve(seven, np.full(7, 0.3), far).q.tolist()


def test_a_time_limit_that_is_not_reached_changes_nothing(seven: aw.RobotModel) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        target = ik.pose(seven.end_effector(rng.uniform(-3, 3, 7)))
        seed = rng.uniform(-3, 3, 7)
        plain = ik.solve(seven, seed, target)
        timed = ik.solve(seven, seed, target, time_limit=1e6)
        assert plain.q.tolist() == timed.q.tolist()
        assert (plain.iterations, plain.restarts) == (timed.iterations, timed.restarts)


def test_other_random_seeds_start_elsewhere(seven: aw.RobotModel) -> None:
    T = seven.end_effector([0.3, 0.5, -0.4, 1.0, 0.2, 0.7, 0.1])
    T[:3, 3] *= 2.0
    results = [
        ik.solve(seven, np.zeros(7), ik.pose(T), random_seed=seed, max_starts=8)
        for seed in (0, 1, 1, -7)
    ]
    assert results[1].q.tolist() == results[2].q.tolist()
    assert results[0].q.tolist() != results[1].q.tolist()
    assert results[3].q.tolist() != results[1].q.tolist()
