"""Brackets: a base plate on the module before, and an upright that carries the next one.

The upright lies behind the output frame and is rounded about the output axis; base and upright are
found from the output frame, so that left and right, inside and outside need no table.
"""

from functools import lru_cache

import numpy as np

from armwright.gui.solids import Solid, arc, prism
from armwright.hrdf import Bracket, Pose
from armwright.hrdf.sizes import BRACKET_RADIUS, Plates, plates_of

from .bodies import pipe
from .piece import Piece


def bracket(element: Bracket) -> tuple[Piece, ...]:
    """Return base and upright of a bracket; a pipe for a shape that is not known."""
    pose = element.output_poses[0]
    plates = plates_of(element)
    solids = pipe(pose.matrix(), BRACKET_RADIUS) if plates is None else _plates(plates, pose)
    return tuple(Piece(solid, "bracket") for solid in solids)


@lru_cache(maxsize=64)
def _plates(plates: Plates, pose: Pose) -> tuple[Solid, ...]:
    """Build the two plates of a bracket whose output looks along +y or -y."""
    T_in_out = pose.matrix()
    looks, y_out, axis_height = T_in_out[1, 2], T_in_out[1, 3], T_in_out[2, 3]
    side = 1.0 if y_out >= 0 else -1.0
    thickness = plates.upright_thickness
    outer = max(side * y_out, side * (y_out - looks * thickness))
    w, r = plates.base_half_width, plates.upright_radius
    # Base, in x and y on the side +y; mirrored where the upright stands at -y.
    free_end = arc(w, w, np.pi, 2 * np.pi) if plates.round_base else np.array([[-w, -w], [w, -w]])
    base = np.concatenate((free_end, [(w, outer), (-w, outer)]))
    if side < 0:
        base = base[::-1] * (1.0, -1.0)
    # Upright, in x and z: from the base up, rounded about the output axis.
    round_end = arc(r, r, 0.0, np.pi) + np.array([0.0, axis_height])
    upright = np.concatenate((round_end, [(-r, 0.0), (r, 0.0)]))
    T_in_plate = np.array(  # the outline's x, y, and the extrusion, as axes in the input frame
        [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, side * outer], [0.0, 1.0, 0.0, 0.0], [0, 0, 0, 1.0]]
    )
    first, last = (0.0, thickness) if side > 0 else (-thickness, 0.0)
    return (
        prism(base, 0.0, plates.base_thickness),
        prism(upright, first, last).transform(T_in_plate),
    )
