"""From a description to flat arrays: the layout that all kernels read.

Fixed elements are merged into moving bodies, one per joint. A body's frame sits in its joint and
is turned so that the joint's positive direction is its own z axis; frames and masses of the body
absorb the turn. Bodies are numbered depth first, so that a parent comes before its children and
a subtree is a contiguous range; row 0 is the base.

Model rows, shape (n+1, 32), one row per body:

    column  0 PARENT   row of the parent                         row 0: 0
            1 SLIDES   1 when the joint slides, 0 when it turns
            2 ROTOR    reflected rotor inertia
            3 MSUB     mass of the body and all that hangs on it  row 0: total mass
         4-15 X        placement in the parent (rows of 3x4)      row 0: base in the world
           16 MASS     mass                                       row 0: what is fixed to the base
        17-19 H        mass times center of mass, body axes
        20-25 J        xx yy zz xy xz yz of the sum of m r r^T about the body's origin
        26-28 AUG      H, plus MSUB times origin of each child
           29 LAST     last row of the subtree                    row 0: 29-31 gravity, world axes
           30 SCALE    joint motion per unit of q: 1 / gear ratio

A table of frames has shape (k, 13): the body's row, then the placement in that body. Kernels for
many frames take one array less when the frames follow the model rows in the same columns (PARENT
and X): ``joined`` puts them there.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from armwright.hrdf.elements import (
    IDENTITY,
    Actuator,
    EndEffector,
    Inertia,
    Joint,
    Placed,
    RigidBody,
    RobotDescription,
    walk,
)
from armwright.kinematics.arrays import FloatArray
from armwright.kinematics.frame_types import FrameType

PARENT, SLIDES, ROTOR, MSUB = 0, 1, 2, 3
X = slice(4, 16)
MASS = 16
H = slice(17, 20)
J = slice(20, 26)
AUG = slice(26, 29)
LAST, SCALE = 29, 30
GRAVITY = slice(29, 32)
WIDTH = 32
STANDARD_GRAVITY = (0.0, 0.0, -9.81)

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
    rows = np.array([_base_row(description), *assembly.rows])
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
            FrameType.INPUT: _table(assembly.inputs),
            FrameType.OUTPUT: _table([assembly.outputs[i][k] for i, k in outputs]),
            FrameType.COM: _table(coms),
            FrameType.END_EFFECTOR: _table([assembly.outputs[i][0] for i in ends]),
            FrameType.MESH: _table(meshes),
            FrameType.PAYLOAD: _table(
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


def joined(rows: FloatArray, frames: FloatArray) -> FloatArray:
    """Return the model rows with one row for each frame of a table below, shape (n+1+k, 32)."""
    together = np.zeros((len(rows) + len(frames), WIDTH))
    together[: len(rows)] = rows
    together[len(rows) :, PARENT] = frames[:, 0]
    together[len(rows) :, X] = frames[:, 1:]
    return together


def chain_to(rows: FloatArray, frame: FloatArray) -> FloatArray:
    """Return the joints on the way from the world to one frame, merged.

    Args:
        rows: Model rows.
        frame: One row of a table of frames.

    Returns:
        Shape (k+1, 16), k joints on the path. Row per joint: index in q, 1 when it slides, motion
        per unit of q, 0, then the placement of the joint frame (its axis is z) in the joint frame
        before, rows of 3x4; row 0 in the world. Last row: -1, 0, 0, dof, then the placement of
        the frame in the last joint frame, or in the world when there is no joint.
    """
    path = []
    row = int(frame[0])
    while row:
        path.append(row)
        row = int(rows[row, PARENT])
    path.reverse()
    chain = np.zeros((len(path) + 1, 16))
    chain[:-1, 0] = np.subtract(path, 1)
    chain[:-1, 1] = rows[path, SLIDES]
    chain[:-1, 2] = rows[path, SCALE]
    chain[:-1, 4:] = rows[path, X]
    chain[-1, 0] = -1.0
    chain[-1, 3] = len(rows) - 1
    chain[-1, 4:] = frame[1:]
    chain[0, 4:] = _twelve(_matrix(rows[0, X]) @ _matrix(chain[0, 4:]))
    return chain


def add_mass(
    rows: FloatArray, row: int, mass: float, T_body_com: FloatArray, inertia: Inertia
) -> None:
    """Add a mass to a body: m, m c and the second moments about the body's origin.

    Args:
        rows: Model rows, changed; ``sum_subtrees`` must follow.
        row: The body.
        mass: [kg].
        T_body_com: Com frame in the body, shape (4, 4).
        inertia: Six numbers [kg m^2] about the center of mass, in the com frame.
    """
    R, c = T_body_com[:3, :3], T_body_com[:3, 3]
    xx, yy, zz, xy, xz, yz = inertia
    I_com = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
    moments = 0.5 * np.trace(I_com) * np.eye(3) - I_com + mass * np.outer(c, c)
    rows[row, MASS] += mass
    rows[row, H] += mass * c
    rows[row, J] += moments[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]


def sum_subtrees(rows: FloatArray) -> None:
    """Fill the columns that follow from the others: MSUB, AUG and LAST."""
    rows[:, MSUB] = rows[:, MASS]
    rows[:, AUG] = rows[:, H]
    rows[1:, LAST] = np.arange(1, len(rows))
    for row in range(len(rows) - 1, 0, -1):
        parent = int(rows[row, PARENT])
        rows[parent, MSUB] += rows[row, MSUB]
        rows[parent, AUG] += rows[row, MSUB] * rows[row, [7, 11, 15]]
        if parent:
            rows[parent, LAST] = max(rows[parent, LAST], rows[row, LAST])


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
        row[X] = _twelve(T_body_input @ T_input_joint @ T_turn)
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


def _base_row(description: RobotDescription) -> FloatArray:
    """Return row 0 with the base frame and standard gravity."""
    row = np.zeros(WIDTH)
    row[X] = _twelve(description.base.matrix())
    row[GRAVITY] = STANDARD_GRAVITY
    return row


def _table(frames: list[tuple[int, FloatArray]]) -> FloatArray:
    """Return a table of frames, shape (k, 13)."""
    table = np.zeros((len(frames), 13))
    for i, (row, T_body_frame) in enumerate(frames):
        table[i, 0] = row
        table[i, 1:] = _twelve(T_body_frame)
    return table


def _twelve(T: FloatArray) -> FloatArray:
    """Return the rows of the 3x4 matrix, flat."""
    return T[:3].ravel()


def _matrix(twelve: FloatArray) -> FloatArray:
    """Return the homogeneous matrix of 12 numbers."""
    T = np.eye(4)
    T[:3] = twelve.reshape(3, 4)
    return T
