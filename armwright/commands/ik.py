"""``armwright ik``: joint positions that bring the end effector to a target."""

import math
from typing import TYPE_CHECKING

import numpy as np

from .arm import FloatArray, end_effector_number, joints, load_arm, positions_text, seed_values
from .errors import NEGATIVE, OK, InputError
from .options import Arm, Axis, Four, Index, Quat, Rpy, SeedQ, Tag, Three, Xyz
from .output import Line, Report, Table, numbers
from .values import direction, lengths, rotation_from_quaternion, rotation_from_rpy

if TYPE_CHECKING:
    from armwright.ik import IKResult
    from armwright.kinematics import RobotModel


def ik(
    arm: Arm,
    *,
    xyz: Xyz,
    rpy: Rpy = None,
    quat: Quat = None,
    axis: Axis = None,
    seed_q: SeedQ = None,
    tag: Tag = None,
    index: Index = None,
) -> Report:
    """Find joint positions that reach a target.

    The orientation is free unless one of --rpy, --quat (the whole orientation) or --axis (the
    direction of the tool's z axis) is given. The exit code is 1 when the target is not reached;
    the joint positions are then the closest found.

    Example:
      armwright ik examples/arms/six_dof.hrdf --xyz 0.35 0.1 0.25 --axis 0 0 -1
    """
    from armwright import ik as solver

    target = lengths(xyz, "--xyz")
    rotation = _rotation(rpy, quat, axis)
    tool_axis = None if axis is None else direction(axis)
    model = load_arm(arm)
    seed = seed_values(seed_q, model)
    number = end_effector_number(model, tag, index)
    if rotation is not None:
        T_world_target = np.eye(4)
        T_world_target[:3, :3], T_world_target[:3, 3] = rotation, target
        result = solver.solve(model, seed, solver.pose(T_world_target, index=number))
    elif tool_axis is not None:
        aim = solver.tip_axis(tool_axis, index=number)
        result = solver.solve(model, seed, solver.position(target, index=number), aim)
    else:
        result = solver.solve(model, seed, solver.position(target, index=number))
    T_world_tool = model.end_effector(result.q, index=number)
    data = {
        "target": target,
        "q": result.q,
        "success": result.success,
        "status": result.status,
        "position_error": result.position_error,
        "orientation_error": result.orientation_error,
        "residuals": result.residuals,
        "iterations": result.iterations,
        "restarts": result.restarts,
        "message": result.message,
        "xyz": T_world_tool[:3, 3],
        "T_world_tool": T_world_tool,
    }
    blocks: list[Line | Table] = [
        _status_line(result),
        joint_table(model, result.q),
        Line(f"end effector  {numbers(T_world_tool[:3, 3])} m"),
        Line(_errors(result)),
        Line(f"--q {positions_text(result.q)}"),
    ]
    return Report(data, blocks, OK if result.success else NEGATIVE)


def joint_table(model: "RobotModel", q: FloatArray) -> Table:
    """Return a table of joint positions, angles in degrees too."""
    rows = [
        (
            joint.name,
            f"{numbers([value])} {joint.unit}",
            "" if joint.slides else f"{numbers([math.degrees(value)], 2)} deg",
        )
        for joint, value in zip(joints(model), q.tolist(), strict=True)
    ]
    return Table(("joint", ">position", ">"), rows)


def _rotation(rpy: Three | None, quat: Four | None, axis: Three | None) -> FloatArray | None:
    """Return the target orientation, shape (3, 3), or None when it is free or only an axis."""
    given = {"--rpy": rpy, "--quat": quat, "--axis": axis}
    names = [name for name, value in given.items() if value is not None]
    if len(names) > 1:
        raise InputError(f"{' and '.join(names)}: only one of them can be the target orientation")
    if rpy is not None:
        return rotation_from_rpy(rpy)
    return None if quat is None else rotation_from_quaternion(quat)


def _status_line(result: "IKResult") -> Line:
    """Return whether it worked, in words."""
    if result.success:
        return Line(f"reached: {result.message}", "green")
    return Line(f"not reached: {result.message}", "bold red")


def _errors(result: "IKResult") -> str:
    """Return the errors that apply, with units."""
    text = f"error  {result.position_error * 1000:.4g} mm"
    if math.isfinite(result.orientation_error):
        text += f", {math.degrees(result.orientation_error):.4g} deg"
    return text
