"""The gate for rotations and poses: one tolerance everywhere, exact where it matters, advice."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armwright import hrdf, ik
from armwright.errors import ModelError, ObjectiveError
from armwright.kinematics import ArmBuilder, RobotState, arrays, loads
from armwright.kinematics.transforms import rotation_matrix

FloatArray = arrays.FloatArray
EYE = np.eye(3)
ARM = loads('<robot version="1.6.0"><joint axis="rz"/><end-effector/></robot>')
STATE = RobotState(ARM, [0.0], floating=True)
SEEDS = st.integers(0, 2**32 - 1)


def rotations(count: int, seed: int = 0) -> FloatArray:
    """Random rotations, spread evenly: of unit quaternions, (count, 3, 3)."""
    w, x, y, z = quaternions(count, seed).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.array(rows).transpose(2, 0, 1)


def quaternions(count: int, seed: int = 0) -> FloatArray:
    q = np.random.default_rng(seed).normal(size=(count, 4))
    unit: FloatArray = q / np.linalg.norm(q, axis=1, keepdims=True)
    return unit


def pose_of(R: FloatArray) -> FloatArray:
    T = np.eye(4)
    T[:3, :3] = R
    T[:3, 3] = 1.0, -2.0, 3.0
    return T


def off(R: FloatArray) -> float:
    return float(np.abs(R @ R.T - EYE).max())


def built(R: FloatArray) -> FloatArray:
    """Hand a rotation to the builder, and read again what is written of it."""
    description = ArmBuilder().rigid_body(mass=1, output=pose_of(R)).describe()
    assert hrdf.parse(hrdf.write(description)) == description
    (body,) = description.elements
    assert isinstance(body, hrdf.RigidBody)
    return body.outputs[0].pose.matrix()[:3, :3]


PLACES: dict[str, Callable[[FloatArray], FloatArray]] = {
    "as_rotation": lambda R: arrays.as_rotation(R, "R"),
    "as_pose": lambda R: arrays.as_pose(pose_of(R), "T")[:3, :3],
    "as_orientation": lambda R: arrays.as_orientation(R, "R"),
    "with_base_frame": lambda R: ARM.with_base_frame(pose_of(R)).base_frame[:3, :3],
    "rigid_body output": built,
    "RobotState T_world_base": lambda R: RobotState(
        ARM, [0.0], T_world_base=pose_of(R)
    ).T_world_base[:3, :3],
    "RobotState imu matrix": lambda R: STATE.with_base_from_imu(R).T_world_base[:3, :3],
    "ik.pose": lambda R: ik.pose(pose_of(R)).T_world_frame[:3, :3],
    "ik.orientation": lambda R: ik.orientation(R).R_world_frame,
}


@pytest.mark.parametrize("place", PLACES)
def test_rotations_of_four_digits_are_taken_everywhere_and_of_three_hardly(place: str) -> None:
    # C59: the same number of digits is enough at every place, and not by luck.
    take, Rs = PLACES[place], rotations(2000)
    for digits in (6, 5, 4):
        for R in Rs:
            taken = take(np.round(R, digits))
            assert np.abs(taken - R).max() < 10.0**-digits
            assert off(taken) <= 6e-6
    refused = 0
    for R in Rs[:500]:
        if off(np.round(R, 3)) > arrays.ROTATION_TOLERANCE:
            refused += 1
            with pytest.raises(
                ValueError, match=r"more digits .*nearest rotation: U, _, Vt = np\.l"
            ):
                take(np.round(R, 3))
    assert refused > 400


def test_quaternions_of_three_digits_are_taken() -> None:
    for R, q in zip(rotations(2000), quaternions(2000), strict=True):
        for digits in (6, 5, 4, 3):
            for take in (arrays.as_orientation, arrays.rotation_from_quaternion):
                taken = take(np.round(q, digits), "q")
                assert np.abs(taken - R).max() < 3 * 10.0**-digits
                assert off(taken) < 2e-15
        found = STATE.with_base_from_imu(np.round(q, 3)).T_world_base[:3, :3]
        assert np.abs(found - R).max() < 3e-3


@given(SEEDS, st.floats(0, 2e-6))
def test_what_is_a_rotation_up_to_rounding_keeps_its_bits(seed: int, dirt: float) -> None:
    R = rotations(1, seed)[0] + np.random.default_rng(seed).uniform(-dirt, dirt, (3, 3)) / 2
    for place, take in PLACES.items():
        if place[:2] != "ik" and "imu" not in place:  # there it is multiplied with others
            assert take(R).tobytes() == R.tobytes(), place
    exact = arrays.as_rotation(R, "R", kept=0.0)
    assert off(exact) < 2e-15
    assert np.abs(exact - R).max() <= 2 * dirt + 1e-15


@given(SEEDS, st.floats(1e-6, 1.2e-4))
def test_above_it_the_nearest_rotation_stands_for_it(seed: int, dirt: float) -> None:
    R = rotations(1, seed)[0] + np.random.default_rng(seed).uniform(-dirt, dirt, (3, 3))
    nearest = arrays.nearest_rotation(R)
    U, _, Vt = np.linalg.svd(R)
    np.testing.assert_allclose(nearest, U @ Vt, atol=1e-14)
    assert off(nearest) < 2e-15
    assert np.linalg.det(nearest) > 0
    assert arrays.nearest_rotation(nearest) is nearest
    expected = R if off(R) <= arrays.KEPT else nearest
    for take in (PLACES["as_rotation"], PLACES["as_pose"], PLACES["RobotState T_world_base"]):
        np.testing.assert_array_equal(take(R), expected)


def test_many_are_brought_nearer_as_one_is() -> None:
    Rs = np.round(rotations(50), 4)
    rows = arrays.nearer_rotation(*Rs.reshape(-1, 9).T)
    one_by_one = [arrays.nearer_rotation(*R.ravel().tolist()) for R in Rs]
    assert np.stack(rows, axis=-1).tobytes() == np.array(one_by_one).tobytes()


def test_what_the_builder_takes_can_be_written_and_read_again() -> None:
    # The file format measures in another way: some of what keeps its bits here is too far off.
    replaced = 0
    for R in np.round(rotations(1000), 5):
        taken = built(R)
        replaced += off(R) <= arrays.KEPT and taken.tobytes() != R.tobytes()
    assert 0 < replaced < 200


ADVICE: list[tuple[Any, str]] = [
    (2 * EYE, r"by 3, where 0\.0005 would do\. Is a scale in it\? Divided by 2 it is a rotation"),
    (1.01 * rotations(1)[0], "Divided by 1.01 it is"),
    (1e-3 * EYE, "Divided by 0.001 it is"),
    (np.diag([1.0, 2.0, 1.0]), "by 3, .*Its columns have the lengths 1 2 1"),
    (1e200 * EYE, "by inf.* Divided by 1e.200 it is"),
    (np.diag([1.0, 1.0, -1.0]), r"a mirror image .*Are two axes swapped\?"),
    (EYE[[1, 0, 2]], "a mirror image"),
    (-2 * EYE, "Its columns have the lengths 2 2 2"),
    (np.round(rotations(1)[0], 2), "Give more digits .repr, np.save.*np.linalg.svd"),
    (np.zeros((3, 3)), r"by 1, .*all nine numbers there, row by row\?.* np.linalg.svd"),
    (np.arange(9.0).reshape(3, 3), "Are all nine numbers there"),
]


@pytest.mark.parametrize(("R", "text"), ADVICE)
def test_what_is_no_rotation_is_refused_with_advice(R: FloatArray, text: str) -> None:
    for take in (arrays.as_rotation, arrays.as_orientation):
        with pytest.raises(ModelError, match=f"^tool: expected a rotation, got .*{text}"):
            take(R, "tool")
    T = np.eye(4)
    T[:3, :3] = R
    with pytest.raises(ObjectiveError, match=f"^T: expected a rotation, got .*{text}"):
        arrays.as_pose(T, "T", ObjectiveError)


def test_the_advice_helps() -> None:
    for R in np.round(rotations(200), 2):
        U, _, Vt = np.linalg.svd(R)
        assert off(arrays.as_rotation(U @ Vt, "R")) < 1e-14


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: arrays.as_rotation(np.eye(4), "R"),
            r"shape \(3, 3\), got \(4, 4\)\. Is it a pose",
        ),
        (lambda: arrays.as_rotation([1, 0, 0, 0], "R"), r"got \(4,\)\. Is it a quaternion"),
        (lambda: arrays.as_rotation([0, 0, 90], "R", nine=True), "Are these angles"),
        (lambda: arrays.as_rotation(EYE.ravel(), "R"), r"got \(9,\)$"),
        (lambda: arrays.as_orientation(np.zeros((2, 2)), "R"), "or a quaternion, scalar first"),
        (lambda: arrays.as_orientation("up", "R"), "numbers, got 'up'"),
        (lambda: arrays.as_rotation(np.full((3, 3), np.nan), "R"), "expected finite numbers"),
        (lambda: arrays.as_pose(EYE, "R"), r"T = np.eye\(4\); T\[:3, :3\] = R makes a pose of it"),
        (lambda: arrays.as_pose(np.eye(4)[:3], "R"), "Is the last row missing"),
        (lambda: arrays.as_pose(np.eye(4).ravel(), "R"), r"Then reshape\(4, 4\)"),
        (lambda: arrays.as_pose([1, 2, 3], "R"), "Is it a point"),
        (lambda: arrays.as_pose(np.zeros(7), "R"), "a point and a quaternion"),
        (
            lambda: arrays.as_pose(np.zeros((2, 4, 4)), "R"),
            r"expected shape \(4, 4\), got \(2, 4, 4",
        ),
        (lambda: arrays.as_poses(EYE, "R"), r"expected shape \(\.\.\., 4, 4\), got \(3, 3\)"),
        (lambda: arrays.as_direction([0, 0, 0], "R"), "a direction such as .* got three zeros"),
        (lambda: arrays.as_direction([0, 1], "R"), r"expected shape \(3,\), got \(2,\)"),
    ],
)
def test_other_shapes_are_recognized(call: Callable[[], Any], text: str) -> None:
    with pytest.raises(ModelError, match=f"^R: .*{text}"):
        call()


def test_nine_numbers_will_do_where_that_is_said() -> None:
    R = rotations(1)[0]
    assert arrays.as_rotation(R.ravel().tolist(), "R", nine=True).tobytes() == R.tobytes()


@pytest.mark.parametrize(
    ("quat", "text"),
    [
        ([0, 0, 0, 0], r"got length 0\. The scalar stands first, w x y z"),
        ([1, 1, 0, 0], "got length 1.41421. The scalar"),
        ([0, 0, 1, 90], r"got length 90.0056. Are these angles, or an axis and an angle\?"),
        ([1e300, 1e300, 0, 0], "got length 1.41421e.300"),
        ([0.998, 0, 0, 0], "got length 0.998"),
    ],
)
def test_what_is_no_unit_quaternion(quat: Any, text: str) -> None:
    for take in (arrays.rotation_from_quaternion, arrays.as_orientation):
        with pytest.raises(ModelError, match=f"^q: expected a quaternion of length 1, {text}"):
            take(quat, "q")


@given(SEEDS)
def test_quaternions_are_scalar_first(seed: int) -> None:
    v = np.random.default_rng(seed).normal(size=3)
    angle = float(np.linalg.norm(v))
    quat = [math.cos(angle / 2), *(math.sin(angle / 2) * v / angle)]
    np.testing.assert_allclose(
        arrays.rotation_from_quaternion(quat, "q"), rotation_matrix(v), atol=1e-14
    )


def test_last_rows_become_exact() -> None:
    for T in (np.eye(4), pose_of(rotations(1)[0])):
        rough = T.copy()
        rough[3] += [1e-12, 0, -1e-10, 1e-10]
        assert arrays.as_pose(rough, "T").tolist() == T.tolist()
        assert arrays.as_poses([rough, rough], "T").tolist() == [T.tolist()] * 2
        assert rough[3, 0] == 1e-12  # what was handed over stays
    assert arrays.as_poses(np.zeros((0, 4, 4)), "T").shape == (0, 4, 4)


def test_transposed_poses_are_asked_about_where_it_would_help() -> None:
    T = pose_of(rotations(1)[0])
    for take in (arrays.as_pose, arrays.as_poses):
        with pytest.raises(ModelError, match=r"^T: expected 0 0 0 1 in .*transposed.*pass T\.T$"):
            take(T.T, "T")
        with pytest.raises(ModelError, match=r"^T: expected 0 0 0 1 in the last row, got 0 0 0 2$"):
            take(np.diag([1.0, 1, 1, 2]), "T")
    with pytest.raises(ModelError, match=r"got 1 -2 3 1\. Is the matrix transposed"):
        arrays.as_poses([T, T.T], "T")


def test_translations_have_a_limit() -> None:
    T = np.eye(4)
    T[1, 3] = -1e40
    assert arrays.as_pose(T, "T")[1, 3] == -1e40
    with pytest.raises(
        ObjectiveError, match=r"T: expected a translation of at most 1e\+30, got -1e"
    ):
        arrays.as_pose(T, "T", ObjectiveError, most=1e30)


@given(st.lists(st.floats(-1e300, 1e300), min_size=3, max_size=3).filter(any))
def test_directions_have_length_one(v: list[float]) -> None:
    unit = arrays.as_direction(v, "axis")
    assert np.linalg.norm(unit) == pytest.approx(1, abs=1e-15)
    largest = max(map(abs, v))
    np.testing.assert_allclose(unit / np.abs(unit).max(), [x / largest for x in v], atol=1e-15)


def test_what_only_has_an_angle_may_be_rougher() -> None:
    Rs = np.round(rotations(20), 2)
    arrays.check_angles(Rs, "R")
    arrays.check_angles(np.zeros((0, 3, 3)), "R")
    Rs[7] = EYE[[1, 0, 2]]
    with pytest.raises(ModelError, match="R: expected a rotation, got a mirror image"):
        arrays.check_angles(Rs, "R")
    Rs[3] *= 1.1
    with pytest.raises(ModelError, match=r"off from .* by 0\.2\d*, where 0\.1 would do"):
        arrays.check_angles(Rs, "R")
