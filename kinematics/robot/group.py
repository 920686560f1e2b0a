"""Joints with a common name, as a value."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from armwright.copies import FixedMapping
from armwright.reprs import one_line_repr

Values = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Joints with a common name.

    Attributes:
        name: Its name.
        kind: "arm" and "leg" as the file says; "chain": each joint hangs on the one before;
            "group": anything else.
        joints: Numbers of its joints in q, ascending, which is depth first.
        joint_names: Their names.
        base: Tag of its first link, or None when it was not given by two links.
        tip: Tag of its last link, or None; for an arm often the end effector.
        state_values: The named states that set joints of it, as tuples; see ``states``.
    """

    name: str
    kind: Literal["arm", "chain", "group", "leg"]
    joints: tuple[int, ...]
    joint_names: tuple[str, ...]
    base: str | None = None
    tip: str | None = None
    state_values: tuple[tuple[str, Values], ...] = ()

    @property
    def states(self) -> Mapping[str, Mapping[str, float]]:
        """Joint name to value [rad or m] in every named state that sets joints of the group."""
        return FixedMapping(
            {name: FixedMapping(dict(values)) for name, values in self.state_values}
        )

    def __len__(self) -> int:
        return len(self.joints)

    __repr__ = one_line_repr
