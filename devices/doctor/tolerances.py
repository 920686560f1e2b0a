"""What measured and modeled efforts may differ by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from armwright.devices.kinds import check_model
from armwright.errors import CommandRejectedError
from armwright.hrdf import Actuator
from armwright.kinematics.arrays import FloatArray

from .arguments import one_per_joint

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

RELATIVE = 0.05
"""Part of a modeled effort that masses and effort sensors may be off by."""

UNKNOWN_FRICTION = 0.5
"""Tolerance where nothing is known of a joint [N m or N]."""

_FINEST = 1e-12  # a tolerance below which rounding would be a fault [N m or N]


def tolerances_of(model: RobotModel, q: npt.ArrayLike) -> FloatArray:
    """Return what efforts of real modules may differ by from those of the model.

    The Coulomb friction of the part catalog, which can hold a standing joint without effort;
    5 % of the continuous effort where that is not known, 0.5 where neither is. And 5 % of the
    modeled effort, for masses and effort sensors.

    Args:
        model: The arm.
        q: Joint positions, shape (..., dof) [rad or m].

    Returns:
        Shape (..., dof) [N m or N].
    """
    check_model(model, "tolerances_of")
    return around(model, model.gravity_efforts(q), None)


def around(model: RobotModel, held: FloatArray, given: npt.ArrayLike | None) -> FloatArray:
    """Return the tolerances of modeled efforts, in the shape of these."""
    if given is not None:
        row = one_per_joint(given, model.dof, "tolerance")
        if not (row >= _FINEST).all():
            raise CommandRejectedError(
                f"tolerance: expected more than 0, got {row.tolist()}; at least {_FINEST:g}"
            )
        return np.broadcast_to(row, held.shape).copy()
    friction = np.full(model.dof, UNKNOWN_FRICTION)
    for joint, number in enumerate(model.joint_elements):
        element = model.elements[number]
        if isinstance(element, Actuator):
            if element.part.friction is not None:
                friction[joint] = element.part.friction
            elif element.part.continuous_effort is not None:
                friction[joint] = RELATIVE * element.part.continuous_effort
    tolerances: FloatArray = friction + RELATIVE * np.abs(held)
    return tolerances
