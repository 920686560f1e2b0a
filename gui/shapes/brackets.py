"""Brackets: a base plate on the module before, and an upright that carries the next one.

The upright lies behind the output frame and is rounded about the output axis; base and upright are
found from the output frame, so that left and right, inside and outside need no table.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from armwright.gui.solids import Solid, arc, prism
from armwright.hrdf import Bracket, Pose

from .bodies import pipe
from .piece import Piece


@dataclass(frozen=True, slots=True)
class Plates:
    """Sizes of a bracket [m].

    Attributes:
        base_half_width: Half width of the base plate, along x.
        base_thickness: Thickness of the base plate.
        round_base: Whether the free end of the base is rounded about the input axis.
        upright_radius: Half width of the upright, and radius of its end.
        upright_thickness: Thickness of the upright.
    """

    base_half_width: float
    base_thickness: float
    round_base: bool
    upright_radius: float
    upright_thickness: float


PLATES = {
    "X5Light": Plates(0.0275, 0.005, True, 0.033, 0.005),
    "R8Light": Plates(0.0295, 0.005, True, 0.035, 0.005),
    "R25Light": Plates(0.038, 0.006, True, 0.044, 0.006),
    "X5Heavy": Plates(0.025, 0.010, False, 0.0325, 0.015),
    "R8Heavy": Plates(0.025, 0.010, False, 0.0325, 0.015),
    "R25Heavy": Plates(0.037, 0.015, False, 0.048, 0.020),
}


def bracket(element: Bracket) -> tuple[Piece, ...]:
    """Return base and upright of a bracket; a pipe for a shape that is not known."""
    pose = element.output_poses[0]
    for name, plates in PLATES.items():
        if element.type.startswith(name):
            return tuple(Piece(solid, "bracket") for solid in _plates(plates, pose))
    return tuple(Piece(solid, "bracket") for solid in pipe(pose.matrix(), 0.016))


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
        prism(upright, first, last).moved(T_in_plate),
    )
