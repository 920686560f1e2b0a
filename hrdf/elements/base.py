"""What elements share: a tag, a place in a file, and for most of them a catalogue part."""

from dataclasses import dataclass, field
from typing import ClassVar

from .overrides import NO_OVERRIDES, Overrides
from .parts import Part


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
    """What every element with a part of the catalogue has.

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
