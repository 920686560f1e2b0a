"""YAML spoilt as YAML: keys and values, nesting, anchors, aliases, tags, merge keys."""

import re
from random import Random

from tests.hostile.spoiling import MOST, swap
from tests.hostile.words import ODD_TEXTS

_PAIR = re.compile(rb"(?:(?<=[\n{,\[-])|^)[ ]*([\w\"'.-]+):[ ]+([^\n,\[\]{}#]*[^\n,\[\]{}# ])")
_FLOW = re.compile(rb"[\[{][^\[\]{}\n]*[\]}]")
_ODD = (
    *(
        b"&a",
        b"*a",
        b"!!python/object:os.system",
        b"!!binary aGk=",
        b"!!set",
        b"!x",
        b"! ",
        b"<<: *a",
    ),
    *(
        b"!!float",
        b"!!str",
        b"!!int",
        b"!!null",
        b"!!map",
        b"? ",
        b"- ",
        b"|\n  x",
        b">-\n  x",
        b"@",
    ),
    *(
        b"{}",
        b"[]",
        b"[[]]",
        b"{a: }",
        b"~",
        b"null",
        b"yes",
        b"'",
        b'"\\ud800"',
        b'"\\0"',
        b'"\\x1b"',
    ),
    *(b'"\\U00110000"', b"2001-01-01", b"1:30", b"0o17", b"=", b"<<", b"[a, b", b"a: b: c", b"% "),
)


def spoil_pairs(data: bytes, r: Random) -> bytes:
    """Swap, repeat, remove and change keys and values."""
    for _ in range(r.choice((1, 1, 2, 4))):
        data = _spoil_once(data, r)
    return data


def _spoil_once(data: bytes, r: Random) -> bytes:
    what = r.randrange(8)
    hits = list((_FLOW if what > 5 else _PAIR).finditer(data[:MOST]))
    if len(hits) < 2:
        return data
    one, two = sorted(r.sample(hits, 2), key=lambda m: m.start())
    if what == 0:
        return swap(data, one.span(2), two.span(2))
    if what == 1:
        return swap(data, one.span(1), two.span(1))
    if what == 2:
        return data[: one.end()] + b"\n" + two.group() + data[one.end() :]
    if what == 3:
        return data[: one.start()] + data[one.end() :]
    if what == 4:
        odd = r.choice((*_ODD, *(text.encode("utf-8", "surrogatepass") for text in ODD_TEXTS)))
        return data[: one.start(2)] + odd + data[one.end(2) :]
    if what == 5:
        odd = r.choice((b"a", b"Version", b"names", b"1", b"null", b"[x]", b"'a b'", b"mass_kg"))
        return data[: one.start(1)] + odd + data[one.end(1) :]
    if what == 6:
        return swap(data, one.span(), two.span())
    row = one.group()
    inside = row[1:-1].split(b",")
    k = r.randrange(len(inside))
    inside[k : k + 1] = [inside[k]] * r.choice((0, 2, 2, 3, 100))
    return data[: one.start()] + row[:1] + b",".join(inside) + row[-1:] + data[one.end() :]


def nest(data: bytes, r: Random) -> bytes:
    """Put lists and mappings into each other."""
    depth = r.choice((2, 8, 9, 10, 11, 12, 100, 1000, 20_000))
    head, tail = r.choice(
        ((b"[", b"]"), (b"{a: ", b"}"), (b"[[1], ", b"]"), (b"? ", b""), (b"- ", b""))
    )
    nested = head * depth + b"1" + tail * (depth - r.choice((0, 0, 0, 1)))
    hits = list(_PAIR.finditer(data[:MOST]))
    if not hits or r.random() < 0.1:
        return nested
    hit = r.choice(hits)
    return data[: hit.start(2)] + nested + data[hit.end(2) :]


def bombs(data: bytes, r: Random) -> bytes:
    """Put in anchors, aliases, tags, merge keys, directives and further documents."""
    what = r.randrange(6)
    if what == 0:
        levels = r.choice((2, 5, 9))
        rows = [b"a0: &a0 [x, x]"]
        rows += [
            b"a%d: &a%d [%s]" % (k, k, b", ".join([b"*a%d" % (k - 1)] * 9))
            for k in range(1, levels)
        ]
        return b"\n".join(rows) + b"\n" + data
    if what == 1:
        return (
            r.choice((b"%YAML 1.1\n---\n", b"%YAML 9.9\n---\n", b"%TAG ! x:\n---\n", b"--- "))
            + data
        )
    if what == 2:
        return data + r.choice(
            (b"\n---\na: 1\n", b"\n...\n", b"\n---\n---\n", b"\n<<: {version: 1}\n")
        )
    if what == 3:
        return b"&a " + data + b"\nb: *a\n"
    hits = list(_PAIR.finditer(data[:MOST]))
    if not hits:
        return data + b"\n<<: *a"
    hit = r.choice(hits)
    odd = r.choice(_ODD)
    if what == 4:
        return data[: hit.start(1)] + odd + b" " + data[hit.start(1) :]
    return data[: hit.start(2)] + odd + b" " + data[hit.start(2) :]
