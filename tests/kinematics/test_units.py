"""Numbers in another unit, degrees, millimetres, grams, multiples of g: asked about, once."""

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import armwright as aw
from armwright import ik
from armwright.kinematics.arrays import looks_like_degrees

DEGREES = np.array([0.0, 90.0, -45.0, 0.0, 180.0, 0.0])
INFINITE = np.full(6, np.inf)


@pytest.fixture(scope="module")
def six() -> aw.RobotModel:
    return aw.load(aw.examples.path("six_dof"))


@pytest.fixture(scope="module")
def gantry() -> aw.RobotModel:
    return aw.load(aw.examples.path("gantry"))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 1, -3], False),
        ([6.28, -6.28], False),
        ([7.5, 0, 1], False),  # beyond a turn, but no round degrees
        ([10, -5, 0], True),  # round ones
        ([12.5, 0], False),
        ([12.6, 0.1], True),  # beyond two turns
        ([-90, 0.5], True),
        ([np.inf, -np.inf], False),
        ([np.inf, 90], True),
        ([1e3, -1e300], False),  # as good as no limit
        ([], False),
    ],
)
def test_what_looks_like_degrees(values: list[float], expected: bool) -> None:
    assert looks_like_degrees(np.array(values, dtype=float)) is expected


def test_slides_are_no_angles() -> None:
    slides = np.array([True, False])
    assert not looks_like_degrees(np.array([90.0, 1.0]), slides)
    assert looks_like_degrees(np.array([1.0, 90.0]), slides)
    assert looks_like_degrees(np.array([[1.0, 0.0], [0.0, 90.0]]), slides)


def test_position_limits_in_degrees_warn(six: aw.RobotModel, gantry: aw.RobotModel) -> None:
    with pytest.warns(UserWarning, match=r"position limits of joint 'J5_wrist2': 180 rad looks"):
        six.with_position_limits(-INFINITE, np.abs(DEGREES))
    six.with_position_limits(-INFINITE, INFINITE)
    six.with_position_limits([-7.5] * 6, [7.5] * 6)
    slides = gantry.joint_slides
    upper = np.where(slides, 20.0, 3.0)
    gantry.with_position_limits(-upper, upper)


@pytest.mark.parametrize("make", [np.array, list])
def test_joint_limits_in_degrees_warn(
    six: aw.RobotModel, gantry: aw.RobotModel, make: Callable[[object], object]
) -> None:
    target = ik.position([0.35, 0.1, 0.25])
    most = [90.0] * 5 + [60.0 if make is list else 45.0]  # limits are looked at when they are new
    limits = ik.joint_limits(make([-90.0] * 6), make(most))  # type: ignore[arg-type]
    with pytest.warns(UserWarning, match=r"joint_limits of joint 'J1_base': 90 rad looks") as seen:
        ik.solve(six, np.zeros(6), target, limits)
    assert seen[0].filename == __file__
    ik.solve(six, np.zeros(6), target, ik.joint_limits([-7.5] * 6, [np.inf] * 6))
    upper = np.where(gantry.joint_slides, 20.0, 3.0)
    away = ik.position(gantry.end_effector(np.full(gantry.dof, 0.1))[:3, 3])
    ik.solve(gantry, np.zeros(gantry.dof), away, ik.joint_limits(-upper, upper))


def test_seeds_in_degrees_warn(six: aw.RobotModel) -> None:
    target = ik.position([0.35, 0.1, 0.25])
    with pytest.warns(UserWarning, match=r"q0 of joint 'J5_wrist2': 180 rad looks like degrees"):
        ik.solve(six, DEGREES.tolist(), target)
    ik.solve(six, [0.0, 6.2, 0.0, -6.2, 0.0, 0.0], target)


def test_a_warning_comes_once_a_line(six: aw.RobotModel) -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("default")
        for _ in range(5):
            six.with_position_limits(-INFINITE, DEGREES + 90)
    assert len(seen) == 1
    assert "np.radians(...) gives 1.5708 3.1416 0.7854 1.5708 4.7124 1.5708" in str(seen[0].message)


def test_kinematics_calls_never_warn(six: aw.RobotModel) -> None:
    six.end_effector(DEGREES)
    six.jacobian(DEGREES.tolist())
    six.gravity_efforts(DEGREES)


@pytest.mark.parametrize(
    ("gravity", "asked"),
    [
        ((0, 0, -9810), "has length 9810: millimetres per second squared"),
        ((0, 0, -981), "millimetres per second squared"),
        ((0, 0, -1), "has length 1: was it normalized, or in g"),
        ((0, 0, 9.81), "points up: things fall along it"),
        ((1, 0, 9.7), "points up"),
    ],
)
def test_gravity_in_another_unit_or_upwards(
    six: aw.RobotModel, gravity: tuple[float, ...], asked: str
) -> None:
    calls: list[Callable[[], object]] = [
        lambda: six.gravity_efforts(np.zeros(6), gravity),
        lambda: six.inverse_dynamics(np.zeros(6), np.zeros(6), np.zeros(6), gravity),
        lambda: six.potential_energy(np.zeros(6), gravity),
    ]
    for call in calls:
        with pytest.warns(UserWarning, match=asked) as seen:
            call()
        assert seen[0].filename == __file__
    if "up" not in asked:
        with pytest.warns(UserWarning, match=asked):
            ik.least_effort(gravity=gravity)


@pytest.mark.parametrize("gravity", [(0, 0, -9.81), (0, -9.81, 0), (0, 0, -1.62), (0, 0, 0)])
def test_gravity_that_may_be_meant(six: aw.RobotModel, gravity: tuple[float, ...]) -> None:
    six.gravity_efforts(np.zeros(6), gravity)
    ik.least_effort(gravity=gravity)
    ik.least_effort(gravity=(0, 0, 9.81))


def test_payload_in_grams_or_millimetres(six: aw.RobotModel) -> None:
    with pytest.warns(UserWarning, match=r"payload mass: 500 kg at a robot of 4.45 kg: grams\?"):
        six.with_payload(500)
    with pytest.warns(UserWarning, match=r"payload com: 0 0 50 m: millimetres\?"):
        six.with_payload(0.5, (0, 0, 50))
    six.with_payload(5.0, (0, 0, 0.5))


def test_targets_in_millimetres(six: aw.RobotModel) -> None:
    message = ik.solve(six, np.zeros(6), ik.position([350, 100, 250])).message
    assert message.endswith("m: millimetres?")
    assert "millimetres" not in ik.solve(six, np.zeros(6), ik.position([2, 0, 0.2])).message


def test_examples_exist() -> None:
    assert isinstance(aw.examples.path("six_dof"), Path)
