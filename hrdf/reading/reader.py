"""HRDF text to a robot description: every problem of every file, in one error.

Elements are read in document order by the rules of their own file's version. After an error,
reading goes on with a stand-in that fits anything, so that one fault is told once and the next
is found too. Includes are flattened; each element remembers its file, line and path.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from armwright.errors import (
    HrdfError,
    HrdfSyntaxError,
    Problem,
    WrongTypeError,
    did_you_mean,
)
from armwright.hrdf.catalog import Catalog, load_catalog
from armwright.hrdf.checking import (
    check_element,
    check_finite,
    check_follows,
    check_interfaces,
    check_tag,
)
from armwright.hrdf.elements import (
    IDENTITY,
    Bracket,
    Element,
    EndEffector,
    EndEffectorPart,
    RigidBody,
    RobotDescription,
)
from armwright.hrdf.files import HRDF, format_of
from armwright.hrdf.findings import Findings, Spot
from armwright.hrdf.formula import shorten
from armwright.hrdf.limits import MAX_ELEMENTS, MAX_OUTPUT_DEPTH
from armwright.hrdf.specification import (
    CHAIN,
    ELEMENTS,
    END_EFFECTOR_SINCE,
    IMPLICIT_VERSION,
    INTERFACE_CHECK_SINCE,
    LATEST,
    VERSIONS,
    is_newer,
)
from armwright.hrdf.yaml_tree import name_of
from armwright.reprs import short

from .attributes import Attributes, newer_text
from .files import FileError, Files, Source
from .making import make_element, pose_of
from .xml import Node, XmlError


def read(path: str | os.PathLike[str], *, catalog: Path | None = None) -> RobotDescription:
    """Read a robot from an HRDF file and the files that it includes.

    Args:
        path: The file.
        catalog: A catalog file whose parts are added to the built-in ones.

    Returns:
        The robot, includes flattened, with its warnings and every file that was read. Lengths
        are metres, angles radians, masses kilograms.

    Raises:
        HrdfError: With every problem of every file; a subclass when all are of one kind.
    """
    return _read(lambda files: files.open_root(path), name_of(path), catalog)


def parse(
    text: str | bytes,
    *,
    folder: str | os.PathLike[str] | None = None,
    catalog: Path | None = None,
) -> RobotDescription:
    """Read a robot from HRDF text.

    Args:
        text: The text; bytes are decoded as a file's would be.
        folder: Folder that includes are relative to. Without it an include is an error.
        catalog: A catalog file whose parts are added to the built-in ones; text that names
            such parts can only be read with it.

    Returns:
        The robot, as from ``read``.

    Raises:
        HrdfError: With every problem; a subclass when all are of one kind.
        WrongTypeError: If the text is none, or folder or catalog is no path.

    Example:
        >>> arm = parse('<robot version="1.6.0"><actuator type="X8-9"/><end-effector/></robot>')
        >>> [(element.kind, element.mass) for element in arm.elements]
        [('actuator', 0.48), ('end-effector', 0.0)]
    """
    if not isinstance(text, str | bytes):
        raise WrongTypeError(f"parse takes HRDF text, got {type(text).__name__}; read takes a path")
    if not isinstance(folder, str | bytes | os.PathLike | None):
        raise WrongTypeError(f"folder: expected the path of a folder, got {short(folder)}")
    return _read(lambda files: files.open_text(text, folder), "<text>", catalog)


def check(path: str | os.PathLike[str], *, catalog: Path | None = None) -> tuple[Problem, ...]:
    """List everything that is wrong or doubtful in a file and the files that it includes.

    Never raises for what is in the files; a missing file is a problem too. After the first
    fault of XML syntax in the file, that one alone.
    """
    try:
        return read(path, catalog=catalog).warnings
    except HrdfError as error:
        return error.problems


def _read(opener: Callable[[Files], Source], name: str, catalog: Path | None) -> RobotDescription:
    """Open the root file and read it."""
    reader = _Reader(load_catalog(catalog))
    try:
        description = reader.robot(opener(reader.files))
    except XmlError as error:  # of this one fault alone: what follows from it is no news
        _refuse_foreign(reader.files, name)
        problem = Problem(error.file or name, error.line, error.element, "", str(error))
        raise HrdfSyntaxError([problem]) from None
    except FileError as error:
        raise HrdfError([Problem(name, 0, "", "", str(error))]) from error.__cause__
    if reader.findings.error_count:
        _refuse_foreign(reader.files, name)
    reader.findings.raise_errors()
    return description


def _refuse_foreign(files: Files, name: str) -> None:
    """Raise one error for a file that is of another format; its own faults are no news then."""
    format = format_of(files.root_data, files.root_name)
    if format is not None and format is not HRDF:
        text = f"{format.text}. Expected HRDF, which is XML"
        raise HrdfSyntaxError([Problem(name, 0, "", "", text)])


@dataclass(slots=True)
class _Chain:
    """A chain while it grows.

    Attributes:
        elements: What it has.
        last: What the next element hangs on: the element before, at first the owner of the
            output; None for the base, or when it could not be read.
        depth: How many outputs it lies in.
        closed: Whether nothing may follow, and that has been said.
    """

    last: Element | None = None
    depth: int = 0
    closed: bool = False
    elements: list[Element] = field(default_factory=list)


class _Reader:
    """One read of one robot."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.findings = Findings()
        self.files = Files()
        self.tags: dict[str, Element] = {}
        self.count = 0

    def robot(self, source: Source) -> RobotDescription:
        """Read the root file."""
        root, chain = source.root, _Chain()
        version = self.version(root)
        attributes = self.root(root, version)
        if attributes is not None:
            pose = pose_of(attributes, "rot", "trans", IDENTITY)
            check_finite(root, "trans", pose.translation, self.findings)
            self.children(root, chain, source, version)
            if is_newer(END_EFFECTOR_SINCE, version):
                custom = self.catalog.parts["end-effector"]["Custom"]
                assert isinstance(custom, EndEffectorPart)
                end = EndEffector(part=custom, implicit=True, file=root.file, line=root.line)
                chain.elements.append(end)
        else:
            pose = IDENTITY
        return RobotDescription(
            elements=tuple(chain.elements),
            base=pose,
            description=root.attributes.get("description", ""),
            version=version,
            warnings=self.findings.warnings,
            files=tuple(self.files.names),
        )

    def root(self, node: Node, version: str) -> Attributes | None:
        """Read the attributes of a root element; None when it is not a robot."""
        if node.tag != "robot":
            self.findings.error(node, f"the root element is {shorten(node.tag)}; expected 'robot'")
            return None
        if node.late:
            text = (
                "the declaration <?xml ...?> belongs to the very beginning of the file, before "
                "blank lines and comments. It is taken where it stands"
            )
            self.findings.warning(Spot(node.file, node.late), text)
        return Attributes(node, version, self.findings)

    def version(self, node: Node) -> str:
        """Return the version of a file; the latest in place of an unknown one."""
        text = node.attributes.get("version", IMPLICIT_VERSION)
        if text in VERSIONS or node.tag != "robot":
            return text if text in VERSIONS else LATEST
        near = LATEST if text[:1].isdigit() and text >= "2" else text
        message = f"unknown version {shorten(text)}." + did_you_mean(near, VERSIONS)
        self.findings.error(node, message, attribute="version", kind="version")
        return LATEST

    def children(self, node: Node, chain: _Chain, source: Source, version: str) -> None:
        """Read the elements of a robot or an output onto a chain."""
        for child in self.known_children(node, version):
            if child.tag == "include":
                self.include(child, chain, source, version)
            else:
                self.element(child, chain, source, version)

    def known_children(self, node: Node, version: str) -> Iterator[Node]:
        """Go through the children that an element can have; note others, and text."""
        known = ELEMENTS[node.tag].children
        text_said = not node.text
        for child in node.children:
            if not text_said and node.text_line < child.line:
                self.text(node)
                text_said = True
            if child.tag not in known:
                self.findings.error(child, _misplaced(child.tag, node.tag, known, self.findings))
                continue
            self.count += 1
            if self.count > MAX_ELEMENTS:
                raise XmlError(
                    f"more elements than the limit of {MAX_ELEMENTS}, includes expanded",
                    child.line,
                    child.file,
                    child.path,
                )
            since = ELEMENTS[child.tag].since
            if is_newer(since, version):
                text = newer_text(f"element {child.tag}", since, version)
                self.findings.error(child, text, kind="version")
            yield child
        if not text_said:
            self.text(node)

    def text(self, node: Node) -> None:
        """Note text between elements, at its own line."""
        where = Node(node.tag, {}, [], line=node.text_line, file=node.file, path=node.path)
        text = f"text {shorten(node.text)} between elements. Write remarks as <!-- ... -->"
        self.findings.error(where, text)

    def include(self, node: Node, chain: _Chain, source: Source, version: str) -> None:
        """Read the elements of another file onto the chain."""
        list(self.known_children(node, version))
        path = Attributes(node, version, self.findings).text("path")
        try:
            inner = None if path is None else self.files.open_include(source, path)
        except FileError as error:
            self.findings.error(node, str(error), attribute="path")
            inner = None
        except XmlError as error:
            if error.file:
                raise
            raise XmlError(str(error), node.line, node.file, node.path) from None
        if inner is None:
            chain.last = None
            return
        inner_version = self.version(inner.root)
        if self.root(inner.root, inner_version) is None:
            chain.last = None
            return
        if inner_version != version:
            text = (
                f"{shorten(path or '')} has version {inner_version}, this file {version}; each is "
                "read by its own version. The format asks for the same"
            )
            self.findings.warning(node, text, attribute="path")
        self.children(inner.root, chain, inner, inner_version)

    def element(self, node: Node, chain: _Chain, source: Source, version: str) -> None:
        """Read one element and hang it on the chain."""
        attributes = Attributes(node, version, self.findings)
        element = make_element(attributes, self.catalog, source)
        check_element(element, self.findings)
        check_tag(element, self.tags, self.findings)
        if chain.elements and chain.last is not None and not chain.closed:
            chain.closed = not check_follows(chain.last, element, self.findings)
        if not chain.closed:
            only_warn = is_newer(INTERFACE_CHECK_SINCE, version)
            check_interfaces(chain.last, element, self.findings, self.catalog, only_warn=only_warn)
        outputs = list(self.known_children(node, version))
        if outputs and isinstance(element, Bracket | RigidBody):
            full = [
                replace(output, elements=self.output(child, element, chain, source, version))
                for child, output in zip(outputs, element.outputs, strict=True)
            ]
            element = replace(element, outputs=tuple(full))
        chain.elements.append(element)
        if not chain.closed:
            chain.last = element

    def output(
        self, node: Node, owner: Element, chain: _Chain, source: Source, version: str
    ) -> tuple[Element, ...]:
        """Read the chain in an output."""
        inner = _Chain(last=owner, depth=chain.depth + 1)
        if inner.depth > MAX_OUTPUT_DEPTH:
            text = f"outputs nest deeper than the limit of {MAX_OUTPUT_DEPTH}"
            raise XmlError(text, node.line, node.file, node.path)
        self.children(node, inner, source, version)
        return tuple(inner.elements)


def _misplaced(tag: str, owner: str, known: tuple[str, ...], findings: Findings) -> str:
    """Say that an element cannot stand where it stands."""
    if tag == "output":
        text = f"output cannot stand in {owner}; it belongs into a rigid-body or bracket"
        return text + (" (an actuator or link has one output that needs no element)" * (not known))
    if not known:
        return f"{owner} holds no elements, got {shorten(tag)}. Move it behind the {owner}"
    if owner in ("rigid-body", "bracket") and tag in CHAIN:
        return f"{tag} cannot stand in {owner} itself. Put it into an <output>, or behind it"
    return f"unknown element {shorten(tag)} in {owner}." + findings.near(tag, known)
