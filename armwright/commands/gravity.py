"""``armwright gravity``: the efforts that hold an arm still, against what its actuators can do."""

import math
from typing import Annotated

import numpy as np
import typer

from .arm import ArmJoint, end_effector_number, joint_values, joints, load_arm
from .errors import InputError
from .options import Arm, Gravity, Index, Q, Tag
from .output import Line, Report, Table, complain, number
from .values import FloatArray, lengths

Payload = Annotated[
    float | None,
    typer.Option(
        "--payload", metavar="KG", help="Mass carried at the end effector's input frame [kg]."
    ),
]


def gravity(
    arm: Arm,
    *,
    q: Q = None,
    gravity: Gravity = None,
    payload: Payload = None,
    tag: Tag = None,
    index: Index = None,
) -> Report:
    """Show the efforts that hold an arm still.

    The joint positions --q are needed. The efforts are compared with what the actuators can do:
    peak is what an actuator can give for a moment, continuous what it can give for long.

    Example:
      armwright gravity examples/arms/six_dof.hrdf --q 0,60deg,-90deg,0,0,0 --payload 0.5
    """
    acceleration = (
        np.array([0.0, 0.0, -9.81])
        if gravity is None
        else lengths(gravity, "--gravity", "metres per second squared")
    )
    model = load_arm(arm)
    positions = joint_values(q, model)
    if payload is not None:
        if not 0 <= payload < math.inf:
            raise InputError(f"--payload: {payload:g} is no mass; expected kilograms, 0 or more")
        model = model.with_payload(payload, index=end_effector_number(model, tag, index))
    elif tag is not None or index is not None:
        raise InputError("--tag and --index say where the payload is; give --payload too")
    efforts = model.gravity_efforts(positions, acceleration)
    moving = joints(model)
    continuous = [_continuous(joint) for joint in moving]
    data = {
        "q": positions,
        "gravity": acceleration,
        "payload": payload,
        "joint_names": model.joint_names,
        "gravity_efforts": efforts,
        "units": [joint.effort_unit for joint in moving],
        "max_efforts": model.max_efforts,
        "continuous_efforts": continuous,
        "peak_percent": _percent(efforts, model.max_efforts),
        "continuous_percent": _percent(efforts, np.array(continuous, dtype=np.float64)),
    }
    rows = []
    limits = zip(moving, efforts.tolist(), model.max_efforts.tolist(), continuous, strict=True)
    for joint, effort, peak, lasting in limits:
        rows.append(
            (
                joint.name,
                getattr(joint.element, "type", joint.unit),
                f"{number(effort, 3)} {joint.effort_unit}",
                _share(effort, peak),
                _share(effort, lasting),
            )
        )
        if abs(effort) > peak:
            complain(
                [f"{joint.name} cannot hold this: {abs(effort):.3g} of {peak:.3g} N m"],
                kind="warning",
            )
        elif abs(effort) > lasting:
            complain(
                [f"{joint.name} cannot hold this for long: {abs(effort):.3g} of {lasting:.3g} N m"],
                kind="warning",
            )
    table = Table(("joint", "type", ">holding effort", ">of peak", ">of continuous"), rows)
    return Report(data, [table] if rows else [Line("no joints, nothing to hold")])


def _continuous(joint: ArmJoint) -> float:
    """Return the effort an actuator can give for long [N m]; inf when nobody says."""
    part = getattr(joint.element, "part", None)
    effort = None if part is None else part.continuous_effort
    return math.inf if effort is None else float(effort)


def _percent(efforts: FloatArray, limits: FloatArray) -> list[float]:
    """Return the efforts in percent of limits; nan where there is no limit."""
    finite = np.isfinite(limits)
    percent = np.full(len(efforts), np.nan)
    percent[finite] = 100 * np.abs(efforts[finite]) / limits[finite]
    return list(percent)


def _share(effort: float, limit: float) -> str:
    """Return an effort as percent of a limit; "-" when there is none."""
    if not math.isfinite(limit):
        return "-"
    return f"{100 * abs(effort) / limit:.0f} %"
