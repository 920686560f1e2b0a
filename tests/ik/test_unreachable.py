"""The closest that is told is the closest there is, by brute force with SciPy."""

import numpy as np
import pytest
from scipy.optimize import least_squares

import armwright as aw
from armwright import ik
from armwright.ik import IKStatus
from armwright.ik._kernels import layout
from armwright.ik.program import compile_program
from armwright.kinematics import pose_error
from armwright.kinematics.engine import kernel
from tests.ik.conftest import FloatArray, Kit


def weighted(model: aw.RobotModel, T: FloatArray, w: float, q: FloatArray) -> FloatArray:
    """Error of a pose as the solver weighs it."""
    e = pose_error(model.end_effector(q), T)
    e[:3] *= w
    return e


def weighted_cost(model: aw.RobotModel, T: FloatArray, w: float, q: FloatArray) -> float:
    """Half the squared weighted error, as the solver lowers it."""
    e = weighted(model, T, w, q)
    return 0.5 * float(e @ e)


def reach(model: aw.RobotModel) -> float:
    """Length of the chain: distances between joint origins, and to the tool."""
    chain = model._chain(aw.FrameType.END_EFFECTOR, 0)
    return float(np.linalg.norm(chain[1:, [7, 11, 15]], axis=1).sum())


@pytest.mark.shared
@pytest.mark.parametrize("boxed", [False, True])
def test_closest_pose(kit: Kit, boxed: bool) -> None:
    model, seed = kit("A-2085-06")
    w = 2.0 / reach(model)
    rng = np.random.default_rng(31)
    lower = np.full(6, -np.pi)
    upper = np.full(6, np.pi)
    if boxed:
        lower = rng.uniform(-np.pi, 0, 6)
        upper = lower + np.pi
    found = 0
    while found < 3:
        Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        T = np.eye(4)
        T[:3, :3] = Q * np.sign(np.linalg.det(Q))
        xyz = rng.normal(size=3)
        T[:3, 3] = xyz / np.linalg.norm(xyz) * rng.uniform(0.5, 1.2)
        result = ik.solve(model, seed, ik.pose(T), ik.joint_limits(lower, upper))
        if result.success:
            continue
        found += 1
        assert result.status in (IKStatus.UNREACHABLE, IKStatus.OUTSIDE_LIMITS)
        ours = np.linalg.norm(weighted(model, T, w, result.q))
        brute = min(
            np.sqrt(
                2.0
                * least_squares(
                    lambda q, T=T: weighted(model, T, w, q),
                    rng.uniform(lower, upper),
                    bounds=(lower, upper),
                    xtol=1e-10,
                    ftol=1e-10,
                    max_nfev=60,
                ).cost
            )
            for _ in range(12)
        )
        assert ours <= brute + 1e-3 * w


def test_closest_point_of_a_plane_arm(planar: aw.RobotModel) -> None:
    """An annulus with a known distance: reach 1, and height above the plane."""
    rng = np.random.default_rng(32)
    for _ in range(40):
        xyz = rng.uniform(-2, 2, 3)
        result = ik.solve(planar, rng.uniform(-3, 3, 2), ik.position(xyz))
        beyond = max(np.hypot(xyz[0], xyz[1]) - 1.0, 0.0)
        assert result.status is IKStatus.UNREACHABLE
        assert result.position_error == pytest.approx(np.hypot(beyond, xyz[2]), abs=1e-7)


def test_closest_inside_a_hole() -> None:
    """Two links of different length leave a hole around the base."""
    model = aw.loads("""<robot version="1.6.0">
      <joint axis="rz"/><rigid-body mass="1" output_trans="0.7 0 0"/>
      <joint axis="rz"/><rigid-body mass="1" output_trans="0.3 0 0"/><end-effector/></robot>""")
    result = ik.solve(model, [0.3, 0.2], ik.position([0.1, 0.0, 0.0]))
    assert result.status is IKStatus.UNREACHABLE
    assert result.position_error == pytest.approx(0.3, abs=1e-7)
    assert (
        "; the target is 0.100 m from the first joint, and the endeffector frame comes no nearer "
        "to it than 0.400 m"
    ) in result.message


@pytest.mark.shared
def test_a_long_flat_valley(kit: Kit) -> None:
    """A redundant arm stretched out: curvatures from 2e-5 to 8, where a search without the second
    derivatives of the rotation creeps, and is not at rest after 1300 steps.
    """
    model, seed = kit("A-2099-07")
    T = model.end_effector([0.243977, -0.886602, 0.390463, 2.101652, 0.898348, 1.312431, 0.311806])
    T[:3, 3] = [-1.005868, 0.744597, -0.067522]
    limits = ik.joint_limits([-np.pi] * 7, [np.pi] * 7)
    searched = ik.solve(model, seed, ik.pose(T), limits, max_starts=1)
    assert searched.status is IKStatus.STALLED
    result = ik.solve(model, seed, ik.pose(T), limits)
    assert result.status is IKStatus.UNREACHABLE
    program = compile_program(model, (ik.pose(T), limits))
    state = np.empty(program.shape)
    search = kernel("armwright.ik._kernels.pose", "solve_pose")
    search(program.table, T, seed, state, 1e-6, 1e-5, 0, 300)
    steps = result.iterations - state[0, layout.ITERATIONS]
    assert 8 <= steps <= 150  # of nine polishes
    w = program.length_weight
    gradient = [
        (weighted_cost(model, T, w, result.q + d) - weighted_cost(model, T, w, result.q - d)) / 2e-5
        for d in 1e-5 * np.eye(7)
    ]
    assert np.abs(gradient).max() < 1e-7


@pytest.mark.shared
@pytest.mark.parametrize("name", ["A-2085-06", "A-2303-01"])
def test_out_of_reach_is_never_taken_for_too_few_starts(kit: Kit, name: str) -> None:
    model, seed = kit(name)
    rng = np.random.default_rng(34)
    limits = ik.joint_limits([-np.pi] * model.dof, [np.pi] * model.dof)
    iterations = []
    for _ in range(60):
        T = model.end_effector(rng.uniform(-np.pi, np.pi, model.dof))
        xyz = rng.normal(size=3)
        T[:3, 3] = xyz / np.linalg.norm(xyz) * reach(model) * rng.uniform(1.1, 1.7)
        result = ik.solve(model, seed, ik.pose(T), limits)
        assert result.status is IKStatus.UNREACHABLE
        assert "from the first joint" in result.message
        iterations.append(result.iterations)
    assert np.mean(iterations) < 2500  # 300 starts of seven steps, and the polish
    assert max(iterations) < 3000


@pytest.mark.shared
def test_reachable_only_outside_the_limits(kit: Kit) -> None:
    """Boxes without a solution: the search without limits tells them from the unreachable."""
    model, seed = kit("A-2085-06")
    rng = np.random.default_rng(33)
    counts = dict.fromkeys(IKStatus, 0)
    for _ in range(40):
        T = model.end_effector(rng.uniform(-np.pi, np.pi, 6))
        lower = rng.uniform(-np.pi, 2.0, 6)
        limits = ik.joint_limits(lower, lower + 1.0)
        result = ik.solve(model, seed, ik.pose(T), limits)
        counts[result.status] += 1
        if not result.success:
            assert "without limits, for example, " in result.message
    assert counts[IKStatus.OUTSIDE_LIMITS] >= 30
    assert counts[IKStatus.UNREACHABLE] == counts[IKStatus.STALLED] == 0


def test_hints_by_counting(planar: aw.RobotModel) -> None:
    """Within the reach, what is left to say is how many joints there are for how many rows."""
    above = ik.solve(planar, [0.1, 0.5], ik.position([0.5, 0.0, 0.3]))
    assert above.position_error == pytest.approx(0.3)
    assert above.message.endswith(
        "2 joints cannot meet 3 constraints; "
        "leave an axis of a position free (None) or drop an objective"
    )
    fixed = ik.joint_limits([-3.0, 0.4], [3.0, 0.4])
    one = ik.solve(planar, [0.1, 0.5], ik.position([0.5, 0.0, 0.3]), fixed)
    assert "1 joint cannot meet 3 constraints" in one.message


def test_motions_that_too_few_joints_leave_out(planar: aw.RobotModel) -> None:
    """Two turns about z: four of six directions are missing, and a slide apart from a turn."""
    T = np.eye(4)
    T[:3, 3] = [0.4, 0.2, 0.3]
    T[:3, :3] = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
    words = ik.solve(planar, [0.1, 0.5], ik.pose(T)).message
    said = words.split("not controllable there, in world axes: ")[1]
    assert said.count("a turn about") + said.count("a shift along") == 4
