"""Saved models spoilt: the archive, its arrays, the values in it.

Archives are made anew, with members packed as they are; what is wrong with them is chosen piece by
piece, so that the rest passes.
"""

import copy
import io
import json
import pickle
import struct
import warnings
import zipfile
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import numpy as np

import armwright
from tests.hostile.seeds import ARMS
from tests.hostile.spoiling import (
    MOST,
    Spoil,
    spoil_bytes,
    spoil_letters,
    spoil_lines,
    spoil_numbers,
    spoil_words,
)
from tests.hostile.words import ODD_TEXTS

Members = dict[str, bytes]
_npy: Any = np.lib.format
_ODD_FLOATS = (
    *(float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 1e50, 1.1e50, -1e50, 1e49, 1e-320),
    *(0.0, -0.0, -1.0, 1.0, 1e-300, 1e25, 1e17, 5e-324, 3.0, 1e30),
)
_ODD_LEAVES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 7, 10**9, 2**63, -(2**63), 10**400, "", "x", [], {}, [[]]),
    *({"=": "Pose"}, {"=": "Group"}, {"=": 1}, {"=": []}, {"a": 1}, [0.0, 0.0, 0.0], 1.5),
)
_DESCRIPTIONS = (
    "<f8",
    ">f8",
    "<f4",
    "<f2",
    "<i8",
    "|O",
    "<c16",
    "|b1",
    "<U3",
    "|S3",
    "|V8",
    "<M8[s]",
    "<f16",
    "<f99",
)


@cache
def models() -> tuple[Members, ...]:
    """Return what saved models hold: file name and bytes of every member."""
    plain = armwright.load(ARMS / "six_dof.cfg.yaml")
    rich = armwright.load(ARMS / "two_armed.hrdf").with_groups(ARMS / "two_armed.groups.yaml")
    rich = rich.with_payload(0.5, (0.0, 0.0, 0.1), index=1).with_joint_dynamics("catalog")
    rich = rich.with_position_limits([-2.0] * rich.dof, [2.0] * rich.dof)
    rich = rich.with_gravity([0.0, 1.0, -9.0]).with_max_efforts([5.0] * rich.dof)
    gantry = armwright.load(ARMS / "gantry.hrdf").with_max_speeds([1.0] * 5)
    small = armwright.loads('<robot version="1.6.0"><joint axis="rz" tag="a"/></robot>')
    found = []
    for model in (plain, rich, gantry, small):
        arrays = {
            "format": np.array(1),
            "values": np.frombuffer(_values(model), dtype=np.uint8),
            "position_limits": model.position_limits,
            "joint_dynamics": np.array(
                [
                    getattr(model.joint_dynamics, key)
                    for key in ("rotor_inertia", "damping", "friction")
                ]
            ),
        }
        found.append({f"{key}.npy": array_bytes(array) for key, array in arrays.items()})
    return tuple(found)


def _values(model: Any) -> bytes:
    from armwright.kinematics.robot import to_json

    return to_json((model.description, model._payloads, model._annotations))


def array_bytes(array: Any, version: tuple[int, int] | None = (1, 0)) -> bytes:
    """Return an array as NumPy writes it."""
    stream = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _npy.write_array(stream, np.asarray(array), version=version, allow_pickle=True)
    return stream.getvalue()


def packed(members: Members | list[tuple[str, bytes]], how: int = zipfile.ZIP_STORED) -> bytes:
    """Return an archive."""
    stream = io.BytesIO()
    pairs = members.items() if isinstance(members, dict) else members
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w", how) as archive:
        warnings.simplefilter("ignore")  # names that are there twice
        for name, data in pairs:
            archive.writestr(zipfile.ZipInfo(name), data, how)
    return stream.getvalue()


def whole(r: Random) -> bytes:
    """Return a saved model as it should be."""
    return packed(r.choice(models()), r.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)))


def spoil_members(_data: bytes, r: Random) -> bytes:
    """Repeat, remove, rename, swap and pack members in odd ways; spoil the directory."""
    pairs = list(r.choice(models()).items())
    what = r.randrange(9)
    i, j = r.randrange(len(pairs)), r.randrange(len(pairs))
    if what == 0:
        pairs.insert(i, (pairs[i][0], pairs[j][1]))
    elif what == 1:
        del pairs[i]
    elif what == 2:
        odd = (
            *ODD_TEXTS,
            "../x.npy",
            "/values.npy",
            "values",
            "VALUES.npy",
            "values.npy/",
            "x\0.npy",
        )
        pairs[i] = (r.choice(odd).encode("utf-8", "replace").decode(), pairs[i][1])
    elif what == 3:
        pairs[i], pairs[j] = (pairs[i][0], pairs[j][1]), (pairs[j][0], pairs[i][1])
    elif what == 4:
        pairs.append((r.choice(("more.npy", "a/", "format.npy.npy")), r.randbytes(r.randrange(99))))
        r.shuffle(pairs)
    elif what == 5:
        return packed(pairs, r.choice((zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)))
    elif what == 6:
        return (
            r.choice((b"x" * 9, b"PK\x03\x04", b"#!/bin/sh\n"))
            + packed(pairs)
            + r.choice((b"", b"\0" * 9))
        )
    else:
        return _spoil_records(packed(pairs, zipfile.ZIP_DEFLATED), r)
    return packed(pairs)


def _spoil_records(data: bytes, r: Random) -> bytes:
    """Put odd numbers into the fields of an archive's records."""
    spoilt = bytearray(data)
    for _ in range(r.choice((1, 1, 2, 4))):
        mark = r.choice((b"PK\x01\x02", b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06"))
        places = [k for k in range(len(data)) if data.startswith(mark, k)] or [0]
        at = r.choice(places) + r.choice(
            (4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 34, 38, 42)
        )
        value = r.choice((0, 1, 8, 9, 12, 99, 0x41, 0x800, 0xFFFF, r.randrange(65536)))
        if at + 2 <= len(spoilt):
            struct.pack_into("<H", spoilt, at, value)
    return bytes(spoilt)


def spoil_arrays(_data: bytes, r: Random) -> bytes:
    """Give an array another type, shape, order, version or length; objects too."""
    members = dict(r.choice(models()))
    name = r.choice((*members, "position_limits.npy", "joint_dynamics.npy"))
    data = members[name]
    what = r.randrange(8)
    dof = len(data[128:]) // 16 if "limits" in name else len(data[128:]) // 24
    rows = 2 if "limits" in name else 3
    if what == 0:
        members[name] = data.replace(
            data[data.find(b"'<") : data.find(b"',")][1:], r.choice(_DESCRIPTIONS).encode()
        )
    elif what == 1:
        shape = r.choice(
            (
                "()",
                "(0,)",
                "(-1,)",
                "(2, 999999999999)",
                "(2, 6)",
                "(6, 2)",
                "(1, 2, 6)",
                "(2L,)",
                "2",
            )
        )
        head = data[: data.find(b"'shape': ")] + b"'shape': " + shape.encode()
        members[name] = head + data[data.find(b", }") :]
    elif what == 2:
        members[name] = data.replace(b"False", r.choice((b"True", b"None", b"1", b"exit()")))
    elif what == 3:
        version: Any = r.choice(((2, 0), (3, 0)))
        members[name] = array_bytes(np.zeros((rows, max(dof, 1))), version)
    elif what == 4:
        members[name] = data[: r.randrange(len(data))] + r.choice((b"", b"\0" * 8, r.randbytes(16)))
    elif what == 5:
        odd: Any = [None] * r.randrange(9)
        objects = array_bytes(np.array([*odd, _Loud()], dtype=object), None)
        members[name] = r.choice((objects, pickle.dumps(_Loud()), b"", b"\x93NUMPY"))
    elif what == 6:
        kind: Any = r.choice(("<f8", ">f8", "<f4", "<i8", "<c16", "|b1"))
        shape_: Any = r.choice(
            ((rows, dof), (rows, dof), (dof, rows), (rows, dof + 1), (rows, 0), (0,))
        )
        order: Any = r.choice("CF")
        members[name] = array_bytes(np.ones(shape_, dtype=kind, order=order))
    else:
        numbers = np.zeros((rows, dof))
        for _ in range(r.choice((1, 2, 9))):
            if numbers.size:
                numbers.flat[r.randrange(numbers.size)] = r.choice(_ODD_FLOATS)
        members[r.choice(("position_limits.npy", "joint_dynamics.npy"))] = array_bytes(numbers)
    return packed(members)


class _Loud:
    """Would be noticed, were it ever unpickled."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str]]:
        return _unpickled, ("a pickle was opened",)


def _unpickled(text: str) -> None:
    raise AssertionError(text)


def spoil_json(_data: bytes, r: Random) -> bytes:
    """Spoil the text of the values, not knowing what it means."""
    members = dict(r.choice(models()))
    spoils: tuple[Spoil, ...] = (
        spoil_bytes,
        spoil_numbers,
        spoil_words,
        spoil_letters,
        spoil_lines,
    )
    text = members["values.npy"][128:]
    for _ in range(r.choice((1, 1, 2))):
        text = r.choice(spoils)(text, r)
    return _with_values(members, text)


def json_bombs(_data: bytes, r: Random) -> bytes:
    """Nest values deeply, or write very many or very long ones."""
    members = dict(r.choice(models()))
    size = int(10 ** r.uniform(2, 5.25))
    bomb = r.choice(
        (
            b"[" * size + b"]" * size,
            b"[" * size,
            b'{"=":' * size,
            b'{"a":' * size + b"1" + b"}" * size,
            b"9" * size,
            b"[" + b"[]," * (size // 3) + b"1]",
            b"[" + b"1," * size + b"1]",
            b'"' + b"x" * size + b'"',
            b'"' + b"\\ud800" * (size // 6) + b'"',
            b"1e" + b"9" * size,
            b"-",
            b"NaN",
        )
    )
    text = members["values.npy"][128:]
    if r.random() < 0.5:
        places = [k for k, sign in enumerate(text) if sign in b":,["]
        at = r.choice(places) + 1
        end = min((k for k in (text.find(b",", at), text.find(b"]", at)) if k > 0), default=at)
        bomb = text[:at] + bomb + text[end:]
    if r.random() < 0.1:  # a small file that is large inside
        members["values.npy"] = array_bytes(np.frombuffer(b" " * 20_000_000, dtype=np.uint8))
        return packed(members, zipfile.ZIP_DEFLATED)
    return _with_values(members, bomb[:MOST], zipfile.ZIP_DEFLATED)


def spoil_values(_data: bytes, r: Random) -> bytes:
    """Change values in the tree of the model: mostly to others of the same type."""
    members = dict(r.choice(models()))
    tree = json.loads(members["values.npy"][128:])
    gentle = r.random() < 0.7
    for _ in range(r.choice((1, 1, 1, 2, 5))):
        _spoil_leaf(tree, r, gentle)
    text = json.dumps(tree, ensure_ascii=r.random() < 0.5).encode("utf-8", "surrogatepass")
    return _with_values(members, text)


def _spoil_leaf(tree: Any, r: Random, gentle: bool) -> None:
    """Change one value somewhere."""
    while True:
        keys: list[Any] = [*tree] if isinstance(tree, dict) else [*range(len(tree))]
        if not keys:
            return
        key = r.choice(keys)
        value = tree[key]
        if isinstance(value, dict | list) and value and r.random() < 0.9:
            tree = value
            continue
        break
    chance = r.random()
    if not gentle and chance < 0.5:
        if chance < 0.25:
            tree[key] = copy.deepcopy(r.choice(_ODD_LEAVES))
        elif isinstance(tree, dict) and chance < 0.35:
            del tree[key]
        else:
            tree[r.choice(keys)] = value
    elif isinstance(tree, list) and chance < 0.6:
        tree[key : key + 1] = [value] * r.choice((0, 2, 2, 40))
    elif isinstance(value, bool) or value is None:
        tree[key] = r.choice((True, False, None, 0.5, "a", [0.0, 0.0, 0.0]))
    elif isinstance(value, float):
        tree[key] = r.choice(_ODD_FLOATS)
    elif isinstance(value, int):
        tree[key] = r.choice((0, 1, -1, value + 1, value - 1, 99, 2**31, 2**62, -(2**40)))
    elif isinstance(value, str):
        words = (
            *ODD_TEXTS,
            "1.6.0",
            "1.0.0",
            "rz",
            "tx",
            "Inline",
            "output",
            "input",
            "com",
            "link",
        )
        tree[key] = r.choice(words)
    elif isinstance(value, list):
        tree[key] = r.choice(([], value + value, value[::-1], value[1:]))


def _with_values(members: Members, text: bytes, how: int = zipfile.ZIP_STORED) -> bytes:
    """Return an archive with other values."""
    members["values.npy"] = array_bytes(np.frombuffer(text, dtype=np.uint8))
    return packed(members, how)
