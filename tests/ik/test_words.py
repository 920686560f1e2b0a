"""Messages say what applies and nothing else: a hint that is always there helps nobody."""

import re

import numpy as np
import pytest

import armwright as aw
from armwright import ik
from tests.ik.conftest import rotation_about

NUMBER = r"[0-9.e-]+"


def matches(pattern: str, message: str) -> bool:
    return re.fullmatch(pattern.replace("NUMBER", NUMBER), message) is not None


def test_a_success_has_no_hint(seven: aw.RobotModel) -> None:
    T = seven.end_effector(np.full(7, 0.4))
    pose = ik.solve(seven, np.full(7, 0.3), ik.pose(T))
    assert matches("converged within NUMBER m and NUMBER rad", pose.message)
    point = ik.solve(seven, np.full(7, 0.3), ik.position(T[:3, 3]))
    assert matches("converged within NUMBER m", point.message)
    turn = ik.solve(seven, np.full(7, 0.3), ik.tip_axis(T[:3, 2]))
    assert matches("converged within NUMBER rad", turn.message)
    slow = ik.solve(seven, np.full(7, 0.3), ik.pose(T), ik.posture(np.zeros(7)))
    assert matches("converged within NUMBER m and NUMBER rad", slow.message)


def test_enough_joints_and_a_near_target_have_no_hint(seven: aw.RobotModel) -> None:
    # Two points for one frame: 6 constraints, 7 joints, both points near.
    here, there = ik.position([0.2, 0.2, 0.3]), ik.position([0.2, 0.2, 0.31])
    free = seven.with_position_limits([-np.inf] * 7, [np.inf] * 7)
    failed = ik.solve(free, np.full(7, 0.3), here, there)
    assert failed.status is ik.IKStatus.UNREACHABLE
    assert matches("unreachable; the closest of 300 starts is within 0.005 m", failed.message)
    early = ik.solve(free, np.full(7, 0.3), here, there, max_starts=1)
    assert early.status is ik.IKStatus.STALLED
    assert matches(
        "stalled; the closest of 1 start is within 0.005 m; too few to call it unreachable, "
        "allow more than max_starts=1",
        early.message,
    )


def test_only_the_hint_that_applies(seven: aw.RobotModel, planar: aw.RobotModel) -> None:
    far = ik.solve(seven, np.full(7, 0.3), ik.position([9.0, 0.0, 0.0]))
    assert "from the first joint, and the endeffector frame reaches" in far.message
    assert "cannot meet" not in far.message
    assert "not controllable" not in far.message
    few = ik.solve(planar, [0.1, 0.5], ik.position([0.5, 0.3, 0.2]))
    assert "from the first joint" not in few.message
    assert few.message.endswith(
        "2 joints cannot meet 3 constraints; leave an axis of a position free (None) or drop an "
        "objective"
    )
    partly = ik.position([9.0, None, 0.0])  # how far that is depends on the free axis
    assert "from the first joint" not in ik.solve(planar, [0.1, 0.5], partly).message


@pytest.mark.parametrize("miss", [5e-6, 2e-5])
def test_met_is_ten_times_the_tolerance_and_no_more(one_joint: aw.RobotModel, miss: float) -> None:
    # The joint is locked, so that the error is what was put there.
    T = one_joint.end_effector([0.3])
    locked = one_joint.with_position_limits([0.3], [0.3])
    result = ik.solve(locked, [0.3], ik.position(T[:3, 3] + [0.0, 0.0, miss]))
    assert result.position_error == pytest.approx(miss)
    assert result.success == (miss < 1e-5)
    number = ik.custom(1, lambda q: [miss])
    assert ik.solve(locked, [0.3], number).success == (miss < 1e-5)


@pytest.mark.parametrize("miss", [5e-5, 2e-4])
def test_met_angles_likewise(one_joint: aw.RobotModel, miss: float) -> None:
    T = one_joint.end_effector([0.3])
    turn = rotation_about([1, 0, 0], miss)
    locked = one_joint.with_position_limits([0.3], [0.3])
    result = ik.solve(locked, [0.3], ik.orientation(turn @ T[:3, :3]))
    assert result.orientation_error == pytest.approx(miss)
    assert result.success == (miss < 1e-4)


def test_signs_of_residuals_are_target_minus_actual(seven: aw.RobotModel) -> None:
    q = np.full(7, 0.2)
    T = seven.end_effector(q)
    locked = seven.with_position_limits(q, q)
    bound = ik.joint_limits([-1.0] * 7, [2.0] * 7)
    up = T.copy()
    up[2, 3] += 0.1
    turn = rotation_about([0, 1, 0], 0.3)
    up[:3, :3] = turn @ T[:3, :3]
    asked = (
        ik.position([None, None, up[2, 3]]),
        ik.orientation(up[:3, :3]),
        ik.pose(up),
        ik.tip_axis(rotation_about([1, 0, 0], 0.2) @ T[:3, 2]),
        ik.posture(q + 0.1),
        ik.least_effort(),
        ik.custom(1, lambda q: [q[0]]),
        bound,
    )
    values = ik.solve(locked, q, *asked).residuals
    assert np.allclose(values[0], [0.0, 0.0, 0.1])
    assert np.allclose(values[1], [0.0, 0.3, 0.0])
    assert np.allclose(values[2], [0.0, 0.0, 0.1, 0.0, 0.3, 0.0])
    assert values[3][0] > 0.0  # the turn that is still to go, not the one back
    assert np.allclose(values[4], 0.1)
    assert np.allclose(values[5], -seven.gravity_efforts(q))
    assert np.allclose(values[6], 0.2)
    assert values[7].shape == (0,)
    middle = ik.solve(seven, q, ik.pose(T), ik.centering(), bound)
    assert np.allclose(middle.residuals[1], 0.5 - middle.q)


def test_a_joint_outside_its_limits_is_named_at_its_nearest_turn(one_joint: aw.RobotModel) -> None:
    # -0.5 is found first; 5.78, the same place, is nearer to the middle of the limits.
    limited = one_joint.with_position_limits([0.0], [5.5])
    result = ik.solve(limited, [0.1], ik.position(one_joint.end_effector([-0.5])[:3, 3]))
    assert result.status is ik.IKStatus.OUTSIDE_LIMITS
    assert "at 5.783 (limits 0 to 5.5)" in result.message


def test_a_search_that_was_wrong_is_not_called_converged(planar: aw.RobotModel) -> None:
    from armwright.ik.program import compile_program
    from armwright.ik.solving.judge import judge
    from armwright.ik.solving.options import check_options

    wanted = (ik.position([0.5, 0.5, 0.0]),)
    program = compile_program(planar, wanted)
    options = check_options(1e-6, 1e-5, 300, 0, None)
    result = judge(planar, wanted, program, np.zeros(2), 1, 0, options, ik.IKStatus.CONVERGED)
    assert not result.success
    assert result.status is ik.IKStatus.STALLED
