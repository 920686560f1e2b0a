"""Copies of a model whose joints may move faster or more slowly, and push more or less."""

from __future__ import annotations

import dataclasses

import numpy.typing as npt

from armwright.errors import JointVectorError
from armwright.kinematics.arrays import check_each, row
from armwright.kinematics.robot import ModelData, ModelT


def with_max_speeds(model: ModelT, speeds: npt.ArrayLike) -> ModelT:
    """Return the same robot with other largest speeds of its joints.

    They are the limits that plans keep and that arms are driven within. Higher ones than the
    parts have belong here, where they are said of the robot, and not in a single call.

    Args:
        speeds: One number for all joints or shape (dof,) [rad/s or m/s]; inf where free.

    Raises:
        JointVectorError: If a length is wrong or a number is not above 0; names the joint.

    Example:
        >>> slow = model.with_max_speeds(0.5 * model.max_speeds)
        >>> bool((slow.max_speeds < model.max_speeds).all())
        True
    """
    given = _limits(model, speeds, "max speeds")
    return model._variant(annotations=dataclasses.replace(model._annotations, max_speeds=given))


def with_max_efforts(model: ModelT, efforts: npt.ArrayLike) -> ModelT:
    """Return the same robot with other largest efforts of its joints.

    Args:
        efforts: One number for all joints or shape (dof,) [N m or N]; inf where free.

    Raises:
        JointVectorError: If a length is wrong or a number is not above 0; names the joint.
    """
    given = _limits(model, efforts, "max efforts")
    return model._variant(annotations=dataclasses.replace(model._annotations, max_efforts=given))


def _limits(model: ModelData, values: npt.ArrayLike, name: str) -> tuple[float, ...]:
    """Return one limit per joint; infinities pass, NaN does not."""
    limits = row(values, model.dof, name, JointVectorError, one_for_all=True)
    joints = model.joint_names
    check_each(limits, limits > 0.0, name, "a limit above 0", JointVectorError, joints=joints)
    return tuple(limits.tolist())
