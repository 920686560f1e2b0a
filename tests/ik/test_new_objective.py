"""An objective of a user's own: one class here, no other file touched, and all of ik knows it."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import armwright as aw
from armwright import ik
from armwright.errors import FrameNotFoundError, ObjectiveError
from armwright.ik.objectives import FrameObjective, Objective, PrimaryObjective
from tests.ik.conftest import FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LookAt(FrameObjective):
    """The frame's z axis points at a point in the world; the kernels know nothing of it."""

    name: ClassVar[str] = "look_at"
    orientation_rows: ClassVar[slice | None] = slice(0, 3)
    advice: ClassVar[str] = "look from somewhere else"

    xyz: FloatArray
    knows_slope: bool = True

    def count_errors(self) -> int:
        return 2

    def error_of(self, T_world_frame: FloatArray) -> FloatArray:
        way = self.xyz - T_world_frame[:3, 3]
        across = np.cross(T_world_frame[:3, 2], way)
        sine = float(np.linalg.norm(across))
        turn: FloatArray = across * math.atan2(sine, T_world_frame[:3, 2] @ way) / max(sine, 1e-12)
        return turn

    def slope_of(self, T_world_frame: FloatArray, J_world_frame: FloatArray) -> FloatArray | None:
        if not self.knows_slope:
            return None
        z = T_world_frame[:3, 2]
        way = self.xyz - T_world_frame[:3, 3]
        moved = np.cross(z, J_world_frame[:3], axisb=0, axisc=0) / np.linalg.norm(way)
        rows: FloatArray = J_world_frame[3:] - np.outer(z, z @ J_world_frame[3:]) + moved
        return rows


def look_at(xyz: list[float], knows_slope: bool = True, **frame: str) -> LookAt:
    frame_type, tag = frame.get("frame_type", "endeffector"), frame.get("tag")
    target = np.array(xyz, dtype=float)
    return LookAt(
        xyz=target, knows_slope=knows_slope, weight=1.0, frame_type=frame_type, index=None, tag=tag
    )


class SumOf(PrimaryObjective):
    """The joint positions add up to a number; not of any frame, and with a tolerance of its own."""

    name: ClassVar[str] = "sum_of"

    def count_errors(self) -> int:
        return 1

    def is_met(self, residual: FloatArray, factor: float) -> bool:
        return bool(abs(residual[0]) <= factor * 1e-7)

    def residual(self, model: aw.RobotModel, q: FloatArray, limits: FloatArray) -> FloatArray:
        return np.array([1.5 - q.sum()])


def off_sight(model: aw.RobotModel, q: FloatArray, xyz: list[float]) -> float:
    T = model.end_effector(q)
    way = np.array(xyz) - T[:3, 3]
    return math.acos(min(1.0, float(T[:3, 2] @ way) / float(np.linalg.norm(way))))


@pytest.mark.parametrize("knows_slope", [True, False])
@pytest.mark.parametrize("prepared", [True, False])
def test_a_camera_looks_at_a_point(seven: aw.RobotModel, knows_slope: bool, prepared: bool) -> None:
    point = [0.4, -0.5, 0.1]
    wanted = (look_at(point, knows_slope), ik.position([0.3, 0.3, 0.4]))
    seed = np.full(7, 0.3)
    if prepared:
        result = ik.IKProblem(seven, *wanted).solve(seed)
    else:
        result = ik.solve(seven, seed, *wanted)
    assert result.success
    assert result.status is ik.IKStatus.CONVERGED
    assert off_sight(seven, result.q, point) < 1e-4
    assert np.allclose(seven.end_effector(result.q)[:3, 3], [0.3, 0.3, 0.4], atol=1e-5)
    assert result.residuals[0].shape == (3,)
    assert result.orientation_error == pytest.approx(np.linalg.norm(result.residuals[0]))
    assert result.position_error == pytest.approx(np.linalg.norm(result.residuals[1]))


def test_its_slope_is_that_of_its_error(seven: aw.RobotModel) -> None:
    # On target, where it is exact; so for all who know their slope.
    point = [0.4, -0.5, 0.1]
    q = ik.solve(seven, np.full(7, 0.3), look_at(point)).q
    limits = seven.position_limits
    exact = look_at(point).slope(seven, q, limits)
    assert np.allclose(exact, look_at(point, False).slope(seven, q, limits), atol=1e-5)


@pytest.mark.parametrize("name", ["position", "free", "orientation", "pose", "tip_axis"])
def test_known_objectives_know_their_slope(seven: aw.RobotModel, name: str) -> None:
    from armwright.ik.objectives.base import differences

    q = np.array([0.3, -0.4, 0.5, 0.6, -0.2, 0.4, 0.1])
    T = seven.end_effector(q)
    makers: dict[str, Callable[[], PrimaryObjective]] = {
        "position": lambda: ik.position(T[:3, 3]),
        "free": lambda: ik.position([None, T[1, 3], None]),
        "orientation": lambda: ik.orientation(T[:3, :3]),
        "pose": lambda: ik.pose(T),
        "tip_axis": lambda: ik.tip_axis(T[:3, 2]),
    }
    objective = makers[name]()
    limits = seven.position_limits
    assert np.allclose(objective.residual(seven, q, limits), 0.0, atol=1e-12)
    exact = objective.slope(seven, q, limits)
    assert np.allclose(exact, differences(objective, seven, q, limits), atol=1e-6)
    assert np.linalg.matrix_rank(exact, tol=1e-6) == objective.count_errors()


def test_its_own_tolerance_and_no_frame(seven: aw.RobotModel) -> None:
    q = np.full(7, 0.2)
    result = ik.solve(seven, q, SumOf(weight=1.0), ik.position(seven.end_effector(q)[:3, 3]))
    assert result.success
    assert result.q.sum() == pytest.approx(1.5, abs=1e-6)
    assert np.isnan(result.orientation_error)
    locked = seven.with_position_limits(q, q)
    failed = ik.solve(locked, q, SumOf(weight=1.0))
    assert not failed.success
    assert failed.residuals[0] == pytest.approx(0.1)


def test_limits_and_secondary_goals_beside_it(seven: aw.RobotModel) -> None:
    T = seven.end_effector([0.1, -0.7, 0.5, 0.6, -0.2, 0.4, 0.1])
    point = (T[:3, 3] + 0.5 * T[:3, 2]).tolist()
    limits = ik.joint_limits([-0.8] * 7, [0.8] * 7)
    plain = ik.solve(seven, np.full(7, 0.3), look_at(point), limits)
    calm = ik.solve(seven, np.full(7, 0.3), look_at(point), limits, ik.posture(np.zeros(7)))
    assert plain.success
    assert calm.success
    assert np.abs(calm.q).max() <= 0.8
    assert np.linalg.norm(calm.q) < 0.9 * np.linalg.norm(plain.q)


def test_its_words(seven: aw.RobotModel, planar: aw.RobotModel) -> None:
    assert "look_at, position" in repr(
        ik.IKProblem(seven, look_at([1, 0, 0]), ik.position([1, 0, 0]))
    )
    few = ik.solve(planar, np.zeros(2), look_at([0.1, 0.1, 0.9]), ik.position([0.3, 0.2, 0.1]))
    assert not few.success
    assert "2 joints cannot meet 5 constraints; look from somewhere else" in few.message
    with pytest.raises(FrameNotFoundError):
        ik.solve(seven, np.zeros(7), look_at([1, 0, 0], tag="nobody"))


def test_who_needs_a_kernel_says_so(seven: aw.RobotModel) -> None:
    tracker = ik.Tracker(seven, np.full(7, 0.3))
    with pytest.raises(ObjectiveError, match="expected a pose"):
        tracker.step((look_at([1, 0, 0]),))  # type: ignore[arg-type]
    with pytest.raises(ObjectiveError, match="poses"):
        ik.track(seven, np.full(7, 0.3), [look_at([1, 0, 0])])  # type: ignore[arg-type]


def test_what_a_new_objective_must_say() -> None:
    class Nothing(PrimaryObjective):
        name: ClassVar[str] = "nothing"

    empty = Nothing(weight=1.0)
    with pytest.raises(NotImplementedError):
        empty.count_errors()
    with pytest.raises(NotImplementedError):
        empty.is_met(np.zeros(1), 1.0)  # neither a tolerance of its own nor one of the solver's
    with pytest.raises(NotImplementedError):
        Objective().residual(None, np.zeros(1), np.zeros((2, 1)))  # type: ignore[arg-type]


def test_the_older_name_of_the_problem() -> None:
    with pytest.warns(DeprecationWarning, match=r"ik\.IKProblem"):
        assert ik.Problem is ik.IKProblem  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="no attribute 'Problems'"):
        ik.Problems  # type: ignore[attr-defined]  # noqa: B018
