"""XML spoilt as XML: elements, attributes, nesting, entities."""

import re
from random import Random

from tests.hostile.spoiling import MOST, swap
from tests.hostile.words import ODD_TEXTS

_ATTRIBUTE = re.compile(rb'\s([A-Za-z_][\w:.-]*)\s*=\s*"([^"]*)"')
_ELEMENT = re.compile(rb"<[A-Za-z][\w-]*(?:\s[^<>]*)?/>")
_TAG = re.compile(rb"</?([A-Za-z][\w-]*)")
_TAGS = (
    *(b"robot", b"actuator", b"link", b"bracket", b"rigid-body", b"joint", b"end-effector"),
    *(b"include", b"output", b"group", b"group_state", b"chain", b"x", b"Joint", b"r:joint"),
)


def spoil_elements(data: bytes, r: Random) -> bytes:
    """Repeat, remove, swap and rename elements and attributes."""
    for _ in range(r.choice((1, 1, 2, 4))):
        data = _spoil_once(data, r)
    return data


def _spoil_once(data: bytes, r: Random) -> bytes:
    what = r.randrange(9)
    pattern = _ATTRIBUTE if what < 5 else _TAG if what == 5 else _ELEMENT
    hits = list(pattern.finditer(data[:MOST]))
    if len(hits) < 2:
        return data
    one, two = sorted(r.sample(hits, 2), key=lambda m: m.start())
    if what == 0:  # values change places
        return swap(data, one.span(2), two.span(2))
    if what == 1:  # names change places
        return swap(data, one.span(1), two.span(1))
    if what == 2:  # one more of a name or a value of another element
        return data[: one.end()] + two.group() + data[one.end() :]
    if what == 3:
        return data[: one.start()] + data[one.end() :]
    if what == 4:
        text = r.choice(ODD_TEXTS).encode("utf-8", "surrogatepass")
        if r.random() < 0.8:
            text = _escaped(text)
        return data[: one.start(2)] + text + data[one.end(2) :]
    if what == 5:
        return data[: one.start(1)] + r.choice(_TAGS) + data[one.end(1) :]
    if what == 6:
        return data[: two.start()] + one.group() * r.choice((1, 1, 3, 50)) + data[two.start() :]
    if what == 7:
        return data[: one.start()] + data[one.end() :]
    return swap(data, one.span(), two.span())


def nest(data: bytes, r: Random) -> bytes:
    """Put elements into elements, or parentheses into parentheses."""
    depth = r.choice((3, 20, 49, 50, 51, 60, 149, 151, 400, 3000))
    what = r.randrange(5)
    if what == 0:
        hits = list(_ATTRIBUTE.finditer(data[:MOST]))
        if hits:
            hit = r.choice(hits)
            text = b"(" * depth + (hit.group(2) or b"1") + b")" * (depth - r.randrange(2))
            return data[: hit.start(2)] + text + data[hit.end(2) :]
    head, tail = (
        (b"<output>", b"</output>"),
        (b'<rigid-body mass="1"><output>', b"</output></rigid-body>"),
        (b"<robot>", b"</robot>"),
        (b'<bracket type="X5LightLeft"><output>', b"</output></bracket>"),
        (b"<group name='a'>", b"</group>"),
    )[r.randrange(5)]
    elements = list(_ELEMENT.finditer(data[:MOST]))
    at = r.choice(elements).start() if elements else len(data)
    inside = r.choice((b'<joint axis="rz"/>', b"", b"text", b'<end-effector type="X5Parallel"/>'))
    return data[:at] + head * depth + inside + tail * (depth - r.choice((0, 0, 0, 1))) + data[at:]


def entities(data: bytes, r: Random) -> bytes:
    """Put in document types, entities, instructions, sections and odd declarations."""
    levels = r.choice((2, 5, 12))
    laughs = b'<!ENTITY a0 "ha">' + b"".join(
        b'<!ENTITY a%d "%s">' % (k, b"&a%d;" % (k - 1) * 10) for k in range(1, levels)
    )
    head = r.choice(
        (
            b"<!DOCTYPE robot [%s]>" % laughs,
            b'<!DOCTYPE robot SYSTEM "/etc/passwd">',
            b'<!DOCTYPE robot [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
            b"<!DOCTYPE robot [<!ENTITY % p SYSTEM 'http://localhost/x'> %p;]>",
            b"<?xml version='1.0'?>",
            b"<?xml version='1.1' standalone='no'?>",
            b"<?php x ?>",
            b"<!-- -- -->",
            b"<![CDATA[ x ]]>",
            b"",
        )
    )
    use = r.choice(
        (b"&a%d;" % (levels - 1), b"&x;", b"&#0;", b"&#xD800;", b"&#x1F600;", b"&#9;", b"&lt;")
    )
    start = data.find(b"<robot")
    at = r.choice((0, max(start, 0), len(data)))
    data = data[:at] + head + data[at:]
    hits = list(_ATTRIBUTE.finditer(data[:MOST]))
    if not hits or r.random() < 0.2:
        return data
    hit = r.choice(hits)
    if r.random() < 0.3:
        spaces = b' xmlns="%s" xmlns:x="y" xml:space="preserve"' % use
        return data[: hit.start()] + spaces + data[hit.start() :]
    return data[: hit.start(2)] + use + data[hit.start(2) :]


def _escaped(text: bytes) -> bytes:
    return text.replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b'"', b"&quot;")
