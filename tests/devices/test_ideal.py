"""What joints do under ideal physics."""

import numpy as np
import numpy.typing as npt
import pytest

import armwright as aw
from armwright import devices
from armwright.devices import GroupCommand, simulate
from armwright.devices.simulation.ideal import SETTLING_TIME, IdealPhysics

NAN = float("nan")


def test_a_position_is_reached_at_the_speed_limit(one_joint: aw.RobotModel) -> None:
    group = simulate(one_joint)
    speed = float(one_joint.max_speeds[0])
    group.command_lifetime = 0.0
    group.send(GroupCommand(position=[-1.0]))
    feedback = group.feedback()
    assert feedback.position[0] == pytest.approx(-speed * 0.01)
    assert feedback.velocity[0] == pytest.approx(-speed)
    group.step(1.0 / speed)
    feedback = group.feedback()
    assert (feedback.position[0], feedback.velocity[0]) == (-1.0, 0.0)


def test_small_steps_are_reached_after_one_period_at_even_speed(one_joint: aw.RobotModel) -> None:
    group = simulate(one_joint)
    for i in range(1, 50):
        group.send(GroupCommand(position=[0.01 * i]))
        feedback = group.feedback()
        assert feedback.position[0] == pytest.approx(0.01 * i)
        assert feedback.velocity[0] == pytest.approx(1.0)


def test_sending_the_same_position_again_does_not_slow_down(one_joint: aw.RobotModel) -> None:
    group = simulate(one_joint)
    for _ in range(10):
        group.send(GroupCommand(position=[0.01]))
        group.step(0.001)
    assert group.feedback().position[0] == 0.01


def test_within_a_period_too_the_same_position_is_the_same_command(
    one_joint: aw.RobotModel,
) -> None:
    group = simulate(one_joint)
    group.send(GroupCommand(position=[0.01]))
    group.step(0.005)
    group.send(GroupCommand(position=[0.01]))
    assert group.feedback().position[0] == pytest.approx(0.01, abs=1e-12)


def test_a_position_takes_one_period_of_the_frequency(one_joint: aw.RobotModel) -> None:
    group = simulate(one_joint)
    group.feedback_frequency = 20.0
    group.send(GroupCommand(position=[0.02]))
    group.step(0.025)
    group.send(GroupCommand(position=[0.02]))
    group.step(0.005)
    group.feedback_frequency = 1000.0
    assert group.feedback().position[0] == pytest.approx(0.02 * 0.031 / 0.05, abs=1e-9)


def test_feed_forward_beside_a_position_changes_nothing(one_joint: aw.RobotModel) -> None:
    plain, helped = simulate(one_joint), simulate(one_joint)
    plain.send(GroupCommand(position=[0.3]))
    helped.send(GroupCommand(position=[0.3], velocity=[-1.0], effort=[2.0]))
    for _ in range(20):
        assert plain.feedback().position[0] == helped.feedback().position[0]


def test_velocities_are_kept_within_the_speed_limit(one_joint: aw.RobotModel) -> None:
    group = simulate(one_joint)
    group.send(GroupCommand(velocity=[100.0]))
    feedback = group.feedback()
    speed = one_joint.max_speeds[0]
    assert feedback.velocity[0] == feedback.velocity_command[0] == speed
    assert feedback.position[0] == pytest.approx(0.01 * speed)


def test_joints_stop_at_position_limits(one_joint: aw.RobotModel) -> None:
    limited = one_joint.with_position_limits([-0.1], [0.2])
    for command, end in (
        (GroupCommand(position=[1.0]), 0.2),
        (GroupCommand(velocity=[-1.0]), -0.1),
        (GroupCommand(effort=[5.0]), 0.2),
    ):
        group = simulate(limited)
        group.command_lifetime = 0.0
        group.send(command)
        group.step(1.0)
        feedback = group.feedback()
        assert feedback.position[0] == end
        assert feedback.velocity[0] == 0.0


def test_a_joint_leaves_its_limit_again(one_joint: aw.RobotModel) -> None:
    group = simulate(one_joint.with_position_limits([-0.1], [0.2]), q0=[0.2])
    group.send(GroupCommand(effort=[5.0]))
    group.step(0.1)
    group.send(GroupCommand(effort=[-5.0]))
    group.step(0.1)
    assert group.feedback().position[0] < 0.15


def test_joints_without_limits_work(lift: aw.RobotModel, pendulum: aw.RobotModel) -> None:
    for model in (lift, pendulum):
        assert np.isinf(model.max_speeds).all()
        group = simulate(model)
        group.send(GroupCommand(position=[7.5]))
        feedback = group.feedback()
        assert feedback.position[0] == 7.5
        assert feedback.velocity[0] == pytest.approx(750.0)
        group.send(GroupCommand(velocity=[2.0]))
        group.step(0.1)
        assert group.feedback().position[0] == pytest.approx(7.72)
        group.step(1.0)
        assert np.isfinite(group.feedback().position).all()


def test_measured_effort_is_the_holding_effort(
    lift: aw.RobotModel, pendulum: aw.RobotModel
) -> None:
    assert simulate(lift).feedback().effort[0] == pytest.approx(29.43)
    assert simulate(pendulum).feedback().effort[0] == pytest.approx(2 * 9.81 * 0.3)
    assert simulate(pendulum, q0=[np.pi]).feedback().effort[0] == pytest.approx(-2 * 9.81 * 0.3)


def test_efforts_are_kept_within_their_limits() -> None:
    heavy = aw.loads(
        """<robot version="1.6.0"><rigid-body mass="0" output_rot="Rx(pi/2)"/>
        <actuator type="X5-1"/><rigid-body mass="5" com_trans="0.5 0 0"/></robot>"""
    )
    limit = heavy.max_efforts[0]
    assert heavy.gravity_efforts([0.0])[0] > limit
    group = simulate(heavy)
    group.send(GroupCommand(position=[0.0], effort=[-50.0]))
    feedback = group.feedback()
    assert feedback.effort[0] == limit
    assert feedback.effort_command[0] == -limit


def test_the_holding_effort_alone_holds_the_arm(six_dof: aw.RobotModel) -> None:
    q0 = np.array([0.3, 0.8, -1.2, 0.4, 0.7, 0.1])
    group = simulate(six_dof, q0=q0)
    for _ in range(100):
        group.send(GroupCommand(effort=six_dof.gravity_efforts(group.feedback().position)))
    np.testing.assert_allclose(group.feedback().position, q0, atol=1e-9)


def test_without_effort_the_arm_falls_down(pendulum: aw.RobotModel) -> None:
    group = simulate(pendulum)
    group.command_lifetime = 0.0
    group.send(GroupCommand(effort=[0.0]))
    group.step(10.0)
    feedback = group.feedback()
    assert feedback.position[0] == pytest.approx(-np.pi / 2, abs=1e-3)  # com_z = 0.3 sin(q)
    assert feedback.velocity[0] == pytest.approx(0.0, abs=1e-3)


def test_a_surplus_effort_moves_a_joint_as_stated(lift: aw.RobotModel) -> None:
    physics = IdealPhysics(lift, np.zeros(1))
    damping, inertia = physics.dampings[0], physics.inertias[0]
    assert inertia == damping * SETTLING_TIME
    group = simulate(lift)
    group.command_lifetime = 0.0
    group.send(GroupCommand(effort=[29.43 + 2.0]))
    times, places, speeds = [], [], []
    for _ in range(30):
        feedback = group.feedback()
        times.append(feedback.time)
        places.append(feedback.position[0])
        speeds.append(feedback.velocity[0])
    t = np.array(times)
    exact = 2.0 / damping * (1.0 - np.exp(-t * damping / inertia))
    np.testing.assert_allclose(speeds, exact, atol=1e-9)
    way = 2.0 / damping * (t - inertia / damping * (1.0 - np.exp(-t * damping / inertia)))
    np.testing.assert_allclose(places, way, atol=1e-3 * 2.0 / damping)  # one tick of 1 ms


def test_without_limits_damping_and_settling_time_are_as_stated(lift: aw.RobotModel) -> None:
    group = simulate(lift)
    group.command_lifetime = 0.0
    group.send(GroupCommand(effort=[29.43 + 10.0]))  # 10 N more than it takes to hold
    for _ in range(10):  # 2 m/s in the end, as the damping is 5 N s/m, with 0.05 s
        feedback = group.feedback()
        exact = 2.0 * (1.0 - np.exp(-feedback.time / 0.05))
        assert feedback.velocity[0] == pytest.approx(exact, abs=1e-9)
    group.step(1.0)
    assert group.feedback().velocity[0] == pytest.approx(2.0, abs=1e-6)


def test_full_effort_without_load_is_full_speed(one_joint: aw.RobotModel) -> None:
    group = simulate(one_joint)
    group.command_lifetime = 0.0
    group.send(GroupCommand(effort=[100.0]))
    group.step(1.0)
    assert group.feedback().velocity[0] == pytest.approx(one_joint.max_speeds[0])


def test_a_limp_joint_stops_and_stays(pendulum: aw.RobotModel) -> None:
    group = simulate(pendulum)
    group.send(GroupCommand(velocity=[1.0]))
    group.step(0.1)
    group.send(GroupCommand())
    group.step(0.5)
    feedback = group.feedback()
    assert feedback.position[0] == pytest.approx(0.1)
    assert feedback.velocity[0] == 0.0
    assert np.isnan(feedback.velocity_command[0])


def test_effort_takes_over_at_the_speed_of_the_moment(lift: aw.RobotModel) -> None:
    group = simulate(lift)
    group.send(GroupCommand(velocity=[1.0]))
    group.step(0.1)
    group.send(GroupCommand(effort=[29.43]))
    feedback = group.feedback()
    assert feedback.velocity[0] == pytest.approx(np.exp(-0.01 / SETTLING_TIME))
    group.send(GroupCommand(position=[0.0]))
    group.step(0.05)
    group.send(GroupCommand(effort=[29.43]))  # it stood: nothing to slow down from
    assert group.feedback().velocity[0] == pytest.approx(0.0, abs=1e-12)


def test_the_same_calls_give_the_same_bits(six_dof: aw.RobotModel) -> None:
    def run() -> npt.NDArray[np.float64]:
        group = simulate(six_dof)
        rows = []
        for i in range(50):
            group.send(GroupCommand(effort=np.sin(i + np.arange(6))))
            rows.append(group.feedback().position)
        return np.array(rows)

    np.testing.assert_array_equal(run(), run())


def test_the_model_is_not_touched(six_dof: aw.RobotModel) -> None:
    q0 = np.zeros(6)
    group = simulate(six_dof, q0=q0)
    group.send(GroupCommand(velocity=np.ones(6)))
    feedback = group.feedback()
    group.step(0.1)
    assert (q0 == 0.0).all()
    np.testing.assert_allclose(feedback.position, 0.01)


def test_nothing_can_be_written_through_feedback(group: devices.SimulatedGroup) -> None:
    feedback = group.feedback()
    with pytest.raises(ValueError, match="read-only"):
        feedback.position[0] = 1.0
