"""Rotor inertia and friction: where they come from, what they change, what is refused."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from armwright import loads
from armwright.errors import ModelError
from armwright.kinematics import RobotModel, RobotState

MIXED = """
<robot version="1.6.0">
  <actuator type="X5-9" tag="a"/>
  <link type="X5" extension="0.3" twist="0"/>
  <actuator type="X8-3" tag="b"/>
  <rigid-body mass="1" com_trans="0.1 0.2 0.3"/>
  <joint axis="tx" tag="c"/>
  <rigid-body mass="0.5"/>
  <end-effector tag="tool"/>
</robot>
"""
BARE = ("gravity_efforts", "momentum_matrix", "potential_energy")


@pytest.fixture
def mixed() -> RobotModel:
    return loads(MIXED)


def test_a_model_has_none(robot: RobotModel) -> None:
    drives = robot.joint_dynamics
    for values in (drives.rotor_inertia, drives.damping, drives.friction):
        np.testing.assert_array_equal(values, np.zeros(robot.dof))
        with pytest.raises(ValueError, match="read-only"):
            values[...] = 1.0
    same = robot.with_joint_dynamics(rotor_inertia=0.0)
    q = np.linspace(-1, 1, robot.dof)
    assert same.mass_matrix(q).tobytes() == robot.mass_matrix(q).tobytes()


def test_from_the_catalog(mixed: RobotModel) -> None:
    drives = mixed.with_joint_dynamics("catalog").joint_dynamics
    # Estimates of the motors, 4.0e-8 and 1.5e-7 kg m^2, behind reductions of 1742.22 and 272.22.
    np.testing.assert_allclose(drives.rotor_inertia, [0.1214, 0.0111, 0], atol=5e-5)
    part = mixed.elements[0].part  # type: ignore[union-attr]
    assert part.rotor_inertia_estimated  # type: ignore[union-attr]
    assert drives.rotor_inertia[0] == part.rotor_inertia  # type: ignore[union-attr]
    said = mixed.with_joint_dynamics("catalog", rotor_inertia=[0.12, 0.01, 0]).joint_dynamics
    np.testing.assert_array_equal(said.rotor_inertia, [0.12, 0.01, 0])
    np.testing.assert_array_equal(drives.damping, [0.1, 0.5, 0])  # plain joints have none
    np.testing.assert_array_equal(drives.friction, [0.1, 0.5, 0])


def test_what_the_catalog_does_not_know() -> None:
    arm = loads('<robot version="1.6.0"><actuator type="R25-20" tag="hip"/></robot>')
    text = r"joint 'hip': nobody publishes the damping of R25-20. Say it yourself with damping="
    with pytest.raises(ModelError, match=text):
        arm.with_joint_dynamics("catalog", rotor_inertia=0)
    with pytest.raises(ModelError, match="nobody publishes the rotor_inertia of R25-20"):
        arm.with_joint_dynamics("catalog", damping=1, friction=2)
    with pytest.raises(ModelError, match="nobody publishes the friction"):
        arm.with_joint_dynamics("catalog", rotor_inertia=0.3, damping=1)
    said = arm.with_joint_dynamics("catalog", rotor_inertia=0.3, damping=1, friction=2)
    known = said.joint_dynamics
    assert (known.rotor_inertia[0], known.damping[0], known.friction[0]) == (0.3, 1.0, 2.0)


def test_what_is_not_said_stays(mixed: RobotModel) -> None:
    first = mixed.with_joint_dynamics(damping=0.5)
    second = first.with_joint_dynamics(friction=[1, 2, 3])
    np.testing.assert_array_equal(second.joint_dynamics.damping, [0.5] * 3)
    np.testing.assert_array_equal(second.joint_dynamics.friction, [1, 2, 3])
    third = mixed.with_joint_dynamics(second.joint_dynamics, rotor_inertia=1)
    np.testing.assert_array_equal(third.joint_dynamics.friction, [1, 2, 3])
    np.testing.assert_array_equal(mixed.joint_dynamics.damping, np.zeros(3))


def test_what_they_change(mixed: RobotModel) -> None:
    driven = mixed.with_joint_dynamics(rotor_inertia=[1, 2, 3], damping=0.5, friction=0.25)
    q, v, a = np.random.default_rng(2).normal(size=(3, 3))
    v[1] = 0.0  # no Coulomb friction at rest
    rotors = np.array([1.0, 2.0, 3.0])
    friction = 0.5 * v + 0.25 * np.sign(v)
    np.testing.assert_allclose(
        driven.inverse_dynamics(q, v, a),
        mixed.inverse_dynamics(q, v, a) + rotors * a + friction,
        atol=1e-13,
    )
    np.testing.assert_allclose(
        driven.bias_efforts(q, v), mixed.bias_efforts(q, v) + friction, atol=1e-13
    )
    np.testing.assert_allclose(
        driven.mass_matrix(q), mixed.mass_matrix(q) + np.diag(rotors), atol=1e-13
    )
    added = 0.5 * rotors @ v**2
    assert driven.kinetic_energy(q, v) - mixed.kinetic_energy(q, v) == pytest.approx(added)
    for name in BARE:
        np.testing.assert_array_equal(getattr(driven, name)(q), getattr(mixed, name)(q))
    np.testing.assert_array_equal(driven.coriolis(q, v), mixed.coriolis(q, v))
    np.testing.assert_array_equal(driven.inertial_parameters, mixed.inertial_parameters)


def test_other_changes_keep_them(mixed: RobotModel) -> None:
    driven = mixed.with_joint_dynamics("catalog", rotor_inertia=0.2)
    others = {
        "base": driven.with_base_frame(np.eye(4)),
        "limits": driven.with_position_limits([-1] * 3, [1] * 3),
        "payload": driven.with_payload(1.0).with_payload(0.0),
        "pickle": pickle.loads(pickle.dumps(driven)),
        "drives": driven.with_joint_dynamics(),
    }
    q, v, a = np.random.default_rng(2).normal(size=(3, 3))
    for name, other in others.items():
        tau = other.inverse_dynamics(q, v, a)
        np.testing.assert_array_equal(tau, driven.inverse_dynamics(q, v, a), err_msg=name)
    part = driven.subtree(tag="b").joint_dynamics
    np.testing.assert_array_equal(part.damping, [0.5, 0])
    np.testing.assert_array_equal(part.rotor_inertia, [0.2, 0.2])


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"damping": -1}, "damping of joint 'a': expected a finite number, 0 or more, got -1"),
        ({"friction": [0, np.nan, 0]}, "friction of joint 'b': expected a finite number"),
        ({"rotor_inertia": [0, 0, np.inf]}, "rotor_inertia of joint 'c': .* got inf"),
        ({"damping": [1, 2]}, "damping: expected one number or 3 numbers, got 2"),
        (
            {"damping": [[1, 2, 3]]},
            r"damping: expected one number or 3 numbers, got shape \(1, 3\)",
        ),
        ({"damping": "much"}, "damping: expected one number or 3 numbers, got 'much'"),
        ({"source": "maker"}, "source: expected 'catalog'"),
    ],
)
def test_what_is_refused(mixed: RobotModel, arguments: dict[str, Any], text: str) -> None:
    with pytest.raises(ModelError, match=text):
        mixed.with_joint_dynamics(**arguments)


def test_drives_of_another_robot_are_refused(mixed: RobotModel, planar: RobotModel) -> None:
    with pytest.raises(ModelError, match="source: expected drives of 3 joints, got 2"):
        mixed.with_joint_dynamics(planar.joint_dynamics)


def test_an_arm_that_ends_without_mass_names_the_cure() -> None:
    link = '<link type="X5" extension="0.3" twist="0"/>'
    parts = f'<actuator type="X8-9" tag="a"/>{link}<actuator type="X5-9"/>'
    bare = loads(f'<robot version="1.6.0">{parts}</robot>')
    zero = np.zeros(2)
    cure = r"'joint2' moves no inertia.*with_joint_dynamics\(\"catalog\"\)"
    calls: list[Callable[[], Any]] = [
        lambda: bare.forward_dynamics(zero, zero, zero),
        lambda: bare.solve_mass(zero, zero),
        lambda: RobotState(bare, zero).forward_dynamics(zero),
        lambda: RobotState(bare, zero).solve_mass(zero),
    ]
    for call in calls:
        with pytest.raises(ModelError, match=cure):
            call()
    cured = bare.with_joint_dynamics("catalog")
    assert np.isfinite(cured.forward_dynamics(zero, zero, zero)).all()
