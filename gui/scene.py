"""From a model and joint positions to solids in the world: plain numbers, no Matplotlib.

A scene has one group per element, in the model's order, and beside them what is drawn as lines:
the joint axes and the tool frames. World axes; the base frame is included.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from armwright.errors import ModelError
from armwright.hrdf import Actuator, Joint, walk
from armwright.hrdf.sizes import HOUSINGS
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import JointValues

from .shapes import Role, axis_of, shape_of, stick_of
from .solids import FloatArray, Solid

_ORDINARY_SPAN = (0.1, 4.0)
"""Robots of this size [m] are drawn with the tabled sizes; others scale what no catalog fixes."""
_AXIS_BEYOND = 0.065
"""How far a joint axis is drawn beyond its part [m]: clear of the next part's adapter."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """The solids of one element, in the world.

    Attributes:
        element: Number of the element.
        kind: Kind of the element, such as "actuator".
        tag: Its tag, or "".
        solids: Solids [m, world].
        roles: What each solid stands for.
    """

    element: int
    kind: str
    tag: str
    solids: tuple[Solid, ...]
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True, eq=False)
class JointAxis:
    """Where a joint turns or slides.

    Attributes:
        name: Name of the joint.
        label: Name and type, such as "J4 X8-9".
        origin: A point of the axis, in the middle of the part, shape (3,) [m, world].
        direction: Unit vector of positive motion, shape (3,), world.
        half_length: How far the drawn axis reaches from the origin [m].
    """

    name: str
    label: str
    origin: FloatArray
    direction: FloatArray
    half_length: float


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Everything that is drawn of one robot in one position.

    Attributes:
        groups: One per element, in the model's order.
        axes: One per joint, in the order of q.
        tools: T_world_tool of each end effector, shape (n, 4, 4).
        T_world_base: Base frame, shape (4, 4).
        frames: Origins of all input and output frames, shape (n, 3) [m, world].
        size: Scale of what no catalog fixes; 1 for robots of ordinary size.
    """

    groups: tuple[Group, ...]
    axes: tuple[JointAxis, ...]
    tools: FloatArray
    T_world_base: FloatArray
    frames: FloatArray
    size: float

    def points(self) -> FloatArray:
        """Return all vertices and frame origins, shape (n, 3) [m, world]; never empty."""
        vertices = [solid.vertices for group in self.groups for solid in group.solids]
        return np.concatenate([*vertices, self.frames, self.T_world_base[None, :3, 3]])

    def roles(self) -> tuple[Role, ...]:
        """Return what is in the picture, each once, in order of first appearance."""
        return tuple(dict.fromkeys(role for group in self.groups for role in group.roles))


def make_scene(model: RobotModel, q: JointValues, *, sticks: bool = False) -> Scene:
    """Place all parts of a robot.

    Args:
        model: The robot.
        q: Joint positions, shape (dof,) [rad or m].
        sticks: Draw rods and barrels instead of the parts' shapes.

    Returns:
        The scene, in world coordinates.

    Raises:
        ModelError: If the model is none.
        JointVectorError: If q has the wrong length or is not finite.
    """
    if not isinstance(model, RobotModel):
        raise ModelError(f"model: expected a RobotModel, got {type(model).__name__}")
    positions = model._joint_vector(q)
    Ts_world_input = model.forward_kinematics("input", positions)  # (n_elements, 4, 4)
    Ts_world_output = model.forward_kinematics("output", positions)  # (n_outputs, 4, 4)
    tools = model.forward_kinematics("endeffector", positions)  # (n_end_effectors, 4, 4)
    frames = np.concatenate((Ts_world_input[:, :3, 3], Ts_world_output[:, :3, 3]))
    size = _size(frames, model.base_frame)
    first_output = _first_outputs(model)
    groups: list[Group] = []
    axes: list[JointAxis] = []
    for number, element in enumerate(model.elements):
        T_world_input = Ts_world_input[number]
        T_world_output = Ts_world_output[first_output[number]]
        travel = 0.0
        if isinstance(element, Actuator | Joint):
            name = model.joint_names[len(axes)]
            if isinstance(element, Joint) and "t" in element.axis:
                travel = float(positions[len(axes)]) / element.gear_ratio
            axes.append(_axis(element, name, T_world_input, T_world_output, size))
        draw = stick_of if sticks else shape_of
        pieces = draw(element, travel=travel, size=size)
        placed = tuple(
            piece.solid.transform(T_world_output if piece.moves else T_world_input)
            for piece in pieces
        )
        roles = tuple(piece.role for piece in pieces)
        groups.append(Group(number, element.kind, element.tag or "", placed, roles))
    return Scene(tuple(groups), tuple(axes), tools, model.base_frame, frames, size)


def _axis(
    element: Actuator | Joint,
    name: str,
    T_world_input: FloatArray,
    T_world_output: FloatArray,
    size: float,
) -> JointAxis:
    """Place the axis of one joint."""
    if isinstance(element, Actuator):
        housing = HOUSINGS.get(element.part.family)
        height = housing.height if housing else element.part.output_z
        origin = T_world_output[:3, 3] - height / 2 * T_world_output[:3, 2]
        label = f"{name} {element.type}"
        return JointAxis(name, label, origin, T_world_output[:3, 2], height / 2 + _AXIS_BEYOND)
    direction = T_world_input[:3, :3] @ axis_of(element)
    return JointAxis(name, name, T_world_output[:3, 3], direction, _AXIS_BEYOND * size)


def _size(frames: FloatArray, T_world_base: FloatArray) -> float:
    """Return the scale of free shapes from the extent of the frames."""
    points = np.concatenate((frames, T_world_base[None, :3, 3]))
    span = float(np.linalg.norm(np.ptp(points, axis=0)))
    if span < 1e-9:
        return 1.0
    least, most = _ORDINARY_SPAN
    return min(span / least, 1.0) if span < most else span / most


def _first_outputs(model: RobotModel) -> Mapping[int, int]:
    """Return for each element the number of its first output frame.

    Output frames are depth first: an output, everything that hangs on it, then the next output of
    the same body.
    """
    hangs_on: dict[tuple[int, int], int] = {}
    for number, placed in enumerate(walk(model.description)):
        hangs_on[placed.parent, placed.output] = number
    first: dict[int, int] = {}
    count = 0
    waiting = [(-1, 0)]
    while waiting:
        parent, output = waiting.pop()
        if parent >= 0:
            first.setdefault(parent, count)
            count += 1
        child = hangs_on.get((parent, output))
        if child is not None:
            outputs = len(model.elements[child].output_poses)
            waiting += [(child, number) for number in range(outputs - 1, -1, -1)]
    return first


__all__ = ["Group", "JointAxis", "Scene", "make_scene"]
