"""The part catalog: every type an element can name, as data files beside this module.

The built-in catalog is read once, when it is first needed. Users add parts of their own by a
file of the same form; it adds to the built-in types and cannot change them. ``form.py`` says
what such a file holds.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from armwright.copies import FixedMapping
from armwright.errors import WrongTypeError, did_you_mean
from armwright.hrdf.elements import (
    ActuatorPart,
    BracketPart,
    EndEffectorPart,
    LinkPart,
    Part,
    interfaces_fit,
)
from armwright.hrdf.findings import Findings
from armwright.hrdf.yaml_tree import read_bytes
from armwright.reprs import (
    one_line_repr,
    short,
)

from .form import read_parts

_KINDS: dict[type[Part], str] = {
    ActuatorPart: "actuator",
    LinkPart: "link",
    BracketPart: "bracket",
    EndEffectorPart: "end-effector",
}
_FILES = ("actuators.yaml", "links.yaml", "brackets.yaml", "end_effectors.yaml")


@dataclass(frozen=True, slots=True, eq=False)
class Catalog:
    """Parts by kind of element and type.

    Attributes:
        parts: Kind ("actuator", "link", "bracket", "end-effector") to type to part.
    """

    parts: Mapping[str, Mapping[str, Part]]
    _folded: dict[tuple[str, str], Part] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        folded = {
            (kind, name.casefold()): part
            for kind, parts in self.parts.items()
            for name, part in parts.items()
        }
        object.__setattr__(self, "_folded", folded)

    def find(self, kind: str, type: str) -> Part | None:
        """Return the part of that type, in any case; None when there is none.

        Raises:
            WrongTypeError: If there is no such kind, or the type is no text.
        """
        parts = self._of_kind(kind)
        if not isinstance(type, str):
            raise WrongTypeError(f"find, type: expected a text, got {short(type)}")
        return parts.get(type) or self._folded.get((kind, type.casefold()))

    def types(self, kind: str) -> tuple[str, ...]:
        """List the types of a kind, in the order of the files.

        Raises:
            WrongTypeError: If there is no such kind.
        """
        return tuple(self._of_kind(kind))

    def fitting(self, interface_out: str) -> tuple[str, ...]:
        """List "kind type" of every part that can be bolted to an interface.

        Raises:
            WrongTypeError: If the interface is no text.
        """
        if not isinstance(interface_out, str):
            raise WrongTypeError(f"fitting: expected a text, got {short(interface_out)}")
        return tuple(
            f"{kind} {name}"
            for kind, parts in self.parts.items()
            for name, part in parts.items()
            if part.interface_in is not None and interfaces_fit(interface_out, part.interface_in)
        )

    def _of_kind(self, kind: object) -> Mapping[str, Part]:
        """Return the parts of a kind."""
        if not isinstance(kind, str) or kind not in self.parts:
            hint = did_you_mean(kind, self.parts)
            raise WrongTypeError(f"kind: there is no kind of part {short(kind)}.{hint}")
        return self.parts[kind]

    __repr__ = one_line_repr


def load_catalog(path: str | Path | None = None) -> Catalog:
    """Return the built-in catalog, with the parts of a file added when one is given.

    Raises:
        HrdfError: If the file cannot be read or breaks a rule; carries all problems, each with
            line and key.
        WrongTypeError: If it is no path.
    """
    built_in = _built_in()
    if path is None:
        return built_in
    if not isinstance(path, str | os.PathLike):  # a number would be an open file's
        raise WrongTypeError(f"catalog: expected the path of a file, got {type(path).__name__}")
    file = os.fsdecode(path)
    findings = Findings()
    data = read_bytes(path, "the catalog", findings)
    parts = [] if data is None else read_parts(data, file, findings, built_in._folded)
    findings.raise_errors()
    return _catalog([*(p for kind in built_in.parts.values() for p in kind.values()), *parts])


@lru_cache(maxsize=1)
def _built_in() -> Catalog:
    findings = Findings()
    parts: list[Part] = []
    for name in _FILES:
        data = files(__package__).joinpath(name).read_bytes()
        parts += read_parts(data, name, findings, {}, fast=True)
    findings.raise_errors()
    return _catalog(parts)


def _catalog(parts: Iterable[Part]) -> Catalog:
    by_kind: dict[str, dict[str, Part]] = {kind: {} for kind in _KINDS.values()}
    for part in parts:
        by_kind[_KINDS[type(part)]][part.type] = part
    return Catalog(FixedMapping({kind: FixedMapping(parts) for kind, parts in by_kind.items()}))
