"""Custom objectives: SciPy behind the same call; whatever a function does wrong comes out."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import armwright as aw
from armwright import ik
from armwright.errors import ObjectiveError
from armwright.ik import IKStatus
from armwright.ik.objectives import Objective
from tests.ik.conftest import FloatArray

MA: Any = np.ma  # untyped in numpy 1

SEED = [0.1, 0.5]


def test_good_c33(planar: aw.RobotModel) -> None:
    result = ik.solve(planar, SEED, ik.custom(2, lambda q: [q[0] - 0.7, q[1] + 0.2]))
    assert result.success
    assert result.status is IKStatus.CONVERGED
    assert np.abs(result.q - [0.7, -0.2]).max() < 1e-5
    assert result.residuals[0].shape == (2,)
    assert math.isnan(result.position_error)


def test_exceptions_come_out_unchanged_c33(planar: aw.RobotModel) -> None:
    boom = ValueError("boom")

    def raises(q: FloatArray) -> FloatArray:
        raise boom

    with pytest.raises(ValueError, match=r"^boom$") as caught:
        ik.solve(planar, SEED, ik.custom(1, raises))
    assert caught.value is boom
    with pytest.raises(ValueError, match=r"^boom$"):
        ik.solve(planar, SEED, ik.custom(1, lambda q: [q[0] - 1], jacobian=raises))


@pytest.mark.parametrize(
    ("n_errors", "returned", "text"),
    [
        (
            1,
            [math.nan],
            "objective: expected it to return finite numbers of at most 1e+30, got nan",
        ),
        (1, [math.inf], "of at most 1e+30, got inf"),
        (1, [1e31], "of at most 1e+30, got 1e+31"),
        (
            1,
            MA.array([0.0], mask=[True]),
            "objective: expected it to return numbers, got a masked array",
        ),
        (2, [0.1], "objective: expected 2, got 1"),
        (1, [[0.1]], "expected it to return shape (1,), got (1, 1)"),
        (2, 0.1, "expected it to return shape (2,), got ()"),
        (1, "far", "expected it to return numbers, got 'far'"),
        (1, None, "to return numbers, got None"),
    ],
)
def test_bad_returns_c33(planar: aw.RobotModel, n_errors: int, returned: Any, text: str) -> None:
    with pytest.raises(ObjectiveError) as caught:
        ik.solve(planar, SEED, ik.custom(n_errors, lambda q: returned))
    assert text in str(caught.value)


def test_bad_jacobians(planar: aw.RobotModel) -> None:
    flat = ik.custom(1, lambda q: [q[0] - 1.0], jacobian=lambda q: [1.0, 0.0])
    with pytest.raises(ObjectiveError, match=r"jacobian: expected .* \(1, 2\), got \(2,\)"):
        ik.solve(planar, SEED, flat)
    nan = ik.custom(1, lambda q: [q[0] - 1.0], jacobian=lambda q: [[1.0, math.nan]])
    with pytest.raises(ObjectiveError, match=r"jacobian: expected .* finite numbers .* got nan"):
        ik.solve(planar, SEED, nan)


def test_the_function_cannot_change_the_joints_c33(planar: aw.RobotModel) -> None:
    def meddles(q: FloatArray) -> FloatArray:
        q[0] = 99.0
        return q[:1]

    with pytest.raises(ValueError, match="read-only"):
        ik.solve(planar, SEED, ik.custom(1, meddles))
    kept: list[FloatArray] = []

    def keeps(q: FloatArray) -> FloatArray:
        kept.append(q)
        return q[:1] - 0.3

    ik.solve(planar, SEED, ik.custom(1, keeps))
    assert kept[0].tolist() == SEED  # a copy, not the solver's own array


def test_a_number_is_as_good_as_a_list_of_one(planar: aw.RobotModel) -> None:
    result = ik.solve(planar, SEED, ik.custom(1, lambda q: q[0] - 0.7))
    assert result.success
    assert result.q[1] == pytest.approx(0.5)


def test_beside_the_built_in_objectives(seven: aw.RobotModel) -> None:
    """Every kind of row takes part in SciPy's problem."""
    q = np.array([0.3, 0.5, -0.4, 1.0, 0.2, 0.7, 0.1])
    T = seven.end_effector(q)
    elbow = seven.forward_kinematics("output", q)[seven.tags["elbow"]]
    wish = ik.custom(1, lambda q: [q[0] + q[2] + 0.1], weight=0.5)
    mixes: list[tuple[Objective, ...]] = [
        (ik.pose(T),),
        (ik.position(T[:3, 3]), ik.orientation(T[:3, :3])),
        (ik.tip_axis(T[:3, 2]), ik.position([T[0, 3], None, T[2, 3]])),
        (ik.pose(T, weight=4.0), ik.tip_axis(elbow[:3, 2], frame_type="output", tag="elbow")),
    ]
    for objectives in mixes:
        result = ik.solve(seven, np.full(7, 0.25), wish, *objectives)
        assert result.success, result.message
        assert result.position_error < 1e-5
        assert abs(result.q[0] + result.q[2] + 0.1) < 1e-5


def test_limits_are_hard_for_scipy_too(planar: aw.RobotModel) -> None:
    seen = []

    def function(q: FloatArray) -> list[float]:
        seen.append(q)
        return [q[0] - 2.0, q[1] - 0.1]

    limits = ik.joint_limits([-1.0, 0.3], [1.0, 0.3])
    result = ik.solve(planar, [5.0, 0.0], ik.custom(2, function), limits)
    assert result.status is IKStatus.UNREACHABLE
    assert result.q[1] == 0.3
    assert 1.0 - 1e-9 < result.q[0] <= 1.0
    visited = np.array(seen)
    assert visited[:, 0].max() <= 1.0
    assert visited[:, 0].min() >= -1.0
    assert set(visited[:, 1]) == {0.3}


def test_no_joint_can_move(planar: aw.RobotModel) -> None:
    fixed = ik.joint_limits([0.2, 0.3], [0.2, 0.3])
    met = ik.solve(planar, [0, 0], ik.custom(1, lambda q: [q[0] - 0.2]), fixed)
    assert met.success
    missed = ik.solve(planar, [0, 0], ik.custom(1, lambda q: [q[0] - 0.4]), fixed)
    assert missed.status is IKStatus.UNREACHABLE
    assert missed.residuals[0].tolist() == pytest.approx([-0.2])


def test_tolerance_is_in_the_functions_units(planar: aw.RobotModel) -> None:
    """10 times the tolerance counts as met; the search goes on to the tolerance."""

    def floor(q: FloatArray) -> list[float]:
        return [5.0 + (q[0] - 0.3) ** 2]

    assert ik.solve(planar, SEED, ik.custom(1, floor, tolerance=0.51)).success
    strict = ik.solve(planar, SEED, ik.custom(1, floor, tolerance=0.49), max_starts=3)
    assert strict.status is IKStatus.STALLED
    assert strict.restarts == 2
    assert abs(strict.q[0] - 0.3) < 1e-3


def test_a_given_jacobian_is_used_and_saves_calls(planar: aw.RobotModel) -> None:
    calls = {"with": 0, "without": 0}

    def counted(key: str) -> Any:
        def function(q: FloatArray) -> list[float]:
            calls[key] += 1
            return [math.sin(q[0]) - 0.5, q[1] ** 3 - 0.2]

        return function

    def jacobian(q: FloatArray) -> list[list[float]]:
        return [[math.cos(q[0]), 0.0], [0.0, 3 * q[1] ** 2]]

    one = ik.solve(planar, SEED, ik.custom(2, counted("with"), jacobian=jacobian))
    two = ik.solve(planar, SEED, ik.custom(2, counted("without")))
    assert np.abs(one.q - two.q).max() < 1e-6
    assert calls["with"] < calls["without"] / 2


def bent(q: FloatArray) -> list[float]:
    return [math.sin(q[0]) * q[1] - 0.1, q[1] ** 2 - 0.2]


def slopes_of_bent(q: FloatArray) -> list[list[float]]:
    return [[math.cos(q[0]) * q[1], math.sin(q[0])], [0.0, 2 * q[1]]]


def test_a_right_jacobian_passes_its_check(planar: aw.RobotModel) -> None:
    wish = ik.custom(2, bent, jacobian=slopes_of_bent, check_jacobian=True)
    plain = ik.custom(2, bent, jacobian=slopes_of_bent)
    result = ik.solve(planar, SEED, wish)
    assert result.success
    assert result.q.tolist() == ik.solve(planar, SEED, plain).q.tolist()
    limits = ik.joint_limits([-1.0, 0.5], [1.0, 0.5])  # differences at bounds, and without room
    assert ik.solve(planar, [-1.0, 0.5], wish, limits).status is not IKStatus.OUT_OF_TIME


@pytest.mark.parametrize(("row", "column"), [(0, 0), (0, 1), (1, 1)])
def test_a_wrong_jacobian_is_named_by_its_entry(
    planar: aw.RobotModel, row: int, column: int
) -> None:
    def wrong(q: FloatArray) -> FloatArray:
        J = np.array(slopes_of_bent(q))
        J[row, column] *= 1.01
        return J

    wish = ik.custom(2, bent, jacobian=wrong, check_jacobian=True)
    given = wrong(np.array(SEED))[row, column]
    right = slopes_of_bent(np.array(SEED))[row][column]
    with pytest.raises(ObjectiveError) as caught:
        ik.solve(planar, SEED, wish)
    text = str(caught.value)
    assert f"jacobian[{row}, {column}] is {given:.6g}" in text
    assert f"differences give {right:.6g} at q = [0.1, 0.5]" in text
    assert ik.solve(planar, SEED, ik.custom(2, bent, jacobian=wrong)).success  # not looked at


def test_a_check_needs_a_jacobian() -> None:
    with pytest.raises(ObjectiveError, match="check_jacobian=True needs a jacobian"):
        ik.custom(1, lambda q: q[:1], check_jacobian=True)


def test_restarts_leave_local_minima(planar: aw.RobotModel) -> None:
    """From the seed the descent ends beside the deeper valley."""

    def two_valleys(q: FloatArray) -> list[float]:
        x = q[0]
        return [(x - 2.0) * (x + 1.0) * 0.3, 0.0 if x > 1.0 else 0.5]

    result = ik.solve(planar, [-1.2, 0.0], ik.custom(2, two_valleys))
    assert result.success
    assert result.q[0] == pytest.approx(2.0, abs=1e-5)
    assert result.restarts > 0
    again = ik.solve(planar, [-1.2, 0.0], ik.custom(2, two_valleys))
    assert again.q.tolist() == result.q.tolist()
    other = ik.solve(planar, [-1.2, 0.0], ik.custom(2, two_valleys), random_seed=5)
    assert other.success


def test_posture_beside_a_custom_objective(seven: aw.RobotModel) -> None:
    q = np.array([0.3, 0.5, -0.4, 1.0, 0.2, 0.7, 0.1])
    T = seven.end_effector(q)
    bend = ik.custom(1, lambda q: [q[3] - 1.0])
    limits = ik.joint_limits([-1.5] * 7, [1.5] * 7)
    plain = ik.solve(seven, q + 0.2, ik.position(T[:3, 3]), bend, limits)
    near = ik.solve(seven, q + 0.2, ik.position(T[:3, 3]), bend, limits, ik.posture(q))
    assert near.success
    assert np.linalg.norm(near.q - q) < 0.2 * np.linalg.norm(plain.q - q)
    pushed = ik.solve(
        seven, q + 0.2, ik.position(T[:3, 3]), bend, limits, ik.posture(np.full(7, 3.0))
    )
    assert pushed.success
    assert pushed.q.max() == 1.5


def test_secondary_goals_beside_a_custom_objective(seven: aw.RobotModel) -> None:
    """They go as low as SciPy's constrained minimum next to it, and the target is kept."""
    q = np.array([0.3, 0.5, -0.4, 1.0, 0.2, 0.7, 0.1])
    xyz = seven.end_effector(q)[:3, 3]
    first = (ik.position(xyz), ik.custom(1, lambda q: [q[3] - 1.0]))
    limits = ik.joint_limits([-1.0] * 7, [2.0] * 7)
    plain = ik.solve(seven, q, *first, limits)
    goals: list[tuple[Objective, Callable[[FloatArray], float]]] = [
        (ik.centering(), lambda q: float(((q - 0.5) ** 2).sum())),
        (ik.least_effort(), lambda q: float((seven.gravity_efforts(q) ** 2).sum())),
    ]
    for goal, value in goals:
        result = ik.solve(seven, q, *first, limits, goal)
        assert result.success
        assert result.position_error < 1e-5
        best = minimize(
            value,
            plain.q,
            bounds=[(-1.0, 2.0)] * 7,
            constraints={
                "type": "eq",
                "fun": lambda x: [*(seven.end_effector(x)[:3, 3] - xyz), x[3] - 1.0],
            },
            tol=1e-10,
        )
        assert value(result.q) < value(plain.q)
        assert value(result.q) <= 1.01 * best.fun


def test_out_of_time_between_calls(planar: aw.RobotModel) -> None:
    result = ik.solve(planar, SEED, ik.custom(1, lambda q: [2.0 + math.cos(q[0])]), time_limit=1e-9)
    assert result.status is IKStatus.OUT_OF_TIME
    assert result.q.tolist() == SEED


def test_a_prepared_custom_problem(planar: aw.RobotModel) -> None:
    problem = ik.IKProblem(planar, ik.custom(2, lambda q: [q[0] - 0.7, q[1] + 0.2]))
    assert np.abs(problem.solve(SEED).q - [0.7, -0.2]).max() < 1e-5


@pytest.mark.filterwarnings("ignore:.*looks like degrees")  # they are radians
def test_unlimited_slides_and_turns_restart_around_the_seed() -> None:
    model = aw.loads("""<robot version="1.6.0"><joint axis="tx"/><joint axis="rz"/>
      <rigid-body mass="1" output_trans="0.5 0 0"/><end-effector/></robot>""")
    seen = []

    def never(q: FloatArray) -> list[float]:
        seen.append(q)
        return [1.0]

    result = ik.solve(model, [3.0, 20.0], ik.custom(1, never))
    assert result.status is IKStatus.UNREACHABLE
    visited = np.array(seen)
    assert np.abs(visited[:, 0] - 3.0).max() < 1.01
    assert np.ptp(visited[:, 0]) > 1.5
    assert np.abs(visited[:, 1] - 20.0).max() < math.pi + 0.01
    assert np.ptp(visited[:, 1]) > 5.0


def test_metres_and_radians_compare_as_without_it(planar: aw.RobotModel) -> None:
    # A function that is always zero sends the problem to SciPy; the compromise is the same.
    T = planar.end_effector([0.3, 0.8])
    wanted = (ik.position(T[:3, 3]), ik.orientation(np.eye(3)))
    zero = ik.custom(1, lambda q: [0.0])
    quick = ik.solve(planar, [0.2, 0.6], *wanted)
    slow = ik.solve(planar, [0.2, 0.6], *wanted, zero)
    assert not quick.success
    assert slow.position_error == pytest.approx(quick.position_error, rel=1e-4)
    assert slow.orientation_error == pytest.approx(quick.orientation_error, rel=1e-4)
