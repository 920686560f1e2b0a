"""Attach elements to a robot that grows: check fully first, then change.

The rules are those of the reader and the writer; what is wrong is raised before anything has
changed.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from armwright.errors import Problem
from armwright.hrdf import Element, RobotDescription, load_catalog, walk
from armwright.hrdf.checking import (
    check_description,
    check_element,
    check_follows,
    check_interfaces,
    check_tag,
    find_part,
    match_word,
    other_case_text,
    unknown_text,
)
from armwright.hrdf.elements import ActuatorPart, BracketPart, EndEffectorPart, LinkPart
from armwright.hrdf.elements import PathCounter as Place
from armwright.hrdf.findings import Findings
from armwright.hrdf.limits import MAX_ELEMENTS
from armwright.reprs import short

_P = TypeVar("_P", ActuatorPart, LinkPart, BracketPart, EndEffectorPart)


class CannotBeMadeError(Exception):
    """An element cannot be made; why has been noted in the findings."""


class Growing:
    """A robot while it grows.

    Attributes:
        catalog: The parts.
        catalog_path: The user's catalog file, or None.
        elements: The chain at the top.
        tags: Tag to element, over the whole robot.
        warnings: What was doubtful, in order.
        files: Files that were included.
    """

    def __init__(self, catalog: Path | None) -> None:
        self.catalog_path = catalog
        self.catalog = load_catalog(catalog)
        self.elements: tuple[Element, ...] = ()
        self.tags: dict[str, Element] = {}
        self._place = Place()
        self.warnings: tuple[Problem, ...] = ()
        self.files: tuple[str, ...] = ()

    def attach(self, kind: str, make: Callable[[Place, Findings], Element]) -> None:
        """Make an element, check it and its fit, then attach it."""
        findings = Findings()
        place = self._place.fork()
        place.next(kind)
        try:
            element = make(place, findings)
        except CannotBeMadeError:
            findings.raise_errors()
            raise  # it was noted, so this is not reached
        self._check(element, findings)
        findings.raise_errors()
        self.elements = (*self.elements, element)
        if element.tag is not None:
            self.tags[element.tag] = element
        self._place = place
        self.warnings = (*self.warnings, *findings.warnings)

    def _check(self, element: Element, findings: Findings) -> None:
        """Note what is wrong with an element, or with its place at the end of the chain."""
        check_element(element, findings)
        if element.tag is not None:
            other = self.tags.get(element.tag) if isinstance(element.tag, str) else None
            check_tag(element, {} if other is None else {element.tag: other}, findings)
        previous = self.elements[-1] if self.elements else None
        if previous is None or check_follows(previous, element, findings):
            check_interfaces(previous, element, findings, self.catalog)
        if len(self.elements) >= MAX_ELEMENTS:
            findings.error(element, f"more elements than the limit of {MAX_ELEMENTS}")

    def adopt(self, elements: tuple[Element, ...], source: RobotDescription) -> None:
        """Check the whole robot with elements of another one, then take it."""
        findings = Findings()
        check_description(RobotDescription(elements=elements), findings, self.catalog)
        findings.raise_errors()
        self.elements = elements
        self._place = Place(elements)
        self.tags = {
            placed.element.tag: placed.element
            for placed in walk(RobotDescription(elements=elements))
            if placed.element.tag is not None
        }
        self.warnings = tuple(dict.fromkeys((*self.warnings, *source.warnings)))
        self.files = tuple(dict.fromkeys((*self.files, *source.files)))

    def part(self, cls: type[_P], name: str, place: Place, findings: Findings) -> _P:
        """Return the part of a type, or stop with what was noted."""
        kind = place.path.rpartition("/")[2].partition("[")[0]
        if not isinstance(name, str):
            findings.error(place, f"the type must be a text, got {short(name)}", attribute="type")
            raise CannotBeMadeError
        part = find_part(self.catalog, kind, name, place, findings)
        if not isinstance(part, cls):
            raise CannotBeMadeError
        return part


def _text(value: object) -> str:
    """Return what was given for a word, as text."""
    return value if isinstance(value, str) else short(value)


def word_of(name: str, text: str, known: tuple[str, ...], place: Place, findings: Findings) -> str:
    """Return a known word in the case of the specification, or stop."""
    word = match_word(text, known) if isinstance(text, str) else None
    if word is None:
        findings.error(place, unknown_text(name, _text(text), known, findings), attribute=name)
        raise CannotBeMadeError
    if word != text:
        findings.warning(place, other_case_text(text, word), attribute=name)
    return word
