"""``armwright info``: what an arm is made of, weighs and reaches."""

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from armwright.commands.shared import (
    ArmJoint,
    Line,
    Report,
    Table,
    joints,
    number,
    options,
    positions_text,
    reach_of,
)

if TYPE_CHECKING:
    from armwright.hrdf import Element
    from armwright.kinematics import RobotModel

ShowFiles = Annotated[
    bool, typer.Option("--show-files", help="List every file that was read, includes too.")
]


def info(arm: options.Arm, *, show_files: ShowFiles = False) -> Report:
    """Show what an arm is made of, weighs and reaches.

    The reach is the largest distance of an end effector from the base frame's origin, found by a
    search over all joints that turn; joints that slide stay at 0.

    Example:
      armwright info examples/arms/six_dof.hrdf --show-files
    """
    from armwright.kinematics import load

    model = load(arm)
    moving = iter(joints(model))
    rows = [
        _element(i, element, next(moving) if element.kind in ("actuator", "joint") else None)
        for i, element in enumerate(model.elements)
    ]
    ends = _end_effectors(model)
    description = model.description
    data: dict[str, object] = {
        "description": description.description,
        "version": description.version,
        "dof": model.dof,
        "n_elements": model.n_elements,
        "total_mass": model.total_mass,
        "reach": max((end["reach"] for end in ends), default=None),
        "end_effectors": ends,
        "joint_names": model.joint_names,
        "max_speeds": model.max_speeds,
        "max_efforts": model.max_efforts,
        "masses": model.masses,
        "base_frame": model.base_frame,
        "tags": model.tags,
        "elements": rows,
        "inertias_estimated": [row["index"] for row in rows if row["inertia_estimated"]],
        "reference_configurations": dict(model.reference_configurations),
        "warnings": model.warnings,
    }
    if show_files:
        data["files"] = description.files
    blocks: list[Line | Table] = [Line(f"{arm}  (HRDF {description.version})", "bold")]
    if description.description:
        blocks.append(Line(description.description))
    blocks += [
        Line(""),
        _table(rows, str(arm)),
        Line(""),
        *_totals(data, ends, rows),
        *_places(model),
    ]
    if show_files:
        blocks += [Line("files"), *(Line(f"  {file}") for file in description.files)]
    blocks += [Line(f"warning: {warning}", "yellow") for warning in model.warnings]
    return Report(data, blocks)


def _element(index: int, element: "Element", joint: ArmJoint | None) -> dict[str, Any]:
    """Return what is known of one element; None where it does not apply."""
    part = getattr(element, "part", None)
    return {
        "index": index,
        "kind": element.kind,
        "type": getattr(element, "type", getattr(element, "axis", None)),
        "tag": element.tag,
        "mass": getattr(element, "mass", None),
        "interface_in": element.interface_in,
        "interface_out": element.interface_out,
        "joint": None if joint is None else joint.name,
        "unit": None if joint is None else joint.unit,
        "max_speed": getattr(part, "max_speed", None),
        "max_effort": getattr(part, "max_effort", None),
        "continuous_effort": getattr(part, "continuous_effort", None),
        "inertia_estimated": getattr(element, "inertia_estimated", False),
        "file": element.file,
        "line": element.line,
        "path": element.path,
    }


def _end_effectors(model: "RobotModel") -> list[dict[str, Any]]:
    """Return tag and reach of every end effector, in the order of their numbers."""
    ends = [element for element in model.elements if element.kind == "end-effector"]
    return [
        {"index": index, "tag": element.tag, "reach": reach_of(model, index)}
        for index, element in enumerate(ends)
    ]


def _table(rows: list[dict[str, Any]], file: str) -> Table:
    """Return the table of elements; lines of the file itself need no file name."""
    headings = (">#", "element", "type", "tag", ">mass", "interfaces", ">speed", ">peak effort")
    return Table((*headings, ">continuous", "where"), [_row(row, file) for row in rows])


def _row(row: dict[str, Any], file: str) -> tuple[str, ...]:
    """Return one element as text, with units."""
    ends = [row["interface_in"] or "any", row["interface_out"] or "any"]
    if row["kind"] == "end-effector":
        ends.pop()
    where = f"{row['file']}:{row['line']}" if row["line"] else row["file"]
    if row["file"] == file and row["line"]:
        where = f"line {row['line']}"
    return (
        str(row["index"]),
        row["kind"],
        row["type"] or "",
        row["tag"] or "",
        _with_unit(row["mass"], 3, "kg"),
        " > ".join(ends),
        _with_unit(row["max_speed"], 2, "rad/s"),
        _with_unit(row["max_effort"], 1, "N m"),
        _with_unit(row["continuous_effort"], 1, "N m"),
        where,
    )


def _places(model: "RobotModel") -> list[Line]:
    """Return the named joint positions."""
    return [
        Line(f"{name:<9} {positions_text(model, values, 4)}")
        for name, values in model.reference_configurations.items()
    ]


def _totals(
    data: dict[str, Any], ends: list[dict[str, Any]], rows: list[dict[str, Any]]
) -> list[Line]:
    """Return the lines under the table."""
    lines = [
        Line(f"mass      {number(data['total_mass'], 3)} kg"),
        Line(f"joints    {data['dof']}: {', '.join(data['joint_names']) or 'none'}"),
    ]
    still = ", with what slides at 0" if any(row["unit"] == "m" for row in rows) else ""
    for end in ends:
        name = f" of {end['tag'] or 'end effector ' + str(end['index'])}" if len(ends) > 1 else ""
        reach = f"{number(end['reach'], 3)} m{name}"
        lines.append(Line(f"reach     {reach}, largest distance from the base{still}"))
    if not ends:
        lines.append(Line("reach     unknown: no end effector; add <end-effector/> to the file"))
    estimated = data["inertias_estimated"]
    if estimated:
        which = ", ".join(map(str, estimated))
        lines.append(Line(f"inertias  estimated by rule, not published, for elements {which}"))
    return lines


def _with_unit(value: float | None, digits: int, unit: str) -> str:
    """Return a value with its unit; "" when there is none."""
    return "" if value is None or not math.isfinite(value) else f"{number(value, digits)} {unit}"
