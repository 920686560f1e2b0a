"""Groups and named states from SRDF, the semantic file that other tools keep beside a robot.

Read are ``group`` and ``group_state``. A group named arms, legs or chains that holds nothing but
groups says which groups are such, and in which order. What SRDF says about collisions, virtual
joints and end effectors is known and skipped; everything else is an error with near names.
"""

from typing import Any

from armwright.hrdf.findings import Findings, Spot
from armwright.hrdf.formula import FormulaError, parse_formula, shorten
from armwright.hrdf.reading import Node

from .semantics import ROLES, JointValue, Member, NamedGroup, NamedState, Semantics

_SKIPPED = (
    "collision_pair",
    "disable_collisions",
    "disable_default_collisions",
    "enable_collisions",
    "end_effector",
    "joint_property",
    "link_sphere_approximation",
    "passive_joint",
    "virtual_joint",
)
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
    for node in root.children:
        if node.tag == "group":
            groups.extend(_group(node, findings))
        elif node.tag == "group_state":
            states.extend(_state(node, findings))
        elif node.tag not in _SKIPPED:
            _unknown(node, ("group", "group_state", *_SKIPPED), findings)
    roles = {
        role: group.members
        for role in ROLES
        for group in groups
        if group.name == role and all(member.kind == "group" for member in group.members)
    }
    return Semantics(tuple(groups), tuple(states), roles)


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
    """Return the required attributes in their order; notes what is wrong and returns None then."""
    before = findings.error_count
    known = (*required, *optional)
    for name in node.attributes:
        if name not in known and not name.startswith("xmlns"):
            text = f"unknown attribute {name!r} of {node.tag}."
            findings.error(node, text + findings.near(name, known), attribute=name)
    for name in required:
        value = node.attributes.get(name)
        if value is None:
            findings.error(node, f"missing; {node.tag} needs it", attribute=name)
        elif not value.strip():
            findings.error(node, "is empty", attribute=name)
    if node.text:
        text = f"{node.tag} holds no text, got {shorten(node.text)}"
        findings.error(node, text)
    if findings.error_count > before:
        return None
    return {name: node.attributes[name] for name in required}


def _no_children(node: Node, findings: Findings) -> None:
    """Note what stands in an element that holds nothing."""
    if node.children:
        child = node.children[0]
        findings.error(child, f"{node.tag} holds no elements, got {shorten(child.tag)}")


def _unknown(node: Node, known: tuple[str, ...], findings: Findings) -> None:
    """Note an element that is not known."""
    findings.error(node, f"unknown element {shorten(node.tag)}." + findings.near(node.tag, known))
