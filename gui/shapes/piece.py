"""One solid of a part, with what it stands for."""

from dataclasses import dataclass
from typing import Literal

from armwright.gui.solids import Solid

Role = Literal[
    "actuator", "face", "mark", "link", "adapter", "bracket", "body", "joint", "rail", "tool"
]
"""What a solid stands for; decides its color."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One solid of a part.

    Attributes:
        solid: In the element's input frame, or in its output frame when it turns with it [m].
        role: What it stands for.
        moves: Whether it is fixed to the (first) output frame, and so moves with the joint.
    """

    solid: Solid
    role: Role
    moves: bool = False
