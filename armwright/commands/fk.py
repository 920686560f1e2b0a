"""``armwright fk``: where the frames of an arm are."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from armwright.commands.shared import (
    InputError,
    Line,
    Report,
    Table,
    end_effector_number,
    joint_values,
    load_arm,
    numbers,
    options,
    quaternion_wxyz,
    rpy_of,
)

if TYPE_CHECKING:
    from armwright.hrdf import RobotDescription
    from armwright.kinematics import FrameType

Frames = Annotated[
    str,
    typer.Option(
        "--frames",
        metavar="TYPE",
        help="Frames to show: output, input, com, endeffector, mesh or payload.",
    ),
]


def fk(
    arm: options.Arm,
    *,
    q: options.Q = None,
    frames: Frames = "endeffector",
    tag: options.Tag = None,
    index: options.Index = None,
) -> Report:
    """Show where the frames of an arm are.

    The joint positions --q are needed. Without --frames: the end effectors, or the one that --tag
    or --index names. Positions are in the world; roll, pitch and yaw turn about the world's fixed
    x, y, z axes, in that order.

    Example:
      armwright fk examples/arms/six_dof.hrdf --q 10deg,0.2,-90deg,0,0,0 --frames output
    """
    from armwright.kinematics import FrameType

    frame_type = FrameType.parse(frames)
    model = load_arm(arm)
    positions = joint_values(q, model)
    if tag is not None or index is not None:
        if frame_type is not FrameType.END_EFFECTOR:
            raise InputError("--tag and --index name end effectors; use them without --frames")
        shown = [end_effector_number(model, tag, index)]
    else:
        shown = list(range(model.frame_count(frame_type)))
        if frame_type is FrameType.END_EFFECTOR and not shown:
            end_effector_number(model)  # raises, and says how to add one
    Ts_world_frame = model.forward_kinematics(frame_type, positions)[shown]
    elements = list(frame_elements(model.description, frame_type))
    found = [
        {
            "index": i,
            "element": elements[i],
            "kind": model.elements[elements[i]].kind,
            "tag": model.elements[elements[i]].tag,
            "xyz": T[:3, 3],
            "quat_wxyz": quaternion_wxyz(T[:3, :3]),
            "T_world_frame": T,
        }
        for i, T in zip(shown, Ts_world_frame, strict=True)
    ]
    rows = [
        (
            str(frame["index"]),
            str(frame["kind"]),
            str(frame["tag"] or ""),
            *(numbers([value], 5) for value in T[:3, 3]),
            *(numbers([value], 2) for value in np.degrees(rpy_of(T[:3, :3]))),
            numbers(quaternion_wxyz(T[:3, :3])),
        )
        for frame, T in zip(found, Ts_world_frame, strict=True)
    ]
    headings = (">#", "element", "tag", ">x [m]", ">y [m]", ">z [m]")
    angles = (">roll [deg]", ">pitch [deg]", ">yaw [deg]", ">quaternion w x y z")
    data = {"q": positions, "frame_type": frame_type.value, "frames": found}
    none = Line(f"the arm has no {frame_type.value} frames")
    return Report(data, [Table((*headings, *angles), rows) if rows else none])


def frame_elements(description: "RobotDescription", frame_type: "FrameType") -> Iterator[int]:
    """Give the element number of each frame of one type, in the order of the frames.

    An element with several outputs has its first output frame, then the frames of all that hangs
    on it, then its second output frame, and so on.
    """
    from armwright.hrdf import walk

    placed = list(walk(description))
    hanging: dict[tuple[int, int], list[int]] = {}
    for number, place in enumerate(placed):
        hanging.setdefault((place.parent, place.output), []).append(number)
    # Each entry: an element and the output to go on with; -1 when the element itself comes first.
    stack = [(number, -1) for number in reversed(hanging.get((-1, 0), []))]
    while stack:
        number, output = stack.pop()
        kind = placed[number].element.kind
        if output < 0:
            if _has_frame(kind, frame_type.value):
                yield number
            outputs = range(len(placed[number].element.output_poses))
            stack += [(number, i) for i in reversed(outputs)]
        else:
            if frame_type.value == "output":
                yield number
            stack += [(child, -1) for child in reversed(hanging.get((number, output), []))]


def _has_frame(kind: str, frame_type: str) -> bool:
    """Whether an element of a kind has a frame of a type, output frames apart."""
    if frame_type in ("endeffector", "payload"):
        return kind == "end-effector"
    if frame_type in ("com", "mesh"):
        return kind != "joint"
    return frame_type == "input"
