"""``armwright gravity``: the efforts that hold an arm still, against what its actuators can do."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from armwright.commands.shared import (
    NEGATIVE,
    OK,
    ArmJoint,
    FloatArray,
    Line,
    Report,
    Table,
    com_of,
    complain,
    end_effector_number,
    gravity_of,
    joints,
    load_arm,
    number,
    options,
    percent,
    poses_of,
    share,
    with_payload,
)

if TYPE_CHECKING:
    from armwright.kinematics import PayloadLimit, RobotModel, StaticCapability


def gravity(
    arm: options.Arm,
    *,
    q: options.Qs = None,
    poses: options.Poses = None,
    gravity: options.Gravity = None,
    payload: options.Payload = None,
    com: options.Com = None,
    tag: options.Tag = None,
    index: options.Index = None,
) -> Report:
    """Show the efforts that hold an arm still, and what it can carry.

    The joint positions --q are needed, or a file of --poses, unless a configuration has a home.
    The efforts are compared with what the actuators can do: peak is what an actuator can give for
    a moment, continuous what it can give for long (inferred from its type name). With several
    poses each joint is shown at the one that asks most of it. The exit code is 1 when some joint
    cannot hold some pose for long. The largest payload is all that the arm can hold there, not
    what fits beside --payload.

    Example:
      armwright gravity examples/arms/six_dof.hrdf --q 0,60deg,-90deg,0,0,0 --payload 0.5
    """
    acceleration = gravity_of(gravity)
    model = load_arm(arm)
    if poses is None and len(q or ()) < 2:
        Q = poses_of(q, None, model)
        loaded = with_payload(model, payload, com, tag, index)
        data, blocks, code = _one(loaded, Q[0], acceleration, payload)
    else:
        Q = poses_of(q, poses, model)
        loaded = model
        if payload is not None:
            loaded = with_payload(model, payload, com, tag, index)
        data, blocks, code = _several(loaded, Q, acceleration, payload)
    limit, lines = _limit(model, Q, acceleration, com_of(com), tag, index)
    data |= {"com": com_of(com), "largest_payload": limit}
    return Report(data, [*blocks, *lines], code)


def _one(
    model: "RobotModel", q: FloatArray, acceleration: FloatArray, payload: float | None
) -> "tuple[dict[str, object], list[Line | Table], int]":
    """Return the answer for one pose, and the exit code."""
    efforts = model.gravity_efforts(q, acceleration)
    moving = joints(model)
    continuous = model.continuous_efforts
    data: dict[str, object] = {
        "q": q,
        "gravity": acceleration,
        "payload": payload,
        "joint_names": model.joint_names,
        "gravity_efforts": efforts,
        "units": [joint.effort_unit for joint in moving],
        "max_efforts": model.max_efforts,
        "continuous_efforts": continuous,
        "peak_percent": percent(efforts, model.max_efforts),
        "continuous_percent": percent(efforts, continuous),
    }
    if not moving:
        return data, [Line("no joints, nothing to hold")], OK
    rows, warnings = [], []
    for joint, effort, peak, lasting in _with_limits(model, efforts):
        rows.append(
            (
                joint.name,
                part_name(joint),
                f"{number(effort, 3)} {joint.effort_unit}",
                share(effort, peak),
                share(effort, lasting),
            )
        )
        if abs(effort) > peak:
            warnings.append(f"{joint.name} cannot hold this: {_of(effort, peak, joint)}")
        elif abs(effort) > lasting:
            warnings.append(
                f"{joint.name} cannot hold this for long: {_of(effort, lasting, joint)}"
            )
    complain(warnings, level="warning")
    headings = ("joint", "type", ">holding effort", ">of peak", ">of continuous")
    blocks: list[Line | Table] = [Table(headings, rows), Line("")]
    return data, blocks, NEGATIVE if warnings else OK


def _several(
    model: "RobotModel", Q: FloatArray, acceleration: FloatArray, payload: float | None
) -> "tuple[dict[str, object], list[Line | Table], int]":
    """Return the answer for several poses, and the exit code."""
    from armwright.kinematics import static_capability

    report = static_capability(model, Q, gravity=acceleration)
    moving = joints(model)
    data: dict[str, object] = {
        "q": Q,
        "gravity": acceleration,
        "payload": payload,
        "joint_names": model.joint_names,
        "gravity_efforts": report.efforts,
        "units": report.units,
        "max_efforts": report.max_efforts,
        "continuous_efforts": report.continuous_efforts,
        "peak_percent": 100 * report.peak_ratios,
        "continuous_percent": 100 * report.ratios,
        "margins": report.margins,
        "peak_margins": report.peak_margins,
        "worst_poses": report.worst_poses,
        "exceeding": report.exceeding,
        "exceeding_peak": report.exceeding_peak,
        "not_judged": report.not_judged,
        "holds": report.holds,
    }
    if not moving:
        return data, [Line("no joints, nothing to hold")], OK
    rows = []
    for j, joint in enumerate(moving):
        k, unit = int(report.worst_poses[j]), joint.effort_unit
        effort, lasting = float(report.efforts[k, j]), float(report.continuous_efforts[j])
        known = math.isfinite(lasting)
        rows.append(
            (
                joint.name,
                part_name(joint),
                str(k + 1),
                f"{number(effort, 2)} {unit}",
                f"{lasting:g} {unit}" if known else "not known",
                number(float(report.margins[k, j]), 2),
                share(effort, lasting),
                share(effort, float(report.max_efforts[j])),
            )
        )
    headings = ("joint", "type", ">pose", ">holding", ">continuous", ">margin", ">used", ">of peak")
    blocks: list[Line | Table] = [Table(headings, rows), Line(""), *_verdict(report, moving)]
    return data, blocks, NEGATIVE if report.exceeding else OK


def _verdict(report: "StaticCapability", moving: tuple[ArmJoint, ...]) -> list[Line]:
    """Say which joints exceed what, and where; and what cannot be judged."""
    lines = []
    count = len(report.q)
    every = "the pose" if count == 1 else "both poses" if count == 2 else f"all {count} poses"
    for name in report.exceeding:
        j = report.joint_names.index(name)
        margins = report.margins[:, j]
        what, limit = "continuous effort", float(report.continuous_efforts[j])
        if name in report.exceeding_peak:
            margins, what = report.peak_margins[:, j], "PEAK effort"
            limit = float(report.max_efforts[j])
        over = [str(k + 1) for k in np.flatnonzero(margins < 0).tolist()]
        where = f"pose {over[0]}" if len(over) == 1 else f"{len(over)} of {count} poses"
        if 1 < len(over) <= 12:
            where += f" ({', '.join(over)})"
        worst = number(-float(margins.min()), 2)
        text = f"{name} exceeds its {what} of {limit:g} {moving[j].effort_unit} at {where}, "
        lines.append(Line(f"{text}by up to {worst}", "bold red"))
    if report.not_judged:
        names = ", ".join(report.not_judged)
        lines.append(Line(f"cannot be judged, no continuous effort is known: {names}", "yellow"))
    if not report.exceeding:
        who = "every other joint" if report.not_judged else "every joint"
        lines.append(Line(f"{who} can hold {every} for long", "green"))
    return lines


def _limit(
    model: "RobotModel",
    Q: FloatArray,
    acceleration: FloatArray,
    com: FloatArray,
    tag: str | None,
    index: int | None,
) -> "tuple[dict[str, Any] | None, list[Line]]":
    """Return the largest payload, and the same in words; None where it has no place."""
    from armwright.kinematics import largest_payload

    ends = sum(element.kind == "end-effector" for element in model.elements)
    if not model.dof or not ends or (ends > 1 and tag is None and index is None):
        return None, []
    number_of_end = end_effector_number(model, tag, index)
    limit = largest_payload(model, Q, com=com, index=number_of_end, gravity=acceleration)
    data = {
        "mass": limit.mass,
        "least": limit.least,
        "joint": limit.joint or None,
        "pose": limit.pose if limit.pose >= 0 else None,
        "not_judged": limit.not_judged,
    }
    return data, [Line(_limit_text(limit, len(Q)))]


def _limit_text(limit: "PayloadLimit", count: int) -> str:
    """Say the largest payload in words."""
    at = f" at pose {limit.pose + 1}" if count > 1 and limit.pose >= 0 else ""
    if math.isnan(limit.mass):
        text = f"none: {limit.joint} cannot hold the arm itself for long{at}"
    elif not limit.joint:
        text = "no joint limits it here"
    else:
        text = f"{number(limit.mass, 3)} kg, held for long; limited by {limit.joint}{at}"
        if limit.least:
            text += f"; as a counterweight, at least {number(limit.least, 3)} kg"
    unsure = f"; not judged: {', '.join(limit.not_judged)}" if limit.not_judged else ""
    return f"largest payload  {text}{unsure}"


def part_name(joint: ArmJoint) -> str:
    """Return the type of an actuator, or the unit in which a plain joint moves."""
    return str(getattr(joint.element, "type", joint.unit))


def _with_limits(
    model: "RobotModel", efforts: FloatArray
) -> list[tuple[ArmJoint, float, float, float]]:
    """Return each joint with its effort, its peak and its continuous effort."""
    limits = (efforts.tolist(), model.max_efforts.tolist(), model.continuous_efforts.tolist())
    return list(zip(joints(model), *limits, strict=True))


def _of(effort: float, limit: float, joint: ArmJoint) -> str:
    """Write an effort beside its limit."""
    return f"{abs(effort):.3g} of {limit:.3g} {joint.effort_unit}"
