"""The keys of a catalog file: how each value is read, and which must be there."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from armwright.errors import did_you_mean
from armwright.hrdf.formula import FormulaError, parse_formula, parse_rotation, shorten
from armwright.hrdf.limits import MAX_MAGNITUDE
from armwright.hrdf.specification import VERSIONS

_INTERFACE = re.compile(r"[A-Za-z0-9._+]+(-[A-Za-z0-9._+]+)*-[AB]")


class BadValueError(Exception):
    """A value that is not what its key asks for."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key: how its value is read, and whether it must be there."""

    read: Callable[[Any], Any]
    required: bool = True


def read_text(node: Any) -> str:
    """Return a plain text."""
    if node.id != "scalar":
        raise BadValueError("expected a text")
    return str(node.value)


def _number(node: Any) -> float:
    text = read_text(node)
    try:
        value = parse_formula(text)
    except FormulaError as error:
        raise BadValueError(f"expected a number: {error}") from None
    if abs(value) > MAX_MAGNITUDE:
        raise BadValueError(f"{value!r} is beyond the limit of {MAX_MAGNITUDE:g}, in SI units")
    return value


def _positive(node: Any) -> float:
    value = _number(node)
    if value <= 0:
        raise BadValueError(f"{value!r} must be greater than 0")
    return value


def _not_negative(node: Any) -> float:
    value = _number(node)
    if value < 0:
        raise BadValueError(f"{value!r} must not be negative")
    return value


def _list(node: Any, count: int, read: Callable[[Any], float] = _number) -> tuple[float, ...]:
    if node.id != "sequence" or len(node.value) != count:
        raise BadValueError(
            f"expected a list of {count} numbers, such as [{', '.join(['0.1'] * count)}]"
        )
    return tuple(read(item) for item in node.value)


def _vector(node: Any) -> tuple[float, ...]:
    return _list(node, 3)


def _sizes(node: Any) -> tuple[float, ...]:
    return _list(node, 3, _positive)


def _inertia(node: Any) -> tuple[float, ...]:
    six = _list(node, 6)
    if min(six[:3]) < 0:
        raise BadValueError("ixx, iyy and izz must not be negative")
    return six


def _rotation(node: Any) -> tuple[float, ...]:
    try:
        return parse_rotation(read_text(node))
    except FormulaError as error:
        raise BadValueError(str(error)) from None


def _interface(node: Any) -> str:
    text = read_text(node)
    if not _INTERFACE.fullmatch(text):
        raise BadValueError(
            f"{shorten(text)} is not an interface; expected a name that ends in -A or -B, "
            "such as X-AO-A"
        )
    return text


def _version(node: Any) -> str:
    text = read_text(node)
    if text not in VERSIONS:
        raise BadValueError(f"unknown version {shorten(text)}." + did_you_mean(text, VERSIONS))
    return text


_NOTES = {"since": Key(_version, False), "source": Key(read_text, False)}
_BOTH_INTERFACES = {"interface_in": Key(_interface), "interface_out": Key(_interface)}
FAMILY = {
    **_NOTES,
    **_BOTH_INTERFACES,
    "com_m": Key(_vector),
    "output_height_m": Key(_number),
    "inertia_kg_m2": Key(_inertia, False),
    "inertia_box_m": Key(_sizes, False),
    "damping_N_m_s_per_rad": Key(_not_negative, False),
    "friction_N_m": Key(_not_negative, False),
    "rotor_inertia_kg_m2": Key(_positive, False),
    "rotor_inertia_estimate_kg_m2": Key(_positive, False),
    "types": Key(lambda node: node),
}
ACTUATOR = {
    "mass_kg": Key(_positive),
    "max_speed_rad_per_s": Key(_positive),
    "max_effort_N_m": Key(_positive),
    "continuous_effort_N_m": Key(_positive, False),
    "gear_reduction": Key(_positive, False),
}
LINK = {
    **_NOTES,
    **_BOTH_INTERFACES,
    "base_mass_kg": Key(_positive),
    "mass_per_length_kg_per_m": Key(_not_negative),
    "half_height_m": Key(_not_negative),
    "inline_input_kg": Key(_not_negative, False),
    "inline_output_kg": Key(_not_negative, False),
    "inline_both_kg": Key(_not_negative, False),
}
BRACKET = {
    **_NOTES,
    **_BOTH_INTERFACES,
    "mass_kg": Key(_not_negative),
    "com_m": Key(_vector),
    "output_m": Key(_vector),
    "output_turn": Key(_rotation, False),
    "inertia_radius_m": Key(_not_negative),
}
END_EFFECTOR = {
    **_NOTES,
    "interface_in": Key(_interface, False),
    "mass_kg": Key(_not_negative),
    "com_m": Key(_vector),
    "output_m": Key(_vector),
    "output_turn": Key(_rotation, False),
    "inertia_radius_m": Key(_not_negative),
}
