"""Units that were mistaken: milliseconds for seconds, degrees for radians."""

import warnings
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices
from armwright.devices import FaultyGroup, follow, plan, simulate
from armwright.errors import CommandRejectedError


@pytest.mark.parametrize("around", [False, True])
def test_settings_that_modules_refuse_are_refused_in_simulation(
    six_dof: aw.RobotModel, around: bool
) -> None:
    group: Any = simulate(six_dof)
    group = FaultyGroup(group) if around else group
    group.command_lifetime, group.feedback_frequency = 5.0, 10000.0
    for bad in (5.001, 250, 250.0):
        with pytest.raises(CommandRejectedError, match=r"at most 5 s, .*in milliseconds\? Here"):
            group.command_lifetime = bad
    for bad in (10000.1, 1e6):
        with pytest.raises(CommandRejectedError, match="feedback_frequency: expected at most 1000"):
            group.feedback_frequency = bad
    assert (group.command_lifetime, group.feedback_frequency) == (5.0, 10000.0)


DEGREES = np.array([0.0, 45.0, 90.0, 0.0, 30.0, 0.0])


def test_angles_that_look_like_degrees_are_warned_about(six_dof: aw.RobotModel) -> None:
    said = r"simulate, q0 of joint 'J3_elbow': 90 rad looks like degrees"
    with pytest.warns(UserWarning, match=said) as caught:
        group = simulate(six_dof, q0=DEGREES)
    assert [one.filename for one in caught] == [__file__]
    with pytest.warns(UserWarning, match="plan, waypoints of joint .*: 90.1 rad") as caught:
        move = plan(six_dof, [DEGREES, DEGREES + 0.1])
    assert [one.filename for one in caught] == [__file__]
    with pytest.warns(UserWarning, match="follow, trajectory of joint .* rad looks like") as caught:
        follow(group, six_dof, move)
    assert [one.filename for one in caught] == [__file__]


def test_radians_and_metres_are_not_warned_about(
    six_dof: aw.RobotModel, lift: aw.RobotModel
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        simulate(six_dof, q0=np.radians(DEGREES))
        simulate(six_dof, q0=[7.3, 12.5, -12.5, 0.0, 0.0, 0.0])
        devices.plan(lift, [[0.0], [90.0]])
        simulate(lift, q0=[100.0])


def test_a_bound_that_looks_like_degrees_is_warned_about(
    six_dof: aw.RobotModel, lift: aw.RobotModel
) -> None:
    move = devices.minimum_jerk([0.0, 0.1], np.zeros((2, 6)))
    said = r"follow, off_track of joint 'J1_base': 180 rad looks like degrees"
    with pytest.warns(UserWarning, match=said) as caught:
        follow(simulate(six_dof), six_dof, move, off_track=180)
    assert [one.filename for one in caught] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        follow(simulate(six_dof), six_dof, move, off_track=np.inf)
        up = devices.minimum_jerk([0.0, 0.1], [[0.0], [0.0]])
        follow(simulate(lift), lift, up, off_track=180)  # metres
