"""Stick figures: rods between frames and a barrel at each joint; the quickest to draw."""

import numpy as np

from armwright.gui.solids import cylinder, ellipsoid, rod
from armwright.hrdf import Actuator, Bracket, EndEffector, Joint, Link, RigidBody

from .bodies import joint
from .piece import Piece

_ROD_RADIUS = 0.008
_BARREL_RADIUS = 0.024
_CAP = 0.008


def stick_of(
    element: Actuator | Link | Bracket | RigidBody | Joint | EndEffector,
    *,
    travel: float = 0.0,
    size: float = 1.0,
) -> tuple[Piece, ...]:
    """Return the solids of one element as sticks, in its own frames.

    Args:
        element: The element.
        travel: How far it slides, for a sliding joint [m].
        size: Scale of shapes that no catalog fixes; 1 for robots of ordinary size.
    """
    if isinstance(element, Joint):
        return joint(element, travel, size)
    if isinstance(element, Actuator):
        height = max(element.part.output_z, 2 * _CAP)
        return (
            Piece(cylinder(_BARREL_RADIUS, 0.0, height - _CAP), "actuator"),
            Piece(cylinder(_BARREL_RADIUS, -_CAP, 0.0), "face", moves=True),
        )
    pieces = []
    radius = _ROD_RADIUS * size
    for pose in element.output_poses:
        tip = np.array(pose.translation)
        if np.linalg.norm(tip) > radius:
            pieces.append(Piece(rod((0.0, 0.0, 0.0), tip, radius, 16), "adapter"))
            ball = ellipsoid((radius, radius, radius), 12, 6)
            T = pose.matrix()
            pieces.append(Piece(ball.transform(T), "adapter"))
    return tuple(pieces)
