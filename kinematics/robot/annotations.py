"""What a model knows beside its description: groups, named configurations, declared limits.

Tuples throughout, so that it compares, hashes and pickles by content.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from .group import Group

Configurations = tuple[tuple[str, tuple[float, ...]], ...]
FrameKind = Literal["body", "joint", "operational", "sensor"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a named frame is.

    Attributes:
        name: Its name.
        kind: What it is.
        element: Number of the element that has it.
        side: Whether it is the element's input frame or its output frame.
    """

    name: str
    kind: FrameKind
    element: int
    side: Literal["input", "output"]


@dataclass(frozen=True, slots=True)
class Extras:
    """Additions to a description.

    Attributes:
        groups: Groups of joints, in document order.
        arms: Names of those that are arms, in their order.
        legs: Names of those that are legs, in their order.
        configurations: Names and joint positions, (dof,) each.
        places: Named frames, when they are not simply those of tagged elements; None: they are.
        max_speeds: In place of those of the description, (dof,); None: those.
        max_efforts: Likewise.
        free_flyer: Whether the base was declared free to move.
        floating_base: Type and number of the frame that is the base when it is free to move; None:
            where the first element is attached.
    """

    groups: tuple[Group, ...] = ()
    arms: tuple[str, ...] = ()
    legs: tuple[str, ...] = ()
    configurations: Configurations = ()
    places: tuple[Place, ...] | None = None
    max_speeds: tuple[float, ...] | None = None
    max_efforts: tuple[float, ...] | None = None
    free_flyer: bool = False
    floating_base: tuple[str, int] | None = None

    def take(self, elements: range, joints: Sequence[int], names: Sequence[str]) -> "Extras":
        """Return what remains for a robot that has some of the elements alone.

        Groups stay when they are there whole; the robot stands on the ground.

        Args:
            elements: Numbers of these elements.
            joints: Numbers of their joints, ascending.
            names: What these are called now.
        """
        numbers = {joint: number for number, joint in enumerate(joints)}
        groups = tuple(
            _moved(group, tuple(numbers[joint] for joint in group.joints), names)
            for group in self.groups
            if numbers.keys() >= set(group.joints)
        )
        kept = {group.name for group in groups}
        return Extras(
            groups=groups,
            arms=tuple(name for name in self.arms if name in kept),
            legs=tuple(name for name in self.legs if name in kept),
            configurations=tuple(
                (name, tuple(values[joint] for joint in joints))
                for name, values in self.configurations
            ),
            places=None
            if self.places is None
            else tuple(
                replace(place, element=place.element - elements.start)
                for place in self.places
                if place.element in elements
            ),
            max_speeds=_some(self.max_speeds, joints),
            max_efforts=_some(self.max_efforts, joints),
        )


NO_EXTRAS = Extras()


def _moved(group: "Group", joints: tuple[int, ...], names: Sequence[str]) -> "Group":
    """Return a group whose joints have other numbers and names."""
    called = {old: names[joint] for old, joint in zip(group.joint_names, joints, strict=True)}
    return replace(
        group,
        joints=joints,
        joint_names=tuple(called.values()),
        state_values=tuple(
            (state, tuple((called[old], value) for old, value in values))
            for state, values in group.state_values
        ),
    )


def _some(values: tuple[float, ...] | None, joints: Sequence[int]) -> tuple[float, ...] | None:
    """Return the values of some joints."""
    return None if values is None else tuple(values[joint] for joint in joints)
