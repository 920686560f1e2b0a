"""Frozen values as JSON and back, exactly: descriptions and what a model adds to them.

Floats are written as ``repr`` writes them, so that the same doubles come back; tuples are lists;
a value of one of our classes is an object with its class under ``=``. Only classes that are
listed here are ever made, from all of their fields: a file can ask for nothing else.
"""

import dataclasses
import json
from collections.abc import Mapping
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from armwright.errors import Problem
from armwright.hrdf import (
    Actuator,
    Bracket,
    EndEffector,
    Joint,
    Link,
    Output,
    Overrides,
    Pose,
    RigidBody,
    RobotDescription,
)
from armwright.hrdf.elements import ActuatorPart, BracketPart, EndEffectorPart, LinkPart

from .annotations import Annotations, NamedFrame
from .group import Group
from .payload import Payload

_CLASSES: dict[str, type[Any]] = {
    cls.__name__: cls
    for cls in (
        Actuator,
        ActuatorPart,
        Annotations,
        Bracket,
        BracketPart,
        EndEffector,
        EndEffectorPart,
        Group,
        Joint,
        Link,
        LinkPart,
        NamedFrame,
        Output,
        Overrides,
        Payload,
        Pose,
        Problem,
        RigidBody,
        RobotDescription,
    )
}
_MARK = "="
_MOST_OPEN, _MOST_VALUES = 500_000, 2_000_000  # each takes many times the memory of its text
# What classes and fields were called in files of before; fields that came later have defaults.
_OLD_CLASSES = {"Extras": "Annotations", "Place": "NamedFrame"}
_OLD_FIELDS = {"Annotations": {"places": "named_frames"}}
_LATER_FIELDS = {"Annotations": {"joint_names", "gravity"}, "Payload": {"inertia"}}


def to_json(value: object) -> bytes:
    """Write a value.

    Raises:
        TypeError: If something in it is none of our values.
    """
    return json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )


def from_json(data: bytes) -> Any:
    """Read a value that ``to_json`` wrote.

    Raises:
        ValueError: If it is not JSON, or holds what ``to_json`` does not write.
    """
    if data.count(b"[") + data.count(b"{") > _MOST_OPEN or data.count(b",") > _MOST_VALUES:
        raise ValueError("more values than any robot has")
    return _value(json.loads(data.decode("utf-8", "surrogatepass")))


def _plain(value: object) -> Any:
    """Return lists, objects and plain values."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, float):  # of numpy
        return float(value)
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    name = type(value).__name__
    if _CLASSES.get(name) is not type(value):
        raise TypeError(f"cannot save {value!r}, which is no part of a description")
    fields = {field.name: _plain(getattr(value, field.name)) for field in _fields(type(value))}
    return {_MARK: name, **fields}


def _value(plain: Any) -> Any:
    """Return tuples, values of our classes and plain values."""
    if isinstance(plain, list):
        return tuple(_value(one) for one in plain)
    if not isinstance(plain, dict):
        return plain
    tag: Any = plain.pop(_MARK, "")
    cls = _CLASSES.get(_OLD_CLASSES.get(tag, tag))
    if cls is None:
        raise ValueError("an object of no known class")
    old = _OLD_FIELDS.get(cls.__name__, {})
    plain = {old.get(name, name): one for name, one in plain.items()}
    names = {field.name for field in _fields(cls)}
    if not names - _LATER_FIELDS.get(cls.__name__, set()) <= plain.keys() <= names:
        raise ValueError(f"a {cls.__name__} with other fields than {', '.join(sorted(names))}")
    values = {name: _value(one) for name, one in plain.items()}
    for name, hint in _hints(cls).items():
        if name in values and not _fits(values[name], hint):
            raise ValueError(f"{cls.__name__}, {name}: not a value of this field")
    return cls(**values)


def _hints(cls: type[Any]) -> Mapping[str, Any]:
    """Return the type of every field."""
    return _hints_of(cls.__name__)


@lru_cache
def _hints_of(name: str) -> Mapping[str, Any]:
    cls = _CLASSES[name]
    names = {field.name for field in _fields(cls)}
    return {name: hint for name, hint in get_type_hints(cls).items() if name in names}


def _fits(value: object, hint: Any) -> bool:
    """Tell whether a value is of a type, as the fields of our classes are declared."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in inner)
    if origin is Literal:
        return type(value) is str and value in inner
    if origin is tuple:
        if type(value) is not tuple:
            return False
        if len(inner) == 2 and inner[1] is Ellipsis:
            return all(_fits(one, inner[0]) for one in value)
        return len(value) == len(inner) and all(map(_fits, value, inner))
    if hint is float:
        return type(value) is float or (type(value) is int and abs(value) < 2**1000)
    if hint in (int, bool, str, NoneType):
        return type(value) is hint and not (type(value) is int and abs(value) > 2**63)
    return isinstance(value, hint)


def _fields(cls: Any) -> tuple[dataclasses.Field[Any], ...]:
    """Return the fields that make a value."""
    return tuple(field for field in dataclasses.fields(cls) if field.init)
