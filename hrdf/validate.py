"""The rules that a robot must keep, whoever made it: reader, builder and writer ask here.

Each rule is a function of elements; what is wrong is noted in ``Findings`` with the element's
own place. ``check_description`` applies all of them to a whole robot.
"""

import math
from collections.abc import Iterable
from typing import TypeGuard

import numpy as np

from armwright.errors import did_you_mean

from .catalog import Catalog
from .elements import (
    Actuator,
    Bracket,
    Element,
    EndEffector,
    Inertia,
    Joint,
    Link,
    Overrides,
    RigidBody,
    RobotDescription,
)
from .findings import Findings, Located
from .formula import rotation_problem, shorten
from .limits import MAX_ELEMENTS, MAX_OUTPUT_DEPTH
from .parts import Part, interfaces_fit
from .pose import IDENTITY, Rotation, Vector
from .specification import INERTIA_NAMES, JOINT_AXES, LINK_STYLES, is_url

_INERTIA_SLACK = 1e-3  # relative; published tensors are rounded


def check_description(
    description: RobotDescription, findings: Findings, catalog: Catalog | None = None
) -> None:
    """Apply every rule to a whole robot; works without recursion."""
    root = RigidBody(mass=0.0, path="robot")
    _check_rotation(root, "rot", description.base.rotation, findings)
    _check_finite(root, "trans", description.base.translation, findings)
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


def named(element: Element) -> str:
    """Return kind and type, such as ``actuator 'X8-9'``."""
    if isinstance(element, RigidBody | Joint):
        return element.kind
    return f"{element.kind} {element.type!r}"


def check_tag(element: Element, tags: dict[str, Element], findings: Findings) -> None:
    """Tags are unique over the whole robot; a new one is added to ``tags``."""
    if element.tag is None:
        return
    if not isinstance(element.tag, str) or not element.tag:
        findings.error(element, "a tag must be a text that is not empty", attribute="tag")
        return
    first = tags.setdefault(element.tag, element)
    if first is not element:
        place = f" ({first.file}:{first.line}, {first.path})" if first.line else f" ({first.path})"
        findings.error(
            element,
            f"tag {shorten(element.tag)} is taken by {named(first)}{place}; tags must be unique in "
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


def check_element(element: Element, findings: Findings) -> None:
    """Check the values of one element; finite, in range, not contradictory."""
    if isinstance(element, RigidBody):
        _check_body(element, findings)
    elif isinstance(element, Joint):
        _check_joint(element, findings)
    else:
        if isinstance(element, Link):
            _check_link(element, findings)
        if isinstance(element, EndEffector):
            if element.output_rot is not None:
                _check_rotation(element, "output_rot", element.output_rot, findings)
            if element.output_trans is not None:
                _check_finite(element, "output_trans", element.output_trans, findings)
        if isinstance(element, Bracket):
            _check_bracket_outputs(element, findings)
        _check_overrides(element, findings)


def _branched(element: Element) -> TypeGuard[Bracket | RigidBody]:
    return isinstance(element, Bracket | RigidBody) and element.branched


def _check_body(body: RigidBody, findings: Findings) -> None:
    _check_mass(body, body.mass, findings)
    _check_rotation(body, "com_rot", body.com.rotation, findings)
    _check_finite(body, "com_trans", body.com.translation, findings)
    _check_inertia(body, body.inertia, body.inertia, findings)
    for output in body.outputs:
        _check_rotation(body, "output_rot", output.pose.rotation, findings)
        _check_finite(body, "output_trans", output.pose.translation, findings)
    if not body.outputs:
        findings.error(body, "a rigid-body has at least one output")
    if not body.branched and (len(body.outputs) > 1 or any(o.elements for o in body.outputs)):
        findings.error(body, "several outputs, or an output with a chain, need branched=True")
    if body.mesh_path is None:
        if body.mesh_pose != IDENTITY:
            text = "mesh_rot and mesh_trans need a mesh_path"
            findings.error(body, text, attribute="mesh_path")
    else:
        _check_rotation(body, "mesh_rot", body.mesh_pose.rotation, findings)
        _check_finite(body, "mesh_trans", body.mesh_pose.translation, findings)
        _check_mesh_path(body, body.mesh_path, findings)


def _check_mesh_path(body: RigidBody, path: str, findings: Findings) -> None:
    if is_url(path):
        return
    absolute = path.startswith(("/", "\\")) or (path[1:2] == ":" and path[:1].isalpha())
    if absolute or "://" in path:
        findings.error(
            body,
            f"mesh path {shorten(path)} must be relative to the file, or an http or https URL",
            attribute="mesh_path",
        )


def _check_bracket_outputs(bracket: Bracket, findings: Findings) -> None:
    if len(bracket.outputs) > 1:
        findings.error(
            bracket,
            f"{named(bracket)} has 1 output, got {len(bracket.outputs)} output children. Use a "
            "rigid-body for a branch",
        )


def _check_joint(joint: Joint, findings: Findings) -> None:
    if joint.axis not in JOINT_AXES:
        text = f"unknown axis {joint.axis!r}. Known: {', '.join(JOINT_AXES)}"
        findings.error(joint, text, attribute="axis")
    if _check_finite(joint, "gear_ratio", (joint.gear_ratio,), findings) and not joint.gear_ratio:
        text = "a gear ratio of 0 would make the joint move without end; expected another number"
        findings.error(joint, text, attribute="gear_ratio")


def _check_link(link: Link, findings: Findings) -> None:
    if _check_finite(link, "extension", (link.extension,), findings) and link.extension < 0:
        text = f"negative extension {link.extension!r} m; a length is 0 or more"
        findings.error(link, text, attribute="extension")
    _check_finite(link, "twist", (link.twist,), findings)
    for name, style in (("input", link.input), ("output", link.output)):
        if style not in LINK_STYLES:
            text = f"unknown style {style!r}. Known: {', '.join(LINK_STYLES)}"
            findings.error(link, text, attribute=name)
            return
    try:
        link.part.mass(0.0, link.input, link.output)
    except ValueError as error:
        findings.error(link, f"{error}. Use RightAngle", attribute="output")


def _check_overrides(element: Actuator | Link | Bracket | EndEffector, findings: Findings) -> None:
    o: Overrides = element.overrides
    if o.mass is not None and o.mass_offset is not None:
        text = "mass and mass_offset exclude each other. Keep one of them"
        findings.error(element, text, attribute="mass_offset")
    elif o.mass is not None:
        _check_mass(element, o.mass, findings)
    elif o.mass_offset is not None and _check_finite(
        element, "mass_offset", (o.mass_offset,), findings
    ):
        mass = _mass_of(element)
        if mass < 0:
            text = (
                f"mass_offset {o.mass_offset!r} kg would make a negative mass: the part itself "
                f"weighs {mass - o.mass_offset:.6g} kg"
            )
            findings.error(element, text, attribute="mass_offset")
    if o.com_trans is not None and o.com_trans_offset is not None:
        text = "com_trans and com_trans_offset exclude each other. Keep one of them"
        findings.error(element, text, attribute="com_trans_offset")
    for name in ("com_trans", "com_trans_offset"):
        if (vector := getattr(o, name)) is not None:
            _check_finite(element, name, vector, findings)
    if o.com_rot is not None:
        _check_rotation(element, "com_rot", o.com_rot, findings)
    if o.inertia != (None,) * 6:
        _check_inertia(element, o.inertia, None, findings)


def _mass_of(element: Actuator | Link | Bracket | EndEffector) -> float:
    """Return the mass, or 0 for a link whose own values are wrong (noted elsewhere)."""
    try:
        return element.mass
    except (ValueError, KeyError):
        return 0.0


def _check_mass(element: Element, mass: float, findings: Findings) -> None:
    if _check_finite(element, "mass", (mass,), findings) and mass < 0:
        text = f"negative mass {mass!r} kg; a mass is 0 or more"
        findings.error(element, text, attribute="mass")


def _check_inertia(
    element: Element,
    written: Iterable[float | None],
    whole: Inertia | None,
    findings: Findings,
) -> None:
    """Check the numbers that were written; doubt a whole tensor that no body can have."""
    six = tuple(written)
    good = True
    for name, value in zip(INERTIA_NAMES, six, strict=True):
        if value is None:
            continue
        if not _check_finite(element, name, (value,), findings):
            good = False
        elif name in INERTIA_NAMES[:3] and value < 0:
            good = False
            text = f"negative inertia {value!r} kg m^2; {name} is 0 or more"
            findings.error(element, text, attribute=name)
    if whole is None and None not in six:
        whole = six  # type: ignore[assignment]
    if good and whole is not None and any(whole):
        doubt = _inertia_doubt(whole)
        if doubt:
            findings.warning(element, doubt, attribute="ixx")


def _inertia_doubt(inertia: Inertia) -> str:
    """Say why no body can have these six numbers; "" when one can."""
    xx, yy, zz, xy, xz, yz = inertia
    low, middle, high = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if low + middle >= high * (1 - _INERTIA_SLACK) and low >= -_INERTIA_SLACK * high:
        return ""
    return (
        f"no body has this inertia: its principal moments are {low:.3g}, {middle:.3g} and "
        f"{high:.3g} kg m^2, and none may be negative or larger than the sum of the others"
    )


def _check_rotation(element: Element, name: str, rotation: Rotation, findings: Findings) -> None:
    problem = rotation_problem(rotation)
    if problem:
        findings.error(element, f"not a rotation: {problem}", attribute=name)


def _check_finite(
    element: Element, name: str, values: Vector | tuple[float, ...], findings: Findings
) -> bool:
    if all(map(math.isfinite, values)):
        return True
    shown = values[0] if len(values) == 1 else values
    findings.error(element, f"{shown!r} is not finite", attribute=name)
    return False
