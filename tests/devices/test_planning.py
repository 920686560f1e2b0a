import numpy as np
import pytest

import armwright as aw
from armwright.devices import minimum_jerk, plan
from armwright.errors import TrajectoryError


def test_a_move_is_at_rest_at_both_ends_and_within_speeds(six_dof: aw.RobotModel) -> None:
    goal = np.array([1.0, 0.5, -0.8, 0.3, 2.0, -3.0])
    move = plan(six_dof, [np.zeros(6), goal], start_time=2.0)
    assert move.start_time == 2.0
    np.testing.assert_allclose(move.state(move.start_time)[0], 0.0)
    position, velocity, acceleration = move.state(move.end_time)
    np.testing.assert_allclose(position, goal)
    np.testing.assert_allclose([velocity, acceleration], 0.0, atol=1e-9)
    assert (move.max_speeds() <= six_dof.max_speeds * (1 + 1e-9)).all()


def test_limits_of_the_caller_hold(six_dof: aw.RobotModel) -> None:
    goal = np.linspace(0.5, 1.0, 6)
    move = plan(six_dof, [np.zeros(6), goal], max_speeds=0.2, max_accelerations=0.01)
    assert move.max_speeds().max() <= 0.2 + 1e-12
    assert move.max_accelerations().max() <= 0.01 + 1e-12
    quick = plan(six_dof, [np.zeros(6), goal], max_speeds=0.2)
    assert quick.max_accelerations().max() > 0.01


def test_joints_without_limits_move_at_most_at_the_default(lift: aw.RobotModel) -> None:
    move = plan(lift, [[0.0], [100.0], [0.0]])
    assert move.max_speeds()[0] <= 1.0 + 1e-9


def test_a_waypoint_outside_the_limits_is_named(one_joint: aw.RobotModel) -> None:
    limited = one_joint.with_position_limits([-1.0], [1.0])
    with pytest.raises(TrajectoryError, match=r"waypoint 1, joint 'only': expected -1 to 1, got 2"):
        plan(limited, [[0.0], [2.0]])
    assert plan(limited, [[-1.0], [1.0]]).position_range()[1, 0] == pytest.approx(1.0)


def test_a_curve_that_swings_over_a_limit_is_named(one_joint: aw.RobotModel) -> None:
    limited = one_joint.with_position_limits([-1.0], [1.0])
    with pytest.raises(TrajectoryError, match=r"on the way joint 'only'"):
        plan(limited, [[0.0], [0.99], [1.0], [0.99], [-1.0]])


ARM = """<robot version="1.6.0"><rigid-body mass="0" output_rot="Rx(pi/2)"/>
  <actuator type="X5-4" tag="shoulder"/>
  <rigid-body mass="{mass}" com_trans="0.3 0 0"/></robot>"""


def test_a_joint_too_weak_to_hold_the_arm_is_named() -> None:
    heavy = aw.loads(ARM.format(mass=3))
    assert heavy.gravity_efforts([0.0])[0] == pytest.approx(8.829)
    says = r"'shoulder': cannot hold the arm at .* asks for 8.8\d* and its limit is 7;"
    with pytest.raises(TrajectoryError, match=says):
        plan(heavy, [[-1.5], [1.5]])
    plan(heavy, [[-1.57], [-1.2]])  # hanging it is light enough


def test_a_move_is_slowed_down_until_its_efforts_fit() -> None:
    arm = aw.loads(ARM.format(mass=2.37))
    limit, hold = arm.max_efforts[0], arm.gravity_efforts([0.0])[0]
    assert 0.99 < hold / limit < 1.0
    light = plan(aw.loads(ARM.format(mass=0.1)), [[-0.5], [0.5]])
    move = plan(arm, [[-0.5], [0.5]])
    assert move.duration > 1.05 * light.duration
    t = np.linspace(0, move.duration, 51)
    efforts = [
        arm.gravity_efforts(q) + arm.point_mass_dynamics_efforts(q, q, v, a)
        for q, v, a in zip(*move.state(t), strict=True)
    ]
    assert np.abs(efforts).max() == pytest.approx(limit, rel=1e-6)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_letting_down_is_not_slowed_by_what_lifting_would_ask_for(side: float) -> None:
    arm = aw.loads(ARM.format(mass=2.37))  # stretched out, 1 % of its effort is left to lift
    if side < 0:
        arm = arm.with_base_frame(np.diag([1.0, -1.0, -1.0, 1.0]))  # upside down: other signs
    light = plan(aw.loads(ARM.format(mass=0.1)), [[0.0], [1.0]], max_accelerations=4.0)
    down = plan(arm, [[0.0], [-side]], max_accelerations=4.0)
    assert down.duration == pytest.approx(light.duration, rel=1e-9)
    up = plan(arm, [[-side], [0.0]], max_accelerations=4.0)
    assert up.duration == pytest.approx(light.duration, rel=1e-9)


@pytest.mark.parametrize(("beyond", "fine"), [(1e-10, True), (1e-7, False)])
def test_rounding_at_a_limit_is_no_fault(
    one_joint: aw.RobotModel, beyond: float, fine: bool
) -> None:
    limited = one_joint.with_position_limits([-1.0], [1.0])
    if fine:
        assert plan(limited, [[0.0], [1.0 + beyond]]).size == 1
        return
    with pytest.raises(TrajectoryError, match="waypoint 1, joint 'only'"):
        plan(limited, [[0.0], [1.0 + beyond]])


def test_a_joint_without_effort_to_spare_is_named() -> None:
    arm = aw.loads(ARM.format(mass=2))
    mass = 2 * arm.max_efforts[0] / arm.gravity_efforts([0.0])[0]  # all but holds it
    tight = aw.loads(ARM.format(mass=f"{mass * (1 - 1e-7):.12f}"))
    assert tight.gravity_efforts([0.0])[0] < tight.max_efforts[0]
    with pytest.raises(TrajectoryError, match="leaves nothing to move with"):
        plan(tight, [[-0.0005], [0.0005]], max_accelerations=1e9)


@pytest.mark.parametrize("bad", [[0.0] * 6, [[0.0] * 6], [[0.0] * 5] * 2, [["a"] * 6] * 2])
def test_waypoints_of_the_wrong_shape_are_refused(six_dof: aw.RobotModel, bad: object) -> None:
    with pytest.raises(TrajectoryError, match="plan, waypoints"):
        plan(six_dof, bad)  # type: ignore[arg-type]


def test_a_plan_is_a_trajectory_like_any_other(lift: aw.RobotModel) -> None:
    move = plan(lift, [[0.0], [1.0]])
    same = minimum_jerk(move.times, [[0.0], [1.0]])
    np.testing.assert_allclose(move.state(0.4)[0], same.state(0.4)[0], atol=1e-12)
