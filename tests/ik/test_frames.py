"""Any frame of any tree, several at once, and robots with few joints or none."""

import numpy as np
import pytest

import armwright as aw
from armwright import ik
from armwright.errors import FrameNotFoundError
from armwright.ik import IKStatus
from tests.ik.conftest import SEVEN, FloatArray
from tests.robots import BRANCHES

ARM = """
<joint axis="rz"/><rigid-body mass="1" output_trans="0 0 0.2"/>
<joint axis="ry"/><rigid-body mass="1" output_trans="0.03 0 0.4"/>
<joint axis="-ry" gear_ratio="1.5"/><rigid-body mass="1" output_trans="0 0.02 0.3"/>
<joint axis="rz"/><joint axis="ry"/><joint axis="rx"/>
<rigid-body mass="1" output_trans="0.05 0 0.1"/><end-effector tag="{tag}"/>
"""
TORSO = f"""
<robot version="1.6.0">
  <joint axis="rz" tag="waist"/>
  <rigid-body mass="5" tag="torso">
    <output trans="0 0.3 0.5">{ARM.format(tag="left")}</output>
    <output trans="0 -0.3 0.5" rot="Rx(0.5)">{ARM.format(tag="right")}</output>
  </rigid-body>
</robot>
"""


def both(model: aw.RobotModel, q: FloatArray) -> FloatArray:
    """Poses of both hands."""
    return model.forward_kinematics("endeffector", q)


def test_two_targets_of_a_tree_c15() -> None:
    model = aw.loads(BRANCHES)
    result = ik.solve(
        model, [0.1, 0.1], ik.position([0, 1, 0], index=0), ik.position([0, 3, 0], index=1)
    )
    assert result.success
    assert np.abs(result.q - 1.570796327).max() < 1e-6
    alone = ik.solve(model, [0.1, 0.1], ik.position([0, 3, 0], index=1))
    assert alone.q[0] == 0.1  # the other branch stays where it was
    assert abs(alone.q[1] - 1.570796327) < 1e-6
    restarted = ik.solve(model, [0.1, 0.1], ik.position([0, 9, 0], index=1))
    assert restarted.restarts == 299
    assert restarted.q[0] == 0.1
    with pytest.raises(FrameNotFoundError, match="Say which one"):
        ik.solve(model, [0.1, 0.1], ik.position([0, 1, 0]))


def test_fixed_parts_at_the_end_c16() -> None:
    model = aw.loads("""
      <robot version="1.6.0"><joint axis="rz"/><rigid-body mass="1" output_trans="1 0 0"/>
        <rigid-body mass="0" output_trans="0 0.5 0" output_rot="Rz(pi/2)"/>
        <rigid-body mass="0" output_trans="0.25 0 0"/>
        <end-effector output_trans="0 0 0.1"/></robot>""")
    result = ik.solve(model, [0.2], ik.position([-0.75, 1.0, 0.1]))
    assert result.success
    assert result.q.tolist() == pytest.approx([1.5707963267948966], abs=1e-6)


def test_a_robot_without_joints_c16() -> None:
    model = aw.loads(
        '<robot version="1.6.0"><rigid-body mass="1" output_trans="1 2 3"/><end-effector/></robot>'
    )
    there = ik.solve(model, [], ik.position([1, 2, 3]))
    assert there.success
    assert there.q.shape == (0,)
    away = ik.solve(model, np.empty(0), ik.pose(np.eye(4)))
    assert away.status is IKStatus.UNREACHABLE
    assert away.position_error == pytest.approx(np.sqrt(14))
    assert away.restarts == 0
    assert away.message.endswith("no joint moves it")
    assert ik.solve(model, [], ik.posture([])).success


def test_a_frame_before_all_joints(seven: aw.RobotModel) -> None:
    """No joint moves the first element's input; it is where it is."""
    q0 = np.full(7, 0.3)
    fixed = ik.position([0, 0, 0], frame_type="input", index=0)
    assert ik.solve(seven, q0, fixed).q.tolist() == q0.tolist()
    away = ik.solve(seven, q0, ik.position([0, 0, 1], frame_type="input", index=0))
    assert away.status is IKStatus.UNREACHABLE
    assert away.q.tolist() == q0.tolist()
    tool = ik.position([0.3, 0.1, 0.4])
    with_tool = ik.solve(seven, q0, fixed, tool)
    assert with_tool.success
    assert with_tool.q.tolist() == ik.solve(seven, q0, tool).q.tolist()


@pytest.mark.parametrize("frame_type", ["output", "com", "input", "CoM", "mesh", "payload"])
def test_every_kind_of_frame(seven: aw.RobotModel, frame_type: str) -> None:
    rng = np.random.default_rng(2)
    count = seven.frame_count(frame_type)
    for index in range(count):
        T = seven.forward_kinematics(frame_type, rng.uniform(-2, 2, 7))[index]
        target = ik.pose(T, frame_type=frame_type, index=index)
        result = ik.solve(seven, np.full(7, 0.1), target)
        there = seven.forward_kinematics(frame_type, result.q)[index]
        assert result.success
        assert np.abs(there - T).max() < 1e-4


def test_frames_by_tag(seven: aw.RobotModel) -> None:
    q = np.full(7, 0.4)
    i_elbow = seven.tags["elbow"]
    T = seven.forward_kinematics("output", q)[i_elbow]
    result = ik.solve(
        seven, np.full(7, 0.1), ik.position(T[:3, 3], frame_type="output", tag="elbow")
    )
    there = seven.forward_kinematics("output", result.q)[i_elbow]
    assert np.abs(there[:3, 3] - T[:3, 3]).max() < 1e-5
    assert result.q[4:].tolist() == [0.1] * 3  # joints beyond the elbow are left alone


def test_both_hands_at_once() -> None:
    """Thirteen joints, twelve constraints, hands that share the waist."""
    model = aw.loads(TORSO)
    rng = np.random.default_rng(4)
    starts = []
    for _ in range(40):
        q = rng.uniform(-2.5, 2.5, 13)
        left, right = both(model, q)
        result = ik.solve(
            model, np.full(13, 0.2), ik.pose(left, tag="left"), ik.pose(right, tag="right")
        )
        assert result.success
        there = both(model, result.q)
        assert np.abs(there[:, :3, 3] - [left[:3, 3], right[:3, 3]]).max() < 1e-5
        assert np.abs(there - [left, right]).max() < 2e-4
        starts.append(result.restarts + 1)
    assert np.median(starts) <= 6


def test_hand_and_torso_at_once() -> None:
    """Objectives of different kinds on frames of different kinds."""
    model = aw.loads(TORSO)
    rng = np.random.default_rng(6)
    for _ in range(20):
        q = rng.uniform(-2, 2, 13)
        left, right = both(model, q)
        torso = model.forward_kinematics("com", q)[0]
        result = ik.solve(
            model,
            np.zeros(13),
            ik.tip_axis(right[:3, 2], tag="right"),
            ik.orientation(torso[:3, :3], frame_type="com", index=0),
            ik.position(left[:3, 3], tag="left", weight=5.0),
            ik.position([right[0, 3], None, right[2, 3]], tag="right"),
        )
        assert result.success
        there_left, there_right = both(model, result.q)
        assert result.q[0] == pytest.approx(q[0], abs=1e-4)
        assert np.abs(there_left[:3, 3] - left[:3, 3]).max() < 1e-5
        assert np.abs(there_right[[0, 2], 3] - right[[0, 2], 3]).max() < 1e-5
        assert there_right[:3, 2] @ right[:3, 2] > 1 - 1e-8


def test_the_base_frame_counts() -> None:
    T_world_base = np.eye(4)
    T_world_base[:3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    T_world_base[:3, 3] = [1.0, -2.0, 0.5]
    model = aw.loads(SEVEN).with_base_frame(T_world_base)
    q = np.array([0.3, 0.5, -0.4, 1.0, 0.2, 0.7, 0.1])
    T = model.end_effector(q)
    result = ik.solve(model, np.full(7, 0.2), ik.pose(T))
    assert result.success
    assert np.abs(model.end_effector(result.q) - T).max() < 1e-4


@pytest.mark.parametrize("scale", [0.05, 1.0, 40.0])
def test_size_does_not_matter(scale: float) -> None:
    """The same arm in other lengths takes the same steps: lengths are weighed by the reach."""
    rng = np.random.default_rng(9)

    def sized(factor: float) -> aw.RobotModel:
        builder = aw.ArmBuilder()
        for axis, xyz in zip(
            ["rz", "ry", "ry", "rz", "ry", "rz"],
            [(0, 0, 0.3), (0.05, 0, 0.4), (0, 0.02, 0.3), (0, 0, 0.1), (0, 0, 0.1), (0, 0, 0.1)],
            strict=True,
        ):
            output = np.eye(4)
            output[:3, 3] = np.array(xyz) * factor
            builder.joint(axis).rigid_body(mass=1.0, output=output)
        return builder.end_effector().build()

    one, other = sized(1.0), sized(scale)
    for _ in range(10):
        q = rng.uniform(-3, 3, 6)
        small = ik.solve(one, np.zeros(6), ik.pose(one.end_effector(q)))
        large = ik.solve(
            other,
            np.zeros(6),
            ik.pose(other.end_effector(q)),
            position_tolerance=1e-6 * scale,
        )
        assert small.success
        assert large.success
        assert (small.iterations, small.restarts) == (large.iterations, large.restarts)


def test_random_chains() -> None:
    """Turning and sliding joints about arbitrary axes with gears, four to eight of them."""
    rng = np.random.default_rng(12)
    for dof in (4, 5, 6, 7, 8):
        for _ in range(3):
            builder = aw.ArmBuilder()
            for j in range(dof):
                slides = j in (1, 4) and dof > 5
                axis = ("-" if rng.random() < 0.3 else "") + ("t" if slides else "r")
                axis += "xyz"[rng.integers(3)]
                Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
                output = np.eye(4)
                output[:3, :3] = Q * np.sign(np.linalg.det(Q))
                output[:3, 3] = rng.uniform(-0.3, 0.3, 3)
                builder.joint(axis, gear_ratio=rng.uniform(0.5, 2.0))
                builder.rigid_body(mass=1.0, output=output)
            model = builder.end_effector().build()
            for _ in range(10):
                T = model.end_effector(rng.uniform(-2, 2, dof))
                result = ik.solve(model, np.full(dof, 0.3), ik.pose(T))
                assert result.success
                assert np.abs(model.end_effector(result.q) - T).max() < 2e-4
