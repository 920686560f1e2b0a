"""From joints, bodies and frames anywhere in a tree to a description in HRDF's elements.

HRDF's joints turn about coordinate axes of what they hang on, and placements belong to bodies. So a
joint about any axis becomes: an output that is turned so that its z axis is the joint's, a joint
about z, and a massless body that turns back. Massless bodies are put in where something must
carry placements; otherwise one node is one element. All that can be is one flat chain.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from armwright.errors import ModelError
from armwright.hrdf import (
    Element,
    EndEffector,
    Joint,
    Output,
    Overrides,
    Pose,
    RigidBody,
    RobotDescription,
    load_catalog,
    walk,
)
from armwright.hrdf.elements import (
    IDENTITY,
    NO_INERTIA,
    NO_OVERRIDES,
    EndEffectorPart,
    Inertia,
    PathCounter,
    Rotation,
    Vector,
    rotation_product,
    with_path,
)
from armwright.hrdf.limits import MAX_OUTPUT_DEPTH
from armwright.kinematics.robot import FrameKind, NamedFrame

JointType = Literal["revolute", "prismatic", "fixed"]
_WORDS = {
    (1.0, 0.0, 0.0): "x",
    (0.0, 1.0, 0.0): "y",
    (0.0, 0.0, 1.0): "z",
}


@dataclass(frozen=True, slots=True)
class Motion:
    """How a joint moves, and what its drive is like.

    Attributes:
        joint_type: What it is.
        axis: Unit vector in its frame.
        gear_ratio: It moves by q / gear_ratio.
        lower: Lower position limit.
        upper: Upper position limit.
        max_speed: Largest speed.
        max_effort: Largest effort.
        friction: Coulomb friction.
        damping: Viscous friction.
        rotor_inertia: Reflected to q.
    """

    joint_type: JointType
    axis: Vector
    gear_ratio: float
    lower: float
    upper: float
    max_speed: float
    max_effort: float
    friction: float
    damping: float
    rotor_inertia: float

    @property
    def word(self) -> str | None:
        """HRDF's word for the axis; None when it has none."""
        letter = "t" if self.joint_type == "prismatic" else "r"
        for axis, name in _WORDS.items():
            if self.axis == axis:
                return letter + name
            if tuple(-x for x in self.axis) == axis:
                return f"-{letter}{name}"
        return None


@dataclass(slots=True, eq=False)
class TreeNode:
    """A joint, body or frame.

    Attributes:
        name: Its name, unique in the tree.
        kind: What it is.
        parent: What it hangs on; None for the base.
        pose: Its placement there.
        motion: Of a joint.
        mass: Of a body or frame [kg].
        com: Com frame.
        inertia: In the com frame [kg m^2].
        children: What hangs on it, in order of addition.
    """

    name: str
    kind: FrameKind
    parent: "TreeNode | None"
    pose: Pose
    motion: Motion | None = None
    mass: float = 0.0
    com: Pose = IDENTITY
    inertia: Inertia = NO_INERTIA
    children: "list[TreeNode]" = field(default_factory=list)

    @property
    def moves(self) -> bool:
        """Whether it is a joint that moves."""
        return self.motion is not None and self.motion.joint_type != "fixed"


def describe_tree(nodes: Sequence[TreeNode], name: str, base: Pose) -> RobotDescription:
    """Return the description of a tree.

    Args:
        nodes: All nodes; a parent comes before its children.
        name: Of the robot.
        base: T_world_base.

    Raises:
        ModelError: If branches nest deeper than descriptions may.
    """
    part = load_catalog().find("end-effector", "Custom")
    if not isinstance(part, EndEffectorPart):
        raise TypeError("the catalog has no Custom end effector")
    # A chain and its nesting for every node whose children are done.
    done: dict[int, tuple[tuple[Element, ...], int]] = {}
    children = _gathered(nodes)
    order = list(children[0])
    for node in order:  # grows meanwhile
        order.extend(children[id(node)])
    for node in reversed(order):
        done[id(node)] = _with_children(_elements(node, part), children[id(node)], done)
    elements, nesting = _with_children((), children[0], done)
    if nesting > MAX_OUTPUT_DEPTH:
        raise ModelError(
            f"branches nest {nesting} deep, more than the limit of {MAX_OUTPUT_DEPTH}. Hang "
            "joints on bodies or joints without placement in between, so that they are one chain"
        )
    place = PathCounter()
    named = tuple(with_path(element, place.next(element.kind)) for element in elements)
    return RobotDescription(elements=named, base=base, description=name)


def named_frames_of(
    nodes: Sequence[TreeNode], description: RobotDescription
) -> tuple[NamedFrame, ...]:
    """Return where the frames of the nodes are, in the order of the nodes."""
    numbers = {one.element.tag: i for i, one in enumerate(walk(description)) if one.element.tag}
    named = []
    for node in nodes:
        number = numbers[node.name]
        if node.moves and node.motion is not None and node.motion.word is None:
            named.append(NamedFrame(node.name, "joint", number + 1, "output"))  # what turns back
        elif node.moves or node.kind == "operational":
            named.append(NamedFrame(node.name, node.kind, number, "output"))
        else:
            named.append(NamedFrame(node.name, node.kind, number, "input"))
    return tuple(named)


def _gathered(nodes: Sequence[TreeNode]) -> dict[int, list[TreeNode]]:
    """Return the children of every node, under 0 of the base, moved to bodies in the same place.

    What hangs on a joint, or on the base, hangs on its body as well when that is in the same
    place: so joints and bodies are one chain, as they are in HRDF.
    """
    children: dict[int, list[TreeNode]] = {id(node): list(node.children) for node in nodes}
    children[0] = [node for node in nodes if node.parent is None]
    for owner in (0, *(id(node) for node in nodes if node.kind == "joint")):
        mine = children[owner]
        at = next(
            (i for i, one in enumerate(mine) if one.kind == "body" and one.pose == IDENTITY), None
        )
        if at is not None:
            body = mine[at]
            children[id(body)] = [*mine[:at], *children[id(body)], *mine[at + 1 :]]
            children[owner] = [body]
    return children


def _elements(node: TreeNode, part: EndEffectorPart) -> tuple[Element, ...]:
    """Return the elements of one node alone; the last one may carry children."""
    if node.motion is not None and node.moves:
        word: Any = node.motion.word or ("tz" if node.motion.joint_type == "prismatic" else "rz")
        joint = Joint(axis=word, gear_ratio=node.motion.gear_ratio, tag=node.name)
        turn = _turn(node)
        if turn is None:
            return (joint,)
        a, b, c, d, e, f, g, h, i = turn
        back = RigidBody(mass=0.0, outputs=(Output(pose=Pose((a, d, g, b, e, h, c, f, i))),))
        return (joint, back)
    if node.kind == "operational":
        said = NO_OVERRIDES
        if node.mass or node.com != IDENTITY or node.inertia != NO_INERTIA:
            rotation, translation = node.com.rotation, node.com.translation
            said = Overrides(node.mass, None, rotation, translation, None, node.inertia)
        end = EndEffector(part=part, overrides=said, tag=node.name)
        if not node.children:
            return (end,)
        return (RigidBody(mass=0.0, outputs=(Output(elements=(end,)),), branched=True),)
    return (RigidBody(mass=node.mass, com=node.com, inertia=node.inertia, tag=node.name),)


def _with_children(
    elements: tuple[Element, ...],
    children: Sequence[TreeNode],
    done: dict[int, tuple[tuple[Element, ...], int]],
) -> tuple[tuple[Element, ...], int]:
    """Hang the chains of children behind some elements; return the chain and its nesting."""
    last = elements[-1] if elements else None
    branched = isinstance(last, RigidBody) and last.branched
    if not children:
        return elements, int(branched)
    poses = [_output_pose(child) for child in children]
    carries = isinstance(last, RigidBody) and last.outputs[0].pose == IDENTITY
    if not carries:
        if len(children) == 1 and poses[0] == IDENTITY:
            chain, nesting = done[id(children[0])]
            return (*elements, *chain), nesting
        elements, last = (*elements, RigidBody(mass=0.0)), RigidBody(mass=0.0)
    assert isinstance(last, RigidBody)
    if len(children) == 1 and not branched:
        chain, nesting = done[id(children[0])]
        carrier = replace(last, outputs=(Output(pose=poses[0]),))
        return (*elements[:-1], carrier, *chain), nesting
    outputs = tuple(
        Output(pose=pose, elements=done[id(child)][0])
        for pose, child in zip(poses, children, strict=True)
    )
    before = last.outputs if branched else ()
    carrier = replace(last, outputs=(*before, *outputs), branched=True)
    return (*elements[:-1], carrier), 1 + max(done[id(child)][1] for child in children)


def _output_pose(node: TreeNode) -> Pose:
    """Return the placement of what a node's first element hangs on."""
    turn = _turn(node)
    if turn is None:
        return node.pose
    return Pose(rotation_product(node.pose.rotation, turn), node.pose.translation)


def _turn(node: TreeNode) -> Rotation | None:
    """Return a rotation that takes z to a joint's axis; None when the joint needs none."""
    if node.motion is None or not node.moves or node.motion.word is not None:
        return None
    z = np.array(node.motion.axis)
    x = np.cross(np.eye(3)[np.abs(z).argmin()], z)
    x /= np.linalg.norm(x)
    turn: Rotation = tuple(np.column_stack([x, np.cross(z, x), z]).ravel().tolist())
    return turn
