"""The rate of the path: smooth, bounded, and exact at its ends."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armwright.devices.driving.rate import FAST, GENTLE, Quickness, Rate

NUMBERS = st.floats(0.0, 1.0)


@pytest.mark.parametrize(("quickness", "time", "way"), [(GENTLE, 0.55, 0.275), (FAST, 0.25, 0.125)])
def test_a_stop_takes_its_time_and_its_way(quickness: Quickness, time: float, way: float) -> None:
    stopping = Rate().toward(0.0, quickness)
    assert sum(duration for duration, _ in stopping.pieces) == pytest.approx(time, abs=1e-12)
    stopped, covered = stopping.after(10.0)
    assert stopped == Rate(0.0, 0.0, (), 0.0)
    assert covered == pytest.approx(way, abs=1e-12)


def test_it_stands_and_goes_exactly() -> None:
    assert Rate().after(0.01) == (Rate(), 0.01)
    stopped = Rate().toward(0.0, GENTLE).after(1.0)[0]
    assert stopped.after(5.0) == (stopped, 0.0)
    again, covered = stopped.toward(1.0, GENTLE).after(0.55 + 1.0)
    assert again == Rate()
    assert covered == pytest.approx(0.275 + 1.0, abs=1e-12)
    assert Rate().toward(1.0, GENTLE) == Rate()


@given(
    st.lists(st.tuples(NUMBERS, st.floats(0.0, 0.4), st.booleans()), min_size=1, max_size=8),
    st.booleans(),
)
def test_it_is_continuous_and_within_its_bounds(
    events: list[tuple[float, float, bool]], fast: bool
) -> None:
    """Targets that change at any time; quicker once, and never more slowly after that."""
    rate, quickness = Rate(), FAST if fast else GENTLE
    values, slopes, step = [1.0], [0.0], 1e-3
    for target, time, quicker in events:
        quickness = FAST if quicker else quickness
        rate = rate.toward(target, quickness)
        assert (rate.value, rate.slope) == (values[-1], slopes[-1])
        for _ in range(math.ceil(time / step)):
            rate, covered = rate.after(step)
            assert covered == pytest.approx(step * (values[-1] + rate.value) / 2, abs=1e-8)
            values.append(rate.value)
            slopes.append(rate.slope)
    ended = rate.after(10.0)[0]
    assert (ended.value, ended.slope, ended.pieces) == (rate.target, 0.0, ())
    assert min(values) >= -1e-12
    assert max(values) <= 1.0 + 1e-12
    assert np.abs(slopes).max() <= FAST.slope + 1e-9
    assert np.abs(np.diff(values)).max(initial=0.0) <= FAST.slope * step + 1e-9
    assert np.abs(np.diff(slopes)).max(initial=0.0) <= FAST.bend * step + 1e-9
    if quickness is GENTLE:
        assert np.abs(slopes).max() <= GENTLE.slope + 1e-9
        assert np.abs(np.diff(slopes)).max(initial=0.0) <= GENTLE.bend * step + 1e-9


@given(NUMBERS, st.lists(st.floats(1e-4, 0.1), min_size=1, max_size=20))
def test_uneven_turns_change_nothing(target: float, turns: list[float]) -> None:
    whole, way = Rate().toward(target, GENTLE).after(sum(turns))
    rate, covered = Rate().toward(target, GENTLE), 0.0
    for ds in turns:
        rate, more = rate.after(ds)
        covered += more
    assert rate.value == pytest.approx(whole.value, abs=1e-9)
    assert rate.slope == pytest.approx(whole.slope, abs=1e-7)
    assert covered == pytest.approx(way, abs=1e-9)
