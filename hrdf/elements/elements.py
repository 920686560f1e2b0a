"""What a robot is made of: frozen, comparable values, one class per element of the format.

A description is a tree of elements. Each element hangs on the last output of the one before it;
a body or bracket with ``branched`` outputs holds further chains in its ``outputs``. Elements keep
what was written (overrides, offsets) and answer with what follows from it (mass, com, inertia,
output placements), in SI units and in their own input frame. File, line and element path are
remembered but do not count when two descriptions are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from armwright.errors import Problem
from armwright.reprs import one_line_repr

from .base import CatalogElementBase, ElementBase, RigidElementBase, SphereElementBase
from .parts import ActuatorPart, BracketPart, EndEffectorPart, Inertia, LinkPart
from .pose import IDENTITY, Pose, Rotation, Vector

LinkStyle = Literal["RightAngle", "Inline"]
JointAxis = Literal["rx", "ry", "rz", "tx", "ty", "tz", "-rx", "-ry", "-rz", "-tx", "-ty", "-tz"]
NO_INERTIA: Inertia = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One output of a body or bracket, with the chain that hangs on it.

    Attributes:
        pose: Output frame in the element's input frame.
        elements: The chain, in document order; always empty unless the owner is ``branched``.
    """

    pose: Pose = IDENTITY
    elements: tuple[Element, ...] = ()

    __repr__ = one_line_repr


@dataclass(frozen=True, slots=True, kw_only=True)
class Actuator(RigidElementBase):
    """A motor module: one revolute joint about z of its output frame."""

    kind: ClassVar[str] = "actuator"

    part: ActuatorPart

    @property
    def inertia(self) -> Inertia:
        """Inertia [kg m^2] about the center of mass, in the com frame.

        A published inertia is taken as it is; an estimate is a shape times the mass, and follows
        the mass.
        """
        inertia = self.part.inertia
        if self.part.inertia_estimated:
            inertia = _scale(inertia, self.mass / self.part.mass)
        return self.overrides.resolve_inertia(inertia)

    @property
    def inertia_estimated(self) -> bool:
        """Whether any of the six numbers is an estimate."""
        return self.part.inertia_estimated and None in self.overrides.inertia

    @property
    def output_poses(self) -> tuple[Pose, ...]:
        """Output frame at joint position zero."""
        return (Pose(translation=(0.0, 0.0, self.part.output_z)),)

    __repr__ = one_line_repr


@dataclass(frozen=True, slots=True, kw_only=True)
class Link(CatalogElementBase):
    """A tube between two adapters.

    Attributes:
        extension: Distance between the adapter centers [m].
        twist: Turn of the output adapter about the tube [rad].
        input: Style of the input adapter.
        output: Style of the output adapter.
    """

    kind: ClassVar[str] = "link"

    part: LinkPart
    extension: float
    twist: float
    input: LinkStyle = "RightAngle"
    output: LinkStyle = "RightAngle"

    @property
    def mass(self) -> float:
        """Mass [kg]."""
        mass = self.part.mass(self.extension, self.input, self.output)
        return self.overrides.resolve_mass(mass)

    @property
    def com(self) -> Pose:
        """Com frame in the input frame."""
        return self.overrides.resolve_com(self.part.com(self.extension, self.input))

    @property
    def inertia(self) -> Inertia:
        """Inertia [kg m^2] in the com frame, estimated: a slender rod plus two end masses.

        Tube: mass per length times extension, spread along the line; the rest of the mass sits in
        two points at the adapter centers. About the tube's own axis the adapters count as points
        at half their height from it.
        """
        tube = self.part.mass_per_length * self.extension
        nominal = self.part.mass(self.extension, self.input, self.output)
        ends = nominal - tube
        across = tube * self.extension**2 / 12 + ends * (self.extension / 2) ** 2
        along = ends * (self.part.half_height / 2) ** 2
        across += along  # the adapters' own extent turns with them, about every axis
        scale = self.mass / nominal
        if self.input == "RightAngle":  # the tube lies along x, else along z
            six: Inertia = (along, across, across, 0.0, 0.0, 0.0)
        else:
            six = (across, across, along, 0.0, 0.0, 0.0)
        return self.overrides.resolve_inertia(_scale(six, scale))

    @property
    def inertia_estimated(self) -> bool:
        """Whether any of the six numbers is an estimate."""
        return None in self.overrides.inertia

    @property
    def output_poses(self) -> tuple[Pose, ...]:
        """Output frame in the input frame."""
        return (self.part.output(self.extension, self.twist, self.input, self.output),)

    __repr__ = one_line_repr


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket(SphereElementBase):
    """A fixed piece between two modules.

    Attributes:
        outputs: Chains written as ``output`` children; empty when it has none.
        branched: Whether the chains are written as ``output`` children, so that nothing may
            follow at the same level.
    """

    kind: ClassVar[str] = "bracket"

    part: BracketPart
    outputs: tuple[Output, ...] = ()

    @property
    def branched(self) -> bool:
        """Whether the chain after it is written as an ``output`` child."""
        return bool(self.outputs)

    @property
    def inertia_estimated(self) -> bool:
        """Whether any of the six numbers is an estimate."""
        return None in self.overrides.inertia

    @property
    def output_poses(self) -> tuple[Pose, ...]:
        """Output frame in the input frame."""
        return (self.part.output,)

    __repr__ = one_line_repr


@dataclass(frozen=True, slots=True, kw_only=True)
class RigidBody(ElementBase):
    """A body of known mass properties, with one output or several.

    Attributes:
        mass: [kg].
        com: Com frame in the input frame.
        inertia: Six numbers [kg m^2] about the center of mass, in the com frame.
        outputs: At least one. Not branched: exactly one, without a chain; what follows in the
            document hangs on it.
        branched: Whether the outputs are written as ``output`` children, so that nothing may
            follow at the same level.
        mesh_path: Path or URL as written (re-based to the root file), None when not written.
        mesh_pose: Mesh frame in the input frame.
    """

    kind: ClassVar[str] = "rigid-body"

    mass: float
    com: Pose = IDENTITY
    inertia: Inertia = NO_INERTIA
    outputs: tuple[Output, ...] = (Output(),)
    branched: bool = False
    mesh_path: str | None = None
    mesh_pose: Pose = IDENTITY

    inertia_estimated: ClassVar[bool] = False
    interface_in: ClassVar[str | None] = None
    interface_out: ClassVar[str | None] = None

    @property
    def output_poses(self) -> tuple[Pose, ...]:
        """Output frames in the input frame."""
        return tuple(output.pose for output in self.outputs)

    __repr__ = one_line_repr


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint(ElementBase):
    """A massless joint along or about a coordinate axis of its input frame.

    Attributes:
        axis: rx ry rz (turns) tx ty tz (slides), with "-" the other way round.
        gear_ratio: The output moves by q / gear_ratio.
    """

    kind: ClassVar[str] = "joint"

    axis: JointAxis
    gear_ratio: float = 1.0

    output_poses: ClassVar[tuple[Pose, ...]] = (IDENTITY,)
    interface_in: ClassVar[str | None] = None
    interface_out: ClassVar[str | None] = None

    __repr__ = one_line_repr


@dataclass(frozen=True, slots=True, kw_only=True)
class EndEffector(SphereElementBase):
    """The end of a chain; nothing can follow.

    Attributes:
        output_rot: Replaces the orientation of the tool frame; None: the part's, given or not.
        output_trans: The same for the origin of the tool frame [m].
        implicit: Made by a reader for a file before 1.2.0; does not count in comparisons.
    """

    kind: ClassVar[str] = "end-effector"

    part: EndEffectorPart
    output_rot: Rotation | None = None
    output_trans: Vector | None = None
    implicit: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        """Keep one form of the same tool, so that robots compare by what they are."""
        if self.output_rot == self.part.output.rotation:
            object.__setattr__(self, "output_rot", None)
        if self.output_trans == self.part.output.translation:
            object.__setattr__(self, "output_trans", None)

    @property
    def inertia_estimated(self) -> bool:
        """Whether any of the six numbers is an estimate."""
        return self.part.inertia_radius > 0 and None in self.overrides.inertia

    @property
    def output_poses(self) -> tuple[Pose, ...]:
        """Tool frame in the input frame."""
        rotation = self.part.output.rotation if self.output_rot is None else self.output_rot
        translation = (
            self.part.output.translation if self.output_trans is None else self.output_trans
        )
        return (Pose(rotation, translation),)

    __repr__ = one_line_repr


Element = Actuator | Link | Bracket | RigidBody | Joint | EndEffector


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotDescription:
    """A robot as a tree of elements; compares by content.

    Attributes:
        elements: The chain that hangs on the base, in document order.
        base: Base frame in the world.
        description: Free text.
        version: HRDF version of the file; "1.6.0" when it was built in code.
        warnings: What a reader found doubtful.
        files: Every file that was read, the root file first.
    """

    elements: tuple[Element, ...] = ()
    base: Pose = IDENTITY
    description: str = ""
    version: str = field(default="1.6.0", compare=False)
    warnings: tuple[Problem, ...] = field(default=(), compare=False)
    files: tuple[str, ...] = field(default=(), compare=False)

    @property
    def base_frame(self) -> npt.NDArray[np.float64]:
        """Base frame in the world, shape (4, 4), read-only."""
        T_world_base = self.base.matrix()
        T_world_base.setflags(write=False)
        return T_world_base

    __repr__ = one_line_repr


@dataclass(frozen=True, slots=True)
class Placed:
    """One element with the place where it hangs.

    Attributes:
        element: The element.
        parent: Number of the element that it hangs on, depth first; -1 for the base.
        output: Number of that element's output, from 0.
    """

    element: Element
    parent: int
    output: int

    __repr__ = one_line_repr


def walk(description: RobotDescription) -> Iterator[Placed]:
    """Go through all elements depth first, in document order.

    The order of the results is the numbering of elements everywhere; a parent comes before its
    children. Works without recursion, so a long chain is no danger.
    """
    count = 0
    # Each entry: a chain, how far it has been followed, and what the next element hangs on.
    stack: list[tuple[Iterator[Element], int, int]] = [(iter(description.elements), -1, 0)]
    while stack:
        chain, parent, output = stack.pop()
        element = next(chain, None)
        if element is None:
            continue
        yield Placed(element, parent, output)
        stack.append((chain, count, 0))
        outputs = element.outputs if isinstance(element, Bracket | RigidBody) else ()
        for number in range(len(outputs) - 1, -1, -1):
            if outputs[number].elements:
                stack.append((iter(outputs[number].elements), count, number))
        count += 1


def _scale(inertia: Inertia, factor: float) -> Inertia:
    """Multiply six numbers."""
    a, b, c, d, e, f = inertia
    return (a * factor, b * factor, c * factor, d * factor, e * factor, f * factor)
