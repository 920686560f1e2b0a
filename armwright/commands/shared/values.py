"""Numbers as people type them: ``10deg``, ``0.2``, ``-90deg``, ``1e-3``.

A bare number is in radians or metres; ``deg`` and ``rad`` may follow an angle. Anything else, and
numbers that are not finite, is an error that names the option and the entry, counted from 1.
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
_TWO_TURNS = 4 * math.pi
_UPRIGHT = 1e-9  # cosine of the pitch below which roll and yaw are one


@dataclass(frozen=True, slots=True)
class Typed:
    """One number that was typed.

    Attributes:
        value: In radians or metres.
        unit: "deg", "rad" or "" when none was written.
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


def warn_of_degrees(typed: Typed, where: str) -> None:
    """Warn on standard error of an angle above two turns: it is mostly in degrees."""
    if abs(typed.value) > _TWO_TURNS:
        hint = "" if typed.unit else f"; degrees? write {typed.value:g}deg"
        complain(
            [f"{where}: {typed.value:g} rad is more than two turns (4 pi){hint}"], level="warning"
        )


def rotation_from_rpy(entries: Sequence[str], option: str = "--rpy") -> FloatArray:
    """Read roll, pitch, yaw and return Rz(yaw) Ry(pitch) Rx(roll), shape (3, 3)."""
    typed = [typed_value(entry, f"{option}, entry {i}") for i, entry in enumerate(entries, 1)]
    for i, angle in enumerate(typed, 1):
        warn_of_degrees(angle, f"{option}, entry {i}")
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
    # The largest of the four squares is taken by its root, so nothing is divided by dust.
    m = np.asarray(R, dtype=np.float64)
    trace = float(np.trace(m))
    squares = np.array([trace, m[0, 0], m[1, 1], m[2, 2]])
    largest = int(np.argmax(squares))
    if largest == 0:
        quat = np.array([1 + trace, m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    else:
        i = largest - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        quat = np.empty(4)
        quat[0] = m[k, j] - m[j, k]
        quat[1 + i] = 1 + m[i, i] - m[j, j] - m[k, k]
        quat[1 + j] = m[j, i] + m[i, j]
        quat[1 + k] = m[k, i] + m[i, k]
    quat /= np.linalg.norm(quat)
    return quat if quat[0] >= 0 else -quat


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
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise InputError(f"{where}: {text!r} is not a number; write 0.2, -1e-3 or 90deg")
    value, unit = float(match[1]), match[2]
    if re.match(r"[+\-.;0-9]", unit):
        raise InputError(f"{where}: {text!r} is not one number; lists have commas between numbers")
    if unit not in ("", "deg", "rad"):
        raise InputError(
            f"{where}: {text!r} has an unknown unit {unit!r}; "
            "angles take deg or rad, lengths are plain metres"
        )
    if unit == "deg":
        value = math.radians(value)
    if not math.isfinite(value):
        raise InputError(f"{where}: {text!r} is not finite")
    return Typed(value, unit)
