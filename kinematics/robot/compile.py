"""From a description to the flat arrays that all kernels read.

Fixed elements are merged into moving bodies, one per joint. A body's frame sits in its joint and
is turned so that the joint's positive direction is its own z axis; frames and masses of the body
absorb the turn. Bodies are numbered depth first, so that a parent comes before its children and
a subtree is a contiguous range; row 0 is the base.

The layout of the rows and of the tables of frames is in ``_kernels/layout.py``; what is done with
finished rows is in ``rows.py``.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from armwright.hrdf.elements import (
    IDENTITY,
    Actuator,
    EndEffector,
    Joint,
    Placed,
    RigidBody,
    RobotDescription,
    walk,
)
from armwright.kinematics.arrays import FloatArray
from armwright.kinematics.frame_types import FrameType

from .rows import (
    PARENT,
    PLACEMENT,
    SCALE,
    SLIDES,
    WIDTH,
    add_mass,
    base_row,
    frame_table,
    sum_subtrees,
    to_twelve,
)

# Rotations that bring z onto an axis, exactly.
_Z_TO = {
    "x": np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
    "y": np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
    "z": np.eye(3),
}


@dataclass(frozen=True, slots=True, eq=False)
class Compiled:
    """A description as arrays. They are writable for the kernels' sake: treat them as read-only.

    Attributes:
        rows: Model rows, shape (n+1, 32).
        frames: A table of frames for each kind, shape (k, 13).
        frame_elements: For each kind, the element number of every frame.
        placed: Every element with its place, depth first.
        joint_elements: Element number of every joint, in the order of q.
        masses: Mass of every element but plain joints, shape (n_com,) [kg].
        max_speeds: Shape (dof,) [rad/s]; inf for plain joints.
        max_efforts: Shape (dof,) [N m]; inf for plain joints.
    """

    rows: FloatArray
    frames: Mapping[FrameType, FloatArray]
    frame_elements: Mapping[FrameType, tuple[int, ...]]
    placed: tuple[Placed, ...]
    joint_elements: tuple[int, ...]
    masses: FloatArray
    max_speeds: FloatArray
    max_efforts: FloatArray


def compile_description(description: RobotDescription) -> Compiled:
    """Turn a description into the arrays that the kernels read."""
    placed = tuple(walk(description))
    assembly = _Assembly()
    for one in placed:
        assembly.add(one)
    rows = np.array([base_row(description.base.matrix()), *assembly.rows])
    massive: list[int] = []  # every element but plain joints
    masses: list[float] = []
    coms: list[tuple[int, FloatArray]] = []
    meshes: list[tuple[int, FloatArray]] = []
    for number, one in enumerate(placed):
        element = one.element
        if isinstance(element, Joint):
            continue
        row, T_body_input = assembly.inputs[number]
        T_body_com = T_body_input @ element.com.matrix()
        add_mass(rows, row, element.mass, T_body_com, element.inertia)
        massive.append(number)
        masses.append(element.mass)
        coms.append((row, T_body_com))
        mesh = element.mesh_pose if isinstance(element, RigidBody) else IDENTITY
        meshes.append((row, T_body_input @ mesh.matrix()))
    sum_subtrees(rows)
    ends = tuple(i for i, one in enumerate(placed) if isinstance(one.element, EndEffector))
    outputs = _output_order(placed)
    return Compiled(
        rows=rows,
        frames={
            FrameType.INPUT: frame_table(assembly.inputs),
            FrameType.OUTPUT: frame_table([assembly.outputs[i][k] for i, k in outputs]),
            FrameType.COM: frame_table(coms),
            FrameType.END_EFFECTOR: frame_table([assembly.outputs[i][0] for i in ends]),
            FrameType.MESH: frame_table(meshes),
            FrameType.PAYLOAD: frame_table(
                [_at(assembly.inputs[i], assembly.outputs[i][0]) for i in ends]
            ),
        },
        frame_elements={
            FrameType.INPUT: tuple(range(len(placed))),
            FrameType.OUTPUT: tuple(i for i, _ in outputs),
            FrameType.COM: tuple(massive),
            FrameType.END_EFFECTOR: ends,
            FrameType.MESH: tuple(massive),
            FrameType.PAYLOAD: ends,
        },
        placed=placed,
        joint_elements=tuple(assembly.joints),
        masses=np.array(masses, dtype=np.float64),
        max_speeds=np.array(assembly.max_speeds, dtype=np.float64),
        max_efforts=np.array(assembly.max_efforts, dtype=np.float64),
    )


class _Assembly:
    """Bodies and frames while elements are added in depth-first order."""

    def __init__(self) -> None:
        self.rows: list[FloatArray] = []  # rows 1 to n
        self.joints: list[int] = []
        self.max_speeds: list[float] = []
        self.max_efforts: list[float] = []
        self.inputs: list[tuple[int, FloatArray]] = []  # body row, placement (4, 4)
        self.outputs: list[list[tuple[int, FloatArray]]] = []

    def add(self, placed: Placed) -> None:
        """Place one element; its parent has been added before."""
        element = placed.element
        here = (0, np.eye(4)) if placed.parent < 0 else self.outputs[placed.parent][placed.output]
        self.inputs.append(here)
        if isinstance(element, Actuator):
            pose = element.output_poses[0].matrix()
            out = self._joint(here, pose, np.eye(3), slides=False, scale=1.0)
            self.max_speeds.append(element.part.max_speed)
            self.max_efforts.append(element.part.max_effort)
            self.outputs.append([out])
        elif isinstance(element, Joint):
            turned = _Z_TO[element.axis[-1]]
            if element.axis.startswith("-"):
                turned = turned * (1.0, -1.0, -1.0)
            slides = element.axis[-2] == "t"
            scale = 1.0 / element.gear_ratio
            out = self._joint(here, np.eye(4), turned, slides=slides, scale=scale)
            self.max_speeds.append(np.inf)
            self.max_efforts.append(np.inf)
            self.outputs.append([out])
        else:
            row, T_body_input = here
            poses = element.output_poses
            self.outputs.append([(row, T_body_input @ pose.matrix()) for pose in poses])

    def _joint(
        self,
        here: tuple[int, FloatArray],
        T_input_joint: FloatArray,
        turned: FloatArray,
        *,
        slides: bool,
        scale: float,
    ) -> tuple[int, FloatArray]:
        """Start a body whose z axis is the joint's; return its output frame."""
        parent, T_body_input = here
        T_turn = np.eye(4)
        T_turn[:3, :3] = turned
        row = np.zeros(WIDTH)
        row[PARENT], row[SLIDES], row[SCALE] = parent, slides, scale
        row[PLACEMENT] = to_twelve(T_body_input @ T_input_joint @ T_turn)
        self.joints.append(len(self.inputs) - 1)
        self.rows.append(row)
        T_back = np.eye(4)
        T_back[:3, :3] = turned.T
        return len(self.rows), T_back


def _output_order(placed: tuple[Placed, ...]) -> list[tuple[int, int]]:
    """Return (element, output) of every output frame: one, all that hangs on it, the next one."""
    order: list[tuple[int, int]] = []
    open_elements: list[tuple[int, int]] = []  # element, how many of its outputs are listed

    def list_outputs(up_to: int) -> None:
        number, done = open_elements.pop()
        order.extend((number, k) for k in range(done, up_to))
        open_elements.append((number, max(done, up_to)))

    def close() -> None:
        list_outputs(len(placed[open_elements[-1][0]].element.output_poses))
        open_elements.pop()

    for number, one in enumerate(placed):
        while open_elements and open_elements[-1][0] != one.parent:
            close()
        if open_elements:
            list_outputs(one.output + 1)
        open_elements.append((number, 0))
    while open_elements:
        close()
    return order


def _at(origin: tuple[int, FloatArray], axes: tuple[int, FloatArray]) -> tuple[int, FloatArray]:
    """Combine the origin of one placement with the axes of another one in the same body."""
    T = axes[1].copy()
    T[:3, 3] = origin[1][:3, 3]
    return origin[0], T
