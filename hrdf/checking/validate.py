"""The rules that a robot must keep, whoever made it: reader, builder and writer ask here.

Each rule is a function of elements; what is wrong is noted in ``Findings`` with the element's
own place. ``check_description`` applies all of them to a whole robot.
"""

from typing import TypeGuard

from armwright.hrdf.catalog import Catalog
from armwright.hrdf.elements import Bracket, Element, EndEffector, RigidBody, RobotDescription
from armwright.hrdf.findings import Findings
from armwright.hrdf.formula import shorten
from armwright.hrdf.limits import MAX_ELEMENTS, MAX_OUTPUT_DEPTH

from .interfaces import check_interfaces
from .rules import check_element, check_finite, check_rotation, check_text, describe


def check_description(
    description: RobotDescription,
    findings: Findings,
    catalog: Catalog | None = None,
    *,
    interfaces: bool = True,
) -> None:
    """Apply every rule to a whole robot; works without recursion.

    Args:
        description: The robot.
        findings: Where problems are noted.
        catalog: Knows what would fit.
        interfaces: Whether neighbors must fit, which files before 1.2.0 do not ask.
    """
    root = RigidBody(mass=0.0, path="robot")
    check_rotation(root, "rot", description.base.rotation, findings)
    check_finite(root, "trans", description.base.translation, findings)
    check_text(root, "description", description.description, findings)
    tags: dict[str, Element] = {}
    count = 0
    chains: list[tuple[Element | None, tuple[Element, ...], int]] = [
        (None, description.elements, 0)
    ]
    while chains:
        owner, chain, depth = chains.pop()
        if depth > MAX_OUTPUT_DEPTH:
            text = f"outputs nest deeper than the limit of {MAX_OUTPUT_DEPTH}"
            findings.error(owner or root, text)
            continue
        previous = None
        for element in chain:
            count += 1 + (len(element.outputs) if _is_branched(element) else 0)
            check_element(element, findings)
            check_tag(element, tags, findings)
            if previous is not None:
                check_follows(previous, element, findings)
            if interfaces:
                check_interfaces(previous or owner, element, findings, catalog)
            if isinstance(element, Bracket | RigidBody):
                chains += [(element, output.elements, depth + 1) for output in element.outputs]
            previous = element
    if count > MAX_ELEMENTS:
        findings.error(root, f"more elements than the limit of {MAX_ELEMENTS}")


def check_tag(element: Element, tags: dict[str, Element], findings: Findings) -> None:
    """Tags are unique over the whole robot; a new one is added to ``tags``."""
    if element.tag is None:
        return
    if not isinstance(element.tag, str) or not element.tag:
        findings.error(element, "a tag must be a text that is not empty", attribute="tag")
        return
    check_text(element, "tag", element.tag, findings)
    first = tags.setdefault(element.tag, element)
    if first is not element:
        place = f" ({first.file}:{first.line}, {first.path})" if first.line else f" ({first.path})"
        kind = first.path.rpartition("/")[2].partition("[")[0]
        owner = (
            kind if kind not in ("", first.kind) else describe(first)
        )  # a stand-in, faulty itself
        if first.line and (first.file, first.path) == (element.file, element.path):
            place += ", whose file is included more than once"
        findings.error(
            element,
            f"tag {shorten(element.tag)} is taken by {owner}{place}; tags must be unique in "
            "the whole robot. Give one of them another tag",
            attribute="tag",
        )


def check_follows(previous: Element, element: Element, findings: Findings) -> bool:
    """Nothing follows an end effector, nor a body or bracket with output children."""
    if isinstance(previous, EndEffector):
        text = (
            f"{describe(element)} cannot follow an end-effector; it has no output. Move the "
            "end-effector to the end of its chain"
        )
    elif _is_branched(previous):
        text = (
            f"{describe(element)} cannot follow a {previous.kind} that has output children at the "
            "same level. Move it into one of the outputs"
        )
    else:
        return True
    findings.error(element, text)
    return False


def _is_branched(element: Element) -> TypeGuard[Bracket | RigidBody]:
    return isinstance(element, Bracket | RigidBody) and element.branched
