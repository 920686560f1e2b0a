"""What a model knows beside its description: groups and named configurations.

Tuples throughout, so that it compares, hashes and pickles by content.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .groups import Group

Configurations = tuple[tuple[str, tuple[float, ...]], ...]


@dataclass(frozen=True, slots=True)
class Extras:
    """Additions to a description.

    Attributes:
        groups: Groups of joints, in document order.
        arms: Names of those that are arms, in their order.
        legs: Names of those that are legs, in their order.
        configurations: Names and joint positions, (dof,) each.
    """

    groups: "tuple[Group, ...]" = ()
    arms: tuple[str, ...] = ()
    legs: tuple[str, ...] = ()
    configurations: Configurations = ()

    def take(self, joints: Sequence[int], names: Sequence[str]) -> "Extras":
        """Return what remains for a robot that has some of the joints alone.

        Groups stay when they are there whole.

        Args:
            joints: Numbers of these joints, ascending.
            names: What they are called now.
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
