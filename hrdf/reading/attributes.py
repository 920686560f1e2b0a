"""The attributes of one XML element: known, of this version, and turned into values.

Every fault is noted once, with its attribute; the value is then None, so that reading can go on.
"""

import re
from collections.abc import Set

from armwright.hrdf.catalog import Catalog
from armwright.hrdf.checking import find_part, match_word, other_case_text, unknown_text
from armwright.hrdf.elements import Part, Rotation, Vector
from armwright.hrdf.findings import Findings
from armwright.hrdf.formula import (
    FormulaError,
    is_rotation_formula,
    parse_formula,
    parse_rotation,
    parse_vector,
    shorten,
)
from armwright.hrdf.specification import (
    ELEMENTS,
    IMPLICIT_VERSION,
    ROTATION_FORMULA_SINCE,
    is_newer,
)

from .xml import Node


class Attributes:
    """The attributes of one element while it is read."""

    def __init__(self, node: Node, version: str, findings: Findings) -> None:
        """Check names, versions and presence; values are read when they are asked for."""
        self.node = node
        self.version = version
        self.findings = findings
        known = ELEMENTS[node.tag].attributes
        self._texts: dict[str, str] = {}
        meant = set[str]()  # what unknown names are near to is not missing as well
        for name, text in node.attributes.items():
            if name not in known:
                message = _unknown(node.tag, name, tuple(known), findings)
                meant.update(re.findall(r"Did you mean '([^']*)'", message))
                self.error(name, message)
            elif not self.is_newer(name, known[name].since, f"attribute {name!r} of {node.tag}"):
                self._texts[name] = text
        for name, form in known.items():
            if form.required and name not in node.attributes and name not in meant:
                self.error(name, f"missing; {node.tag} needs it")

    def error(self, name: str, message: str) -> None:
        """Note a fault of one attribute."""
        self.findings.error(self.node, message, attribute=name)

    def is_newer(self, name: str, since: str, what: str) -> bool:
        """Tell whether something is newer than the file, and note it then."""
        if not is_newer(since, self.version):
            return False
        self.findings.error(
            self.node, newer_text(what, since, self.version), attribute=name, kind="version"
        )
        return True

    @property
    def given(self) -> Set[str]:
        """Names of the attributes that can be read."""
        return self._texts.keys()

    def __contains__(self, name: str) -> bool:
        return name in self._texts

    def text(self, name: str) -> str | None:
        """Return the value as it is; None when it is not given."""
        return self._texts.get(name)

    def formula(self, name: str) -> float | None:
        """Return the value of a formula."""
        text = self._texts.get(name)
        if text is None:
            return None
        try:
            return parse_formula(text)
        except FormulaError as error:
            self.error(name, str(error))
            return None

    def vector(self, name: str) -> Vector | None:
        """Return three numbers."""
        text = self._texts.get(name)
        if text is None:
            return None
        try:
            return parse_vector(text)
        except FormulaError as error:
            self.error(name, str(error))
            return None

    def rotation(self, name: str) -> Rotation | None:
        """Return a rotation."""
        text = self._texts.get(name)
        if text is None:
            return None
        if is_rotation_formula(text) and self.is_newer(
            name, ROTATION_FORMULA_SINCE, "a rotation formula"
        ):
            return None
        try:
            return parse_rotation(text)
        except FormulaError as error:
            self.error(name, str(error))
            return None

    def choice(self, name: str, known: tuple[str, ...]) -> str | None:
        """Return one of the known words, in the case of the specification."""
        text = self._texts.get(name)
        if text is None:
            return None
        word = match_word(text, known)
        if word is None:
            self.error(name, unknown_text(name, text, known, self.findings))
        elif word != text:
            self.findings.warning(self.node, other_case_text(text, word), attribute=name)
        return word

    def part(self, catalog: Catalog, default: str | None = None) -> Part | None:
        """Return the catalog part that the type names."""
        kind = self.node.tag
        text = self._texts.get("type", default)
        if text is None:
            return None
        part = find_part(catalog, kind, text, self.node, self.findings)
        if part is not None and not is_newer(ELEMENTS[kind].since, self.version):
            self.is_newer("type", part.since, f"{kind} type {part.type!r}")
        return part


def newer_text(what: str, since: str, version: str) -> str:
    """Say that something is newer than the file's version, naming both."""
    none = " (as files that name none)" if version == IMPLICIT_VERSION else ""
    return (
        f"{what} is new in version {since}, but this file has version {version}{none}. Raise the "
        f"robot's version to {since} or later"
    )


def _unknown(tag: str, name: str, known: tuple[str, ...], findings: Findings) -> str:
    """Say that an element has no such attribute."""
    text = f"unknown attribute {shorten(name)} of {tag}."
    if tag == "rigid-body" and name in ("mass_offset", "com_trans_offset"):
        return f"{text} A rigid-body has no offsets: give the value itself"
    return text + findings.near(name, known, most=20)
