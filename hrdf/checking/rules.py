"""The rules of one element: values finite, in range and not contradictory."""

import math
import re
from collections.abc import Iterable

import numpy as np

from armwright.hrdf.elements import (
    IDENTITY,
    Actuator,
    Bracket,
    Element,
    EndEffector,
    Inertia,
    Joint,
    Link,
    Overrides,
    RigidBody,
    Rotation,
    Vector,
)
from armwright.hrdf.findings import Findings, Located
from armwright.hrdf.formula import rotation_problem, shorten
from armwright.hrdf.limits import MAX_ATTRIBUTE_LENGTH, MAX_MAGNITUDE
from armwright.hrdf.specification import INERTIA_NAMES, JOINT_AXES, LINK_STYLES, is_url

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_INERTIA_SLACK = 1e-3  # relative; published tensors are rounded
_LONG = 10.0  # m, of a link; a tube of millimetres is longer
_TWO_TURNS = 4 * math.pi  # rad; more are mostly degrees


def check_element(element: Element, findings: Findings) -> None:
    """Check the values of one element; finite, in range, not contradictory."""
    if isinstance(element, RigidBody):
        _check_body(element, findings)
        return
    if isinstance(element, Joint):
        _check_joint(element, findings)
        return
    before = findings.error_count
    if isinstance(element, Link):
        _check_link(element, findings)
    elif isinstance(element, Bracket):
        _check_bracket_outputs(element, findings)
    elif isinstance(element, EndEffector):
        if element.output_rot is not None:
            check_rotation(element, "output_rot", element.output_rot, findings)
        if element.output_trans is not None:
            check_finite(element, "output_trans", element.output_trans, findings)
    _check_overrides(element, findings)
    if findings.error_count == before:
        _check_result(element, findings)


def _check_body(body: RigidBody, findings: Findings) -> None:
    _check_mass(body, body.mass, findings)
    check_rotation(body, "com_rot", body.com.rotation, findings)
    check_finite(body, "com_trans", body.com.translation, findings)
    _check_inertia(body, body.inertia, body.inertia, findings)
    for output in body.outputs:
        check_rotation(body, "output_rot", output.pose.rotation, findings)
        check_finite(body, "output_trans", output.pose.translation, findings)
    if not body.outputs:
        findings.error(body, "a rigid-body has at least one output")
    if not body.branched and (len(body.outputs) > 1 or any(o.elements for o in body.outputs)):
        findings.error(body, "several outputs, or an output with a chain, need branched=True")
    if body.mesh_path is None:
        if body.mesh_pose != IDENTITY:
            text = "mesh_rot and mesh_trans need a mesh_path"
            findings.error(body, text, attribute="mesh_path")
    else:
        check_rotation(body, "mesh_rot", body.mesh_pose.rotation, findings)
        check_finite(body, "mesh_trans", body.mesh_pose.translation, findings)
        _check_mesh_path(body, body.mesh_path, findings)


def _check_mesh_path(body: RigidBody, path: str, findings: Findings) -> None:
    check_text(body, "mesh_path", path, findings)
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
            f"{describe(bracket)} has 1 output, got {len(bracket.outputs)} output children. Use a "
            "rigid-body for a branch",
        )
    if any(output.pose != IDENTITY for output in bracket.outputs):
        findings.error(
            bracket, "the bracket itself places its output, which has no pose of its own"
        )


def _check_joint(joint: Joint, findings: Findings) -> None:
    if joint.axis not in JOINT_AXES:
        text = f"unknown axis {joint.axis!r}. Known: {', '.join(JOINT_AXES)}"
        findings.error(joint, text, attribute="axis")
    elif joint.axis.startswith("-"):
        text = (
            f"axis {joint.axis!r} is read, but the format's description does not list negative axes"
        )
        findings.warning(joint, text, attribute="axis")
    if check_finite(joint, "gear_ratio", (joint.gear_ratio,), findings) and (
        abs(joint.gear_ratio) < 1 / MAX_MAGNITUDE
    ):
        text = "a gear ratio of 0 would make the joint move without end; expected another number"
        findings.error(joint, text, attribute="gear_ratio")


def _check_link(link: Link, findings: Findings) -> None:
    if check_finite(link, "extension", (link.extension,), findings):
        if link.extension < 0:
            text = f"negative extension {link.extension!r} m; a length is 0 or more"
            findings.error(link, text, attribute="extension")
        elif link.extension > _LONG:
            text = f"an extension of {link.extension:g} m. Is it in millimetres?"
            findings.warning(link, text, attribute="extension")
    if check_finite(link, "twist", (link.twist,), findings) and abs(link.twist) > _TWO_TURNS:
        text = f"a twist of {link.twist:g} rad is more than two turns. Is it in degrees?"
        findings.warning(link, text, attribute="twist")
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
    elif o.mass_offset is not None and check_finite(
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
            check_finite(element, name, vector, findings)
    if o.com_rot is not None:
        check_rotation(element, "com_rot", o.com_rot, findings)
    if o.inertia != (None,) * 6:
        _check_inertia(element, o.inertia, None, findings)


def _check_result(element: Actuator | Link | Bracket | EndEffector, findings: Findings) -> None:
    """What follows from the numbers must be finite too."""
    try:
        results = (element.mass, *element.com.translation, *element.inertia)
        finite = all(map(math.isfinite, results))
    except OverflowError:  # of the square of a length
        finite = False
    if not finite:
        text = "its numbers are so large that its mass properties are not finite"
        findings.error(element, text)


def _mass_of(element: Actuator | Link | Bracket | EndEffector) -> float:
    """Return the mass, or 0 for a link whose own values are wrong (noted elsewhere)."""
    try:
        return element.mass
    except (ValueError, KeyError):
        return 0.0


def _check_mass(element: Element, mass: float, findings: Findings) -> None:
    if check_finite(element, "mass", (mass,), findings) and mass < 0:
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
        if not check_finite(element, name, (value,), findings):
            good = False
        elif name in INERTIA_NAMES[:3] and value < 0:
            good = False
            text = f"negative inertia {value!r} kg m^2; {name} is 0 or more"
            findings.error(element, text, attribute=name)
    if whole is None and None not in six:
        whole = six  # type: ignore[assignment]
    if good and whole is not None and any(whole):
        doubt = inertia_doubt(whole)
        if doubt:
            findings.warning(element, doubt, attribute="ixx")


def inertia_doubt(inertia: Inertia) -> str:
    """Say why no body can have these six numbers; "" when one can."""
    xx, yy, zz, xy, xz, yz = inertia
    largest = max(map(abs, inertia))  # scaled, so that no number is too large or small for this
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) / largest
    low, middle, high = np.linalg.eigvalsh(tensor).tolist()
    if low + middle >= high * (1 - _INERTIA_SLACK) and low >= -_INERTIA_SLACK * high:
        return ""
    moments = f"{low * largest:.3g}, {middle * largest:.3g} and {high * largest:.3g} kg m^2"
    return (
        f"no body has this inertia: its principal moments are {moments}, and none may be negative "
        "or larger than the sum of the others"
    )


def check_text(element: Element, name: str, text: str, findings: Findings) -> None:
    """Check that a text can stand in XML."""
    if len(text) > MAX_ATTRIBUTE_LENGTH:
        message = f"longer than the limit of {MAX_ATTRIBUTE_LENGTH} characters"
        findings.error(element, message, attribute=name)
    odd = _NOT_XML.search(text)
    if odd:
        message = f"{shorten(text)} has the character {odd.group()!r}, which XML cannot hold"
        findings.error(element, message, attribute=name)


def check_rotation(element: Element, name: str, rotation: Rotation, findings: Findings) -> None:
    """Nine numbers must be a rotation."""
    problem = rotation_problem(rotation)
    if problem:
        findings.error(element, f"not a rotation: {problem}", attribute=name)


def check_finite(
    where: Located, name: str, values: Vector | tuple[float, ...], findings: Findings
) -> bool:
    """Numbers must be finite, and their products too; tell whether they are."""
    if all(abs(value) <= MAX_MAGNITUDE for value in values):
        return True
    shown = values[0] if len(values) == 1 else values
    if all(map(math.isfinite, values)):
        text = f"{shown!r} is beyond the limit of {MAX_MAGNITUDE:g}, in SI units"
    else:
        text = f"{shown!r} is not finite"
    findings.error(where, text, attribute=name)
    return False


def describe(element: Element) -> str:
    """Return kind and type, such as ``actuator 'X8-9'``."""
    if isinstance(element, RigidBody | Joint):
        return element.kind
    return f"{element.kind} {element.type!r}"
