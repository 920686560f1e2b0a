"""Groups and named states from a small YAML file beside the robot.

The form, every key but ``version`` optional::

    version: 1
    groups:
      left_arm: {chain: [shoulders, left_tool]}
      right_arm: {joints: [R1_shoulder, R2_swing]}
      both: {groups: [left_arm, right_arm]}
    arms: [left_arm, right_arm]
    passive_joints: [L4_roll]
    reference_configurations:
      home: {L1_shoulder: 0.3, L2_swing: pi/4}

A group may have several of the keys joints, links, chain and groups; it has the joints of all.
"""

from typing import Literal

from armwright.hrdf.findings import Findings, Spot
from armwright.hrdf.yaml_tree import YamlNode

from .semantics import ROLES, JointValue, Member, NamedGroup, NamedState, Role, Semantics

Kind = Literal["group", "joint", "link"]

_LISTS: dict[str, Kind] = {"groups": "group", "joints": "joint", "links": "link"}
_KEYS = (
    "version",
    "groups",
    "arms",
    "chains",
    "legs",
    "passive_joints",
    "reference_configurations",
)


def read_groups(root: YamlNode, findings: Findings) -> Semantics:
    """Read the tree of a groups file; notes all problems.

    Args:
        root: The root of the file.
        findings: Where problems are noted.
    """
    items = root.mapping(findings, "a groups file", _KEYS)
    if root.kind == "mapping":
        _check_version(root, items.get("version"), findings)
    groups: list[NamedGroup] = []
    states: list[NamedState] = []
    roles: dict[Role, tuple[Member, ...]] = {}
    if "groups" in items:
        for name, node in items["groups"].mapping(findings, "groups").items():
            groups.append(_group(name, node, findings))
    for role in ROLES:
        if role in items:
            roles[role] = tuple(_members(items[role], "group", role, findings))
    if "reference_configurations" in items:
        configurations = items["reference_configurations"]
        for name, node in configurations.mapping(findings, configurations.path).items():
            states.append(_state(name, node, findings))
    passive: list[Member] = []
    if "passive_joints" in items:
        passive = _members(items["passive_joints"], "joint", "passive_joints", findings)
    return Semantics(tuple(groups), tuple(states), roles, tuple(passive))


def _check_version(root: YamlNode, node: YamlNode | None, findings: Findings) -> None:
    """Note a version that is absent or not ours."""
    if node is None:
        findings.error(root, "key version is missing; expected version: 1")
    elif node.kind != "scalar" or node.type != "int" or node.text != "1":
        findings.error(node, f"expected version: 1, got {node.text or node.kind}")


def _group(name: str, node: YamlNode, findings: Findings) -> NamedGroup:
    """Read one group."""
    members: list[Member] = []
    items = node.mapping(findings, f"group {name!r}", ("chain", *_LISTS))
    for key, value in items.items():
        if key != "chain":
            members.extend(_members(value, _LISTS[key], key, findings))
            continue
        entries = value.sequence(findings, "chain")
        if value.kind == "sequence" and len(entries) != 2:
            text = f"chain is its first and its last link, [base, tip], got {len(entries)} names"
            findings.error(value, text)
            continue
        names = [entry.name(findings, "a link of a chain") for entry in entries]
        if entries and None not in names:
            members.append(Member("chain", tuple(n for n in names if n), Spot.of(value)))
    if node.kind == "mapping" and not node.items:
        findings.error(node, f"group {name!r} is empty; expected {', '.join(('chain', *_LISTS))}")
    return NamedGroup(name, tuple(members), Spot.of(node))


def _members(node: YamlNode, kind: Kind, what: str, findings: Findings) -> list[Member]:
    """Read a list of names of one kind."""
    members = []
    for entry in node.sequence(findings, what):
        name = entry.name(findings, f"a name in {what}")
        if name is not None:
            members.append(Member(kind, (name,), Spot.of(entry)))
    return members


def _state(name: str, node: YamlNode, findings: Findings) -> NamedState:
    """Read one configuration."""
    values = []
    for joint, entry in node.mapping(findings, f"configuration {name!r}").items():
        number = entry.number(findings, f"the value of {joint!r}")
        if number is not None:
            values.append(JointValue(joint, number, Spot.of(entry)))
    if node.kind == "mapping" and not node.items:
        findings.error(node, f"configuration {name!r} is empty; expected {{joint: value, ...}}")
    return NamedState(name, None, tuple(values), Spot.of(node))
