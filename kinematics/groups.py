"""Joints with a common name: groups, chains, arms and legs, and configurations with a name."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from armwright.errors import FrameNotFoundError, ModelError, did_you_mean
from armwright.hrdf.findings import Findings
from armwright.hrdf.semantics import beside, read_semantics

from .core import ModelCore, ModelT
from .inputs import read_only
from .transforms import FloatArray, short

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
        return MappingProxyType(
            {name: MappingProxyType(dict(values)) for name, values in self.state_values}
        )

    def __len__(self) -> int:
        return len(self.joints)


class Groups(ModelCore):
    """Groups of joints and named configurations."""

    __slots__ = ()

    @property
    def groups(self) -> Mapping[str, Group]:
        """Every group by its name, in document order; none until ``with_groups`` reads some."""
        return MappingProxyType({group.name: group for group in self._extras.groups})

    @property
    def arms(self) -> tuple[Group, ...]:
        """The groups that are arms, in the order that the file gives them."""
        return tuple(self.groups[name] for name in self._extras.arms)

    @property
    def legs(self) -> tuple[Group, ...]:
        """The groups that are legs, in the order that the file gives them."""
        return tuple(self.groups[name] for name in self._extras.legs)

    @property
    def reference_configurations(self) -> Mapping[str, FloatArray]:
        """Joint positions with a name, each of shape (dof,), read-only [rad or m].

        Joints that a state does not name are at 0; ``groups[...].states`` has the named ones
        alone.
        """
        return MappingProxyType(
            {name: read_only(values) for name, values in self._extras.configurations}
        )

    def chain(self, name: str) -> Group:
        """Return a group whose joints hang one on the other: a chain, an arm or a leg.

        Raises:
            FrameNotFoundError: If there is no such group, or it is not a chain.
        """
        chains = [group.name for group in self._extras.groups if group.kind != "group"]
        if isinstance(name, str) and name in self.groups:
            group = self.groups[name]
            if group.kind != "group":
                return group
            raise FrameNotFoundError(
                f"chain: group {name!r} is no chain, its joints do not hang one on the other."
                + did_you_mean(name, chains)
            )
        hint = did_you_mean(str(name), chains) or _no_groups("chains")
        raise FrameNotFoundError(f"chain: there is no chain {short(name)}.{hint}")

    def arm(self, index: int) -> Group:
        """Return an arm by its number, from 0, in the order that the file gives them.

        Raises:
            FrameNotFoundError: If there is no such arm.
        """
        return _numbered(self.arms, index, "arm")

    def leg(self, index: int) -> Group:
        """Return a leg by its number, from 0, in the order that the file gives them.

        Raises:
            FrameNotFoundError: If there is no such leg.
        """
        return _numbered(self.legs, index, "leg")

    def with_groups(self: ModelT, path: str | os.PathLike[str] | None = None) -> ModelT:
        """Return the same robot with the groups and named configurations of a file.

        They replace what the model had of both. Names of joints are those of ``joint_names``;
        links are elements, named by their tags. A chain runs from the input of its first link to
        the output of its last one; "base" and "world" stand for the robot's base, unless an
        element has that tag.

        Args:
            path: An SRDF file (.srdf) or a groups file (.yaml, .yml; docs/models.md has its
                form). None: the one beside the robot's own file, arm.srdf or arm.groups.yaml
                for arm.hrdf.

        Raises:
            HrdfError: If something in the file is wrong, or does not fit the robot; lists it all.
            ModelError: If there is no path and no file, or several, beside the robot's own.
        """
        from .group_files import extras_of

        if not isinstance(path, str | os.PathLike | None):
            raise ModelError(f"with_groups: expected a path, got {short(path)}")
        findings = Findings()
        semantics = read_semantics(_found(self) if path is None else path, findings)
        extras = extras_of(self, semantics, findings)
        findings.raise_errors()
        return self._variant(extras=extras)


def _numbered(groups: tuple[Group, ...], index: object, what: str) -> Group:
    """Return one of the arms or legs."""
    if isinstance(index, bool) or not isinstance(index, int):
        raise FrameNotFoundError(f"{what}: expected a whole number from 0, got {short(index)}")
    if 0 <= index < len(groups):
        return groups[index]
    if not groups:
        raise FrameNotFoundError(f"{what}: got {index}, but the robot has none.{_no_groups(what)}")
    listed = ", ".join(f"{i} ({group.name})" for i, group in enumerate(groups))
    raise FrameNotFoundError(f"{what}: expected one of {listed}, got {index}")


def _no_groups(what: str) -> str:
    """Return how a robot gets groups."""
    return f" with_groups(path) reads {what.rstrip('s')}s from an SRDF or YAML file"


def _found(model: ModelCore) -> str:
    """Return the file of groups beside the robot's own file."""
    files = model.description.files
    if not files or files[0] == "<text>":
        raise ModelError("with_groups: the robot was not read from a file. Give the path")
    found = beside(files[0])
    if len(found) == 1:
        return found[0]
    if found:
        raise ModelError(f"with_groups: there are {' and '.join(found)}. Give the path")
    raise ModelError(
        f"with_groups: there is no .srdf or .groups.yaml beside {files[0]}. Give the path"
    )
