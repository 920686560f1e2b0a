"""YAML as one strict tree with lines: nothing repeated, nothing shared, nothing guessed.

YAML loaders keep the last of two equal keys and turn plain words into other things; here every
value keeps its text, what YAML takes it for, its line and its path, and the reader says what it
expects. Anchors, aliases and deep nesting are refused.
"""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from .files import PathError, UnreadableError, path_text, read_file
from .findings import Findings, Spot
from .formula import FormulaError, parse_formula, shorten
from .limits import MAX_ATTRIBUTE_LENGTH, MAX_NAME_LENGTH, MAX_YAML_BYTES, MAX_YAML_DEPTH

_LEADING_ZERO = re.compile(r"[+-]?0[0-9_]")
_STANDARD = "tag:yaml.org,2002:"


@dataclass(slots=True, eq=False)
class YamlNode:
    """One value.

    Attributes:
        kind: What it is.
        type: What YAML takes a scalar for: "str", "int", "float", "bool", "null", ...
        text: Text of a scalar, as written.
        items: Values of a mapping, in order.
        entries: Values of a sequence, in order.
        file: File it stands in, as it was named.
        line: Its line; that of its key when it has one.
        path: Keys and numbers (from 1) that lead to it, such as ``groups/arm/joints[2]``.
    """

    kind: Literal["mapping", "sequence", "scalar"]
    type: str
    text: str
    file: str
    line: int
    path: str
    items: "dict[str, YamlNode]" = field(default_factory=dict)
    entries: "list[YamlNode]" = field(default_factory=list)

    def mapping(
        self, findings: Findings, what: str, known: Sequence[str] | None = None
    ) -> "dict[str, YamlNode]":
        """Return the values of a mapping whose keys are known; notes what is not so."""
        if self.kind != "mapping":
            keys = "" if known is None else f" such as {', '.join(known)}"
            findings.error(self, f"{what} is a mapping of keys{keys}, got {self._describe()}")
            return {}
        if known is None:
            return self.items
        for key, node in self.items.items():
            if key not in known:
                text = f"unknown key {shorten(key)}." + findings.near(key, known)
                findings.error(node, text)
        return {key: node for key, node in self.items.items() if key in known}

    def sequence(self, findings: Findings, what: str) -> "list[YamlNode]":
        """Return the values of a sequence; notes when it is none."""
        if self.kind != "sequence":
            text = f"{what} is a list, such as [a, b], got {self._describe()}"
            findings.error(self, text)
        return self.entries

    def name(self, findings: Findings, what: str) -> str | None:
        """Return a text that is not empty; notes and returns None when it is none."""
        if self.kind != "scalar":
            findings.error(self, f"{what} is a text, got {self._describe()}")
            return None
        if self.type != "str":
            text = (
                f"{what} is a text, but YAML takes {shorten(self.text)} for {_ARTICLES[self.type]}."
            )
            findings.error(self, text + (' Put it in quotes: "..."' if self.text else ""))
            return None
        if not self.text.strip():
            findings.error(self, f"{what} is empty")
            return None
        return self.text

    def number(self, findings: Findings, what: str) -> float | None:
        """Return a number, or a formula's value; notes and returns None when it is neither."""
        text = self.text
        if len(text) > MAX_ATTRIBUTE_LENGTH:
            message = f"{what}: {shorten(text)} is longer than the limit of"
            findings.error(self, f"{message} {MAX_ATTRIBUTE_LENGTH} characters")
            return None
        if self.kind == "scalar" and self.type in ("int", "float", "str"):
            if self.type == "int" and _LEADING_ZERO.match(text):
                message = f"{what}: {text} starts with 0, which YAML takes for an octal number"
                findings.error(self, message + ". Leave the 0 out")
                return None
            try:
                return parse_formula(text)
            except FormulaError as error:
                findings.error(self, f"{what} is a finite number or a formula: {error}")
                return None
        findings.error(self, f"{what} is a number or a formula, got {self._describe()}")
        return None

    def _describe(self) -> str:
        """Describe the value in a message."""
        if self.kind == "scalar":
            return "nothing" if self.type == "null" else shorten(self.text)
        return f"a {'list' if self.kind == 'sequence' else 'mapping'}"


def read_yaml(data: bytes, file: str, findings: Findings) -> YamlNode | None:
    """Turn YAML into a tree; None when it is not YAML, which is noted.

    Args:
        data: The bytes of the file.
        file: Name to remember.
        findings: Where problems are noted.
    """
    root = compose(data, file, findings, empty="expected a mapping of keys")
    if root is None:
        return None
    return _convert(root, file, "", root.start_mark.line + 1, findings)


def read_bytes(path: str | os.PathLike[str], what: str, findings: Findings) -> bytes | None:
    """Return what a file of YAML holds; None when it cannot be read, which is noted.

    Args:
        path: The file.
        what: What it is, for the message: "the catalog".
        findings: Where problems are noted.
    """
    try:
        return read_file(path, MAX_YAML_BYTES)
    except UnreadableError as error:
        reason = str(error)
        if error.missing:
            reason = "cannot be read: No such file or directory"
        elif not reason.startswith("cannot"):
            reason = f"cannot be read: it {reason}"
        findings.error(Spot(name_of(path)), f"{what} {reason}")
        return None


def name_of(path: object) -> str:
    """Return a path for messages, whatever it is."""
    try:
        return path_text(path)
    except PathError:
        return "<no file>"


def compose(data: bytes, file: str, findings: Findings, *, empty: str, fast: bool = False) -> Any:
    """Return the root node of the library's tree; None when there is none, which is noted.

    Args:
        data: The bytes of the file.
        file: Name to remember.
        findings: Where problems are noted.
        empty: What was expected of a file that is empty.
        fast: Trust the file: for our own.
    """
    import yaml

    if len(data) > MAX_YAML_BYTES:
        text = f"larger than the limit of {MAX_YAML_BYTES} bytes"
        findings.error(Spot(file), text, kind="syntax")
        return None
    # The compiled reader is ten times as quick; what it refuses the other one explains, or takes.
    loaders: list[Any] = [getattr(yaml, "CSafeLoader", yaml.SafeLoader), yaml.SafeLoader]
    for loader in loaders:
        try:
            if not fast and _is_refused(yaml.parse(data, Loader=loader), file, findings):
                return None
            root = yaml.compose(data, Loader=loader)
            break
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            problem = _told(error)
            mark = getattr(error, "problem_mark", None)
            where = Spot(file, mark.line + 1 if mark else 0)
    else:
        findings.error(where, f"not well-formed YAML: {problem}", kind="syntax")
        return None
    if root is None:
        findings.error(Spot(file, 1), f"empty; {empty}", kind="syntax")
    return root


def _told(error: Exception) -> str:
    """Return what the library says of a fault."""
    told = getattr(error, "problem", None) or getattr(error, "reason", None)
    return str(told or error)[:300]


def _is_refused(events: Iterable[Any], file: str, findings: Findings) -> bool:
    """Tell whether there are anchors, aliases or deep nesting, and note them."""
    depth = 0
    for event in events:
        name = type(event).__name__
        depth += name.endswith("StartEvent") - name.endswith("EndEvent")
        text = ""
        if name == "AliasEvent" or getattr(event, "anchor", None):
            text = "anchors (&) and aliases (*) are refused. Write the values out"
        elif depth > MAX_YAML_DEPTH:
            text = f"nested deeper than the limit of {MAX_YAML_DEPTH}"
        if text:
            findings.error(Spot(file, event.start_mark.line + 1), text, kind="syntax")
            return True
    return False


def _convert(node: Any, file: str, path: str, line: int, findings: Findings) -> YamlNode:
    """Turn one node of the library, and all in it, into ours; notes repeated keys."""
    type_ = node.tag.removeprefix(_STANDARD)
    text = node.value if node.id == "scalar" else ""
    made = YamlNode(node.id, type_, text, file, line, path)
    if type_ not in _ARTICLES:
        findings.error(made, f"the YAML tag {shorten(node.tag)} is not used here. Remove it")
        made.type = "str"
    if node.id == "sequence":
        for number, entry in enumerate(node.value, 1):
            at = entry.start_mark.line + 1
            made.entries.append(_convert(entry, file, f"{path}[{number}]", at, findings))
    elif node.id == "mapping":
        for key, value in node.value:
            at = key.start_mark.line + 1
            where = Spot(file, at, path)
            if key.id != "scalar":
                findings.error(where, "a key is a plain word")
                continue
            name = key.value
            if len(name) > MAX_NAME_LENGTH:
                text = f"key {shorten(name, 30)} is longer than the limit of {MAX_NAME_LENGTH}"
                findings.error(where, f"{text} characters")
                continue
            under = f"{path}/{name}" if path else name
            converted = _convert(value, file, under, at, findings)
            if name in made.items:
                first = made.items[name].line
                text = f"key {name!r} is given twice, first in line {first}. Keep one of them"
                findings.error(Spot(file, at, under), text)
            else:
                made.items[name] = converted
    return made


_ARTICLES = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "a yes or no",
    "null": "nothing",
    "timestamp": "a date",
    "value": "a default value",
    "merge": "a merge key",
    "binary": "binary data",
    "map": "a mapping",
    "seq": "a list",
}
