"""Limits of positions, velocities and efforts: who is beyond, by how much, and back."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from armwright.errors import JointVectorError, ModelError
from armwright.kinematics import RobotModel, loads
from tests.kinematics.conftest import TREE


@pytest.fixture(scope="module")
def robot() -> RobotModel:
    """Joints: trunk (an X8-9), left, joint3 (slides), right (slides), joint5, joint6."""
    lower = [-1, -np.inf, 0, -0.5, -np.inf, -2]
    upper = [1, np.inf, 0.1, np.inf, 3, -2]
    return loads(TREE).with_position_limits(lower, upper)


def test_violators_are_named_with_how_far(robot: RobotModel) -> None:
    found = robot.check_limits(q=[1.25, 1e9, 0.3, -0.75, 3, -2])
    assert [(one.joint, one.index, one.unit) for one in found] == [
        ("trunk", 0, "rad"),
        ("joint3", 2, "m"),
        ("right", 3, "m"),
    ]
    assert [one.excess for one in found] == pytest.approx([0.25, 0.2, 0.25])
    assert [one.limit for one in found] == [1, 0.1, -0.5]
    assert [str(one) for one in found] == [
        "joint 'trunk': position 1.25 rad is 0.25 rad above the limit of 1",
        "joint 'joint3': position 0.3 m is 0.2 m above the limit of 0.1",
        "joint 'right': position -0.75 m is 0.25 m below the limit of -0.5",
    ]


def test_velocities_and_efforts_count_in_both_directions(robot: RobotModel) -> None:
    fastest, strongest = robot.max_speeds[0], robot.max_efforts[0]
    v, tau = np.zeros(6), np.zeros(6)
    v[0], tau[0] = -fastest - 0.5, strongest + 1
    found = robot.check_limits(q=np.zeros(6) - [0, 0, 0, 0, 0, 2], v=v, tau=tau)
    assert [(one.quantity, one.joint, one.unit) for one in found] == [
        ("velocity", "trunk", "rad/s"),
        ("effort", "trunk", "N m"),
    ]
    assert found[0].limit == -fastest
    assert found[0].excess == pytest.approx(0.5)
    assert found[1].excess == pytest.approx(1.0)


def test_a_value_at_the_limit_is_within(robot: RobotModel) -> None:
    assert robot.check_limits(q=[1, 0, 0.1, -0.5, 3, -2]) == ()
    assert robot.check_limits(v=robot.max_speeds.clip(max=1e9)) == ()
    over = np.nextafter(1.0, 2.0)
    (one,) = robot.check_limits(q=[over, 0, 0.1, -0.5, 3, -2])
    assert one.excess > 0


def test_without_limits_nothing_is_beyond() -> None:
    free = loads(TREE)
    assert free.check_limits(q=[1e6] * 6) == ()
    assert not free.has_position_limits.any()


def test_which_joints_have_limits(robot: RobotModel) -> None:
    np.testing.assert_array_equal(robot.has_position_limits, [True, False, True, True, True, True])


@given(q=arrays(np.float64, (6,), elements=st.floats(-1e6, 1e6)))
def test_clipped_values_are_the_nearest_within(robot: RobotModel, q: Any) -> None:
    clipped = robot.clip(q)
    assert robot.check_limits(q=clipped) == ()
    beyond = {one.index: one.excess for one in robot.check_limits(q=q)}
    for index, (before, after) in enumerate(zip(q, clipped, strict=True)):
        assert abs(before - after) == beyond.get(index, 0.0)
    np.testing.assert_array_equal(robot.clip(clipped), clipped)


def test_batches_velocities_and_efforts_are_clipped(robot: RobotModel) -> None:
    Q = np.full((2, 3, 6), 5.0)
    assert robot.clip(Q).shape == (2, 3, 6)
    np.testing.assert_array_equal(robot.clip(Q)[1, 2], [1, 5, 0.1, 5, 3, -2])
    v = robot.clip([-100] * 6, "velocity")
    np.testing.assert_array_equal(v, [-robot.max_speeds[0], *[-100] * 5])
    tau = robot.clip([1000] * 6, "Effort")  # type: ignore[call-overload]
    np.testing.assert_array_equal(tau, [robot.max_efforts[0], *[1000] * 5])


def test_odd_arguments(robot: RobotModel) -> None:
    with pytest.raises(ModelError, match="expected at least one of q, v and tau"):
        robot.check_limits()
    with pytest.raises(JointVectorError, match="tau: expected 6 joint values, got 5"):
        robot.check_limits(tau=[0] * 5)
    with pytest.raises(JointVectorError, match="v: expected 6 finite joint values, got nan"):
        robot.check_limits(v=[np.nan] * 6)
    with pytest.raises(JointVectorError, match="array of shape"):
        robot.check_limits(q=np.zeros((2, 6)))
    with pytest.raises(JointVectorError, match="values: expected 6 joint values, got 2"):
        robot.clip([0, 0])
    with pytest.raises(JointVectorError, match="expected 6 finite"):
        robot.clip([np.inf] * 6)
    with pytest.raises(ModelError, match=r"quantity: expected one of .*Did you mean 'velocity'"):
        robot.clip([0] * 6, "velocty")  # type: ignore[call-overload]
