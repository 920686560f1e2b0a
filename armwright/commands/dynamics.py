"""``armwright dynamics``: the efforts of a motion, mass matrix, energies, and the limits."""

from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from armwright.commands.shared import (
    ArmJoint,
    FloatArray,
    Line,
    Report,
    Table,
    com_of,
    complain,
    gravity_of,
    joint_values,
    joints,
    load_arm,
    number,
    options,
    percent,
    share,
    with_payload,
)

from .gravity import part_name

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

_ACROSS = 6  # columns of the mass matrix side by side, so that lines stay below 80 characters

V = Annotated[
    str | None,
    typer.Option(
        "--v",
        metavar="V1,V2,...",
        help="Joint velocities, written as for --q: rad/s, m/s, or with deg; 0 when not given.",
    ),
]
A = Annotated[
    str | None,
    typer.Option(
        "--a",
        metavar="A1,A2,...",
        help="Joint accelerations likewise: rad/s^2, m/s^2, or with deg; 0 when not given.",
    ),
]


def dynamics(
    arm: options.Arm,
    *,
    q: options.Q = None,
    v: V = None,
    a: A = None,
    gravity: options.Gravity = None,
    payload: options.Payload = None,
    com: options.Com = None,
    tag: options.Tag = None,
    index: options.Index = None,
) -> Report:
    """Show the efforts of a motion, the mass matrix and the energies.

    The joint positions --q are needed, unless a configuration has a home. The efforts are those of
    the bodies, without friction and rotors: what gravity asks, what the velocities add and what
    the accelerations add. Each joint is compared with what its actuator can do: peak effort for a
    moment, continuous effort for long, largest speed. Joints beyond a limit are warned of.

    Example:
      armwright dynamics examples/arms/six_dof.hrdf --q 0,60deg,-90deg,0,0,0 --v 0,1,0,0,0,0
    """
    acceleration = gravity_of(gravity)
    model = load_arm(arm)
    Q = joint_values(q, model)
    velocity = _rates(v, model, "--v", " per second")
    change = _rates(a, model, "--a", " per second squared")
    model = with_payload(model, payload, com, tag, index)
    efforts = model.inverse_dynamics(Q, velocity, change, acceleration)
    held = model.gravity_efforts(Q, acceleration)
    M = model.mass_matrix(Q)
    parts = {
        "gravity_efforts": held,
        "coriolis_efforts": model.bias_efforts(Q, velocity, acceleration) - held,
        "acceleration_efforts": M @ change,
    }
    moving = joints(model)
    kinetic = float(model.kinetic_energy(Q, velocity))
    potential = float(model.potential_energy(Q, acceleration))
    continuous = model.continuous_efforts
    data: dict[str, object] = {
        "q": Q,
        "v": velocity,
        "a": change,
        "gravity": acceleration,
        "payload": payload,
        "com": com_of(com),
        "joint_names": model.joint_names,
        "units": [joint.effort_unit for joint in moving],
        "inverse_dynamics": efforts,
        **parts,
        "mass_matrix": M,
        "kinetic_energy": kinetic,
        "potential_energy": potential,
        "energy": kinetic + potential,
        "max_efforts": model.max_efforts,
        "continuous_efforts": continuous,
        "max_speeds": model.max_speeds,
        "peak_percent": percent(efforts, model.max_efforts),
        "continuous_percent": percent(efforts, continuous),
        "speed_percent": percent(velocity, model.max_speeds),
        "exceeding": [],
    }
    if not moving:
        return Report(data, [Line("no joints, nothing moves")])
    data["exceeding"] = _warn(model, moving, efforts, velocity)
    blocks: list[Line | Table] = [
        Line("efforts, and what they are made of", "bold"),
        _effort_table(moving, efforts, *parts.values()),
        Line(""),
        Line("against the limits of the actuators", "bold"),
        _limit_table(model, moving, efforts, velocity),
        Line(""),
        Line(f"mass matrix [{_mass_unit(moving)}]", "bold"),
        *_matrix_tables(M, moving),
        Line(""),
        Line(f"kinetic energy    {number(kinetic, 4)} J"),
        Line(f"potential energy  {number(potential, 4)} J, 0 at the world's origin"),
        Line(f"energy            {number(kinetic + potential, 4)} J"),
    ]
    return Report(data, blocks)


def _rates(text: str | None, model: "RobotModel", option: str, per: str) -> FloatArray:
    """Read velocities or accelerations, shape (dof,); zeros when none are given."""
    return np.zeros(model.dof) if text is None else joint_values(text, model, option, per=per)


def _effort_table(moving: tuple[ArmJoint, ...], efforts: FloatArray, *parts: FloatArray) -> Table:
    """Return the efforts and their three parts."""
    rows = [
        (
            joint.name,
            f"{number(effort, 3)} {joint.effort_unit}",
            *(number(float(part[j]), 3) for part in parts),
        )
        for j, (joint, effort) in enumerate(zip(moving, efforts.tolist(), strict=True))
    ]
    return Table(("joint", ">effort", ">of gravity", ">of velocity", ">of acceleration"), rows)


def _limit_table(
    model: "RobotModel", moving: tuple[ArmJoint, ...], efforts: FloatArray, velocity: FloatArray
) -> Table:
    """Return efforts and speeds as shares of the limits."""
    continuous, peaks, speeds = model.continuous_efforts, model.max_efforts, model.max_speeds
    rows = [
        (
            joint.name,
            part_name(joint),
            share(efforts[j], float(continuous[j])),
            share(efforts[j], float(peaks[j])),
            f"{number(float(velocity[j]), 3)} {joint.unit}/s",
            share(velocity[j], float(speeds[j])),
        )
        for j, joint in enumerate(moving)
    ]
    headings = ("joint", "type", ">of continuous", ">of peak", ">velocity", ">of largest speed")
    return Table(headings, rows)


def _matrix_tables(M: FloatArray, moving: tuple[ArmJoint, ...]) -> list[Table | Line]:
    """Return the matrix in blocks of columns; the numbers are those of the joints, from 1."""
    blocks: list[Table | Line] = []
    for start in range(0, len(M), _ACROSS):
        columns = range(start, min(start + _ACROSS, len(M)))
        rows = [
            (str(i + 1), joint.name, *(number(float(M[i, k]), 4) for k in columns))
            for i, joint in enumerate(moving)
        ]
        blocks.append(Table((">#", "joint", *(f">{k + 1}" for k in columns)), rows))
        blocks.append(Line(""))
    return blocks[:-1]


def _mass_unit(moving: tuple[ArmJoint, ...]) -> str:
    """Return the unit of the entries of the mass matrix."""
    slides = {joint.slides for joint in moving}
    if slides == {False}:
        return "kg m^2"
    return "kg" if slides == {True} else "kg, kg m, kg m^2"


def _warn(
    model: "RobotModel", moving: tuple[ArmJoint, ...], efforts: FloatArray, velocity: FloatArray
) -> list[dict[str, object]]:
    """Warn of joints beyond a limit on standard error, and return them."""
    found: list[dict[str, object]] = []
    limits = {
        "peak effort": (efforts, model.max_efforts),
        "continuous effort": (efforts, model.continuous_efforts),
        "speed": (velocity, model.max_speeds),
    }
    for j, joint in enumerate(moving):
        for name, (values, largest) in limits.items():
            value, limit = abs(float(values[j])), float(largest[j])
            if not value > limit:
                continue
            found.append({"joint": joint.name, "limit": name, "value": value, "largest": limit})
            if name == "continuous effort" and value > float(model.max_efforts[j]):
                continue  # said already, and worse
            unit = f"{joint.unit}/s" if name == "speed" else joint.effort_unit
            words = {
                "peak effort": "cannot do this",
                "continuous effort": "cannot do this for long",
                "speed": "is too fast",
            }[name]
            complain([f"{joint.name} {words}: {value:.3g} of {limit:.3g} {unit}"], level="warning")
    return found
