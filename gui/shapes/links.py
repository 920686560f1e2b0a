"""Links: a tube between two adapters, right-angled or in line."""

from functools import lru_cache

import numpy as np

from armwright.gui.solids import FloatArray, Solid, box, cylinder, rod
from armwright.hrdf import Link

from .piece import Piece

_TUBE_RADII = {"X": 0.016, "R8": 0.0175, "R25": 0.022}
"""By the first family named in the link's type [m]."""
_FLANGE = 1.45
"""Radius of foot and inline adapter, in tube radii."""
_BLOCK = 1.25
"""Half width of the right-angle adapter's block, in tube radii."""
_FOOT_HEIGHT = 0.45
"""Height of the foot, as a share of the adapter's half height."""
_INLINE_LENGTH = 0.020
"""Length of an inline adapter [m]."""


def tube_radius(type: str) -> float:
    """Return the tube's radius [m] for a link type, such as "X5" or "R25-R8"."""
    for family, radius in reversed(_TUBE_RADII.items()):
        if type.startswith(family):
            return radius
    return _TUBE_RADII["X"]


def link(element: Link) -> tuple[Piece, ...]:
    """Return adapters and tube of a link."""
    T_in_out = element.output_poses[0].matrix()
    half_height, extension = element.part.half_height, element.extension
    radius = tube_radius(element.type)
    longest = extension / 2 if element.input == element.output == "Inline" else extension
    inline = min(_INLINE_LENGTH, longest)
    # Centres of the adapters: where the tube begins and ends.
    start = np.array([0.0, 0.0, half_height if element.input == "RightAngle" else 0.0])
    below = half_height if element.output == "RightAngle" else 0.0
    end = T_in_out[:3, 3] - below * T_in_out[:3, 2]
    pieces = [
        Piece(solid, "adapter") for solid in _adapter(element.input, radius, half_height, inline)
    ]
    if extension > 1e-6:
        pieces.append(Piece(rod(start, end, radius), "link"))
    T_in_turned = T_in_out @ _TURNED
    for solid in _adapter(element.output, radius, half_height, inline):
        pieces.append(Piece(solid.moved(T_in_turned), "adapter"))
    return tuple(pieces)


_TURNED: FloatArray = np.diag([1.0, -1.0, -1.0, 1.0])
"""The output's adapter is the input's, upside down."""


@lru_cache(maxsize=64)
def _adapter(style: str, radius: float, half_height: float, length: float) -> tuple[Solid, ...]:
    """Build an adapter that stands on the origin and looks along +z."""
    if style == "Inline":
        return (cylinder(_FLANGE * radius, 0.0, length),) if length > 1e-6 else ()
    foot, w = _FOOT_HEIGHT * half_height, _BLOCK * radius
    return (
        cylinder(_FLANGE * radius, 0.0, foot),
        box((-w, -w, foot), (w, w, half_height + radius)),
    )
