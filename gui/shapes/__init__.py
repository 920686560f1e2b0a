"""Shapes of parts: what each kind of element looks like, in its own frames."""

from .bodies import axis_of
from .piece import Piece, Role
from .shape import shape_of
from .stick import stick_of

__all__ = ["Piece", "Role", "axis_of", "shape_of", "stick_of"]
