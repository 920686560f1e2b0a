"""Objectives that users write for a frame: what their methods return is checked."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import ik
from armwright.errors import ObjectiveError
from armwright.ik.objectives import FrameObjective

SIX = aw.load("examples/arms/six_dof.hrdf")
Q = np.array([0.0, 0.9, 1.6, -0.7, 0.2, 0.0])


def near(T: Any) -> Any:
    return T[:2, 3] - 0.2


def far(T: Any) -> Any:
    return T[:2, 3] - 5.0


def made(
    error: Callable[[Any], Any],
    count: Any = 2,
    rows: Any = slice(0, 2),
    slope: Callable[[Any, Any], Any] | None = None,
) -> FrameObjective:
    methods: dict[str, Any] = {
        "name": "mine",
        "position_rows": rows,
        "count_errors": lambda self: count,
        "error_of": lambda self, T: error(T),
    }
    if slope is not None:
        methods["slope_of"] = lambda self, T, J: slope(T, J)
    cls: Any = type("Mine", (FrameObjective,), methods)
    objective: FrameObjective = cls(weight=1.0, frame_type="endeffector", index=None, tag=None)
    return objective


def overwrite(T: Any) -> Any:
    T[0, 3] = 5.0
    return T[:2, 3]


MA: Any = np.ma  # not typed in every numpy
WRONG = [
    (made(far, rows=slice(5, 9)), "mine, position_rows: expected a slice of the 2 errors"),
    (made(far, rows=3), "mine, position_rows: expected a slice"),
    (made(lambda T: np.zeros(1)), "mine, error_of: expected it to return 2 errors or more"),
    (made(lambda T: np.zeros((2, 1))), "mine, error_of: expected .*got shape \\(2, 1\\)"),
    (made(lambda T: 1.0), "mine, error_of: expected .* a vector of errors"),
    (made(lambda T: None), "mine, error_of: expected it to return numbers, got None"),
    (made(lambda T: "ab"), "mine, error_of: expected it to return numbers"),
    (made(lambda T: np.array([1j, 0])), "mine, error_of: .*Real numbers"),
    (made(lambda T: MA.masked_array([1.0, 1], mask=[1, 1])), "mine, error_of: .*masked"),
    (made(lambda T: np.array([np.nan, 0])), "mine, error_of: .*finite numbers"),
    (made(near, slope=lambda T, J: np.zeros((3, 3))), "mine, slope_of: .*shape \\(2, 6\\)"),
    (made(near, slope=lambda T, J: np.full((2, 6), np.nan)), "mine, slope_of: .*finite"),
    (made(near, slope=lambda T, J: MA.masked_all((2, 6))), "mine, slope_of: .*masked"),
    *((made(near, count), "mine, count_errors") for count in (0, -1, 1.5, True, "2", None)),
]


@pytest.mark.parametrize(("objective", "said"), WRONG)
def test_what_its_methods_return_is_checked(objective: FrameObjective, said: str) -> None:
    with pytest.raises(ObjectiveError, match=said):
        ik.solve(SIX, Q, objective)


def test_what_they_get_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="read-only"):
        ik.solve(SIX, Q, made(overwrite))


def test_good_ones_are_met_and_far_ones_are_not() -> None:
    lists = made(lambda T: [0.2 - T[0, 3], 0.2 - T[1, 3]])
    for objective in (made(lambda T: 0.2 - T[:2, 3]), lists):
        assert ik.solve(SIX, Q, objective).success
    assert not ik.solve(SIX, Q, made(lambda T: 5.0 - T[:2, 3]), max_starts=3).success
