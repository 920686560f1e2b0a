"""Mutated files: never anything but HrdfError, no hang, no leak.

The quick profile tries few mutations; ARMWRIGHT_HYPOTHESIS=ci takes about a minute.
"""

import gc
import os
import random
import re
import time
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armwright.errors import HrdfError
from armwright.hrdf import check, load_catalog, parse, write
from tests.hrdf.conftest import text_of

_COUNTS = {"quick": 400, "ci": 6000, "long": 60_000}
_EXAMPLES = _COUNTS[os.environ.get("ARMWRIGHT_HYPOTHESIS", "quick")]
_SECONDS = 2.0  # for one mutated file of a few hundred bytes; a hang is far beyond

SEEDS = tuple(
    text.encode()
    for text in (
        text_of(
            '<actuator type="X8-9" tag="base"/>\n<bracket type="X5HeavyRightOutside"/>\n'
            '<actuator type="X8-16" mass_offset="0.1"/>\n'
            '<link type="X5" extension="0.325" twist="pi"/>\n<actuator type="X5-1"/>\n'
            '<end-effector output_rot="Rz(pi/2)*Rx(-pi)" output_trans="0 0 0.1"/>\n',
            attributes='rot="1 0 0 0 1 0 0 0 1" trans="0 0 1" description="An arm"',
        ),
        text_of(
            '<joint axis="-rz" gear_ratio="2"/>\n<rigid-body mass="1.5" com_trans="0.1 0 0"'
            ' ixx="0.1" iyy="0.1" izz="0.1" mesh_path="a.stl" mesh_rot="Ry(1)">\n'
            '  <output trans="0 0 1"><actuator type="R8-3"/><include path="x.hrdf"/></output>\n'
            '  <output rot="Rx((1+2)/3)"><!-- c --><end-effector type="R8Parallel"/></output>\n'
            "</rigid-body>\n"
        ),
        '<?xml version="1.0" encoding="UTF-8"?>\n' + text_of('<rigid-body mass="1"/>', "1.0.0"),
    )
)
WORDS = (
    *(b'"', b"<", b">", b"/", b"&", b"&#10;", b"&amp;", b"<!--", b"-->", b"<![CDATA[", b"]]>"),
    *(b"<?x?>", b"<!DOCTYPE robot>", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"=", b"\n"),
    *(b"<output>", b"</output>", b"<robot>", b"</robot>", b'tag="a"', b'encoding="utf-16"'),
    *(b"<end-effector/>", b"<joint axis='rz'/>", "ä".encode(), "名".encode(), b"type"),
)
VALUES = (
    *(b" ", b"-", b"+", b"1e999", b"nan", b"1/0", b"((((", b"))))", b"Rx(", b"Rz(1)*", b"pi", b"*"),
    *(
        b",",
        b"9" * 40,
        b"../",
        b"C:/",
        b"&amp;",
        b"1.1.0",
        b"1.2.0",
        b"X5-1",
        b"T8-3",
        b"r8",
        b"tx",
    ),
)
NUMBERS = (b"0", b"-0", b"-1", b"1e400", b"1e-400", b"1e308", b"inf", b"0x1", b"1,5", b".", b"")


def mutate(data: bytes, source: random.Random) -> bytes:
    """Apply one to six mutations; half of the time those that leave the XML well-formed."""
    kinds = source.choice((range(9), range(5, 9)))
    for _ in range(source.randint(1, 6)):
        kind = source.choice(kinds)
        at = source.randrange(len(data) + 1)
        end = min(len(data), at + source.choice((1, 1, 2, 5, 20, 80)))
        if kind == 0 and data:  # flip a bit
            at = min(at, len(data) - 1)
            data = data[:at] + bytes([data[at] ^ (1 << source.randrange(8))]) + data[at + 1 :]
        elif kind == 1:  # delete
            data = data[:at] + data[end:]
        elif kind == 2:  # duplicate
            data = data[:end] + data[at:end] * source.choice((1, 2, 30)) + data[end:]
        elif kind == 3:  # insert a word
            data = data[:at] + source.choice(WORDS) + data[at:]
        elif kind == 4:  # truncate
            data = data[:at]
        elif kind == 5:  # replace a number
            numbers = list(re.finditer(rb"[0-9.]+", data))
            if numbers:
                hit = source.choice(numbers)
                data = data[: hit.start()] + source.choice(NUMBERS) + data[hit.end() :]
        elif kind == 6:  # swap two attributes' values
            values = list(re.finditer(rb'"[^"]*"', data))
            if len(values) > 1:
                one, two = sorted(source.sample(values, 2), key=lambda m: m.start())
                data = (
                    data[: one.start()]
                    + two.group()
                    + data[one.end() : two.start()]
                    + one.group()
                    + data[two.end() :]
                )
        elif kind == 7:  # insert into, or replace, an attribute's value
            values = list(re.finditer(rb'"([^"]*)"', data))
            if values:
                hit = source.choice(values)
                keep = source.randint(hit.start(1), hit.end(1))
                data = (
                    data[:keep] + source.choice(VALUES) + data[source.choice((keep, hit.end(1))) :]
                )
        else:  # swap two lines
            lines = data.split(b"\n")
            i, j = source.randrange(len(lines)), source.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
            data = b"\n".join(lines)
    return data


def attempt(data: bytes, folder: Path) -> None:
    """Read; only HrdfError may come out, with findings; what is read can be written."""
    start = time.process_time()
    error = None
    try:
        d = parse(data, folder=folder)
    except HrdfError as caught:
        error = caught
    if error is None:
        assert parse(write(d, version=d.version)) == d
    else:
        assert error.problems
        assert all(problem.message for problem in error.problems)
    assert time.process_time() - start < _SECONDS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fuzz")
    (path / "x.hrdf").write_text(text_of('<link type="R8" extension="0.1" twist="0"/>'))
    return path


@settings(max_examples=_EXAMPLES)
@given(st.randoms(use_true_random=False), st.sampled_from(SEEDS))
def test_mutated_files_raise_nothing_else(folder: Path, source: random.Random, seed: bytes) -> None:
    attempt(mutate(seed, source), folder)


@settings(max_examples=_EXAMPLES // 4)
@given(
    st.binary(max_size=300)
    | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))
)
def test_arbitrary_bytes_raise_nothing_else(folder: Path, data: bytes) -> None:
    attempt(data, folder)
    attempt(b'<robot version="1.6.0">' + data + b"</robot>", folder)


@settings(max_examples=_EXAMPLES // 4)
@given(st.text(max_size=100))
def test_arbitrary_text_raises_nothing_else(text: str) -> None:
    for whole in (text, f'<robot version="1.6.0"><rigid-body mass="{text}"/></robot>'):
        with suppress(HrdfError):  # any other error is the failure
            parse(whole)


@pytest.mark.shared
def test_mutated_corpus_files_raise_nothing_else(corpus: list[Path]) -> None:
    source = random.Random(20)
    for path in corpus:
        data = path.read_bytes()
        for _ in range(_EXAMPLES // 100):
            attempt(mutate(data, source), path.parent)


def test_mutated_catalogs_raise_nothing_else(root: Path, tmp_path: Path) -> None:
    source = random.Random(21)
    data = (root / "hrdf" / "catalog" / "links.yaml").read_bytes().replace(b"  R", b"  Q")
    data = data.replace(b"  X5", b"  Y5")
    file = tmp_path / "c.yaml"
    refused = 0
    for _ in range(_EXAMPLES // 8):
        file.write_bytes(mutate(data, source))
        try:
            load_catalog(file)
        except HrdfError:
            refused += 1
    assert refused > 0


def test_check_never_raises(tmp_path: Path) -> None:
    source = random.Random(22)
    file = tmp_path / "a.hrdf"
    for _ in range(_EXAMPLES // 8):
        file.write_bytes(mutate(source.choice(SEEDS), source))
        assert isinstance(check(file), tuple)


def test_reading_leaks_nothing(tmp_path: Path) -> None:
    def rounds(count: int) -> None:
        source = random.Random(23)
        for _ in range(count):
            attempt(mutate(source.choice(SEEDS), source), tmp_path)

    rounds(300)  # caches of every module are full now
    gc.collect()
    tracemalloc.start()
    try:
        rounds(100)
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        rounds(500)
        gc.collect()
        after = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert after - before < 50_000  # bytes; one robot kept per read would be a megabyte
