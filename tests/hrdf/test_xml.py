"""The XML tree: order, lines, encodings, and everything that is refused or bounded."""

import codecs

import pytest

from armwright.hrdf import limits, parse
from armwright.hrdf.reading.xml import Node, XmlError, parse_xml


def tree(source: str | bytes) -> Node:
    return parse_xml(source, file="a.xml")


def test_order_between_different_tags_is_kept() -> None:
    root = tree("<r><a/><b/><a/><c/><b/></r>")
    assert [child.tag for child in root.children] == ["a", "b", "a", "c", "b"]


def test_lines_paths_and_attributes() -> None:
    root = tree('<r>\n<a x="1"\n y="2"/>\n\n<b><a/></b><a/></r>')
    a, b, last = root.children
    assert (a.line, b.line, b.children[0].line, last.line) == (2, 5, 5, 5)
    assert (a.path, b.children[0].path, last.path) == ("r/a[1]", "r/b[1]/a[1]", "r/a[2]")
    assert list(a.attributes.items()) == [("x", "1"), ("y", "2")]
    assert {node.file for node in (root, a, b)} == {"a.xml"}


def test_text_is_kept_with_its_own_line() -> None:
    root = tree("<r>\n\n  <a/>\n  one <!-- x -->\n two<a/></r>")
    assert (root.text, root.text_line) == ("one \n two", 4)
    assert tree("<r><k>1 2\n3</k></r>").children[0].text == "1 2\n3"


def test_white_space_comments_and_instructions_are_no_text() -> None:
    root = tree("<?xml version='1.0'?><!-- a --><?p q?>\n<r> \t\n<!-- b --><?p q?></r><!-- c -->")
    assert (root.text, root.text_line, root.children) == ("", 0, [])


def test_cdata_is_text() -> None:
    assert tree("<r><![CDATA[a<b]]></r>").text == "a<b"


def test_names_like_those_of_xmltodict_are_ordinary() -> None:
    root = tree('<r children="1" text="2" line="3"><text/><children/></r>')
    assert root.attributes == {"children": "1", "text": "2", "line": "3"}
    assert [child.tag for child in root.children] == ["text", "children"]


@pytest.mark.parametrize(
    ("encoding", "declared"),
    [
        ("utf-8", None),
        ("utf-8", "UTF-8"),
        ("utf-8-sig", None),
        ("utf-8-sig", "utf-8"),
        ("utf-16", None),
        ("utf-16", "UTF-16"),
        ("utf-32", None),
        ("latin-1", "iso-8859-1"),
        ("cp1252", "windows-1252"),
        ("shift_jis", "Shift_JIS"),
        ("koi8-r", "KOI8-R"),
    ],
)
def test_encodings(encoding: str, declared: str | None) -> None:
    text = {"shift_jis": "腕", "koi8-r": "рука"}.get(encoding, "Ärm")
    head = f'<?xml version="1.0" encoding="{declared}"?>\n' if declared else ""
    whole = f'{head}<r x="{text}"/>'
    assert tree(whole.encode(encoding)).attributes == {"x": text}
    assert tree(whole).attributes == {"x": text}  # a str ignores the declaration


def test_utf_16_without_a_mark_is_known_by_its_first_bytes() -> None:
    for encoding in ("utf-16-le", "utf-16-be"):
        assert tree('<r x="ä"/>'.encode(encoding)).attributes == {"x": "ä"}


@pytest.mark.parametrize(
    "name",
    [
        *("klingon", "rot13", "punycode", "utf-7", "utf7", "hex", "idna", "utf-16"),
        *("unicode_escape", "unicode-escape", "raw_unicode_escape"),
    ],
)
def test_unusable_encodings_are_named(name: str) -> None:
    source = f'<?xml version="1.0" encoding="{name}"?><r/>'.encode()
    with pytest.raises(XmlError, match=f"unknown encoding '{name}'. Save the file as UTF-8"):
        tree(source)


LATE = ("\n\n", "\r\n \t", "<!-- a -->\n", "\n<!-- a\nb -->\n<!---->  ")


@pytest.mark.parametrize("before", LATE)
def test_a_declaration_behind_remarks_is_taken(before: str) -> None:
    whole = f'{before}<?xml version="1.0"\n encoding="utf-8"?>\n<r>\n<a/></r>'
    for source in (whole, whole.encode(), b"\xef\xbb\xbf" + whole.encode()):
        root = tree(source)
        line = before.count("\n") + 1
        assert (root.late, root.line) == (line, line + 2)  # lines stay what they were
        assert root.children[0].line == line + 3
    coded = f'{before}<?xml version="1.0" encoding="latin-1"?><r x="Ä"/>'.encode("latin-1")
    assert tree(coded).attributes == {"x": "Ä"}
    assert tree(whole[len(before) :]).late == 0
    assert tree(before + "<r/>").late == 0


@pytest.mark.parametrize(
    "source",
    [
        '<r><?xml version="1.0"?></r>',
        '<r/><?xml version="1.0"?>',
        '<r/>\n<?xml version="1.0"?>',
        '<?xml version="1.0"?><?xml version="1.0"?><r/>',
        '\n<?xml version="1.0"?>\n<?xml version="1.0"?><r/>',
    ],
)
def test_a_declaration_elsewhere_is_told_its_place(source: str) -> None:
    with pytest.raises(XmlError, match=r"belongs to the very beginning of the file, once"):
        tree(source)


def test_the_warning_of_a_late_declaration() -> None:
    whole = '\n<!-- x -->\n<?xml version="1.0"?>\n<robot version="1.6.0"/>'
    (warning,) = parse(whole).warnings
    assert (warning.line, warning.severity) == (3, "warning")
    assert "before blank lines and comments" in warning.message


def test_bytes_that_do_not_decode_have_a_line() -> None:
    with pytest.raises(XmlError, match="not utf-8: invalid continuation byte, byte 0xe4") as info:
        tree(b"<r>\n<a/>\n<b x='\xe4'/></r>")
    assert (info.value.line, info.value.file) == (3, "a.xml")
    with pytest.raises(XmlError, match="not utf-16-le: truncated data"):
        tree(codecs.BOM_UTF16_LE + "<r/>".encode("utf-16-le") + b"\x00")


@pytest.mark.parametrize(
    ("source", "message", "line"),
    [
        ("", "empty; expected an XML document", 1),
        (" \n\t", "empty", 1),
        (b"", "empty", 1),
        (b"\xef\xbb\xbf", "empty", 1),
        ("hello", "syntax error at column 1. HRDF is XML.*name of a file goes to", 1),
        (b"hello", "syntax error at column 1. HRDF is XML, which begins with '<'.$", 1),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "^not a text; expected HRDF, which is XML$", 1),
        (b"PK\0\xff", "^not a text; expected HRDF, which is XML$", 1),  # no archive either
        ("<r>\n<a\n<b/></r>", "invalid token.*'>' or a quote missing just before", 3),
        ("<r>\n<a>\n</r>", "mismatched tag at column 3.*closed by its own name", 3),
        ("<r", "unclosed token.*middle of a tag", 1),
        ("<r>\n<a/>", "no element found.*an element is not closed", 2),
        ("<r/>\n<r/>", "junk after document element.*one root element", 2),
        ("<r>&nbsp;</r>", "undefined entity.*Only &lt;", 1),
        ("<r>\n<a x='1' x='2'/></r>", "duplicate attribute.*given once", 2),
        ("<r>\na & b</r>", "invalid token.*&amp;", 2),
        ("<r>\x00</r>", "invalid token", 1),
        ("<r>\x0b</r>", "invalid token", 1),
        ("<r>\n\ud800</r>", "a lone surrogate character", 2),
        ("<r x='&#0;'/>", "reference to invalid character number", 1),
        ("<!DOCTYPE r>\n<r/>", "document type .* is refused", 1),
        ('<!DOCTYPE r [<!ENTITY a "b">]><r>&a;</r>', "is refused", 1),
        ('\n<!DOCTYPE r SYSTEM "http://x/y.dtd"><r/>', "is refused", 2),
    ],
)
def test_what_is_refused_has_a_line(source: str | bytes, message: str, line: int) -> None:
    with pytest.raises(XmlError, match=message) as info:
        tree(source)
    assert info.value.line == line


def test_size_depth_count_and_length_are_bounded() -> None:
    with pytest.raises(XmlError, match=f"larger than the limit of {limits.MAX_FILE_BYTES} bytes"):
        tree("<r>" + " " * limits.MAX_FILE_BYTES + "</r>")
    deep = limits.MAX_XML_DEPTH
    assert tree("<r>" * deep + "</r>" * deep)
    with pytest.raises(XmlError, match=f"nested deeper than the limit of {deep}"):
        tree("<r>" * (deep + 1) + "</r>" * (deep + 1))
    many = limits.MAX_ELEMENTS
    with pytest.raises(XmlError, match=f"more elements than the limit of {many}") as info:
        tree("<r>\n" + "<a/>" * many + "</r>")
    assert info.value.line == 2
    length = limits.MAX_ATTRIBUTE_LENGTH
    assert tree(f"<r x='{'1' * length}'/>")
    with pytest.raises(XmlError, match=f"attribute x of r is longer than the limit of {length}"):
        tree(f"<r x='{'1' * (length + 1)}'/>")
