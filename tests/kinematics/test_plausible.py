"""What no real robot has is found, and a sound robot has nothing to hide."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armwright.errors import ModelError
from armwright.hrdf import RigidBody, RobotDescription
from armwright.kinematics import RobotModel, loads


def robot(content: str) -> RobotModel:
    return loads(f'<robot version="1.6.0">\n{content}\n</robot>')


def texts(model: RobotModel) -> list[str]:
    return [f"{p.severity} {p.line} {p.attribute}: {p.message}" for p in model.check()]


SOUND = '<joint axis="rz"/><rigid-body mass="1" ixx="1" iyy="1" izz="1" com_trans="0.1 0 0"/>'


def test_a_sound_robot_has_no_findings() -> None:
    assert robot(SOUND).check() == ()
    assert robot("").check() == ()


@pytest.mark.parametrize(
    ("inertia", "sound"),
    [
        ((1, 1, 2, 0, 0, 0), True),  # a thin disk: 1 + 1 = 2 exactly
        ((1, 1, 2.001, 0, 0, 0), False),
        ((1, 0, 1, 0, 0, 0), True),  # a thin rod
        ((1, 1, 1, 0.5, 0, 0), True),  # moments 0.5, 1, 1.5: 0.5 + 1 = 1.5
        ((1, 1, 1, 0.6, 0, 0), False),
        ((1, 1, 1, 2, 0, 0), False),  # a negative moment
    ],
)
def test_inertia_of_one_body(inertia: Any, sound: bool) -> None:
    body = RigidBody(mass=1.0, inertia=inertia, tag="b")
    found = RobotModel(RobotDescription(elements=(body,))).check()
    assert [p.severity for p in found] == ([] if sound else ["error"])
    if not sound:
        assert "no distribution of matter has this inertia" in found[0].message


@given(points=st.lists(st.tuples(*[st.floats(-2, 2)] * 3, st.floats(0.01, 3)), min_size=1))
def test_any_cloud_of_points_is_plausible(points: list[tuple[float, ...]]) -> None:
    p, m = np.array(points)[:, :3], np.array(points)[:, 3]
    center = (m[:, None] * p).sum(axis=0) / m.sum()
    d = p - center
    tensor = sum(
        (mass * (r @ r * np.eye(3) - np.outer(r, r)) for mass, r in zip(m, d, strict=True)),
        np.zeros((3, 3)),
    )
    six: Any = tuple(tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]].tolist())
    body = RigidBody(mass=float(m.sum()), inertia=six)
    found = RobotModel(RobotDescription(elements=(body,))).check()
    assert [p for p in found if p.severity == "error"] == []


def test_masses_that_cannot_be() -> None:
    light = RigidBody(mass=-1.0, tag="b", file="a.hrdf", line=7, path="robot/rigid-body[1]")
    (one,) = RobotModel(RobotDescription(elements=(light,))).check()
    assert (one.file, one.line, one.element, one.attribute) == (
        "a.hrdf",
        7,
        "robot/rigid-body[1]",
        "mass",
    )
    assert one.message == "b: negative mass -1 kg"
    assert texts(robot('<rigid-body mass="0" ixx="1" iyy="1" izz="1"/>')) == [
        "error 2 mass: rigid-body: inertia without mass"
    ]
    assert texts(robot('<rigid-body mass="2"/>')) == [
        "warning 2 ixx: rigid-body: 2 kg without inertia counts as a point"
    ]


@pytest.mark.parametrize(
    ("content", "idle"),
    [
        ('<joint axis="rz" tag="a"/>', ["a"]),
        ('<joint axis="tz" tag="a"/>', ["a"]),
        (SOUND + '<joint axis="rz" tag="a"/><end-effector/>', ["a"]),
        (SOUND + '<joint axis="rz" tag="a"/><joint axis="ty" tag="b"/>', ["a", "b"]),
        # A point on the axis turns nothing; off the axis, or sliding, it moves.
        ('<joint axis="rz" tag="a"/><rigid-body mass="1" com_trans="0 0 1"/>', ["a"]),
        ('<joint axis="rz" tag="a"/><rigid-body mass="1" com_trans="0.1 0 1"/>', []),
        ('<joint axis="tz" tag="a"/><rigid-body mass="1"/>', []),
        # Two joints on one line share what they move: one of them has nothing of its own.
        ('<joint axis="rz" tag="a"/><joint axis="rz" tag="b"/>' + SOUND[18:], ["a"]),
    ],
)
def test_joints_that_move_nothing(content: str, idle: list[str]) -> None:
    model = robot(content)
    found = [p for p in model.check() if "moves no inertia" in p.message]
    assert sorted(p.message.split("'")[1] for p in found) == idle
    assert all(p.severity == "warning" and p.line for p in found)
    q, zero = np.full(model.dof, 0.3), np.zeros(model.dof)
    if idle:
        with pytest.raises(ModelError, match="moves no inertia"):
            model.forward_dynamics(q, zero, zero)
        loaded = model.with_joint_dynamics(rotor_inertia=0.1)
        assert not any("moves no inertia" in p.message for p in loaded.check())
    else:
        assert np.isfinite(model.forward_dynamics(q, zero, zero)).all()


def test_estimates_are_said() -> None:
    model = robot('<actuator type="X5-1"/><link type="X5" extension="0.3" twist="0" tag="tube"/>')
    found = [p for p in model.check() if "estimate" in p.message]
    assert [p.message for p in found] == ["the inertia of 1 of 2 elements is an estimate: tube"]


def test_limits_that_nobody_means() -> None:
    model = robot(SOUND)
    held = model.with_position_limits([0.5], [0.5])
    assert texts(held) == ["warning 2 : joint 'joint1' cannot move: both position limits are 0.5"]
    with pytest.warns(UserWarning, match="looks like degrees"):
        degrees = model.with_position_limits([-180], [180])
    assert texts(degrees) == [
        "warning 2 : joint 'joint1': position limits -180 and 180 rad are more than two turns. "
        "Are they in degrees?"
    ]
    assert model.with_position_limits([-12.5], [12.5]).check() == ()
    slide = robot(SOUND.replace("rz", "tz")).with_position_limits([-180], [180])
    assert slide.check() == ()


def test_configurations_beyond_the_limits(tmp_path: Any) -> None:
    path = tmp_path / "g.yaml"
    path.write_text("version: 1\nreference_configurations: {up: {joint1: 2}, down: {joint1: -1}}\n")
    model = robot(SOUND).with_groups(path).with_position_limits([-1], [1.5])
    assert texts(model) == [
        "error 2 : configuration 'up': joint 'joint1' at 2 is beyond its limits, -1 to 1.5"
    ]
