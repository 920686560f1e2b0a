"""What a model says of itself: its name, what it assumes, and a page for people to read."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from armwright.kinematics.arrays import FloatArray, JointValues, read_only
from armwright.kinematics.naming import (
    KINDS,
    floating_base,
    frame_names,
    groups,
    reference_configurations,
    topology,
)
from armwright.kinematics.robot import GRAVITY, PLACEMENT, SCALE, ModelData


def name(model: ModelData) -> str:
    """Name of the robot: its description, "" when it has none."""
    return model.description.description


def gravity(model: ModelData) -> FloatArray:
    """Acceleration of free fall when a call says no other, world axes, (3,) [m/s^2]."""
    return read_only(model._rows[0, GRAVITY])


def gear_ratios(model: ModelData) -> FloatArray:
    """Gear ratio of every joint, shape (dof,): it moves by q divided by it; 1 without gears.

    The reduction inside an actuator is not among them: its q is that of its output.
    """
    return read_only(1.0 / model._rows[1:, SCALE])


def describe(
    model: ModelData,
    q: JointValues | None = None,
    v: JointValues | None = None,
    tau: JointValues | None = None,
) -> str:
    """Describe the robot for a person to read: joints, limits, drives, frames, groups.

    Args:
        q: Positions to show beside the limits, shape (dof,) [rad or m]; None: none.
        v: Velocities likewise.
        tau: Efforts likewise.

    Returns:
        Some lines of text. A value beyond its limit has a "!" behind it.

    Raises:
        JointVectorError: If a length is wrong or a number is not finite.

    Example:
        >>> print(model.describe().splitlines()[1])
        6 joints, 13 elements, 4.454 kg; base fixed at 0 0 0 m
    """
    lines = [_shown(name(model)) or "robot without a name", _summary(model)]
    table = _joint_table(model, q, v, tau)
    if table:
        lines += ["", *table]
    frames = [
        f"{kind} frames: {_listed(names)}" for kind in KINDS if (names := frame_names(model, kind))
    ]
    if frames:
        lines += ["", *frames]
    lists = [
        f"{group.kind} {_shown(group.name)}: {_listed(group.joint_names)}"
        for group in groups(model).values()
    ]
    if lists:
        lines += ["", *lists]
    if reference_configurations(model):
        lines += ["", f"configurations: {_listed(reference_configurations(model))}"]
    return "\n".join(lines)


def _summary(model: ModelData) -> str:
    """Return size, mass and base in one line."""
    parts = [_count(model.dof, "joint"), _count(model.n_elements, "element")]
    parts.append(f"{model.total_mass:.3f} kg")
    loads = sum(payload.mass for payload in model._payloads)
    if loads:
        parts.append(f"payload {loads:g} kg")
    if model._annotations.gravity is not None:
        parts.append(f"gravity {' '.join(f'{x:g}' for x in gravity(model))} m/s^2")
    where = " ".join(f"{x:g}" for x in model._rows[0, PLACEMENT].reshape(3, 4)[:, 3] + 0.0)
    base = f"base fixed at {where} m"
    if model._annotations.free_flyer:
        chosen = floating_base(model)
        frame = "the first element's" if chosen is None else f"{chosen[0].value} {chosen[1]}"
        base = f"base free, its frame {frame}"
    return f"{', '.join(parts)}; {base}"


def _joint_table(
    model: ModelData, q: JointValues | None, v: JointValues | None, tau: JointValues | None
) -> list[str]:
    """Return one line per joint, columns aligned."""
    tree, drives = topology(model), model.joint_dynamics
    lower, upper = model.position_limits
    names = [_shown(name) for name in model.joint_names]
    columns: list[tuple[str, list[str]]] = [
        ("joint", [str(i) for i in range(model.dof)]),
        ("name", names),
        ("kind", list(tree.joint_kinds)),
        ("on", [names[p] if p >= 0 else "base" for p in tree.parents]),
    ]
    given = (("q", q, lower, upper), ("v", v, -model.max_speeds, model.max_speeds))
    for name, value, low, high in (*given, ("tau", tau, -model.max_efforts, model.max_efforts)):
        if value is not None:
            columns.append((name, _marked(model._joint_vector(value, name), low, high)))
    columns += [
        ("lower", _numbers(lower)),
        ("upper", _numbers(upper)),
        ("max speed", _numbers(model.max_speeds)),
        ("max effort", _numbers(model.max_efforts)),
    ]
    for name in ("rotor_inertia", "damping", "friction"):
        if getattr(drives, name).any():
            columns.append((name.replace("_", " "), _numbers(getattr(drives, name))))
    if (gear_ratios(model) != 1.0).any():
        columns.append(("gear ratio", _numbers(gear_ratios(model))))
    columns.append(("unit", ["m, N" if slide else "rad, N m" for slide in model.joint_slides]))
    if not model.dof:
        return []
    widths = [max(map(len, [name, *cells])) for name, cells in columns]
    heads = [[name for name, _ in columns]]
    heads += [[cells[i] for _, cells in columns] for i in range(model.dof)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in heads
    ]


def _shown(text: str) -> str:
    """Return a text for one line: what does not print, such as a line end, is escaped."""
    return text if text.isprintable() else repr(text)[1:-1]


def _listed(names: Iterable[str]) -> str:
    """Return names as a list in one line."""
    return ", ".join(_shown(name) for name in names)


def _count(number: int, what: str) -> str:
    """Return a number with its noun."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _numbers(values: FloatArray) -> list[str]:
    """Return short texts of numbers; "-" for what has no limit."""
    return [f"{x:.4g}" if np.isfinite(x) else "-" for x in values]


def _marked(values: FloatArray, lower: FloatArray, upper: FloatArray) -> list[str]:
    """Return short texts of numbers, those beyond a limit with a mark."""
    beyond = (values < lower) | (values > upper)
    return [f"{x:.4g}{'!' if bad else ''}" for x, bad in zip(values, beyond, strict=True)]
