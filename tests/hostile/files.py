"""Hostile files by number: which reader gets it, what kind of hostility, and what it holds.

The same seed and number give the same file on every machine: ``case(1, 4711)``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import Random

from tests.hostile import archives, grammar_xml, grammar_yaml, markup, yaml_spoiling
from tests.hostile.seeds import any_text, texts_of
from tests.hostile.spoiling import (
    MOST,
    Spoil,
    cut,
    something_else,
    spoil_bytes,
    spoil_letters,
    spoil_lines,
    spoil_numbers,
    spoil_size,
    spoil_words,
)

TWO = "two kinds"
_TURN = (
    *("hrdf", "saved", "config", "hrdf", "groups", "catalog", "include", "srdf", "hrdf", "check"),
    *("saved", "config", "hrdf", "groups", "catalog", "include", "srdf", "hrdf", "poses", "any"),
)
"""Whose turn it is, by number."""
READERS = tuple(dict.fromkeys(_TURN))
NAMES = {
    "hrdf": "arm.hrdf",
    "include": "part.hrdf",
    "saved": "arm.npz",
    "config": "arm.cfg.yaml",
    "groups": "arm.groups.yaml",
    "catalog": "parts.yaml",
    "srdf": "arm.srdf",
    "poses": "poses.txt",
}
"""File names by reader; those of "check" and "any" get any of them."""

_ANY = ("check", "any")  # readers that are given every kind of file under every name
_GRAMMARS: dict[str, Spoil] = {
    "hrdf": grammar_xml.make_robot,
    "include": grammar_xml.make_robot,
    "srdf": grammar_xml.make_srdf,
    "config": grammar_yaml.make_config,
    "groups": grammar_yaml.make_groups,
    "catalog": grammar_yaml.make_catalog,
    "saved": archives.spoil_values,
}
_TEXT: dict[str, tuple[Spoil, float]] = {
    "bytes": (spoil_bytes, 2),
    "cut": (cut, 1),
    "lines": (spoil_lines, 2),
    "numbers": (spoil_numbers, 3),
    "words": (spoil_words, 2),
    "letters": (spoil_letters, 2),
    "size": (spoil_size, 0.4),
    "something else": (something_else, 0.7),
}
_XML: dict[str, tuple[Spoil, float]] = {
    "parts": (markup.spoil_elements, 4),
    "nesting": (markup.nest, 1),
    "bombs": (markup.entities, 1),
}
_YAML: dict[str, tuple[Spoil, float]] = {
    "parts": (yaml_spoiling.spoil_pairs, 4),
    "nesting": (yaml_spoiling.nest, 1),
    "bombs": (yaml_spoiling.bombs, 1),
}
_ARCHIVE: dict[str, tuple[Spoil, float]] = {
    "bytes": (spoil_bytes, 2),
    "cut": (cut, 1),
    "members": (archives.spoil_members, 3),
    "arrays": (archives.spoil_arrays, 3),
    "text": (archives.spoil_json, 4),
    "bombs": (archives.json_bombs, 0.5),
    "something else": (something_else, 0.7),
}
_GRAMMAR_WEIGHT, _TWO_WEIGHT = 7.0, 3.0


@dataclass(frozen=True)
class Case:
    """One hostile file.

    Attributes:
        seed: Which series of files.
        number: Which of them.
        reader: Who reads it.
        kind: What is hostile about it.
        name: Name of the file.
        data: What it holds.
    """

    seed: int
    number: int
    reader: str
    kind: str
    name: str
    data: bytes

    def random(self) -> Random:
        """Return a generator for what is done with the file."""
        return Random(f"{self.seed}/{self.number}/used")


def reader_of(number: int) -> str:
    """Return whose turn a number is."""
    return _TURN[number % len(_TURN)]


def case(seed: int, number: int) -> Case:
    """Return the file of a number."""
    reader = reader_of(number)
    r = Random(f"{seed}/{number}")
    form, name = reader, NAMES.get(reader, "")
    if reader in _ANY:
        form = r.choice(tuple(NAMES))
        name = (
            NAMES[form]
            if r.random() < 0.6
            else r.choice((*NAMES.values(), "arm", "arm.xml", "arm.urdf"))
        )
    kinds = kinds_of(form)
    kind = r.choices(tuple(kinds), tuple(weight for _, weight in kinds.values()))[0]
    data = archives.whole(r) if form == "saved" else _text_for(form, r)
    if kind != TWO:
        data = kinds[kind][0](data, r)
    else:
        several = [one for one in kinds if one != TWO]
        weights = [kinds[one][1] for one in several]
        first, second = r.choices(several, weights, k=2)
        # What is made anew comes first, or nothing would be left of the other.
        if second in ("grammar", "members", "arrays", "text", "bombs") and form == "saved":
            second = r.choice(("bytes", "cut"))
        elif second in ("grammar", "something else"):
            first, second = second, first
        data = kinds[second][0](kinds[first][0](data, r), r)
    return Case(seed, number, reader, kind, name, data[:MOST])


@cache
def kinds_of(form: str) -> Mapping[str, tuple[Spoil, float]]:
    """Return the kinds of hostility of a form, with their weights."""
    if form == "saved":
        kinds = dict(_ARCHIVE)
    else:
        markups = {"srdf": _XML, "hrdf": _XML, "include": _XML, "poses": {}}
        kinds = {**_TEXT, **markups.get(form, _YAML)}
    if form in _GRAMMARS:
        kinds["grammar"] = (_GRAMMARS[form], _GRAMMAR_WEIGHT)
    kinds[TWO] = (_unused, _TWO_WEIGHT)
    return kinds


def _text_for(form: str, r: Random) -> bytes:
    """Return a text to be spoilt; seldom that of another reader."""
    return any_text(r) if r.random() < 0.03 else r.choice(texts_of(form))


def _unused(data: bytes, r: Random) -> bytes:
    raise AssertionError("two kinds are two others")
