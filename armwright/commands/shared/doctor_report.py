"""What ``armwright doctor`` prints: a line per joint, what is wrong, and what could not be seen."""

import math
import textwrap
from typing import TYPE_CHECKING

import numpy as np

from .arm import joints
from .errors import NEGATIVE, OK
from .output import Line, Report, Table, number

if TYPE_CHECKING:
    from armwright.devices import RobotConfig
    from armwright.devices.doctor import Diagnosis, Finding
    from armwright.kinematics import RobotModel


def report_of(
    diagnosis: "Diagnosis", model: "RobotModel", settings: "RobotConfig", *, simulated: bool
) -> Report:
    """Return the answer of the command.

    Args:
        diagnosis: What was found.
        model: The arm as its file says.
        settings: The configuration.
        simulated: Whether the modules were simulated.
    """
    data = {
        "config": settings.file,
        "simulated": simulated,
        "joint_names": diagnosis.names,
        "units": diagnosis.units,
        "q": diagnosis.q,
        "measured_efforts": diagnosis.measured,
        "modeled_efforts": diagnosis.modeled,
        "differences": diagnosis.differences,
        "tolerances": diagnosis.tolerances,
        "used": diagnosis.used,
        "at_peak": diagnosis.at_peak,
        "status": diagnosis.verdict.upper(),
        "beyond": diagnosis.beyond,
        "findings": [_finding(one) for one in diagnosis.findings],
        "alternatives": [[_finding(one) for one in other] for other in diagnosis.alternatives],
        "leftover": diagnosis.leftover,
        "not_judged": diagnosis.not_judged,
        "sign_judged": diagnosis.sign_judged,
        "smallest_zeros": diagnosis.smallest_zeros,
        "smallest_payload": diagnosis.smallest_payload,
    }
    kind = "simulated" if simulated else "real"
    count = len(diagnosis.q)
    read = f"{count} pose{'s' * (count > 1)}"
    blocks: list[Line | Table] = [
        Line(f"{settings.file}: {len(settings.names)} {kind} modules, read at {read}", "bold"),
        Line(""),
        _table(diagnosis),
        Line(""),
        *_verdict(diagnosis),
        *_limits(diagnosis, model),
    ]
    return Report(data, blocks, OK if diagnosis.verdict == "fits" else NEGATIVE)


def _finding(finding: "Finding") -> dict[str, object]:
    """Return a finding for JSON."""
    return {
        "kind": finding.kind,
        "name": finding.name,
        "index": finding.index,
        "value": finding.value,
        "spread": finding.spread,
        "com": finding.com,
        "unit": finding.unit,
        "text": str(finding),
        "advice": finding.advice,
    }


def _table(diagnosis: "Diagnosis") -> Table:
    """Return a line per joint, at the pose where it fits least."""
    parts = np.where(
        diagnosis.used | diagnosis.at_peak, diagnosis.differences / diagnosis.tolerances, 0.0
    )
    rows = []
    for j, name in enumerate(diagnosis.names):
        k = int(np.argmax(np.abs(parts[:, j])))
        rows.append(
            (
                name,
                str(k + 1),
                f"{number(float(diagnosis.measured[k, j]), 2)} {diagnosis.units[j]}",
                number(float(diagnosis.modeled[k, j]), 2),
                number(float(diagnosis.differences[k, j]), 2),
                number(float(diagnosis.tolerances[k, j]), 2),
                _word(diagnosis, j),
            )
        )
    headings = ("joint", ">pose", ">measured", ">model", ">off by", ">may be", "verdict")
    return Table(headings, rows)


def _word(diagnosis: "Diagnosis", j: int) -> str:
    """Say of one joint in a word or two how it fits."""
    own = [one for one in diagnosis.findings if one.kind != "payload" and one.index == j]
    words = []
    for one in own:
        if one.kind == "zero" and one.unit == "rad":
            words.append(f"zero {math.degrees(one.value):+.1f} deg")
        elif one.kind == "zero":
            words.append(f"zero {one.value:+.4f} m")
        else:
            words.append({"sign": "wrong sign", "direction": "backwards"}[one.kind])
    if words:
        return ", ".join(words)
    if not diagnosis.used[:, j].any() and diagnosis.names[j] not in diagnosis.beyond:
        return "not used"
    if diagnosis.names[j] in diagnosis.beyond:
        if not diagnosis.findings:
            return "does not fit"
        payload = all(one.kind == "payload" for one in diagnosis.findings)
        return "payload" if payload else "explained"
    return "cannot be judged" if diagnosis.names[j] in diagnosis.not_judged else "fits"


def _verdict(diagnosis: "Diagnosis") -> list[Line]:
    """Say what fits, what does not and why."""
    if diagnosis.verdict == "fits":
        return [Line("every effort fits the model", "green")]
    if diagnosis.verdict == "unseen":
        return [Line("no effort to judge by: nothing was compared", "bold red")]
    if diagnosis.verdict == "unexplained":
        names = ", ".join(diagnosis.beyond)
        return [
            *_wrap(f"efforts do not fit: {names}", "bold red"),
            Line("no sign, zero or payload explains them, nor do three of these together"),
            Line("  try: does the arm touch something? are names, parts and gravity right?"),
            Line("  try: read it at more poses (--q again, or --around 20deg)"),
        ]
    lines: list[Line] = []
    if diagnosis.verdict == "unclear":
        lines += _wrap(f"efforts do not fit: {', '.join(diagnosis.beyond)}", "bold red")
        lines.append(Line("too few efforts to tell why; each of these would fit:"))
        for other in diagnosis.alternatives:
            text = "; and ".join(str(finding) for finding in other)
            lines += _wrap(f"  {text}", "yellow")
        return [*lines, Line("  try: read it at more poses (--q again, or --around 20deg)")]
    for finding in diagnosis.findings:
        lines += _wrap(str(finding), "bold red") + _wrap(f"  try: {finding.advice}")
    left = np.nan_to_num(np.abs(diagnosis.leftover)).max(axis=0)
    j = int(np.argmax(left))
    most = f"{number(float(left[j]), 3)} {diagnosis.units[j]}"
    lines.append(Line(f"with this every effort fits; what is left is {most} at most"))
    for other in diagnosis.alternatives:
        text = "; and ".join(str(finding) for finding in other)
        lines += _wrap(f"these poses do not tell it from: {text}", "yellow")
    if diagnosis.alternatives:
        lines.append(Line("  try: read it at more poses (--q again, or --around 20deg)"))
    return lines


def _limits(diagnosis: "Diagnosis", model: "RobotModel") -> list[Line]:
    """Say what could not be seen at these poses."""
    lines: list[Line] = []
    unused = [name for j, name in enumerate(diagnosis.names) if not diagnosis.used[:, j].any()]
    not_loaded = [name for name in diagnosis.not_judged if name not in unused]
    if not_loaded:
        names = ", ".join(not_loaded)
        lines += _wrap(f"cannot be judged, gravity does not load them here: {names}", "yellow")
    if unused:
        why = "not reported, at the peak, or shared with a second module"
        lines += _wrap(f"efforts not used ({why}): {', '.join(unused)}", "yellow")
    shown = []
    slides = [joint.slides for joint in joints(model)]
    for j, name in enumerate(diagnosis.names):
        zero = float(diagnosis.smallest_zeros[j])
        if math.isfinite(zero):
            shown.append(
                f"{name} {zero:.3f} m" if slides[j] else f"{name} {math.degrees(zero):.1f} deg"
            )
    if shown:
        lines += _wrap(f"a wrong zero would show from: {', '.join(shown)}")
    if math.isfinite(diagnosis.smallest_payload):
        lines.append(Line(f"a payload would show from: {number(diagnosis.smallest_payload, 3)} kg"))
    return lines


def _wrap(text: str, style: str = "") -> list[Line]:
    """Return a sentence in lines of at most 80 characters, later ones indented."""
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    rows = textwrap.wrap(
        text, 80, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return [Line(row, style) for row in rows]
