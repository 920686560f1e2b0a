"""The gate for numbers: what counts as one, what is refused, and what every message says."""

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armwright.errors import (
    CommandRejectedError,
    JointVectorError,
    ModelError,
    ObjectiveError,
    TrajectoryError,
)
from armwright.kinematics import arrays

MA: Any = np.ma  # untyped in numpy 1
INF, NAN = math.inf, math.nan

ENDLESS: list[Any] = [1.0]
ENDLESS.append(ENDLESS)


class Point(NamedTuple):
    """What is a tuple, and more."""

    x: float
    y: float
    z: float


class Half:
    """A real number of some other library."""

    def __float__(self) -> float:
        return 0.5


class Inches:
    """What has a float() of its own that refuses."""

    def __float__(self) -> float:
        raise TypeError("inches are not bare numbers")


HALVES: dict[str, Any] = {
    "float": 0.5,
    "fraction": Fraction(1, 2),
    "decimal": Decimal("0.5"),
    "float16": np.float16(0.5),
    "float32": np.float32(0.5),
    "float64": np.float64(0.5),
    "longdouble": np.longdouble(0.5),
    "array without axes": np.array(0.5),
    "objects without axes": np.array(Fraction(1, 2), dtype=object),
    "nothing masked": MA.array(0.5),
    "another library's": Half(),
}
NO_NUMBERS: dict[str, Any] = {
    "bool": True,
    "numpy bool": np.True_,
    "text": "0.5",
    "numpy text": np.str_("0.5"),
    "bytes": b"0.5",
    "complex": 0.5 + 0j,
    "numpy complex": np.complex128(0.5),
    "None": None,
    "masked": MA.masked,
    "masked array": MA.array(0.5, mask=True),
    "date": np.datetime64("2026-01-01"),
    "duration": np.timedelta64(1, "s"),
    "set": {0.5},
    "dictionary": {"a": 0.5},
    "inches": Inches(),
    "array of bools": np.array(True),
}
GATES: dict[str, Callable[[Any], Any]] = {
    "number": lambda x: arrays.number(x, "x"),
    "finite_numbers": lambda x: arrays.finite_numbers([x, 1.0], 2, "x"),
    "row": lambda x: arrays.row([x, 1.0], 2, "x"),
    "row, one for all": lambda x: arrays.row(x, 2, "x", one_for_all=True),
    "as_array": lambda x: arrays.as_array([[x, 1.0]], (1, 2), "x"),
    "as_array, tuples": lambda x: arrays.as_array(((x,), (1.0,)), (..., 1), "x"),
    "joint_vector": lambda x: arrays.joint_vector((x, 1.0), 2, "x"),
    "joint_vectors": lambda x: arrays.joint_vectors([[1.0, 2.0], [x, 3.0]], 2, "x"),
    "as_direction": lambda x: arrays.as_direction([x, 1.0, 1.0], "x"),
    "as_pose": lambda x: arrays.as_pose(
        [[1, 0, 0, x], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], "x"
    ),
}


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize("kind", HALVES)
def test_every_real_number_is_taken_at_every_gate(gate: str, kind: str) -> None:
    expected = GATES[gate](0.5)
    assert np.asarray(GATES[gate](HALVES[kind])).tobytes() == np.asarray(expected).tobytes()


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize("kind", NO_NUMBERS)
def test_what_is_no_number_is_refused_at_every_gate(gate: str, kind: str) -> None:
    with pytest.raises(ModelError, match=r"^x: expected .*got "):
        GATES[gate](NO_NUMBERS[kind])


@given(st.integers() | st.fractions() | st.decimals(allow_nan=False, allow_infinity=False))
def test_what_is_exact_is_rounded_as_python_does(x: Any) -> None:
    try:
        expected = float(x)
    except OverflowError:
        expected = INF if x > 0 else -INF
    array = arrays.numeric([x])
    assert array is not None
    assert array.tolist() == [expected]
    single = arrays.numeric(x)
    assert single is not None
    assert (single.shape, float(single)) == ((), expected)


@given(st.lists(st.lists(st.floats(width=64), min_size=2, max_size=2), min_size=1, max_size=4))
def test_lists_are_what_numpy_makes_of_them(rows: list[list[float]]) -> None:
    array = arrays.numeric(rows)
    assert array is not None
    assert array.tobytes() == np.array(rows).tobytes()


@given(st.integers(0, 3), st.sampled_from([True, np.False_, MA.masked, "1", None, 1j, ENDLESS]))
def test_one_that_is_none_is_found_wherever_it_stands(place: int, other: Any) -> None:
    flat: list[Any] = [1, 2.0, np.float32(3), 4]
    flat[place] = other
    nested = [flat[:2], flat[2:]]
    for values in (flat, tuple(flat), nested, [nested], [flat[:2], tuple(flat[2:])]):
        assert arrays.numeric(values) is None
    assert arrays.numeric([np.array([True]), np.array([1.0])]) is None
    assert arrays.numeric([np.zeros(2), MA.array([1.0, 2.0], mask=[True, False])]) is None
    assert arrays.numeric([[1.0, 2.0], [3.0]]) is None


@pytest.mark.parametrize(
    "given_array",
    [
        np.arange(6.0).reshape(2, 3),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(6.0).repeat(2).reshape(2, 6)[:, ::2],
        np.arange(6).reshape(2, 3),
        np.arange(6, dtype=">f8").reshape(2, 3),
        np.arange(6, dtype=np.longdouble).reshape(2, 3),
        np.arange(6.0).reshape(2, 3).view(np.recarray),
        MA.array(np.arange(6.0).reshape(2, 3), mask=False),
        np.arange(6).reshape(2, 3).astype(object),
        [np.arange(3.0), [3, Fraction(4), np.array(5)]],
        [Point(0, 1, 2), Point(3, 4, 5)],
    ],
)
def test_a_fresh_array_in_order_of_rows_comes_back(given_array: Any) -> None:
    array = arrays.numeric(given_array)
    assert type(array) is np.ndarray
    assert array.dtype is arrays.FLOAT
    assert array.flags.c_contiguous
    assert array.flags.aligned
    assert array.flags.writeable
    assert array.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert not np.may_share_memory(array, np.asarray(given_array, dtype=object))
    if isinstance(given_array, np.ndarray) and given_array.dtype != object:
        assert not np.may_share_memory(array, given_array)


def test_numbers_beyond_the_range_are_not_finite() -> None:
    for huge in (10**400, Fraction(10**400), Decimal("1e999"), np.longdouble("1e4000")):
        if np.finfo(np.longdouble).max > 1e308 or not isinstance(huge, np.longdouble):
            with pytest.raises(ModelError, match="x: expected a finite number, got inf"):
                arrays.number(huge, "x")
            with pytest.raises(ModelError, match="expected 2 finite numbers, got -inf at index 1"):
                arrays.finite_numbers([0, -huge], 2, "x")


@pytest.mark.parametrize(
    ("value", "limits", "text"),
    [
        (NAN, {}, "a finite number, got nan"),
        (-INF, {}, "a finite number, got -inf"),
        (NAN, {"low": 0, "high": INF}, "a number, 0 or more, got nan"),
        (-1, {"low": 0}, "a number, 0 or more, got -1"),
        (0, {"low": arrays.POSITIVE}, "a positive number, got 0"),
        (11, {"high": 10}, "at most 10, got 11"),
        (-11, {"low": -10}, "at least -10, got -11"),
        (INF, {"high": 10}, "a finite number, got inf"),
        (-1, {"low": 0, "expected": "seconds, 0 or more"}, "seconds, 0 or more, got -1"),
        ([1.0], {}, r"a number, got \[1\.0\]"),
        (np.ones(1), {}, r"a number, got an array of float64 with shape \(1,\)"),
        ("1", {}, r"a number, got '1'\. Text is not converted; float\(\) does it"),
    ],
)
def test_a_number_in_a_range(value: Any, limits: dict[str, Any], text: str) -> None:
    with pytest.raises(ModelError, match=f"^x: expected {text}$"):
        arrays.number(value, "x", **limits)


def test_a_range_holds_its_ends() -> None:
    assert arrays.number(5e-324, "x", low=arrays.POSITIVE) == 5e-324
    assert arrays.number(INF, "x", high=INF) == INF
    assert arrays.number(np.int8(0), "x", low=0) == 0.0
    assert type(arrays.number(np.float64(1), "x")) is float


def test_whole_numbers_and_truth_values() -> None:
    assert [arrays.whole_number(n, "n") for n in (0, np.uint8(7), 10**30)] == [0, 7, 10**30]
    for wrong in (-1, 2.0, True, "3", None, Fraction(2)):
        with pytest.raises(ModelError, match="n: expected a whole number from 0, got "):
            arrays.whole_number(wrong, "n")
    assert arrays.true_or_false(np.True_, "b") is True
    assert arrays.true_or_false(False, "b") is False
    for other in (0, 1, None, "yes"):
        with pytest.raises(ModelError, match="b: expected True or False, got "):
            arrays.true_or_false(other, "b")


def test_choices() -> None:
    assert arrays.one_of("World", ("world", "body"), "reference") == "world"
    with pytest.raises(
        ModelError, match=r"^r: expected one of 'world', 'body', got 'bodi'\. Did y"
    ):
        arrays.one_of("bodi", ("world", "body"), "r")
    with pytest.raises(ModelError, match=r"got None\.$"):
        arrays.one_of(None, ("world", "body"), "r")


def test_rows() -> None:
    assert arrays.row([1, NAN, INF], 3, "x").tolist()[::2] == [1, INF]
    assert arrays.row((1, 2), None, "x").tolist() == [1, 2]
    assert arrays.row(2, 3, "x", one_for_all=True).tolist() == [2, 2, 2]
    assert arrays.row(2, 0, "x", one_for_all=True).tolist() == []
    assert arrays.row(2, None, "x", one_for_all=True).tolist() == [2]
    wrong: list[tuple[Any, dict[str, Any], str]] = [
        ([1, 2], {}, "expected 3 numbers, got 2"),
        (1, {}, r"expected 3 numbers, got shape \(\)"),
        ([[1, 2, 3]], {}, r"expected 3 numbers, got shape \(1, 3\)"),
        ([1, 2], {"one_for_all": True}, "expected one number or 3 numbers, got 2"),
        (["a"] * 3, {}, r"expected 3 numbers, got \['a', 'a', 'a'\]\. Text is not converted"),
    ]
    for value, more, text in wrong:
        with pytest.raises(ModelError, match=f"x: {text}"):
            arrays.row(value, 3, "x", **more)
    with pytest.raises(ModelError, match=r"x: expected a row of numbers, got shape \(\)"):
        arrays.row(1, None, "x")


def test_the_first_bad_number_is_named_by_its_place() -> None:
    values = np.array([[1.0, 2.0], [NAN, 4.0]])
    good = np.isfinite(values)
    cases: list[tuple[dict[str, Any], str]] = [
        ({}, r"^x: expected a number, got nan at index \(1, 0\)$"),
        ({"axes": ("waypoint", "joint")}, "^x, waypoint 1, joint 0: expected a number, got nan$"),
        (
            {"joints": ("a", "b"), "hint": "Why?"},
            r"^x of joint 'a': expected a number, got nan\. Wh",
        ),
    ]
    for more, text in cases:
        with pytest.raises(TrajectoryError, match=text):
            arrays.check_each(values, good, "x", "a number", TrajectoryError, **more)
        arrays.check_each(values, ~np.isinf(values), "x", "a number", TrajectoryError, **more)


def test_arrays_of_a_shape() -> None:
    assert arrays.as_array(range(3), (3,), "x").tolist() == [0, 1, 2]
    assert arrays.as_array(np.zeros((5, 0, 3)), (..., 3), "x").shape == (5, 0, 3)
    assert arrays.as_array(2, (...,), "x").shape == ()
    assert arrays.as_array(np.eye(3), [(9,), (3, 3)], "x").shape == (3, 3)
    assert arrays.as_array([1e60], (1,), "x").tolist() == [1e60]
    wrong: list[tuple[Any, Any, str]] = [
        ([1, 2], (3,), r"expected shape \(3,\), got \(2,\)$"),
        ([[1, 2]], (..., 3), r"expected shape \(\.\.\., 3\), got \(1, 2\)$"),
        (1, [(3,), (4, 4)], r"expected shape \(3,\) or \(4, 4\), got \(\), the number 1$"),
        ("no", (..., 6), r"expected numbers of shape \(\.\.\., 6\), got 'no'\. Text is not"),
        ([1, NAN, 3], (3,), r"expected finite numbers of shape \(3,\), got nan at index 1$"),
        ([[INF]], (..., 1), r"expected finite numbers .* got inf at index \(0, 0\)$"),
    ]
    for value, shape, text in wrong:
        with pytest.raises(ObjectiveError, match=f"^x: {text}"):
            arrays.as_array(value, shape, "x", ObjectiveError)
    with pytest.raises(ModelError, match=r"^x: expected numbers of at most 1e\+50, got 1e\+60 at"):
        arrays.as_array([0, 1e60], (2,), "x", most=arrays.LARGEST)
    hints: arrays.Hints = {(2,): "Two?", None: "Else?"}
    for given_value, hint in (([1, 2], "Two"), ([1], "Else")):
        with pytest.raises(ModelError, match=rf"got \(\d,\)\. {hint}\?$"):
            arrays.as_array(given_value, (3,), "x", hints=hints)


def test_messages_say_why_something_is_no_number() -> None:
    reasons: list[tuple[Any, str]] = [
        ([True, 1.5], r"\[True, 1.5\]. Truth values are not taken for numbers"),
        (np.array([True]), r"an array of bool with shape \(1,\). Truth values"),
        (
            MA.array([1.0, 2.0], mask=[0, 1]),
            "a masked array of float64 .* fill it, or leave it out",
        ),
        ([1.0, MA.masked], "What is masked has no value"),
        ([[1], [1, 2]], r"Do its rows differ in length\?"),
        ([1j, 0], "Real numbers are needed"),
        (["1"], r"\['1'\]. Text is not converted; float\(\) does it"),
        ("x" * 80, r"'x{56}\.\.\."),
        (None, "None$"),
        (ENDLESS, "Do its rows differ"),
    ]
    for value, text in reasons:
        with pytest.raises(JointVectorError, match=f"^q: expected 2 joint values, got .*{text}"):
            arrays.joint_vector(value, 2)
    assert arrays.words([1.0, 0.25]) == "1 0.25"


def test_sizes() -> None:
    for values, most, good in [
        (np.zeros(0), 1.0, True),
        (np.full(3, 1e50), 1e50, True),  # each will do, though their length is larger
        (np.full(3, arrays.FINITE), arrays.FINITE, True),
        (np.array([1.0, -1.5]), 1.0, False),
        (np.array([1.0, NAN]), INF, False),
        (np.array([INF, NAN]), 1e50, False),
        (np.array([INF]), arrays.FINITE, False),
    ]:
        for wide in (
            values,
            np.tile(values, 50),
        ):  # short and long arrays are looked at differently
            assert arrays.within(wide, most) is good


def test_copies_and_views_that_cannot_be_written_to() -> None:
    values = np.arange(3.0)
    copied, view = arrays.read_only(values), arrays.read_only_view(values)
    numbers = arrays.finite_numbers(values, 3, "x")
    values[0] = 7.0
    assert (copied[0], view[0], numbers[0]) == (0.0, 7.0, 0.0)
    assert arrays.frozen(values) is values
    for array in (copied, view, numbers, values):
        assert not array.flags.writeable


def test_arrays_to_fill() -> None:
    out = np.empty((2, 3))
    assert arrays.array_to_fill(out, (2, 3)) is out
    with pytest.raises(
        CommandRejectedError, match=r"^into: expected a writable .* got a masked arr"
    ):
        arrays.array_to_fill(MA.zeros((2, 3)), (2, 3), "into", CommandRejectedError)


ERRORS: list[Callable[[type[Exception]], Any]] = [
    lambda error: arrays.number(None, "x", error=error),
    lambda error: arrays.number(NAN, "x", error=error),
    lambda error: arrays.whole_number(-1, "x", 0, error),
    lambda error: arrays.true_or_false(1, "x", error),
    lambda error: arrays.one_of("c", "ab", "x", error),
    lambda error: arrays.joint_vector([[1.0]], 1, "x", error),
    lambda error: arrays.joint_vectors([NAN], 1, "x", error),
    lambda error: arrays.finite_numbers([1e60], 1, "x", error),
    lambda error: arrays.as_pose(np.eye(3), "x", error),
    lambda error: arrays.as_pose(np.diag([1.0, 1.0, 1.0, 2.0]), "x", error),
    lambda error: arrays.as_poses(np.zeros((2, 4, 4)), "x", error),
    lambda error: arrays.as_rotation(np.zeros((3, 3)), "x", error),
    lambda error: arrays.as_orientation(np.zeros(2), "x", error),
    lambda error: arrays.rotation_from_quaternion(np.zeros(4), "x", error),
    lambda error: arrays.as_direction(np.zeros(3), "x", error),
    lambda error: arrays.check_angles(np.zeros((3, 3)), "x", error),
]


@pytest.mark.parametrize("call", ERRORS)
@pytest.mark.parametrize("error", [ObjectiveError, CommandRejectedError])
def test_callers_choose_the_class_of_the_error(
    call: Callable[[type[Exception]], Any], error: type[Exception]
) -> None:
    with pytest.raises(error, match=r"^x: expected ") as caught:
        call(error)
    assert type(caught.value) is error
