"""Ctrl-C ends a search soon, whatever was asked for; slices do not change what is found."""

import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import ik
from armwright.ik.solving import search, solver
from armwright.kinematics.engine import kernel
from tests.ik.conftest import FloatArray

ARM = Path(__file__).resolve().parents[2] / "examples" / "arms" / "six_dof.hrdf"
SEED = np.full(6, 0.1)


def many_joints(n: int) -> aw.RobotModel:
    parts = "".join(
        f'<joint axis="{("rz", "ry", "rx")[i % 3]}"/>'
        '<rigid-body mass="1" output_trans="0.1 0.02 0.05"/>'
        for i in range(n)
    )
    return aw.loads(f'<robot version="1.6.0">{parts}<end-effector/></robot>')


def out_of_reach(model: aw.RobotModel) -> FloatArray:
    T = model.end_effector(np.full(model.dof, 0.1))
    T[0, 3] += 0.3 * model.dof
    return T


def position_for_ever() -> None:
    model = aw.load(ARM)
    ik.solve(model, SEED, ik.position([2, 0, 0.2]), max_starts=10**9)


def pose_for_ever() -> None:
    model = aw.load(ARM)
    ik.IKProblem(model, ik.pose(out_of_reach(model))).solve(SEED, max_starts=10**9)


def batch_in_threads() -> None:
    model = aw.load(ARM)
    ik.solve_batch(model, SEED, [out_of_reach(model)] * 20, max_starts=10**9, threads=2)


def batch_in_one_thread() -> None:
    model = aw.load(ARM)
    ik.solve_batch(model, SEED, [out_of_reach(model)] * 10**5, threads=1)


def sixty_joints() -> None:
    model = many_joints(60)
    ik.solve_batch(model, np.full(60, 0.1), [out_of_reach(model)] * 10**5, threads=2)


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
@pytest.mark.parametrize(
    "work", [position_for_ever, pose_for_ever, batch_in_threads, batch_in_one_thread, sixty_joints]
)
def test_ctrl_c_is_heard(work: Callable[[], None]) -> None:
    for n in (6, 60):  # compiled before
        model = many_joints(n)
        seed = np.full(n, 0.1)
        ik.solve_batch(model, seed, [out_of_reach(model)])
        ik.solve(model, seed, ik.position([9.0, 0, 0]), max_starts=40)
    sent = []

    def interrupt() -> None:
        sent.append(time.monotonic())
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, interrupt)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
        heard = time.monotonic() - sent[0]
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert heard < 2.0  # 0.03 s on a quiet machine; the searches would take minutes


@pytest.mark.parametrize("kind", ["pose", "position", "box"])
def test_slices_change_nothing(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = aw.load(ARM)
    rng = np.random.default_rng(81)

    def answers() -> list[tuple[list[float], int, int]]:
        found = []
        for T, seed, low in zip(Ts, seeds, lows, strict=True):
            box = (
                ik.joint_limits(low, low + 2.5) if kind == "box" else ik.joint_limits(low, low + 9)
            )
            goal = ik.position(T[:3, 3]) if kind == "position" else ik.pose(T)
            result = ik.solve(model, seed, goal, box)
            found.append((result.q.tolist(), result.iterations, result.restarts))
        return found

    q = rng.uniform(-3, 3, (40, 6))
    lows, seeds = q - rng.uniform(0, 2.5, (40, 6)), rng.uniform(-3, 3, (40, 6))
    Ts = model.end_effector(q)
    Ts[::4, :3, 3] *= 2.0
    sliced = answers()
    assert max(restarts for _, _, restarts in sliced) == 299
    monkeypatch.setattr(solver, "FIRST_STARTS", 300)
    assert answers() == sliced
    monkeypatch.setattr(solver, "FIRST_STARTS", 1)
    monkeypatch.setattr(search, "FIRST_STARTS", 1)
    monkeypatch.setattr(search, "SLICE", 0.0)
    assert answers() == sliced


def test_polish_in_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """As arms of many joints are polished: with a look around after every round."""
    model = aw.load(ARM)
    goal = ik.pose(out_of_reach(model))
    whole = ik.solve(model, SEED, goal)
    monkeypatch.setattr(search, "MANY_JOINTS", 1)
    assert ik.solve(model, SEED, goal).q.tolist() == whole.q.tolist()


def test_a_search_can_be_stopped_from_outside() -> None:
    clock = search.Clock(None, stopped=lambda: True)
    with pytest.raises(search.StoppedError):
        clock.look()
    search.Clock(None).look()


def test_secondary_goals_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """On arms of many joints all steps at once took half a second; nothing is heard meanwhile."""
    model = many_joints(20).with_position_limits([-0.5] * 20, [0.5] * 20)
    target = ik.pose(model.end_effector(np.random.default_rng(3).uniform(-0.4, 0.4, 20)))
    calls: list[tuple[int, int]] = []
    descend = kernel("armwright.ik._kernels.descend_secondary", "descend_secondary")

    def counted(*arguments: Any) -> int:
        calls.append(arguments[-2:])
        return int(descend(*arguments))

    monkeypatch.setattr(search, "_descend_secondary", counted)
    for goal in (
        ik.posture(np.full(20, -0.3)),
        ik.centering(),
        ik.least_effort(),
        ik.manipulability_goal(),
    ):
        monkeypatch.setattr(search, "MANY_JOINTS", 16)
        calls.clear()
        stepwise = ik.solve(model, np.full(20, 0.1), target, goal)
        assert stepwise.success
        assert calls == [(i, i + 1) for i in range(len(calls))]
        assert len(calls) > 5
        monkeypatch.setattr(search, "MANY_JOINTS", 21)
        calls.clear()
        at_once = ik.solve(model, np.full(20, 0.1), target, goal)
        assert calls == [(0, 200)]
        assert at_once.q.tolist() == stepwise.q.tolist()
        assert at_once.position_error == stepwise.position_error


def test_secondary_goals_can_be_stopped_and_end_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    model = many_joints(20)
    target = ik.pose(model.end_effector(np.full(20, 0.2)))
    problem = ik.IKProblem(model, target, ik.least_effort())
    steps: list[int] = []
    descend = kernel("armwright.ik._kernels.descend_secondary", "descend_secondary")

    def counted(*arguments: Any) -> int:
        steps.append(arguments[-2])
        return int(descend(*arguments))

    monkeypatch.setattr(search, "_descend_secondary", counted)
    monkeypatch.setattr(search.Clock, "is_out", property(lambda clock: len(steps) >= 3))
    result = problem.solve(np.full(20, 0.1))
    assert result.success
    assert steps == [0, 1, 2]
    steps.clear()

    def look(clock: search.Clock) -> None:
        if len(steps) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(search.Clock, "look", look)
    with pytest.raises(KeyboardInterrupt):
        problem.solve(np.full(20, 0.1))
    assert steps == [0, 1]
