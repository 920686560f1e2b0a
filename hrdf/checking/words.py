"""Words of the format and types of parts, in any case; what is none is told with what is."""

from collections.abc import Iterable

from armwright.hrdf.catalog import Catalog
from armwright.hrdf.elements import Part
from armwright.hrdf.findings import Findings, Located
from armwright.hrdf.formula import shorten


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


def unknown_text(what: str, text: str, known: Iterable[str], findings: Findings) -> str:
    """Say that a word is not one of the known ones."""
    return f"unknown {what} {shorten(text)}." + findings.near(text, known, most=30)


def find_part(
    catalog: Catalog, kind: str, type: str, where: Located, findings: Findings
) -> Part | None:
    """Return the part that a type names, in any case; an unknown one is noted."""
    part = catalog.find(kind, type)
    if part is None:
        message = unknown_text(f"{kind} type", type, catalog.types(kind), findings)
        findings.error(where, message, attribute="type", kind="part")
    elif part.type != type:
        findings.warning(where, other_case_text(type, part.type), attribute="type")
    return part
