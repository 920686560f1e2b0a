"""All solutions are all: against brute force, against the joints that made the target, EAIK."""

import math
from importlib import import_module

import numpy as np
import pytest

import armwright as aw
from armwright import ik, kinematics
from tests.ik.all_arms import (
    CLOSED,
    FAMILIES,
    brute_force,
    difference,
    holds,
    placement,
    random_arm,
    random_joints,
    random_rotation,
)
from tests.ik.conftest import FloatArray, Kit

ROOM = "armwright.ik.all_solutions"  # the file solve_all is hidden by the function
KITS = ["A-2085-06", "A-2240-06", "A-2580-06"]


def check_each(model: aw.RobotModel, T: FloatArray, found: ik.AllSolutions) -> None:
    """Every solution reaches the pose, none comes twice, the nearest comes first."""
    for i, q in enumerate(found):
        error = kinematics.pose_error(model.end_effector(q), T)
        assert np.linalg.norm(error[:3]) < 2e-8
        assert np.linalg.norm(error[3:]) < 2e-8
        others = np.delete(found.solutions, i, axis=0)
        assert len(others) == 0 or difference(model, others, q).min() > 1e-3
    assert (np.diff(found.distances) >= 0.0).all()


@pytest.mark.shared
@pytest.mark.parametrize("name", KITS)
@pytest.mark.parametrize("count", [15, pytest.param(150, marks=pytest.mark.slow)])
def test_kits_against_brute_force(name: str, count: int, kit: Kit) -> None:
    model, _ = kit(name)
    rng = np.random.default_rng(20261130 + count)
    branches = missing = extra = 0
    for _ in range(count):
        T = model.end_effector(random_joints(rng, model))
        found = ik.solve_all(model, T)
        check_each(model, T, found)
        oracle = brute_force(rng, model, T, 300)
        branches += len(oracle)
        missing += sum(not holds(model, found.solutions, q) for q in oracle)
        extra += sum(not holds(model, np.array(oracle), q) for q in found)
    assert branches > 5 * count
    assert missing == 0
    assert extra <= count / 50  # brute force is not complete either


@pytest.mark.shared
@pytest.mark.parametrize("name", KITS)
def test_kits_find_the_joints_that_made_the_target(name: str, kit: Kit) -> None:
    model, _ = kit(name)
    rng = np.random.default_rng(7)
    closed = 0
    for _ in range(3000):
        q = random_joints(rng, model)
        found = ik.solve_all(model, model.end_effector(q))
        assert holds(model, found.solutions, q)
        assert len(found) <= 8 or found.method != "closed form"
        assert found.expected_missed == 0.0 or found.method != "closed form"
        closed += found.method == "closed form"
    assert closed > 2980  # the search is for near-singular targets only


@pytest.mark.parametrize("family", FAMILIES)
def test_random_arms_of_every_family(family: str) -> None:
    rng = np.random.default_rng(FAMILIES.index(family))
    missing = 0
    for _ in range(3):
        model = random_arm(rng, family)
        for i in range(40):
            q = random_joints(rng, model)
            T = model.end_effector(q)
            found = ik.solve_all(model, T)
            assert found.method == "numeric" if family == "free" else "closed" in found.method
            check_each(model, T, found)
            assert holds(model, found.solutions, q)
            if i < 4:
                oracle = brute_force(rng, model, T, 200)
                missing += sum(not holds(model, found.solutions, q) for q in oracle)
    assert missing == 0


@pytest.mark.parametrize("family", CLOSED)
def test_closed_form_and_search_agree(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(50 + CLOSED.index(family))
    model = random_arm(rng, family)
    targets = [model.end_effector(random_joints(rng, model)) for _ in range(40)]
    closed = [ik.solve_all(model, T) for T in targets]
    monkeypatch.setattr(f"{ROOM}.chain.closed_form", lambda zero: None)
    monkeypatch.setattr(import_module(f"{ROOM}.solve_all"), "_recent", {})
    for T, exact in zip(targets, closed, strict=True):
        found = ik.solve_all(model, T)
        assert found.method == "numeric"
        assert found.expected_missed < 1e-3
        assert found.starts > 0
        assert len(found) == len(exact)
        np.testing.assert_allclose(found.solutions, exact.solutions, atol=1e-5)


def test_the_expected_number_missed_is_about_right(monkeypatch: pytest.MonkeyPatch) -> None:
    # Cut short, the search misses; over many targets about as many as it says.
    rng = np.random.default_rng(3)
    model = random_arm(rng, "free")
    targets = [model.end_effector(random_joints(rng, model)) for _ in range(150)]
    full = [ik.solve_all(model, T) for T in targets]
    monkeypatch.setattr(import_module(f"{ROOM}.solve_all"), "MOST_STARTS", 20)
    short = [ik.solve_all(model, T) for T in targets]
    missed = sum(len(a) - len(b) for a, b in zip(full, short, strict=True))
    expected = sum(found.expected_missed for found in short)
    assert missed > 50
    assert 0.4 * missed < expected < 2.0 * missed
    assert all("missed" in found.message for found in short if found.expected_missed > 0.01)


@pytest.mark.parametrize("family", ["parallel", "wrist", "wrist, 1 meets 2", "shoulder"])
def test_against_eaik(family: str) -> None:
    eaik = pytest.importorskip("eaik.IK_HP", reason="EAIK is not installed")
    rng = np.random.default_rng(90)
    model = random_arm(rng, family, gears=False)
    chain = model._chain(kinematics.FrameType.END_EFFECTOR, 0)
    axes, points = [], [np.zeros(3)]
    T = np.eye(4)
    for row in chain[:-1]:
        T = T @ np.vstack([row[4:].reshape(3, 4), [0, 0, 0, 1]])
        axes.append(T[:3, 2])
        points.append(T[:3, 3])
    T_zero = model.end_effector(np.zeros(6))
    points.append(T_zero[:3, 3])
    robot = eaik.HPRobot(np.array(axes), np.diff(points, axis=0))
    if not robot.hasKnownDecomposition():
        pytest.skip("EAIK does not know this geometry")
    for _ in range(40):
        T = model.end_effector(random_joints(rng, model))
        seen = T.copy()
        seen[:3, :3] = T[:3, :3] @ T_zero[:3, :3].T
        answer = robot.IK(seen)
        theirs = [
            np.array(q)
            for q in answer.Q
            if np.abs(model.end_effector(np.array(q)) - T).max() < 1e-5
        ]
        found = ik.solve_all(model, T)
        assert all(holds(model, found.solutions, q) for q in theirs)
        assert len(found) >= len(theirs)
        assert len(theirs) > 0


@pytest.mark.parametrize(
    ("gap", "may_miss"), [(1e-3, 0), (1e-4, 0), (2e-5, 0), (2e-7, 1), (0.0, 0)]
)
def test_axes_1_and_2_that_nearly_meet(gap: float, may_miss: int) -> None:
    # Such arms are nearly singular often: a search alone misses solutions of them. Taken as
    # meeting, targets that are nearer to singular than the axes are to meeting may be lost.
    rng = np.random.default_rng(31)
    arm = aw.ArmBuilder()
    for i in range(6):
        R = random_rotation(rng)
        p = np.zeros(3) if i in (3, 4) else rng.uniform(0.05, 0.4, 3)
        if i == 0:
            across = np.cross([0.0, 0.0, 1.0], R[:, 2])
            p = gap * across / np.linalg.norm(across)
        arm.joint("rz").rigid_body(mass=1.0, output=placement(R, p))
    model = arm.end_effector().build()
    missed = 0
    for _ in range(200):
        q = random_joints(rng, model)
        found = ik.solve_all(model, model.end_effector(q))
        assert "closed form" in found.method
        missed += not holds(model, found.solutions, q)
    assert missed <= may_miss


def test_there_are_as_many_of_one_hand_as_of_the_other() -> None:
    rng = np.random.default_rng(21)
    for _ in range(4):
        model = random_arm(rng, "free")
        for _ in range(25):
            found = ik.solve_all(model, model.end_effector(random_joints(rng, model)))
            determinants = np.linalg.det(model.jacobian(found.solutions))
            assert np.sign(determinants).sum() == 0.0


def test_a_search_cut_short_knows_that_half_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(22)
    model = random_arm(rng, "free")
    odd = 0
    monkeypatch.setattr(import_module(f"{ROOM}.solve_all"), "MOST_STARTS", 6)
    for _ in range(60):
        found = ik.solve_all(model, model.end_effector(random_joints(rng, model)))
        hands = np.sign(np.linalg.det(model.jacobian(found.solutions))) if found else np.zeros(1)
        if hands.sum() and not any(_is_weak(model, q) for q in found):
            odd += 1
            assert found.expected_missed >= abs(hands.sum())
    assert odd > 10


def _is_weak(model: aw.RobotModel, q: FloatArray) -> bool:
    """Whether a solution is so near to a singular one that another may have merged with it."""
    return bool(np.linalg.svd(model.jacobian(q), compute_uv=False)[-1] < 0.05)


def test_solutions_that_lie_close_together() -> None:
    # The elbow nearly straight: two solutions a few milliradians apart, each of them is there.
    rng = np.random.default_rng(4)
    model = aw.load("examples/arms/six_dof.hrdf")
    for bend in (0.1, 0.03, 0.01, 3e-3):
        for _ in range(10):
            q = rng.uniform(-math.pi, math.pi, 6)
            q[2] = bend
            found = ik.solve_all(model, model.end_effector(q))
            assert holds(model, found.solutions, q)
            near = found.solutions[difference(model, found.solutions, q) < 10.0 * bend]
            assert len(near) >= 2


@pytest.mark.parametrize("bend", [1e-3, 1e-4, 1e-5, 1e-6])
def test_targets_near_a_singular_wrist(bend: float) -> None:
    rng = np.random.default_rng(5)
    model = aw.load("examples/arms/six_dof.hrdf")
    for _ in range(10):
        q = rng.uniform(-math.pi, math.pi, 6)
        q[4] = bend
        T = model.end_effector(q)
        found = ik.solve_all(model, T)
        assert len(found) > 0
        assert found.pose_errors.max() < 1e-5
        for solution in found:
            error = kinematics.pose_error(model.end_effector(solution), T)
            assert np.abs(error).max() < 2e-5
        if bend > 1e-5:
            assert holds(model, found.solutions, q)
