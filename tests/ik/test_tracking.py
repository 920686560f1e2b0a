"""Following lists of targets: closed forms, branches, reasons to stop."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

import armwright as aw
from armwright import ik
from armwright.errors import FrameNotFoundError, JointVectorError, ModelError, ObjectiveError
from tests.ik.conftest import masked

FloatArray = npt.NDArray[np.float64]
Kit = Callable[[str], tuple[aw.RobotModel, FloatArray]]

SLIDE = """
<robot version="1.6.0">
  <joint axis="tx"/><rigid-body mass="1" output_trans="0 0 0.1"/>
  <joint axis="rz" gear_ratio="-4"/><rigid-body mass="1" output_trans="0.5 0 0"/><end-effector/>
</robot>
"""


def circle(center: FloatArray, radius: float, turns: float, n: int) -> FloatArray:
    """Return positions on a circle in the plane of x and y, (n, 3)."""
    angle = np.linspace(0.0, 2 * np.pi * turns, n)
    xyz: FloatArray = center + radius * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    return xyz


@pytest.mark.kernels
def test_a_planar_arm_follows_its_closed_form(planar: aw.RobotModel) -> None:
    q = np.stack([np.linspace(0.2, 1.2, 50), np.linspace(0.5, 1.5, 50)], axis=1)
    xyz = planar.end_effector(q)[:, :3, 3]
    path = ik.track(planar, q[0], xyz, max_step=0.05)
    assert path.success
    assert path.stopped_at is None
    assert path.reason == ""
    assert path.reached.all()
    np.testing.assert_allclose(path.q, q, atol=1e-5)
    assert path.position_error.max() <= 1e-6
    assert np.isnan(path.orientation_error).all()


def test_the_short_way_across_a_half_turn(one_joint: aw.RobotModel) -> None:
    """Joint values go on beyond pi, without a turn back."""
    angles = np.linspace(3.0, 3.0 + 4 * np.pi, 200)
    xyz = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    path = ik.track(one_joint, [3.0], xyz, max_step=0.1)
    assert path.success
    np.testing.assert_allclose(path.q[:, 0], angles, atol=2e-6)


def test_the_long_way_round_a_limit_is_a_flip(one_joint: aw.RobotModel) -> None:
    model = one_joint.with_position_limits([-np.pi], [np.pi])
    angles = np.linspace(2.8, 3.6, 80)
    xyz = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    path = ik.track(model, [2.8], xyz, max_step=0.1)
    stop = int(np.searchsorted(angles, np.pi))
    assert not path.success
    assert path.stopped_at == stop
    assert path.status is ik.TrackStatus.FLIP
    assert path.reason.startswith(f"target {stop} of 80: a flip: joint 'joint1' is at its limit")
    assert "would have to move by -6." in path.reason
    np.testing.assert_array_equal(path.q[stop:], np.repeat(path.q[stop - 1 : stop], 80 - stop, 0))
    assert np.isnan(path.position_error[stop + 1 :]).all()
    assert path.reached.sum() == stop


def test_a_limit_that_nothing_gets_round(one_joint: aw.RobotModel) -> None:
    path = ik.track(
        one_joint,
        [0.0],
        [[np.cos(a), np.sin(a), 0.0] for a in (0.1, 0.2, 0.3, 0.4)],
        limits=ik.joint_limits([-1.0], [0.25]),
    )
    assert path.stopped_at == 2
    assert path.status is ik.TrackStatus.LIMIT
    assert "joint1 at 0.3 (limits -1 to 0.25)" in path.reason


@pytest.mark.kernels
def test_a_jump_is_refused_and_named(planar: aw.RobotModel) -> None:
    q = np.array([[0.1, 0.5], [0.12, 0.52], [0.9, 1.2], [0.92, 1.2]])
    xyz = planar.end_effector(q)[:, :3, 3]
    path = ik.track(planar, q[0], xyz, max_step=0.1)
    assert path.stopped_at == 2
    assert path.status is ik.TrackStatus.STEP
    assert "joint 'joint1' would have to move by 0.78, its step is 0.1" in path.reason
    assert "too far for one step" in path.reason
    np.testing.assert_allclose(path.q[-1], q[1], atol=1e-5)


def test_the_first_target_must_match_q0(planar: aw.RobotModel) -> None:
    xyz = planar.end_effector([1.0, 1.0])[:3, 3]
    path = ik.track(planar, [0.0, 0.5], [xyz], max_step=0.1)
    assert path.stopped_at == 0
    assert path.reason.endswith("q0 does not match the first target")
    np.testing.assert_array_equal(path.q, [[0.0, 0.5]])


def test_out_of_reach_is_said(planar: aw.RobotModel) -> None:
    xyz = np.array([[x, 0.3, 0.0] for x in np.linspace(0.8, 1.2, 60)])
    q0 = ik.solve(planar, [-0.2, 1.0], ik.position(xyz[0])).q
    path = ik.track(planar, q0, xyz, max_step=0.2)
    stop = int(np.argmax(np.linalg.norm(xyz, axis=1) > 1.0))
    assert path.stopped_at == stop
    assert path.status is ik.TrackStatus.UNREACHABLE
    assert "unreachable" in path.reason


@pytest.mark.kernels
def test_going_on_comes_back_on_the_same_side(planar: aw.RobotModel) -> None:
    """A target that leaves the reach and returns finds the elbow where it was bent."""
    for bend in (0.8, -0.8):
        xyz = np.array([[x, 0.2, 0.0] for x in [*np.linspace(0.7, 1.3, 60)]])
        xyz = np.concatenate([xyz, xyz[::-1]])
        q0 = ik.solve(planar, [-0.5 * bend, bend], ik.position(xyz[0])).q
        path = ik.track(planar, q0, xyz, max_step=0.2, keep_going=True)
        assert not path.success
        assert path.stopped_at is not None
        assert path.reached[: path.stopped_at].all()
        assert path.reached[2 - path.stopped_at :].all()  # a step or two to bend again
        assert np.sign(path.q[-1, 1]) == np.sign(bend)
        np.testing.assert_allclose(path.q[-1], q0, atol=1e-4)
        assert np.abs(np.diff(path.q, axis=0)).max() <= 0.2 * (1 + 1e-12)


def test_a_redundant_arm_comes_back_on_the_same_side(seven: aw.RobotModel) -> None:
    q0 = np.array([0.1, 0.4, 0.2, 0.9, -0.2, 0.5, 0.1])
    T = seven.end_effector(q0)
    out = T[:3, 3] / np.linalg.norm(T[:3, 3])
    far = np.concatenate([np.linspace(0, 0.5, 200), np.linspace(0.5, 0, 200)])
    poses = np.repeat(T[None], 400, axis=0)
    poses[:, :3, 3] += far[:, None] * out
    path = ik.track(seven, q0, poses, max_step=0.1, keep_going=True)
    assert not path.reached[200]
    assert path.reached[-1]
    assert path.q[-1, 3] > 0.5


@pytest.mark.kernels
def test_a_straight_arm_bends_to_a_target_on_its_line(planar: aw.RobotModel) -> None:
    """No error gradient there: only the curvature shows the way."""
    xyz = [[x, 0.0, 0.0] for x in np.linspace(1.0, 0.8, 100)]
    path = ik.track(planar, [0.0, 0.0], xyz, max_step=0.3)
    assert path.success
    assert np.abs(np.diff(path.q, axis=0)).max() <= 0.3 * (1 + 1e-12)
    signs = np.sign(path.q[5:, 1])
    assert (signs == signs[0]).all()


def test_through_an_aligned_wrist(kit: Kit) -> None:
    """A joint path through a singular pose is followed straight on: its twin would be a jump."""
    model, _ = kit("A-2085-06")
    start = np.array([0.2, 1.1, 1.9, 0.6, 0.6, 0.3])
    end = np.array([0.5, 1.3, 1.7, 0.8, -0.5, 0.7])
    q = start + np.linspace(0, 1, 301)[:, None] * (end - start)
    path = ik.track(model, start, model.end_effector(q), max_step=0.05)
    assert path.success
    assert np.abs(np.diff(path.q, axis=0)).max() < 0.05


@pytest.mark.parametrize("name", ["A-2085-06", "A-2240-06", "A-2099-07", "A-2303-01", "A-2582-07"])
def test_kits_follow_smooth_joint_paths(kit: Kit, name: str) -> None:
    model, _ = kit(name)
    rng = np.random.default_rng(7)
    t = np.linspace(0, 1, 300)[:, None]
    for _ in range(10):
        q = rng.uniform(-2, 2, model.dof) + rng.uniform(-0.5, 0.5, model.dof) * np.sin(3 * t)
        path = ik.track(model, q[0], model.end_effector(q), max_step=0.1)
        assert path.success, path.reason
        error = model.end_effector(path.q) - model.end_effector(q)
        assert np.abs(error).max() < 2e-5


def test_a_circle_at_a_kilohertz(kit: Kit) -> None:
    """dt bounds the speeds; the tool is where it should be at every tick."""
    model, _ = kit("A-2085-06")
    q0 = np.array([0.3, 1.0, 1.8, -0.6, 0.5, 0.2])
    T = model.end_effector(q0)
    poses = np.repeat(T[None], 2001, axis=0)
    poses[:, :3, 3] = circle(T[:3, 3] - [0.05, 0, 0], 0.05, 1, 2001)
    path = ik.track(model, q0, poses, dt=1e-3)
    assert path.success
    assert path.position_error.max() <= 1e-6
    assert (np.abs(np.diff(path.q, axis=0)) <= 1e-3 * model.max_speeds * (1 + 1e-12)).all()
    np.testing.assert_allclose(path.q[-1], q0, atol=1e-4)


def test_slides_and_gears(kit: Kit) -> None:
    model = aw.loads(SLIDE)
    q = np.stack([np.linspace(0, 0.3, 40), np.linspace(-1, 2, 40)], axis=1)
    path = ik.track(model, q[0], model.end_effector(q)[:, :3, 3], max_step=[0.01, 0.1])
    assert path.success
    np.testing.assert_allclose(path.q, q, atol=1e-5)
    held = ik.track(model, q[0], model.end_effector(q)[:, :3, 3], max_step=[0.001, 0.1])
    assert held.stopped_at == 1
    assert "'joint1' would have to move by 0.00769, its step is 0.001" in held.reason


def test_a_tip_axis_and_a_position_for_five_joints(kit: Kit) -> None:
    model, _ = kit("A-2085-05")
    q = np.array([0.2, 1.0, 1.8, -0.6, 0.3]) + np.linspace(0, 0.5, 60)[:, None] * np.array(
        [1.0, -0.5, 0.3, 0.8, -1.0]
    )
    Ts = model.end_effector(q)
    targets = [(ik.position(T[:3, 3]), ik.tip_axis(T[:3, 2])) for T in Ts]
    path = ik.track(model, q[0], targets, max_step=0.05)
    assert path.success, path.reason
    found = model.end_effector(path.q)
    np.testing.assert_allclose(found[:, :3, 3], Ts[:, :3, 3], atol=1e-5)
    np.testing.assert_allclose(found[:, :3, 2], Ts[:, :3, 2], atol=1e-4)


@pytest.mark.kernels
def test_two_hands_at_once() -> None:
    tree = aw.loads(
        """<robot version="1.6.0"><joint axis="rz"/><rigid-body mass="1">
        <output trans="0 0.1 0"><joint axis="ry"/><rigid-body mass="1" output_trans="0.3 0 0"/>
        <joint axis="rz"/><rigid-body mass="1" output_trans="0.2 0 0"/><end-effector tag="left"/>
        </output><output trans="0 -0.1 0"><joint axis="ry"/>
        <rigid-body mass="1" output_trans="0.3 0 0"/><end-effector tag="right"/></output>
        </rigid-body></robot>"""
    )
    q = np.linspace([0.1, 0.2, 0.5, -0.3], [0.4, 0.5, 0.2, 0.1], 30)
    left = tree.end_effector(q, tag="left")[:, :3, 3]
    right = tree.end_effector(q, tag="right")[:, :3, 3]
    targets = [
        (ik.position(a, tag="left"), ik.position(b, tag="right"))
        for a, b in zip(left, right, strict=True)
    ]
    path = ik.track(tree, q[0], targets, max_step=0.1)
    assert path.success
    np.testing.assert_allclose(path.q, q, atol=1e-4)
    with pytest.raises(FrameNotFoundError, match="2 endeffector frames"):
        ik.track(tree, q[0], left)
    only = ik.track(tree, q[0], left, max_step=0.1, tag="left")
    np.testing.assert_array_equal(only.q[:, 3], q[0, 3])


def test_no_targets(planar: aw.RobotModel) -> None:
    empty: list[npt.ArrayLike] = [[], np.zeros((0, 4, 4)), np.zeros((0, 3))]
    for nothing in empty:
        path = ik.track(planar, [0.1, 0.2], nothing)
        assert path.success
        assert path.q.shape == (0, 2)


def test_twice_the_same_bits(planar: aw.RobotModel) -> None:
    xyz = circle(np.array([0.6, 0.1, 0.0]), 0.5, 2, 300)
    q0 = ik.solve(planar, [0.1, 1.0], ik.position(xyz[0])).q
    one = ik.track(planar, q0, xyz, keep_going=True)
    two = ik.track(planar, q0, xyz, keep_going=True)
    assert one.q.tobytes() == two.q.tobytes()
    assert one.reason == two.reason


def test_results_cannot_be_changed(planar: aw.RobotModel) -> None:
    path = ik.track(planar, [0.1, 0.2], [planar.end_effector([0.1, 0.2])])
    for name in ("q", "reached", "position_error", "orientation_error"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(path, name)[0] = 0
    with pytest.raises(AttributeError):
        path.q = None  # type: ignore[misc,assignment]


@pytest.mark.parametrize(
    ("poses", "words"),
    [
        (np.eye(4), "one target must stand in a list"),
        (np.zeros((2, 3, 3)), r"expected shape \(n, 4, 4\) or \(n, 3\), got \(2, 3, 3\)"),
        ([np.eye(4), 2 * np.eye(4)], r"poses\[1\]: pose: expected 0 0 0 1 in the last row"),
        ([[0.1, 0.2, np.nan]], r"poses\[0\]: position, z: expected .* got nan"),
        ([np.eye(4), np.eye(4)[:3]], "poses: expected shape"),
        (ik.position([0, 0, 0]), "a list of targets, got one objective"),
        ([ik.joint_limits([0], [1])], "poses: expected shape"),
        ([(ik.position([0, 0, 0]), 7)], r"poses\[0\]: step: expected a pose"),
        ("nonsense", "poses: expected shape"),
        (masked([[1.0, 2.0, 3.0]], 2.0), "poses: expected numbers, got a masked array"),
        ([masked(np.eye(4), 1.0)], r"(?s)poses: expected numbers, .* What is masked has no value"),
    ],
)
def test_targets_that_are_none(planar: aw.RobotModel, poses: object, words: str) -> None:
    with pytest.raises(ObjectiveError, match=words):
        ik.track(planar, [0.0, 0.1], poses)  # type: ignore[arg-type]


def test_transposed_poses_are_recognized(planar: aw.RobotModel) -> None:
    T = planar.end_effector([0.1, 0.2]).T
    with pytest.raises(ObjectiveError, match=r"poses\[0\].*Is the matrix transposed"):
        ik.track(planar, [0.1, 0.2], [T])


def test_seeds_that_are_none(planar: aw.RobotModel) -> None:
    with pytest.raises(JointVectorError, match="expected 2 joint values, got 3"):
        ik.track(planar, [0.0, 0.1, 0.2], [np.eye(4)])
    with pytest.raises(JointVectorError, match="finite"):
        ik.track(planar, [0.0, np.nan], [np.eye(4)])
    with pytest.raises(ModelError, match="expected a RobotModel"):
        ik.track("arm", [0.0], [np.eye(4)])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("errors", "most"),
    [
        ((0.0, 0.0), 0.5),
        ((0.1, np.nan), 0.5 + 4.0 * 0.3),  # metres count three radians here
        ((np.nan, 0.2), 0.5 + 4.0 * 0.2),
        ((0.1, 0.4), 0.5 + 4.0 * 0.5),
    ],
)
def test_a_branch_is_left_by_motions_out_of_proportion(
    errors: tuple[float, float], most: float
) -> None:
    from armwright.ik.tracking.reasons import _is_same_branch

    for motion in (0.99 * most, -0.99 * most):
        assert _is_same_branch(np.array([0.0, motion]), errors, 3.0)
    for motion in (1.01 * most, -1.01 * most):
        assert not _is_same_branch(np.array([motion, 0.0]), errors, 3.0)
    assert _is_same_branch(np.zeros(0), errors, 3.0)
