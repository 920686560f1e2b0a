"""Differential steps: closed forms, limits that always hold, calm at singular poses."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armwright as aw
from armwright import ik
from armwright.errors import FrameNotFoundError, JointVectorError, ModelError, ObjectiveError
from armwright.ik.rates.bounded_step import box_step, free_step, scaled_step
from tests.ik.conftest import masked
from tests.oracles import jacobians

FloatArray = npt.NDArray[np.float64]
Kit = Callable[[str], tuple[aw.RobotModel, FloatArray]]

BENT = np.array([0.1, 0.4, 0.2, 0.9, -0.2, 0.5, 0.1])


def test_a_planar_arm_by_hand(planar: aw.RobotModel) -> None:
    """q1 + q2 = pi/2, q1 = 0: the first link along x, the second along y."""
    step = ik.velocity(planar, [0.0, np.pi / 2], [0.1, None, None, None, None, None])
    np.testing.assert_allclose(step.twists[0, 0], 0.1)
    J = np.array([[-0.5, -0.5]])
    np.testing.assert_allclose(step.v, np.linalg.pinv(J) @ [0.1], atol=1e-12)
    assert step.success
    assert step.scale == 1.0
    assert step.limited == ()
    assert step.lost.shape == (0, 1, 6)


def test_a_wanted_twist_is_done_exactly(seven: aw.RobotModel) -> None:
    V = np.array([0.05, -0.02, 0.03, 0.1, 0.2, -0.1])
    step = ik.velocity(seven, BENT, V)
    J = jacobians(seven.description, "endeffector", BENT)[0]
    np.testing.assert_allclose(J @ step.v, V, atol=1e-12)
    np.testing.assert_allclose(step.twists, [V], atol=1e-12)
    np.testing.assert_allclose(step.v, np.linalg.pinv(J) @ V, atol=1e-12)  # the least motion
    ahead = seven.end_effector(BENT + 1e-6 * step.v)
    behind = seven.end_effector(BENT - 1e-6 * step.v)
    np.testing.assert_allclose((ahead - behind)[:3, 3] / 2e-6, V[:3], atol=1e-8)


def test_body_axes(seven: aw.RobotModel) -> None:
    V = np.array([0.0, 0.0, 0.05, 0.0, 0.0, 0.2])
    R = seven.end_effector(BENT)[:3, :3]
    step = ik.velocity(seven, BENT, V, reference="body")
    world = ik.velocity(seven, BENT, np.concatenate([R @ V[:3], R @ V[3:]]))
    np.testing.assert_allclose(step.v, world.v, atol=1e-12)
    np.testing.assert_allclose(step.twists, [V], atol=1e-12)


def test_three_numbers_are_the_linear_velocity(seven: aw.RobotModel) -> None:
    step = ik.velocity(seven, BENT, [0.0, 0.1, 0.0])
    assert step.success
    np.testing.assert_allclose(step.twists[0, :3], [0, 0.1, 0], atol=1e-12)
    assert np.abs(step.twists[0, 3:]).max() > 1e-3  # free to turn


def test_several_frames_and_weights(seven: aw.RobotModel) -> None:
    elbow = ik.twist([None, None, 0.02], frame_type="output", index=7)
    tip = ik.twist([0.05, 0, 0])
    q = np.array([0.1, 0.8, 0.5, 1.2, -0.2, 0.9, 0.1])
    both = ik.velocity(seven, q, elbow, tip)
    assert both.success
    np.testing.assert_allclose(both.twists[0, 2], 0.02, atol=1e-9)
    np.testing.assert_allclose(both.twists[1, :3], [0.05, 0, 0], atol=1e-9)
    wrong = ik.twist([0.5, 0, 0])
    near = [
        ik.velocity(seven, BENT, ik.twist([0, 0, 0], weight=w), wrong).twists[0, 0]
        for w in (0.1, 1.0, 10.0)
    ]
    assert near[0] > 0.45
    assert near[1] == pytest.approx(0.25)
    assert near[2] < 0.05


@pytest.mark.parametrize("weight", [1e-3, 1e-8, 1e-300])
@pytest.mark.parametrize("keep_direction", [True, False])
def test_what_counts_little_is_missed_all_the_same(
    seven: aw.RobotModel, weight: float, keep_direction: bool
) -> None:
    step = ik.velocity(
        seven,
        BENT,
        ik.twist([0.1, 0, 0]),
        ik.twist([-0.1, 0, 0], weight=weight),
        keep_direction=keep_direction,
    )
    np.testing.assert_allclose(step.twists[1, 0], 0.1, atol=1e-3)  # the wrong way
    assert not step.success
    assert step.scale < 0.01
    assert np.isfinite(step.lost).all()


def test_any_damping(planar: aw.RobotModel) -> None:
    still = ik.velocity(planar, [0.1, 0.2], [0.1, None, None], damping=1e300)
    np.testing.assert_allclose(still.v, 0.0, atol=1e-30)
    assert not still.success


def test_a_tree_moves_what_leads_to_the_frame() -> None:
    tree = aw.loads(
        """<robot version="1.6.0"><joint axis="rz"/><rigid-body mass="1">
        <output trans="0 0.1 0"><joint axis="ry"/><rigid-body mass="1" output_trans="0.3 0 0"/>
        <end-effector tag="left"/></output><output trans="0 -0.1 0"><joint axis="rz"/>
        <rigid-body mass="1" output_trans="0.3 0 0"/><end-effector tag="right"/></output>
        </rigid-body></robot>"""
    )
    step = ik.velocity(tree, [0.1, 0.2, 0.3], [0, 0, 0.1], tag="left")
    assert step.v[2] == 0.0
    assert step.v[1] != 0.0
    with pytest.raises(FrameNotFoundError, match="2 endeffector frames"):
        ik.velocity(tree, [0.1, 0.2, 0.3], [0, 0, 0.1])


def test_slides_and_gears() -> None:
    arm = aw.loads(
        """<robot version="1.6.0"><joint axis="tx" gear_ratio="-2"/><rigid-body mass="1"/>
        <joint axis="rz" gear_ratio="10"/><rigid-body mass="1" output_trans="0.5 0 0"/>
        <end-effector/></robot>"""
    )
    step = ik.velocity(arm, [0.1, 0.0], [0.1, 0.2, 0])
    np.testing.assert_allclose(step.v, [-0.2, 4.0], atol=1e-12)


def test_speeds_scale_the_twist_and_keep_its_direction(planar: aw.RobotModel) -> None:
    q = [0.3, 1.2]
    V = np.array([1.0, -0.4])
    free = ik.velocity(planar, q, [*V, None])
    slow = ik.velocity(planar, q, [*V, None], max_speed=0.5)
    assert not slow.success
    assert np.abs(slow.v).max() == pytest.approx(0.5)
    np.testing.assert_allclose(slow.v, free.v * slow.scale, atol=1e-12)
    np.testing.assert_allclose(slow.twists[0, :2], slow.scale * V, atol=1e-12)
    assert slow.limited == (int(np.argmax(np.abs(free.v))),)


def test_other_joints_take_over_before_it_slows_down(seven: aw.RobotModel) -> None:
    """A redundant arm does the whole twist without the joint that may not move."""
    V = [0.05, 0.02, 0.01, 0, 0, 0]
    speeds = np.full(7, np.inf)
    speeds[3] = 0.5 * abs(ik.velocity(seven, BENT, V).v[3])
    step = ik.velocity(seven, BENT, V, max_speed=speeds)
    assert step.success
    assert step.scale == pytest.approx(1.0)
    assert abs(step.v[3]) == pytest.approx(speeds[3])
    assert step.limited == (3,)
    np.testing.assert_allclose(step.twists, [V], atol=1e-9)


def test_sliding_along_when_the_direction_may_change(planar: aw.RobotModel) -> None:
    """The joint at its limit stands; the other does what it can: least squares by hand."""
    model = planar.with_position_limits([-1, 0.5], [1, 2.0])
    q = [0.3, 0.5]
    V = np.array([0.3, 0.1])  # outwards: q2 would have to fall
    assert ik.velocity(planar, q, [*V, None]).v[1] < 0
    straight = ik.velocity(model, q, [*V, None])
    np.testing.assert_array_equal(straight.v, [0, 0])
    assert straight.scale == 0.0
    assert straight.limited == (1,)
    along = ik.velocity(model, q, [*V, None], keep_direction=False)
    column = planar.jacobian(np.array(q))[:2, 0]
    np.testing.assert_allclose(along.v, [column @ V / (column @ column), 0], atol=1e-9)
    assert along.limited == (1,)


def test_position_limits_are_met_and_not_passed(planar: aw.RobotModel) -> None:
    model = planar.with_position_limits([-1, 0.5], [1, 2.0])
    q = np.array([0.0, 0.8])
    for _ in range(200):
        step = ik.velocity(model, q, [0.3, 0.2, None], dt=0.01, keep_direction=False)
        q = q + 0.01 * step.v
        assert q[0] <= 1 + 1e-12
        assert q[1] >= 0.5 - 1e-12
    np.testing.assert_allclose(q[1], 0.5)


def test_a_joint_outside_its_limits_moves_inwards_only(one_joint: aw.RobotModel) -> None:
    model = one_joint.with_position_limits([-1.0], [1.0])
    for dt in (None, 0.01):
        outwards = ik.velocity(model, [1.5], [None, None, None, None, None, 1.0], dt=dt)
        inwards = ik.velocity(model, [1.5], [None, None, None, None, None, -1.0], dt=dt)
        assert outwards.v[0] == 0.0
        assert outwards.limited == (0,)
        assert inwards.v[0] == pytest.approx(-1.0)
        below = ik.velocity(model, [-1.5], [None, None, None, None, None, 1.0], dt=dt)
        assert below.v[0] == pytest.approx(1.0)


def test_damping_is_continuous_and_bounded(planar: aw.RobotModel) -> None:
    """Toward a straight elbow the radial direction fades out; the other stays exact."""
    bends = np.geomspace(1.0, 1e-9, 200)
    speeds = []
    for bend in bends:
        q = [-0.5 * bend, bend]  # the tip on the x axis
        step = ik.velocity(planar, q, [0.1, 0.1, None])
        speeds.append(np.abs(step.v).max())
        assert step.twists[0, 1] == pytest.approx(0.1, abs=1e-3)
        assert -1e-3 <= step.twists[0, 0] <= 0.1 + 1e-3
    assert max(speeds) < 0.1 * 2 / 0.04 + 1.0  # 2 / reach, by the damping
    assert np.abs(np.diff(speeds)).max() < 0.2 * max(speeds)
    assert abs(step.twists[0, 0]) < 1e-6
    assert step.lost.shape == (1, 1, 6)
    np.testing.assert_allclose(np.abs(step.lost[0, 0]), [1, 0, 0, 0, 0, 0], atol=1e-6)


def test_structural_losses_are_named(planar: aw.RobotModel) -> None:
    step = ik.velocity(planar, [0.2, 0.9], [0, 0, 0.1, 0, 0, 0])
    np.testing.assert_allclose(step.v, 0, atol=1e-12)
    assert not step.success
    assert step.scale == pytest.approx(0.0, abs=1e-12)
    assert len(step.lost) == 4  # of six directions two joints have two
    J = planar.jacobian(np.array([0.2, 0.9]))
    w = np.array([2.0] * 3 + [1.0] * 3) ** 2  # orthogonal in scaled rows: 2 / reach
    np.testing.assert_allclose((step.lost[:, 0] * w) @ J, 0, atol=1e-12)


def test_standing_still_is_a_success(seven: aw.RobotModel) -> None:
    step = ik.velocity(seven, BENT, [0.0] * 6)
    np.testing.assert_array_equal(step.v, np.zeros(7))
    assert step.success
    assert step.scale == 1.0


def test_actuators_hold_their_speeds(kit: Kit) -> None:
    model, q = kit("A-2085-06")
    step = ik.velocity(model, q + 0.3, [3.0, 0, 0, 0, 0, 0])
    assert (np.abs(step.v) <= model.max_speeds * (1 + 1e-12)).all()
    assert 0 < step.scale < 1
    np.testing.assert_allclose(
        step.twists[0], step.scale * np.array([3.0, 0, 0, 0, 0, 0]), atol=1e-9
    )


@given(st.integers(0, 2**32 - 1), st.booleans(), st.sampled_from([None, 1e-3, 0.5]))
def test_whatever_is_asked_the_limits_hold(
    seed: int, keep_direction: bool, dt: float | None
) -> None:
    rng = np.random.default_rng(seed)
    model = aw.loads(MIXED)
    n = model.dof
    lower = rng.uniform(-2, 0, n)
    upper = lower + rng.uniform(0, 3, n)
    q = rng.choice([*rng.uniform(-2.5, 3.5, 4), lower[0], upper[1], 0.0], n)
    speeds = rng.choice([0.0, 0.1, 1.0, np.inf], n)
    V = rng.choice([0.0, 1e-9, 0.1, -1.0, 1e3], 6)
    step = ik.velocity(
        model, q, V, dt=dt, limits=ik.joint_limits(lower, upper), max_speed=speeds,
        keep_direction=keep_direction,
    )  # fmt: skip
    assert np.isfinite(step.v).all()
    assert (np.abs(step.v) <= speeds).all()
    assert 0.0 <= step.scale <= 1.0
    after = q + (dt or 1e-9) * step.v
    assert (after <= np.maximum(upper, q) + 1e-12).all()
    assert (after >= np.minimum(lower, q) - 1e-12).all()
    np.testing.assert_allclose(step.twists[0], model.jacobian(q) @ step.v, rtol=1e-9, atol=1e-12)


@given(st.integers(0, 2**32 - 1))
def test_box_steps_are_optimal(seed: int) -> None:
    """First-order conditions of the damped problem, and no better random point."""
    rng = np.random.default_rng(seed)
    rows, n = rng.integers(1, 7, 2)
    A = rng.normal(size=(rows, n))
    b = 3 * rng.normal(size=rows)
    low, high = -rng.uniform(0, 1, n), rng.uniform(0, 1, n)
    x, held = box_step(A, b, low, high, 0.04)
    _, s, Vt = np.linalg.svd(A)
    weights = np.full(n, 1e-6)
    weights[: s.size] = np.maximum(s, 0.04) ** 2
    H = (Vt.T * weights) @ Vt
    pull = A.T @ b - H @ x
    inside = (x > low + 1e-12) & (x < high - 1e-12)
    assert np.abs(pull[inside]).max(initial=0.0) < 1e-8
    assert (pull[x >= high] >= -1e-8).all()
    assert (pull[x <= low] <= 1e-8).all()
    assert not held[inside].any()


@given(st.integers(0, 2**32 - 1))
def test_scaled_steps_keep_the_direction_and_lose_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, n = 3, int(rng.integers(3, 8))
    A = rng.normal(size=(rows, n))
    b = rng.normal(size=rows)
    low, high = -rng.uniform(0.01, 0.5, n), rng.uniform(0.01, 0.5, n)
    x, held = scaled_step(A, b, low, high, 1e-6)
    assert (x >= low - 1e-12).all()
    assert (x <= high + 1e-12).all()
    part = float(A @ x @ b / (b @ b))
    np.testing.assert_allclose(A @ x, part * b, atol=1e-6)
    simple = free_step(A, b, 1e-6)
    with np.errstate(divide="ignore"):
        room = np.min(np.where(simple > 0, high / simple, low / simple))
    assert part >= min(1.0, room) - 1e-9
    assert held.any() == (room < 1)


MIXED = """
<robot version="1.6.0">
  <joint axis="tz" gear_ratio="2"/><rigid-body mass="1" output_trans="0 0 0.2"/>
  <joint axis="rz"/><rigid-body mass="1" output_trans="0.3 0 0"/>
  <joint axis="ry" gear_ratio="-3"/><rigid-body mass="1" output_trans="0.3 0 0"/>
  <joint axis="-rx"/><rigid-body mass="1" output_trans="0.1 0 0"/>
  <joint axis="rz"/><rigid-body mass="1" output_trans="0.1 0 0"/>
  <joint axis="ry"/><rigid-body mass="1" output_trans="0.1 0 0"/>
  <joint axis="rz"/><rigid-body mass="1" output_trans="0.1 0 0.1"/><end-effector/>
</robot>
"""


def test_results_cannot_be_changed(planar: aw.RobotModel) -> None:
    step = ik.velocity(planar, [0.1, 0.2], [0.1, 0, 0])
    for array in (step.v, step.twists, step.lost, ik.twist([0, 0, 1]).V):
        assert not array.flags.writeable
    with pytest.raises(AttributeError):
        step.scale = 2.0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("V", "words"),
    [
        ([1, 2], r"expected 6 numbers \(linear, angular\) or 3 \(linear\), got 2"),
        ([np.nan, 0, 0], r"V\[0\]: expected a finite number of m/s or rad/s, .* got nan"),
        ([0, np.inf, 0], r"V\[1\]: expected .* got inf"),
        ([1e300, 0, 0], r"V\[0\]: expected at most 1e\+09, got 1e\+300"),
        ([None] * 6, "expected a number for one row at least"),
        (["x", 0, 0], r"V\[0\]: expected .* got 'x'"),
        (np.zeros((2, 6)), "expected 6 numbers"),
        (0.1, "got 1"),
        (np.zeros(6, dtype=complex), "got 0j. Real numbers are needed"),
        (masked([1.0, 2.0, 3.0], 2.0), "None for a free row, got a masked array"),
    ],
)
def test_twists_that_are_none(planar: aw.RobotModel, V: object, words: str) -> None:
    with pytest.raises(ObjectiveError, match=words):
        ik.velocity(planar, [0.1, 0.2], V)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dt": 0}, "dt: expected a positive number of seconds, got 0"),
        ({"dt": np.nan}, "positive"),
        ({"damping": 0}, "damping: expected a positive number, got 0"),
        ({"max_speed": [1.0]}, "max_speed: expected one number or 2 numbers, got 1"),
        ({"max_speed": -1}, "max_speed: expected a number, 0 or more, got -1"),
        ({"limits": 3}, "joint_limits"),
    ],
)
def test_options_that_are_none(
    planar: aw.RobotModel, options: dict[str, object], words: str
) -> None:
    with pytest.raises(ObjectiveError, match=words):
        ik.velocity(planar, [0.1, 0.2], [0.1, 0, 0], **options)  # type: ignore[arg-type]


def test_other_errors(planar: aw.RobotModel) -> None:
    with pytest.raises(ObjectiveError, match="no twist"):
        ik.velocity(planar, [0.1, 0.2])
    with pytest.raises(JointVectorError, match="expected 2 joint values, got 1"):
        ik.velocity(planar, [0.1], [0, 0, 1])
    with pytest.raises(ModelError, match="reference: expected one of 'world', 'body', 'spatial'"):
        ik.twist([0, 0, 1], reference="tool")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="two words for one thing"):
        ik.velocity(planar, [0.1, 0.2], [0, 0, 1], reference="body", representation="body")
    with pytest.raises(ModelError, match="expected a RobotModel"):
        ik.velocity(None, [0.1], [0, 0, 1])  # type: ignore[arg-type]
    with pytest.raises(FrameNotFoundError, match="no element has the tag"):
        ik.velocity(planar, [0.1, 0.2], [0, 0, 1], tag="hand")


def test_nearly_done_is_not_done(one_joint: aw.RobotModel) -> None:
    wanted = [None, None, None, None, None, 1.0]
    whole = ik.velocity(one_joint, [0.2], wanted, max_speed=1.0)
    nearly = ik.velocity(one_joint, [0.2], wanted, max_speed=0.9999)
    assert whole.success
    assert not nearly.success
    assert nearly.scale == pytest.approx(0.9999)
