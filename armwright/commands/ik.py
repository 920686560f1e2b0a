"""``armwright ik``: joint positions that bring the end effector to a target."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from armwright.commands.shared import (
    NEGATIVE,
    OK,
    FloatArray,
    InputError,
    Line,
    Report,
    Table,
    end_effector_number,
    frame_typed,
    joints,
    load_arm,
    numbers,
    options,
    positions_text,
    refuse_beside_frame,
    seed_values,
    target_typed,
    with_limits,
)

if TYPE_CHECKING:
    from armwright.ik import IKResult
    from armwright.kinematics import Frame, RobotModel


def ik(
    arm: options.Arm,
    *,
    xyz: options.Xyz,
    rpy: options.Rpy = None,
    quat: options.Quat = None,
    axis: options.Axis = None,
    limits: options.Limits = None,
    all_solutions: options.AllSolutions = False,
    plot: options.Picture = None,
    seed_q: options.SeedQ = None,
    frame: options.Frame = None,
    tag: options.Tag = None,
    index: options.Index = None,
) -> Report:
    """Find joint positions that reach a target.

    The end effector is what reaches it, or the frame that --frame names. Its orientation is free
    unless one of --rpy, --quat (the whole orientation) or --axis (the direction of its z axis) is
    given. With --all every posture that reaches a pose is listed, nearest to --seed-q (else to the
    middle of the limits) first. The exit code is 1 when the target is not reached; the joint
    positions are then the closest found.

    Example:
      armwright ik examples/arms/six_dof.hrdf --xyz 0.35 0.1 0.25 --axis 0 0 -1
    """
    from armwright import ik as solver

    target = target_typed(xyz, rpy, quat, axis)
    if all_solutions and target.rotation is None:
        raise InputError("--all needs a whole pose: give the orientation by --rpy or --quat")
    if plot is not None:
        from armwright.gui.save import picture_format

        picture_format(plot)  # a bad name is told before anything is done
    model = with_limits(load_arm(arm), limits)
    aimed = _aimed_frame(model, frame, tag, index)
    if all_solutions:
        reference = None if seed_q is None else seed_values(seed_q, model)
        return _every(model, aimed, target.T_world_target, reference, plot)
    seed = seed_values(seed_q, model)
    result = solver.solve(model, seed, *target.objectives(aimed))
    T_world_tool = model.forward_kinematics(aimed.frame_type, result.q)[aimed.number]
    data = {
        "target": target.xyz,
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
        "plot": plot,
    }
    blocks: list[Line | Table] = [
        _status_line(result),
        joint_table(model, result.q),
        Line(f"{frame or 'end effector'}  {numbers(T_world_tool[:3, 3])} m"),
        Line(_errors(result)),
        Line(f"--q {positions_text(model, result.q)}"),
    ]
    if plot is not None:
        _draw(model, result.q, target.drawn, plot)
        blocks.append(Line(f"picture  {plot}" + ("" if result.success else ", the closest pose")))
    return Report(data, blocks, OK if result.success else NEGATIVE)


def _aimed_frame(
    model: "RobotModel", frame: str | None, tag: str | None, index: int | None
) -> "Frame":
    """Return the frame that is to reach the target: an end effector unless --frame names one."""
    from armwright.kinematics import Frame, FrameType

    if frame is None:
        return Frame(FrameType.END_EFFECTOR, end_effector_number(model, tag, index))
    refuse_beside_frame(tag=tag, index=index)
    return frame_typed(model, frame)


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


def _every(
    model: "RobotModel",
    aimed: "Frame",
    T_world_target: FloatArray,
    reference: FloatArray | None,
    plot: Path | None,
) -> Report:
    """Return every posture that reaches a pose, the nearest first."""
    from armwright import ik as solver

    found = solver.solve_all(model, T_world_target, reference=reference, frame=aimed)
    data = {
        "target": T_world_target[:3, 3],
        "T_world_target": T_world_target,
        "success": len(found) > 0,
        "solutions": found.solutions,
        "distances": found.distances,
        "pose_errors": found.pose_errors,
        "expected_missed": found.expected_missed,
        "method": found.method,
        "singular": found.singular,
        "outside_limits": found.outside_limits,
        "starts": found.starts,
        "message": found.message,
        "plot": plot,
    }
    if not len(found):
        blocks: list[Line | Table] = [Line(f"not reached: {found.message}", "bold red")]
        return Report({**data, "plot": None}, blocks, NEGATIVE)
    slides = [joint.slides for joint in joints(model)]
    units = [joint.name + (" [m]" if joint.slides else " [deg]") for joint in joints(model)]
    rows = [
        (
            str(i),
            *(_show(value, slid) for value, slid in zip(q, slides, strict=True)),
            f"{far:.3f}",
        )
        for i, (q, far) in enumerate(
            zip(found.solutions.tolist(), found.distances.tolist(), strict=True), 1
        )
    ]
    heads = ("", *(f">{unit}" for unit in units), ">distance")
    blocks = [Line(f"reached: {found.message}", "green"), Table(heads, rows)]
    blocks += [Line(f"--q {positions_text(model, q)}") for q in found.solutions]
    if plot is not None:
        nearest, *others = found.solutions
        _draw(model, nearest, T_world_target, plot, others)
        blocks.append(Line(f"picture  {plot}, the nearest; the others pale"))
    return Report(data, blocks)


def _show(value: float, slides: bool) -> str:
    """Write a joint position for a table: degrees, or metres."""
    return numbers([value]) if slides else numbers([math.degrees(value)], 2)


def _draw(
    model: "RobotModel",
    q: FloatArray,
    target: FloatArray,
    picture: Path,
    ghosts: Sequence[FloatArray] = (),
) -> None:
    """Save a picture of the arm at an answer, other answers pale behind it, and the target."""
    from armwright import gui

    gui.save_picture(gui.plot_model(model, q, target=target, ghosts=list(ghosts)), picture)


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
