"""What elements share: a tag, a place in a file, and for most of them a catalog part."""

from dataclasses import dataclass, field
from typing import ClassVar

from .overrides import NO_OVERRIDES, Overrides
from .parts import ActuatorPart, BracketPart, EndEffectorPart, Inertia, Part
from .pose import Pose


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementBase:
    """What every element has.

    Attributes:
        tag: Name, unique in the robot; None when it has none.
        file: File that it came from, "" when it was built in code.
        line: Line of its start tag, 0 when it was built in code.
        path: Element path, such as ``robot/actuator[2]``.
    """

    kind: ClassVar[str]

    tag: str | None = None
    file: str = field(default="", compare=False)
    line: int = field(default=0, compare=False)
    path: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogElementBase(ElementBase):
    """What every element with a part of the catalog has.

    Attributes:
        part: The part.
        overrides: What the element says about the part's mass properties.
    """

    part: Part
    overrides: Overrides = NO_OVERRIDES

    @property
    def type(self) -> str:
        """Type name, such as "X8-9"."""
        return self.part.type

    @property
    def interface_in(self) -> str | None:
        """What it is bolted to; None fits anything."""
        return self.part.interface_in

    @property
    def interface_out(self) -> str | None:
        """What can be bolted to it; None fits anything."""
        return self.part.interface_out


@dataclass(frozen=True, slots=True, kw_only=True)
class RigidElementBase(CatalogElementBase):
    """What every element has whose part knows its own mass; a link's depends on its length."""

    part: ActuatorPart | BracketPart | EndEffectorPart

    @property
    def mass(self) -> float:
        """Mass [kg]."""
        return self.overrides.resolve_mass(self.part.mass)

    @property
    def com(self) -> Pose:
        """Com frame in the input frame."""
        return self.overrides.resolve_com(self.part.com)


@dataclass(frozen=True, slots=True, kw_only=True)
class SphereElementBase(RigidElementBase):
    """What every element has whose inertia nobody publishes: that of a solid sphere."""

    part: BracketPart | EndEffectorPart

    @property
    def inertia(self) -> Inertia:
        """Inertia [kg m^2] in the com frame, estimated: a solid sphere (none of radius 0)."""
        sphere = 0.4 * self.mass * self.part.inertia_radius**2
        return self.overrides.resolve_inertia((sphere, sphere, sphere, 0.0, 0.0, 0.0))
