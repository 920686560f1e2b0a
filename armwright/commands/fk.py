"""``armwright fk``: where the frames of an arm are."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from armwright.commands.shared import (
    FloatArray,
    InputError,
    Line,
    Report,
    Table,
    end_effector_number,
    frame_typed,
    joint_values,
    load_arm,
    numbers,
    options,
    quaternion_wxyz,
    refuse_beside_frame,
    rpy_of,
)

if TYPE_CHECKING:
    from armwright.kinematics import Frame, RobotModel

Frames = Annotated[
    str | None,
    typer.Option(
        "--frames",
        metavar="TYPE",
        help="Frames to show: output, input, com, endeffector, mesh or payload; endeffector when "
        "not given.",
    ),
]


def fk(
    arm: options.Arm,
    *,
    q: options.Q = None,
    frames: Frames = None,
    frame: options.FrameList = None,
    tag: options.Tag = None,
    index: options.Index = None,
) -> Report:
    """Show where the frames of an arm are.

    The joint positions --q are needed, unless a configuration has a home. Without --frames or
    --frame: the end effectors, or the one that --tag or --index names. Positions are in the world;
    roll, pitch and yaw turn about the world's fixed x, y, z axes, in that order.

    Example:
      armwright fk examples/arms/six_dof.hrdf --q 10deg,0.2,-90deg,0,0,0 --frames output
    """
    from armwright.kinematics import Frame, FrameType

    frame_type = FrameType.END_EFFECTOR if frames is None else FrameType.parse(frames)
    if frame:
        refuse_beside_frame(frames=frames, tag=tag, index=index)
    model = load_arm(arm)
    positions = joint_values(q, model)
    if frame:
        shown = [frame_typed(model, text) for text in frame]
    elif tag is not None or index is not None:
        if frame_type is not FrameType.END_EFFECTOR:
            raise InputError("--tag and --index name end effectors; use them without --frames")
        shown = [Frame(frame_type, end_effector_number(model, tag, index))]
    else:
        shown = [Frame(frame_type, i) for i in range(model.frame_count(frame_type))]
        if frame_type is FrameType.END_EFFECTOR and not shown:
            end_effector_number(model)  # raises, and says how to add one
    Ts_world_frame = _poses(model, shown, positions)
    elements = [model.frame_elements(one.frame_type)[one.number] for one in shown]
    found = [
        {
            "frame_type": one.frame_type.value,
            "index": one.number,
            "element": element,
            "kind": model.elements[element].kind,
            "tag": model.elements[element].tag,
            "xyz": T[:3, 3],
            "quat_wxyz": quaternion_wxyz(T[:3, :3]),
            "T_world_frame": T,
        }
        for one, element, T in zip(shown, elements, Ts_world_frame, strict=True)
    ]
    names = frame or [str(one.number) for one in shown]
    rows = [
        (
            name,
            str(one["kind"]),
            str(one["tag"] or ""),
            *(numbers([value], 5) for value in T[:3, 3]),
            *(numbers([value], 2) for value in np.degrees(rpy_of(T[:3, :3]))),
            numbers(quaternion_wxyz(T[:3, :3])),
        )
        for name, one, T in zip(names, found, Ts_world_frame, strict=True)
    ]
    headings = ("frame" if frame else ">#", "element", "tag", ">x [m]", ">y [m]", ">z [m]")
    angles = (">roll [deg]", ">pitch [deg]", ">yaw [deg]", ">quaternion w x y z")
    data = {"q": positions, "frame_type": None if frame else frame_type.value, "frames": found}
    none = Line(f"the arm has no {frame_type.value} frames")
    return Report(data, [Table((*headings, *angles), rows) if rows else none])


def _poses(model: "RobotModel", frames: "Sequence[Frame]", q: FloatArray) -> FloatArray:
    """Return the poses of frames of any type, shape (n, 4, 4)."""
    Ts = {kind: model.forward_kinematics(kind, q) for kind in {one.frame_type for one in frames}}
    return np.array([Ts[one.frame_type][one.number] for one in frames]).reshape(-1, 4, 4)
