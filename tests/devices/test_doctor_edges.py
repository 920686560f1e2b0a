"""The doctor at the edge of the tolerance, without evidence, and with odd arguments."""

from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices
from armwright.devices import doctor
from armwright.devices.doctor.levelling import level_step
from armwright.errors import CommandRejectedError, DeviceError
from tests.devices.still_arms import POSES, FloatArray, Truth, diagnose
from tests.devices.test_still import HOME, Watched


@pytest.mark.parametrize("name", ["gripper_arm", "seven_dof", "six_dof"])
@pytest.mark.parametrize("kind", ["sign", "direction", "zero", "payload"])
def test_the_truth_is_named_however_efforts_are_off_within_the_tolerance(
    name: str, kind: str, root: Any
) -> None:
    # Least squares left a residual of 1.0 to 1.5 tolerances here, and payloads and zeros that
    # were the truth seemed refuted: three wrong faults were the finding.
    model = aw.load(root / "examples" / "arms" / f"{name}.hrdf")
    rng = np.random.default_rng(19)
    for _ in range(4):
        joint = int(rng.integers(1, model.dof - 1))
        truth = {
            "sign": Truth(sign=(joint,)),
            "direction": Truth(direction=(joint,)),
            "zero": Truth(zero={joint: float(rng.uniform(0.3, 0.8))}),
            "payload": Truth(mass=float(rng.uniform(0.5, 2.0))),
        }[kind]
        readings = []
        for one in truth.readings(model, rng.uniform(-1.5, 1.5, (4, model.dof))):
            noise = rng.uniform(-0.99, 0.99, model.dof)
            within = noise * doctor.tolerances_of(model, one.position)
            readings.append(doctor.StillReading(one.position, one.effort + within))
        result = doctor.diagnose(model, readings)
        if result.verdict == "fits":
            continue  # a joint that holds next to nothing at these poses
        sets = [
            [(fault.kind, 0 if kind == "payload" else fault.index) for fault in found]
            for found in (result.findings, *result.alternatives)
        ]
        assert [(kind, 0 if kind == "payload" else joint)] in sets
        assert np.nanmax(np.abs(result.leftover) / result.tolerances) <= 1.0 + 1e-12


def test_residuals_are_levelled() -> None:
    # The best line through 0, 0, 3 at 0, 1, 2 is off by 0.75 everywhere; least squares by 1.
    J = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    residuals: FloatArray = np.array([0.0, 0.0, 12.0])  # so that no step is within a tolerance
    left = residuals - J @ level_step(residuals, J)
    np.testing.assert_allclose(np.abs(left), 3.0, rtol=1e-3)
    # Within the tolerances it stops at least squares.
    small = residuals / 40
    step = level_step(small, J)
    np.testing.assert_allclose(step, np.linalg.lstsq(J, small, rcond=None)[0], atol=1e-12)


@pytest.mark.parametrize("effort", [np.full(6, np.nan), np.full(6, np.inf), np.full(6, -1e300)])
def test_without_efforts_nothing_fits(six_dof: aw.RobotModel, effort: Any) -> None:
    result = doctor.diagnose(six_dof, [doctor.StillReading(HOME, effort)])
    assert not result.used.any()
    assert result.verdict == "unseen"
    assert str(result).startswith("no effort to judge by")
    at_peaks = doctor.diagnose(six_dof, [doctor.StillReading(HOME, [99.0] * 6)])
    assert at_peaks.verdict == "unexplained"
    left_out = diagnose(six_dof, Truth(sign=(1,)), ignore=list(range(6)))
    assert left_out.verdict == "unseen"


def test_efforts_at_the_peak_may_be_more_but_not_less(six_dof: aw.RobotModel) -> None:
    peaks = six_dof.max_efforts
    # 30 kg: four joints are at their peaks (one is left out), and the other two say nothing.
    held = six_dof.with_payload(30.0).gravity_efforts(HOME)
    at_peak = np.abs(held) >= peaks
    assert at_peak.tolist() == [False, True, True, True, True, False]
    reading = doctor.StillReading(HOME, np.clip(held, -peaks, peaks))
    ignored = doctor.diagnose(six_dof, [reading], tolerance=0.02, ignore=[1, 2, 3, 4])
    assert ignored.verdict == "fits"
    result = doctor.diagnose(six_dof, [reading], tolerance=0.02, ignore=[4])
    assert result.at_peak[0].tolist() == [False, True, True, True, False, False]
    assert not result.used[0, 1:5].any()
    assert result.beyond == ("J2_shoulder", "J3_elbow", "J4_wrist1")
    assert result.verdict == "unexplained"
    # A model that expects as much, or more, is right as far as one can see.
    for mass in (29.0, 30.0, 60.0):
        heavy = six_dof.with_payload(mass)
        assert doctor.diagnose(heavy, [reading], tolerance=0.02, ignore=[4]).verdict == "fits"
    # What explains the other efforts must reach the peak as well.
    readings = []
    for pose in POSES:
        effort = six_dof.with_payload(1.5).gravity_efforts(pose)
        readings.append(doctor.StillReading(pose, effort))
    found = doctor.diagnose(six_dof, readings, tolerance=0.02)
    assert [one.kind for one in found.findings] == ["payload"]
    stuck = [doctor.StillReading(one.position, one.effort.copy()) for one in readings]
    effort = stuck[0].effort.copy()
    effort[2] = peaks[2]
    stuck[0] = doctor.StillReading(POSES[0], effort)
    result = doctor.diagnose(six_dof, stuck, tolerance=0.02)
    assert "J3_elbow" in result.beyond
    assert [one.kind for one in result.findings] != ["payload"]


def test_an_arm_without_joints_fits() -> None:
    model = aw.loads('<robot version="1.6.0"><end-effector/></robot>')
    assert doctor.diagnose(model, [doctor.StillReading([], [])]).verdict == "fits"
    with devices.simulate(model) as group:
        assert doctor.examine(group, model).smallest_payload == np.inf


def test_nothing_is_sent_from_an_unknown_position(six_dof: aw.RobotModel) -> None:
    def silent(count: int, feedback: devices.GroupFeedback) -> devices.GroupFeedback:
        position = feedback.position.copy()
        position[2] = np.nan if count == 1 else position[2]
        return devices.GroupFeedback(feedback.time, position, effort=feedback.effort)

    group = Watched(devices.simulate(six_dof, q0=HOME), silent)
    with pytest.raises(DeviceError, match="moving the arm: J3_elbow did not report a position"):
        doctor.examine(group, six_dof, poses=HOME + 0.5)
    assert group.sent == []


@pytest.mark.parametrize(
    ("poses", "said"),
    [
        ([[0.0] * 5], r"expected shape \(..., 6\), got \(1, 5\)"),
        ([], r"expected shape \(..., 6\), got \(0,\)"),
        (np.zeros((0, 6)), r"rows of 6 joint positions, got shape \(0, 6\)"),
        (np.zeros((1, 1, 6)), r"got shape \(1, 1, 6\)"),
        ("home", r"expected numbers of shape \(..., 6\), got 'home'"),
        ([[0.0] * 5 + [np.nan]], "expected finite numbers"),
    ],
)
def test_poses_that_are_refused(six_dof: aw.RobotModel, poses: Any, said: str) -> None:
    group = Watched(devices.simulate(six_dof, q0=HOME))
    with pytest.raises(CommandRejectedError, match=f"visit, poses: .*{said}"):
        doctor.examine(group, six_dof, poses=poses)
    assert group.sent == []


def test_readings_of_any_kind(six_dof: aw.RobotModel) -> None:
    reading = Truth(sign=(1,)).read(six_dof, POSES[0])
    one = doctor.diagnose(six_dof, reading, tolerance=0.02)  # type: ignore[arg-type]
    assert one.findings[0].kind == "sign"
    lazily = (Truth(sign=(1,)).read(six_dof, pose) for pose in POSES)
    many = doctor.diagnose(six_dof, lazily, tolerance=0.02)  # type: ignore[arg-type]
    assert many.q.shape == (4, 6)
    with pytest.raises(CommandRejectedError, match="expected StillReadings, got 3"):
        doctor.diagnose(six_dof, [3])  # type: ignore[list-item]


def test_joints_to_ignore(six_dof: aw.RobotModel) -> None:
    for ignore in ("J2_shoulder", [1], [np.int64(1)], ["J2_shoulder"]):
        result = diagnose(six_dof, Truth(), ignore=ignore)
        assert result.used.all(axis=0).tolist() == [True, False, True, True, True, True]


@pytest.mark.parametrize(
    ("spread", "said"),
    [([-0.1] * 6, "spread, joint 0: expected 0 or more"), ([np.inf] * 6, "spread")],
)
def test_spreads_that_are_refused(spread: list[float], said: str) -> None:
    with pytest.raises(CommandRejectedError, match=said):
        doctor.StillReading(HOME, HOME, spread)


@pytest.mark.parametrize("options", [{"tolerance": 1e-200}, {"offset": 1e300}])
def test_numbers_that_would_overflow_are_refused(
    six_dof: aw.RobotModel, options: dict[str, Any]
) -> None:
    with pytest.raises(CommandRejectedError):
        diagnose(six_dof, Truth(sign=(1,)), **options)


def test_faults_of_a_group(six_dof: aw.RobotModel) -> None:
    group = devices.simulate(six_dof, q0=HOME)
    faulty = devices.FaultyGroup(group, effort_signs="J2_shoulder", reversed="J3_elbow")
    reported = faulty.feedback()
    held = six_dof.gravity_efforts(HOME)
    np.testing.assert_allclose(reported.effort, held * [1, -1, -1, 1, 1, 1], atol=1e-12)
    assert reported.position[2] == -HOME[2]
    with pytest.raises(CommandRejectedError, match=r"zeros of 'J1_base': .* got 'far'"):
        devices.FaultyGroup(group, zeros={"J1_base": "far"})  # type: ignore[dict-item]
    with pytest.raises(CommandRejectedError, match="no module is called 0"):
        devices.FaultyGroup(group, effort_signs=[0])  # type: ignore[list-item]
