"""Build any tree: joints about any axis, bodies, frames with names, limits, drives.

``ArmBuilder`` bolts parts of the catalog together; here a robot is what it is to a solver. The
result is a description in HRDF's elements all the same, so that everything works with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
import numpy.typing as npt

from armwright.errors import FrameNotFoundError, ModelError, did_you_mean
from armwright.hrdf import Pose, RigidBody, RobotDescription, load_catalog
from armwright.hrdf.checking import check_description, check_text
from armwright.hrdf.elements import NO_INERTIA
from armwright.hrdf.findings import Findings
from armwright.hrdf.limits import MAX_ELEMENTS, MAX_MAGNITUDE
from armwright.kinematics.arrays import (
    as_inertia,
    number,
    one_of,
    read_only,
    short,
    true_or_false,
)
from armwright.kinematics.model import RobotModel
from armwright.kinematics.robot import Annotations, FrameKind, JointDynamics, compile_description
from armwright.reprs import cut_to_line

from .arguments import pose_of, vector_of
from .tree_to_elements import JointType, Motion, TreeNode, describe_tree, named_frames_of

JOINT_TYPES: tuple[JointType, ...] = ("revolute", "prismatic", "fixed")
FRAMES: tuple[Literal["operational", "sensor"], ...] = ("operational", "sensor")
_RESERVED = ("base", "world")
_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


class ModelBuilder:
    """Builds a tree of joints, bodies and frames; each has a name of its own.

    Whatever is added hangs on a parent, a joint, body or frame that is there already, or the
    base (None). A placement is T_parent_self, shape (4, 4), or a translation, shape (3,) [m]; it
    is the identity when it is not given. Joints are numbered depth first in the finished model,
    siblings in the order in which they were added, whatever the order of the calls. Every call
    checks fully before it changes anything, and returns the builder.

    Args:
        name: Name of the robot.
        base_frame: T_world_base, the placement of the base in the world.
        free_flyer: Whether the base is free to move: bodies on the base are its mass then.

    Raises:
        ModelError: If an argument has the wrong shape or value.

    Example:
        >>> from armwright.kinematics import ModelBuilder
        >>> builder = ModelBuilder("pendulum").joint("hinge", axis=(0, 1, 1), upper=2.0)
        >>> builder = builder.body("rod", parent="hinge", mass=1.5, com=(0.2, 0, 0))
        >>> model = builder.frame("tip", parent="rod", placement=(0.4, 0, 0)).build()
        >>> model.joint_names, model.frame("tip").frame_type.value
        (('hinge',), 'endeffector')
    """

    def __init__(
        self,
        name: str = "",
        *,
        base_frame: npt.ArrayLike | None = None,
        free_flyer: bool = False,
    ) -> None:
        """Start with the base alone."""
        self._name = _checked_text(name, "name")
        self._base = Pose() if base_frame is None else pose_of(base_frame, "base_frame")
        self._free_flyer = true_or_false(free_flyer, "free_flyer")
        self._nodes: dict[str, TreeNode] = {}
        self._configurations: dict[str, dict[str, float]] = {}

    def joint(
        self,
        name: str,
        kind: JointType = "revolute",
        *,
        parent: str | None = None,
        placement: npt.ArrayLike | None = None,
        axis: npt.ArrayLike | str = "z",
        gear_ratio: float = 1.0,
        lower: float = -np.inf,
        upper: float = np.inf,
        max_speed: float = np.inf,
        max_effort: float = np.inf,
        friction: float = 0.0,
        damping: float = 0.0,
        rotor_inertia: float = 0.0,
    ) -> ModelBuilder:
        """Add a joint.

        Args:
            name: Its name, new in the robot.
            kind: "revolute", "prismatic" or "fixed", which is a frame that does not move.
            parent: Name of what it hangs on; None: the base.
            placement: T_parent_joint at q = 0.
            axis: Direction in the joint's frame, of any length but 0; or "x", "y", "z", also
                with "-" before it.
            gear_ratio: It moves by q / gear_ratio.
            lower: Lower position limit [rad or m]; -inf: free.
            upper: Upper position limit; inf: free.
            max_speed: [rad/s or m/s], 0 or more.
            max_effort: [N m or N], 0 or more.
            friction: Coulomb friction [N m or N], 0 or more.
            damping: Viscous friction [N m s/rad or N s/m], 0 or more.
            rotor_inertia: Reflected to q [kg m^2 or kg], 0 or more.

        Raises:
            ModelError: If the name is taken, or a value is wrong.
            FrameNotFoundError: If there is no such parent; the message has near names.
        """
        joint_type = JOINT_TYPES[JOINT_TYPES.index(one_of(kind, JOINT_TYPES, "kind"))]
        ratio = number(gear_ratio, "gear_ratio")
        if abs(ratio) < 1 / MAX_MAGNITUDE:
            raise ModelError(f"gear_ratio: expected a number other than 0, got {short(gear_ratio)}")
        low, high = _bound(lower, "lower", -np.inf), _bound(upper, "upper", -np.inf)
        if low > high or low == np.inf or high == -np.inf:
            raise ModelError(f"joint {name!r}: expected lower <= upper, got {low:g} and {high:g}")
        motion = Motion(
            joint_type=joint_type,
            axis=_axis(axis),
            gear_ratio=ratio,
            lower=low,
            upper=high,
            max_speed=_bound(max_speed, "max_speed", 0.0),
            max_effort=_bound(max_effort, "max_effort", 0.0),
            friction=_size(friction, "friction"),
            damping=_size(damping, "damping"),
            rotor_inertia=_size(rotor_inertia, "rotor_inertia"),
        )
        return self._add(TreeNode(*self._head(name, "joint", parent, placement), motion=motion))

    def body(
        self,
        name: str,
        *,
        parent: str | None = None,
        placement: npt.ArrayLike | None = None,
        mass: float,
        com: npt.ArrayLike | None = None,
        inertia: npt.ArrayLike | None = None,
    ) -> ModelBuilder:
        """Add a body, fixed to its parent; several on one joint add up.

        Args:
            name: Its name, new in the robot.
            parent: Name of what it is fixed to; None: the base.
            placement: T_parent_body.
            mass: [kg], 0 or more.
            com: Center of mass, shape (3,) [m], or com frame, shape (4, 4), in the body.
            inertia: ixx, iyy, izz, ixy, ixz, iyz [kg m^2] about the center of mass, in the com
                frame; or the 3x3 matrix.

        Raises:
            ModelError: If the name is taken, or a value is wrong.
            FrameNotFoundError: If there is no such parent; the message has near names.
        """
        node = TreeNode(*self._head(name, "body", parent, placement))
        return self._add(_weighed(node, mass, com, inertia))

    def frame(
        self,
        name: str,
        kind: Literal["operational", "sensor"] = "operational",
        *,
        parent: str | None = None,
        placement: npt.ArrayLike | None = None,
        mass: float = 0.0,
        com: npt.ArrayLike | None = None,
        inertia: npt.ArrayLike | None = None,
    ) -> ModelBuilder:
        """Add a frame, fixed to its parent, with or without mass.

        Operational frames are end effectors in the finished model: inverse kinematics and
        payloads go there.

        Args:
            name: Its name, new in the robot.
            kind: "operational" or "sensor".
            parent: Name of what it is fixed to; None: the base.
            placement: T_parent_frame.
            mass: Of the tool or sensor [kg].
            com: As of a body.
            inertia: As of a body.

        Raises:
            ModelError: If the name is taken, or a value is wrong.
            FrameNotFoundError: If there is no such parent; the message has near names.
        """
        which = FRAMES[FRAMES.index(one_of(kind, FRAMES, "kind"))]
        node = TreeNode(*self._head(name, which, parent, placement))
        return self._add(_weighed(node, mass, com, inertia))

    def reference_configuration(self, name: str, values: Mapping[str, float]) -> ModelBuilder:
        """Name a configuration; a name that is there already is replaced.

        Args:
            name: Its name.
            values: Joint name to value [rad or m]; other joints are at 0.

        Raises:
            ModelError: If a value is not a finite number.
            FrameNotFoundError: If there is no such joint that moves.
        """
        if not isinstance(name, str) or not name.strip():
            raise ModelError(f"name: expected a text, got {short(name)}")
        if not isinstance(values, Mapping):
            raise ModelError(f"values: expected a mapping of joints, got {short(values)}")
        moving = {key for key, node in self._nodes.items() if node.moves}
        for joint in values:
            if joint not in moving:
                known = did_you_mean(joint, [key for key in self._nodes if key in moving])
                raise FrameNotFoundError(f"there is no joint {short(joint)} that moves.{known}")
        numbers = {joint: _within(value, f"joint {joint!r}") for joint, value in values.items()}
        self._configurations[name] = numbers
        return self

    def has_frame(self, name: str) -> bool:
        """Tell whether there is a joint, body or frame of that name already."""
        return isinstance(name, str) and name in self._nodes

    def __repr__(self) -> str:
        names = ", ".join(list(self._nodes)[:20])
        return cut_to_line(f"ModelBuilder({self._name!r}; {names or 'nothing yet'})")

    def describe(self) -> RobotDescription:
        """Return the tree as it is now in HRDF's elements, which ``hrdf.write`` can write.

        HRDF has no words for limits, drives, configurations and kinds of frames; the model has
        them.

        Raises:
            ModelError: If branches nest too deep.
            HrdfError: If a rule of the format is broken, such as a negative moment of inertia.
        """
        description = describe_tree(tuple(self._nodes.values()), self._name, self._base)
        findings = Findings()
        check_description(description, findings, load_catalog())
        findings.raise_errors()
        return description

    def build(self) -> RobotModel:
        """Return a model of the tree as it is now.

        Raises:
            ModelError: If branches nest too deep.
            HrdfError: If a rule of the format is broken, such as a negative moment of inertia.
        """
        description = self.describe()
        compiled = compile_description(description)
        names = [compiled.placed[number].element.tag or "" for number in compiled.joint_elements]
        motions = [motion for name in names if (motion := self._nodes[name].motion) is not None]
        annotations = Annotations(
            configurations=tuple(
                (name, tuple(values.get(joint, 0.0) for joint in names))
                for name, values in self._configurations.items()
            ),
            named_frames=named_frames_of(tuple(self._nodes.values()), description),
            max_speeds=tuple(motion.max_speed for motion in motions),
            max_efforts=tuple(motion.max_effort for motion in motions),
            free_flyer=self._free_flyer,
        )
        limits = [[motion.lower for motion in motions], [motion.upper for motion in motions]]
        drives = JointDynamics(
            read_only([motion.rotor_inertia for motion in motions]),
            read_only([motion.damping for motion in motions]),
            read_only([motion.friction for motion in motions]),
        )
        model = object.__new__(RobotModel)
        model._fill(description, compiled, read_only(limits), None, drives, annotations)
        return model

    def _head(
        self, name: str, kind: FrameKind, parent: str | None, placement: npt.ArrayLike | None
    ) -> tuple[str, FrameKind, TreeNode | None, Pose]:
        """Check what all nodes have."""
        text = _checked_text(name, "name")
        if not text.strip():
            raise ModelError("name: expected a text, got an empty one")
        if text in _RESERVED:
            raise ModelError(f"name: {short(text)} stands for the base. Choose another name")
        if text in self._nodes:
            taken = self._nodes[text].kind
            raise ModelError(f"name: {short(text)} is taken, by a {taken}. Choose another name")
        if len(self._nodes) >= MAX_ELEMENTS // 3:
            raise ModelError(f"more joints, bodies and frames than {MAX_ELEMENTS // 3}")
        owner = None
        if parent is not None and not (isinstance(parent, str) and parent in _RESERVED):
            if not isinstance(parent, str) or parent not in self._nodes:
                known = did_you_mean(parent, [*self._nodes, *_RESERVED])
                raise FrameNotFoundError(f"parent: nothing is called {short(parent)}.{known}")
            owner = self._nodes[parent]
        pose = Pose() if placement is None else pose_of(placement, "placement")
        if max(map(abs, pose.translation)) > MAX_MAGNITUDE:
            raise ModelError(f"placement: beyond the limit of {MAX_MAGNITUDE:g} m")
        return text, kind, owner, pose

    def _add(self, node: TreeNode) -> ModelBuilder:
        """Take a node that has been checked."""
        self._nodes[node.name] = node
        if node.parent is not None:
            node.parent.children.append(node)
        return self


def _weighed(
    node: TreeNode, mass: float, com: npt.ArrayLike | None, inertia: npt.ArrayLike | None
) -> TreeNode:
    """Give a new node its mass properties."""
    node.mass = _size(mass, "mass")
    node.com = Pose() if com is None else pose_of(com, "com")
    node.inertia = NO_INERTIA if inertia is None else as_inertia(inertia, "inertia")
    return node


def _axis(axis: npt.ArrayLike | str) -> tuple[float, float, float]:
    """Return a unit vector; one along a coordinate axis exactly so."""
    if isinstance(axis, str):
        sign, letter = (-1.0, axis[1:]) if axis.startswith("-") else (1.0, axis)
        if letter.casefold() not in _AXES:
            raise ModelError(
                f"axis: expected x, y, z, -x, -y, -z or three numbers, got {short(axis)}"
            )
        x, y, z = _AXES[letter.casefold()]
        return (sign * x + 0.0, sign * y + 0.0, sign * z + 0.0)
    vector = np.array(vector_of(axis, "axis"))
    largest = np.abs(vector).max()
    if largest == 0:
        raise ModelError("axis: expected a direction, got three zeros")
    vector = vector / largest
    x, y, z = (vector / np.linalg.norm(vector) + 0.0).tolist()
    return (x, y, z)


def _within(value: float, name: str) -> float:
    """Return a finite number that is not too large."""
    return number(value, name, low=-MAX_MAGNITUDE, high=MAX_MAGNITUDE)


def _size(value: float, name: str) -> float:
    """Return a finite number, 0 or more."""
    return number(value, name, low=0.0, high=MAX_MAGNITUDE)


def _bound(value: float, name: str, least: float) -> float:
    """Return a limit, which may be infinite."""
    text = "0 or more" if least == 0 else "or an infinity"
    return number(value, name, f"a number, {text}", low=least, high=np.inf)


def _checked_text(text: str, name: str) -> str:
    """Return a text that a file can hold."""
    if not isinstance(text, str):
        raise ModelError(f"{name}: expected a text, got {short(text)}")
    findings = Findings()
    check_text(RigidBody(mass=0.0), name, text, findings)
    if findings.error_count:
        raise ModelError(f"{name}: {findings.problems[0].message}")
    return text
