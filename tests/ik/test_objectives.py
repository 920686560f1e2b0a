"""Objectives are checked when they are made, in words that say what to do."""

import dataclasses
import math
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import ik
from armwright.errors import FrameNotFoundError, JointVectorError, ModelError, ObjectiveError
from tests.ik.conftest import FloatArray

MA: Any = np.ma  # untyped in numpy 1

NAN, INF = math.nan, math.inf
EYE = np.eye(4)


def rotated(angle: float) -> FloatArray:
    T = np.eye(4)
    T[:2, :2] = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
    T[:3, 3] = [1, 2, 3]
    return T


@pytest.mark.parametrize(
    ("xyz", "text"),
    [
        ([1, 2], "expected 3 numbers (x, y, z), got 2"),
        ([1, 2, 3, 4], "got 4"),
        (
            [1, NAN, 3],
            "position, y: expected a finite number of metres, or None for a free axis, got nan",
        ),
        (
            [1, 2, INF],
            "position, z: expected a finite number of metres, or None for a free axis, got inf",
        ),
        ([None, None, None], "expected a number for one axis at least"),
        (["a", 2, 3], "x: expected a finite number of metres, or None for a free axis, got 'a'"),
        ([True, 2, 3], "got True. Truth values are not taken"),
        ([[1], 2, 3], "for a free axis, got [1]"),
        ([np.ones(1), 2, 3], "got an array of float64 with shape (1,)"),
        ([np.complex128(1 + 2j), 2, 3], "got (1+2j). Real numbers are needed"),
        ([10**400, 2, 3], "for a free axis, got inf"),
        ([1e31, 2, 3], "position, x: expected at most 1e+30, got 1e+31"),
        (MA.array([1, 2, 3], mask=[0, 1, 0]), "None for a free axis, got a masked array"),
        (None, "expected 3 numbers (x, y, z), got 1"),
    ],
)
def test_bad_positions(xyz: Any, text: str) -> None:
    with pytest.raises(ObjectiveError) as caught:
        ik.position(xyz)
    assert text in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_a_position_takes_any_numbers() -> None:
    for xyz in ([1, 2, 3], (1.0, 2, 3), np.array([1, 2, 3]), np.array([1, 2, 3], dtype=np.float32)):
        objective = ik.position(xyz)
        assert objective.xyz.tolist() == [1, 2, 3]
        assert objective.fixed == (True, True, True)
    assert ik.position((None, 2, None)).fixed == (False, True, False)


@pytest.mark.parametrize(
    ("T", "text"),
    [
        (np.eye(3), "expected shape (4, 4), got (3, 3). Is it a rotation?"),
        (rotated(0.3).T, "0 0 0 1 in the last row, got 1 2 3 1. Is the matrix transposed?"),
        (np.diag([1.0, 1, 1, 2]), "expected 0 0 0 1 in the last row, got 0 0 0 2"),
        (np.diag([2.0, 1, 1, 1]), "rows are off from unit length and right angles by 3"),
        (np.diag([-1.0, 1, 1, 1]), "expected a rotation, got a mirror image (determinant -1)"),
        (np.full((4, 4), NAN), "finite numbers of shape (4, 4), got nan at index (0, 0)"),
        ("pose", "got 'pose'. Text is not converted"),
        ([[1, 2], [3]], "of shape (4, 4), got [[1, 2], [3]]. Do its rows differ in length?"),
        (
            MA.array(np.eye(4), mask=np.eye(4) > 0),
            "got a masked array of float64 with shape (4, 4)",
        ),
        (
            [[1, 0, 0, 1e40], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
            "expected a translation of at most 1e+30, got 1e+40",
        ),
    ],
)
def test_bad_poses(T: Any, text: str) -> None:
    with pytest.raises(ObjectiveError) as caught:
        ik.pose(T)
    assert text in str(caught.value)


def test_no_question_about_transposing_when_it_would_not_help() -> None:
    bottom = rotated(0.3)
    bottom[3, 0] = 0.5
    with pytest.raises(ObjectiveError, match=r"in the last row, got 0\.5 0 0 1$"):
        ik.pose(bottom)


@pytest.mark.parametrize(
    ("R", "text"),
    [
        (np.eye(4), "expected shape (3, 3), got (4, 4). Is it a pose?"),
        (np.zeros((3, 3)), "expected a rotation, got"),
        ([[0, 1, 0], [1, 0, 0], [0, 0, 1]], "would be a rotation. Are two axes swapped?"),
        (
            [[1, 0.001, 0], [0, 1, 0], [0, 0, 1]],
            "by 0.001, where 0.0005 would do. Give more digits",
        ),
    ],
)
def test_bad_orientations(R: Any, text: str) -> None:
    with pytest.raises(ObjectiveError) as caught:
        ik.orientation(R)
    assert text in str(caught.value)


def test_rounded_rotations_are_replaced_by_the_nearest_rotation() -> None:
    exact = rotated(0.7)[:3, :3]
    rounded = np.round(exact, 5)
    R = ik.orientation(rounded).R_world_frame
    assert np.abs(R.T @ R - np.eye(3)).max() < 1e-15
    U, _, Vt = np.linalg.svd(rounded)
    assert np.abs(R - U @ Vt).max() < 1e-14


@pytest.mark.parametrize(
    ("axis", "text"),
    [
        ([0, 0, 0], "expected a direction such as [0, 0, -1], got three zeros"),
        ([0, 1], "tip_axis: expected shape (3,), got (2,)"),
        ([0, NAN, 1], "of shape (3,), got nan at index 1"),
        ([0.0, NAN, 1.0], "of shape (3,), got nan at index 1"),
        ([0.0, INF, 1.0], "of shape (3,), got inf at index 1"),
        ([0.0, 0.0, 0.0], "got three zeros"),
    ],
)
def test_bad_axes(axis: Any, text: str) -> None:
    with pytest.raises(ObjectiveError) as caught:
        ik.tip_axis(axis)
    assert text in str(caught.value)


@pytest.mark.parametrize("length", [1e-200, 1e-3, 1.0, 1e200])
def test_an_axis_may_have_any_length(length: float) -> None:
    axis = ik.tip_axis([3 * length, 0, 4 * length]).axis
    assert np.abs(axis - [0.6, 0, 0.8]).max() < 1e-15


@pytest.mark.parametrize(
    ("lower", "upper", "text"),
    [
        ([NAN, -1], [1, 1], "joint 1 (q[0]): NaN; use -inf or inf"),
        ([-1, -1], [1, NAN], "joint 2 (q[1]): NaN"),
        ([-3, 3], [3, -3], "joint 2 (q[1]): lower 3 is above upper -3; are they swapped?"),
        ([-1, -1], [1], "upper: expected 2 numbers as in lower, got 1"),
        ([INF, 0], [INF, 0], "joint 1 (q[0]): inf to inf leaves no room"),
        ([-INF, 0], [-INF, 0], "leaves no room"),
        ([[-1, -1]], [[1, 1]], "lower: expected a row of numbers, got shape (1, 2)"),
        (-1, 1, "got shape ()"),
        ([None, 1], [1, 1], "lower: expected a row of numbers, got [None, 1]"),
    ],
)
def test_bad_limits(lower: Any, upper: Any, text: str) -> None:
    with pytest.raises(ObjectiveError) as caught:
        ik.joint_limits(lower, upper)
    assert text in str(caught.value)


def test_bad_postures() -> None:
    with pytest.raises(
        ObjectiveError, match=r"q_ref: expected finite numbers .* got nan at index 1"
    ):
        ik.posture([0, NAN])
    with pytest.raises(
        ObjectiveError, match=r"posture, q_ref: expected finite numbers .* got 1e\+300"
    ):
        ik.posture([1e300, 0.0])
    with pytest.raises(
        ObjectiveError, match=r"least_effort, gravity: .* of at most 1e\+30, got 1e\+300"
    ):
        ik.least_effort(gravity=[0.0, 0.0, 1e300])
    with pytest.raises(ObjectiveError, match=r"rows: expected one of .* got \['pose'\]"):
        ik.manipulability_goal(rows=["pose"])  # type: ignore[arg-type]


@pytest.mark.parametrize("weight", [-1, 0, NAN, INF])
def test_weights_are_positive(weight: float) -> None:
    for make in (
        lambda: ik.position([0, 0, 0], weight=weight),
        lambda: ik.orientation(np.eye(3), weight=weight),
        lambda: ik.pose(EYE, weight=weight),
        lambda: ik.tip_axis([0, 0, 1], weight=weight),
        lambda: ik.posture([0], weight=weight),
        lambda: ik.custom(1, lambda q: q, weight=weight),
    ):
        with pytest.raises(ObjectiveError, match="expected a positive number"):
            make()


def test_a_weight_is_a_number() -> None:
    with pytest.raises(
        ObjectiveError, match=r"pose, weight: expected a positive number .* got 'much'"
    ):
        ik.pose(EYE, weight="much")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: ik.custom(0, len), "n_errors: expected a whole number from 1, got 0"),
        (lambda: ik.custom(1.5, len), "n_errors: expected a whole number from 1, got 1.5"),  # type: ignore[arg-type]
        (lambda: ik.custom(True, len), "n_errors: expected a whole number from 1, got True"),
        (lambda: ik.custom(1, 3), "function: expected a function of q, got 3"),  # type: ignore[arg-type]
        (lambda: ik.custom(1, len, jacobian=3), "jacobian: expected a function of q, got 3"),  # type: ignore[arg-type]
        (lambda: ik.custom(1, len, tolerance=0), "tolerance: expected a positive number, got 0"),
        (
            lambda: ik.custom(1, len, tolerance=NAN),
            "tolerance: expected a positive number, got nan",
        ),
    ],
)
def test_bad_custom_objectives(make: Any, text: str) -> None:
    with pytest.raises(ObjectiveError) as caught:
        make()
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("objective", "names"),
    [
        (ik.position([1, 2, 3]), ["xyz"]),
        (ik.orientation(np.eye(3)), ["R_world_frame"]),
        (ik.pose(EYE), ["T_world_frame"]),
        (ik.tip_axis([0, 0, 1]), ["axis"]),
        (ik.joint_limits([0], [1]), ["lower", "upper"]),
        (ik.posture([0]), ["q_ref"]),
    ],
)
def test_objectives_are_frozen_and_their_arrays_read_only(objective: Any, names: list[str]) -> None:
    for name in names:
        with pytest.raises(ValueError, match="read-only"):
            getattr(objective, name)[...] = 0.0
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(objective, name, None)


def test_arrays_are_copied_in() -> None:
    T, low = np.eye(4), np.zeros(1)
    pose, limits = ik.pose(T), ik.joint_limits(low, [1])
    T[0, 3] = low[0] = 9.0
    assert pose.T_world_frame[0, 3] == limits.lower[0] == 0.0


def test_frames_are_looked_up_when_there_is_a_model(planar: aw.RobotModel) -> None:
    wrong = ik.position([0.5, 0, 0], frame_type="endefector")
    with pytest.raises(FrameNotFoundError, match="Did you mean 'endeffector'"):
        ik.solve(planar, [0, 0], wrong)
    with pytest.raises(FrameNotFoundError, match="expected 0 to 0, got 3"):
        ik.solve(planar, [0, 0], ik.position([0.5, 0, 0], index=3))
    with pytest.raises(FrameNotFoundError, match="elbow"):
        ik.solve(planar, [0, 0], ik.position([0.5, 0, 0], tag="elbow"))
    with pytest.raises(FrameNotFoundError, match="Say which one"):
        ik.solve(planar, [0, 0], ik.position([0.5, 0, 0], frame_type="output"))


def test_lengths_are_checked_when_there_is_a_model(planar: aw.RobotModel) -> None:
    target = ik.position([0.6, 0.3, 0])
    with pytest.raises(ObjectiveError, match="expected 2 numbers, one per joint, got 1"):
        ik.solve(planar, [0, 0], target, ik.joint_limits([-1], [1]))
    with pytest.raises(ObjectiveError, match="expected 2 numbers, one per joint, got 3"):
        ik.solve(planar, [0, 0], target, ik.posture([0, 0, 0]))
    with pytest.raises(JointVectorError, match=r"q0: expected 2 .*got 3"):
        ik.solve(planar, [0, 0, 0], target)
    with pytest.raises(JointVectorError, match=r"q0: expected 2 .*got 3"):
        ik.solve(planar, np.zeros(3), target)
    with pytest.raises(JointVectorError):
        ik.solve(planar, np.array([0, NAN]), target)
    with pytest.raises(JointVectorError):
        ik.solve(planar, np.zeros((1, 2)), target)


def test_nothing_to_solve_for(planar: aw.RobotModel) -> None:
    with pytest.raises(ObjectiveError, match="nothing to solve for"):
        ik.solve(planar, [0, 0])
    with pytest.raises(ObjectiveError, match="nothing to solve for"):
        ik.solve(planar, [0, 0], ik.joint_limits([-1, -1], [1, 1]))


def test_what_is_no_objective_and_no_model(planar: aw.RobotModel) -> None:
    target = ik.position([0.6, 0.3, 0])
    with pytest.raises(ObjectiveError, match="one by one, not in a list"):
        ik.solve(planar, [0, 0], [target])  # type: ignore[arg-type]
    with pytest.raises(ObjectiveError, match=r"expected objectives made by ik\.position.* got 3"):
        ik.solve(planar, [0, 0], target, 3)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="expected a RobotModel, got str"):
        ik.solve("arm.hrdf", [0, 0], target)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="expected a RobotModel, got str"):
        ik.IKProblem("arm.hrdf", target)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"max_starts": 0}, "max_starts: expected a whole number from 1, got 0"),
        ({"max_starts": -5}, "max_starts: expected a whole number from 1, got -5"),
        ({"max_starts": 2.5}, "max_starts: expected a whole number from 1, got 2.5"),
        ({"max_starts": 10**400}, "max_starts: expected at most 1000000000, got far more"),
        ({"max_starts": 10**5000}, "max_starts: expected at most 1000000000, got far more"),
        ({"max_starts": 10**9 + 1}, "max_starts: expected at most 1000000000, got 1000000001"),
        ({"max_starts": 2**63}, "max_starts: expected at most 1000000000, got 922"),
        ({"max_starts": np.uint64(2**63)}, "max_starts: expected at most 1000000000, got 922"),
        ({"max_starts": NAN}, "max_starts: expected a whole number from 1, got nan"),
        ({"max_starts": True}, "max_starts: expected a whole number from 1, got True"),
        ({"max_starts": "many"}, "max_starts: expected a whole number from 1, got 'many'"),
        ({"max_starts": None}, "max_starts: expected a whole number from 1, got None"),
        ({"max_starts": np.array([3, 4])}, "max_starts: expected a whole number from 1, got "),
        ({"position_tolerance": 1e300}, "position_tolerance: expected at most 1000, got 1e+300"),
        ({"position_tolerance": 10**400}, "position_tolerance: expected "),
        ({"position_tolerance": np.ones(2)}, "position_tolerance: expected a positive number"),
        ({"position_tolerance": None}, "position_tolerance: expected a positive number, got None"),
        ({"orientation_tolerance": 4.0}, "orientation_tolerance: expected at most 3.14159, got 4"),
        ({"orientation_tolerance": 1j}, "orientation_tolerance: expected a positive number"),
        ({"random_seed": 0.5}, "random_seed: expected a whole number, got 0.5"),
        ({"random_seed": False}, "random_seed: expected a whole number, got False"),
        ({"position_tolerance": True}, "position_tolerance: expected a positive number, got True"),
        ({"orientation_tolerance": np.True_}, "orientation_tolerance: expected a positive number"),
        ({"position_tolerance": 0.0}, "position_tolerance: expected a positive number, got 0"),
        ({"position_tolerance": NAN}, "position_tolerance: expected a positive number, got nan"),
        ({"position_tolerance": INF}, "position_tolerance: expected a positive number, got inf"),
        ({"orientation_tolerance": -1.0}, "expected a positive number, got -1"),
        ({"orientation_tolerance": "tight"}, "expected a positive number, got 'tight'"),
        ({"time_limit": 0}, "time_limit: expected a positive number of seconds or None, got 0"),
        ({"time_limit": True}, "time_limit: expected a positive number of seconds or None, got "),
        ({"time_limit": [1.0]}, "time_limit: expected a positive number of seconds or None, got "),
        ({"time_limit": "1 s"}, "time_limit: expected a positive number of seconds or None, got "),
        ({"time_limit": NAN}, "time_limit: expected a positive number of seconds or None, got nan"),
    ],
)
def test_bad_options(planar: aw.RobotModel, options: dict[str, Any], text: str) -> None:
    target = ik.position([0.6, 0.3, 0])
    for q0 in ([0.1, 0.5], np.array([0.1, 0.5])):
        with pytest.raises(ObjectiveError) as caught:
            ik.solve(planar, q0, target, **options)
        assert text in str(caught.value)
        with pytest.raises(ObjectiveError) as caught:
            ik.IKProblem(planar, target).solve(q0, **options)
        assert text in str(caught.value)


def test_options_of_other_number_types(planar: aw.RobotModel) -> None:
    target = ik.position([0.6, 0.3, 0])
    plain = ik.solve(planar, np.array([0.1, 0.5]), target, position_tolerance=1.0)
    other = ik.solve(
        planar,
        np.array([0.1, 0.5]),
        target,
        position_tolerance=1,
        orientation_tolerance=np.float32(1e-5),  # type: ignore[arg-type]
        max_starts=np.int64(300),  # type: ignore[arg-type]
        random_seed=np.int32(0),  # type: ignore[arg-type]
    )
    huge = ik.solve(planar, np.array([0.1, 0.5]), target, position_tolerance=1.0, max_starts=10**9)
    assert plain.q.tolist() == other.q.tolist() == huge.q.tolist()


def test_a_tiny_weight_counts_as_it_is_when_not_all_can_be_met(planar: aw.RobotModel) -> None:
    # A search takes no weight as less than a hundredth; the compromise does.
    point = ik.position(planar.end_effector([0.3, 0.8])[:3, 3])
    errors = [
        ik.solve(planar, [0.2, 0.6], point, ik.orientation(np.eye(3), weight=weight)).position_error
        for weight in (1e-2, 1e-4)
    ]
    assert errors[1] < 1e-2 * errors[0]
