"""Objectives made of arrays take a quicker way: it must judge and keep what the slow one does."""

import math
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import ik
from armwright.errors import ObjectiveError
from tests.ik.conftest import FloatArray

NAN, INF = math.nan, math.inf


def rotated(angle: float) -> FloatArray:
    T = np.eye(4)
    T[:2, :2] = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
    T[:3, 3] = [1, 2, 3]
    return T


def test_arrays_are_judged_as_lists_are() -> None:
    """The quick way of arrays gives the same bits, and refuses the same, as the slow one."""
    rng = np.random.default_rng(41)
    refused = 0
    for _ in range(300):
        T = rotated(rng.uniform(-3, 3))
        T[:3, :3] = T[:3, :3] @ np.linalg.qr(rng.normal(size=(3, 3)))[0]
        T[:3, :3] += rng.normal(size=(3, 3)) * 10.0 ** rng.uniform(-18, -3)
        T[:3, 3] *= 10.0 ** rng.uniform(-3, 32)
        for make, value in ((ik.pose, T), (ik.orientation, T[:3, :3]), (ik.position, T[:3, 3])):
            answers = []
            for given in (value, value.tolist(), np.asfortranarray(value)):
                try:
                    answers.append(make(given).target.tobytes())
                except ObjectiveError as error:
                    answers.append(str(error).encode())
                    refused += 1
            assert len(set(answers)) == 1
    assert 100 < refused < 2400
    for lower, upper in (([-1.0, -INF], [1.0, INF]), ([0.5, 0.5], [0.5, 0.5])):
        quick = ik.joint_limits(np.array(lower), np.array(upper))
        assert quick.key == ik.joint_limits(lower, upper).key
        assert (quick.lower.tolist(), quick.upper.tolist()) == (lower, upper)


def test_objectives_keep_copies() -> None:
    T, xyz, axis = rotated(0.3), np.ones(3), np.array([0.0, 0.0, 2.0])
    low, high = np.zeros(2), np.ones(2)
    made: list[Any] = [ik.pose(T), ik.orientation(T[:3, :3]), ik.position(xyz), ik.tip_axis(axis)]
    limits = ik.joint_limits(low, high)
    before = [objective.target.copy() for objective in made]
    for values in (T, xyz, axis, low, high):
        values[:] = 7.0
    for objective, goal in zip(made, before, strict=True):
        assert np.array_equal(objective.target, goal)
        shown = getattr(objective, objective.shown[0])
        assert shown is getattr(objective, objective.shown[0])
        assert np.shares_memory(shown, objective.target)
        assert not shown.flags.writeable
        with pytest.raises(AttributeError, match="no attribute 'nothing'"):
            _ = objective.nothing
    assert limits.lower.tolist() == [0, 0]
    assert limits.upper.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("lower", "upper"),
    [
        ([0.0, NAN], [1.0, 1.0]),
        ([0.0, 2.0], [1.0, 1.0]),
        ([0.0, INF], [1.0, INF]),
        ([0.0], [1.0, 2.0]),
    ],
)
def test_bad_limits_in_arrays(lower: list[float], upper: list[float]) -> None:
    words = []
    for kind in (list, np.array):
        with pytest.raises(ObjectiveError) as caught:
            ik.joint_limits(kind(lower), kind(upper))
        words.append(str(caught.value))
    assert words[0] == words[1]


def test_a_pose_laid_out_by_columns_is_solved() -> None:
    """Transposed views and arrays from MATLAB or Fortran lie in memory by columns."""
    arm = aw.load("examples/arms/six_dof.hrdf")
    T = arm.end_effector([0.1, 0.9, 1.2, -0.4, 0.2, 0.3])
    for given in (np.asfortranarray(T), T.T.copy().T, np.asfortranarray(T, dtype=np.float32)):
        result = ik.solve(arm, [0.0, 0.8, 1.1, -0.4, 0.2, 0.3], ik.pose(given))
        assert result.success
        assert np.abs(arm.end_effector(result.q) - T).max() < 1e-4
