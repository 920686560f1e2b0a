"""Actuators: a housing with one round end about the joint axis, and an output face that turns.

Bounds of the X, R8 and T housings were measured on HEBI's published meshes; those of R25 and T25
are estimates.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from armwright.gui.solids import arc, box, cylinder, prism
from armwright.hrdf import Actuator

from .piece import Piece

FACE_HEIGHT = 0.005
"""Thickness of the output face, the top of the actuator [m]."""
_CHAMFER = 0.35
"""Chamfer of the back, as a share of the half width."""


@dataclass(frozen=True, slots=True)
class Housing:
    """Bounds of a housing in its input frame [m]; z runs from 0 to the height.

    Attributes:
        back: Smallest x.
        front: Largest x, where the round end touches.
        half_width: Largest y.
        height: Height including the output face.
        face_radius: Radius of the output face.
    """

    back: float
    front: float
    half_width: float
    height: float
    face_radius: float


HOUSINGS = {
    "X5": Housing(-0.073, 0.0365, 0.0365, 0.031, 0.022),
    "X8": Housing(-0.073, 0.0365, 0.0365, 0.045, 0.022),
    "T5": Housing(-0.089, 0.037, 0.037, 0.034, 0.026),
    "T8": Housing(-0.089, 0.037, 0.037, 0.0475, 0.026),
    "R8": Housing(-0.117, 0.039, 0.039, 0.051, 0.026),
    "R25": Housing(-0.14, 0.055, 0.055, 0.069, 0.034),
    "T25": Housing(-0.12, 0.055, 0.052, 0.067, 0.034),
}


def actuator(element: Actuator) -> tuple[Piece, ...]:
    """Return housing and output face of an actuator."""
    housing = HOUSINGS.get(element.part.family)
    if housing is None:  # a part of the user's own: an X8 of that height
        height = max(element.part.output_z, 2 * FACE_HEIGHT)
        housing = Housing(-0.073, 0.0365, 0.0365, height, 0.022)
    return _pieces(housing)


@lru_cache(maxsize=64)
def _pieces(housing: Housing) -> tuple[Piece, ...]:
    """Build the solids of one housing."""
    w, r = housing.half_width, housing.face_radius
    cut = _CHAMFER * w
    back = [
        (housing.back + cut, w),
        (housing.back, w - cut),
        (housing.back, cut - w),
        (housing.back + cut, -w),
    ]
    outline = np.concatenate((arc(housing.front, w, -np.pi / 2, np.pi / 2), back))
    # A small key on the rim of the face shows the joint's angle, also below the next part.
    key = box((r - 0.004, -0.003, -FACE_HEIGHT), (r + 0.003, 0.003, 0.0))
    return (
        Piece(prism(outline, 0.0, housing.height - FACE_HEIGHT), "actuator"),
        Piece(cylinder(r, -FACE_HEIGHT, 0.0), "face", moves=True),
        Piece(key, "mark", moves=True),
    )
