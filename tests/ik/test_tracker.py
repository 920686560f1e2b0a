"""Following a stream: bounds that always hold, recovery, odd inputs."""

import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armwright as aw
from armwright import ik
from armwright.errors import ArmwrightError, JointVectorError, ObjectiveError
from tests.ik.conftest import masked
from tests.oracles import poses as slow_poses

FloatArray = npt.NDArray[np.float64]

SIX = aw.loads(
    """<robot version="1.6.0">
  <joint axis="rz"/><rigid-body mass="1" output_trans="0 0 0.2"/>
  <joint axis="ry"/><rigid-body mass="1" output_trans="0.3 0 0"/>
  <joint axis="ry"/><rigid-body mass="1" output_trans="0.3 0 0"/>
  <joint axis="rx"/><rigid-body mass="1" output_trans="0.05 0 0"/>
  <joint axis="ry"/><rigid-body mass="1" output_trans="0.05 0 0"/>
  <joint axis="rx"/><rigid-body mass="1" output_trans="0.05 0 0"/><end-effector/>
</robot>"""
)
MIXED = aw.loads(
    """<robot version="1.6.0">
  <joint axis="tz" gear_ratio="2"/><rigid-body mass="1" output_trans="0 0 0.2"/>
  <joint axis="rz"/><rigid-body mass="1" output_trans="0.3 0 0"/>
  <joint axis="ry" gear_ratio="-3"/><rigid-body mass="1" output_trans="0.3 0 0"/>
  <joint axis="-rx"/><rigid-body mass="1" output_trans="0.1 0 0"/><end-effector/>
</robot>"""
)
HOME = np.array([0.2, -0.6, 1.1, 0.3, 0.7, -0.4])


def lissajous(n: int, size: float) -> FloatArray:
    """Return positions relative to a middle, (n, 3)."""
    t = np.linspace(0, 2 * np.pi, n)
    xyz: FloatArray = size * np.stack([np.sin(2 * t), np.sin(3 * t), np.sin(5 * t)], axis=1)
    return xyz


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([SIX, MIXED]),
    st.floats(1e-4, 1.5),
    st.floats(0.0, 2.0),
)
def test_the_box_always_holds(
    seed: int, model: aw.RobotModel, max_step: float, jump: float
) -> None:
    """Whatever the targets: finite, inside the limits, no joint further than its step."""
    rng = np.random.default_rng(seed)
    lower = rng.uniform(-2.5, 0.0, model.dof)
    upper = lower + rng.uniform(0.0, 4.0, model.dof)
    q = rng.uniform(lower, upper)
    tracker = ik.Tracker(model, q, max_step=max_step, limits=ik.joint_limits(lower, upper))
    middle = model.end_effector(q)
    for _ in range(8):
        T = model.end_effector(rng.uniform(-3, 3, model.dof)) if jump > 1 else middle.copy()
        T[:3, 3] += rng.uniform(-jump, jump, 3)
        step = tracker.step(T)
        assert np.isfinite(step.q).all()
        assert (np.abs(step.q - q) <= max_step + 1e-14).all()  # but for rounding
        assert (step.q >= lower).all()
        assert (step.q <= upper).all()
        found = slow_poses(model.description, "endeffector", step.q)[0]
        assert step.position_error == pytest.approx(
            float(np.linalg.norm(T[:3, 3] - found[:3, 3])), abs=1e-9
        )
        assert step.success == (step.status is ik.TrackStatus.REACHED)
        if step.success:
            assert step.position_error <= 1e-5
            assert step.orientation_error <= 1e-4
        q = step.q


@given(st.integers(0, 2**32 - 1))
def test_no_step_goes_away_from_its_target(seed: int) -> None:
    rng = np.random.default_rng(seed)
    q = rng.uniform(-2, 2, 6)
    T = SIX.end_effector(rng.uniform(-2, 2, 6))
    tracker = ik.Tracker(SIX, q, max_step=0.05)
    w = 2.0 / (0.2 + 0.3 + 0.3 + 3 * 0.05)  # radians that count like one metre
    before = math.inf
    for _ in range(30):
        step = tracker.step(T)
        cost = (w * step.position_error) ** 2 + step.orientation_error**2
        assert cost <= before * (1 + 1e-9) + 1e-9
        before = cost


def test_a_far_target_is_approached_until_it_is_met() -> None:
    q = HOME + np.array([0.8, 0.3, -0.5, 0.4, 0.3, 0.5])
    T = SIX.end_effector(q)
    tracker = ik.Tracker(SIX, HOME, max_step=0.05)
    steps = [tracker.step(T) for _ in range(40)]
    assert steps[0].status is ik.TrackStatus.STEP
    assert tracker.explain()[0] is ik.TrackStatus.REACHED
    assert steps[-1].success
    np.testing.assert_allclose(steps[-1].q, q, atol=1e-4)


@pytest.mark.parametrize("dt", [1e-3, 1e-2])
def test_a_lissajous_figure_within_the_speeds(dt: float) -> None:
    """Actuator speeds times dt bound every step; the error stays within the tolerance."""
    arm = (
        aw.ArmBuilder()
        .actuator("X8-9")
        .bracket("X5HeavyLeftInside")
        .actuator("X8-16")
        .link("X5", extension=0.3, twist=np.pi)
        .actuator("X8-9")
        .link("X5", extension=0.3, twist=0)
        .actuator("X5-1")
        .bracket("X5LightRight")
        .actuator("X5-1")
        .bracket("X5LightRight")
        .actuator("X5-1")
        .end_effector()
        .build()
    )
    q0 = np.array([0.3, 1.0, 1.8, -0.6, 0.5, 0.2])
    T = arm.end_effector(q0)
    xyz = T[:3, 3] + lissajous(int(4.0 / dt), 0.03)
    tracker = ik.Tracker(arm, q0, dt=dt)
    q = q0
    for p in xyz:
        T[:3, 3] = p
        step = tracker.step(T)
        assert step.success
        assert step.position_error <= 1e-6
        assert step.orientation_error <= 1e-5
        assert (np.abs(step.q - q) <= arm.max_speeds * dt * (1 + 1e-12)).all()
        q = step.q


def test_speed_limits_make_it_lag_and_catch_up() -> None:
    tracker = ik.Tracker(SIX, HOME, max_step=0.002)
    T = SIX.end_effector(HOME)
    words = []
    for x in [*np.linspace(0, 0.1, 20), *[0.1] * 400]:
        goal = T.copy()
        goal[0, 3] -= x
        words.append(tracker.step(goal).status)
    assert words[0] is ik.TrackStatus.REACHED
    assert ik.TrackStatus.STEP in words
    assert words[-1] is ik.TrackStatus.REACHED


@pytest.mark.kernels
def test_sliding_along_a_limit_and_back(planar: aw.RobotModel) -> None:
    """The free joint goes on while the other stands at its limit; both come back."""
    model = planar.with_position_limits([-np.inf, 0.4], [np.inf, 2.0])
    q0 = np.array([0.0, 0.8])
    tracker = ik.Tracker(model, q0, max_step=0.1)
    start = model.end_effector(q0)[:3, 3]
    seen = set()
    for s in [*np.linspace(0, 1, 50), *np.linspace(1, 0, 50)]:
        # outwards beyond what q2 >= 0.4 can reach, and round
        c, d = np.cos(0.5 * s), np.sin(0.5 * s)
        step = tracker.step((1 + 0.1 * s) * np.array([[c, -d, 0], [d, c, 0], [0, 0, 1]]) @ start)
        seen.add(step.status)
        assert step.q[1] >= 0.4
        if step.status is ik.TrackStatus.LIMIT:
            assert step.q[1] == 0.4
            xy = model.end_effector(step.q)[:2, 3]
            wanted = (1 + 0.1 * s) * np.array([[c, -d], [d, c]]) @ start[:2]
            # turned toward the target all the same
            assert abs(xy[0] * wanted[1] - xy[1] * wanted[0]) < 1e-6
    assert ik.TrackStatus.LIMIT in seen
    assert step.success
    np.testing.assert_allclose(step.q, q0, atol=1e-5)


@pytest.mark.kernels
def test_a_flip_is_explained(planar: aw.RobotModel) -> None:
    """Only the other elbow is inside the limits of the base."""
    model = planar.with_position_limits([-0.3, -2.5], [2.0, 2.5])
    tracker = ik.Tracker(model, [-0.2, 1.0], max_step=0.1)
    target = planar.end_effector([-0.9, 1.6])[:3, 3]
    for _ in range(60):
        step = tracker.step(target)
    assert step.status is ik.TrackStatus.LIMIT
    status, words = tracker.explain()
    assert status is ik.TrackStatus.FLIP
    assert "only another branch meets the target" in words
    assert "joint 'joint1' is at its limit -0.3" in words


def test_a_singular_pose_is_named() -> None:
    """A turn about the lost axis of an aligned wrist takes quarter turns of two joints."""
    q = HOME.copy()
    q[4] = 1e-3
    tracker = ik.Tracker(SIX, q, max_step=0.1)
    assert tracker.step(SIX.end_effector(q)).success
    T = SIX.end_effector(q)
    z = T[:3, :3] @ np.array([0.0, np.sin(HOME[3]), np.cos(HOME[3])])
    turn = turn_about(z / np.linalg.norm(z), 0.02)
    goal = T.copy()
    goal[:3, :3] = turn @ T[:3, :3]
    statuses = [tracker.step(goal).status for _ in range(60)]
    assert statuses[0] is ik.TrackStatus.SINGULAR
    assert statuses[-1] is ik.TrackStatus.REACHED


def turn_about(axis: FloatArray, angle: float) -> FloatArray:
    """Return a rotation matrix about an axis."""
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    R: FloatArray = np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K
    return R


@pytest.mark.kernels
def test_joints_outside_their_limits_move_in_by_steps(planar: aw.RobotModel) -> None:
    model = planar.with_position_limits([-1.0, 0.2], [1.0, 2.0])
    tracker = ik.Tracker(model, [1.35, 0.5], max_step=0.1)
    target = planar.end_effector([1.35, 0.5])[:3, 3]
    path = [tracker.step(target).q[0] for _ in range(5)]
    np.testing.assert_allclose(path, [1.25, 1.15, 1.05, 1.0, 1.0], atol=1e-12)


def test_a_step_of_zero_holds_a_joint() -> None:
    tracker = ik.Tracker(SIX, HOME, max_step=[0, 0.1, 0.1, 0.1, 0.1, 0.1])
    T = SIX.end_effector(HOME)
    T[1, 3] += 0.05
    assert tracker.step(T).q[0] == HOME[0]


def test_the_default_step_is_half_a_radian_of_the_output() -> None:
    tracker = ik.Tracker(MIXED, [0.1, 0.2, 0.3, 0.1])
    step = tracker.step([50.0, 60.0, 70.0])
    reach = 0.2 + 0.3 + 0.3 + 0.1
    assert step.q[0] - 0.1 == pytest.approx(2 * 0.25 * reach)  # a gear of 2: twice the travel
    assert abs(step.q[1] - 0.2) <= 0.5 + 1e-12
    assert abs(step.q[2] - 0.3) <= 1.5 + 1e-12


@pytest.mark.kernels
def test_objectives_arrays_and_lists_mean_the_same() -> None:
    T = SIX.end_effector(HOME + 0.01)
    ways = [T, T.tolist(), ik.pose(T), (ik.pose(T),), [ik.pose(T)], np.asfortranarray(T)]
    found = [ik.Tracker(SIX, HOME).step(target).q for target in ways]
    for q in found[1:]:
        np.testing.assert_array_equal(q, found[0])
    rough = T.astype(np.float32)
    np.testing.assert_allclose(ik.Tracker(SIX, HOME).step(rough).q, found[0], atol=1e-5)
    tracker = ik.Tracker(SIX, HOME)
    for target in (T, T[:3, 3], [T[0, 3], None, T[2, 3]], ik.tip_axis(T[:3, 2]), T):
        assert tracker.step(target).success
    xyz = ik.Tracker(SIX, HOME).step(T[:3, 3])
    assert math.isnan(xyz.orientation_error)
    axis = ik.Tracker(SIX, HOME).step(ik.tip_axis(T[:3, 2]))
    assert math.isnan(axis.position_error)


@pytest.mark.kernels
def test_limits_hold_for_every_kind_of_target() -> None:
    limits = ik.joint_limits(HOME - 0.05, HOME + 0.05)
    tracker = ik.Tracker(SIX, HOME, limits=limits)
    for target in (SIX.end_effector(HOME + 0.2), [1.0, 1.0, 1.0], ik.tip_axis([0, 0, -1])):
        step = tracker.step(target)
        assert step.status is ik.TrackStatus.LIMIT
        assert (np.abs(step.q - HOME) <= 0.05 + 1e-15).all()


def test_another_frame() -> None:
    q = HOME + 0.02
    elbow = SIX.forward_kinematics("output", q)[3, :3, 3]
    tracker = ik.Tracker(SIX, HOME, frame_type="output", index=3)
    step = tracker.step(elbow)
    assert step.success
    np.testing.assert_allclose(SIX.forward_kinematics("output", step.q)[3, :3, 3], elbow, atol=1e-5)
    np.testing.assert_array_equal(step.q[2:], HOME[2:])


def test_a_bad_target_changes_nothing() -> None:
    tracker = ik.Tracker(SIX, HOME)
    tracker.step(SIX.end_effector(HOME + 0.01))
    before = tracker.q
    bad = SIX.end_effector(HOME)
    bad[1, 3] = np.nan
    wrong: list[object] = [
        bad, np.eye(3), np.zeros((4, 4)), np.diag([1.0, 1.0, -1.0, 1.0]), [1, 2], [np.inf] * 3,
        None, "up", [ik.pose(np.eye(4)), 3], ik.joint_limits([0] * 6, [1] * 6), (),
        np.eye(4, dtype=complex), ik.posture(HOME), masked(np.eye(4), 1.0),
        list(masked(np.eye(4), 1.0)),
    ]  # fmt: skip
    for target in wrong:
        with pytest.raises(ObjectiveError):
            tracker.step(target)  # type: ignore[arg-type]
        np.testing.assert_array_equal(tracker.q, before)
    with pytest.raises(ArmwrightError, match="no element has the tag"):
        tracker.step(ik.position([0, 0, 0], tag="hand"))
    assert tracker.step(SIX.end_effector(HOME + 0.02)).success


@pytest.mark.parametrize("x", [1e31, 1e155, -1e308])
def test_a_garbled_pose_in_a_stream_moves_nothing(x: float) -> None:
    tracker = ik.Tracker(SIX, HOME, max_step=0.01)
    T = SIX.end_effector(HOME + 0.001)
    before = tracker.step(T).q  # from now on poses take the quick way
    garbled = T.copy()
    garbled[1, 3] = x
    with pytest.raises(ObjectiveError, match="expected a translation of at most 1e"):
        tracker.step(garbled)
    np.testing.assert_array_equal(tracker.q, before)
    step = tracker.step(T)
    assert step.success
    np.testing.assert_allclose(step.q, before, atol=1e-4)


def test_the_farthest_target_keeps_the_box() -> None:
    tracker = ik.Tracker(SIX, HOME, max_step=0.01)
    tracker.step(SIX.end_effector(HOME))
    far = SIX.end_effector(HOME)
    far[0, 3] = 1e30
    for _ in range(3):
        before = tracker.q
        step = tracker.step(far)
        assert not step.success
        assert np.abs(step.q - before).max() <= 0.01 + 1e-15


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"max_step": -0.1}, "max_step: expected a number, 0 or more"),
        ({"max_step": np.nan}, "max_step: expected a number, 0 or more"),
        ({"max_step": [0.1, 0.1]}, "expected one number or 6 numbers, got 2"),
        ({"max_step": "fast"}, "max_step: expected one number or 6 numbers, got 'fast'"),
        ({"dt": 0.0}, "dt: expected a positive number of seconds, .* got 0"),
        ({"dt": -1}, "positive"),
        ({"dt": np.inf}, "positive"),
        ({"limits": [0, 1]}, r"expected ik.joint_limits\(lower, upper\)"),
        ({"limits": ik.joint_limits([0], [1])}, "expected 6 numbers, one per joint, got 1"),
        ({"position_tolerance": 0}, "position_tolerance"),
    ],
)
def test_options_that_are_none(options: dict[str, object], words: str) -> None:
    with pytest.raises(ObjectiveError, match=words):
        ik.Tracker(SIX, HOME, **options)  # type: ignore[arg-type]


def test_a_time_step_without_end_is_the_default() -> None:
    tracker = ik.Tracker(SIX, HOME, dt=1e308, max_step=0.01)
    assert tracker.step(SIX.end_effector(HOME + 0.005)).success


def test_reset_starts_anew() -> None:
    tracker = ik.Tracker(SIX, HOME, max_step=0.01)
    T = SIX.end_effector(HOME + 0.3)
    first = tracker.step(T)
    tracker.step(T)
    tracker.reset(HOME)
    assert tracker.explain() == (ik.TrackStatus.REACHED, "no step was made yet")
    np.testing.assert_array_equal(tracker.step(T).q, first.q)
    with pytest.raises(JointVectorError, match="expected 6 joint values, got 1"):
        tracker.reset([0.0])


def test_steps_cannot_be_changed() -> None:
    step = ik.Tracker(SIX, HOME).step(SIX.end_effector(HOME))
    with pytest.raises(ValueError, match="read-only"):
        step.q[0] = 0.0
    with pytest.raises(AttributeError):
        step.success = False  # type: ignore[misc]


@pytest.mark.kernels
def test_a_robot_without_joints() -> None:
    fixed = aw.loads(
        '<robot version="1.6.0"><rigid-body mass="1" output_trans="1 0 0"/><end-effector/></robot>'
    )
    tracker = ik.Tracker(fixed, [])
    assert tracker.step([1.0, 0.0, 0.0]).success
    assert tracker.step([0.0, 0.0, 0.0]).status is ik.TrackStatus.STUCK
    assert tracker.explain()[0] is ik.TrackStatus.UNREACHABLE
