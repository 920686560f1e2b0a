"""Copies of a model with limits on its joint positions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from armwright.errors import JointVectorError
from armwright.kinematics import arrays
from armwright.kinematics.arrays import FloatArray, JointValues, check_each, read_only, row
from armwright.kinematics.robot import ModelData, ModelT


def with_position_limits(model: ModelT, lower: JointValues, upper: JointValues) -> ModelT:
    """Return the same robot with limits on its joint positions.

    Limits of turning joints that look like degrees warn.

    Args:
        lower: Shape (dof,) [rad or m]; -inf where free. Or {joint name: number}: the others keep
            theirs.
        upper: The same; inf where free. Equal to lower: a joint held still.

    Raises:
        JointVectorError: If a length is wrong, a number is NaN, a lower limit is above the
            upper one, or an infinity is on the wrong side; names the joint; or if there is no
            joint of that name.
    """
    limits = np.stack([_limit(model, lower, "lower", 0), _limit(model, upper, "upper", 1)])
    for name, low, high in zip(model.joint_names, *limits.tolist(), strict=True):
        if low > high:
            raise JointVectorError(
                f"position limits of joint {name!r}: expected lower <= upper, "
                f"got lower {low:g} and upper {high:g}. Are they swapped?"
            )
        if low == np.inf or high == -np.inf:
            raise JointVectorError(
                f"position limits of joint {name!r}: expected -inf or a number as lower and "
                f"inf or a number as upper limit, got {low:g} and {high:g}"
            )
    arrays.warn_of_degrees("position limits", limits, model.joint_slides, model.joint_names)
    return model._variant(position_limits=read_only(limits))


def _limit(model: ModelData, values: JointValues, side: str, number: int) -> FloatArray:
    """Return one row of limits, shape (dof,); infinities pass, NaN does not."""
    name = f"{side} position limits"
    if isinstance(values, Mapping):
        kept = model.position_limits[number]
        limits = arrays.some_by_name(values, model.joint_names, kept, name, JointVectorError)
    else:
        limits = row(values, model.dof, name, JointVectorError)
    known = ~np.isnan(limits)
    check_each(limits, known, name, "a number", JointVectorError, joints=model.joint_names)
    return limits
