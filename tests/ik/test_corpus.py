"""Success on the public kits, from the seeds they ship; iterations as deterministic gates."""

from pathlib import Path

import numpy as np
import pytest

import armwright as aw
from armwright import ik
from armwright.ik.objectives import JointLimits, Objective
from tests.ik.conftest import FloatArray, Kit

pytestmark = pytest.mark.shared

SIX = ["A-2085-06", "A-2240-06", "A-2580-06"]
SEVEN = ["A-2099-07", "A-2303-01", "A-2582-07"]
FEW = ["A-2085-03", "A-2085-04", "A-2084-01", "A-2302-01", "A-2085-05", "A-2240-05"]


def limits_of(model: aw.RobotModel) -> JointLimits:
    return ik.joint_limits([-np.pi] * model.dof, [np.pi] * model.dof)


def errors(model: aw.RobotModel, q: FloatArray, T: FloatArray) -> tuple[float, float]:
    """Distance and angle between the tip and a target, written out."""
    there = model.forward_kinematics("endeffector", q)[0]
    R = there[:3, :3].T @ T[:3, :3]
    skew = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    angle = float(np.arctan2(np.linalg.norm(skew), 0.5 * (np.trace(R) - 1.0)))
    return float(np.linalg.norm(there[:3, 3] - T[:3, 3])), angle


@pytest.mark.parametrize(("name", "most"), [*((n, 13.0) for n in SIX), *((n, 10.0) for n in SEVEN)])
def test_every_reachable_pose_is_reached(kit: Kit, name: str, most: float) -> None:
    model, seed = kit(name)
    limits = limits_of(model)
    rng = np.random.default_rng(100)
    iterations, starts = [], []
    for _ in range(500):
        T = model.forward_kinematics("endeffector", rng.uniform(-np.pi, np.pi, model.dof))[0]
        result = ik.solve(model, seed, ik.pose(T, index=0), limits)
        distance, angle = errors(model, result.q, T)
        assert result.success
        assert distance < 1e-5
        assert angle < 1e-4
        assert np.abs(result.q).max() <= np.pi
        iterations.append(result.iterations)
        starts.append(result.restarts + 1)
    assert np.mean(iterations) <= most
    assert np.mean(np.array(starts) > 4) <= 0.03


@pytest.mark.parametrize("name", [*SIX, *SEVEN])
def test_a_near_seed_needs_one_start_and_keeps_its_branch(kit: Kit, name: str) -> None:
    model, _ = kit(name)
    limits = limits_of(model)
    rng = np.random.default_rng(200)
    iterations = []
    for _ in range(300):
        q = rng.uniform(-np.pi, np.pi, model.dof)
        T = model.forward_kinematics("endeffector", q)[0]
        seed = np.clip(q + rng.normal(0.0, 0.1, model.dof), -np.pi, np.pi)
        result = ik.solve(model, seed, ik.pose(T, index=0), limits, max_starts=1)
        assert result.success
        iterations.append(result.iterations)
    assert np.mean(iterations) <= 4.0


@pytest.mark.parametrize("name", [*FEW, SIX[0], SEVEN[0]])
@pytest.mark.parametrize("kind", ["position", "axis", "pose"])
def test_fewer_joints_and_fewer_constraints(kit: Kit, name: str, kind: str) -> None:
    model, seed = kit(name)
    limits = limits_of(model)
    rng = np.random.default_rng(300)
    for _ in range(100):
        T = model.forward_kinematics("endeffector", rng.uniform(-np.pi, np.pi, model.dof))[0]
        mixes: dict[str, tuple[Objective, ...]] = {
            "position": (ik.position(T[:3, 3], index=0),),
            "axis": (ik.position(T[:3, 3], index=0), ik.tip_axis(T[:3, 2], index=0)),
            "pose": (ik.pose(T, index=0),),
        }
        result = ik.solve(model, seed, *mixes[kind], limits)
        there = model.forward_kinematics("endeffector", result.q)[0]
        assert result.success
        assert np.linalg.norm(there[:3, 3] - T[:3, 3]) < 1e-5
        if kind != "position":
            assert np.linalg.norm(np.cross(there[:3, 2], T[:3, 2])) < 1e-4
            assert there[:3, 2] @ T[:3, 2] > 0
        if kind == "pose":
            assert errors(model, result.q, T)[1] < 1e-4


@pytest.mark.parametrize("name", [SIX[0], SEVEN[0]])
def test_special_configurations(kit: Kit, name: str) -> None:
    """All joints at or within a hair of quarter turns: singular, stretched, folded."""
    model, seed = kit(name)
    limits = limits_of(model)
    rng = np.random.default_rng(400)
    for spread in (0.0, 5e-5):
        for _ in range(100):
            q = rng.integers(-2, 3, model.dof) * (np.pi / 2)
            q = np.clip(q + rng.uniform(-spread, spread, model.dof), -np.pi, np.pi)
            T = model.end_effector(q)
            result = ik.solve(model, seed, ik.pose(T), limits)
            distance, angle = errors(model, result.q, T)
            assert result.success
            assert distance < 1e-5
            assert angle < 1e-4


@pytest.mark.hebi
def test_more_than_hebis_solver(kit: Kit, shared: Path) -> None:
    """On the same targets from the shipped seed; the success rate is the tracked number."""
    hebi = pytest.importorskip("hebi")
    model, seed = kit("A-2085-06")
    file = shared / "corpus" / "arms" / "config" / "hrdf" / "A-2085-06.hrdf"
    theirs = hebi.robot_model.import_from_hrdf(str(file))
    rng = np.random.default_rng(500)
    ours_good = theirs_good = 0
    for _ in range(100):
        T = model.end_effector(rng.uniform(-np.pi, np.pi, 6))
        result = ik.solve(model, seed, ik.pose(T))
        ours_good += result.success
        q = theirs.solve_inverse_kinematics(
            seed,
            hebi.robot_model.endeffector_position_objective(T[:3, 3]),
            hebi.robot_model.endeffector_so3_objective(T[:3, :3]),
        )
        distance, angle = errors(model, np.array(q), T)
        theirs_good += distance < 1e-4 and angle < 1e-3
    assert ours_good == 100
    assert theirs_good < 75
