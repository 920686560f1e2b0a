"""The rules that a robot must keep, whoever made it: reader, builder and writer ask here.

Each rule is a function of elements; what is wrong is noted in ``Findings`` with the element's
own place. ``check_description`` applies all of them to a whole robot.
"""

from collections.abc import Iterable
from typing import TypeGuard

from armwright.errors import did_you_mean

from .catalog import Catalog
from .elements import Bracket, Element, EndEffector, RigidBody, RobotDescription, walk
from .findings import Findings, Located
from .formula import shorten
from .limits import MAX_ELEMENTS, MAX_OUTPUT_DEPTH
from .parts import Part, interfaces_fit
from .rules import check_element, check_finite, check_rotation, check_text, named


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
        interfaces: Whether neighbours must fit, which files before 1.2.0 do not ask.
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
            count += 1 + (len(element.outputs) if _branched(element) else 0)
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


def match_word(text: str, known: Iterable[str]) -> str | None:
    """Return the known word that a text is, in any case; None when it is none."""
    words = tuple(known)
    if text in words:
        return text
    folded = text.casefold()
    return next((word for word in words if word.casefold() == folded), None)


def other_case_text(text: str, word: str) -> str:
    """Say that a word is written in another case than the specification's."""
    return f"{shorten(text)} is read as {word!r}. Write it in this case"


def unknown_text(what: str, text: str, known: Iterable[str]) -> str:
    """Say that a word is not one of the known ones."""
    return f"unknown {what} {shorten(text)}." + did_you_mean(text, known, most=30)


def find_part(
    catalog: Catalog, kind: str, type: str, where: Located, findings: Findings
) -> Part | None:
    """Return the part that a type names, in any case; an unknown one is noted."""
    part = catalog.find(kind, type)
    if part is None:
        message = unknown_text(f"{kind} type", type, catalog.types(kind))
        findings.error(where, message, attribute="type", kind="part")
    elif part.type != type:
        findings.warning(where, other_case_text(type, part.type), attribute="type")
    return part


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
        owner = kind if kind not in ("", first.kind) else named(first)  # a stand-in, faulty itself
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
            f"{named(element)} cannot follow an end-effector; it has no output. Move the "
            "end-effector to the end of its chain"
        )
    elif _branched(previous):
        text = (
            f"{named(element)} cannot follow a {previous.kind} that has output children at the "
            "same level. Move it into one of the outputs"
        )
    else:
        return True
    findings.error(element, text)
    return False


def check_interfaces(
    owner: Element | None,
    element: Element,
    findings: Findings,
    catalog: Catalog | None = None,
    *,
    only_warn: bool = False,
) -> None:
    """Neighbours must have interfaces of the same type and opposite polarity.

    Args:
        owner: What the element hangs on; None for the base, which fits anything.
        element: The element.
        findings: Where a misfit is noted.
        catalog: Knows what would fit.
        only_warn: Note a warning, for versions that have no such rule.
    """
    if owner is None or owner.interface_out is None or element.interface_in is None:
        return
    if interfaces_fit(owner.interface_out, element.interface_in):
        return
    text = (
        f"{named(element)} (input {element.interface_in}) does not fit on {named(owner)} "
        f"(output {owner.interface_out})."
    )
    if catalog is not None:
        names = [
            *catalog.fitting(owner.interface_out),
            "rigid-body",
            "joint",
            "end-effector Custom",
        ]
        text += f" On {owner.interface_out} fit: {', '.join(names)}."
    if only_warn:
        findings.warning(element, text + " (Files before 1.2.0 may say so.)")
    else:
        findings.error(element, text, kind="interface")


def check_all_interfaces(description: RobotDescription, findings: Findings) -> None:
    """Check that all neighbours of a robot fit."""
    elements: list[Element] = []
    for placed in walk(description):
        owner = None if placed.parent < 0 else elements[placed.parent]
        check_interfaces(owner, placed.element, findings)
        elements.append(placed.element)


def _branched(element: Element) -> TypeGuard[Bracket | RigidBody]:
    return isinstance(element, Bracket | RigidBody) and element.branched
