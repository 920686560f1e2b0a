"""How the joints of a robot hang together: parents, children, supports, subtrees."""

from dataclasses import dataclass
from typing import Literal

from armwright.errors import FrameNotFoundError
from armwright.kinematics.arrays import short, whole_number
from armwright.kinematics.robot import LAST, PARENT, ModelData
from armwright.reprs import one_line_repr

JointKind = Literal["revolute", "prismatic"]

BASE_VELOCITIES = (
    "base_linear_x",
    "base_linear_y",
    "base_linear_z",
    "base_angular_x",
    "base_angular_y",
    "base_angular_z",
)
"""Names of the six numbers of a free base's twist, in their order."""


@dataclass(frozen=True, slots=True)
class Topology:
    """How the joints of a robot hang together.

    Joint i, from 0, is q[i]; it moves body i + 1. Body 0 is the base, with all that is fixed to
    it. Both are numbered depth first, so that a parent has a smaller number, and a subtree is a
    range without gaps.

    Attributes:
        name: Name of the robot: its description, "" when it has none.
        n_joints: How many joints there are, as in ``model.dof``.
        n_bodies: How many bodies there are, the base among them.
        n_frames: How many frames there are, of all types together; ``frame_count`` counts one.
        n_q: How many numbers a configuration has: n_joints, and 7 more (position, quaternion) when
            the base is free to move.
        n_v: How many numbers a velocity has: n_joints, and 6 more when the base is free to move.
        q_starts: Where every joint's number stands among the n_q: the base's 7 come first.
        v_starts: Where it stands among the n_v: the base's 6 come first. A ``RobotState`` can
            float although the base was not declared free: ``state.topology`` is its own.
        velocity_names: Name of each of the n_v numbers of a velocity: ``BASE_VELOCITIES`` when the
            base is free to move, then the joints.
        joint_sizes: How many numbers every joint has in both: 1.
        free_flyer: Whether the base is free to move: of a model, whether it was declared so, and
            a ``RobotState`` floats unless it is told otherwise.
        joint_names: Name of every joint.
        joint_kinds: "revolute" or "prismatic", for every joint.
        body_names: Name of every body: that of its first tagged element; else "base" or that of
            its joint.
        body_elements: Numbers of the elements that make up every body.
        parents: The joint that every joint hangs on; -1 for the base.
        children: The joints that hang on every joint, directly.
        root_children: The joints that hang on the base.
        supports: The joints from the base to every joint, itself last: what moves its body.
        subtrees: Every joint with all joints that it moves.
    """

    name: str
    n_joints: int
    n_bodies: int
    n_frames: int
    n_q: int
    n_v: int
    q_starts: tuple[int, ...]
    v_starts: tuple[int, ...]
    velocity_names: tuple[str, ...]
    joint_sizes: tuple[int, ...]
    free_flyer: bool
    joint_names: tuple[str, ...]
    joint_kinds: tuple[JointKind, ...]
    body_names: tuple[str, ...]
    body_elements: tuple[tuple[int, ...], ...]
    parents: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]
    root_children: tuple[int, ...]
    supports: tuple[tuple[int, ...], ...]
    subtrees: tuple[tuple[int, ...], ...]

    def common_support(self, joint: int, other: int) -> tuple[int, ...]:
        """Return the joints that move the bodies of two joints, from the base outward.

        Raises:
            FrameNotFoundError: If one of them is no number of a joint.
        """
        mine = set(self.supports[self._number(joint)])
        return tuple(one for one in self.supports[self._number(other)] if one in mine)

    def _number(self, joint: object) -> int:
        """Return the number of a joint; those below 0 count from the last."""
        number = whole_number(joint, "common_support", None, FrameNotFoundError)
        count = len(self.supports)
        if not -count <= number < count:
            raise FrameNotFoundError(
                f"common_support: expected a joint from 0 to {count - 1}, got {short(number)}"
            )
        return number

    __repr__ = one_line_repr


def topology(model: ModelData) -> Topology:
    """How the joints hang together: parents, children, supports, subtrees; frozen.

    Example:
        >>> tree = aw.load("examples/arms/two_armed.hrdf").topology
        >>> tree.parents
        (-1, 0, 1, 2, 3, 0, 5, 6, 7)
        >>> tree.children[0]
        (1, 5)
    """
    return topology_of(model, model._annotations.free_flyer)


def topology_of(model: ModelData, free: bool) -> Topology:
    """Return the topology of a robot whose base is free to move, or is not."""
    rows = model._rows
    parents = tuple(int(row) - 1 for row in rows[1:, PARENT])
    children: list[list[int]] = [[] for _ in range(model.dof + 1)]
    supports: list[tuple[int, ...]] = []
    for joint, parent in enumerate(parents):
        children[parent + 1].append(joint)
        supports.append((*(supports[parent] if parent >= 0 else ()), joint))
    elements = _body_elements(model)
    return Topology(
        name=model.description.description,
        n_joints=model.dof,
        n_bodies=model.dof + 1,
        n_frames=sum(map(len, model._compiled.frame_elements.values())),
        n_q=model.dof + 7 * free,
        n_v=model.dof + 6 * free,
        q_starts=tuple(range(7 * free, model.dof + 7 * free)),
        v_starts=tuple(range(6 * free, model.dof + 6 * free)),
        velocity_names=(*(BASE_VELOCITIES if free else ()), *model.joint_names),
        joint_sizes=(1,) * model.dof,
        free_flyer=free,
        joint_names=model.joint_names,
        joint_kinds=tuple("prismatic" if slides else "revolute" for slides in model.joint_slides),
        body_names=tuple(_body_name(model, body, numbers) for body, numbers in enumerate(elements)),
        body_elements=elements,
        parents=parents,
        children=tuple(map(tuple, children[1:])),
        root_children=tuple(children[0]),
        supports=tuple(supports),
        subtrees=tuple(
            tuple(range(joint, int(rows[joint + 1, LAST]))) for joint in range(model.dof)
        ),
    )


def _body_elements(model: ModelData) -> tuple[tuple[int, ...], ...]:
    """Return the elements of every body; a joint or actuator counts where its input is."""
    bodies: list[list[int]] = [[] for _ in range(model.dof + 1)]
    inputs = model._pose_tables["input"][0][:, 0]
    for number, body in enumerate(inputs.astype(int).tolist()):
        bodies[body].append(number)
    return tuple(map(tuple, bodies))


def _body_name(model: ModelData, body: int, numbers: tuple[int, ...]) -> str:
    """Name a body by its first tagged element that is no joint of its own."""
    joints = set(model.joint_elements)
    tags = (model.elements[n].tag for n in numbers if n not in joints)
    first = next((tag for tag in tags if tag), None)
    return first or (model.joint_names[body - 1] if body else "base")
