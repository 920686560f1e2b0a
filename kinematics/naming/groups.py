"""Joints with a common name: groups, chains, arms and legs, and configurations with a name."""

from __future__ import annotations

from collections.abc import Mapping

from armwright.copies import FixedMapping
from armwright.errors import FrameNotFoundError, did_you_mean
from armwright.kinematics.arrays import FloatArray, read_only, short, whole_number
from armwright.kinematics.robot import Group, ModelData


def groups(model: ModelData) -> Mapping[str, Group]:
    """Every group by its name, in document order; none until ``with_groups`` reads some."""
    return FixedMapping({group.name: group for group in model._annotations.groups})


def arms(model: ModelData) -> tuple[Group, ...]:
    """The groups that are arms, in the order that the file gives them."""
    return tuple(groups(model)[name] for name in model._annotations.arms)


def legs(model: ModelData) -> tuple[Group, ...]:
    """The groups that are legs, in the order that the file gives them."""
    return tuple(groups(model)[name] for name in model._annotations.legs)


def passive_joints(model: ModelData) -> tuple[str, ...]:
    """Names of the joints that a file of groups calls passive, in the order of q.

    No motor moves them. That is a note for who commands the arm: kinematics and dynamics take
    them as any other joint, and they keep their place in q.
    """
    return tuple(model.joint_names[joint] for joint in model._annotations.passive)


def reference_configurations(model: ModelData) -> Mapping[str, FloatArray]:
    """Joint positions with a name, each of shape (dof,), read-only [rad or m].

    States of one name in several groups are one configuration. Joints that none of them names
    are at 0, which ``with_groups`` warns about where 0 is beyond their limits;
    ``groups[...].states`` has the named ones alone.
    """
    return FixedMapping(
        {name: read_only(values) for name, values in model._annotations.configurations}
    )


def chain(model: ModelData, name: str) -> Group:
    """Return a group whose joints hang one on the other: a chain, an arm or a leg.

    Raises:
        FrameNotFoundError: If there is no such group, or it is not a chain.
    """
    chains = [group.name for group in model._annotations.groups if group.kind != "group"]
    if isinstance(name, str) and name in groups(model):
        group = groups(model)[name]
        if group.kind != "group":
            return group
        raise FrameNotFoundError(
            f"chain: group {short(name)} is no chain, its joints do not hang one on the other."
            + did_you_mean(name, chains)
        )
    hint = did_you_mean(name, chains) or _no_groups("chains")
    raise FrameNotFoundError(f"chain: there is no chain {short(name)}.{hint}")


def arm(model: ModelData, index: int) -> Group:
    """Return an arm by its number, from 0, in the order that the file gives them.

    Raises:
        FrameNotFoundError: If there is no such arm.
    """
    return _numbered(arms(model), index, "arm")


def leg(model: ModelData, index: int) -> Group:
    """Return a leg by its number, from 0, in the order that the file gives them.

    Raises:
        FrameNotFoundError: If there is no such leg.
    """
    return _numbered(legs(model), index, "leg")


def _numbered(groups: tuple[Group, ...], index: object, what: str) -> Group:
    """Return one of the arms or legs."""
    number = whole_number(index, what, None, FrameNotFoundError)
    if 0 <= number < len(groups):
        return groups[number]
    if not groups:
        raise FrameNotFoundError(
            f"{what}: got {short(number)}, but the robot has none.{_no_groups(what)}"
        )
    listed = ", ".join(f"{i} ({group.name})" for i, group in enumerate(groups))
    raise FrameNotFoundError(f"{what}: expected one of {listed}, got {short(number)}")


def _no_groups(what: str) -> str:
    """Return how a robot gets groups."""
    return f" with_groups(path) reads {what.rstrip('s')}s from an SRDF or YAML file"
