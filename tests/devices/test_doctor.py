"""Whether the doctor finds what is wrong with an arm, and says what it cannot see."""

import itertools
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright.devices import doctor
from tests.devices.still_arms import POSES, SIX, Truth, diagnose


def test_a_sign_shows_where_twice_the_effort_is_beyond_the_tolerance(
    six_dof: aw.RobotModel,
) -> None:
    held = np.abs(six_dof.gravity_efforts(POSES[0]))
    loaded = held > 1e-6
    for part, judged in ((1.9, True), (2.1, False)):
        tolerance = np.where(loaded, part * held, 1.0)
        result = diagnose(six_dof, Truth(), POSES[:1], tolerance=tolerance)
        assert (result.sign_judged[loaded] == judged).all()


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
    np.testing.assert_allclose(result.modeled, 5.886 * np.cos([[0.2], [1.0]]), rtol=1e-12)
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
    assert result.verdict == "unclear"
    assert result.findings == ()
    assert result.beyond == ("swing",)
    assert [one.kind for (one,) in result.alternatives] == ["zero"]
    assert str(result).startswith(
        "efforts do not fit, and are too few to tell why: swing\nor: swing"
    )
    # A sign has no unknown.
    reading = doctor.StillReading([0.2], [-5.886 * np.cos(0.2)])
    result = doctor.diagnose(pendulum, [reading], tolerance=0.1)
    assert result.verdict == "explained"
    assert result.findings[0].kind == "sign"
    assert ["zero"] in [[one.kind for one in other] for other in result.alternatives]


def test_nothing_explains_what_is_no_fault_of_these(pendulum: aw.RobotModel) -> None:
    # Twice the torque at every pose is the wrong mass in the file, not at the end effector.
    readings = [doctor.StillReading([q], [2 * 5.886 * np.cos(q)]) for q in (0.2, 0.5, 1.0)]
    result = doctor.diagnose(pendulum, readings, tolerance=0.1)
    assert result.verdict == "unexplained"
    assert result.findings == ()
    assert result.alternatives == ()
    assert str(result) == "efforts do not fit, and nothing explains them: swing"


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
