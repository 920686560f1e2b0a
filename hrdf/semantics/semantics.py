"""What a file says about a robot's joints in groups: names alone, each with its place.

Nothing here knows the robot: whether there are such joints is seen when a model takes the groups.
"""

from dataclasses import dataclass, field
from typing import Literal

from armwright.hrdf.findings import Spot

Role = Literal["arms", "chains", "legs"]
ROLES: tuple[Role, ...] = ("arms", "chains", "legs")


@dataclass(frozen=True, slots=True)
class Member:
    """Something that a group has: a joint, a link, another group, or all between two links.

    Attributes:
        kind: What the names mean.
        names: One name; the first and the last link of a chain.
        where: Where it stands.
    """

    kind: Literal["chain", "group", "joint", "link"]
    names: tuple[str, ...]
    where: Spot


@dataclass(frozen=True, slots=True)
class Mention:
    """A link or a group that is named, and has to be there.

    Attributes:
        kind: What the name means.
        name: The name.
        attribute: The attribute that holds it.
        where: Where it stands.
    """

    kind: Literal["group", "link"]
    name: str
    attribute: str
    where: Spot


@dataclass(frozen=True, slots=True)
class NamedGroup:
    """A group.

    Attributes:
        name: Its name.
        members: What it has, in document order.
        where: Where it stands.
    """

    name: str
    members: tuple[Member, ...]
    where: Spot


@dataclass(frozen=True, slots=True)
class JointValue:
    """A joint and its value in a named state.

    Attributes:
        joint: Name of the joint.
        value: [rad or m].
        where: Where it stands.
    """

    joint: str
    value: float
    where: Spot


@dataclass(frozen=True, slots=True)
class NamedState:
    """A configuration with a name.

    Attributes:
        name: Its name.
        group: The group whose joints it sets; None: any joints.
        values: Values of joints, in document order.
        where: Where it stands.
    """

    name: str
    group: str | None
    values: tuple[JointValue, ...]
    where: Spot


@dataclass(frozen=True, slots=True)
class Semantics:
    """Everything that a file says.

    Attributes:
        groups: In document order.
        states: In document order.
        roles: For "arms", "chains" and "legs" the groups that are such, in their order.
        passive: Joints that no motor moves, in document order.
        mentions: Links and groups that are named where nothing is kept of it, such as pairs that
            may touch: they have to be there, and that is all.
    """

    groups: tuple[NamedGroup, ...] = ()
    states: tuple[NamedState, ...] = ()
    roles: dict[Role, tuple[Member, ...]] = field(default_factory=dict)
    passive: tuple[Member, ...] = ()
    mentions: tuple[Mention, ...] = ()
