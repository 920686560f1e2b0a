"""Numbers that are mostly in another unit: millimetres, grams, multiples of g.

They are taken, with a warning that asks; what cannot be meant is an error of who asks here.
"""

import math

from .conversion import FloatArray, words
from .degrees import warn_outside

_NO_GRAVITY = 1e-3  # around length 1: a direction, or multiples of g
_MILLIMETRES = (500.0, 50_000.0)  # m/s^2; 981 are centimetres, 9810 millimetres
_UPWARDS = 0.9  # share of its length that points up
_HEAVY = 100.0  # kg, and ...
_TIMES = 10.0  # ... times the mass of the robot that carries it


def warn_of_gravity(gravity: FloatArray, *, upwards: bool = False) -> None:
    """Warn of an acceleration that is no gravity in m/s^2.

    Args:
        gravity: Shape (3,).
        upwards: Whether to doubt one that points up as well: the argument of a call, where
            a robot that hangs says so by its base frame.
    """
    x, y, z = gravity.tolist()
    length = math.hypot(x, y, z)
    expected = "Expected an acceleration in m/s^2, such as (0, 0, -9.81)"
    if abs(length - 1.0) < _NO_GRAVITY:
        asked = "has length 1: was it normalized, or in g?"
    elif _MILLIMETRES[0] < length < _MILLIMETRES[1]:
        asked = f"has length {length:g}: millimetres per second squared?"
    elif upwards and z > _UPWARDS * length:
        asked = "points up: things fall along it. Is it what a sensor at rest measures?"
    else:
        return
    warn_outside(f"gravity {gravity.tolist()} {asked} {expected}")


def warn_of_payload(mass: float, com: FloatArray, carrier: float) -> None:
    """Warn of a payload that is mostly in grams, or lies millimetres away.

    Args:
        mass: Of the payload [kg].
        com: Its center of mass, shape (3,) [m].
        carrier: Mass of the robot [kg].
    """
    if mass >= _HEAVY and mass > _TIMES * carrier:
        warn_outside(f"payload mass: {mass:g} kg at a robot of {carrier:.3g} kg: grams?")
    if mass and _far(com):
        warn_outside(f"payload com: {words(com)} m: millimetres?")


def _far(place: FloatArray) -> bool:
    """Whether a place on a part is farther away than parts are large."""
    return float(abs(place).max()) > 10.0
