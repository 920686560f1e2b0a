"""One rule for masked arrays: refused by name where something is masked, else taken as they are."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices
from armwright.devices import doctor
from armwright.errors import ArmwrightError

ma: Any = np.ma  # untyped in numpy 1
HOME = np.array([0.0, 0.6, 0.9, -0.5, 0.7, 0.3])
TABLE = np.array([HOME, HOME + 0.1])
EFFORTS = np.array([15.0, 15.0, 15.0, 5.0, 5.0, 2.0])
TIMES = np.array([0.0, 1.0])
DOWN = np.array([0.0, 0.0, -9.81])


def move() -> devices.Trajectory:
    return devices.minimum_jerk(TIMES, TABLE)


def feedback(**given: Any) -> devices.GroupFeedback:
    return devices.GroupFeedback(0.0, **{"position": HOME, **given})


def info(limits: Any) -> devices.GroupInfo:
    return devices.GroupInfo(("a", "b"), ("", ""), ("", ""), limits)


def examine(model: aw.RobotModel, **options: Any) -> doctor.Diagnosis:
    with devices.simulate(model, q0=HOME) as group:
        return doctor.examine(group, model, samples=1, **options)


def diagnose(model: aw.RobotModel, **options: Any) -> doctor.Diagnosis:
    reading = doctor.StillReading(HOME, model.gravity_efforts(HOME))
    return doctor.diagnose(model, [reading], **options)


def visit(model: aw.RobotModel, poses: Any = HOME, **options: Any) -> None:
    with devices.simulate(model, q0=HOME) as group:
        list(doctor.visit(group, model, poses, samples=1, **options))


def faulty(model: aw.RobotModel) -> devices.FaultyGroup:
    return devices.FaultyGroup(devices.simulate(model))


def follow(model: aw.RobotModel, **options: Any) -> None:
    with devices.simulate(model, q0=HOME) as group:
        still = devices.minimum_jerk([0.0, 0.02], [HOME, HOME])
        devices.follow(group, model, still, settle=0.0, **options)


def contribute(model: aw.RobotModel, efforts: Any) -> None:
    with devices.simulate(model, q0=HOME) as group:
        move = devices.minimum_jerk([0.0, 0.02], [HOME, HOME])
        devices.follow(group, model, move, settle=0.0, plugins=[lambda turn: efforts])


Call = Callable[[aw.RobotModel, Any], object]

# name in the message, a good value, the call
EVERY: Sequence[tuple[str, Any, Call]] = [
    ("GroupCommand, position", HOME, lambda _, x: devices.GroupCommand(position=x)),
    ("GroupCommand, velocity", HOME, lambda _, x: devices.GroupCommand(velocity=x)),
    ("GroupCommand, effort", HOME, lambda _, x: devices.GroupCommand(effort=x)),
    ("GroupFeedback, position", HOME, lambda _, x: feedback(position=x)),
    ("GroupFeedback, velocity", HOME, lambda _, x: feedback(velocity=x)),
    ("GroupFeedback, effort", HOME, lambda _, x: feedback(effort=x)),
    ("GroupFeedback, position_command", HOME, lambda _, x: feedback(position_command=x)),
    ("GroupFeedback, velocity_command", HOME, lambda _, x: feedback(velocity_command=x)),
    ("GroupFeedback, effort_command", HOME, lambda _, x: feedback(effort_command=x)),
    ("GroupInfo, position_limits", TABLE[:, :2], lambda _, x: info(x)),
    ("times", TIMES, lambda _, x: devices.minimum_jerk(x, TABLE)),
    ("positions", TABLE, lambda _, x: devices.minimum_jerk(TIMES, x)),
    ("velocities", 0 * TABLE, lambda _, x: devices.minimum_jerk(TIMES, TABLE, x)),
    ("accelerations", 0 * TABLE, lambda _, x: devices.minimum_jerk(TIMES, TABLE, None, x)),
    ("positions", TABLE, lambda _, x: devices.estimate_times(x, 1.0)),
    ("max_speeds", HOME + 2.0, lambda _, x: devices.estimate_times(TABLE, x)),
    ("max_accelerations", HOME + 2.0, lambda _, x: devices.estimate_times(TABLE, 1.0, x)),
    ("state, t", TIMES, lambda _, x: move().state(x)),
    ("within_limits, max_speeds", HOME + 2.0, lambda _, x: move().within_limits(x)),
    ("within_limits, max_accelerations", HOME + 2.0, lambda _, x: move().within_limits(1.0, x)),
    ("plan, waypoints", TABLE, devices.plan),
    ("plan, max_speeds", HOME / 2 + 0.5, lambda m, x: devices.plan(m, TABLE, max_speeds=x)),
    ("plan, max_efforts", EFFORTS, lambda m, x: devices.plan(m, TABLE, max_efforts=x)),
    ("max_accelerations", HOME + 2.0, lambda m, x: devices.plan(m, TABLE, max_accelerations=x)),
    ("q0", HOME, lambda m, x: devices.simulate(m, q0=x)),
    ("position", HOME, lambda m, x: faulty(m).truth(x)),
    ("StillReading, position", HOME, lambda _, x: doctor.StillReading(x, HOME)),
    ("StillReading, effort", HOME, lambda _, x: doctor.StillReading(HOME, x)),
    ("StillReading, spread", HOME**2, lambda _, x: doctor.StillReading(HOME, HOME, x)),
    ("diagnose, offset", 0 * HOME, lambda m, x: diagnose(m, offset=x)),
    ("diagnose, tolerance", HOME + 1.0, lambda m, x: diagnose(m, tolerance=x)),
    ("gravity", DOWN, lambda m, x: diagnose(m, gravity=x)),
    ("poses", HOME, lambda m, x: examine(m, poses=x)),
    ("offset", 0 * HOME, lambda m, x: examine(m, offset=x)),
    ("tolerance", HOME + 1.0, lambda m, x: examine(m, tolerance=x)),
    ("gravity", DOWN, lambda m, x: examine(m, gravity=x)),
    ("visit, poses", HOME, visit),
    ("max_speeds", HOME / 2 + 0.5, lambda m, x: visit(m, HOME + 0.01, max_speeds=x)),
    ("q", HOME, doctor.tolerances_of),
    ("follow, off_track", HOME + 2.0, lambda m, x: follow(m, off_track=x)),
    ("plugin '<lambda>', efforts", HOME, contribute),
]
IDS = [f"{number}-{name}" for number, (name, _, _) in enumerate(EVERY)]


@pytest.mark.parametrize(("name", "good", "call"), EVERY, ids=IDS)
def test_something_masked_is_refused_by_name(
    six_dof: aw.RobotModel, name: str, good: Any, call: Call
) -> None:
    mask = np.zeros(good.shape, dtype=bool)
    mask.flat[-1] = True
    with pytest.raises((ArmwrightError, ValueError), match=rf"(^|\W){name}\W.*masked"):
        call(six_dof, ma.masked_array(good, mask=mask))


@pytest.mark.parametrize(("name", "good", "call"), EVERY, ids=IDS)
def test_a_masked_array_without_masked_numbers_is_an_array(
    six_dof: aw.RobotModel, name: str, good: Any, call: Call
) -> None:
    call(six_dof, ma.masked_array(good, mask=np.zeros(good.shape, dtype=bool)))
    call(six_dof, ma.masked_array(good))


def test_masked_rows_of_a_list_count_too(six_dof: aw.RobotModel) -> None:
    row = ma.masked_array(HOME, mask=HOME > 0.8)
    with pytest.raises(ValueError, match=r"plan, waypoints: expected numbers, got .*masked"):
        devices.plan(six_dof, [HOME, row])
    with pytest.raises(ValueError, match=r"GroupCommand, position: expected a row .*masked"):
        devices.GroupCommand(position=[1.0, ma.masked])
