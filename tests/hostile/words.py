"""Odd numbers and texts that stand where a reader expects a number or a name."""

from random import Random

ODD_NUMBERS = (
    *("nan", "inf", "-inf", "NaN", ".nan", ".inf", "Infinity", "1e308", "-1e308", "1e309"),
    *("1e-320", "-0", "-0.0", "0", "-1", "1" + "0" * 400, "-1" + "0" * 400, "1e50", "1.0001e50"),
    *("1e49", "1e51", "1e-50", "1e25*1e25", "1e200*1e200", "1e400-1e400", "1/0", "0/0", "1e-9"),
    *("0x1F", "0o17", "0b1", "017", "1,5", "1_000", "1.5 mm", "90deg", "90\u00b0", "1 2", "1;2"),
    *("\u0663", "\uff11", "\u221e", "\u00bd", "\u2212" + "1", "1\u00a0", "\u20031", "1\u200b"),
    *("+-1", "--1", "+1", ".", ".5", "5.", "1e", "1e+", "e5", "1.2.3", "(1)", "((1)", "1)", "()"),
    *("pi", "2pi", "2*pi", "-pi/2", "pi*pi*pi", "Rx(pi)", "Rz(0)*", "R", "true", "null", "~", ""),
    *(" ", "\t", "1:30", "2001-01-01", "1e99999999", "9" * 40, "0." + "3" * 300, "2**63"),
    *("9223372036854775808", "-9223372036854775809", "4294967296", "1.7976931348623157e308"),
    *("2.2250738585072014e-308", "5e-324", "0.1", "3", "1000", "57.29577951308232", "{", "[1]"),
)
EXTREME = ("1e50", "-1e50", "9.9e49", "1e-50", "1e-320", "-0", "1e-300", "0", "1e30", "1e17")
"""Numbers that a reader may well take."""

ODD_TEXTS = (
    *("", " ", "a", "a b", "world", "base", "output", "tool", "nan", "1", "1.5", "-", "..", "/"),
    *("../x.hrdf", "/etc/passwd", "C:\\x", "file:///x", "a/b/../c", ".", "~", "%s", "{}", "{0}"),
    *(
        "\u540d\u524d",
        "\u202eabc",
        "a\u0301",
        "\u00e1",
        "\u212b",
        "\U0001f9be",
        "\u0430rm",
        "x" * 300,
    ),
    *("a\nb", "a\tb", "a\x1b[31mb", "a\x7fb", "a\x85b", "a\u2028b", "\ufeffa", "\uffff", "a\rb"),
    *("null", "true", "yes", "=", "<<", "&a", "*a", "!!x", "'", '"', "<", "&", "]]>", "-->", "#"),
    *("J1_base", "j1_base", "shoulders", "left_tool", "X5-1", "x5-1", "X5", "R8", "1.6.0", "rz"),
)


def odd_number(r: Random) -> str:
    """Return a number that nobody should write."""
    return r.choice(ODD_NUMBERS)


def right_number(r: Random, low: float = -1.0, high: float = 1.0) -> str:
    """Return a number that readers take; now and then one at the edge of what is taken."""
    chance = r.random()
    if chance < 0.06:
        return r.choice(EXTREME)
    if chance < 0.2:
        return r.choice(("pi/2", "-pi/2", "pi", "(1+2)/3", "2*pi/3", "-(0.5)", "1e-3", "0", "1"))
    return f"{r.uniform(low, high):.4g}"


def number(r: Random, wrong: float, low: float = -1.0, high: float = 1.0) -> str:
    """Return a number that is odd with some probability."""
    return odd_number(r) if r.random() < wrong else right_number(r, low, high)


def name(r: Random, wrong: float, known: tuple[str, ...]) -> str:
    """Return one of the known names, or an odd one."""
    return r.choice(ODD_TEXTS) if r.random() < wrong else r.choice(known)
