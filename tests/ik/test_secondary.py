"""Secondary goals: what is free is used, the target is kept, and the limits hold."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import minimize

import armwright as aw
from armwright import ik
from armwright.errors import FrameNotFoundError, ObjectiveError
from armwright.ik._kernels import layout
from armwright.ik.objectives import Objective
from armwright.ik.program import compile_program
from armwright.kinematics.engine import kernel
from tests.ik.conftest import FloatArray, Kit

Value = Callable[[FloatArray], float]

BRANCHED = """
<robot version="1.6.0"><joint axis="tx"/><joint axis="rz"/>
  <rigid-body mass="1" com_trans="0.1 0.2 0.05" output_trans="0.5 0 0"/>
  <joint axis="ry" gear_ratio="2"/>
  <rigid-body mass="2" com_trans="0.1 0.2 0.05">
    <output trans="0.5 0 0">
      <joint axis="rx"/><rigid-body mass="1" com_trans="0.1 0.02 0.05" output_trans="0.1 0.3 0"/>
      <joint axis="tz"/><rigid-body mass="0.5" com_trans="0 0 0.1" output_trans="0.1 0.3 0"/>
      <end-effector/>
    </output>
    <output trans="0 0.5 0">
      <joint axis="ry"/><rigid-body mass="1" com_trans="0.1 0 0.05" output_trans="0.1 0.3 0"/>
      <joint axis="rz"/><rigid-body mass="1" com_trans="0 0.1 0.05" output_trans="0.1 0.3 0"/>
      <end-effector/>
    </output>
  </rigid-body>
</robot>
"""
KINDS = ("centering", "manipulability", "effort", "posture")


def goal_and_value(model: aw.RobotModel, kind: str, rows: str) -> tuple[Objective, Value]:
    """Make a goal, and what it shall lower, from public functions; limits are -2 and 2."""
    ones = np.linspace(-0.5, 0.5, model.dof)
    return {
        "centering": (ik.centering(), lambda q: float((q / 2) @ (q / 2) / 2)),
        "manipulability": (
            ik.manipulability_goal(rows=rows),
            lambda q: -math.log(ik.manipulability(model, q, rows=rows).measure),
        ),
        "effort": (
            ik.least_effort(),
            lambda q: float(model.gravity_efforts(q) @ model.gravity_efforts(q)) / 1000,
        ),
        "posture": (ik.posture(ones), lambda q: float((q - ones) @ (q - ones) / 2)),
    }[kind]


def still_to_go(model: aw.RobotModel, T: FloatArray, rows: str, q: FloatArray) -> FloatArray:
    error = aw.kinematics.pose_error(model.end_effector(q), T)
    return error if rows == "pose" else error[:3]


@pytest.mark.shared
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("name", "rows"), [("A-2099-07", "pose"), ("A-2303-01", "pose"), ("A-2085-06", "position")]
)
def test_as_low_as_scipy_goes_on_the_target(kit: Kit, name: str, rows: str, kind: str) -> None:
    """From the same plain answer SciPy's SLSQP finds nothing lower nearby, and often the same."""
    model, _ = kit(name)
    n = model.dof
    rng = np.random.default_rng(3)
    limits = ik.joint_limits([-2.0] * n, [2.0] * n)
    goal, value = goal_and_value(model, kind, rows)
    lower, same, gained = 0, 0, 0
    for _ in range(4):
        q = rng.uniform(-1.8, 1.8, n)
        T = model.end_effector(q)
        target = ik.pose(T) if rows == "pose" else ik.position(T[:3, 3])
        seed = q + rng.normal(0, 0.1, n)
        plain = ik.solve(model, seed, target, limits)
        result = ik.solve(model, seed, target, limits, goal)
        assert result.success
        assert result.position_error <= 1e-6
        assert not result.orientation_error > 1e-5
        assert np.abs(result.q).max() <= 2.0
        assert value(result.q) <= value(plain.q) + 1e-9
        gained += value(result.q) < value(plain.q) - 1e-5
        best = minimize(
            value,
            plain.q,
            bounds=[(-2.0, 2.0)] * n,
            constraints={
                "type": "eq",
                "fun": lambda x, T=T: still_to_go(model, T, rows, x),
            },
            tol=1e-9,
        )
        size = 1e-5 * max(1.0, abs(value(plain.q)))
        lower += value(result.q) <= best.fun + size
        same += abs(value(result.q) - best.fun) <= size
    assert gained >= 3
    assert lower >= 3  # each ends in a minimum of its own valley
    assert same >= 2


@pytest.mark.parametrize(
    "goals",
    [
        [ik.posture(np.linspace(-1, 1, 7)), ik.posture(np.zeros(7), weight=3.0)],
        [ik.centering(weight=2.0)],
        [ik.least_effort(gravity=[1.0, 2.0, -9.0])],
        *(
            [ik.manipulability_goal(rows=rows, index=0)]
            for rows in ("pose", "position", "orientation")
        ),
        [
            ik.centering(),
            ik.least_effort(weight=5.0),
            ik.manipulability_goal(rows="position", index=1),
            ik.manipulability_goal(rows="orientation", frame_type="output", index=2),
        ],
    ],
)
def test_the_gradient_is_that_of_the_value(goals: list[Objective]) -> None:
    """On a tree with slides, gears and branches, by central differences."""
    model = aw.loads(BRANCHED)
    limits = ik.joint_limits([-1.0, -2.0, -4.0, -2.0, -0.5, -2.0, -2.0], [2.0] * 6 + [math.inf])
    program = compile_program(model, [limits, *goals])
    weigh = kernel("armwright.ik._kernels.secondary", "weigh")
    rng = np.random.default_rng(5)
    for _ in range(5):
        q = rng.uniform(-1, 1, 7)
        slope, unused = np.empty(7), np.empty(7)
        weigh(program.table, program.secondary.rows, q, slope)
        expected = [
            (
                weigh(program.table, program.secondary.rows, q + step, unused)
                - weigh(program.table, program.secondary.rows, q - step, unused)
            )
            / 2e-6
            for step in 1e-6 * np.eye(7)
        ]
        assert np.abs(slope).max() > 1e-3
        np.testing.assert_allclose(slope, expected, rtol=1e-6, atol=1e-7)


def test_values_are_those_of_the_public_functions(seven: aw.RobotModel) -> None:
    weigh = kernel("armwright.ik._kernels.secondary", "weigh")
    q, slope = np.array([0.3, 0.5, -0.4, 1.0, 0.2, 0.7, 0.1]), np.empty(7)

    def value(*objectives: Objective) -> float:
        program = compile_program(seven, objectives)
        return float(weigh(program.table, program.secondary.rows, q, slope))

    limits = ik.joint_limits([-1.0] * 6 + [-math.inf], [3.0] * 7)
    assert value(limits, ik.centering(weight=2.0)) == pytest.approx(
        np.sum(((q[:6] - 1.0) / 2.0) ** 2), rel=1e-12
    )
    assert value(ik.posture(q - 0.1, weight=2.0)) == pytest.approx(0.07, rel=1e-12)
    for rows in ("pose", "position", "orientation"):
        measure = ik.manipulability(seven, q, rows=rows).measure
        found = value(ik.manipulability_goal(rows=rows, weight=3.0))
        assert found == pytest.approx(-3.0 * math.log(measure), rel=1e-5)
    target = ik.position([0.1, 0.2, 0.3])
    reach = 2.0 / compile_program(seven, [target]).length_weight
    efforts = seven.gravity_efforts(q, [1.0, 2.0, -9.0]) / (7.0 * math.sqrt(86.0) * reach)
    found = value(target, ik.least_effort(weight=2.0, gravity=[1.0, 2.0, -9.0]))
    assert found == pytest.approx(efforts @ efforts, rel=1e-12)


def test_weights_compare_secondary_goals_only(seven: aw.RobotModel) -> None:
    q = np.array([0.3, 0.5, -0.4, 1.0, 0.2, 0.7, 0.1])
    q_ref = np.array([0.9, -0.2, 0.6, 0.3, -0.5, 0.1, 0.8])
    target = ik.position(seven.end_effector(q)[:3, 3])
    near, strong = [], []
    for weight in (0.01, 1.0, 100.0):
        result = ik.solve(
            seven, q, target, ik.posture(q_ref), ik.manipulability_goal(weight=weight)
        )
        assert result.success
        assert result.position_error < 1e-6
        near.append(float(np.linalg.norm(result.residuals[1])))
        strong.append(float(result.residuals[2][0]))
    assert near == sorted(near)
    assert strong == sorted(strong)
    assert strong[2] > 1.5 * strong[0]


def test_residuals_say_where_each_goal_is(seven: aw.RobotModel) -> None:
    q = np.array([0.3, 0.5, -0.4, 1.0, 0.2, 0.7, 0.1])
    limits = ik.joint_limits([-1.0] * 6 + [-math.inf], [3.0] * 7)
    result = ik.solve(
        seven,
        q,
        ik.pose(seven.end_effector(q)),
        ik.centering(),
        ik.manipulability_goal(rows="position"),
        ik.least_effort(gravity=[0.0, 0.0, -1.62]),
        limits,
    )
    _, centered, measure, efforts, _ = result.residuals
    assert centered.tolist() == [*(1.0 - result.q[:6]).tolist(), 0.0]
    expected = ik.manipulability(seven, result.q, rows="position").measure
    assert measure.tolist() == pytest.approx([expected], rel=1e-12)
    np.testing.assert_array_equal(efforts, -seven.gravity_efforts(result.q, [0, 0, -1.62]))
    assert not any(values.flags.writeable for values in result.residuals)


@pytest.mark.parametrize("kind", KINDS)
def test_an_unreachable_target_is_as_without_them(seven: aw.RobotModel, kind: str) -> None:
    far = ik.position([5.0, 0.0, 0.0])
    goal, _ = goal_and_value(seven, kind, "position")
    plain = ik.solve(seven, np.zeros(7), far)
    other = ik.solve(seven, np.zeros(7), far, goal)
    assert other.status is plain.status is ik.IKStatus.UNREACHABLE
    assert other.q.tolist() == plain.q.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_free_is_nothing_moved(seven: aw.RobotModel, kind: str) -> None:
    q = np.array([0.3, 0.5, -0.4, 1.0, 0.2, 0.7, 0.1])
    locked = ik.joint_limits([0.3] + [-2.0] * 6, [0.3] + [2.0] * 6)
    goal, _ = goal_and_value(seven, kind, "pose")
    target = ik.pose(seven.end_effector(q))
    plain = ik.solve(seven, q + 0.05, target, locked)
    result = ik.solve(seven, q + 0.05, target, locked, goal)
    assert result.success
    assert np.abs(result.q - plain.q).max() < 1e-4


def test_alone_they_are_taken_as_far_as_the_limits_allow(seven: aw.RobotModel) -> None:
    seed = np.array([0.3, 0.5, -0.4, 1.0, 0.2, 0.7, 0.1])
    limits = ik.joint_limits([-1.0] * 6 + [-math.inf], [2.0] * 7)
    middle = ik.solve(seven, seed, ik.centering(), limits)
    assert middle.success
    assert middle.q.tolist() == [0.5] * 6 + [0.1]  # the last has no middle and stays
    light = ik.solve(seven, seed, ik.least_effort(), limits)
    assert light.success
    assert np.abs(light.residuals[0]).max() < 0.05  # upright, or balanced; it was 20 N m
    assert np.abs(seven.gravity_efforts(seed)).max() > 5.0
    easy = ik.solve(seven, seed, ik.manipulability_goal(), limits)
    assert easy.success
    assert easy.residuals[0][0] > 2.0 * ik.manipulability(seven, seed).measure
    assert easy.q[:6].min() >= -1.0
    assert easy.q.max() <= 2.0


def test_a_payload_and_another_gravity_count(seven: aw.RobotModel) -> None:
    q = np.array([0.3, 0.5, -0.4, 1.0, 0.2, 0.7, 0.1])
    loaded = seven.with_payload(5.0, index=0)
    target = ik.position(seven.end_effector(q)[:3, 3])
    for model, gravity in ((seven, [0, 0, -9.81]), (loaded, [0, 0, -9.81]), (seven, [9.81, 0, 0])):
        result = ik.solve(model, q, target, ik.least_effort(gravity=gravity))
        found = np.linalg.norm(model.gravity_efforts(result.q, gravity))
        for other in ([0, 0, -9.81], [9.81, 0, 0], [0, 9.81, 0]):
            there = ik.solve(model, q, target, ik.least_effort(gravity=other)).q
            assert found <= np.linalg.norm(model.gravity_efforts(there, gravity)) + 1e-6
    still = ik.solve(seven, q, target, ik.least_effort(gravity=[0, 0, 0]))
    assert still.q.tolist() == ik.solve(seven, q, target).q.tolist()


def test_a_branch_of_a_tree_moves_for_the_other(seven: aw.RobotModel) -> None:
    """Joints that the target does not need follow the goals."""
    model = aw.loads(BRANCHED)
    seed = np.full(7, 0.2)
    target = ik.position(model.forward_kinematics("endeffector", seed + 0.1)[0, :3, 3], index=0)
    limits = ik.joint_limits([-1.5] * 7, [2.5] * 7)
    result = ik.solve(model, seed, target, limits, ik.centering())
    assert result.success
    np.testing.assert_allclose(result.q[5:], 0.5, atol=1e-9)
    strong = ik.solve(model, seed, target, limits, ik.manipulability_goal(rows="position", index=1))
    assert strong.success
    plain = ik.solve(model, seed, target, limits, ik.posture(seed))
    q = [plain.q, strong.q]
    before, after = (ik.manipulability(model, x, rows="position", index=1).measure for x in q)
    assert after > before


def test_new_limits_give_new_middles(seven: aw.RobotModel) -> None:
    """A program that is remembered is not used for other limits."""
    target = ik.position([0.3, 0.1, 0.5])
    for low in (-2.0, -1.0, -2.0):
        result = ik.solve(
            seven, np.full(7, 0.3), target, ik.centering(), ik.joint_limits([low] * 7, [2.0] * 7)
        )
        assert result.residuals[1].tolist() == (0.5 * (low + 2.0) - result.q).tolist()
        program = compile_program(
            seven, (ik.centering(), ik.joint_limits([low] * 7, [2.0] * 7), target)
        )
        assert set(program.table[1:8, layout.REFERENCE]) == {0.5 * (low + 2.0)}
    assert result.success


def test_the_same_inputs_give_the_same_bits(seven: aw.RobotModel) -> None:
    goals = (ik.centering(), ik.manipulability_goal(), ik.least_effort())
    target = ik.position([0.3, 0.1, 0.5])
    limits = ik.joint_limits([-2.0] * 7, [2.0] * 7)
    one = ik.solve(seven, np.full(7, 0.3), target, limits, *goals)
    two = ik.IKProblem(seven, target, limits, *goals).solve(np.full(7, 0.3))
    assert one.q.tolist() == two.q.tolist()


def test_what_is_refused(seven: aw.RobotModel) -> None:
    with pytest.raises(ObjectiveError, match=r"centering, weight: expected a positive .* got 0"):
        ik.centering(weight=0.0)
    with pytest.raises(ObjectiveError, match=r"rows: expected one of .*Did you mean 'pose'\?"):
        ik.manipulability_goal(rows="poses")
    with pytest.raises(ObjectiveError, match=r"least_effort, gravity: expected shape \(3,\)"):
        ik.least_effort(gravity=[0, 0])
    with pytest.raises(ObjectiveError, match=r"finite numbers of .* got nan at index 2"):
        ik.least_effort(gravity=[0, 0, math.nan])
    with pytest.warns(UserWarning, match="was it normalized"):
        ik.least_effort(gravity=[0, 0, -1])
    two = (ik.least_effort(), ik.least_effort(gravity=[0, 9.81, 0]))
    with pytest.raises(ObjectiveError, match="there can be only one gravity"):
        ik.solve(seven, np.zeros(7), *two)
    with pytest.raises(FrameNotFoundError):
        ik.solve(seven, np.zeros(7), ik.manipulability_goal(tag="third_hand"))


def test_centering_follows_limits_that_are_new_with_every_call(seven: aw.RobotModel) -> None:
    target = ik.position([0.3, 0.2, 0.4])
    for low, high in ((-2.0, 2.0), (-1.0, 2.5), (-2.5, 1.5)):
        wanted = (target, ik.centering(), ik.joint_limits([low] * 7, [high] * 7))
        result = ik.solve(seven, np.full(7, 0.3), *wanted)
        alone = ik.IKProblem(seven, *wanted).solve(np.full(7, 0.3))
        assert result.q.tolist() == alone.q.tolist()


def test_centering_counts_in_half_ranges_whatever_the_joint() -> None:
    model = aw.load("examples/arms/gantry.hrdf")
    half = np.linspace(0.2, 0.4, model.dof)
    limits = ik.joint_limits(-half, half)
    program = compile_program(model, (ik.pose(np.eye(4)), ik.centering(weight=3.0), limits))
    unit = program.table[1 : model.dof + 1, layout.UNIT]
    assert not np.allclose(unit, 1.0)  # slides
    assert np.allclose(program.secondary.stiffness * (unit * half) ** 2, 3.0)
