"""Limits hold in every answer, whatever is asked; infinite ones cost nothing."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import armwright as aw
from armwright import ik
from armwright.errors import ObjectiveError
from armwright.ik import IKStatus
from armwright.ik.objectives import Objective
from tests.ik.conftest import PLANAR, SEVEN, FloatArray, Kit

INF = math.inf
XYZ = [0.6, 0.3, 0.0]


def test_inside_c26(planar: aw.RobotModel) -> None:
    limits = ik.joint_limits([-3, -1.9], [3, -0.1])
    for seed in ([0.1, -0.5], [0.1, 2.0]):  # the second is pulled in
        result = ik.solve(planar, seed, ik.position(XYZ), limits)
        assert result.success
        assert np.abs(result.q - [1.299129483, -1.670963748]).max() < 1e-5


def test_infeasible_c26(planar: aw.RobotModel) -> None:
    limits = ik.joint_limits([-3, 0.1], [3, 0.4])
    result = ik.solve(planar, [0.1, 0.3], ik.position(XYZ), limits)
    assert not result.success
    assert result.status is IKStatus.OUTSIDE_LIMITS
    assert abs(result.q[0] - 0.263648) < 1e-5
    assert result.q[1] == 0.4
    assert abs(result.position_error - 0.309246185) < 1e-8
    assert "joint2 at 1.671 (limits 0.1 to 0.4)" in result.message


@pytest.mark.parametrize(
    "limits", [([-INF, -INF], [INF, INF]), ([-INF, 0.0], [INF, INF]), ([-INF, -INF], [INF, 2.0])]
)
def test_infinite_c27(planar: aw.RobotModel, limits: tuple[list[float], list[float]]) -> None:
    result = ik.solve(planar, [0.1, 0.5], ik.position(XYZ), ik.joint_limits(*limits))
    assert result.success
    assert np.abs(result.q - [-0.371834265, 1.670963748]).max() < 1e-5


def test_bad_limits_c27(planar: aw.RobotModel) -> None:
    with pytest.raises(ObjectiveError, match="NaN"):
        ik.joint_limits([math.nan, -1], [1, 1])
    with pytest.raises(ObjectiveError, match=r"joint 1 .*swapped"):
        ik.joint_limits([3, 3], [-3, -3])
    with pytest.raises(ObjectiveError, match="expected 2 numbers, one per joint, got 1"):
        ik.solve(planar, [0.1, 0.5], ik.position(XYZ), ik.joint_limits([-1], [1]))


def test_limits_narrow_the_models(planar: aw.RobotModel) -> None:
    limited = planar.with_position_limits([-3, -3], [3, 0.4])
    wide = ik.joint_limits([-9, -9], [9, 9])
    for objectives in ((ik.position(XYZ),), (ik.position(XYZ), wide)):
        result = ik.solve(limited, [0.1, 0.3], *objectives)
        assert result.success
        assert result.q[1] == pytest.approx(-1.670963748)
    both = ik.solve(limited, [0.1, 0.3], ik.position(XYZ), ik.joint_limits([-3, 0.1], [3, 2]), wide)
    assert both.q[1] == 0.4
    with pytest.raises(ObjectiveError, match=r"joint 'joint2' \(q\[1\]\): 0.5 to 2 has nothing"):
        ik.solve(limited, [0.1, 0.3], ik.position(XYZ), ik.joint_limits([-3, 0.5], [3, 2]))


def test_a_fixed_joint(planar: aw.RobotModel) -> None:
    limits = ik.joint_limits([-3, 1.2], [3, 1.2])
    tip = planar.end_effector([0.4, 1.2])[:3, 3]
    result = ik.solve(planar, [0.0, 0.0], ik.position(tip), limits)
    assert result.success
    assert result.q[1] == 1.2
    assert result.q[0] == pytest.approx(0.4, abs=1e-5)
    every = ik.joint_limits([0.4, 1.2], [0.4, 1.2])
    assert ik.solve(planar, [0.0, 0.0], ik.position(tip), every).success
    away = ik.solve(planar, [0.0, 0.0], ik.position([0.1, 0.1, 0.0]), every)
    assert away.q.tolist() == [0.4, 1.2]
    assert away.status is IKStatus.OUTSIDE_LIMITS


@pytest.mark.filterwarnings("ignore:.*looks like degrees")  # they are radians
@pytest.mark.parametrize(
    ("seed", "low", "high", "expected"),
    [
        (0.0, -INF, INF, 0.5),
        (20.0, -INF, INF, 0.5 + 6 * math.pi),
        (0.0, 6.0, INF, 0.5 + 2 * math.pi),
        (0.0, -INF, -1.0, 0.5 - 2 * math.pi),
        (0.0, -10.0, 10.0, 0.5),
        (9.0, -10.0, 10.0, 0.5 + 2 * math.pi),
        (40.0, -10.0, 10.0, 0.5 + 2 * math.pi),
        (0.0, 6.5, 7.0, 0.5 + 2 * math.pi),
        (0.0, -6.0, -5.5, 0.5 - 2 * math.pi),
    ],
)
def test_whole_turns(
    one_joint: aw.RobotModel, seed: float, low: float, high: float, expected: float
) -> None:
    """The answer is the twin within the limits; of several, one within a turn of the seed."""
    target = ik.position([math.cos(0.5), math.sin(0.5), 0.0])
    result = ik.solve(one_joint, [seed], target, ik.joint_limits([low], [high]))
    assert result.success
    assert result.q[0] == pytest.approx(expected, abs=1e-6)


@pytest.mark.filterwarnings("ignore:.*looks like degrees")  # they are radians
def test_gear_ratios_stretch_the_turn() -> None:
    """With a gear of 3 a turn of the output is three turns of q."""
    model = aw.loads("""<robot version="1.6.0"><joint axis="rz" gear_ratio="3"/>
      <rigid-body mass="1" output_trans="1 0 0"/><end-effector/></robot>""")
    target = ik.position([math.cos(3.0), math.sin(3.0), 0.0])
    free = ik.solve(model, [-8.0], target)
    assert free.success
    assert free.q[0] == pytest.approx(9.0 - 6 * math.pi, abs=1e-5)
    twin = ik.solve(model, [0.0], target, ik.joint_limits([26.0], [30.0]))
    assert twin.q[0] == pytest.approx(9.0 + 6 * math.pi, abs=1e-5)
    none = ik.solve(model, [0.0], target, ik.joint_limits([0.0], [8.0]))
    assert none.status is IKStatus.OUTSIDE_LIMITS
    assert none.q[0] == 8.0
    assert "joint1 at 9 (limits 0 to 8)" in none.message


GANTRY = """
<robot version="1.6.0">
  <joint axis="tx" tag="x"/><joint axis="ty"/><joint axis="-tz" gear_ratio="2"/><joint axis="rz"/>
  <rigid-body mass="1" output_trans="0.1 0 0"/><end-effector/>
</robot>
"""


@pytest.mark.parametrize("distance", [1.0, 30.0, 1000.0])
def test_slides_without_ends_go_any_distance(distance: float) -> None:
    """A slide has no turns: the answer is the one place, however far."""
    gantry = aw.loads(GANTRY)
    c, s = math.cos(1.0), math.sin(1.0)
    T = np.array([[c, -s, 0, distance], [s, c, 0, -2.0], [0, 0, 1, 3.0], [0, 0, 0, 1]])
    result = ik.solve(gantry, np.zeros(4), ik.pose(T))
    assert result.success
    wanted = [distance - 0.1 * c, -2.0 - 0.1 * s, -6.0, 1.0]
    assert np.abs(result.q - wanted).max() < 1e-4


def test_slides_stop_at_their_ends() -> None:
    gantry = aw.loads(GANTRY).with_position_limits([-1, -1, -2, -INF], [1, 1, 2, INF])
    inside = ik.solve(gantry, np.zeros(4), ik.position([0.9, -1.05, 0.5]))
    assert inside.success
    outside = ik.solve(gantry, np.zeros(4), ik.position([3.1, 0.2, 0.5]))
    assert outside.status is IKStatus.OUTSIDE_LIMITS
    assert outside.q[0] == 1.0
    assert outside.position_error == pytest.approx(2.0, abs=1e-6)
    assert "x at " in outside.message
    half = aw.loads(GANTRY).with_position_limits([0, -INF, -INF, -INF], [INF] * 4)
    beyond = ik.solve(half, np.zeros(4), ik.position([-0.6, 0.0, 0.0]))
    assert beyond.q[0] == 0.0
    assert beyond.position_error == pytest.approx(0.5, abs=1e-6)


seven_model = aw.loads(SEVEN)
planar_model = aw.loads(PLANAR)
numbers = st.floats(-8.0, 8.0)


@pytest.mark.filterwarnings("ignore:.*looks like degrees")  # they are radians
@given(
    low=arrays(np.float64, 7, elements=numbers),
    width=arrays(np.float64, 7, elements=st.floats(0.0, 9.0)),
    seed=arrays(np.float64, 7, elements=st.floats(-20.0, 20.0)),
    q=arrays(np.float64, 7, elements=numbers),
    kind=st.sampled_from(["pose", "pair", "axis", "free", "posture", "far"]),
    ends=st.lists(st.booleans(), min_size=14, max_size=14),
)
def test_no_answer_is_outside(
    low: FloatArray,
    width: FloatArray,
    seed: FloatArray,
    q: FloatArray,
    kind: str,
    ends: list[bool],
) -> None:
    """Reachable or not, with seeds inside or not, any joint with one limit, two or none."""
    lower = np.where(ends[:7], low, -INF)
    upper = np.where(ends[7:], low + width, INF)
    T = seven_model.end_effector(q)
    mixes: dict[str, tuple[Objective, ...]] = {
        "pose": (ik.pose(T),),
        "pair": (ik.position(T[:3, 3], weight=0.3), ik.orientation(T[:3, :3])),
        "axis": (ik.position(T[:3, 3]), ik.tip_axis(T[:3, 2])),
        "free": (ik.position([T[0, 3], None, T[2, 3]]),),
        "posture": (ik.position(T[:3, 3]), ik.posture(q)),
        "far": (ik.position(3.0 * T[:3, 3] + 1.0),),
    }
    limits = ik.joint_limits(lower, upper)
    result = ik.solve(seven_model, seed, *mixes[kind], limits, max_starts=40)
    assert np.isfinite(result.q).all()
    assert (result.q >= lower).all()
    assert (result.q <= upper).all()
    assert result.success == (result.status is IKStatus.CONVERGED)
    if kind == "posture" and not result.success:
        assert result.position_error > 1e-5


@pytest.mark.shared
@pytest.mark.parametrize("name", ["A-2085-06", "A-2582-07"])
def test_boxes_of_half_the_range(kit: Kit, name: str) -> None:
    """A random box of half the range that holds a solution: always solved, never left."""
    model, seed = kit(name)
    rng = np.random.default_rng(21)
    for _ in range(150):
        q = rng.uniform(-np.pi, np.pi, model.dof)
        lower = np.clip(q - rng.uniform(0, np.pi, model.dof), -np.pi, 0.0)
        limits = ik.joint_limits(lower, lower + np.pi)
        result = ik.solve(model, seed, ik.pose(model.end_effector(q)), limits)
        assert result.success
        assert (result.q >= lower).all()
        assert (result.q <= lower + np.pi).all()


@pytest.mark.parametrize("text", [SEVEN, GANTRY])
def test_new_limits_with_every_call(text: str) -> None:
    """What is kept between calls never keeps the limits of another call."""
    model = aw.loads(text)
    n = model.dof
    rng = np.random.default_rng(41)
    T = model.end_effector(rng.uniform(-1, 1, n))
    boxes = [(np.full(n, -3.0), np.full(n, 3.0)), (np.full(n, -INF), np.full(n, INF))]
    boxes += [(low, low + rng.uniform(0, 3, n)) for low in rng.uniform(-3, 0, (5, n))]
    boxes += [(np.zeros(n), np.zeros(n)), boxes[0]]
    for low, high in boxes:
        limits = ik.joint_limits(low, high)
        for objectives in ((limits, ik.position(T[:3, 3])), (ik.pose(T), limits)):
            result = ik.solve(model, np.zeros(n), *objectives, max_starts=40)
            alone = ik.IKProblem(model, *objectives).solve(np.zeros(n), max_starts=40)
            assert result.q.tolist() == alone.q.tolist()
            assert result.status is alone.status
            assert (result.q >= low).all()
            assert (result.q <= high).all()
    for wrong in ([], [0]):  # also when nothing but the limits is new
        with pytest.raises(ObjectiveError, match=f"expected {n} numbers, .* got {len(wrong)}"):
            ik.solve(model, np.zeros(n), ik.joint_limits(wrong, wrong), ik.position(T[:3, 3]))


@pytest.mark.parametrize("end", [1e3, 1e6, 1e9, 1e50, 1e308])
@pytest.mark.parametrize("free", ["turn", "none"])
def test_far_limits_are_as_good_as_none(end: float, free: str) -> None:
    """A rail with limits that stand for "none": metres go on to weigh as much as turns."""
    model = aw.loads(SEVEN.replace('axis="rz" tag="base"', 'axis="tx"'))
    n = model.dof
    ends = np.full(n, end if free == "none" else 3.1)
    ends[0] = end
    model = model.with_position_limits(-ends, ends)
    rng = np.random.default_rng(43)
    for _ in range(10):
        T = model.end_effector(rng.uniform(-2, 2, n))
        for objectives in ((ik.pose(T),), (ik.position(T[:3, 3]), ik.tip_axis(T[:3, 2]))):
            assert ik.solve(model, rng.uniform(-2, 2, n), *objectives).success


def test_every_corner_of_a_box_is_reached() -> None:
    """Targets at which all joints stand at a limit."""
    lower, upper = np.array([-1.0, 0.2]), np.array([1.5, 2.0])
    limits = ik.joint_limits(lower, upper)
    for corner in itertools.product(*zip(lower, upper, strict=True)):
        target = planar_model.end_effector(np.array(corner))[:3, 3]
        result = ik.solve(planar_model, [0.0, 1.0], ik.position(target), limits)
        assert result.success
        assert np.abs(result.q - corner).max() < 1e-4
