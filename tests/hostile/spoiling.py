"""Files spoilt without knowing what they mean: bytes, lines, numbers, letters, sizes.

Every function takes what a file holds and a generator, and returns what it holds instead. What
comes out is never larger than ``MOST``.
"""

import codecs
import gzip
import io
import re
import tarfile
from collections.abc import Callable
from functools import cache
from random import Random

from tests.hostile.words import ODD_TEXTS, odd_number

Spoil = Callable[[bytes, Random], bytes]
MOST = 200_000
"""Bytes of the largest file."""

_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_WORD = re.compile(rb"[A-Za-z_][\w.-]*")
_LETTERS = {
    "a": "\u0430",
    "e": "\u0435",
    "o": "\u043e",
    "X": "\u03a7",
    "-": "\u2011",
    "5": "\uff15",
}


def spoil_bytes(data: bytes, r: Random) -> bytes:
    """Flip, replace, insert and remove some bytes."""
    spoilt = bytearray(data)
    for _ in range(r.choice((1, 1, 1, 2, 4, 30))):
        at = r.randrange(len(spoilt) + 1)
        what = r.randrange(4)
        if what == 0 and at < len(spoilt):
            spoilt[at] ^= 1 << r.randrange(8)
        elif what == 1 and at < len(spoilt):
            spoilt[at] = r.randrange(256)
        elif what == 2:
            spoilt[at:at] = r.randbytes(r.choice((1, 2, 8, 100)))
        else:
            del spoilt[at : at + r.choice((1, 2, 10, 60))]
    return bytes(spoilt)


def cut(data: bytes, r: Random) -> bytes:
    """Keep the beginning, the end, or both without the middle."""
    one, two = sorted(r.randrange(len(data) + 1) for _ in range(2))
    return (data[:one], data[one:], data[:one] + data[two:], data[one:two])[
        r.choice((0, 0, 1, 2, 3))
    ]


def spoil_lines(data: bytes, r: Random) -> bytes:
    """Repeat, remove, swap, indent and join lines."""
    lines = data.split(b"\n")
    for _ in range(r.choice((1, 1, 2, 3))):
        i, j = r.randrange(len(lines)), r.randrange(len(lines))
        what = r.randrange(7)
        if what == 0:
            lines.insert(j, lines[i])
        elif what == 1 and len(lines) > 1:
            del lines[i]
        elif what == 2:
            lines[i], lines[j] = lines[j], lines[i]
        elif what == 3:
            lines[i] = b" " * r.randrange(9) + lines[i].lstrip()
        elif what == 4:
            lines[i] = lines[i] + lines[j]
        elif what == 5:
            lines[i] = b"\t" + lines[i]
        else:
            lines[i : i + 1] = [lines[i]] * r.choice((2, 10, 100))
    return r.choice((b"\n", b"\n", b"\n", b"\r\n", b"\r")).join(lines)


def spoil_numbers(data: bytes, r: Random) -> bytes:
    """Put odd numbers in the places of numbers."""
    return _replace(data, r, _NUMBER, lambda: odd_number(r))


def spoil_words(data: bytes, r: Random) -> bytes:
    """Put odd texts, or other words of the file, in the places of words."""
    words = [m.group() for m in _WORD.finditer(data[:20_000])] or [b"a"]

    def other() -> str:
        return (
            r.choice(words).decode("utf-8", "replace") if r.random() < 0.6 else r.choice(ODD_TEXTS)
        )

    return _replace(data, r, _WORD, other)


def spoil_letters(data: bytes, r: Random) -> bytes:
    """Write it in another encoding, or with letters that are not what they look like."""
    what = r.randrange(12)
    text = data.decode("utf-8", "replace")
    at = r.randrange(len(text) + 1)
    if what == 0:
        return r.choice((codecs.BOM_UTF8, codecs.BOM_UTF8 * 2, codecs.BOM_UTF16_LE)) + data
    if what < 3:
        encoding = r.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be", "cp1252"))
        return text.encode(encoding, "replace") + r.choice((b"", b"", b"\0", b"\xd8"))
    if what == 3:
        odd = r.choice(
            ("latin-1", "utf-16", "utf-7", "idna", "rot13", "cp037", "x", "UTF-8", "gbk")
        )
        return re.sub(rb'encoding="[^"]*"', b'encoding="' + odd.encode() + b'"', data, count=1)
    if what < 6:
        odd = r.choice(
            ("\0", "\u202e", "\u200d", "\u2028", "\x85", "\uffff", "\x1b[2J", "\ufeff", "\r")
        )
        return (text[:at] + odd * r.choice((1, 1, 3)) + text[at:]).encode()
    if what < 9:
        raw = r.choice(
            (b"\xed\xa0\x80", b"\xff", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\xe9", b"\x80")
        )
        return text[:at].encode() + raw + text[at:].encode()
    letter = r.choice([one for one in _LETTERS if one in text] or ["a"])
    return text.replace(letter, _LETTERS[letter], r.choice((1, 2, -1))).encode()


def spoil_size(data: bytes, r: Random) -> bytes:
    """Make a word, a number, a line, or all of it very long."""
    size = int(10 ** r.uniform(3, 5.25))
    what = r.randrange(6)
    words = list((_NUMBER if what < 2 else _WORD).finditer(data[:50_000]))
    if what < 4 and words:
        hit = r.choice(words)
        word = (
            hit.group()
            if what % 2
            else r.choice((b"9", b"(", b"x", b" ", b"-", b"1+", b"\xf0\x9f\xa6\xbe"))
        )
        return data[: hit.start()] + word * (size // len(word)) + data[hit.end() :]
    lines = data.split(b"\n")
    i = r.randrange(len(lines))
    repeated = [lines[i]] * min(size // (len(lines[i]) + 1), 40_000)
    if what == 4:
        marked = [b"%s%d" % (line, k) for k, line in enumerate(repeated)]
        repeated = r.choice((repeated, marked))
    return b"\n".join(lines[:i] + repeated + lines[i:])[:MOST]


def something_else(_data: bytes, r: Random) -> bytes:
    """Return what is no such file at all."""
    return r.choice(_others())[: r.choice((MOST, MOST, 10))]


def swap(data: bytes, one: tuple[int, int], two: tuple[int, int]) -> bytes:
    """Let two pieces change places; the first ends before the second begins."""
    first, second = data[slice(*one)], data[slice(*two)]
    between = data[one[1] : two[0]]
    return b"".join((data[: one[0]], second, between, first, data[two[1] :]))


def _replace(data: bytes, r: Random, what: re.Pattern[bytes], by: Callable[[], str]) -> bytes:
    """Replace one or a few hits by something."""
    hits = list(what.finditer(data[:MOST]))
    count = min(len(hits), r.choice((1, 1, 1, 2, 5)))
    for hit in sorted(r.sample(hits, count), key=lambda m: -m.start()):
        data = data[: hit.start()] + by().encode("utf-8", "surrogatepass") + data[hit.end() :]
    return data


@cache
def _others() -> tuple[bytes, ...]:
    """Return files of other kinds."""
    r = Random(0)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("arm.hrdf"))
    return (
        *(b"", b"\n", b" ", b"\0" * 500, b"#", b"---", b"...", b"<", b"<?xml?>", b"<a/>", b"[]"),
        *(
            b"{}",
            b'{"a": [1, 2, {}]}',
            b"null",
            b"1",
            b"a,b,c\n1,2,3\n",
            b"- a\n- b\n",
            b"%YAML 1.1\n",
        ),
        *(r.randbytes(1000), r.randbytes(7), b"\x89PNG\r\n\x1a\n" + r.randbytes(99), b"%PDF-1.4\n"),
        *(b"\x7fELF" + r.randbytes(99), gzip.compress(b"<robot/>", mtime=0), packed.getvalue()),
        *(
            b"PK\x05\x06" + bytes(18),
            b"PK\x03\x04" + r.randbytes(99),
            b"BZh91AY&SY",
            b"SQLite format 3\0",
        ),
        b"<!DOCTYPE html><html><body>404</body></html>",
        b'<robot name="a"><link name="b"/><joint name="c" type="revolute"/></robot>',
        b'<robot name="a" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include/></robot>',
        b'<sdf version="1.6"><model name="a"/></sdf>',
        b'<mujoco model="a"><worldbody/></mujoco>',
        b"solid a\n facet normal 0 0 1\n outer loop\n endloop\n endfacet\nendsolid a\n",
        bytes(80) + (2).to_bytes(4, "little") + bytes(100),
        b"v 1 2 3\nv 1 2 4\nf 1 2 3\n",
        b"import os\nprint(1)\n",
        b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }\n"
        + bytes(24),
        b"\x80\x04\x95\x0c\x00\x00\x00\x00\x00\x00\x00\x8c\x08builtins\x94.",
    )
