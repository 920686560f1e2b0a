"""Does the arm fit its model? Measured and modeled efforts of an arm that stands still.

A still arm holds itself against gravity, so the effort of every joint is known beforehand, if
signs, zeros and masses are what the model says. ``examine`` reads a group, real or simulated,
where it stands, and ``diagnose`` says which joints do not fit, and what explains it:

- sign: a joint reports the effort with the wrong sign: measured is minus one times modeled;
- direction: it counts backwards, so that position and effort have the wrong sign;
- zero: the joint is not where it says, by an angle that puts all efforts right;
- payload: a mass at an end effector, which shows in all joints that carry it.

Sets of up to three such faults are fitted and compared; the smallest that explains every effort
within the tolerance is reported, and those that do so as well are named beside it. A set with as
many unknowns as there are efforts fits anything and is no finding, only a possibility. What gravity
does not load cannot be judged: a joint about the vertical holds nothing. More poses tell more.
"""

from .diagnosing import diagnose
from .diagnosis import Diagnosis, Finding, Verdict
from .evidence import FaultKind
from .examining import examine
from .still import StillReading, read_still, visit
from .tolerances import tolerances_of

__all__ = [
    "Diagnosis",
    "FaultKind",
    "Finding",
    "StillReading",
    "Verdict",
    "diagnose",
    "examine",
    "read_still",
    "tolerances_of",
    "visit",
]
