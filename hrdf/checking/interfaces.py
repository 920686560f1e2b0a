"""What can be bolted together: interfaces of neighbors have one type and opposite polarity."""

from armwright.hrdf.catalog import Catalog
from armwright.hrdf.elements import Element, RobotDescription, interfaces_fit, walk
from armwright.hrdf.findings import Findings

from .rules import describe


def check_interfaces(
    owner: Element | None,
    element: Element,
    findings: Findings,
    catalog: Catalog | None = None,
    *,
    only_warn: bool = False,
) -> None:
    """Neighbors must have interfaces of the same type and opposite polarity.

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
        f"{describe(element)} (input {element.interface_in}) does not fit on {describe(owner)} "
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
    """Check that all neighbors of a robot fit."""
    elements: list[Element] = []
    for placed in walk(description):
        owner = None if placed.parent < 0 else elements[placed.parent]
        check_interfaces(owner, placed.element, findings)
        elements.append(placed.element)
