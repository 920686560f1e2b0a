"""The doctor on noisy, other and odd arms, and what it refuses."""

from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright.devices import doctor
from armwright.devices.doctor.evidence import Evidence, Fault
from armwright.errors import CommandRejectedError, ModelError
from tests.devices.still_arms import POSES, Truth, diagnose


def test_friction_and_noise_of_real_modules_are_no_fault(six_dof: aw.RobotModel) -> None:
    rng = np.random.default_rng(5)
    clean = Truth().readings(six_dof, POSES)
    friction = np.array([0.5, 0.5, 0.5, 0.1, 0.1, 0.1])
    noisy = [
        doctor.StillReading(
            one.position, one.effort * 1.03 + 0.9 * friction * rng.uniform(-1, 1, 6)
        )
        for one in clean
    ]
    assert doctor.diagnose(six_dof, noisy).verdict == "fits"
    # What noise there was in the samples is allowed for as well.
    shaken = [doctor.StillReading(POSES[0], clean[0].effort + 0.25, [0.1] * 6)]
    assert doctor.diagnose(six_dof, shaken, tolerance=0.02).verdict == "fits"
    shaken = [doctor.StillReading(POSES[0], clean[0].effort + 0.25, [0.01] * 6)]
    assert doctor.diagnose(six_dof, shaken, tolerance=0.02).verdict != "fits"


@pytest.mark.parametrize("seed", range(6))
def test_large_faults_are_found_in_noise(six_dof: aw.RobotModel, seed: int) -> None:
    rng = np.random.default_rng(seed)
    friction = np.array([0.5, 0.5, 0.5, 0.1, 0.1, 0.1])
    readings = [
        doctor.StillReading(one.position, one.effort + 0.5 * friction * rng.uniform(-1, 1, 6))
        for one in Truth(zero={2: 0.6}).readings(six_dof, POSES)
    ]
    result = doctor.diagnose(six_dof, readings)
    assert result.findings[0].kind == "zero"
    assert result.findings[0].index == 2
    assert abs(result.findings[0].value - 0.6) < result.findings[0].spread < 0.15


def test_tolerances_come_from_the_catalog(six_dof: aw.RobotModel, root: Any) -> None:
    efforts = np.abs(six_dof.gravity_efforts(POSES[0]))
    wanted = np.array([0.5, 0.5, 0.5, 0.1, 0.1, 0.1]) + 0.05 * efforts
    np.testing.assert_allclose(doctor.tolerances_of(six_dof, POSES[0]), wanted)
    seven = aw.load(root / "examples" / "arms" / "seven_dof.hrdf")
    # Nobody publishes the friction of an R25-20: 5 % of 20 N m. R8: 0.5.
    bare = doctor.tolerances_of(seven, np.zeros(7)) - 0.05 * np.abs(
        seven.gravity_efforts([0.0] * 7)
    )
    np.testing.assert_allclose(bare, [1, 2, 1, 0.5, 0.5, 0.5, 0.5])
    lift = aw.loads('<robot version="1.6.0"><joint axis="tz"/><rigid-body mass="1"/></robot>')
    assert doctor.tolerances_of(lift, [0.0]) == pytest.approx([0.5 + 0.05 * 9.81])


def test_efforts_that_say_nothing_are_not_used(six_dof: aw.RobotModel) -> None:
    readings = []
    for one in Truth().readings(six_dof, POSES):
        effort = one.effort.copy()
        effort[1] = np.nan  # not reported
        effort[2] = np.inf
        effort[3] = 99.0  # left out
        readings.append(doctor.StillReading(one.position, effort))
    result = doctor.diagnose(six_dof, readings, ignore=["J4_wrist1"], tolerance=0.02)
    assert result.verdict == "fits"
    assert not result.used[:, 1:4].any()
    assert result.used[:, 4].all()
    assert np.isnan(result.leftover[:, 1:4]).all()
    assert not result.sign_judged[[1, 2, 3]].any()
    assert doctor.diagnose(six_dof, readings, ignore=[3], tolerance=0.02).verdict == "fits"


def test_what_something_else_adds_is_no_fault(six_dof: aw.RobotModel) -> None:
    spring = np.array([0, -7.0, 0, 0, 0, 0])
    readings = [
        doctor.StillReading(one.position, one.effort + spring)
        for one in Truth().readings(six_dof, POSES)
    ]
    assert doctor.diagnose(six_dof, readings, offset=spring, tolerance=0.02).verdict == "fits"
    assert doctor.diagnose(six_dof, readings, tolerance=0.02).verdict != "fits"


def test_another_gravity(six_dof: aw.RobotModel) -> None:
    sideways = np.array([9.81, 0.0, 0.0])
    truth = Truth(zero={0: 0.3}, gravity=sideways)
    result = diagnose(six_dof, truth, gravity=sideways)
    (found,) = result.findings  # J1 is loaded now, and can be judged
    assert found.index == 0
    assert found.value == pytest.approx(0.3)
    assert "J1_base" not in result.not_judged


def test_a_joint_behind_gears() -> None:
    # q counts three times as fast as the lever turns: 4 kg at 0.5 m, then 1 kg on a second joint.
    model = aw.loads(
        '<robot version="1.6.0"><joint axis="ry" gear_ratio="3" tag="geared"/>'
        '<rigid-body mass="4" com_trans="0.5 0 0" output_trans="1 0 0"/>'
        '<joint axis="ry" tag="end"/><rigid-body mass="1" com_trans="0.3 0 0"/></robot>'
    )
    poses = np.array([[0.3, 0.4], [1.5, -0.2], [-1.0, 1.0]])
    result = doctor.diagnose(model, Truth(zero={0: 1.2}).readings(model, poses), tolerance=0.05)
    assert result.findings[0].name == "geared"
    assert result.findings[0].value == pytest.approx(1.2)


def test_a_slide_that_carries_a_turn() -> None:
    # The slide moves the load along the lever: its zero shows in the joint before it alone.
    model = aw.loads(
        '<robot version="1.6.0"><joint axis="ry" tag="turn"/><rigid-body mass="1" '
        'com_trans="0.2 0 0"/><joint axis="tx" tag="slide"/><rigid-body mass="2"/></robot>'
    )
    poses = np.array([[0.3, 0.4], [-0.5, 0.1], [0.8, 0.6]])
    result = doctor.diagnose(model, Truth(zero={1: 0.05}).readings(model, poses), tolerance=0.02)
    (found,) = result.findings
    assert (found.kind, found.name, found.unit) == ("zero", "slide", "m")
    assert found.value == pytest.approx(0.05)
    assert "add +0.0500 m" in str(found)
    assert result.units == ("N m", "N")
    limit = result.smallest_zeros[1]  # 2 kg, 9.81, at most cos(0.3) of it: 0.02 N m
    assert limit == pytest.approx(0.02 / (2 * 9.81 * np.cos(0.3)), rel=0.1)


def test_a_payload_far_from_the_hand_is_no_explanation(six_dof: aw.RobotModel) -> None:
    result = diagnose(six_dof, Truth(mass=0.7, com=(0.0, 0.0, 0.7)))
    assert not any(one.kind == "payload" for one in result.findings)


def test_two_end_effectors(root: Any) -> None:
    model = aw.load(root / "examples" / "arms" / "two_armed.hrdf")
    poses = np.random.default_rng(2).uniform(-1, 1, (4, 9))
    loaded = model.with_payload(0.6, com=(0.01, 0.0, 0.05), tag="right_gripper")
    readings = [doctor.StillReading(q, loaded.gravity_efforts(q)) for q in poses]
    result = doctor.diagnose(model, readings, tolerance=0.02)
    (found,) = result.findings
    assert (found.kind, found.index, found.name) == ("payload", 1, "end effector right_gripper")
    assert found.value == pytest.approx(0.6)


def test_payloads_are_looked_for_through_the_jacobian(six_dof: aw.RobotModel) -> None:
    # The regressor against a model that has the payload.
    evidence = Evidence(
        model=six_dof,
        Q=POSES,
        measured=np.zeros((4, 6)),
        tolerances=np.ones((4, 6)),
        used=np.ones((4, 6), dtype=bool),
        peak_signs=np.zeros((4, 6)),
        gravity=np.array([1.0, 2.0, -9.0]),
        scales=np.ones(6),
        slides=np.zeros(6, dtype=bool),
        ends=(len(six_dof.elements) - 1,),
    )
    Y = evidence.regressors([Fault("payload", 0)], np.zeros((1, 0)))[0]
    com = np.array([0.03, -0.02, 0.1])
    loaded = six_dof.with_payload(0.4, com).gravity_efforts(POSES, [1.0, 2.0, -9.0])
    alone = six_dof.gravity_efforts(POSES, [1.0, 2.0, -9.0])
    np.testing.assert_allclose(Y @ [0.4, *(0.4 * com)], loaded - alone, atol=1e-12)


def test_modules_have_names_of_their_own(six_dof: aw.RobotModel) -> None:
    names = [f"module{i}" for i in range(6)]
    result = diagnose(six_dof, Truth(sign=(2,)), names=names)
    assert result.findings[0].name == "module2"
    assert result.names == tuple(names)


def test_arrays_cannot_be_written(six_dof: aw.RobotModel) -> None:
    result = diagnose(six_dof, Truth())
    for name in ("q", "measured", "modeled", "tolerances", "used", "leftover", "sign_judged"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(result, name)[...] = 0
    with pytest.raises(ValueError, match="read-only"):
        result.smallest_zeros[...] = 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"tolerance": 0}, "tolerance: expected more than 0, got"),
        ({"tolerance": [1, 2]}, "tolerance: expected one number or 6 numbers, got 2"),
        ({"offset": "much"}, "offset: expected one number or 6 numbers, got 'much'"),
        ({"ignore": ["J2_sholder"]}, "no joint 'J2_sholder'. Known: .* Did you mean 'J2_shoulder'"),
        ({"ignore": [6]}, "there is no joint 6"),
        ({"names": ["a"]}, "names: expected 6, got 1"),
    ],
)
def test_what_is_refused(six_dof: aw.RobotModel, options: dict[str, Any], said: str) -> None:
    with pytest.raises(CommandRejectedError, match=said):
        diagnose(six_dof, Truth(), **options)


def test_readings_that_are_refused(six_dof: aw.RobotModel, pendulum: aw.RobotModel) -> None:
    with pytest.raises(CommandRejectedError, match="expected at least one reading, got none"):
        doctor.diagnose(six_dof, [])
    with pytest.raises(CommandRejectedError, match="reading 0: expected 1 joints, got 6"):
        doctor.diagnose(pendulum, Truth().readings(six_dof, POSES))
    with pytest.raises(ModelError, match="gravity"):
        diagnose(six_dof, Truth(), gravity=[1, 2])


@pytest.mark.parametrize(
    ("finding", "said", "advice"),
    [
        (
            doctor.Finding("direction", "elbow", 2),
            "elbow: it counts backwards, position and effort have the wrong sign",
            "the sign of its axis",
        ),
        (
            doctor.Finding("zero", "elbow", 2, 0.1, np.inf, None, "rad"),
            "elbow: its zero is off; add about +5.7 deg to what it reads",
            "set the zero of the module anew",
        ),
        (
            doctor.Finding("payload", "hand", 0, 0.5, np.inf, (np.nan,) * 3, "kg"),
            "hand: the load differs from the model's, there is probably more",
            "model.with_payload(0.500, com=[?, ?, ?])",
        ),
        (
            doctor.Finding("payload", "hand", 0, -0.5, 0.01, (0.1, np.nan, -1e-9), "kg"),
            "hand: it carries 0.500 kg (within 0.010) less than the model; its center of mass "
            "at (0.100, ?, 0.000) m",
            "take out of the file what the arm does not carry",
        ),
    ],
)
def test_words_of_findings(finding: doctor.Finding, said: str, advice: str) -> None:
    assert str(finding) == said
    assert advice in finding.advice
