"""What the efforts of a still arm say of its model: differences, findings, and their limits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from armwright.copies import stays_read_only
from armwright.kinematics.arrays import FloatArray
from armwright.reprs import one_line_repr

from .evidence import FaultKind

Verdict = Literal["fits", "explained", "unclear", "unexplained", "unseen"]

WELL_KNOWN = 0.05
"""A coordinate of a center of mass is told when it is known within this [m]."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that does not fit.

    Attributes:
        kind: "sign": the effort has the wrong sign; "direction": position and effort have;
            "zero": the position is off; "payload": more or less mass at an end effector than the
            model has.
        name: The joint, or the end effector.
        index: Its number.
        value: What must be added to the position [rad or m], or the mass that is missing in the
            model [kg]; nan for signs.
        spread: How far the value may be off, should efforts be off by a tolerance; inf when
            these poses do not tell.
        com: Center of mass of a payload, from the end effector's input frame and in its axes
            [m]; nan where these poses do not tell; None for a joint.
        unit: Unit of the value: "rad", "m", "kg" or "".
    """

    kind: FaultKind
    name: str
    index: int
    value: float = math.nan
    spread: float = 0.0
    com: tuple[float, float, float] | None = None
    unit: str = ""

    def __str__(self) -> str:
        """Return what is wrong, in one line."""
        if self.kind == "sign":
            return f"{self.name}: its effort has the wrong sign"
        if self.kind == "direction":
            return f"{self.name}: it counts backwards, position and effort have the wrong sign"
        if self.kind == "zero":
            return f"{self.name}: its zero is off; add {self._amount()} to what it reads"
        if math.isinf(self.spread):
            more = "more" if self.value > 0 else "less"
            return f"{self.name}: the load differs from the model's, there is probably {more}"
        more = "more than" if self.value > 0 else "less than"
        where = f"; its center of mass at {self._place()} m" if self._place() else ""
        return f"{self.name}: it carries {self._amount()} {more} the model{where}"

    @property
    def advice(self) -> str:
        """What to try, in one line."""
        if self.kind == "sign":
            return "check how the module reports efforts, and which way it is mounted"
        if self.kind == "direction":
            return "check which way the module is mounted, or the sign of its axis in the file"
        if self.kind == "zero":
            return "set the zero of the module anew, or check how its parts are bolted together"
        if self.value < 0:
            return "take out of the file what the arm does not carry"
        com = (self._place() or "(?, ?, ?)")[1:-1]
        return f"model.with_payload({self.value:.3f}, com=[{com}]), or add the tool to the file"

    def _amount(self) -> str:
        """Write the value with its unit and how well it is known."""
        if self.unit == "rad":
            sign, value, spread = "deg", math.degrees(self.value), math.degrees(self.spread)
            shown = f"{value:+.1f} {sign}"
        else:
            spread = self.spread
            shown = f"{abs(self.value):.3f} {self.unit}"
            if self.unit == "m":
                shown = f"{self.value:+.4f} m"
        if math.isinf(spread):
            return f"about {shown}"
        digits = {"rad": 1, "kg": 3, "m": 4}[self.unit]
        return f"{shown} (within {max(spread, 10.0**-digits):.{digits}f})"

    def _place(self) -> str:
        """Write the coordinates of the center of mass that are told; "" when none is."""
        if self.com is None or all(math.isnan(x) for x in self.com):
            return ""
        shown = ("?" if math.isnan(x) else f"{round(x, 3) + 0.0:.3f}" for x in self.com)
        return f"({', '.join(shown)})"

    __repr__ = one_line_repr


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False)
class Diagnosis:
    """What a still arm says about its model; arrays are read-only.

    Attributes:
        names: Names of the joints.
        units: Unit of the efforts of each joint, "N m" or "N".
        q: Positions as reported, one row per reading, shape (n, dof) [rad or m].
        measured: Efforts as reported, shape (n, dof).
        modeled: Efforts that the model expects there, shape (n, dof).
        tolerances: What the two may differ by, shape (n, dof).
        used: Which of the efforts were looked at, shape (n, dof): not those that a module does
            not report, that are at the actuator's peak, or that were left out.
        at_peak: Which are at the actuator's peak, shape (n, dof): in truth they may be more, and
            where the model expects less, they do not fit it.
        findings: What explains the differences best; empty when there are none, or nothing does.
        alternatives: Other sets of findings that explain them as well, within the tolerances.
            Without findings: sets that would fit whatever was measured, with as many unknowns
            as there are efforts that say anything.
        leftover: What the findings do not explain: measured less modeled with them, shape
            (n, dof); nan where not used.
        sign_judged: Whether a wrong sign of each joint would show, shape (dof,).
        smallest_zeros: The smallest error of each joint's zero that would show for itself, shape
            (dof,) [rad or m]; inf when none would.
        smallest_payload: The smallest mass at an end effector that would show [kg]; inf when
            none would, or there is no end effector.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    q: FloatArray
    measured: FloatArray
    modeled: FloatArray
    tolerances: FloatArray
    used: npt.NDArray[np.bool_]
    at_peak: npt.NDArray[np.bool_]
    findings: tuple[Finding, ...]
    alternatives: tuple[tuple[Finding, ...], ...]
    leftover: FloatArray
    sign_judged: npt.NDArray[np.bool_]
    smallest_zeros: FloatArray
    smallest_payload: float

    @property
    def differences(self) -> FloatArray:
        """Measured less modeled efforts, shape (n, dof); nan where a module does not report."""
        return self.measured - self.modeled

    @property
    def beyond(self) -> tuple[str, ...]:
        """Names of the joints whose measured effort differs by more than the tolerance."""
        with np.errstate(invalid="ignore"):
            far = (np.abs(self.differences) > self.tolerances) & self.used
            short = np.sign(self.measured) * self.differences > self.tolerances
        far |= short & self.at_peak
        return tuple(self.names[j] for j in np.flatnonzero(far.any(axis=0)).tolist())

    @property
    def verdict(self) -> Verdict:
        """How the arm fits its model.

        "fits": within the tolerances. "explained": not, and ``findings`` say why. "unclear": not,
        and there are too few efforts to tell which of the ``alternatives`` is the reason.
        "unexplained": not, and no set of faults says why. "unseen": there is no effort to judge
        by; none is ``used``.
        """
        if not self.beyond:
            return "fits" if self.used.any() or not self.names else "unseen"
        if self.findings:
            return "explained"
        return "unclear" if self.alternatives else "unexplained"

    @property
    def not_judged(self) -> tuple[str, ...]:
        """Names of the joints of which neither sign nor zero can be judged at these poses."""
        blind = ~self.sign_judged & np.isinf(self.smallest_zeros)
        return tuple(self.names[j] for j in np.flatnonzero(blind).tolist())

    def __str__(self) -> str:
        """Return the verdict, line by line."""
        lines = {
            "fits": ["every effort fits the model"],
            "unseen": ["no effort to judge by: not reported, at the actuator's peak, or left out"],
            "explained": [str(finding) for finding in self.findings],
            "unclear": [
                f"efforts do not fit, and are too few to tell why: {', '.join(self.beyond)}"
            ],
            "unexplained": [
                f"efforts do not fit, and nothing explains them: {', '.join(self.beyond)}"
            ],
        }[self.verdict]
        for others in self.alternatives:
            lines.append("or: " + "; and ".join(str(finding) for finding in others))
        if self.not_judged:
            lines.append(f"cannot be judged at these poses: {', '.join(self.not_judged)}")
        return "\n".join(lines)

    __repr__ = one_line_repr
