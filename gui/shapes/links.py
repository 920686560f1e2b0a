"""Links: a tube between two adapters, right-angled or in line."""

from functools import lru_cache

import numpy as np

from armwright.gui.solids import FloatArray, Solid, box, cylinder, rod
from armwright.hrdf import Link
from armwright.hrdf.sizes import Tube, tube_of

from .piece import Piece


def link(element: Link) -> tuple[Piece, ...]:
    """Return adapters and tube of a link."""
    T_in_out = element.output_poses[0].matrix()
    half_height, extension = element.part.half_height, element.extension
    tube = tube_of(element)
    # Centers of the adapters: where the tube begins and ends.
    start = np.array([0.0, 0.0, half_height if element.input == "RightAngle" else 0.0])
    below = half_height if element.output == "RightAngle" else 0.0
    end = T_in_out[:3, 3] - below * T_in_out[:3, 2]
    pieces = [Piece(solid, "adapter") for solid in _adapter(element.input, tube)]
    if extension > 1e-6:
        pieces.append(Piece(rod(start, end, tube.radius), "link"))
    T_in_turned = T_in_out @ _TURNED
    for solid in _adapter(element.output, tube):
        pieces.append(Piece(solid.transform(T_in_turned), "adapter"))
    return tuple(pieces)


_TURNED: FloatArray = np.diag([1.0, -1.0, -1.0, 1.0])
"""The output's adapter is the input's, upside down."""


@lru_cache(maxsize=64)
def _adapter(style: str, tube: Tube) -> tuple[Solid, ...]:
    """Build an adapter that stands on the origin and looks along +z."""
    flange, length = tube.flange_radius, tube.inline_length
    if style == "Inline":
        return (cylinder(flange, 0.0, length),) if length > 1e-6 else ()
    foot, w = tube.foot_height, tube.block_half_width
    return (
        cylinder(flange, 0.0, foot),
        box((-w, -w, foot), (w, w, tube.half_height + tube.radius)),
    )
