"""What all solutions are asked with and come as: arguments, errors, frozen values, same bits."""

import copy
import math
import pickle
import threading
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

import armwright as aw
from armwright import ik
from armwright.errors import ModelError, ObjectiveError
from tests.ik.all_arms import placement, random_arm, random_joints
from tests.ik.conftest import masked


@pytest.fixture(scope="module")
def six() -> aw.RobotModel:
    """An arm with a closed form."""
    return aw.load("examples/arms/six_dof.hrdf")


def test_targets_of_any_make(six: aw.RobotModel) -> None:
    T = six.end_effector([0.4, 0.6, -0.9, 0.3, 1.0, 2.0])
    expected = ik.solve_all(six, T).solutions
    frozen = T.copy()
    frozen.setflags(write=False)
    wide = np.zeros((8, 8))
    wide[::2, ::2] = T
    for given in (T.tolist(), frozen, wide[::2, ::2], np.asfortranarray(T)):
        np.testing.assert_array_equal(ik.solve_all(six, given).solutions, expected)
    single = ik.solve_all(six, T.astype(np.float32))
    assert len(single) == len(expected)
    np.testing.assert_allclose(single.solutions, expected, atol=1e-4)
    listed = ik.solve_all(six, T, reference=[0, 0, 0, 0, 0, 0])
    np.testing.assert_array_equal(listed.solutions, expected)


@pytest.mark.parametrize(
    ("T", "words"),
    [
        (np.eye(3), r"\(4, 4\)"),
        (np.eye(4)[None], r"\(4, 4\)"),
        (np.full((4, 4), np.nan), "finite"),
        (np.diag([1.0, 1.0, 1.0, np.inf]), "finite"),
        (np.diag([1.0, 1.0, -1.0, 1.0]), "mirror image"),
        (np.diag([2.0, 1.0, 1.0, 1.0]), "expected a rotation"),
        (placement(np.eye(3), np.array([1.0, 2.0, 3.0])).T, "transposed"),
        ("home", r"\(4, 4\)"),
        (None, r"\(4, 4\)"),
        ([[1, 0], [0]], r"\(4, 4\)"),
        (np.eye(4, dtype=complex), r"\(4, 4\)"),
        ([], r"\(4, 4\)"),
        (set(), r"\(4, 4\)"),
        (masked(np.eye(4), 1.0), r"\(4, 4\)"),
        (list(masked(np.eye(4), 1.0)), r"\(4, 4\)"),
    ],
)
def test_targets_that_are_none(T: object, words: str, six: aw.RobotModel) -> None:
    with pytest.raises(ObjectiveError, match=words):
        ik.solve_all(six, T)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reference", "error", "words"),
    [
        ([0.0] * 5, ModelError, "expected 6.*got 5"),
        ([0.0] * 5 + [math.nan], ModelError, "finite"),
        ([0.0] * 5 + [1e9], ObjectiveError, "whole turns"),
        ("home", ModelError, "reference"),
    ],
)
def test_references_that_are_none(
    reference: object, error: type[Exception], words: str, six: aw.RobotModel
) -> None:
    with pytest.raises(error, match=words):
        ik.solve_all(six, six.end_effector(np.ones(6)), reference=reference)  # type: ignore[arg-type]


def test_models_and_frames_that_are_none(six: aw.RobotModel) -> None:
    T = np.eye(4)
    with pytest.raises(ModelError, match="expected a RobotModel, got str"):
        ik.solve_all("arm.hrdf", T)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="output"):
        ik.solve_all(six, T, frame_type="outptu")
    with pytest.raises(ModelError, match="index"):
        ik.solve_all(six, T, frame_type="output", index=99)
    with pytest.raises(ModelError, match="index"):
        ik.solve_all(six, T, frame_type="output", index=[1])  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="probe"):
        ik.solve_all(six, T, tag="probbe")


def test_results_are_frozen_values(six: aw.RobotModel) -> None:
    found = ik.solve_all(six, six.end_effector([0.4, 0.6, -0.9, 0.3, 1.0, 2.0]))
    for name in ("solutions", "pose_errors", "distances"):
        assert not getattr(found, name).flags.writeable
        with pytest.raises((FrozenInstanceError, AttributeError)):
            setattr(found, name, None)
    with pytest.raises(FrozenInstanceError):
        found.method = "magic"
    with pytest.raises(FrozenInstanceError):
        del found.method
    with pytest.raises(ValueError, match="read-only"):
        found.solutions[0, 0] = 1.0
    assert len(list(found)) == len(found) == len(found.solutions)
    np.testing.assert_array_equal(found[0], found.solutions[0])
    np.testing.assert_array_equal(found[-2:], found.solutions[-2:])
    assert found.message in repr(found)
    for twin in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found), copy.copy(found)):
        for name in ("solutions", "pose_errors", "distances"):
            np.testing.assert_array_equal(getattr(twin, name), getattr(found, name))
            assert not getattr(twin, name).flags.writeable
        for name in ("method", "expected_missed", "singular", "outside_limits", "starts"):
            assert getattr(twin, name) == getattr(found, name)


def test_same_bits_every_time_and_in_every_thread(six: aw.RobotModel) -> None:
    free = random_arm(np.random.default_rng(9), "free")
    rng = np.random.default_rng(10)
    asked = [(m, m.end_effector(random_joints(rng, m))) for m in (six, free) for _ in range(20)]

    def answers() -> list[bytes]:
        return [ik.solve_all(m, T).solutions.tobytes() for m, T in asked]

    first = answers()
    others: list[list[bytes]] = []
    threads = [threading.Thread(target=lambda: others.append(answers())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert others == [first] * 3
