"""Numbers, formulas, vectors and rotations of the format: text to floats, never ``eval``.

Grammar, with white space free between tokens::

    formula  = term  { ("+" | "-") term }
    term     = factor { ("*" | "/") factor }
    factor   = { "+" | "-" } ( number | "pi" | "(" formula ")" )
    number   = digits [ "." [ digits ] ] [ exponent ]  |  "." digits [ exponent ]
    vector   = three numbers, each with an optional sign
    rotation = nine such numbers, row major | turn { "*" turn }
    turn     = ( "Rx" | "Ry" | "Rz" ) "(" formula ")"

The locale plays no part. Every error cites the token and its column, counted from 1.
"""

import math
import re

from .elements import Rotation, Vector, rotation_about, rotation_product
from .limits import MAX_FORMULA_DEPTH

_NUMBER = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_TOKEN = re.compile(
    rf"[ \t\r\n]*(?:({_NUMBER})(?![A-Za-z0-9_.])|(R[xyz]|pi)(?![A-Za-z0-9_.])|(.)|$)", re.DOTALL
)
_SIGNED = re.compile(rf"[+-]?{_NUMBER}")
_WORD = re.compile(r"[^\s()*/+-]+")
_BLANK = " \t\r\n"
_ROTATION_TOLERANCE = 1e-5
"""Largest Frobenius norm of R^T R - 1 of nine numbers: that of HEBI's library, measured."""


class FormulaError(ValueError):
    """Text that is not what the format asks for; the message cites the token and its column."""


def parse_formula(text: str) -> float:
    """Evaluate a formula in double precision.

    Raises:
        FormulaError: If the text is not a formula, or its value is not finite.
    """
    tokens = _Tokens(text, "a formula")
    value = _sum(tokens, 0)
    tokens.expect_end()
    if not math.isfinite(value):
        raise FormulaError(f"{shorten(text)} is not finite")
    return value


def parse_vector(text: str) -> Vector:
    """Return the three numbers of a vector.

    Raises:
        FormulaError: If the text is not three finite numbers.
    """
    x, y, z = _numbers(text, 3, "a vector", "three numbers separated by white space")
    return (x, y, z)


def parse_rotation(text: str) -> Rotation:
    """Return a rotation from nine numbers or from a product of Rx(), Ry(), Rz().

    Nine numbers are taken as they are, if they are a rotation within what the format's files
    need; they are not normalized.

    Raises:
        FormulaError: If the text is neither, or the nine numbers are not a rotation.
    """
    if is_rotation_formula(text):
        return _turns(text)
    what = "nine numbers, row major, or a product such as Rx(pi/2)*Rz(pi)"
    numbers: Rotation = _numbers(text, 9, "a rotation", what)  # type: ignore[assignment]
    problem = rotation_problem(numbers)
    if problem:
        raise FormulaError(f"{shorten(text)} is not a rotation: {problem}")
    return numbers


def is_rotation_formula(text: str) -> bool:
    """Tell a product of turns (since 1.1.0) from nine numbers."""
    return "(" in text or "R" in text


def rotation_problem(R: Rotation) -> str:
    """Say in what way nine numbers are not a rotation; "" when they are one."""
    if not all(map(math.isfinite, R)):
        return "its numbers must be finite"
    if max(map(abs, R)) > 2:
        return "its columns must have length 1"
    a, b, c, d, e, f, g, h, i = R
    gram = rotation_product((a, d, g, b, e, h, c, f, i), R)
    off = math.sqrt(sum((x - (n % 4 == 0)) ** 2 for n, x in enumerate(gram)))
    if off > _ROTATION_TOLERANCE:
        return (
            f"its columns must have length 1 and be perpendicular (R^T R differs from the "
            f"identity by {off:.3g}, at most {_ROTATION_TOLERANCE:g} is allowed). Give more "
            f"digits, or a product such as Rx(pi/2)*Rz(pi)"
        )
    if a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0:
        return "it mirrors (determinant -1). Check the signs and the order of the rows"
    return ""


def shorten(text: str, most: int = 60) -> str:
    """Quote a text for a message, cut to a readable length."""
    return repr(text) if len(text) <= most else repr(text[:most]) + "..."


class _Tokens:
    """The tokens of one text, one at a time.

    Attributes:
        token: The token at hand, "" at the end.
        column: Its column, from 1.
        is_number: Whether it is a number.
    """

    def __init__(self, text: str, what: str) -> None:
        self.text = text
        self.what = what
        self.token = ""
        self.column = 0
        self.is_number = False
        self._position = 0
        self.advance()

    def advance(self) -> None:
        """Step to the next token."""
        match = _TOKEN.match(self.text, self._position)
        assert match is not None  # every text matches, the empty one too
        group = match.lastindex or 0
        self.is_number = group == 1
        self.token = match.group(group) if group else ""
        self.column = match.start(group) + 1 if group else len(self.text) + 1
        self._position = match.end()

    def take(self, *tokens: str) -> str:
        """Step over one of these tokens and return it; "" if it is another."""
        token = self.token
        if token not in tokens or not token:
            return ""
        self.advance()
        return token

    def take_number(self) -> float | None:
        """Step over a number and return it; None if there is none."""
        if not self.is_number:
            return None
        value = float(self.token)
        self.advance()
        return value

    def expect(self, token: str) -> None:
        if not self.take(token):
            raise self.error(f"{token!r}")

    def expect_end(self) -> None:
        if self.token:
            raise self.error("an operator or the end")

    def error(self, expected: str) -> FormulaError:
        """Say what was found in place of what was expected."""
        if not self.text.strip(_BLANK):
            return FormulaError(f"{shorten(self.text)} is empty; expected {self.what}")
        if not self.token:
            return FormulaError(
                f"{shorten(self.text)} is not {self.what}: it ends where {expected} was expected"
            )
        token, column = self.token, self.column
        for word in _WORD.finditer(self.text):
            if word.start() < column <= word.end():  # the whole word says more than its odd part
                token, column = word.group(), word.start() + 1
        return FormulaError(
            f"{shorten(self.text)} is not {self.what}: unexpected {shorten(token, 30)} at column "
            f"{column}, expected {expected if column == self.column else 'a number'}."
            f"{_hint(token, self.text)}"
        )


def _sum(tokens: _Tokens, depth: int) -> float:
    value = _product(tokens, depth)
    while sign := tokens.take("+", "-"):
        operand = _product(tokens, depth)
        value = value + operand if sign == "+" else value - operand
    return value


def _product(tokens: _Tokens, depth: int) -> float:
    value = _factor(tokens, depth)
    while True:
        column = tokens.column
        operator = tokens.take("*", "/")
        if not operator:
            return value
        operand = _factor(tokens, depth)
        if operator == "*":
            value *= operand
        elif operand == 0:
            raise FormulaError(
                f"{shorten(tokens.text)} is not finite: division by zero at column {column}"
            )
        else:
            value /= operand


def _factor(tokens: _Tokens, depth: int) -> float:
    negative = False
    while sign := tokens.take("+", "-"):
        negative ^= sign == "-"
    number = tokens.take_number()
    if number is not None:
        value = number
    elif tokens.take("pi"):
        value = math.pi
    elif tokens.take("("):
        if depth >= MAX_FORMULA_DEPTH:
            raise FormulaError(
                f"{shorten(tokens.text)} nests parentheses too deeply; at most "
                f"{MAX_FORMULA_DEPTH} levels are read"
            )
        value = _sum(tokens, depth + 1)
        tokens.expect(")")
    else:
        raise tokens.error("a number, pi or '('")
    return -value if negative else value


def _turns(text: str) -> Rotation:
    """Multiply the turns of a rotation formula."""
    tokens = _Tokens(text, "a rotation")
    result: Rotation | None = None
    while True:
        turn = tokens.take("Rx", "Ry", "Rz")
        if not turn:
            raise tokens.error("Rx(...), Ry(...) or Rz(...)")
        tokens.expect("(")
        angle = _sum(tokens, 0)
        tokens.expect(")")
        if not math.isfinite(angle):
            raise FormulaError(f"{shorten(text)}: the angle of {turn} is not finite")
        rotation = rotation_about(turn[1], angle)
        result = rotation if result is None else rotation_product(result, rotation)
        if not tokens.take("*"):
            break
    if tokens.token:
        raise tokens.error("'*' or the end")
    return result


def _numbers(text: str, count: int, what: str, expected: str) -> tuple[float, ...]:
    """Return the finite numbers of a text, exactly so many."""
    values = []
    for word in re.finditer(r"[^ \t\r\n]+", text):
        if not _SIGNED.fullmatch(word.group()):
            raise FormulaError(
                f"{shorten(text)} is not {what}: {shorten(word.group(), 30)} at column "
                f"{word.start() + 1} is not a number; expected {expected}."
                f"{_hint(word.group(), text, formula=False)}"
            )
        value = float(word.group())
        if not math.isfinite(value):
            raise FormulaError(
                f"{shorten(text)}: {shorten(word.group(), 30)} at column {word.start() + 1} is "
                "not finite"
            )
        values.append(value)
    if len(values) != count:
        raise FormulaError(
            f"{shorten(text)} is not {what}: it has {len(values)} numbers; expected {expected}"
        )
    return tuple(values)


def _hint(token: str, text: str, *, formula: bool = True) -> str:
    """Suggest what may have been meant."""
    lower = token.lower()
    if "," in token:
        return " Decimals have a point, and numbers are separated by white space, without commas."
    if lower in ("nan", "inf", "infinity"):
        return " Numbers must be finite."
    if lower.startswith("0x"):
        return " Numbers are decimal."
    if not formula and re.search(r"[-+*/()]|pi", token.lstrip("+-")):
        return " Formulas are not allowed here, only in single numbers and in the angles of Rx()."
    if token == "pi":
        return " A product needs '*', such as 2 * pi."
    if lower == "pi":
        return " Write pi in lower case."
    if re.fullmatch(r"r[xyz]", lower) and token not in ("Rx", "Ry", "Rz"):
        return f" Did you mean 'R{lower[1]}'?"
    if lower.endswith("deg") or "°" in text:
        return " Angles are radians: 90 degrees is pi/2."
    if re.fullmatch(r"[-+]?[\d.]*(mm|cm|m|in|g|kg|rad)", lower):
        return " Numbers have no unit: lengths are in m, masses in kg, angles in rad."
    return ""
