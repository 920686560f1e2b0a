"""``armwright reach``: the whole way, from a robot file to an arm that stands at a target.

Load, solve, plan, drive a simulated group with gravity compensation, measure, draw.
"""

import math
from dataclasses import dataclass
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
    Target,
    end_effector_number,
    load_arm,
    numbers,
    options,
    positions_text,
    progress,
    start_of,
    target_typed,
    with_limits,
)
from armwright.errors import TrajectoryError

if TYPE_CHECKING:
    from armwright.devices import Recording, Trajectory
    from armwright.kinematics import RobotModel

CLOSE_ENOUGH = 2e-3  # m between target and measured position; farther away is never a success
TURNED_ENOUGH = math.radians(0.5)  # between what was asked for and what was measured


def reach(
    arm: options.Arm,
    *,
    xyz: options.Xyz,
    rpy: options.Rpy = None,
    quat: options.Quat = None,
    axis: options.Axis = None,
    limits: options.Limits = None,
    plot: options.Picture = None,
    seed_q: options.StartQ = None,
    config: options.Config = None,
    tag: options.Tag = None,
    index: options.Index = None,
) -> Report:
    """Drive a simulated arm to a target, and measure where it ends.

    Solves inverse kinematics, plans a minimum-jerk move within speed and effort limits, drives a
    simulated group through it with gravity compensation, and compares what it measures at the end
    with the target: a position, and with --rpy, --quat or --axis how the tool is turned. The exit
    code is 1 when the arm ends more than 2 mm or 0.5 degrees away, or does not move because the
    target cannot be reached.

    Example:
      armwright reach examples/arms/six_dof.hrdf --xyz 0.35 0.1 0.25 --plot reach.png
    """
    from armwright import ik
    from armwright.gui.save import picture_format
    from armwright.kinematics import Frame, FrameType

    target = target_typed(xyz, rpy, quat, axis)
    if plot is not None:
        picture_format(plot)  # a bad name is told before anything is done
    model = with_limits(load_arm(arm), limits)
    tool = Frame(FrameType.END_EFFECTOR, end_effector_number(model, tag, index))
    if not model.dof:
        raise InputError("the arm has no joints, so there is nothing to drive")
    start, source = start_of(model, arm, seed_q, config)
    job = _Job(model, tool.number, target, start, source, plot)
    solved = ik.solve(model, start, *target.objectives(tool))
    if not solved.success:
        message = f"not reached: {solved.message}"
        return _not_driven(job, solved.q, solved.status.name, message)
    try:
        trajectory, recording = _drive(model, start, solved.q)
    except TrajectoryError as refusal:  # too weak for this way, or no way inside the limits
        return _not_driven(job, solved.q, "NO_PLAN", f"not reached: {refusal}")
    return _driven(job, solved.status.name, trajectory, recording)


@dataclass(frozen=True, slots=True)
class _Job:
    """What is to be done: which end effector of which arm goes from where to what."""

    model: "RobotModel"
    number: int
    target: Target
    start: FloatArray
    source: str
    plot: Path | None

    def data(self, q: FloatArray, status: str, **found: object) -> dict[str, object]:
        """Return the answer for programs: always the same keys."""
        nothing = {"duration": None, "commanded_xyz": None, "measured_xyz": None}
        return {
            "target": self.target.xyz,
            "start": self.start,
            "q": q,
            "success": False,
            "status": status,
            **nothing,
            "plot": self.plot,
            **found,
        }

    def turned(self, error: float) -> list[Line]:
        """Return the line about the orientation, where one was asked for."""
        if self.target.rotation is None and self.target.axis is None:
            return []
        return [Line(f"turned by  {numbers([math.degrees(error)], 3)} deg from the target's")]


def _driven(job: _Job, status: str, trajectory: "Trajectory", recording: "Recording") -> Report:
    """Return the answer when the arm was driven: it counts what was measured."""
    target = job.target
    commanded, measured = recording.commanded[-1], recording.measured[-1]
    T_world_commanded, T_world_measured = job.model.end_effector(
        np.stack((commanded, measured)), index=job.number
    )
    commanded_xyz, measured_xyz = T_world_commanded[:3, 3], T_world_measured[:3, 3]
    error = float(np.linalg.norm(measured_xyz - target.xyz))
    turn = target.turn_error(T_world_measured)
    reached = error <= CLOSE_ENOUGH and turn <= TURNED_ENOUGH
    data = job.data(
        measured,
        status if reached else "MISSED",
        success=reached,
        duration=trajectory.duration,
        commanded_xyz=commanded_xyz,
        measured_xyz=measured_xyz,
        position_error=error,
        orientation_error=turn,
    )
    verdict = "reached the target" if reached else "did not reach the target"
    blocks = [
        Line(f"the simulated arm {verdict}", "green" if reached else "bold red"),
        Line(f"target     {numbers(target.xyz)} m"),
        Line(f"commanded  {numbers(commanded_xyz)} m"),
        Line(f"measured   {numbers(measured_xyz)} m"),
        Line(f"error      {numbers([error * 1000])} mm"),
        *job.turned(turn),
        Line(f"duration   {numbers([trajectory.duration], 2)} s, from {job.source}"),
        Line(f"joints     --q {positions_text(job.model, measured)}"),
    ]
    if job.plot is not None:
        way = job.model.end_effector(recording.measured, index=job.number)[:, :3, 3]
        _draw(job, measured, way)
        blocks.append(Line(f"picture    {job.plot}"))
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


def _not_driven(job: _Job, q: FloatArray, status: str, message: str) -> Report:
    """Return the answer when nothing was driven, with the closest position that was found."""
    T_world_closest = job.model.end_effector(q, index=job.number)
    closest = T_world_closest[:3, 3]
    error = float(np.linalg.norm(closest - job.target.xyz))
    turn = job.target.turn_error(T_world_closest)
    data = job.data(q, status, position_error=error, orientation_error=turn)
    blocks = [
        Line(message, "bold red"),
        Line(f"target     {numbers(job.target.xyz)} m"),
        Line(f"closest    {numbers(closest)} m, {numbers([error * 1000], 1)} mm away"),
        *job.turned(turn),
        Line(f"joints     --q {positions_text(job.model, q)}"),
    ]
    if job.plot is not None:
        _draw(job, q)
        blocks.append(Line(f"picture    {job.plot}, the closest pose"))
    return Report(data, blocks, NEGATIVE)


def _draw(job: _Job, q: FloatArray, way: FloatArray | None = None) -> None:
    """Save a picture of the arm, the target and the way of the end effector."""
    from armwright import gui

    assert job.plot is not None
    axes = gui.plot_model(job.model, q, target=job.target.drawn, path=way)
    gui.save_picture(axes, job.plot)
