"""What a catalog file holds: strict reading of its YAML into parts, all problems at once.

A file has the sections ``actuators`` (by family, each with ``types``), ``links``, ``brackets``
and ``end_effectors``, all optional, and a ``source`` note. Names of keys end in their unit. The
four files beside this module are the examples. Anchors, aliases and repeated keys are refused.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from armwright.errors import Problem
from armwright.hrdf.elements import (
    ActuatorPart,
    BracketPart,
    EndEffectorPart,
    Inertia,
    LinkPart,
    Part,
    Pose,
)
from armwright.hrdf.findings import Findings, Kind
from armwright.hrdf.formula import shorten
from armwright.hrdf.limits import MAX_MAGNITUDE
from armwright.hrdf.specification import VERSIONS
from armwright.hrdf.yaml_tree import compose

from .keys import (
    ACTUATOR,
    BRACKET,
    END_EFFECTOR,
    FAMILY,
    LINK,
    BadValueError,
    Key,
    read_text,
)

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")


def read_parts(
    data: bytes,
    file: str,
    findings: Findings,
    taken: Mapping[tuple[str, str], Part],
    *,
    fast: bool = False,
) -> list[Part]:
    """Read a catalog file.

    Args:
        data: Its bytes.
        file: Its name, for messages.
        findings: Where problems are noted.
        taken: (kind, case-folded type) of parts that there are already.
        fast: Trust the file: for our own.

    Returns:
        The parts that could be read.
    """
    return _File(file, findings, taken).read(data, fast=fast)


class _File:
    """One catalog file while it is read."""

    def __init__(
        self, file: str, findings: Findings, taken: Mapping[tuple[str, str], Part]
    ) -> None:
        self.file = file
        self.findings = findings
        self.taken = set(taken)
        self.source = ""
        self.parts: list[Part] = []

    def read(self, data: bytes, *, fast: bool) -> list[Part]:
        root = self._tree(data, fast=fast)
        if root is None:
            return []
        sections: dict[str, Callable[[str, str, Any], None]] = {
            "actuators": self._family,
            "links": self._link,
            "brackets": self._bracket,
            "end_effectors": self._end_effector,
        }
        items = self._mapping(root, "", "a catalog")
        for key, (line, node) in items.items():
            if key == "source":
                self.source = self._value(node, "", key, read_text, line) or ""
        for key, (line, node) in items.items():
            if key in sections:
                for name, (_, entry) in self._mapping(node, key, f"the section {key}").items():
                    sections[key](f"{key}/{name}", name, entry)
            elif key != "source":
                self._error(
                    line,
                    "",
                    key,
                    f"unknown section {shorten(key)}."
                    + self.findings.near(key, [*sections, "source"]),
                )
        return self.parts

    def _tree(self, data: bytes, *, fast: bool) -> Any:
        """Compose the YAML nodes; None when it is not YAML."""
        expected = "expected sections such as actuators, links, brackets, end_effectors"
        return compose(data, self.file, self.findings, empty=expected, fast=fast)

    def _family(self, where: str, family: str, node: Any) -> None:
        values = self._fields(where, node, FAMILY, f"actuator family {family!r}")
        if values is None:
            return
        inertia, box = values["inertia_kg_m2"], values["inertia_box_m"]
        if (inertia is None) == (box is None):
            text = "exactly one of inertia_kg_m2 (known) and inertia_box_m (estimate) is needed"
            self._error(node.start_mark.line + 1, where, "inertia_kg_m2", text)
            return
        known, estimate = values["rotor_inertia_kg_m2"], values["rotor_inertia_estimate_kg_m2"]
        if known is not None and estimate is not None:
            text = "rotor_inertia_kg_m2 (known) and rotor_inertia_estimate_kg_m2 exclude each other"
            self._error(node.start_mark.line + 1, where, "rotor_inertia_kg_m2", text)
            return
        rotor = estimate if known is None else known
        # What the file says of all its values holds for those that the family is silent about.
        source = "; ".join(text for text in (self.source, values["source"]) if text)
        for type_, (_, entry) in self._mapping(
            values["types"], f"{where}/types", "the types of a family"
        ).items():
            own = self._fields(f"{where}/types/{type_}", entry, ACTUATOR, f"actuator {type_!r}")
            if own is None or not self._free("actuator", type_, f"{where}/types/{type_}", entry):
                continue
            mass, reduction = own["mass_kg"], own["gear_reduction"]
            if rotor is not None and reduction is None:
                text = "missing; with the rotor inertia of the family it is needed"
                line = entry.start_mark.line + 1
                self._error(line, f"{where}/types/{type_}", "gear_reduction", text)
                continue
            full = inertia or _box(mass, *box)
            reflected = None if rotor is None else reduction * reduction * rotor
            if max(map(abs, (*full, reflected or 0.0))) > MAX_MAGNITUDE:
                text = f"its numbers give an inertia beyond the limit of {MAX_MAGNITUDE:g} kg m^2"
                self._error(entry.start_mark.line + 1, f"{where}/types/{type_}", "", text)
                continue
            self.parts.append(
                ActuatorPart(
                    type=type_,
                    family=family,
                    mass=mass,
                    com=values["com_m"],
                    inertia=full,
                    inertia_estimated=inertia is None,
                    output_z=values["output_height_m"],
                    max_speed=own["max_speed_rad_per_s"],
                    max_effort=own["max_effort_N_m"],
                    continuous_effort=own["continuous_effort_N_m"],
                    damping=values["damping_N_m_s_per_rad"],
                    friction=values["friction_N_m"],
                    gear_reduction=reduction,
                    rotor_inertia=reflected,
                    rotor_inertia_estimated=estimate is not None,
                    interface_in=values["interface_in"],
                    interface_out=values["interface_out"],
                    since=values["since"] or VERSIONS[0],
                    source=source,
                )
            )

    def _link(self, where: str, type_: str, node: Any) -> None:
        values = self._fields(where, node, LINK, f"link {type_!r}")
        if values is None or not self._free("link", type_, where, node):
            return
        self.parts.append(
            LinkPart(
                type=type_,
                base_mass=values["base_mass_kg"],
                mass_per_length=values["mass_per_length_kg_per_m"],
                half_height=values["half_height_m"],
                extra_masses=(
                    values["inline_input_kg"],
                    values["inline_output_kg"],
                    values["inline_both_kg"],
                ),
                **self._common(values),
            )
        )

    def _bracket(self, where: str, type_: str, node: Any) -> None:
        values = self._fields(where, node, BRACKET, f"bracket {type_!r}")
        if values is None or not self._free("bracket", type_, where, node):
            return
        self.parts.append(
            BracketPart(
                type=type_,
                **self._piece(values),
                **self._common(values),
            )
        )

    def _end_effector(self, where: str, type_: str, node: Any) -> None:
        values = self._fields(where, node, END_EFFECTOR, f"end effector {type_!r}")
        if values is None or not self._free("end-effector", type_, where, node):
            return
        self.parts.append(
            EndEffectorPart(
                type=type_,
                interface_in=values["interface_in"],
                since=values["since"] or "1.2.0",
                source=values["source"] or self.source,
                **self._piece(values),
            )
        )

    def _piece(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return what brackets and end effectors have in common."""
        return {
            "mass": values["mass_kg"],
            "com": values["com_m"],
            "inertia_radius": values["inertia_radius_m"],
            "output": Pose(values["output_turn"] or Pose().rotation, values["output_m"]),
        }

    def _common(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return what every part has that is bolted on at both ends."""
        return {
            "interface_in": values["interface_in"],
            "interface_out": values["interface_out"],
            "since": values["since"] or VERSIONS[0],
            "source": values["source"] or self.source,
        }

    def _free(self, kind: str, type_: str, where: str, node: Any) -> bool:
        """Tell whether a type is new and well named; note it when it is not."""
        line = node.start_mark.line + 1
        if not _NAME.fullmatch(type_):
            text = f"{shorten(type_)} is not a type name: letters, digits and . _ + - are allowed"
            self._error(line, where, "", text)
            return False
        if (kind, type_.casefold()) in self.taken:
            text = f"{kind} {type_!r} is in the catalog already. Give yours another name"
            self._error(line, where, "", text)
            return False
        self.taken.add((kind, type_.casefold()))
        return True

    def _fields(
        self, where: str, node: Any, keys: Mapping[str, Key], what: str
    ) -> dict[str, Any] | None:
        """Read the keys of one entry; None when a problem was noted. Absent keys give None."""
        before = self.findings.error_count
        items = self._mapping(node, where, what)
        line = node.start_mark.line + 1
        values: dict[str, Any] = dict.fromkeys(keys)
        for key, (key_line, value) in items.items():
            if key not in keys:
                self._error(
                    key_line,
                    where,
                    key,
                    f"unknown key {shorten(key)}." + self.findings.near(key, keys, most=20),
                )
            else:
                values[key] = self._value(value, where, key, keys[key].read, key_line)
        for key, rule in keys.items():
            if rule.required and key not in items:
                self._error(line, where, key, f"missing; {what} needs it")
        return values if self.findings.error_count == before else None

    def _mapping(self, node: Any, where: str, what: str) -> dict[str, tuple[int, Any]]:
        """Return key to (line, node); notes repeated keys and whatever is not a mapping."""
        items: dict[str, tuple[int, Any]] = {}
        if node.id != "mapping":
            self._error(node.start_mark.line + 1, where, "", f"{what} must be a mapping of keys")
            return items
        for key, value in node.value:
            line = key.start_mark.line + 1
            if key.id != "scalar":
                self._error(line, where, "", "a key must be a plain word")
            elif key.value in items:
                text = f"key {key.value!r} is given twice (first in line {items[key.value][0]})"
                self._error(line, where, key.value, text)
            else:
                items[key.value] = (line, value)
        return items

    def _value(self, node: Any, where: str, key: str, read: Callable[[Any], Any], line: int) -> Any:
        try:
            return read(node)
        except BadValueError as error:
            self._error(line, where, key, str(error))
            return None

    def _error(self, line: int, where: str, key: str, message: str, kind: Kind = "rule") -> None:
        self.findings.add(Problem(self.file, line, where, key, message), kind)


def _box(mass: float, length: float, width: float, height: float) -> Inertia:
    """Return the inertia of a solid box [kg m^2]."""
    xx, yy, zz = length**2, width**2, height**2
    return (mass * (yy + zz) / 12, mass * (xx + zz) / 12, mass * (xx + yy) / 12, 0.0, 0.0, 0.0)
