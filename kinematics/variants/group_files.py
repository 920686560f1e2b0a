"""From the names in a file of groups to the joints of one robot; all problems are noted."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Literal

from armwright.hrdf.findings import Findings, Spot
from armwright.hrdf.limits import MAX_GROUP_VALUES, MAX_STATE_VALUES
from armwright.hrdf.semantics import Member, Mention, NamedGroup, NamedState, Role, Semantics
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.robot import PARENT, Annotations, Group, ModelData

_BASE_NAMES = ("base", "world")
GroupKind = Literal["arm", "chain", "group", "leg"]


def annotations_of(model: ModelData, semantics: Semantics, findings: Findings) -> Annotations:
    """Return what a robot has with the groups and configurations of a file; notes all problems.

    Args:
        model: The robot.
        semantics: What the file says.
        findings: Where problems are noted.
    """
    file = _File(model, findings)
    for group in semantics.groups:
        file.declare(group)
    for name in file.groups:
        file.resolve(name)
    shapes = {name: file.shape(name) for name in file.groups}
    names: dict[Role, tuple[str, ...]] = {}
    for role, members in semantics.roles.items():
        names[role] = tuple(file.role(role, member, shapes) for member in members)
    for state in semantics.states:
        file.state(state)
    for mention in semantics.mentions:
        file.mention(mention)
    passive = file.passive(semantics.passive)
    if not file.states_fit():
        return model._annotations
    file.warn_of_limits()
    return replace(
        model._annotations,
        groups=tuple(file.group(name, shapes[name]) for name in file.groups),
        arms=names.get("arms", ()),
        legs=names.get("legs", ()),
        configurations=tuple(
            (name, tuple(values.get(joint, 0.0) for joint in range(model.dof)))
            for name, values in file.states.items()
        ),
        passive=passive,
    )


class _File:
    """The names of one file while they are looked up.

    Attributes:
        groups: Every group by its name.
        joints: Joint numbers of the groups that have been resolved.
        states: Joint number to value of every named state.
    """

    def __init__(self, model: ModelData, findings: Findings) -> None:
        self._model = model
        self._findings = findings
        self._numbers = {name: number for number, name in enumerate(model.joint_names)}
        self._state_groups: set[tuple[str, str | None]] = set()
        self._state_spots: dict[str, Spot] = {}
        self._value_spots: dict[tuple[str, int], Spot] = {}
        self._roles: dict[str, Role] = {}
        self._parents = [int(parent) for parent in model._rows[:, PARENT]]
        self._room = MAX_GROUP_VALUES
        self._order: dict[str, int] = {}
        self._states_of: dict[int, list[str]] = {}
        self.groups: dict[str, NamedGroup] = {}
        self.joints: dict[str, frozenset[int]] = {}
        self.states: dict[str, dict[int, float]] = {}

    def declare(self, group: NamedGroup) -> None:
        """Take a group, unless its name is taken."""
        first = self.groups.setdefault(group.name, group)
        if first is not group:
            text = f"group {group.name!r} is there already, in line {first.where.line}"
            self._findings.error(group.where, text + ". Give it another name")

    def resolve(self, name: str) -> None:
        """Find the joints of a group, after those of the groups in it."""
        path: dict[str, tuple[Iterator[Member], set[int]]] = {}

        def enter(group: str) -> None:
            path[group] = (iter(self.groups[group].members), set())

        if name not in self.joints:
            enter(name)
        while path:
            current = next(reversed(path))
            members, found = path[current]
            for member in members:
                inner = member.names[0]
                if member.kind != "group":
                    found.update(self._members(member))
                elif inner in self.joints:
                    found.update(self.joints[inner])
                elif inner in path:
                    loop = [*list(path)[list(path).index(inner) :], inner]
                    text = f"the group contains itself: {' -> '.join(loop)}"
                    self._findings.error(member.where, text)
                elif self._known_group(member):
                    # It is done first; this member is met again through joints then.
                    path[current] = (_again(member, members), found)
                    enter(inner)
                    break
            else:
                self.joints[current] = self._within_bounds(current, found)
                del path[current]

    def _within_bounds(self, name: str, found: set[int]) -> frozenset[int]:
        """Return the joints of a group, none once all groups together have too many."""
        self._room -= len(found)
        if self._room >= 0:
            return frozenset(found)
        text = f"all groups together have more joints than the limit of {MAX_GROUP_VALUES}"
        self._findings.error(self.groups[name].where, text)
        return frozenset()

    def states_fit(self) -> bool:
        """Tell whether all named states can be kept; notes when they are too many."""
        uses = Counter(joint for joints in self.joints.values() for joint in joints)
        of_groups = sum(uses[joint] for values in self.states.values() for joint in values)
        dense = len(self.states) * self._model.dof // 10  # small numbers, and most of them 0
        if max(of_groups, dense) <= MAX_STATE_VALUES:
            return True
        text = "the named states hold more values than the limit of"
        where = next(iter(self.groups.values())).where if self.groups else Spot()
        self._findings.error(Spot(where.file), f"{text} {MAX_STATE_VALUES}")
        return False

    def shape(self, name: str) -> GroupKind:
        """Return whether the joints of a group hang one on the other."""
        joints = sorted(self.joints[name])
        parents = self._parents
        follow = all(parents[after + 1] - 1 == before for before, after in pairwise(joints))
        return "chain" if joints and follow else "group"

    def role(self, role: Role, member: Member, shapes: dict[str, GroupKind]) -> str:
        """Note what is wrong with a group as an arm, a chain or a leg; mark it as that."""
        name = member.names[0]
        what = role[:-1]
        if not self._known_group(member):
            return name
        if self._roles.get(name) == role:
            self._findings.error(member.where, f"group {name!r} is in {role} twice")
        elif name in self._roles and role != "chains" and self._roles[name] != "chains":
            text = f"group {name!r} is in {self._roles[name]} and in {role}. Keep one of them"
            self._findings.error(member.where, text)
        elif shapes[name] == "group":
            text = f"group {name!r} cannot be a {what}: its joints do not hang one on the other"
            self._findings.error(member.where, text.replace("a arm", "an arm"))
        elif role == "arms":
            shapes[name] = "arm"
        elif role == "legs":
            shapes[name] = "leg"
        self._roles.setdefault(name, role)
        return name

    def state(self, state: NamedState) -> None:
        """Take the values of a named state."""
        if (state.name, state.group) in self._state_groups:
            of = "" if state.group is None else f" of group {state.group!r}"
            self._findings.error(state.where, f"state {state.name!r}{of} is given twice. Keep one")
            return
        self._state_groups.add((state.name, state.group))
        inside = None
        if state.group is not None:
            if state.group not in self.groups:
                known = self._findings.near(state.group, self.groups) or self._no_groups()
                text = f"there is no group {state.group!r}.{known}"
                self._findings.error(state.where, text, attribute="group")
            else:
                inside = self.joints[state.group]
        values = self.states.setdefault(state.name, {})
        self._state_spots.setdefault(state.name, state.where)
        mine: set[int] = set()
        for one in state.values:
            number = self._joint(one.joint, one.where)
            if number is None:
                continue
            name = self._model.joint_names[number]
            if inside is not None and number not in inside:
                members = [self._model.joint_names[joint] for joint in sorted(inside)]
                text = f"joint {name!r} is not in group {state.group!r}."
                self._findings.error(one.where, text + self._findings.near(name, members))
            elif number in mine:
                self._findings.error(one.where, f"joint {name!r} is given twice in this state")
            elif values.get(number, one.value) != one.value:
                text = (
                    f"state {state.name!r} sets joint {name!r} to {one.value:g} here and to "
                    f"{values[number]:g} in line {self._value_spots[state.name, number].line}: "
                    "states of one name are one configuration. Give one of them another name"
                )
                self._findings.error(one.where, text)
            mine.add(number)
            # The first value stays, so that later ones are compared with it.
            values.setdefault(number, one.value)
            self._value_spots.setdefault((state.name, number), one.where)

    def warn_of_limits(self) -> None:
        """Warn of states beyond the position limits of their joints, named ones or those at 0."""
        lower, upper = (limit.tolist() for limit in self._model.position_limits)
        bounds = list(enumerate(zip(lower, upper, strict=True)))
        no_zero = [joint for joint, (low, high) in bounds if not low <= 0.0 <= high]
        for state, values in self.states.items():
            for joint in (*values, *(joint for joint in no_zero if joint not in values)):
                value, low, high = values.get(joint, 0.0), lower[joint], upper[joint]
                slack = 1e-9 * (1.0 + abs(value))  # a limit that was rounded in a file is no fault
                if low - slack <= value <= high + slack:
                    continue
                text = f"state {state!r}: joint {self._model.joint_names[joint]!r} "
                if joint in values:
                    text += f"at {value:g} is beyond its limits, {low:g} to {high:g}"
                else:
                    text += (
                        f"is not named, and 0 is beyond its limits, {low:g} to {high:g}. Name it"
                    )
                where = self._value_spots.get((state, joint), self._state_spots[state])
                self._findings.warning(where, text)

    def passive(self, members: tuple[Member, ...]) -> tuple[int, ...]:
        """Return the numbers of passive joints, ascending; notes those that are not there."""
        found: dict[int, Spot] = {}
        for member in members:
            number = self._joint(member.names[0], member.where)
            if number is None:
                continue
            if number in found:
                text = f"passive joint {member.names[0]!r} is there already, in line "
                self._findings.error(member.where, f"{text}{found[number].line}. Keep one of them")
            found.setdefault(number, member.where)
        return tuple(sorted(found))

    def mention(self, mention: Mention) -> None:
        """Note a link or a group that is named and not there."""
        name, where = mention.name, mention.where
        if mention.kind == "group" and name not in self.groups:
            known = self._findings.near(name, self.groups) or self._no_groups()
            text = f"there is no group {name!r}.{known}"
            self._findings.error(where, text, attribute=mention.attribute)
        elif mention.kind == "link" and name not in self._model.tags and name not in _BASE_NAMES:
            known = self._findings.near(name, [*self._model.tags, *_BASE_NAMES])
            text = f"no element has the tag {name!r}.{known}"
            self._findings.error(where, text, attribute=mention.attribute)

    def _no_groups(self) -> str:
        """Return what to say where a group is missed in a file without any."""
        return "" if self.groups else " The file has no groups"

    def group(self, name: str, shape: GroupKind) -> Group:
        """Make a group, which has been resolved."""
        joints = tuple(sorted(self.joints[name]))
        members = self.groups[name].members
        ends: tuple[str | None, ...] = (None, None)
        if len(members) == 1 and members[0].kind == "chain":
            ends = members[0].names
        names = self._model.joint_names
        states = []
        mentioned = {state for joint in joints for state in self._of_joint().get(joint, ())}
        for state in sorted(mentioned, key=self._order.__getitem__):
            values = self.states[state]
            mine = tuple((names[joint], values[joint]) for joint in joints if joint in values)
            states.append((state, mine))
        return Group(
            name=name,
            kind=shape,
            joints=joints,
            joint_names=tuple(names[joint] for joint in joints),
            base=ends[0],
            tip=ends[1],
            state_values=tuple(states),
        )

    def _of_joint(self) -> dict[int, list[str]]:
        """Return the states that set each joint."""
        if not self._order and self.states:
            self._order = {state: number for number, state in enumerate(self.states)}
            for state, values in self.states.items():
                for joint in values:
                    self._states_of.setdefault(joint, []).append(state)
        return self._states_of

    def _members(self, member: Member) -> set[int]:
        """Return the joints that a joint, a link or a chain brings."""
        if member.kind == "joint":
            number = self._joint(member.names[0], member.where)
            return set() if number is None else {number}
        if member.kind == "link":
            # As in SRDF: the joint that moves the link, unless it is fixed to the base.
            row = self._row(member.names[0], member, "output")
            return {row - 1} if row else set()
        first, last = member.names
        base, tip = self._row(first, member, "input"), self._row(last, member, "output")
        return set() if base is None or tip is None else self._between(member, base, tip)

    def _between(self, member: Member, base: int, tip: int) -> set[int]:
        """Return the joints of a chain, from the body of its first link to that of its last."""
        first, last = member.names
        path = self._path(tip, base)
        if base not in path:
            text = f"{last!r} does not hang on {first!r}, so there is no chain between them"
            if tip in self._path(base, tip):
                text += ". The link nearer to the base comes first"
            self._findings.error(member.where, text)
            return set()
        found = {row - 1 for row in path[: path.index(base)]}
        if not found:
            text = f"there is no joint between {first!r} and {last!r}"
            self._findings.error(member.where, text)
        return found

    def _path(self, row: int, end: int) -> list[int]:
        """Return the bodies from one back to another, or to the first one before that."""
        path = [row]
        while path[-1] > end:  # parents come before their children
            path.append(self._parents[path[-1]])
        return path

    def _joint(self, name: str, where: Spot) -> int | None:
        """Return the number of a joint; notes when there is none."""
        if name in self._numbers:
            return self._numbers[name]
        text = f"there is no joint {name!r}."
        if name in self._model.tags:
            what = self._model.elements[self._model.tags[name]].kind
            text = f"{name!r} is no joint, but {'an' if what[0] in 'aeiou' else 'a'} {what}."
        self._findings.error(where, text + self._findings.near(name, self._numbers))
        return None

    def _known_group(self, member: Member) -> bool:
        """Tell whether a member names a group; notes when it does not."""
        name = member.names[0]
        if name in self.groups:
            return True
        known = self._findings.near(name, self.groups) or self._no_groups()
        self._findings.error(member.where, f"there is no group {name!r}.{known}")
        return False

    def _row(self, name: str, member: Member, side: str) -> int | None:
        """Return the body that a link belongs to, before or behind its joint when it has one."""
        number = self._model.tags.get(name)
        if number is None:
            if name in _BASE_NAMES:
                return 0
            known = self._findings.near(name, [*self._model.tags, *_BASE_NAMES])
            self._findings.error(member.where, f"no element has the tag {name!r}.{known}")
            return None
        joints = self._model.joint_elements
        if side == "output" and number in joints:
            return joints.index(number) + 1
        return int(self._model._compiled.frames[FrameType.INPUT][number, 0])


def _again(member: Member, rest: Iterator[Member]) -> Iterator[Member]:
    """Put a member back in front of the others."""
    yield member
    yield from rest
