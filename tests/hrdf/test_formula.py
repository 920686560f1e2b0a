"""Numbers, formulas, vectors and rotations: what is read, and what each error says."""

import locale
import math
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armwright.hrdf.elements.pose import rotation_about, rotation_product
from armwright.hrdf.formula import (
    FormulaError,
    parse_formula,
    parse_rotation,
    parse_vector,
    rotation_problem,
)
from tests.strategies import rotations


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3.24", 3.24),
        (".5", 0.5),
        ("1.", 1.0),
        ("-3e-2", -0.03),
        ("1E2", 100.0),
        ("+1", 1.0),
        ("+(1)", 1.0),
        ("1++1", 2.0),
        ("1--1", 2.0),
        ("+-+1", -1.0),
        ("8/4/2", 1.0),
        ("2-3-4", -5.0),
        ("2*-3", -6.0),
        ("2+3*4", 14.0),
        ("(2+3)*4", 20.0),
        ("\t1 \n+ 1\r", 2.0),
        ("pi", math.pi),
        ("-pi/2", -math.pi / 2),
        ("2*(pi - 1)/ (3)", 2 * (math.pi - 1) / 3),
        ("0.1+0.2", 0.1 + 0.2),
        ("5e-324", 5e-324),
        ("-" * 3001 + "1", -1.0),
        ("(" * 50 + "1" + ")" * 50, 1.0),
    ],
)
def test_formulas_have_these_values(text: str, value: float) -> None:
    assert parse_formula(text) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"'' is empty; expected a formula"),
        (" \t", r"is empty; expected a formula"),
        ("2 pi", r"unexpected 'pi' at column 3, expected an operator.*2 \* pi"),
        ("PI", r"unexpected 'PI' at column 1.*pi in lower case"),
        ("pip", r"unexpected 'pip' at column 1"),
        ("0x10", r"unexpected '0x10' at column 1.*decimal"),
        ("nan", r"unexpected 'nan' at column 1.*must be finite"),
        ("-inf", r"unexpected 'inf' at column 2.*must be finite"),
        ("1e", r"unexpected '1e' at column 1"),
        ("1.2.3", r"unexpected '1.2.3' at column 1"),
        ("1_0", r"unexpected '1_0' at column 1"),
        ("0,9", r"unexpected '0,9' at column 1, expected a number.*have a point"),
        ("1,000", r"unexpected '1,000' at column 1"),
        ("30cm", r"unexpected '30cm' at column 1.*no unit: lengths are in m"),
        ("90deg", r"unexpected '90deg' at column 1.*90 degrees is pi/2"),
        ("1 2", r"unexpected '2' at column 3"),
        ("1 +", r"ends where a number, pi or '\(' was expected"),
        ("*1", r"unexpected '\*' at column 1"),
        ("(1", r"ends where '\)' was expected"),
        ("1)", r"unexpected '\)' at column 2"),
        ("()", r"unexpected '\)' at column 2"),
        ("(1)(2)", r"unexpected '\(' at column 4"),
        ("2^3", r"unexpected '2\^3' at column 1"),
        ("__import__('os')", r"unexpected '__import__' at column 1"),
        ("٣", r"unexpected '٣' at column 1"),
        ("1\u00a0", r"unexpected '\\xa0' at column 2"),
        ("1e400", r"'1e400' is not finite"),
        ("1e308*10", r"is not finite"),
        ("1e400*0", r"is not finite"),
        ("3*1/0", r"'3\*1/0' is not finite: division by zero at column 4"),
        ("1/(1/0)", r"not finite: division by zero"),
        ("(" * 51 + "1" + ")" * 51, r"nests parentheses too deeply; at most 50"),
        ("(" * 9000, r"nests parentheses too deeply"),
        ("7" * 90 + "x", r"'7{60}'\.\.\. is not a formula"),
    ],
)
def test_what_is_no_formula_is_cited_with_its_column(text: str, message: str) -> None:
    with pytest.raises(FormulaError, match=message):
        parse_formula(text)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_double_comes_back_from_its_repr(value: float) -> None:
    assert parse_formula(repr(value)) == value
    assert parse_vector(f"{value!r} 0 {value!r}") == (value, 0.0, value)


@given(
    st.recursive(
        st.integers(0, 99).map(str),
        lambda inner: (
            st.tuples(inner, st.sampled_from(["+", "-", "*", " - ", "*-"]), inner).map("".join)
            | inner.map(lambda text: f"({text})")
        ),
        max_leaves=12,
    )
)
def test_formulas_agree_with_arithmetic(text: str) -> None:
    expected = eval(text, {"__builtins__": {}})  # whole numbers: the text is our own
    if abs(expected) < 1e15:
        assert parse_formula(text) == expected


@given(st.text(alphabet="0123456789.eE+-*/() piRxyz,\t", max_size=20))
def test_no_text_raises_anything_else(text: str) -> None:
    for parser in (parse_formula, parse_vector, parse_rotation):
        with suppress(FormulaError):  # any other error is the failure
            parser(text)


@pytest.mark.parametrize(
    ("text", "vector"),
    [
        ("1 2 3", (1.0, 2.0, 3.0)),
        (" +1\t-2.5e1\n.5 ", (1.0, -25.0, 0.5)),
    ],
)
def test_vectors(text: str, vector: tuple[float, ...]) -> None:
    assert parse_vector(text) == vector


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"has 0 numbers; expected three numbers"),
        ("1 2", r"has 2 numbers; expected three numbers"),
        ("1 2 3 4", r"has 4 numbers"),
        ("0.1+0.2 0 0", r"'0.1\+0.2' at column 1 is not a number.*Formulas are not allowed here"),
        ("0 0 -pi/2", r"'-pi/2' at column 5.*Formulas are not allowed here"),
        ("1 2 3abc", r"'3abc' at column 5 is not a number"),
        ("0.1, 0, 0", r"'0.1,' at column 1.*without commas"),
        ("1,0,0", r"'1,0,0' at column 1.*without commas"),
        ("0 nan 0", r"'nan' at column 3.*must be finite"),
        ("0 0x1 0", r"'0x1' at column 3.*decimal"),
        ("0 0 1e999", r"'1e999' at column 5 is not finite"),
        ("- 1 0 0", r"'-' at column 1 is not a number"),
    ],
)
def test_what_is_no_vector(text: str, message: str) -> None:
    with pytest.raises(FormulaError, match=message):
        parse_vector(text)


def test_rotations_multiply_from_left_to_right() -> None:
    expected = rotation_product(rotation_about("z", 0.3), rotation_about("x", math.pi / 2))
    assert parse_rotation(" Rz( 0.3 ) * Rx(pi/2)") == expected


def test_quarter_turns_are_exact() -> None:
    assert parse_rotation("Rx(pi/2)") == (1, 0, 0, 0, 0, -1, 0, 1, 0)


def test_nine_numbers_are_taken_as_they_are() -> None:
    a = 1 + 2e-6
    assert parse_rotation(f"{a!r} 0 0 0 1 0 0 0 1") == (a, 0, 0, 0, 1, 0, 0, 0, 1)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    ("pattern", "edge"),
    # measured on HEBI's library: each entry "d" of the pattern may be off by the edge
    [
        ("d 0 0 0 1 0 0 0 1", 5.000e-6),
        ("d 0 0 0 d 0 0 0 d", 2.887e-6),
        ("1 o 0 0 1 0 0 0 1", 7.071e-6),
        ("1 o 0 o 1 0 0 0 1", 3.535e-6),
    ],
)
def test_nine_numbers_may_be_off_as_far_as_in_hebis_library(
    pattern: str, edge: float, sign: int
) -> None:
    def text(off: float) -> str:
        return pattern.replace("d", repr(1 + off)).replace("o", repr(off))

    assert parse_rotation(text(sign * edge * 0.999))
    with pytest.raises(FormulaError, match=r"R\^T R differs from the identity by 1e-05"):
        parse_rotation(text(sign * edge * 1.001))
    with pytest.raises(FormulaError, match="is not a rotation"):
        parse_rotation(text(sign * 1e-5))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has 0 numbers; expected nine numbers, row major, or a product such as"),
        ("1 0 0", "has 3 numbers; expected nine numbers"),
        ("1 0 0 0 1 0 0 0 -1", r"it mirrors \(determinant -1\)"),
        ("1e200 0 0 0 1 0 0 0 1", "columns must have length 1"),
        ("Rx(1) Ry(1)", r"unexpected 'Ry' at column 7, expected '\*' or the end"),
        ("Rx(1)*", r"ends where Rx\(...\), Ry\(...\) or Rz\(...\) was expected"),
        ("rx(1)", "unexpected 'rx' at column 1.*Did you mean 'Rx'"),
        ("Rw(1)", "unexpected 'Rw' at column 1"),
        ("R", "unexpected 'R' at column 1"),
        ("Rx", r"ends where '\(' was expected"),
        ("Rx()", r"unexpected '\)' at column 4"),
        ("Rx(90deg)", "unexpected '90deg' at column 4.*Angles are radians"),
        ("Rx(1/0)", "division by zero at column 5"),
        ("Rx(1e400)", "the angle of Rx is not finite"),
        ("Rx(1)/Ry(1)", "unexpected '/' at column 6"),
        ("2*Rx(1)", "unexpected '2' at column 1"),
    ],
)
def test_what_is_no_rotation(text: str, message: str) -> None:
    with pytest.raises(FormulaError, match=message):
        parse_rotation(text)


def test_infinite_numbers_are_no_rotation() -> None:
    assert rotation_problem((math.inf, 0, 0, 0, 1, 0, 0, 0, 1)) == "its numbers must be finite"


@given(rotations())
def test_products_of_turns_are_rotations(rotation: tuple[float, ...]) -> None:
    assert rotation_problem(rotation) == ""  # type: ignore[arg-type]
    assert parse_rotation(" ".join(map(repr, rotation))) == rotation


@pytest.mark.usefixtures("comma_locale")
def test_the_locale_plays_no_part() -> None:
    before = locale.setlocale(locale.LC_ALL)
    try:
        try:
            locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
        except locale.Error:
            pytest.skip("the locale de_DE.UTF-8 is not installed")
        assert parse_formula("0.9") == 0.9
        with pytest.raises(FormulaError, match="0,9"):
            parse_formula("0,9")
    finally:
        locale.setlocale(locale.LC_ALL, before)
