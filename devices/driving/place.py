"""Where on its path an arm is told to be, and how fast it goes on from there."""

from dataclasses import dataclass

from .rate import AS_PLANNED, Quickness, Rate


@dataclass(frozen=True, slots=True)
class Place:
    """Where a command is on the path, and how fast it goes there.

    Attributes:
        s: Path time since the start [s].
        rate: The rate.
        slowed: How quickly the rate goes to 0; None: it does not.
    """

    s: float = 0.0
    rate: Rate = AS_PLANNED
    slowed: Quickness | None = None

    def after(self, ds: float, slowed: Quickness | None) -> "Place":
        """Return the place a turn later, on the way to a stand if it is to be slowed."""
        rate = self.rate
        if slowed is not None and slowed is not self.slowed:
            rate = rate.toward(0.0, slowed)
        rate, covered = rate.after(ds)
        return Place(self.s + covered, rate, slowed)
