"""Which elements of an arm move, and which of them slide; in the order of q."""

from typing import TYPE_CHECKING

import numpy as np

from .arrays import BoolArray

if TYPE_CHECKING:
    from armwright.hrdf import Element
    from armwright.kinematics import RobotModel


def moving_elements(model: "RobotModel") -> list["Element"]:
    """Return the actuators and plain joints, in the order of q."""
    return [element for element in model.elements if element.kind in ("actuator", "joint")]


def slides(model: "RobotModel") -> BoolArray:
    """Return which joints slide, shape (dof,)."""
    return np.array(["t" in getattr(one, "axis", "") for one in moving_elements(model)], dtype=bool)
