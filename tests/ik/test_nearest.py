"""Of the answers that a call finds, the one nearest to the seed is returned."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import least_squares

import armwright as aw
from armwright import ik
from armwright.ik import IKStatus
from armwright.ik._kernels import layout
from armwright.ik.objectives import Objective
from armwright.ik.program import compile_program, fill_in
from armwright.kinematics.arrays import FloatArray
from armwright.kinematics.engine import kernel

ARM = Path(__file__).resolve().parents[2] / "examples" / "arms" / "six_dof.hrdf"
HOLE = """<robot version="1.6.0">
  <joint axis="rz"/><rigid-body mass="1" output_trans="0.7 0 0"/>
  <joint axis="rz"/><rigid-body mass="1" output_trans="0.3 0 0"/><end-effector/></robot>"""


@pytest.fixture(scope="module")
def six() -> aw.RobotModel:
    """Six joints, no limits."""
    return aw.load(ARM)


def test_an_equally_close_posture_beside_the_seed(six: aw.RobotModel) -> None:
    """Far out of reach an arm can stretch in many ways, flipped or turned about itself."""
    result = ik.solve(six, np.zeros(6), ik.position([2.0, 0.0, 0.2]))
    assert result.status is IKStatus.UNREACHABLE
    assert result.q[[0, 1, 5]] == pytest.approx([0.198, 0.02, 0.0], abs=1e-3)  # it was 2.943, 3.121
    rng = np.random.default_rng(61)
    ours, theirs = [], []  # both go down from the seed, each in its own way
    for _ in range(30):
        xyz = rng.normal(size=3)
        xyz *= 2.0 / np.linalg.norm(xyz)
        seed = rng.uniform(-3, 3, 6)
        result = ik.solve(six, seed, ik.position(xyz))
        beside = least_squares(
            lambda q, xyz=xyz: six.end_effector(q)[:3, 3] - xyz, seed, xtol=1e-12, ftol=1e-14
        )
        if np.sqrt(2.0 * beside.cost) < result.position_error * (1.0 + 1e-7):
            ours.append(np.linalg.norm(result.q - seed))
            theirs.append(np.linalg.norm(beside.x - seed))
        # Any other answer is as close, and it is where its own search began.
        again = ik.solve(six, result.q, ik.position(xyz))
        assert again.position_error == pytest.approx(result.position_error, rel=1e-6)
        assert np.abs(again.q - result.q).max() < 1e-2
    assert len(ours) >= 10
    assert np.mean(ours) < 1.1 * np.mean(theirs)


@pytest.mark.kernels
def test_the_nearest_of_two_mirrored_postures() -> None:
    """In the hole of the workspace two links fold: the elbow at half a turn, either way."""
    model = aw.loads(HOLE)
    target = ik.position([0.0, 0.1, 0.0])
    for seed in ([1.2, 2.9], [1.9, -2.9], [1.5, 3.1], [1.5, -3.1]):
        for limits in ([], [ik.joint_limits([-np.pi] * 2, [np.pi] * 2)]):
            result = ik.solve(model, seed, target, *limits)
            assert result.q == pytest.approx([np.pi / 2, np.copysign(np.pi, seed[1])], abs=1e-4)


@pytest.mark.kernels
@pytest.mark.parametrize("end", [np.pi, -np.pi])
def test_a_target_at_half_a_turn_is_met_on_the_seeds_side(six: aw.RobotModel, end: float) -> None:
    """A step over the end of the limits came out at the other end, a whole turn away."""
    limits = ik.joint_limits([-np.pi] * 6, [np.pi] * 6)
    rng = np.random.default_rng(62)
    for joint in range(6):
        for _ in range(10):
            q = rng.uniform(-1.5, 1.5, 6)
            q[2] = 1.0 + 0.3 * q[2]
            q[4] = 1.2
            q[joint] = end
            seed = q + rng.uniform(-0.1, 0.1, 6)
            seed[joint] = end - np.copysign(rng.uniform(0.01, 0.1), end)
            T = six.end_effector(q)
            for goals in ([ik.pose(T)], [ik.pose(T), ik.position(T[:3, 3])]):
                result = ik.solve(six, seed, *goals, limits)
                assert result.success
                assert result.restarts == 0
                assert np.abs(result.q - seed).max() < 1.0
                assert np.abs(result.q).max() <= np.pi
            batch = ik.solve_batch(six, seed, [T], limits=limits)
            alone = ik.solve(six, seed, ik.pose(T), limits)
            assert batch.q[0].tolist() == alone.q.tolist()


def test_twins_within_wide_limits(six: aw.RobotModel) -> None:
    """Two turns are allowed: the answer is never more than half a turn from the seed."""
    limits = ik.joint_limits([-2 * np.pi] * 6, [2 * np.pi] * 6)
    rng = np.random.default_rng(63)
    for _ in range(100):
        seed = rng.uniform(-5.0, 5.0, 6)
        q = rng.uniform(-3, 3, 6)
        result = ik.solve(six, seed, ik.pose(six.end_effector(q)), limits)
        assert result.success
        for value, start in zip(result.q, seed, strict=True):
            twins = value + 2 * np.pi * np.arange(-2, 3)
            twins = twins[np.abs(twins) <= 2 * np.pi]
            assert abs(value - start) <= np.abs(twins - start).min() + 1e-9


@pytest.mark.kernels
def test_the_nearest_of_points_that_meet_the_target(six: aw.RobotModel) -> None:
    """Where only the wider tolerance is met, all points that meet it are equal."""
    q = np.array([0.3, 0.9, 1.2, 0.4, 1.1, -0.5])
    goals = ik.pose(six.end_effector(q)), ik.joint_limits([-np.pi] * 6, [np.pi] * 6)
    program = compile_program(six, goals)
    state = np.empty(program.shape)
    seed = np.zeros(6)
    search = kernel("armwright.ik._kernels.pose", "solve_pose")
    choose = kernel("armwright.ik._kernels.polish", "choose_nearest")
    found = ik.solve_all(six, goals[0].target, reference=seed)
    table = fill_in(program, goals)
    for far in (1, 3, 7):
        search(program.table, goals[0].target, seed, state, 1e-6, 1e-5, 0, 1)
        state[0, layout.E_POOL :] = np.inf
        for k, solution in enumerate((found[far], found[0], found[2])):
            state[0, layout.E_POOL + k] = 1e-12
            state[1:, layout.POOL + k] = solution
        state[1:, layout.BEST] = found[far]
        state[0, [layout.E_BEST, layout.POSITION_ERROR, layout.ORIENTATION_ERROR]] = 1e-9
        choose(table, seed, state, 1e-5, 1e-4)
        assert state[1:, layout.BEST].tolist() == found[0].tolist()
        assert state[0, layout.POSITION_ERROR] < 1e-7


def test_custom_objectives_as_well() -> None:
    """Least squares from many starts: two mirrored ways to be as near as can be."""
    model = aw.loads(HOLE)
    target = [0.0, 0.1, 0.0]

    def to_go(q: FloatArray) -> FloatArray:
        return model.end_effector(q)[:3, 3] - target

    limits = ik.joint_limits([-np.pi] * 2, [np.pi] * 2)
    for seed in ([1.2, 2.2], [1.9, -2.2]):
        result = ik.solve(model, seed, ik.custom(3, to_go), limits)
        assert result.status is IKStatus.UNREACHABLE
        assert result.q == pytest.approx([np.pi / 2, np.copysign(np.pi, seed[1])], abs=1e-2)


def test_no_further_start_once_the_target_is_reached(six: aw.RobotModel) -> None:
    rng = np.random.default_rng(64)
    for _ in range(50):
        q = rng.uniform(-3, 3, 6)
        near = ik.solve(six, q + 0.05, ik.pose(six.end_effector(q)))
        assert (near.success, near.restarts) == (True, 0)


# 1 m, then arms of a millimetre and of hundreds of metres.
@pytest.mark.parametrize("scale", [1e-3, 1e-2, 0.1, 10.0, 100.0])
def test_arms_of_every_size_solve_alike(scale: float) -> None:
    def arm(scale: float) -> aw.RobotModel:
        links = [("rz", 0.1, 0, 0.3), ("ry", 0.4, 0.1, 0), ("ry", 0.3, 0, 0.1)]
        links += [("rx", 0.2, 0, 0), ("ry", 0.1, 0, 0.05), ("rx", 0.1, 0.02, 0)]
        parts = "".join(
            f'<joint axis="{axis}"/><rigid-body mass="1" '
            f'output_trans="{scale * x} {scale * y} {scale * z}"/>'
            for axis, x, y, z in links
        )
        return aw.loads(f'<robot version="1.6.0">{parts}<end-effector/></robot>')

    one, other = arm(1.0), arm(scale)
    rng = np.random.default_rng(65)
    limits = ik.joint_limits([-np.pi] * 6, [np.pi] * 6)
    alike: list[bool] = []
    for _ in range(60):
        seed, q = rng.uniform(-3, 3, (2, 6))
        answers = []
        for model, factor in ((one, 1.0), (other, scale)):
            T = model.end_effector(q)
            out = T[:3, 3] * 1.2 + [0, 0, 0.5 * factor]
            tip = ik.tip_axis(T[:3, 2])
            mixes: list[list[Objective]] = [
                [ik.pose(T)],
                [ik.position(T[:3, 3]), tip],
                [ik.position(out)],
            ]
            answers.append([ik.solve(model, seed, *mix, limits) for mix in mixes])
        for a, b in zip(*answers, strict=True):
            assert a.status is b.status
            assert b.position_error == pytest.approx(scale * a.position_error, abs=2e-5 * scale)
            alike.append(np.abs(a.q - b.q).max() < 1e-3)
        batch = ik.solve_batch(other, seed, [other.end_effector(q)], limits=limits)
        assert batch.q[0].tolist() == answers[1][0].q.tolist()
    assert np.mean(alike) > 0.98  # the last bit can decide where a search goes


def test_a_tolerance_that_is_given_is_taken_literally() -> None:
    """Only the default shrinks with the arm."""
    model = aw.loads(HOLE.replace("0.7", "0.0007").replace("0.3", "0.0003"))
    point = model.end_effector([0.4, 0.9])[:3, 3]
    near = ik.solve(model, [0.3, 0.8], ik.position(point))
    assert near.position_error <= 1e-8
    rough = ik.solve(model, np.array([0.3, 0.8]), ik.position(point), position_tolerance=2e-4)
    assert rough.success
    assert rough.iterations < near.iterations
    beside = ik.solve(model, [0.3, 0.8], ik.position([0.001005, 0.0, 0.0]))
    assert not beside.success  # 5 um off, half a percent of the arm


def test_trackers_of_small_arms() -> None:
    """The same default as for a solve."""
    model = aw.loads(HOLE.replace("0.7", "0.0007").replace("0.3", "0.0003"))
    small = ik.Tracker(model, [0.4, 0.9])
    literal = ik.Tracker(model, [0.4, 0.9], position_tolerance=1e-6)
    for tracker, most in ((small, 1e-8), (literal, 1e-6)):
        errors = []
        for turn in np.linspace(0.0, 0.5, 40):
            step = tracker.step(model.end_effector([0.4 + turn, 0.9 - turn])[:3, 3])
            assert step.success
            errors.append(step.position_error)
        assert max(errors) <= most
    assert max(errors) > 1e-8
