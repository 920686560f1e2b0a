"""Groups and named states from SRDF, the semantic file that other tools keep beside a robot.

Read are ``group``, ``group_state`` and ``passive_joint``. A group named arms, legs or chains that
holds nothing but groups says which groups are such, and in which order. What SRDF says about
collisions, virtual joints and end effectors is not kept, but the links and groups that it names
have to be there; everything else is an error with near names.
"""

from typing import Any

from armwright.hrdf.findings import Findings, Spot
from armwright.hrdf.formula import FormulaError, parse_formula, shorten
from armwright.hrdf.reading import Node

from .semantics import ROLES, JointValue, Member, Mention, NamedGroup, NamedState, Semantics

# Elements of which nothing is kept: the attributes that each needs, and those that it may have.
_MENTIONING: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "collision_pair": (("link1", "link2"), ("reason",)),
    "disable_collisions": (("link1", "link2"), ("reason",)),
    "disable_default_collisions": (("link",), ()),
    "enable_collisions": (("link1", "link2"), ("reason",)),
    "end_effector": (("name", "parent_link", "group"), ("parent_group",)),
    "virtual_joint": (("name", "type", "parent_frame", "child_link"), ()),
}
_LINKS = ("child_link", "link", "link1", "link2", "parent_link")
_GROUPS = ("group", "parent_group")
_VIRTUAL_TYPES = ("fixed", "floating", "planar")
_SKIPPED = ("joint_property", "link_sphere_approximation")
_ELEMENTS = ("group", "group_state", "passive_joint", *_MENTIONING, *_SKIPPED)
_MEMBERS = {
    "chain": ("base_link", "tip_link"),
    "group": ("name",),
    "joint": ("name",),
    "link": ("name",),
}


def read_srdf(root: Node, findings: Findings) -> Semantics:
    """Read an SRDF tree; notes all problems.

    Args:
        root: The root element.
        findings: Where problems are noted.
    """
    if root.tag != "robot":
        text = f"expected <robot> as the root element of SRDF, got <{shorten(root.tag)}>"
        findings.error(root, text)
        return Semantics()
    _attributes(root, (), findings, optional=("name", "version"))
    groups: list[NamedGroup] = []
    states: list[NamedState] = []
    passive: list[Member] = []
    mentions: list[Mention] = []
    for node in root.children:
        if node.tag == "group":
            groups.extend(_group(node, findings))
        elif node.tag == "group_state":
            states.extend(_state(node, findings))
        elif node.tag == "passive_joint":
            passive.extend(_passive(node, findings))
        elif node.tag in _MENTIONING:
            mentions.extend(_mentions(node, findings))
        elif node.tag not in _SKIPPED:
            _unknown(node, _ELEMENTS, findings)
    roles = {
        role: group.members
        for role in ROLES
        for group in groups
        if group.name == role and all(member.kind == "group" for member in group.members)
    }
    return Semantics(tuple(groups), tuple(states), roles, tuple(passive), tuple(mentions))


def _passive(node: Node, findings: Findings) -> list[Member]:
    """Read one passive joint; an empty list when it has no name."""
    values = _attributes(node, ("name",), findings)
    _no_children(node, findings)
    return [] if values is None else [Member("joint", (values["name"],), Spot.of(node))]


def _mentions(node: Node, findings: Findings) -> list[Mention]:
    """Return the links and groups that an element names of which nothing is kept."""
    required, optional = _MENTIONING[node.tag]
    _attributes(node, required, findings, optional)
    _no_children(node, findings)
    kind = node.attributes.get("type", "fixed")
    if node.tag == "virtual_joint" and kind.strip() and kind not in _VIRTUAL_TYPES:
        text = f"unknown type {shorten(kind)}." + findings.near(kind, _VIRTUAL_TYPES)
        findings.error(node, text, attribute="type")
    found = []
    for name in (*required, *optional):
        value = node.attributes.get(name, "")
        if value.strip() and name in _LINKS:
            found.append(Mention("link", value, name, Spot.of(node)))
        elif value.strip() and name in _GROUPS:
            found.append(Mention("group", value, name, Spot.of(node)))
    return found


def _group(node: Node, findings: Findings) -> list[NamedGroup]:
    """Read one group; an empty list when it has no name."""
    values = _attributes(node, ("name",), findings)
    members = []
    for child in node.children:
        if child.tag not in _MEMBERS:
            _unknown(child, tuple(_MEMBERS), findings)
            continue
        names = _attributes(child, _MEMBERS[child.tag], findings)
        _no_children(child, findings)
        if names is not None:
            kind: Any = child.tag
            members.append(Member(kind, tuple(names.values()), Spot.of(child)))
    if not node.children:
        findings.error(node, "the group is empty; expected joint, link, chain or group in it")
    if values is None:
        return []
    return [NamedGroup(values["name"], tuple(members), Spot.of(node))]


def _state(node: Node, findings: Findings) -> list[NamedState]:
    """Read one named state; an empty list when it cannot be told whose it is."""
    values = _attributes(node, ("name", "group"), findings)
    joints = []
    for child in node.children:
        if child.tag != "joint":
            _unknown(child, ("joint",), findings)
            continue
        pair = _attributes(child, ("name", "value"), findings)
        _no_children(child, findings)
        if pair is None:
            continue
        try:
            number = parse_formula(pair["value"])
        except FormulaError as error:
            text = f"expected one finite number or a formula: {error}"
            findings.error(child, text, attribute="value")
            continue
        joints.append(JointValue(pair["name"], number, Spot.of(child)))
    if not node.children:
        findings.error(node, 'the state is empty; expected <joint name="..." value="..."/> in it')
    if values is None:
        return []
    return [NamedState(values["name"], values["group"], tuple(joints), Spot.of(node))]


def _attributes(
    node: Node, required: tuple[str, ...], findings: Findings, optional: tuple[str, ...] = ()
) -> dict[str, str] | None:
    """Return the required attributes in their order; None when one of them is not there.

    Notes what is wrong. One attribute too many hides none of the others, so that what hangs on
    their names is looked at as well.
    """
    complete = True
    known = (*required, *optional)
    for name in node.attributes:
        if name not in known and not name.startswith("xmlns"):
            text = f"unknown attribute {name!r} of {node.tag}."
            findings.error(node, text + findings.near(name, known), attribute=name)
    for name in required:
        value = node.attributes.get(name)
        if value is None:
            findings.error(node, f"missing; {node.tag} needs it", attribute=name)
            complete = False
        elif not value.strip():
            findings.error(node, "is empty", attribute=name)
            complete = False
    if node.text:
        text = f"{node.tag} holds no text, got {shorten(node.text)}"
        findings.error(node, text)
    return {name: node.attributes[name] for name in required} if complete else None


def _no_children(node: Node, findings: Findings) -> None:
    """Note what stands in an element that holds nothing."""
    if node.children:
        child = node.children[0]
        findings.error(child, f"{node.tag} holds no elements, got {shorten(child.tag)}")


def _unknown(node: Node, known: tuple[str, ...], findings: Findings) -> None:
    """Note an element that is not known."""
    findings.error(node, f"unknown element {shorten(node.tag)}." + findings.near(node.tag, known))
