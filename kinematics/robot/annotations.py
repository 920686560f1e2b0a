"""What a model knows beside its description: groups, named configurations, declared limits.

Tuples throughout, so that it compares, hashes and pickles by content.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from armwright.reprs import one_line_repr

from .group import Group

Configurations = tuple[tuple[str, tuple[float, ...]], ...]
FrameKind = Literal["body", "joint", "operational", "sensor"]


@dataclass(frozen=True, slots=True)
class NamedFrame:
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

    __repr__ = one_line_repr


@dataclass(frozen=True, slots=True)
class Annotations:
    """Additions to a description.

    Attributes:
        groups: Groups of joints, in document order.
        arms: Names of those that are arms, in their order.
        legs: Names of those that are legs, in their order.
        configurations: Names and joint positions, (dof,) each.
        named_frames: Named frames, when they are not simply those of tagged elements; None: they
            are.
        max_speeds: In place of those of the description, (dof,); None: those.
        max_efforts: Likewise.
        free_flyer: Whether the base was declared free to move.
        floating_base: Type and number of the frame that is the base when it is free to move; None:
            where the first element is attached.
        joint_names: In place of tags and numbers, (dof,); None: those.
        gravity: Acceleration of free fall where a call says no other, world axes; None: the usual.
        passive: Numbers of the joints that no motor moves, ascending.
    """

    groups: tuple[Group, ...] = ()
    arms: tuple[str, ...] = ()
    legs: tuple[str, ...] = ()
    configurations: Configurations = ()
    named_frames: tuple[NamedFrame, ...] | None = None
    max_speeds: tuple[float, ...] | None = None
    max_efforts: tuple[float, ...] | None = None
    free_flyer: bool = False
    floating_base: tuple[str, int] | None = None
    joint_names: tuple[str, ...] | None = None
    gravity: tuple[float, float, float] | None = None
    passive: tuple[int, ...] = ()

    def rename(self, names: Sequence[str], old: Sequence[str], own: bool) -> "Annotations":
        """Return the same with other names of joints.

        Args:
            names: What the joints are called from now on.
            old: What they are called so far.
            own: Whether the names differ from those that tags and numbers give.
        """
        called = dict(zip(old, names, strict=True))
        named = self.named_frames
        if named is not None:
            named = tuple(
                replace(one, name=called.get(one.name, one.name)) if one.kind == "joint" else one
                for one in named
            )
        return replace(
            self,
            groups=tuple(_renumber(group, group.joints, names) for group in self.groups),
            named_frames=named,
            joint_names=tuple(names) if own else None,
        )

    def take(self, elements: range, joints: Sequence[int], names: Sequence[str]) -> "Annotations":
        """Return what remains for a robot that has some of the elements alone.

        Groups stay when they are there whole; the robot stands on the ground.

        Args:
            elements: Numbers of these elements.
            joints: Numbers of their joints, ascending.
            names: What these are called by tags and numbers.
        """
        numbers = {joint: number for number, joint in enumerate(joints)}
        own = None
        if self.joint_names is not None:
            kept_names = tuple(self.joint_names[joint] for joint in joints)
            own, names = (None if kept_names == tuple(names) else kept_names), kept_names
        groups = tuple(
            _renumber(group, tuple(numbers[joint] for joint in group.joints), names)
            for group in self.groups
            if numbers.keys() >= set(group.joints)
        )
        kept = {group.name for group in groups}
        return Annotations(
            groups=groups,
            arms=tuple(name for name in self.arms if name in kept),
            legs=tuple(name for name in self.legs if name in kept),
            configurations=tuple(
                (name, tuple(values[joint] for joint in joints))
                for name, values in self.configurations
            ),
            named_frames=None
            if self.named_frames is None
            else tuple(
                replace(one, element=one.element - elements.start)
                for one in self.named_frames
                if one.element in elements
            ),
            max_speeds=_some(self.max_speeds, joints),
            max_efforts=_some(self.max_efforts, joints),
            joint_names=own,
            gravity=self.gravity,
            passive=tuple(numbers[joint] for joint in self.passive if joint in numbers),
        )

    __repr__ = one_line_repr


NO_ANNOTATIONS = Annotations()


def _renumber(group: "Group", joints: tuple[int, ...], names: Sequence[str]) -> "Group":
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
