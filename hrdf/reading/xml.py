"""XML as one strict tree that keeps document order and lines: the only home of xmltodict.

xmltodict by itself groups children by tag, so the order between different tags is lost, and it
forgets lines. Here its parser sits behind a small proxy that adds the line to every start tag
and to every piece of text, refuses what is refused and counts what is bounded; a postprocessor
collects all children under one key, in order. Used for every XML file the project reads.
"""

import codecs
import re
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from armwright.errors import ArmwrightError
from armwright.hrdf.files import HEAD
from armwright.hrdf.limits import (
    MAX_ATTRIBUTE_LENGTH,
    MAX_ELEMENTS,
    MAX_FILE_BYTES,
    MAX_NAME_LENGTH,
    MAX_PATH_LENGTH,
    MAX_XML_DEPTH,
)

_CHILDREN = " children"  # keys with a space cannot be names of attributes or elements
_LINE = " line"
_TEXT = "#text"
_MARK = "\x00"  # cannot occur in XML text
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it starts with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z][A-Za-z0-9._-]*)[\"']")
_ODD_CODECS = {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "utf-7"}
_DECLARATION_HINT = (
    " A declaration <?xml ...?> belongs to the very beginning of the file, once. Move or remove it."
)
_HINTS = {
    "not well-formed (invalid token)": " Is a '>' or a quote missing just before it? "
    "In a text, '<' and '&' are written &lt; and &amp;.",
    "syntax error": " HRDF is XML, which begins with '<'.",
    "duplicate attribute": " Each attribute can be given once.",
    "mismatched tag": " Each element must be closed by its own name, or at once: <name/>.",
    "no element found": " The text ends too early: an element is not closed.",
    "unclosed token": " The text ends in the middle of a tag.",
    "junk after document element": " There can be one root element only.",
    "undefined entity": " Only &lt; &gt; &amp; &quot; and &apos; are known.",
}


class XmlError(ArmwrightError, ValueError):
    """Text that is not XML, uses what is refused, or is over a limit.

    Attributes:
        line: Line of the fault, from 1; 0 when it belongs to none.
        file: File, as it was named; "" when it is not known.
        element: Path of the element, "" when it belongs to none.
    """

    def __init__(self, message: str, line: int = 0, file: str = "", element: str = "") -> None:
        """Keep the place beside the message."""
        super().__init__(message)
        self.line = line
        self.file = file
        self.element = element


@dataclass(slots=True, eq=False)
class Node:
    """One XML element.

    Attributes:
        tag: Its name.
        attributes: Names and values, in document order.
        children: Elements, in document order.
        text: What stands between its tags, comments and elements left out, stripped.
        text_line: Line where that text starts; 0 without text.
        line: Line of the start tag.
        file: File it stands in, as it was named.
        path: Element path, such as ``robot/rigid-body[1]/output[2]``.
        late: Line of a declaration that does not stand at the very beginning, on the root; 0: none.
    """

    tag: str
    attributes: dict[str, str]
    children: "list[Node]"
    text: str = ""
    text_line: int = 0
    line: int = 0
    file: str = field(default="")
    path: str = field(default="")
    late: int = 0


def parse_xml(source: str | bytes, *, file: str) -> Node:
    """Parse XML into a tree.

    Args:
        source: The text. Bytes are decoded by their byte order mark or declaration, else UTF-8.
        file: Name to remember in every node.

    Returns:
        The root element.

    Raises:
        XmlError: If it is not well-formed, has a DTD or entities, or is over a limit.
    """
    try:
        root = _parse(source)
    except XmlError as error:
        error.file = file
        raise
    _name(root, file)
    return root


def _parse(source: str | bytes) -> Node:
    """Parse without knowing the file."""
    import xmltodict

    if len(source) > MAX_FILE_BYTES:
        raise XmlError(f"larger than the limit of {MAX_FILE_BYTES} bytes for one file")
    text = _decode(source) if isinstance(source, bytes) else source
    text, late = _without_late_declaration(text)
    if not text.strip("\ufeff \t\r\n"):
        raise XmlError("empty; expected an XML document", 1)
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise XmlError("not well-formed XML: a lone surrogate character", line) from None
    try:
        top = xmltodict.parse(
            data,
            encoding="utf-8",  # overrides the declaration, which spoke of the bytes
            expat=_Expat,
            postprocessor=_collect,
            force_list=(_CHILDREN,),
        )
    except expat.ExpatError as error:
        what = expat.ErrorString(error.code)
        hint = _HINTS.get(what, "")
        if "declaration not at start" in what or (
            what.startswith("junk") and _at(text, error).startswith("<?xml")
        ):
            hint = _DECLARATION_HINT
        if what == "syntax error" and isinstance(source, str):
            hint += " The name of a file goes to armwright.load() or hrdf.read()."
        raise XmlError(
            f"not well-formed XML: {what} at column {error.offset + 1}.{hint}", error.lineno
        ) from None
    root: Node = top[_CHILDREN][0]
    root.late = late
    return root


def _at(text: str, error: Any) -> str:
    """Return the text where a fault is."""
    lines = text.splitlines()
    return lines[error.lineno - 1][error.offset :] if 0 < error.lineno <= len(lines) else ""


def _without_late_declaration(text: str) -> tuple[str, int]:
    """Blank a declaration behind blank lines and comments; return its line, 0 when there is none.

    Public files have them, and other readers take them.
    """
    place = _behind_remarks(text)
    if place in (0, len(text)) or not text.startswith(("<?xml ", "<?xml\t", "<?xml\n"), place):
        return text, 0
    end = text.find("?>", place)
    if end < 0 or text[:place] == "\ufeff":
        return text, 0
    blank = "".join("\n" if sign == "\n" else " " for sign in text[place : end + 2])
    return text[:place] + blank + text[end + 2 :], text.count("\n", 0, place) + 1


def _behind_remarks(text: str) -> int:
    """Return where a text goes on behind blank lines and comments."""
    place = 0
    while place < len(text):
        if text[place] in "\ufeff \t\r\n":
            place += 1
        elif text.startswith("<!--", place):
            end = text.find("-->", place + 4)
            if end < 0:
                return place
            place = end + 3
        else:
            return place
    return place


class _Expat:
    """Stands in for the expat module that xmltodict is given."""

    @staticmethod
    def ParserCreate(encoding: str | None, namespace_separator: str | None) -> "_Parser":
        return _Parser(expat.ParserCreate(encoding, namespace_separator))


class _Parser:
    """A real parser whose handlers see lines, and which refuses and counts."""

    def __init__(self, real: Any) -> None:
        vars(self)["_real"] = real
        vars(self)["_count"] = 0
        vars(self)["_depth"] = 0
        real.StartDoctypeDeclHandler = self._refuse
        real.EntityDeclHandler = self._refuse

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "buffer_text":  # buffered text would be given the line of the next tag
            return
        if name == "EntityDeclHandler":  # ours has a line
            return
        if name == "StartElementHandler":
            value = self._start(value)
        elif name == "EndElementHandler":
            value = self._end(value)
        elif name == "CharacterDataHandler":
            value = self._text(value)
        setattr(self._real, name, value)

    def _start(self, handler: Any) -> Any:
        real, own = self._real, vars(self)

        def start(name: str, attributes: list[str]) -> None:
            line = real.CurrentLineNumber
            own["_count"] += 1
            own["_depth"] += 1
            if own["_count"] > MAX_ELEMENTS:
                raise XmlError(f"more elements than the limit of {MAX_ELEMENTS} in one file", line)
            if own["_depth"] > MAX_XML_DEPTH:
                raise XmlError(f"elements nested deeper than the limit of {MAX_XML_DEPTH}", line)
            if len(name) > MAX_NAME_LENGTH:
                raise XmlError(
                    f"the name of element {name[:30]}... is longer than the limit of "
                    f"{MAX_NAME_LENGTH} characters",
                    line,
                )
            for key, value in zip(attributes[0::2], attributes[1::2], strict=True):
                if len(value) > MAX_ATTRIBUTE_LENGTH or len(key) > MAX_ATTRIBUTE_LENGTH:
                    raise XmlError(
                        f"attribute {key[:30]} of {name[:30]} is longer than the limit of "
                        f"{MAX_ATTRIBUTE_LENGTH} characters",
                        line,
                    )
            handler(name, [*attributes, _LINE, str(line)])

        return start

    def _end(self, handler: Any) -> Any:
        own = vars(self)

        def end(name: str) -> None:
            own["_depth"] -= 1
            handler(name)

        return end

    def _text(self, handler: Any) -> Any:
        real = self._real

        def text(data: str) -> None:
            if data.strip():
                data = f"{_MARK}{real.CurrentLineNumber}{_MARK}{data}"
            handler(data)

        return text

    def _refuse(self, *_details: Any) -> None:
        raise XmlError(
            "a document type (<!DOCTYPE ...>) or entity is refused. Remove it; it is not needed",
            self._real.CurrentLineNumber,
        )


def _collect(path: list[tuple[str, Any]], key: str, value: Any) -> tuple[str, Any]:
    """Keep attributes and text under their keys, turn elements into nodes under one key."""
    if key == "@" + _LINE:
        return _LINE, value
    if key == _TEXT or key.startswith("@"):
        return key, value
    node = Node(key, {}, value.pop(_CHILDREN, []), line=int(value.pop(_LINE)))
    marked = value.pop(_TEXT, None)
    if marked is not None:
        pieces = marked.split(_MARK)  # blank, line, text, line, text, ...
        node.text = "".join(pieces[0::2]).strip()
        node.text_line = int(pieces[1])
    node.attributes = {name[1:]: text for name, text in value.items()}
    return _CHILDREN, node


def _name(root: Node, file: str) -> None:
    """Give every node its file and path."""
    root.file, root.path = file, root.tag
    stack = [root]
    while stack:
        node = stack.pop()
        counts: dict[str, int] = {}
        start = node.path
        if len(start) > MAX_PATH_LENGTH:
            start = f"{start[: MAX_PATH_LENGTH // 2]}...{start[-MAX_PATH_LENGTH // 2 :]}"
        for child in node.children:
            counts[child.tag] = counts.get(child.tag, 0) + 1
            child.file, child.path = file, f"{start}/{child.tag}[{counts[child.tag]}]"
            stack.append(child)


def _decode(data: bytes) -> str:
    """Decode bytes by byte order mark or declaration, else UTF-8; a bad byte names its line."""
    mark, encoding = next((pair for pair in _BOMS if data.startswith(pair[0])), (b"", ""))
    data = data[len(mark) :]
    encoding = encoding or _guess(data)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding == "utf-8" and b"\0" in data[:1024]:
            raise XmlError("not a text; expected HRDF, which is XML", 1) from None
        good = data[: error.start].decode(encoding, "replace")
        line = good.count("\n") + 1
        raise XmlError(
            f"not {encoding}: {error.reason}, byte 0x{data[error.start]:02x}. Save the file as "
            "UTF-8, or declare its encoding in the first line",
            line,
        ) from None


def _guess(data: bytes) -> str:
    """Return the encoding of bytes without a byte order mark."""
    if data[:2] == b"<\x00":
        return "utf-16-le"
    if data[:2] == b"\x00<":
        return "utf-16-be"
    head = data[:HEAD].decode("latin-1")
    declared = _DECLARED.match(data, _behind_remarks(head))
    if declared is None:
        return "utf-8"
    name = declared.group(1).decode("ascii")
    try:
        found = codecs.lookup(name)
        usable = (
            bool("<?xml".encode(name) == b"<?xml")
            and found.name.replace("_", "-") not in _ODD_CODECS
        )
    except (LookupError, UnicodeError, TypeError, ValueError):
        usable = False
    if not usable:
        raise XmlError(f"unknown encoding {name!r}. Save the file as UTF-8", 1)
    return found.name
