"""Holding efforts: the vector that is given, the warning about a normalized one, its checks."""

import warnings

import numpy as np
import pytest

from armwright.errors import ModelError
from armwright.kinematics import RobotModel

Q = [0.3, 0.5]


def test_the_default_is_standard_gravity(tree: RobotModel) -> None:
    q = np.linspace(-1, 1, 6)
    assert tree.gravity_efforts(q).tobytes() == tree.gravity_efforts(q, (0, 0, -9.81)).tobytes()


def test_gravity_is_not_normalized(planar: RobotModel) -> None:
    once = planar.gravity_efforts(Q, [0, -2, 0])
    np.testing.assert_allclose(planar.gravity_efforts(Q, [0, -4, 0]), 2 * once)
    assert not planar.gravity_efforts(Q, [0, 0, 0]).any()


def test_one_vector_does_not_stay(planar: RobotModel) -> None:
    before = planar.gravity_efforts(Q)
    planar.gravity_efforts(Q, [5, 5, 5])
    assert planar.gravity_efforts(Q).tobytes() == before.tobytes()


@pytest.mark.parametrize("gravity", [[0, 0, -1], [0, -1.0009, 0], np.array([0.6, 0, -0.8])])
def test_a_vector_of_length_one_is_asked_about(planar: RobotModel, gravity: object) -> None:
    for q in (Q, np.array(Q), np.array([Q, Q])):
        with pytest.warns(UserWarning, match="has length 1: was it normalized") as caught:
            planar.gravity_efforts(q, gravity)  # type: ignore[arg-type]
        assert caught[0].filename == __file__  # at the line of the caller
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        planar.gravity_efforts(Q, [0, 0, -1.002])
        planar.gravity_efforts(Q, [0, 0, -1.62])  # on the moon


@pytest.mark.parametrize(
    ("gravity", "words"),
    [
        ([0, -9.81], r"gravity: expected shape \(..., 3\), got \(2,\)"),
        (-9.81, r"gravity: expected shape \(..., 3\), got \(\)"),
        ([0, 0, np.nan], "gravity: expected finite numbers"),
        ("down", "gravity: expected numbers .* got 'down'"),
    ],
)
def test_bad_gravity(planar: RobotModel, gravity: object, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        planar.gravity_efforts(Q, gravity)  # type: ignore[arg-type]
