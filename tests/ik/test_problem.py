"""Prepared problems, merged objectives, results that cannot be changed, threads and seeds."""

import copy
import dataclasses
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt
import pytest

import armwright as aw
from armwright import ik


def test_a_prepared_problem_gives_the_same_bits(seven: aw.RobotModel) -> None:
    rng = np.random.default_rng(5)
    T = seven.end_effector(rng.uniform(-2, 2, 7))
    mixes = [
        (ik.pose(T),),
        (ik.position(T[:3, 3]), ik.orientation(T[:3, :3])),
        (ik.orientation(T[:3, :3]), ik.position(T[:3, 3], weight=2.0)),
        (ik.position(T[:3, 3]), ik.joint_limits([-3] * 7, [3] * 7)),
        (ik.pose(T), ik.posture(np.zeros(7))),
    ]
    for objectives in mixes:
        problem = ik.IKProblem(seven, *objectives)
        for _ in range(5):
            seed = rng.uniform(-3, 3, 7)
            one, two = problem.solve(seed), ik.solve(seven, seed, *objectives)
            assert one.success
            assert one.q.tolist() == two.q.tolist()
            assert problem.solve(seed.tolist()).q.tolist() == one.q.tolist()


def test_position_and_orientation_are_as_good_as_a_pose(seven: aw.RobotModel) -> None:
    T = seven.end_effector([0.3, 0.5, -0.4, 1.0, 0.2, 0.7, 0.1])
    seed = np.full(7, 0.2)
    pose = ik.solve(seven, seed, ik.pose(T))
    pair = ik.solve(seven, seed, ik.orientation(T[:3, :3]), ik.position(T[:3, 3]))
    assert pair.q.tolist() == pose.q.tolist()
    assert [value.shape for value in pair.residuals] == [(3,), (3,)]


def test_weights_choose_between_what_cannot_both_be_met(planar: aw.RobotModel) -> None:
    near, far = ik.position([0.9, 0, 0]), ik.position([0, 0.9, 0])
    heavy = ik.position([0.9, 0, 0], weight=100.0)
    even = ik.solve(planar, [0.3, 0.3], near, far)
    leaning = ik.solve(planar, [0.3, 0.3], heavy, far)
    tip = [planar.end_effector(result.q)[:3, 3] for result in (even, leaning)]
    assert not even.success
    assert np.abs(tip[0] - [0.45, 0.45, 0.0]).max() < 1e-5
    assert np.abs(tip[1] - [0.9, 0.0, 0.0]).max() < 1e-3


@pytest.mark.parametrize("weight", [1e-300, 1e-12, 1e-6, 1e6, 1e12, 1e300])
def test_what_can_be_met_is_met_whatever_the_weights(seven: aw.RobotModel, weight: float) -> None:
    rng = np.random.default_rng(12)
    for _ in range(8):
        q = rng.uniform(-1.5, 1.5, 7)
        T = seven.end_effector(q)
        position, orientation = T[:3, 3], ik.orientation(T[:3, :3], weight=weight)
        for objectives in (
            (ik.position(position), orientation),
            (ik.tip_axis(T[:3, 2]), ik.position(position, weight=weight)),
        ):
            for seed in (q + 0.2, rng.uniform(-3, 3, 7)):
                result = ik.solve(seven, seed, *objectives)
                assert result.success
                assert np.abs(seven.end_effector(result.q)[:3, 3] - position).max() < 1e-5


@pytest.mark.parametrize("weight", [1.0, 30.0, 1e3, 1e4])
@pytest.mark.parametrize("with_custom", [False, True])
def test_a_compromise_is_by_the_weights_as_they_are(
    planar: aw.RobotModel, weight: float, with_custom: bool
) -> None:
    # Two points a distance d apart: the heavier is missed by d / (1 + w^2).
    heavy, light = np.array([0.6, 0.3, 0.0]), np.array([0.6, 0.2, 0.0])
    asked: list[ik.objectives.Objective] = [ik.position(heavy, weight=weight), ik.position(light)]
    if with_custom:
        asked.append(ik.custom(1, lambda q: [0.0]))
    result = ik.solve(planar, [0.1, 0.5], *asked)
    assert not result.success
    missed = np.linalg.norm(planar.end_effector(result.q)[:3, 3] - heavy)
    assert missed == pytest.approx(0.1 / (1 + weight**2), rel=1e-3)


def test_a_custom_objective_is_met_whatever_the_weights(planar: aw.RobotModel) -> None:
    wish = ik.custom(1, lambda q: [q[0] + 0.371834265], weight=1e-9)
    result = ik.solve(planar, [0.1, 0.5], ik.position([0.6, 0.3, None]), wish)
    assert result.success
    assert np.abs(result.q - [-0.371834265, 1.670963748]).max() < 1e-5


def test_problems_are_frozen_and_can_be_sent(planar: aw.RobotModel) -> None:
    problem = ik.IKProblem(planar, ik.position([0.6, 0.3, 0.0]))
    with pytest.raises(AttributeError, match="cannot be changed"):
        problem.model = planar
    with pytest.raises(AttributeError, match="cannot be changed"):
        del problem.model
    assert "position" in repr(problem)
    again = pickle.loads(pickle.dumps(problem))
    assert again.solve([0.1, 0.5]).q.tolist() == problem.solve([0.1, 0.5]).q.tolist()


@pytest.mark.parametrize("xyz", [[0.6, 0.3, 0.0], [2.0, 0.0, 0.0]])
def test_results_are_frozen(planar: aw.RobotModel, xyz: list[float]) -> None:
    result = ik.solve(planar, np.array([0.1, 0.5]), ik.position(xyz))
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.success = True
    with pytest.raises(dataclasses.FrozenInstanceError):
        del result.q
    for array in (result.q, *result.residuals):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0.0
    assert not hasattr(result, "wisdom")
    assert result.status.name in repr(result)
    for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert other.q.tolist() == result.q.tolist()
        assert other.message == result.message
        assert other.residuals[0].tolist() == result.residuals[0].tolist()
    if result.success:
        assert result.raise_for_status() is result


def test_threads_get_the_same_bits(seven: aw.RobotModel) -> None:
    rng = np.random.default_rng(8)
    poses = [ik.pose(seven.end_effector(rng.uniform(-3, 3, 7))) for _ in range(40)]
    problem = ik.IKProblem(seven, ik.position([0.3, 0.2, 0.4]))
    seeds = rng.uniform(-3, 3, (40, 7))

    def work(i: int) -> list[list[float]]:
        one = ik.solve(seven, seeds[i], poses[i])
        return [one.q.tolist(), problem.solve(seeds[i]).q.tolist()]

    alone = [work(i) for i in range(40)]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(work, range(40))) == alone


def test_seeds_of_any_kind(planar: aw.RobotModel) -> None:
    target = ik.position([0.6, 0.3, 0.0])
    wanted = ik.solve(planar, np.array([0.25, 0.5]), target).q.tolist()
    strided = np.array([0.25, 9.0, 0.5])[::2]
    read_only = np.array([0.25, 0.5])
    read_only.setflags(write=False)
    seeds: list[npt.ArrayLike] = [
        [0.25, 0.5],
        np.array([0.25, 0.5], dtype=np.float32),
        strided,
        read_only,
    ]
    for seed in seeds:
        assert ik.solve(planar, seed, target).q.tolist() == wanted


def test_what_solve_remembers_is_little_and_never_functions(planar: aw.RobotModel) -> None:
    from armwright.ik.solving.program_cache import MOST, programs

    for i in range(2 * MOST):
        ik.solve(planar, [0.1, 0.5], ik.position([0.5, 0.5, 0.0], weight=1.0 + i))
    assert len(programs) <= MOST
    before = list(programs)
    ik.solve(planar, [0.1, 0.5], ik.custom(1, lambda q: [q[0]]))
    assert list(programs) == before
