"""``armwright reach``: the whole way, from a robot file to an arm that stands at a target.

Load, solve, plan, drive a simulated group with gravity compensation, measure, draw.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from armwright.commands.shared import (
    NEGATIVE,
    OK,
    FloatArray,
    InputError,
    Line,
    Report,
    end_effector_number,
    lengths,
    load_arm,
    numbers,
    options,
    positions_text,
    progress,
    seed_values,
)
from armwright.errors import TrajectoryError

if TYPE_CHECKING:
    from armwright.devices import Recording, Trajectory
    from armwright.kinematics import RobotModel

CLOSE_ENOUGH = 2e-3  # m between target and measured position; farther away is never a success


def reach(
    arm: options.Arm,
    *,
    xyz: options.Xyz,
    plot: options.Picture = None,
    seed_q: options.SeedQ = None,
    tag: options.Tag = None,
    index: options.Index = None,
) -> Report:
    """Drive a simulated arm to a target, and measure where it ends.

    Solves inverse kinematics, plans a minimum-jerk move within speed and effort limits, drives a
    simulated group through it with gravity compensation, and compares the position it measures
    at the end with the target. The exit code is 1 when the arm ends more than 2 mm away, or does
    not move because the target cannot be reached.

    Example:
      armwright reach examples/arms/six_dof.hrdf --xyz 0.35 0.1 0.25 --plot reach.png
    """
    from armwright import ik
    from armwright.gui.save import picture_format

    target = lengths(xyz, "--xyz")
    if plot is not None:
        picture_format(plot)  # a bad name is told before anything is done
    model = load_arm(arm)
    number = end_effector_number(model, tag, index)
    if not model.dof:
        raise InputError("the arm has no joints, so there is nothing to drive")
    start = seed_values(seed_q, model, ("home", "ik_seed"))
    solved = ik.solve(model, start, ik.position(target, index=number))
    if not solved.success:
        message = f"not reached: {solved.message}"
        return _not_driven(model, number, target, solved.q, solved.status.name, message, plot)
    try:
        trajectory, recording = _drive(model, start, solved.q)
    except TrajectoryError as refusal:  # too weak for this way, or no way inside the limits
        message = f"not reached: {refusal}"
        return _not_driven(model, number, target, solved.q, "NO_PLAN", message, plot)
    commanded, measured = recording.commanded[-1], recording.measured[-1]
    commanded_xyz, measured_xyz = model.end_effector(np.stack((commanded, measured)), index=number)[
        :, :3, 3
    ]
    error = float(np.linalg.norm(measured_xyz - target))
    reached = error <= CLOSE_ENOUGH
    status = solved.status.name if reached else "MISSED"
    data = {
        "target": target,
        "q": measured,
        "status": status,
        "duration": trajectory.duration,
        "commanded_xyz": commanded_xyz,
        "measured_xyz": measured_xyz,
        "position_error": error,
        "plot": plot,
    }
    verdict = "reached the target" if reached else "did not reach the target"
    blocks = [
        Line(f"the simulated arm {verdict}", "green" if reached else "bold red"),
        Line(f"target     {numbers(target)} m"),
        Line(f"commanded  {numbers(commanded_xyz)} m"),
        Line(f"measured   {numbers(measured_xyz)} m"),
        Line(f"error      {numbers([error * 1000])} mm"),
        Line(f"duration   {numbers([trajectory.duration], 2)} s"),
        Line(f"joints     --q {positions_text(measured)}"),
    ]
    if plot is not None:
        way = model.end_effector(recording.measured, index=number)[:, :3, 3]
        _draw(model, measured, target, plot, way)
        blocks.append(Line(f"picture    {plot}"))
    return Report(data, blocks, OK if reached else NEGATIVE)


def _drive(
    model: "RobotModel", start: FloatArray, goal: FloatArray
) -> "tuple[Trajectory, Recording]":
    """Plan a move and drive a simulated group through it."""
    from armwright import devices

    trajectory = devices.plan(model, [start, goal])
    with devices.simulate(model, q0=start) as group, progress(1.0, "driving") as show:
        recording = devices.follow(
            group, model, trajectory, progress=lambda done: show(done, "driving")
        )
    return trajectory, recording


def _not_driven(
    model: "RobotModel",
    number: int,
    target: FloatArray,
    q: FloatArray,
    status: str,
    message: str,
    plot: Path | None,
) -> Report:
    """Return the answer when nothing was driven, with the closest position that was found."""
    closest = model.end_effector(q, index=number)[:3, 3]
    error = float(np.linalg.norm(closest - target))
    data = {
        "target": target,
        "q": q,
        "status": status,
        "duration": None,
        "commanded_xyz": None,
        "measured_xyz": None,
        "position_error": error,
        "plot": plot,
    }
    blocks = [
        Line(message, "bold red"),
        Line(f"target     {numbers(target)} m"),
        Line(f"closest    {numbers(closest)} m, {numbers([error * 1000], 1)} mm away"),
        Line(f"joints     --q {positions_text(q)}"),
    ]
    if plot is not None:
        _draw(model, q, target, plot)
        blocks.append(Line(f"picture    {plot}, the closest pose"))
    return Report(data, blocks, NEGATIVE)


def _draw(
    model: "RobotModel",
    q: FloatArray,
    target: FloatArray,
    picture: Path,
    way: FloatArray | None = None,
) -> None:
    """Save a picture of the arm, the target and the way of the end effector."""
    from armwright import gui

    axes = gui.plot_model(model, q, target=target, path=way)
    gui.save_picture(axes, picture)
