"""Frozen values as JSON and back, exactly: descriptions and what a model adds to them.

Floats are written as ``repr`` writes them, so that the same doubles come back; tuples are lists;
a value of one of our classes is an object with its class under ``=``. Only classes that are
listed here are ever made, from all of their fields: a file can ask for nothing else.
"""

import dataclasses
import json
from typing import Any

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
    return cls(**{name: _value(one) for name, one in plain.items()})


def _fields(cls: Any) -> tuple[dataclasses.Field[Any], ...]:
    """Return the fields that make a value."""
    return tuple(field for field in dataclasses.fields(cls) if field.init)
