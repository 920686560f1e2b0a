"""The clock of the loop: no turn is longer than a period, and broken clocks are found."""

import ast
import logging
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armwright.devices import GroupFeedback
from armwright.devices.driving.clock import LoopClock, Timing
from tests.project.sources import ROOT

T = 0.01
NAN = float("nan")


def at(time: float) -> GroupFeedback:
    feedback = GroupFeedback(0.0, [0.0])
    object.__setattr__(feedback, "time", time)  # groups of others may say anything
    return feedback


def started(lost_after: float = 0.1, **arguments: object) -> LoopClock:
    clock = LoopClock(T, lost_after, **arguments)  # type: ignore[arg-type]
    clock.begin(at(5.0))
    return clock


def run(times: list[float], **arguments: object) -> tuple[list[Timing], list[float]]:
    """Return what a clock that began at 5 s says of feedbacks at other times."""
    clock = started(**arguments)  # type: ignore[arg-type]
    timings, steps = [], []
    for time in times:
        timings.append(clock.turn(at(time)))
        steps.append(clock.ds)
    return timings, steps


def test_turns_take_the_time_that_goes_by() -> None:
    timings, steps = run([5.01, 5.02, 5.025, 5.03])
    assert set(timings) == {Timing.ON_TIME}
    np.testing.assert_allclose(steps, [0.01, 0.01, 0.005, 0.005], atol=1e-12)


def test_early_turns_make_up_for_late_ones_by_one_period_at_most() -> None:
    _, steps = run([5.018, 5.02, 5.022, 5.03])  # 8 ms late, then early
    np.testing.assert_allclose(steps, [0.01, 0.01, 0.002, 0.008], atol=1e-12)
    _, steps = run([5.02, 5.06, 5.061])  # late by more than three: nothing is made up for
    np.testing.assert_allclose(steps, [0.01, 0.01, 0.001], atol=1e-12)
    _, steps = run([5.03, 5.031, 5.032, 5.042])  # 20 ms late: only one period is made up for
    np.testing.assert_allclose(steps, [0.01, 0.01, 0.002, 0.01], atol=1e-12)


def test_jitter_loses_no_time() -> None:
    rng = np.random.default_rng(3)
    times = 5.0 + T * (np.arange(1, 400) + rng.uniform(-0.2, 0.2, 399))
    times[::7] += 0.5 * T
    _, steps = run(np.sort(times).tolist())
    assert sum(steps) == pytest.approx(times.max() - 5.0, abs=T)


@given(st.lists(st.floats(-10.0, 10.0) | st.just(NAN) | st.just(math.inf), max_size=40))
def test_no_turn_is_ever_longer_than_a_period(times: list[float]) -> None:
    _, steps = run([5.0 + time for time in times])
    assert all(0.0 <= ds <= T for ds in steps)


@pytest.mark.parametrize(
    ("gap", "timing", "ds"),
    [
        (0.03, Timing.ON_TIME, T),
        (0.031, Timing.LATE, T),
        (0.0999, Timing.LATE, T),
        (0.1, Timing.CAME_BACK, 0.0),
        (1.0, Timing.CAME_BACK, 0.0),
        (3600.0, Timing.CAME_BACK, 0.0),
        (0.0, Timing.NO_TIME, 0.0),
        (-0.001, Timing.NO_TIME, 0.0),
        (-0.0299, Timing.NO_TIME, 0.0),
        (-0.031, Timing.WRONG, 0.0),
        (-1.0, Timing.WRONG, 0.0),
        (NAN, Timing.NO_TIME, 0.0),
        (-math.inf, Timing.WRONG, 0.0),
        (math.inf, Timing.WRONG, 0.0),
    ],
)
def test_what_a_gap_means(gap: float, timing: Timing, ds: float) -> None:
    assert run([5.0 + gap]) == ([timing], [ds])


def test_a_clock_that_stands_still_is_wrong_after_a_tenth_of_a_second() -> None:
    assert run([5.0] * 10)[0] == [Timing.NO_TIME] * 9 + [Timing.WRONG]
    assert run([NAN] * 10)[0] == [Timing.NO_TIME] * 9 + [Timing.WRONG]
    quick = LoopClock(0.001, 0.1)
    quick.begin(at(5.0))
    assert [quick.turn(at(5.0)) for _ in range(100)].index(Timing.WRONG) == 99


def test_one_bad_stamp_does_no_harm() -> None:
    for bad in (NAN, 5.019):
        timings, steps = run([5.01, 5.02, bad, 5.04, 5.05])
        assert timings.count(Timing.NO_TIME) == 1
        assert Timing.WRONG not in timings
        np.testing.assert_allclose(steps, [0.01, 0.01, 0.0, 0.01, 0.01], atol=1e-12)
    timings, _ = run([*[NAN] * 9, 5.01, *[NAN] * 9, 5.02])  # ten, but not in a row
    assert Timing.WRONG not in timings
    first = LoopClock(T, 0.1)
    first.begin(at(NAN))
    assert [first.turn(at(time)) for time in (5.0, 5.01)] == [Timing.NO_TIME, Timing.ON_TIME]


def test_lost_after_moves_the_gap() -> None:
    assert run([5.03], lost_after=0.03)[0] == [Timing.CAME_BACK]
    assert run([5.05], lost_after=0.03)[0] == [Timing.CAME_BACK]
    assert run([5.5], lost_after=1.0)[0] == [Timing.LATE]


def test_late_turns_are_counted_and_logged_once_a_second(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = started()
    with caplog.at_level(logging.WARNING):
        for count in range(1, 41):
            clock.turn(at(5.0 + 0.05 * count))
    assert clock.late == 40
    assert 2 <= len(caplog.records) <= 3
    assert "0.05 s between two turns instead of 0.01 s; late turns so far: 1" in caplog.text


def test_blind_turns_take_a_period_of_simulated_time() -> None:
    clock = started(real_time=False, monotonic=lambda: 0.0)
    clock.blind()
    assert (clock.ds, clock.dt, clock.elapsed) == (T, T, T)


def test_blind_turns_in_real_time_take_what_the_computers_clock_says() -> None:
    now, slept = [0.0], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    clock = started(real_time=True, monotonic=lambda: now[0], sleep=sleep)
    steps = []
    for work in (0.007, 0.001, 0.5):
        now[0] += work
        clock.blind()
        steps.append(clock.ds)
    np.testing.assert_allclose(steps, [0.007, T, T], atol=1e-12)
    np.testing.assert_allclose(slept, [0.009], atol=1e-12)


def test_no_other_file_of_the_loop_looks_at_time() -> None:
    words = {"time", "monotonic", "perf_counter", "time_ns", "process_time"}
    found = []
    for path in sorted((ROOT / "devices" / "driving").glob("*.py")):
        if path.name == "clock.py":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = set()
            if isinstance(node, ast.Attribute):
                names = {node.attr}
            elif isinstance(node, ast.Import):
                names = {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names = {str(node.module), *(alias.name for alias in node.names)}
            found += [f"{path.name}: {name}" for name in names & words]
    assert found == ["drive.py: time"]  # in the message of a clock that is wrong


def test_elapsed_time_is_what_went_by() -> None:
    clock = started()
    for time in [5.01, 5.06, NAN, 5.04, 5.07]:
        clock.turn(at(time))
    assert clock.elapsed == pytest.approx(0.07)
