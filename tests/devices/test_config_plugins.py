"""Plug-in sections of configurations: checked like everything else in them."""

from pathlib import Path
from typing import Any

import pytest

from armwright import devices
from armwright.errors import ConfigError

HEAD = "version: 1.1\nfamilies: Arm\nnames: [x, y]\nplugins:\n"
GAINS = "gains_in_end_effector_frame: true, kp: [1, 2, 3, 4, 5, 6], kd: [0, 0, 0, 0, 0, 0]"


@pytest.fixture
def load(tmp_path: Path) -> Any:
    """Read a configuration with these plug-ins."""

    def load(*plugins: str, head: str = HEAD) -> devices.RobotConfig:
        file = tmp_path / "arm.cfg.yaml"
        lines = "".join(f"  - {{{plugin}}}\n" for plugin in plugins)
        file.write_text(head + lines, encoding="utf-8")
        return devices.load_config(file)

    return load


@pytest.mark.parametrize(
    ("plugin", "said"),
    [
        (
            "type: DoubledJoint, group_Family: A, group_name: b, index: 0",
            "unknown key 'group_Family' of DoubledJoint.*Did you mean 'group_family'",
        ),
        ("type: DoubledJoint, group_name: [a, b], index: 0", "expected one group_name, got 2"),
        ("type: DoubledJoint, group_name: b, index: 2", "expected 0 to 1, got 2"),
        ("type: DoubledJoint, group_name: b, index: 0.0", "expected 0 to 1, got 0.0"),
        ("type: DoubledJoint, group_name: b, index: 0, mirror: 1", "expected true or false, got 1"),
        ("type: DoubledJoint, group_name: x, index: 0", "module Arm/x is that of joint 0 already"),
        ("type: DoubledJoint, group_name: 5, index: 0", "group_name is a text"),
        ("type: ImpedanceController", "key kp is missing; ImpedanceController needs it"),
        (f"type: ImpedanceController, {GAINS}, ki: [1, 2]", "ki: expected 6 numbers, got 2"),
        (f"type: ImpedanceController, {GAINS}, i_clamp: 5", "i_clamp is a list"),
        (
            f"type: ImpedanceController, {GAINS}".replace("kp: [1", "kp: [-1"),
            "expected 0 or more, got -1",
        ),
        (
            f"type: ImpedanceController, {GAINS}".replace("true", "maybe"),
            "expected true or false, got maybe",
        ),
        (f"type: ImpedanceController, {GAINS}, kI: [1, 2]", "Did you mean 'ki'"),
        ("type: GravityCompensationEffort, imu_feedback_index: 2", "expected 0 to 1, got 2"),
        (
            "type: GravityCompensationEffort, imu_frame_index: -1",
            "a whole number, 0 or more, got -1",
        ),
        (
            "type: GravityCompensationEffort, imu_rotation_offset: [1, 0, 0, 0, 1, 0, 0, 0]",
            "expected 9 numbers, got 8",
        ),
        (
            "type: GravityCompensationEffort, imu_rotation_offset: [2, 0, 0, 0, 1, 0, 0, 0, 1]",
            "not a rotation",
        ),
        ("type: GravityCompensationEffort, imu_index: 0", "unknown key 'imu_index'"),
        ("type: DynamicsCompensationEffort, offset: [1, 2]", "unknown key 'offset' of Dynamics"),
        ("type: OvertorqueFaultMonitor", "key base_torque_error_limit is missing"),
        ("type: OvertorqueFaultMonitor, base_torque_error_limit: -1", "0 or more, got -1"),
        ("type: EndEffectorWrench, wrench: [1]", "unknown key 'wrench'"),
        ("type: EffortOffset, offset: [1, 2, 3]", "expected 2 numbers, got 3"),
        ("type: EffortOffset, offset: 1, ramptime: 5", "Did you mean 'ramp_time'"),
        ("type: EffortOffset, offset: 1, ramp_time: -5", "expected seconds, 0 or more, got -5"),
        ("type: EffortOffset, offset: 1, enabled: 2", "expected true or false, got 2"),
        ("Type: EffortOffset", "key type is missing.*Did you mean it by 'Type'"),
    ],
)
def test_what_is_refused(load: Any, plugin: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said) as caught:
        load(plugin)
    assert all(problem.line == 5 for problem in caught.value.problems)


@pytest.mark.parametrize(
    ("plugins", "said"),
    [
        (["type: EffortOffset, offset: 1, name: a"] * 2, "the name 'a' is that of plugins[1] too"),
        (
            ["type: GravityCompensationEffort"] * 2,
            "is there already, as plugins[1]; both would act",
        ),
        (
            [f"type: DoubledJoint, group_name: {name}, index: 0" for name in "bc"],
            "joint 0 is doubled by plugins[1] already",
        ),
        (["type: DoubledJoint, index: 0"], "key group_name is missing, so no module helps"),
        (["type: Gravity, whatever: 3"], "unknown type of plug-in 'Gravity', left alone"),
    ],
)
def test_what_is_doubtful(load: Any, plugins: list[str], said: str) -> None:
    (warning,) = load(*plugins).warnings
    assert said in warning.message


def test_the_same_second_module_of_two_joints(load: Any) -> None:
    with pytest.raises(ConfigError, match=r"module Arm/b is that of plugins\[1\] already"):
        load(*(f"type: DoubledJointMirror, group_name: b, index: {i}" for i in (0, 1)))


def test_what_is_right(load: Any) -> None:
    config = load(
        f"type: ImpedanceController, {GAINS}, ki: [0, 0, pi/2, 0, 0, 0], enabled: false",
        "type: GravityCompensationEffort, imu_feedback_index: 1, imu_frame_index: 3, "
        "imu_rotation_offset: [1, 0, 0, 0, 0, -1, 0, 1, 0]",
        "type: DoubledJoint, group_family: [Arm], group_name: [b], index: 1, mirror: no",
        "type: OvertorqueFaultMonitor, base_torque_error_limit: 12.5",
        "type: EndEffectorWrench",
    )
    assert config.warnings == ()
    impedance, gravity, doubled, monitor, wrench = config.plugins
    assert impedance.settings["ki"] == pytest.approx([0, 0, 1.5707963, 0, 0, 0])
    assert gravity.settings["imu_frame_index"] == 3
    assert doubled.settings == {
        "group_family": ["Arm"],
        "group_name": ["b"],
        "index": 1,
        "mirror": False,
    }
    assert monitor.settings["base_torque_error_limit"] == 12.5
    assert config.active() == (gravity, doubled, monitor, wrench)
    assert config.active("DoubledJoint", "ImpedanceController") == (doubled,)


def test_lifetimes_above_those_of_modules(load: Any) -> None:
    for value, warned in (("5", False), ("5.5", True), ("250", True), ("0", False)):
        config = load(head=HEAD.replace("plugins:\n", f"command_lifetime: {value}\n"))
        assert bool(config.warnings) == warned
