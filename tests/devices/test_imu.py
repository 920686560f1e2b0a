"""IMUs in the feedback of all groups, and gravity from them."""

import copy
import pickle
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices
from armwright.devices.simulation.imu import imu_of
from armwright.errors import DeviceError, JointVectorError, ModelError
from armwright.kinematics import RobotState
from armwright.kinematics.arrays import quaternions_from_rotations
from tests.oracles import rotation_about

Q = np.array([0.3, 0.9, 1.6, -0.7, 0.2, 0.0])
V = np.array([0.5, -0.4, 0.3, 0.2, -0.6, 1.0])


def tilted() -> Any:
    """R = Rz(0.7) Ry(-0.4) Rx(0.3)."""
    turns = [((0, 0, 1), 0.7), ((0, 1, 0), -0.4), ((1, 0, 0), 0.3)]
    R = np.eye(3)
    for axis, angle in turns:
        R = R @ rotation_about(np.array(axis, dtype=float), angle)
    return R


def matrix_of(quat_wxyz: Any) -> Any:
    w, x, y, z = quat_wxyz
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


@pytest.fixture
def really(six_dof: aw.RobotModel) -> aw.RobotModel:
    """The arm on a base that is tilted, which the program does not know."""
    T = np.eye(4)
    T[:3, :3] = tilted()
    return six_dof.with_base_frame(T)


def test_c58_gravity_on_a_tilted_base(six_dof: aw.RobotModel, really: aw.RobotModel) -> None:
    R = tilted()
    six = np.zeros(6)
    quat = np.full((6, 4), np.nan)
    quat[0] = quaternions_from_rotations(R[None])[0]
    up = np.full((6, 3), np.nan)
    up[0] = R.T @ [0, 0, 9.81]
    reported = devices.GroupFeedback(1.0, Q, six, six, accelerometer=up, orientation=quat)
    want = really.gravity_efforts(Q)
    for source in ("orientation", "accelerometer"):
        gravity = devices.gravity_from_imu(six_dof, Q, reported, source=source)
        np.testing.assert_allclose(gravity, R.T @ [0, 0, -9.81], atol=1e-14)
        np.testing.assert_allclose(six_dof.gravity_efforts(Q, gravity), want, atol=1e-12)
        held = six_dof.with_gravity(gravity).gravity_efforts(Q)
        np.testing.assert_allclose(held, want, atol=1e-12)


@pytest.mark.parametrize("module", range(6))
@pytest.mark.parametrize("source", ["orientation", "accelerometer"])
def test_every_module_of_a_simulated_arm_tells_it(
    six_dof: aw.RobotModel, really: aw.RobotModel, module: int, source: Any
) -> None:
    with devices.simulate(really, q0=Q) as group:
        reported = group.feedback()
    gravity = devices.gravity_from_imu(
        six_dof, reported.position, reported, source=source, module=module, element=None
    )
    np.testing.assert_allclose(gravity, tilted().T @ [0, 0, -9.81], atol=1e-12)
    element = six_dof.joint_elements[module]
    same = devices.gravity_from_imu(
        six_dof, reported.position, reported, source=source, module=module, element=element
    )
    np.testing.assert_array_equal(same, gravity)


def test_the_frame_is_the_input_of_any_element_and_the_offset_turns_it(
    six_dof: aw.RobotModel,
) -> None:
    R, E = tilted(), rotation_about(np.array([0.6, 0.0, 0.8]), 1.1)
    six = np.zeros(6)
    for element in range(six_dof.n_elements):
        place = six_dof.forward_kinematics("input", Q)[element, :3, :3]
        quat = np.tile(
            quaternions_from_rotations((R @ place @ E)[None])[0], (6, 1)
        )  # how the IMU is turned
        reported = devices.GroupFeedback(1.0, Q, six, six, orientation=quat)
        for offset in (E, E.ravel().tolist(), quaternions_from_rotations(E[None])[0]):
            gravity = devices.gravity_from_imu(
                six_dof, Q, reported, module=3, element=element, offset=offset
            )
            np.testing.assert_allclose(gravity, R.T @ [0, 0, -9.81], atol=1e-13)


def test_simulated_imus_are_the_frames_of_the_housings(really: aw.RobotModel) -> None:
    state = RobotState(really, Q, V)
    accelerometer, gyro, orientation = imu_of(really, Q, V)
    for module, element in enumerate(really.joint_elements):
        R = state.orientation(("input", element))
        np.testing.assert_allclose(matrix_of(orientation[module]), R, atol=1e-14)
        turns = state.twist(("input", element), representation="body")[3:]
        np.testing.assert_allclose(gyro[module], turns, atol=1e-13)
        np.testing.assert_allclose(accelerometer[module], R.T @ [0, 0, 9.81], atol=1e-13)


def test_quaternions_of_all_turns() -> None:
    rng = np.random.default_rng(0)
    turns = [(rng.normal(size=3), angle) for angle in (0.0, 1e-9, 1.0, np.pi - 1e-9, np.pi, 3.5)]
    turns += [(axis, np.pi) for axis in np.eye(3)]
    Rs = np.array([rotation_about(axis, angle) for axis, angle in turns])
    for R, quat in zip(Rs, quaternions_from_rotations(Rs), strict=True):
        assert abs(np.linalg.norm(quat) - 1) < 1e-15
        assert quat[0] >= 0.0
        np.testing.assert_allclose(matrix_of(quat), R, atol=1e-14)


def test_feedback_of_the_ideal_and_the_faulty_group(six_dof: aw.RobotModel) -> None:
    with devices.simulate(six_dof, q0=Q) as group:
        group.send(devices.GroupCommand(velocity=0.1 * np.sign(V)))
        first, moved = group.feedback(), group.feedback()
        true = imu_of(six_dof, moved.position, moved.velocity)
        for name, value in zip(("accelerometer", "gyro", "orientation"), true, strict=True):
            np.testing.assert_array_equal(getattr(moved, name), value)
            assert getattr(moved, name) is getattr(moved, name)
            assert not getattr(moved, name).flags.writeable
        assert np.abs(moved.gyro[1:]).max() > 0.05
        # What was reported stays what it was, also when it is looked at later.
        early = imu_of(six_dof, first.position, first.velocity)
        np.testing.assert_array_equal(first.orientation, early[2])
    simulated = devices.simulate(six_dof, q0=Q)
    with devices.FaultyGroup(simulated, zeros={"J3_elbow": 0.5}, reversed=["J1_base"]) as faulty:
        told = faulty.feedback()
        np.testing.assert_array_equal(told.orientation, imu_of(six_dof, Q, np.zeros(6))[2])
        np.testing.assert_array_equal(told.accelerometer, imu_of(six_dof, Q, np.zeros(6))[0])


def test_feedback_without_imus_is_nan() -> None:
    message = devices.GroupFeedback(1.0, [0.0, 1.0])
    for name, wide in (("accelerometer", 3), ("gyro", 3), ("orientation", 4)):
        values = getattr(message, name)
        assert values.shape == (2, wide)
        assert np.isnan(values).all()
        assert not values.flags.writeable
        with pytest.raises((AttributeError, TypeError)):
            setattr(message, name, values)
    with pytest.raises(ValueError, match=r"GroupFeedback, gyro: expected shape \(2, 3\)"):
        devices.GroupFeedback(1.0, [0.0, 1.0], gyro=[1, 2, 3])


def test_copies_and_pickles_keep_them(six_dof: aw.RobotModel) -> None:
    with devices.simulate(six_dof, q0=Q) as group:
        message = group.feedback()
    for again in (pickle.loads(pickle.dumps(message)), copy.deepcopy(message)):
        for name in ("position", "accelerometer", "gyro", "orientation"):
            np.testing.assert_array_equal(getattr(again, name), getattr(message, name))
            assert not getattr(again, name).flags.writeable


def test_hebi_s_arrays_are_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    from armwright.devices.hebi import vendor
    from tests.devices.test_hebi_group import FakeGroup, Network

    network = Network([("F", "a"), ("F", "b")])
    monkeypatch.setattr(vendor, "import_hebi", lambda: network)
    nan = np.nan
    imu = {
        "accelerometer": np.array([[0, 0, 9.8], [nan, nan, nan]], dtype=np.float32),
        "gyro": np.array([[0.1, 0.2, 0.3], [nan, nan, nan]], dtype=np.float32),
        "orientation": np.array([[1, 0, 0, 0], [nan, nan, nan, 0]], dtype=np.float32),
    }
    plain = FakeGroup.get_next_feedback

    def with_imu(self: FakeGroup, timeout_ms: float) -> Any:
        return SimpleNamespace(**vars(plain(self, timeout_ms)), **imu)

    monkeypatch.setattr(FakeGroup, "get_next_feedback", with_imu)
    with devices.connect("F", ["a", "b"]) as group:
        message = group.feedback()
    for name, raw in imu.items():
        values = getattr(message, name)
        assert values.dtype == np.float64
        np.testing.assert_array_equal(values[0], raw[0].astype(float))
        assert np.isnan(values[1]).all()  # hebi-py says nan, nan, nan, 0 of an orientation
        raw[:] = 7.0
        assert values[0, 0] != 7.0


@pytest.mark.hebi
def test_an_imitation_has_none() -> None:
    pytest.importorskip("hebi")
    with devices.imitate(2) as group:
        message = group.feedback()
    assert np.isnan(message.orientation).all()
    assert np.isnan(message.accelerometer).all()


REST = np.zeros(6)


def resting(reading: Any, quat: Any = None) -> devices.GroupFeedback:
    up = np.tile(np.asarray(reading, dtype=float), (6, 1))
    turn = None if quat is None else np.tile(quat, (6, 1))
    return devices.GroupFeedback(1.0, np.zeros(6), accelerometer=up, orientation=turn)


def test_low_pass_and_refusal(six_dof: aw.RobotModel) -> None:
    still, source = np.array([0.0, 0.0, -9.81]), "accelerometer"
    R = six_dof.forward_kinematics("input", np.zeros(6))[six_dof.joint_elements[0], :3, :3]
    reading = resting(R.T @ [9.81, 0.0, 0.0])
    at_once = devices.gravity_from_imu(six_dof, REST, reading, source="accelerometer")
    np.testing.assert_allclose(at_once, [-9.81, 0, 0], atol=1e-12)
    step = devices.gravity_from_imu(
        six_dof, REST, reading, source="accelerometer", before=still, dt=0.01
    )
    share = 1 - np.exp(-0.01 / 0.5)
    np.testing.assert_allclose(step, still + share * (at_once - still), atol=1e-12)
    gravity = still
    for _ in range(50):  # half a second in steps is the time constant, whatever the steps
        gravity = devices.gravity_from_imu(
            six_dof, REST, reading, source="accelerometer", before=gravity, dt=0.01
        )
    np.testing.assert_allclose(gravity, at_once + np.exp(-1) * (still - at_once), atol=1e-12)
    for size in (9.2, 10.4, 0.0, np.inf):
        moving = resting([0.0, 0.0, size])
        kept = devices.gravity_from_imu(
            six_dof, REST, moving, source="accelerometer", before=still, dt=0.01
        )
        assert kept.tolist() == still.tolist()
        with pytest.raises(
            DeviceError, match=r"expected an accelerometer at rest, which reads 9\.81"
        ):
            devices.gravity_from_imu(six_dof, REST, moving, source=source)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"source": "orientation"}, DeviceError, "module 0 reports no orientation"),
        ({"module": 6}, ModelError, "module: expected 0 to 5, got 6; there are 6 modules"),
        ({"module": -1}, ModelError, "module: expected a whole number"),
        ({"module": "base"}, ModelError, "module: expected a whole number"),
        ({"source": "gyro"}, ModelError, "source: expected one of 'orientation', 'accelerometer'"),
        ({"source": "accelerometer", "element": 99}, ModelError, "element: expected 0 to 12"),
        ({"source": "accelerometer", "offset": np.eye(3) * 2}, ModelError, "offset"),
        ({"before": [0, 0, -9.81]}, ModelError, "expected before and dt together"),
        ({"dt": 0.1}, ModelError, "expected before and dt together"),
        ({"before": [0, 0, -9.81], "dt": -1}, ModelError, "dt: expected seconds, 0 or more"),
        ({"before": [0, 0], "dt": 1}, ModelError, "before: expected shape"),
        ({"time_constant": 0}, ModelError, "time_constant: expected seconds, more than 0"),
    ],
)
def test_what_does_not_fit(
    six_dof: aw.RobotModel, arguments: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        devices.gravity_from_imu(six_dof, REST, resting([0.0, 0.0, 9.81]), **arguments)


def test_without_a_source_it_takes_what_there_is(six_dof: aw.RobotModel) -> None:
    """The orientation where it is finite, else the accelerometer; neither is an error."""
    level, tilt = [1.0, 0, 0, 0], [0.0, 1, 0, 0]
    up = six_dof.forward_kinematics("input", REST)[0, :3, :3].T @ [0, 0, 9.81]
    for quat in (level, tilt):
        both = devices.gravity_from_imu(six_dof, REST, resting(up, quat))
        one = devices.gravity_from_imu(six_dof, REST, resting(up, quat), source="orientation")
        assert both.tolist() == one.tolist()
    alone = devices.gravity_from_imu(six_dof, REST, resting(up))
    np.testing.assert_allclose(alone, [0, 0, -9.81], atol=1e-12)
    with pytest.raises(DeviceError, match="module 0 reports no orientation and no accelerometer"):
        devices.gravity_from_imu(six_dof, REST, resting([np.nan] * 3))


def test_the_joints_are_where_it_was_told(six_dof: aw.RobotModel) -> None:
    """Feedback of a larger group has other positions than the arm's."""
    quat = np.tile([1.0, 0, 0, 0], (8, 1))
    larger = devices.GroupFeedback(1.0, np.full(8, 9.0), orientation=quat)
    named = dict(zip(six_dof.joint_names, Q.tolist(), strict=True))
    for q in (Q, named):
        gravity = devices.gravity_from_imu(six_dof, q, larger, module=7, element=5)
        R = six_dof.forward_kinematics("input", Q)[5, :3, :3]
        np.testing.assert_allclose(gravity, R @ [0, 0, -9.81], atol=1e-12)
    with pytest.raises(JointVectorError, match="q: expected 6"):
        devices.gravity_from_imu(six_dof, Q[:5], larger)


def test_more_that_does_not_fit(six_dof: aw.RobotModel) -> None:
    with pytest.raises(DeviceError, match="orientation of module 0"):
        devices.gravity_from_imu(six_dof, REST, resting([0, 0, 9.81], [0.0, 0.0, 0.0, 0.0]))
    with pytest.raises(ModelError, match="expected a GroupFeedback"):
        devices.gravity_from_imu(six_dof, REST, None)  # type: ignore[arg-type]
