"""Values of a configuration: amounts, rows of numbers, switches, and what YAML takes them for."""

import sys

from armwright.hrdf.findings import Findings
from armwright.hrdf.formula import shorten
from armwright.hrdf.yaml_tree import YamlNode

_STRAY = "\"'[]{}"


def amount(node: YamlNode | None, unit: str, findings: Findings) -> float | None:
    """Return a number of some unit, 0 or more; notes what is none."""
    if node is None:
        return None
    value = node.number(findings, _key(node))
    if value is not None and value < 0:
        findings.error(node, f"expected {unit}, 0 or more, got {shorten(node.text, 30)[1:-1]}")
    return value


def row(node: YamlNode, length: int, findings: Findings) -> list[float]:
    """Return so many numbers (any when 0); notes what is not so."""
    entries = node.sequence(findings, _key(node))
    values = [entry.number(findings, _key(node)) or 0.0 for entry in entries]
    if node.kind == "sequence" and length and len(entries) != length:
        findings.error(node, f"expected {length} numbers, got {len(entries)}")
    return values


def switch(node: YamlNode, findings: Findings) -> bool:
    """Return whether a switch is on; notes what is none."""
    if node.kind != "scalar" or node.type != "bool":
        got = shorten(node.text)[1:-1] if node.text else node.kind
        findings.error(node, f"expected true or false, got {got}")
    return plain(node) is True


def check_stray(node: YamlNode, text: str, what: str, findings: Findings) -> None:
    """Note quotes and brackets that are part of a name."""
    stray = [letter for letter in _STRAY if letter in text]
    if stray:
        shown = " and ".join(stray)
        text = f"{what} has {shown} in it: {text[:100]}. Is it a stray sign?"
        findings.warning(node, text)


def plain(node: YamlNode) -> object:
    """Return a value as YAML takes it: numbers, texts, lists, mappings, True, False, None."""
    if node.kind == "mapping":
        return {key: plain(value) for key, value in node.items.items()}
    if node.kind == "sequence":
        return [plain(entry) for entry in node.entries]
    try:
        if node.type == "int":
            return int(node.text.replace("_", ""), 0)
        if node.type == "float":
            return float(node.text.replace("_", "").replace(".inf", "inf").replace(".nan", "nan"))
    except ValueError:
        return node.text  # octal and sexagesimal numbers stay texts
    if node.type == "bool":
        return node.text.casefold() in ("true", "yes", "on")
    return None if node.type == "null" else node.text


def is_finite(value: object) -> bool:
    """Whether a plain value is a number that is finite."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -sys.float_info.max <= value <= sys.float_info.max


def _key(node: YamlNode) -> str:
    """Return the key that a value stands under."""
    return node.path.rpartition("/")[2].partition("[")[0]
