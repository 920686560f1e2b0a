"""The words of faults: what happened, to which joint, what the arm does now, what to do."""

import math

from armwright.devices.group import ActuatorGroup
from armwright.errors import ArmFault, ArmFaultError, FaultKind, FeedbackLostError, PluginFaultError

_ERRORS: dict[FaultKind, type[ArmFaultError]] = {
    "lost": FeedbackLostError,
    "plugin": PluginFaultError,
}
_STILL = "The arm was told to stand still"
_CAUGHT = "The arm was told to hold where it was measured"
_ADVICE: dict[FaultKind, str] = {
    "lost": "Check power, cables and network",
    "came back": (
        "Keep what takes long out of progress and plugins, or allow more with late_after="
    ),
    "ran out": "Raise command_lifetime, or keep what takes long out of progress and plugins",
    "clock": "Look for what gives feedback its times",
    "silent": "Check power and cables",
    "off track": (
        "Is it blocked, or its load unknown? Plan from the measured position; off_track= sets the "
        "bound"
    ),
    "not arrived": "Is it blocked? Plan from the measured position",
    "send": "Plan from the measured position when it takes commands again",
    "plugin": "",
}


def fault_error(
    group: ActuatorGroup,
    kind: FaultKind,
    what: str,
    time: float,
    *,
    joint: int | None = None,
    value: float = math.nan,
    bound: float = math.nan,
    captured: bool = False,
    held: bool = True,
) -> ArmFaultError:
    """Make the error of a fault.

    Args:
        group: The modules.
        kind: What kind of fault.
        what: What happened, without its joint; the message begins with it.
        time: When on the path [s].
        joint: Number of the joint that it is about; None: all.
        value: What was found.
        bound: What would have done.
        captured: Whether the arm holds where it was measured.
        held: Whether it was told to hold at all.
    """
    name = "" if joint is None else group.names[joint]
    where = f"joint {name!r} " if name else ""
    does = _CAUGHT if captured else _STILL
    if not held:
        does = "The arm could not be told to hold"
    lifetime = group.command_lifetime
    if lifetime > 0.0:
        does += f" and goes limp when the command lifetime ends ({lifetime:g} s)"
    advice = _ADVICE[kind]
    text = f"follow: {where}{what}. {does}{'. ' + advice if advice else ''}"
    fault = ArmFault(kind, name, value, bound, time, held)
    return _ERRORS.get(kind, ArmFaultError)(text, fault)
