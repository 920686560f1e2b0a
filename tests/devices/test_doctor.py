"""Whether the doctor finds what is wrong with an arm, and says what it cannot see.

What the arm measures is computed by the slow twin in ``tests/oracles.py`` from the truth: where
the joints really are, what hangs on them, and which signs the modules get wrong.
"""

import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import armwright as aw
from armwright.devices import doctor
from armwright.devices.explain import Evidence, Fault
from armwright.errors import CommandRejectedError, ModelError
from tests import oracles

FloatArray = npt.NDArray[np.float64]

G = np.array([0.0, 0.0, -9.81])
SIX = ("J1_base", "J2_shoulder", "J3_elbow", "J4_wrist1", "J5_wrist2", "J6_wrist3")
POSES = np.array(
    [
        [0.0, 0.6, 0.9, -0.5, 0.7, 0.3],
        [0.2, 0.9, 0.4, -0.1, 0.2, 0.0],
        [-0.3, 0.3, 1.3, 0.4, 1.1, -0.5],
        [0.0, 1.0, 1.5, -0.9, -0.6, 0.9],
    ]
)


@dataclass
class Truth:
    """What an arm really is, and what its modules get wrong."""

    sign: tuple[int, ...] = ()
    direction: tuple[int, ...] = ()
    zero: dict[int, float] = field(default_factory=dict)
    mass: float = 0.0
    com: tuple[float, float, float] = (0.0, 0.0, 0.0)
    gravity: FloatArray = field(default_factory=lambda: G)

    def read(self, model: aw.RobotModel, reported: FloatArray) -> doctor.StillReading:
        """Return what the modules report where they report these positions."""
        turn, push, shift = np.ones(model.dof), np.ones(model.dof), np.zeros(model.dof)
        for i in self.direction:
            turn[i] = push[i] = -1.0
        for i in self.sign:
            push[i] = -1.0
        for i, zero in self.zero.items():
            shift[i] = zero
        frames = oracles.frames(model.description, turn * reported + shift)
        torque = np.zeros(model.dof)
        for frame in frames["com"]:
            torque -= frame.jacobian(model.dof)[:3].T @ (frame.mass * self.gravity)
        if self.mass:
            ends = [i for i, e in enumerate(model.elements) if e.kind == "end-effector"]
            carried = frames["input"][ends[0]]
            T_world_com = carried.T_world_frame.copy()
            T_world_com[:3, 3] += T_world_com[:3, :3] @ self.com
            at_com = oracles.Frame(T_world_com, carried.joints)
            torque -= at_com.jacobian(model.dof)[:3].T @ (self.mass * self.gravity)
        return doctor.StillReading(reported, push * torque)

    def readings(self, model: aw.RobotModel, poses: FloatArray) -> list[doctor.StillReading]:
        return [self.read(model, pose) for pose in np.atleast_2d(poses)]


def diagnose(
    model: aw.RobotModel, truth: Truth, poses: FloatArray = POSES, **options: Any
) -> doctor.Diagnosis:
    options.setdefault("tolerance", 0.02)
    return doctor.diagnose(model, truth.readings(model, poses), **options)


def test_a_good_arm_fits(six_dof: aw.RobotModel) -> None:
    result = diagnose(six_dof, Truth())
    assert result.verdict == "fits"
    assert (result.findings, result.alternatives, result.beyond) == ((), (), ())
    np.testing.assert_allclose(result.differences, 0, atol=1e-9)
    # J1 stands upright, and all that J6 turns lies on its axis: nothing can be said of them.
    assert result.not_judged == ("J1_base", "J6_wrist3")
    assert result.sign_judged.tolist() == [False, True, True, True, True, False]
    assert str(result).splitlines() == [
        "every effort fits the model",
        "cannot be judged at these poses: J1_base, J6_wrist3",
    ]


@pytest.mark.parametrize("joint", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["sign", "direction"])
def test_a_wrong_sign_is_found(six_dof: aw.RobotModel, kind: Any, joint: int) -> None:
    truth = Truth(sign=(joint,)) if kind == "sign" else Truth(direction=(joint,))
    result = diagnose(six_dof, truth)
    assert result.verdict == "explained"
    (found,) = result.findings
    assert (found.kind, found.index, found.name) == (kind, joint, SIX[joint])
    assert np.isnan(found.value)
    # -cos(-q + c) is cos(q + c + d) for some d: the last joint that gravity loads might as well
    # have a wrong zero, unless the others show the difference.
    others = [[(one.kind, one.index) for one in other] for other in result.alternatives]
    assert others == ([[("zero", 4)]] if (kind, joint) == ("direction", 4) else [])
    np.testing.assert_allclose(result.leftover, 0, atol=1e-9)


@pytest.mark.parametrize(("joint", "zero"), [(1, 0.1), (2, -0.25), (3, 0.4), (4, -1.2), (2, 3.0)])
def test_a_wrong_zero_is_found(six_dof: aw.RobotModel, joint: int, zero: float) -> None:
    result = diagnose(six_dof, Truth(zero={joint: zero}))
    (found,) = result.findings
    assert (found.kind, found.index, found.unit) == ("zero", joint, "rad")
    assert found.value == pytest.approx(zero, abs=1e-7)
    assert 0 < found.spread < 0.15
    assert result.alternatives == ()


def test_a_payload_is_found_with_its_center(six_dof: aw.RobotModel) -> None:
    com = (0.02, -0.03, 0.11)
    result = diagnose(six_dof, Truth(mass=0.7, com=com))
    (found,) = result.findings
    assert (found.kind, found.index, found.unit) == ("payload", 0, "kg")
    assert found.name == "end effector probe"
    assert found.value == pytest.approx(0.7, abs=1e-9)
    assert found.com == pytest.approx(com, abs=1e-8)
    assert set(result.beyond) == {*SIX[1:]}  # off the axis of J6, so it shows there too
    assert "it carries 0.700 kg" in str(found)
    assert "(0.020, -0.030, 0.110) m" in str(found)
    assert found.advice.startswith("model.with_payload(0.700, com=[0.020, -0.030, 0.110])")


def test_a_missing_tool_is_less_mass(six_dof: aw.RobotModel) -> None:
    # The model has 0.5 kg in hand that the arm does not carry.
    readings = Truth().readings(six_dof, POSES)
    model = six_dof.with_payload(0.5, com=(0, 0, 0.08))
    result = doctor.diagnose(model, readings, tolerance=0.02)
    (found,) = result.findings
    assert found.value == pytest.approx(-0.5, abs=1e-9)
    assert found.com == pytest.approx((0, 0, 0.08), abs=1e-8)
    assert "0.500 kg" in str(found)
    assert "less than the model" in str(found)


def test_one_pose_tells_the_mass_but_not_the_whole_center(six_dof: aw.RobotModel) -> None:
    result = diagnose(six_dof, Truth(mass=0.7), POSES[0])
    (found,) = result.findings
    assert found.value == pytest.approx(0.7, abs=1e-6)
    assert found.com is not None
    assert np.isnan(found.com).any()
    assert "?" in found.advice


@pytest.mark.parametrize(
    "truth",
    [
        Truth(zero={2: 0.3}, mass=0.5, com=(0.01, 0.02, 0.06)),
        Truth(sign=(1,), zero={3: -0.4}),
        Truth(direction=(2,), mass=0.8),
        Truth(direction=(4,), sign=(2,)),
        Truth(zero={1: 0.2, 2: -0.3}),
        Truth(sign=(1,), direction=(3,), zero={4: 0.5}),
        Truth(zero={1: -0.1, 3: 0.5}, mass=1.0, com=(0.0, 0.03, 0.1)),
        Truth(direction=(2,), zero={2: 0.25}),
    ],
)
def test_faults_together_are_found(six_dof: aw.RobotModel, truth: Truth) -> None:
    result = diagnose(six_dof, truth)
    found = {(one.kind, one.index): one for one in result.findings}
    wanted = {("sign", i) for i in truth.sign} | {("direction", i) for i in truth.direction}
    wanted |= {("zero", i) for i in truth.zero} | ({("payload", 0)} if truth.mass else set())
    assert set(found) == wanted
    for joint, zero in truth.zero.items():
        assert found["zero", joint].value == pytest.approx(zero, abs=1e-6)
    if truth.mass:
        assert found["payload", 0].value == pytest.approx(truth.mass, abs=1e-6)
        assert found["payload", 0].com == pytest.approx(truth.com, abs=1e-6)
    np.testing.assert_allclose(result.leftover, 0, atol=1e-6)


def test_a_pendulum_by_hand(pendulum: aw.RobotModel) -> None:
    # 2 kg at 0.3 m: 5.886 N m times the cosine. Reported at 0.2 and 1.0, really 0.5 further.
    readings = [
        doctor.StillReading([0.2], [5.886 * np.cos(0.7)]),
        doctor.StillReading([1.0], [5.886 * np.cos(1.5)]),
    ]
    result = doctor.diagnose(pendulum, readings, tolerance=0.1)
    np.testing.assert_allclose(result.modelled, 5.886 * np.cos([[0.2], [1.0]]), rtol=1e-12)
    (found,) = result.findings
    assert found.kind == "zero"
    assert found.value == pytest.approx(0.5)
    slopes = 5.886 * np.sin([0.7, 1.5]) / 0.1
    assert found.spread == pytest.approx(1 / np.linalg.norm(slopes), rel=1e-4)
    assert str(found) == "swing: its zero is off; add +28.6 deg (within 0.8) to what it reads"
    flipped = [doctor.StillReading(one.position, -one.effort) for one in readings]
    result = doctor.diagnose(pendulum, flipped, tolerance=0.1)
    assert result.verdict == "explained"
    assert result.findings[0].value == pytest.approx(0.5 - np.pi)


def test_a_fit_without_a_spare_effort_is_none(pendulum: aw.RobotModel) -> None:
    # One number can always be explained by one unknown, which shows nothing.
    reading = doctor.StillReading([0.2], [5.886 * np.cos(0.7)])
    result = doctor.diagnose(pendulum, [reading], tolerance=0.1)
    assert result.verdict == "unexplained"
    assert result.findings == ()
    assert result.beyond == ("swing",)
    assert "nothing explains them: swing" in str(result)
    # A sign has no unknown.
    reading = doctor.StillReading([0.2], [-5.886 * np.cos(0.2)])
    assert doctor.diagnose(pendulum, [reading], tolerance=0.1).findings[0].kind == "sign"


def test_what_poses_do_not_tell_apart_is_named(six_dof: aw.RobotModel) -> None:
    at_zero = np.zeros((1, 6))
    result = diagnose(six_dof, Truth(sign=(1,)), at_zero)
    assert [one.kind for one in result.findings] == ["sign"]
    assert [[one.kind for one in other] for other in result.alternatives] == [["direction"]]
    assert result.alternatives[0][0].index == 1
    assert "\nor: J2_shoulder: it counts backwards" in str(result)
    bent = POSES[:1]
    assert diagnose(six_dof, Truth(sign=(1,)), bent).alternatives == ()


def test_what_would_show_is_what_shows(six_dof: aw.RobotModel) -> None:
    limits = diagnose(six_dof, Truth()).smallest_zeros
    assert np.isinf(limits[[0, 5]]).all()
    for joint, part in itertools.product(range(1, 5), (0.85, 1.15)):
        result = diagnose(six_dof, Truth(zero={joint: part * float(limits[joint])}))
        assert bool(result.beyond) == (part > 1), (joint, part)
    mass = diagnose(six_dof, Truth()).smallest_payload
    assert diagnose(six_dof, Truth(mass=0.99 * mass)).verdict == "fits"
    assert diagnose(six_dof, Truth(mass=1.01 * mass)).verdict == "explained"


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


def test_tolerances_come_from_the_catalogue(six_dof: aw.RobotModel, root: Any) -> None:
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
        effort[2] = -six_dof.max_efforts[2]  # at its peak: it may be more in truth
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
    for name in ("q", "measured", "modelled", "tolerances", "used", "leftover", "sign_judged"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(result, name)[...] = 0
    with pytest.raises(ValueError, match="read-only"):
        result.smallest_zeros[...] = 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"tolerance": 0}, "tolerance: expected more than 0, got"),
        ({"tolerance": [1, 2]}, r"tolerance: expected one finite number or 6, got \[1, 2\]"),
        ({"offset": "much"}, "offset: expected one finite number or 6, got 'much'"),
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
