"""Joints by name and number: matrices that pick some of them, joint values as mappings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from armwright.errors import FrameNotFoundError, JointVectorError, ModelError, did_you_mean
from armwright.kinematics.arrays import (
    FloatArray,
    JointValues,
    is_row,
    joint_vector,
    number,
    numeric,
    one_of,
    row,
    short,
    true_or_false,
    whole_number,
)
from armwright.kinematics.robot import Group, ModelData

from .groups import groups, reference_configurations

Joints = str | int | Group | Sequence[str | int]


def joint_index(model: ModelData, joint: str | int) -> int:
    """Return the place of a joint in q, from 0.

    Args:
        joint: Its name, or already its number.

    Raises:
        FrameNotFoundError: If there is no such joint; the message has near names.
    """
    if isinstance(joint, str):
        if joint in model.joint_names:
            return model.joint_names.index(joint)
        if joint in model.tags:
            element = model.tags[joint]
            if element in model.joint_elements:
                called = model.joint_names[model.joint_elements.index(element)]
                raise FrameNotFoundError(
                    f"joint: {short(joint)} is the tag of the joint that is called {called!r}"
                )
            what = model.elements[element].kind
            article = "an" if what[0] in "aeiou" else "a"
            text = f"joint: {short(joint)} is no joint, but {article} {what}."
        else:
            text = f"joint: there is no joint {short(joint)}."
        known = did_you_mean(joint, model.joint_names) or " The robot has no joints"
        raise FrameNotFoundError(text + known)
    place = whole_number(joint, "joint", None, FrameNotFoundError, expected="a name or a number")
    if not 0 <= place < model.dof:
        known = f"0 to {model.dof - 1}" if model.dof else "none, as the robot has no joints"
        raise FrameNotFoundError(f"joint: expected {known}, got {short(place)}")
    return place


def joint_indices(model: ModelData, joints: Joints, *, full: bool = False) -> tuple[int, ...]:
    """Return the places of some joints in q; ``q[..., model.joint_indices("arm")]``.

    Args:
        joints: A group or its name, a joint's name or number, or a list of them.
        full: Whether the places are those in the velocity of a floating state, dof + 6, where the
            base's six numbers come first.

    Raises:
        FrameNotFoundError: If there is no such group or joint.
        ModelError: If a joint is named twice, or a name is that of a group and of a joint.
    """
    if true_or_false(full, "full"):
        return tuple(place + 6 for place in joint_indices(model, joints))
    if isinstance(joints, Group):
        if groups(model).get(joints.name) != joints:
            raise FrameNotFoundError(
                f"joints: group {joints.name!r} is not one of this model's."
                + did_you_mean(joints.name, groups(model))
            )
        return joints.joints
    if isinstance(joints, str):
        return _named_joints(model, joints)
    if isinstance(joints, int | np.integer):
        return (joint_index(model, joints),)
    if not is_row(joints):
        raise FrameNotFoundError(
            f"joints: expected a group, a joint or a list of joints, got {short(joints)}"
        )
    found = tuple(joint_index(model, joint) for joint in joints)
    for count, place in enumerate(found):
        if place in found[:count]:
            raise ModelError(f"joints: {model.joint_names[place]!r} is there twice")
    return found


def selection(model: ModelData, joints: Joints, *, full: bool = False) -> FloatArray:
    """Return the matrix S that picks some joints: S @ q are theirs, S.T puts them back.

    Args:
        joints: A group or its name, a joint's name or number, or a list of them.
        full: Whether it is as wide as the velocity of a floating state, dof + 6: the base's six
            columns come first, and are 0.

    Returns:
        Shape (k, dof), or (k, dof + 6), of zeros and ones, for k joints.

    Raises:
        FrameNotFoundError: If there is no such group or joint.
        ModelError: If a joint is named twice, or a name is that of a group and of a joint.
    """
    before = 6 if true_or_false(full, "full") else 0
    picked = np.array(joint_indices(model, joints), dtype=np.intp) + before
    chosen: FloatArray = np.eye(model.dof + before)[picked]
    return chosen


def mask_jacobian(
    model: ModelData,
    J: npt.ArrayLike,
    joints: Joints | None = None,
    *,
    keep: Joints | None = None,
    drop: Joints | None = None,
) -> FloatArray:
    """Return a Jacobian in which only some joints move: the other columns are 0.

    Args:
        J: Shape (..., dof), or (..., 6 + dof) for a floating base; any number of rows.
        joints: The joints that move: the same as ``keep``.
        keep: The joints that move; all other columns become 0, those of a base as well. A group
            or its name, a joint's name or number, or a list of them.
        drop: Instead, the joints that do not: only their columns become 0.

    Returns:
        A fresh array of the shape of J.

    Raises:
        FrameNotFoundError: If there is no such group or joint.
        ModelError: If J has another number of columns or is not numeric, or not exactly one of
            joints, keep and drop was given.
    """
    given = [one for one in (joints, keep, drop) if one is not None]
    if len(given) != 1:
        raise ModelError(
            f"mask_jacobian: expected one of joints, keep and drop, got {len(given) or 'none'}"
        )
    picked = np.array(joint_indices(model, given[0]), dtype=np.intp)
    full = numeric(J)
    if full is None or full.ndim < 1 or full.shape[-1] not in (model.dof, model.dof + 6):
        got = short(J) if full is None else f"shape {full.shape}"
        raise ModelError(
            f"J: expected a matrix of {model.dof} columns ({model.dof + 6} with a floating "
            f"base), got {got}"
        )
    moves = np.full(full.shape[-1], drop is not None)
    moves[picked + (full.shape[-1] - model.dof)] = drop is None
    masked: FloatArray = np.where(moves, full, 0.0)
    return masked


@overload
def to_map(
    model: ModelData,
    q: JointValues,
    joints: Joints | None = None,
    *,
    by: Literal["name"] = "name",
) -> dict[str, float]: ...


@overload
def to_map(
    model: ModelData, q: JointValues, joints: Joints | None = None, *, by: Literal["number"]
) -> dict[int, float]: ...


def to_map(
    model: ModelData,
    q: JointValues,
    joints: Joints | None = None,
    *,
    by: Literal["name", "number"] = "name",
) -> dict[str, float] | dict[int, float]:
    """Return joint values as a mapping; ``from_map`` is the way back.

    Args:
        q: Joint values of any kind, shape (dof,).
        joints: Which ones; None: all. A group or its name, a joint's name or number, or a
            list of them.
        by: "name": joint names are the keys, "number": places in q.

    Raises:
        JointVectorError: If q has the wrong length or is not finite.
        FrameNotFoundError: If there is no such group or joint.
    """
    values = joint_vector(q, model.dof, joints=model.joint_names).tolist()
    places = range(model.dof) if joints is None else joint_indices(model, joints)
    if one_of(by, ("name", "number"), "by") == "number":
        return {place: values[place] for place in places}
    return {model.joint_names[place]: values[place] for place in places}


def from_map(
    model: ModelData,
    values: Mapping[Any, float],
    default: npt.ArrayLike | str | None = None,
) -> FloatArray:
    """Return joint values from a mapping of some joints.

    Args:
        values: Joint name or number to value.
        default: What the other joints have: one number, a vector of shape (dof,), or the
            name of a reference configuration. None: every joint must be in the mapping.

    Returns:
        A fresh array, shape (dof,).

    Raises:
        FrameNotFoundError: If there is no such joint or reference configuration.
        JointVectorError: If a joint is missing and there is no default, a joint is there by
            name and by number, or a value is not a finite number.
    """
    if not isinstance(values, Mapping):
        raise JointVectorError(f"values: expected a mapping of joints, got {short(values)}")
    given: dict[int, float] = {}
    for key, value in values.items():
        place = joint_index(model, key)
        name = model.joint_names[place]
        if place in given:
            raise JointVectorError(
                f"joint {short(name)} is there twice, by name and by number {place}"
            )
        given[place] = number(value, f"joint {short(name)}", error=JointVectorError)
    missing = [name for place, name in enumerate(model.joint_names) if place not in given]
    if default is None and missing:
        raise JointVectorError(
            f"values: expected {model.dof} joints, got {len(given)}; missing: "
            f"{', '.join(missing)}. Give them, or a default"
        )
    q = np.zeros(model.dof) if default is None else _default(model, default)
    q[list(given)] = list(given.values())
    return joint_vector(q, model.dof, "values")


def _default(model: ModelData, default: npt.ArrayLike | str) -> FloatArray:
    """Return the values that joints have when nothing is said of them, shape (dof,)."""
    if isinstance(default, str):
        known = reference_configurations(model)
        if default not in known:
            hint = did_you_mean(default, known) or " The robot has none"
            raise FrameNotFoundError(
                f"default: there is no reference configuration {short(default)}.{hint}"
            )
        return known[default].copy()
    values = row(default, model.dof, "default", JointVectorError, one_for_all=True)
    return joint_vector(values, model.dof, "default")


def _named_joints(model: ModelData, name: str) -> tuple[int, ...]:
    """Return the joints of a group, or the joint, of that name."""
    if name in groups(model):
        group = groups(model)[name].joints
        if name in model.joint_names and group != (joint_index(model, name),):
            raise ModelError(
                f"joints: {name!r} is a group and a joint. Say model.groups[{name!r}] or [{name!r}]"
            )
        return group
    if name not in model.joint_names and groups(model):
        known = did_you_mean(name, [*groups(model), *model.joint_names])
        raise FrameNotFoundError(f"joints: there is no group or joint {short(name)}.{known}")
    return (joint_index(model, name),)
