"""Posture is a second level: it moves what the objectives leave free, and nothing else."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

import armwright as aw
from armwright import ik
from armwright.ik.objectives import Objective
from tests.ik.conftest import FloatArray


def distance(q: FloatArray, q_ref: FloatArray) -> float:
    return float(np.linalg.norm(q - q_ref))


@pytest.mark.parametrize("kind", ["pose", "position", "axis"])
def test_the_target_is_kept_and_the_posture_nearer(seven: aw.RobotModel, kind: str) -> None:
    rng = np.random.default_rng(1)
    gains = []
    for _ in range(30):
        q = rng.uniform(-1.5, 1.5, 7)
        q_ref = q + rng.normal(0, 0.3, 7)
        T = seven.end_effector(q)
        mixes: dict[str, tuple[Objective, ...]] = {
            "pose": (ik.pose(T),),
            "position": (ik.position(T[:3, 3]),),
            "axis": (ik.position(T[:3, 3]), ik.tip_axis(T[:3, 2])),
        }
        objectives = mixes[kind]
        seed = q + rng.normal(0, 0.3, 7)
        plain = ik.solve(seven, seed, *objectives)
        near = ik.solve(seven, seed, *objectives, ik.posture(q_ref))
        assert near.success
        assert near.position_error <= 1e-6
        assert math.isnan(near.orientation_error) or near.orientation_error <= 1e-5
        assert np.abs(near.residuals[-1] - (q_ref - near.q)).max() < 1e-15
        assert distance(near.q, q_ref) <= distance(plain.q, q_ref) + 1e-9
        gains.append(distance(near.q, q_ref) / distance(plain.q, q_ref))
    assert np.mean(gains) < 0.95


def test_a_posture_that_meets_the_target_is_taken(seven: aw.RobotModel) -> None:
    q = np.array([0.3, 0.5, -0.4, 1.0, 0.2, 0.7, 0.1])
    result = ik.solve(seven, q + 0.1, ik.pose(seven.end_effector(q)), ik.posture(q))
    assert np.abs(result.q - q).max() < 1e-4


def test_nearest_on_the_target_as_scipy_finds_it(seven: aw.RobotModel) -> None:
    """The end point is a minimum of the distance among the joint positions on the target."""
    rng = np.random.default_rng(7)
    for _ in range(5):
        q = rng.uniform(-1, 1, 7)
        q_ref = q + rng.normal(0, 0.3, 7)
        xyz = seven.end_effector(q)[:3, 3]
        ours = ik.solve(seven, q, ik.position(xyz), ik.posture(q_ref))
        best = minimize(
            lambda x, q_ref=q_ref: float((x - q_ref) @ (x - q_ref)),
            q,
            constraints={
                "type": "eq",
                "fun": lambda x, xyz=xyz: seven.end_effector(x)[:3, 3] - xyz,
            },
            tol=1e-10,
        )
        assert best.success
        assert distance(ours.q, q_ref) == pytest.approx(distance(best.x, q_ref), abs=2e-5)


def test_limits_hold_on_the_way_to_a_posture(seven: aw.RobotModel) -> None:
    q = np.array([0.3, 0.5, -0.4, 1.0, 0.2, 0.7, 0.1])
    limits = ik.joint_limits([-0.6] * 7, [1.2] * 7)
    xyz = seven.end_effector(q)[:3, 3]
    result = ik.solve(seven, q, ik.position(xyz), limits, ik.posture([2.0] * 7))
    assert result.success
    assert result.q.max() <= 1.2
    assert result.q.min() >= -0.6
    assert (result.q == 1.2).sum() >= 2
    plain = ik.solve(seven, q, ik.position(xyz), limits)
    assert distance(result.q, np.full(7, 2.0)) < distance(plain.q, np.full(7, 2.0)) - 0.3


def test_whole_turns_towards_a_posture(seven: aw.RobotModel) -> None:
    q = np.array([0.3, 0.5, -0.4, 1.0, 0.2, 0.7, 0.1])
    q_ref = q + 2 * math.pi * np.array([1, 0, -1, 0, 0, 2, 0])
    target = ik.pose(seven.end_effector(q))
    result = ik.solve(seven, q, target, ik.posture(q_ref))
    assert np.abs(result.q - q_ref).max() < 1e-4
    kept = ik.solve(seven, q, target, ik.posture(q_ref), ik.joint_limits([-4] * 7, [4] * 7))
    assert np.abs(kept.q).max() <= 4
    assert kept.success


def test_a_posture_alone_is_taken_within_the_limits(seven: aw.RobotModel) -> None:
    q_ref = np.array([0.3, 5.0, -0.4, 1.0, 0.2, 0.7, -9.0])
    alone = ik.solve(seven, np.zeros(7), ik.posture(q_ref))
    assert alone.success
    assert alone.q.tolist() == q_ref.tolist()
    assert math.isnan(alone.position_error)
    assert alone.message == "converged"
    limits = ik.joint_limits([-2] * 7, [2] * 7)
    clipped = ik.solve(seven, np.zeros(7), ik.posture(q_ref), limits)
    assert clipped.success
    assert clipped.q.tolist() == np.clip(q_ref, -2, 2).tolist()


def test_several_postures_are_averaged(planar: aw.RobotModel) -> None:
    two = (ik.posture([1.0, 0.0], weight=3.0), ik.posture([0.0, 1.0], weight=1.0))
    assert ik.solve(planar, [0, 0], *two).q.tolist() == [0.75, 0.25]


def test_a_posture_does_not_make_a_target_reachable_or_not(seven: aw.RobotModel) -> None:
    far = ik.position([5.0, 0, 0])
    plain = ik.solve(seven, np.zeros(7), far)
    other = ik.solve(seven, np.zeros(7), far, ik.posture(np.ones(7)))
    assert other.status is plain.status is ik.IKStatus.UNREACHABLE
    assert other.q.tolist() == plain.q.tolist()


def test_slides_and_turns_in_one_posture() -> None:
    model = aw.loads("""<robot version="1.6.0"><joint axis="tx"/><joint axis="rz"/>
      <rigid-body mass="1" output_trans="0.5 0 0"/><joint axis="rz" gear_ratio="2"/>
      <rigid-body mass="1" output_trans="0.5 0 0"/><end-effector/></robot>""")
    q_ref = np.array([0.4, -0.3, 1.0])
    target = ik.position([1.1, 0.2, None])
    result = ik.solve(model, np.full(3, 0.1), target, ik.posture(q_ref))
    plain = ik.solve(model, np.full(3, 0.1), target)
    assert result.success
    assert distance(result.q, q_ref) < distance(plain.q, q_ref)
