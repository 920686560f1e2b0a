"""Many configurations at once: any leading axes, the bits of single calls, threads, errors."""

import threading
from typing import Any

import numpy as np
import pytest

from armwright.errors import JointVectorError
from armwright.kinematics import RobotModel, batches

CALLS: dict[str, Any] = {
    "forward_kinematics": lambda m, q, out=None: m.forward_kinematics("output", q, out),
    "end_effector": lambda m, q, out=None: m.end_effector(q, out, index=0),
    "jacobian": lambda m, q, out=None: m.jacobian(q, out, index=0),
    "jacobians": lambda m, q, out=None: m.jacobians("com", q, out),
    "gravity_efforts": lambda m, q, out=None: m.gravity_efforts(q, [1, 2, -9], out),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_batch_is_the_loop_to_the_bit(robot: RobotModel, call: str) -> None:
    Q = np.random.default_rng(7).uniform(-3, 3, (7, robot.dof))
    together = CALLS[call](robot, Q)
    one_by_one = np.array([CALLS[call](robot, q) for q in Q])
    assert together.tobytes() == one_by_one.tobytes()


def test_the_chain_of_a_single_end_effector_as_a_batch(planar: RobotModel) -> None:
    Q = np.random.default_rng(7).uniform(-3, 3, (4, 2))
    for call in (planar.end_effector, planar.jacobian):
        assert call(Q).tobytes() == np.array([call(q) for q in Q]).tobytes()


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("leading", [(0,), (1,), (5,), (2, 3), (1, 2, 1, 2), (0, 4)])
def test_leading_axes(tree: RobotModel, call: str, leading: tuple[int, ...]) -> None:
    single = CALLS[call](tree, np.zeros(6))
    Q = np.random.default_rng(8).uniform(-1, 1, (*leading, 6))
    result = CALLS[call](tree, Q)
    assert result.shape == (*leading, *single.shape)
    flat = CALLS[call](tree, Q.reshape(int(np.prod(leading)), 6))
    assert result.tobytes() == flat.tobytes()
    strided = np.repeat(Q, 2, axis=-1)[..., ::2]
    assert CALLS[call](tree, strided).tobytes() == flat.tobytes()


@pytest.mark.parametrize("call", CALLS)
def test_threads_give_the_same_bits(
    tree: RobotModel, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Q = np.random.default_rng(9).uniform(-3, 3, (103, 6))
    expected = CALLS[call](tree, Q)
    started = []
    monkeypatch.setattr(batches, "ROWS_PER_THREAD", 10)
    monkeypatch.setattr(batches, "_cores", lambda: 4)
    init = threading.Thread.__init__

    def count(self: threading.Thread, *args: Any, **kwargs: Any) -> None:
        started.append(self)
        init(self, *args, **kwargs)

    monkeypatch.setattr(threading.Thread, "__init__", count)
    out = np.full_like(expected, np.nan)
    assert CALLS[call](tree, Q, out) is out
    assert out.tobytes() == expected.tobytes()
    assert 1 <= len(started) <= 3
    monkeypatch.setattr(batches, "_cores", lambda: 1)
    started.clear()
    assert CALLS[call](tree, Q).tobytes() == expected.tobytes()
    assert not started


def test_a_bad_row_is_named_wherever_it_is(
    tree: RobotModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "ROWS_PER_THREAD", 10)
    monkeypatch.setattr(batches, "_cores", lambda: 3)
    for row in (0, 45, 99):
        Q = np.zeros((100, 6))
        Q[row, 4] = np.nan
        for call in CALLS.values():
            with pytest.raises(JointVectorError, match=rf"got nan at index \({row}, 4\)"):
                call(tree, Q)


def test_cores_are_counted() -> None:
    assert batches._cores() >= 1


def test_cores_where_the_system_does_not_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: None)
    assert batches._cores() == 1


def test_calls_from_many_threads_at_once(tree: RobotModel) -> None:
    Q = np.random.default_rng(10).uniform(-3, 3, (200, 6))
    expected = tree.jacobians("output", Q)
    wrong = []

    def work() -> None:
        for _ in range(20):
            if tree.jacobians("output", Q).tobytes() != expected.tobytes():
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
