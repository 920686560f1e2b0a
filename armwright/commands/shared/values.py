"""Numbers as people type them: ``10deg``, ``10\u00b0``, ``0.2``, ``-pi/4``, ``1e-3``.

A bare number is in radians or metres; ``deg``, the degree sign and ``rad`` may follow an angle, and
parts of pi are radians. An angle of more than one turn needs its unit. Anything else, and numbers
that are not finite, is an error that names the option and the entry, counted from 1.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .output import complain

FloatArray = NDArray[np.float64]  # as in kinematics, which the help texts need not load

_NUMBER = re.compile(
    r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*(.*)", re.DOTALL
)
_PI = re.compile(
    r"([+-]?)(?:([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*\*?\s*)?(?:pi|\u03c0)"
    r"(?:\s*/\s*([0-9]+(?:\.[0-9]*)?|\.[0-9]+))?\s*(?:rad)?",
    re.IGNORECASE,
)
_UNITS = {"": "", "deg": "deg", "\u00b0": "deg", "rad": "rad"}
_ONE_TURN = 2 * math.pi + 1e-4  # 6.2832 is a turn
_FAR = 50.0  # m; no arm of modules reaches that far, and 350 mm are beyond it
_UPRIGHT = 1e-9  # cosine of the pitch below which roll and yaw are one


@dataclass(frozen=True, slots=True)
class Typed:
    """One number that was typed.

    Attributes:
        value: In radians or metres.
        unit: "deg", "rad" (parts of pi too) or "" when none was written.
    """

    value: float
    unit: str


def split_values(text: str, option: str) -> list[Typed]:
    """Read one comma-separated value; blank text has no entries."""
    if not text.strip():
        return []
    entries = text.split(",")
    return [typed_value(entry, f"{option}, entry {i}") for i, entry in enumerate(entries, 1)]


def lengths(entries: Sequence[str], option: str, unit: str = "metres") -> FloatArray:
    """Read numbers without an angle's unit, shape (n,)."""
    values = []
    for i, entry in enumerate(entries, 1):
        typed = typed_value(entry, f"{option}, entry {i}")
        if typed.unit:
            raise InputError(f"{option}, entry {i}: {entry!r} is an angle; expected {unit}")
        values.append(typed.value)
    return np.array(values, dtype=np.float64)


def place(entries: Sequence[str], option: str = "--xyz") -> FloatArray:
    """Read a point, shape (3,) [m]; ask on standard error whether a far one is in millimetres."""
    point = lengths(entries, option)
    if float(np.abs(point).max()) >= _FAR:
        text = f"{option} {' '.join(entries)}: millimetres? Lengths are in metres: {option} "
        complain([text + " ".join(f"{value / 1000:g}" for value in point)], level="warning")
    return point


def needs_unit(angle: float) -> bool:
    """Whether an angle [rad] is only taken with its unit: it is more than one turn."""
    return abs(angle) > _ONE_TURN


def refuse_degrees(typed: Typed, where: str) -> None:
    """Refuse an angle of more than one turn without a unit: it is mostly in degrees."""
    if not typed.unit and needs_unit(typed.value):
        raise InputError(
            f"{where}: {typed.value:g} without a unit would be more than one turn (2 pi rad); "
            f"write {typed.value:g}deg or {typed.value:g}rad"
        )


def rotation_from_rpy(entries: Sequence[str], option: str = "--rpy") -> FloatArray:
    """Read roll, pitch, yaw and return Rz(yaw) Ry(pitch) Rx(roll), shape (3, 3)."""
    typed = [typed_value(entry, f"{option}, entry {i}") for i, entry in enumerate(entries, 1)]
    for i, angle in enumerate(typed, 1):
        refuse_degrees(angle, f"{option}, entry {i}")
    roll, pitch, yaw = (angle.value for angle in typed)
    cr, sr = math.cos(roll), math.sin(roll)
    cp, sp = math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def rotation_from_quaternion(entries: Sequence[str], option: str = "--quat") -> FloatArray:
    """Read w, x, y, z of length 1 and return the rotation, shape (3, 3)."""
    from armwright.kinematics import arrays

    quat_wxyz = lengths(entries, option, "plain numbers")
    return arrays.rotation_from_quaternion(quat_wxyz, option, InputError)


def direction(entries: Sequence[str], option: str = "--axis") -> FloatArray:
    """Read a direction of any length and return it with length 1, shape (3,)."""
    from armwright.kinematics import arrays

    return arrays.as_direction(lengths(entries, option, "plain numbers"), option, InputError)


def quaternion_wxyz(R: FloatArray) -> FloatArray:
    """Return w, x, y, z of a rotation, shape (4,), with w >= 0."""
    from armwright.kinematics import arrays

    return arrays.quaternions_from_rotations(R)


def rpy_of(R: FloatArray) -> FloatArray:
    """Return roll, pitch, yaw with R = Rz(yaw) Ry(pitch) Rx(roll), shape (3,) [rad].

    Where the pitch is a quarter turn only a sum of roll and yaw is known; yaw is 0 there.
    """
    level = math.hypot(R[0, 0], R[1, 0])
    pitch = math.atan2(-R[2, 0], level)
    if level < _UPRIGHT:
        return np.array([math.atan2(-R[1, 2], R[1, 1]), pitch, 0.0])
    return np.array([math.atan2(R[2, 1], R[2, 2]), pitch, math.atan2(R[1, 0], R[0, 0])])


def typed_value(entry: str, where: str) -> Typed:
    """Read one number with its unit; errors begin with ``where``."""
    text = entry.strip()
    if not text:
        raise InputError(f"{where} is empty; expected a number")
    part_of_pi = _PI.fullmatch(text)
    if part_of_pi is not None:
        sign, times, parts = part_of_pi.groups()
        value = float(times or 1.0) * math.pi / (float(parts or 1.0) or math.nan)
        return _finite(Typed(-value if sign == "-" else value, "rad"), text, where)
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise InputError(f"{where}: {text!r} is not a number; write 0.2, -1e-3, 90deg or pi/2")
    value, unit = float(match[1]), match[2]
    if re.match(r"[+\-.;0-9]", unit):
        raise InputError(f"{where}: {text!r} is not one number; lists have commas between numbers")
    if unit not in _UNITS:
        raise InputError(
            f"{where}: {text!r} has an unknown unit {unit!r}; "
            "angles take deg or rad, lengths are plain metres"
        )
    unit = _UNITS[unit]
    return _finite(Typed(math.radians(value) if unit == "deg" else value, unit), text, where)


def _finite(typed: Typed, text: str, where: str) -> Typed:
    """Refuse a number that is not finite, or larger than anything that models take."""
    from armwright.kinematics.arrays import LARGEST

    if not math.isfinite(typed.value):
        raise InputError(f"{where}: {text!r} is not finite")
    if abs(typed.value) > LARGEST:
        raise InputError(f"{where}: {text!r} is beyond the limit of {LARGEST:g}")
    return typed
