"""Actuators: a housing with one round end about the joint axis, and an output face that turns."""

from functools import lru_cache

import numpy as np

from armwright.gui.solids import arc, box, cylinder, prism
from armwright.hrdf import Actuator
from armwright.hrdf.sizes import CHAMFER, FACE_HEIGHT, Housing, housing_of

from .piece import Piece


def actuator(element: Actuator) -> tuple[Piece, ...]:
    """Return housing and output face of an actuator."""
    return _pieces(housing_of(element))


@lru_cache(maxsize=64)
def _pieces(housing: Housing) -> tuple[Piece, ...]:
    """Build the solids of one housing."""
    w, r = housing.half_width, housing.face_radius
    cut = CHAMFER * w
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
