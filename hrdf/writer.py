"""A robot description to canonical HRDF text, and safely into a file.

Attributes stand in the order of the format, numbers as ``repr`` writes them, so that reading
gives the same doubles; rotations are written as nine numbers. What was not said (a part's own
values, zero inertias, identity placements) is not written.
"""

import errno
import os
from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape

from armwright.errors import (
    FileWriteError,
    WrongTypeError,
    did_you_mean,
)
from armwright.reprs import short

from . import elements
from .checking import check_all_interfaces, check_description
from .files import file_to_write, write_file
from .findings import Findings, Located
from .formula import shorten
from .specification import (
    ELEMENTS,
    END_EFFECTOR_SINCE,
    INERTIA_NAMES,
    LATEST,
    LINK_STYLES,
    MESH_URL_SINCE,
    VERSIONS,
    is_newer,
    is_url,
)

_INDENT = "  "
_OTHER_ENDINGS = (
    ".npz",
    ".urdf",
    ".xacro",
    ".srdf",
    ".sdf",
    ".yaml",
    ".yml",
    ".json",
    ".stl",
    ".obj",
)


def write(
    d: elements.RobotDescription,
    path: str | os.PathLike[str] | None = None,
    *,
    version: str | None = None,
) -> str:
    """Write a robot as HRDF.

    ``parse(write(d)) == d``; a robot with parts of a user's catalog is read again with that
    catalog.

    Args:
        d: The robot.
        path: File to write, UTF-8; it is replaced in one step, or not at all.
        version: None for the latest; a version such as "1.4.0"; or "lowest" for the first
            version that can hold the robot. Before 1.2.0 the end effector that every file of
            those versions has is not written.

    Returns:
        The text.

    Raises:
        HrdfError: If the description breaks a rule of the format; ``HrdfVersionError`` with
            everything that the version does not have.
        WrongTypeError: If d is no description.
        FileWriteError: If the file cannot be written, or its name is that of another format.

    Example:
        >>> from armwright.hrdf import Joint, RobotDescription
        >>> print(write(RobotDescription(elements=(Joint(axis="rz"),)), version="1.5.0"), end="")
        <?xml version="1.0" encoding="UTF-8"?>
        <robot version="1.5.0">
          <joint axis="rz"/>
        </robot>
    """
    if not isinstance(d, elements.RobotDescription):
        raise WrongTypeError(f"write takes a RobotDescription, got {type(d).__name__}")
    name = "" if path is None else file_to_write(path)
    ending = os.path.splitext(name)[1]
    if ending.casefold() in _OTHER_ENDINGS:
        text = f"cannot be written: HRDF in a file that ends in {ending} misleads. Call it .hrdf"
        raise FileWriteError(errno.EINVAL, text, name)
    findings = Findings()
    check_description(d, findings, interfaces=False)  # those depend on the version
    findings.raise_errors()
    chosen = _choose(d, version)
    text = "\n".join(_lines(d, chosen)) + "\n"
    if path is not None:
        write_file(path, text.encode("utf-8"))
    return text


def _choose(d: elements.RobotDescription, version: str | None) -> str:
    """Return the version to write, or raise with everything that does not fit."""
    if isinstance(version, str) and version == "lowest":
        for candidate in VERSIONS:
            if not _misfits(d, candidate).problems:
                return candidate
        version = LATEST  # raises with what does not fit
    chosen = LATEST if version is None else version
    findings = Findings()
    if not isinstance(chosen, str) or chosen not in VERSIONS:
        hint = did_you_mean(chosen, [*VERSIONS, "lowest"])
        given = shorten(chosen) if isinstance(chosen, str) else short(chosen)
        message = f"unknown version {given}.{hint}"
        findings.error(elements.PathCounter(), message, attribute="version", kind="version")
    else:
        findings = _misfits(d, chosen)
    findings.raise_errors()
    return chosen


def _misfits(d: elements.RobotDescription, version: str) -> Findings:
    """Note everything that a version does not have."""
    findings = Findings()
    end = _implicit_end(d, version)
    if is_newer(END_EFFECTOR_SINCE, version):
        if end is None:
            text = (
                f"files before {END_EFFECTOR_SINCE} always end in a plain end-effector, which this "
                f"robot does not. Write version {END_EFFECTOR_SINCE} or later"
            )
            findings.error(elements.PathCounter(), text, kind="version")
    else:
        check_all_interfaces(d, findings)
    if d.description:
        _check_since(
            ELEMENTS["robot"].attributes["description"].since,
            version,
            "attribute 'description' of robot",
            elements.PathCounter(),
            findings,
        )
    for placed in elements.walk(d):
        element = placed.element
        if element is end:
            continue
        form = ELEMENTS[element.kind]
        _check_since(form.since, version, f"element {element.kind}", element, findings)
        for name in _attributes(element):
            what = f"attribute {name!r} of {element.kind}"
            _check_since(form.attributes[name].since, version, what, element, findings)
        if isinstance(element, elements.RigidBody | elements.Bracket) and element.branched:
            _check_since(ELEMENTS["output"].since, version, "element output", element, findings)
        if isinstance(element, elements.RigidBody):
            if element.mesh_path is not None and is_url(element.mesh_path):
                _check_since(MESH_URL_SINCE, version, "a mesh URL", element, findings)
        elif not isinstance(element, elements.Joint):
            what = f"{element.kind} type {element.type!r}"
            _check_since(element.part.since, version, what, element, findings)
    return findings


def _check_since(since: str, version: str, what: str, where: Located, findings: Findings) -> None:
    if is_newer(since, version):
        text = f"{what} is new in version {since}, and cannot be written in version {version}"
        findings.error(where, text, kind="version")


def _implicit_end(d: elements.RobotDescription, version: str) -> elements.Element | None:
    """Return the end effector that a file of this version has without saying so."""
    if not d.elements or not is_newer(END_EFFECTOR_SINCE, version):
        return None
    last = d.elements[-1]
    if isinstance(last, elements.EndEffector) and last.type == "Custom" and not _attributes(last):
        return last
    return None


def _lines(d: elements.RobotDescription, version: str) -> Iterator[str]:
    """Write the whole text, line by line."""
    root = {"version": version}
    root |= _pose(d.base, "rot", "trans")
    if d.description:
        root["description"] = d.description
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    end = _implicit_end(d, version)
    elements = d.elements if end is None else d.elements[:-1]
    yield from _element_lines("robot", root, [(e, 1) for e in elements], 0)


def _element_lines(
    tag: str,
    attributes: dict[str, str],
    children: "list[tuple[elements.Element | elements.Output, int]]",
    depth: int,
) -> Iterator[str]:
    """Write one element and what it holds."""
    start = _INDENT * depth + "<" + tag
    start += "".join(f' {name}="{_escape(text)}"' for name, text in attributes.items())
    if not children:
        yield start + "/>"
        return
    yield start + ">"
    for child, level in children:
        if isinstance(child, elements.Output):
            chain: Any = [(element, level + 1) for element in child.elements]
            yield from _element_lines("output", _pose(child.pose, "rot", "trans"), chain, level)
        else:
            outputs: Any = []
            if isinstance(child, elements.Bracket | elements.RigidBody) and child.branched:
                outputs = [(output, level + 1) for output in child.outputs]
            yield from _element_lines(child.kind, _attributes(child), outputs, level)
    yield _INDENT * depth + f"</{tag}>"


def _attributes(element: elements.Element) -> dict[str, str]:
    """Return what is said of an element, in the order of the format."""
    found: dict[str, str] = {}
    if isinstance(element, elements.RigidBody):
        found["mass"] = _number(element.mass)
        found |= _pose(element.com, "com_rot", "com_trans")
        if not element.branched:
            found |= _pose(element.outputs[0].pose, "output_rot", "output_trans")
        for name, value in zip(INERTIA_NAMES, element.inertia, strict=True):
            if value:
                found[name] = _number(value)
        if element.mesh_path is not None:
            found["mesh_path"] = element.mesh_path
            found |= _pose(element.mesh_pose, "mesh_rot", "mesh_trans")
    elif isinstance(element, elements.Joint):
        found["axis"] = element.axis
        if element.gear_ratio != 1:
            found["gear_ratio"] = _number(element.gear_ratio)
    elif not isinstance(element, elements.EndEffector) or element.type != "Custom":
        found["type"] = element.type
    if isinstance(element, elements.Link):
        found["extension"] = _number(element.extension)
        found["twist"] = _number(element.twist)
        for name, style in (("input", element.input), ("output", element.output)):
            if style != LINK_STYLES[0]:
                found[name] = style
    if isinstance(element, elements.EndEffector):
        if element.output_rot is not None:
            found["output_rot"] = _numbers(element.output_rot)
        if element.output_trans is not None:
            found["output_trans"] = _numbers(element.output_trans)
    if element.tag is not None:
        found["tag"] = element.tag
    if not isinstance(element, elements.RigidBody | elements.Joint):
        found |= _overrides(element.overrides)
    return found


def _overrides(o: elements.Overrides) -> dict[str, str]:
    found = {}
    for name in ("mass", "mass_offset"):
        if (number := getattr(o, name)) is not None:
            found[name] = _number(number)
    for name in ("com_rot", "com_trans", "com_trans_offset"):
        if (numbers := getattr(o, name)) is not None:
            found[name] = _numbers(numbers)
    for name, value in zip(INERTIA_NAMES, o.inertia, strict=True):
        if value is not None:
            found[name] = _number(value)
    return found


def _pose(pose: elements.Pose, rotation: str, translation: str) -> dict[str, str]:
    """Return the parts of a placement that are not the identity."""
    found = {}
    if pose.rotation != elements.IDENTITY_ROTATION:
        found[rotation] = _numbers(pose.rotation)
    if pose.translation != elements.ZERO:
        found[translation] = _numbers(pose.translation)
    return found


def _numbers(values: tuple[float, ...]) -> str:
    return " ".join(map(_number, values))


def _number(value: float) -> str:
    """Return the shortest text that reads back as the same double; minus zero as zero."""
    return repr(float(value) + 0.0)


def _escape(text: str) -> str:
    """Escape a value so that no reader changes its white space."""
    return escape(text, {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
