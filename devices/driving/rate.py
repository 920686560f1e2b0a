"""How fast an arm goes along its path: 1 is as planned, 0 is a stand; changes are smooth.

The rate r moves to a target with bounded slope and bounded change of slope, |r'| <= R and
|r''| <= J, as quickly as that allows: its slope grows to a peak, stays there, and falls to 0. The
three pieces have a closed form. They are evaluated by time, so turns of any length give the same
curve, and are found anew from r and r' as they are whenever the target changes.

Path time is the integral of r; an arm on the path q(s) has the velocity q' r and the acceleration
q'' r^2 + q' r'.
"""

import math
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Quickness:
    """How quickly a rate may change.

    Attributes:
        slope: Largest |r'|, R [1/s].
        bend: Largest |r''|, J [1/s^2].
    """

    slope: float
    bend: float


GENTLE = Quickness(2.0, 40.0)
"""For what a user asks for: from 1 to 0 in 0.55 s, within 0.275 s of the path."""

FAST = Quickness(5.0, 100.0)
"""For faults: from 1 to 0 in 0.25 s, within 0.125 s of the path."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate at one moment, and where it goes from there.

    Attributes:
        value: r, 0 to 1.
        slope: r' [1/s].
        pieces: What is left of the way to the target: duration [s] and r'' of each piece.
        target: Where it ends, with slope 0.
    """

    value: float = 1.0
    slope: float = 0.0
    pieces: tuple[tuple[float, float], ...] = ()
    target: float = 1.0

    def toward(self, target: float, quickness: Quickness) -> "Rate":
        """Return the same moment with another target.

        While the rate moves, ``quickness`` may only grow: with less of it a rate that is close to
        its end could not stop there.

        Args:
            target: 0 to 1.
            quickness: How quickly it may change on the way.
        """
        bend = quickness.bend
        stopped_at = self.value + self.slope * abs(self.slope) / (2.0 * bend)
        way = 1.0 if target >= stopped_at else -1.0
        distance, slope = way * (target - self.value), way * self.slope
        squared = bend * distance + 0.5 * slope * slope  # of the peak, without a largest slope
        peak = min(math.sqrt(max(0.0, squared)), max(quickness.slope, slope))
        rising, falling = max(0.0, (peak - slope) / bend), peak / bend
        rest = distance - (2.0 * peak * peak - slope * slope) / (2.0 * bend)
        level = max(0.0, rest / peak) if peak > 0.0 else 0.0
        pieces = ((rising, way * bend), (level, 0.0), (falling, -way * bend))
        return replace(self, pieces=tuple(p for p in pieces if p[0] > 0.0), target=target)

    def after(self, ds: float) -> "tuple[Rate, float]":
        """Return the rate some time later, and the path time that went by, the integral of r.

        Args:
            ds: Time [s], not negative.
        """
        if not self.pieces:
            return self, self.value * ds
        value, slope, covered, left = self.value, self.slope, 0.0, ds
        for number, (duration, bend) in enumerate(self.pieces):
            h = min(duration, left)
            covered += h * (value + h * (0.5 * slope + h * bend / 6.0))
            value += h * (slope + 0.5 * h * bend)
            slope += h * bend
            if duration > left:
                rest = ((duration - left, bend), *self.pieces[number + 1 :])
                return Rate(value, slope, rest, self.target), covered
            left -= h
        return Rate(self.target, 0.0, (), self.target), covered + self.target * left


AS_PLANNED = Rate()
STANDING = Rate(0.0, 0.0, (), 0.0)
