"""Where joints and frames were put, read back: kind, parent, placement, axis.

A joint has a frame, its output, in which its axis does not move. Its placement is that frame, at
q = 0, in the frame of the joint that it hangs on; on the base, in the base frame. So what was said
to a ``ModelBuilder`` comes back, as ``jointPlacements`` do in Pinocchio, and models from HRDF
answer alike. Fixed joints are no joints here: their placements are in those of what hangs on them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from armwright.copies import stays_read_only
from armwright.kinematics.arrays import FloatArray, frozen
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.robot import PARENT, PLACEMENT, SCALE, ModelData
from armwright.kinematics.transforms import invert
from armwright.reprs import one_line_repr

from .frame_keys import FrameKey, find_frame, frame_of_kind
from .joints import joint_index
from .named_frames import Frame, frame_table, frames_of_kind
from .topology import JointKind, topology


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False)
class JointInfo:
    """One joint: what it is, and where it was put; the arrays are read-only.

    Attributes:
        name: Its name.
        index: Its place in q, from 0.
        kind: "revolute" or "prismatic".
        parent: Name of the joint that it hangs on; None: the base.
        axis: Unit vector of its positive direction in its own frame, shape (3,).
        placement: T_parent_joint, its frame at q = 0 in that of the parent joint, or in the base
            frame, shape (4, 4).
        body: Name of the body that it moves.
        gear_ratio: It moves by q divided by this.
        position_limits: Lower and upper one [rad or m]; infinite where free.
        max_speed: [rad/s or m/s]; inf: no limit.
        max_effort: [N m or N]; inf: no limit.
        unit: "rad" or "m".
    """

    name: str
    index: int
    kind: JointKind
    parent: str | None
    axis: FloatArray
    placement: FloatArray
    body: str
    gear_ratio: float
    position_limits: tuple[float, float]
    max_speed: float
    max_effort: float
    unit: str

    def __str__(self) -> str:
        """Return one line for a person."""
        axis = " ".join(f"{x:.4g}" for x in self.axis + 0.0)
        where = " ".join(f"{x:.4g}" for x in self.placement[:3, 3] + 0.0)
        low, high = self.position_limits
        return (
            f"joint {self.index} {self.name!r}: {self.kind} about {axis}, on "
            f"{repr(self.parent) if self.parent is not None else 'the base'} at {where} m, "
            f"{low:.4g} to {high:.4g} {self.unit}"
        ).replace("prismatic about", "prismatic along")

    __repr__ = one_line_repr


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False)
class FrameInfo:
    """One frame: what it is, and where it was put; the array is read-only.

    Attributes:
        name: Its name; "" for a frame that has none of its own.
        kind: "body", "joint", "operational" or "sensor"; "" without a name.
        frame: Its type and number.
        parent: Name of the joint that moves it, itself for the frame of a joint; None: the base.
        placement: T_parent_frame, where it is in the frame of that joint, or in the base frame,
            shape (4, 4). It does not depend on q.
        body: Name of the body that it sits on.
        element: Number of the element that has it.
    """

    name: str
    kind: Literal["body", "joint", "operational", "sensor", ""]
    frame: Frame
    parent: str | None
    placement: FloatArray
    body: str
    element: int

    __repr__ = one_line_repr


def joint_axes(model: ModelData) -> FloatArray:
    """Unit vector of each joint's positive direction in the joint's frame, shape (dof, 3).

    The frame of a joint is its output frame. A joint that slides moves along it.
    """
    Ts = _joint_frames(model)  # the axis is z of the body's frame
    return frozen(np.ascontiguousarray(Ts[:, 2, :3]) + 0.0)


def joint_placements(model: ModelData) -> FloatArray:
    """Where each joint is at q = 0: T_parent_joint, shape (dof, 4, 4).

    Its frame, which is its output, in that of the joint that it hangs on, or in the base frame.
    """
    Ts = _joint_frames(model)
    placements = np.empty_like(Ts)
    for joint, row in enumerate(model._rows[1:]):
        T_body_joint = np.eye(4)
        T_body_joint[:3] = row[PLACEMENT].reshape(3, 4)
        parent = int(row[PARENT])
        before = invert(Ts[parent - 1]) if parent else np.eye(4)
        placements[joint] = before @ T_body_joint @ Ts[joint]
    return frozen(placements)


def joint_info(model: ModelData, joint: str | int) -> JointInfo:
    """Tell what a joint is and where it was put: kind, parent, axis, placement, limits.

    Args:
        joint: Its name, or its place in q from 0.

    Raises:
        FrameNotFoundError: If there is no such joint; the message has near names.

    Example:
        >>> elbow = model.joint_info("J3_elbow")
        >>> elbow.kind, elbow.parent, elbow.axis.tolist()
        ('revolute', 'J2_shoulder', [0.0, 0.0, 1.0])
    """
    index = joint_index(model, joint)
    tree = topology(model)
    parent = tree.parents[index]
    return JointInfo(
        name=model.joint_names[index],
        index=index,
        kind=tree.joint_kinds[index],
        parent=model.joint_names[parent] if parent >= 0 else None,
        axis=frozen(joint_axes(model)[index].copy()),
        placement=frozen(joint_placements(model)[index].copy()),
        body=tree.body_names[index + 1],
        gear_ratio=float(1.0 / model._rows[index + 1, SCALE]),
        position_limits=(
            float(model.position_limits[0, index]),
            float(model.position_limits[1, index]),
        ),
        max_speed=float(model.max_speeds[index]),
        max_effort=float(model.max_efforts[index]),
        unit="m" if model.joint_slides[index] else "rad",
    )


def frame_info(
    model: ModelData,
    frame: FrameKey | None = None,
    kind: Literal["body", "joint", "operational", "sensor"] | None = None,
) -> FrameInfo:
    """Tell what a frame is and where it was put: kind, parent, placement.

    ``[model.frame_info(name) for name in model.frame_names()]`` are all that have a name.

    Args:
        frame: A name, (frame type, index or name) or a ``Frame``; None: the end effector.
        kind: What it must be, when several kinds have that name; goes with a name.

    Raises:
        FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
        ModelError: If there is no such kind, or it came without a name.

    Example:
        >>> model.frame_info("probe").parent
        'J6_wrist3'
    """
    if kind is None:
        found = find_frame(model, frame=frame)
    else:
        found, _ = frame_of_kind(model, frame, kind)
    table = model._pose_tables[found.frame_type][0][found.number]
    body = int(table[0])
    T_body_frame = np.eye(4)
    T_body_frame[:3] = table[1:].reshape(3, 4)
    before = invert(_joint_frames(model)[body - 1]) if body else np.eye(4)
    named_as = [
        one
        for one, where in frame_table(model).named
        if where == found and (kind is None or one.kind == kind)
    ]
    return FrameInfo(
        name=named_as[0].name if named_as else "",
        kind=named_as[0].kind if named_as else "",
        frame=found,
        parent=model.joint_names[body - 1] if body else None,
        placement=frozen(before @ T_body_frame),
        body=topology(model).body_names[body],
        element=model._compiled.frame_elements[found.frame_type][found.number],
    )


def _joint_frames(model: ModelData) -> FloatArray:
    """Return the frame of every joint in that of the body that it moves, shape (dof, 4, 4)."""
    declared = {one.name: where for one, where in frames_of_kind(model, "joint")}
    outputs = model._compiled.frame_elements[FrameType.OUTPUT]
    Ts = np.tile(np.eye(4), (model.dof, 1, 1))
    for joint, (name, element) in enumerate(
        zip(model.joint_names, model.joint_elements, strict=True)
    ):
        where = declared.get(name, Frame(FrameType.OUTPUT, outputs.index(element)))
        Ts[joint, :3] = model._pose_tables[where.frame_type][0][where.number, 1:].reshape(3, 4)
    return Ts
