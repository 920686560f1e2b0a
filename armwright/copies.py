"""Values that stay what they are when they are copied or pickled: read-only.

Numpy forgets that an array is read-only when it is pickled or copied, and Python's own read-only
mappings can be neither. This file imports nothing of ours, and no numpy.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

_K = TypeVar("_K")
_V = TypeVar("_V", covariant=True)
_Class = TypeVar("_Class", bound=type)


class FixedMapping(Mapping[_K, _V]):
    """A mapping that nobody changes, and that can be copied and pickled.

    Args:
        items: What it holds; a copy is kept.
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[_K, _V]) -> None:
        self._items = dict(items)

    def __getitem__(self, key: _K) -> _V:
        return self._items[key]

    def __iter__(self) -> Iterator[_K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def __repr__(self) -> str:
        return repr(self._items)

    def __reduce__(self) -> tuple[Any, tuple[dict[_K, _V], list[_K]]]:
        kept = [key for key, value in self._items.items() if _is_read_only(value)]
        return _fixed, (self._items, kept)


def _fixed(items: dict[Any, Any], read_only: list[Any]) -> "FixedMapping[Any, Any]":
    """Make a mapping again from what was copied or pickled."""
    for key in read_only:
        items[key].setflags(write=False)
    return FixedMapping(items)


def stays_read_only(cls: _Class) -> _Class:
    """Let copies and pickles of a frozen dataclass have read-only arrays where it has them.

    Stands above ``dataclass``. Fields that are made when they are first asked for are left out as
    long as nobody has asked.
    """
    names = tuple(field.name for field in dataclasses.fields(cls))

    def get_state(self: Any) -> dict[str, tuple[object, bool]]:
        state = {}
        for name in names:
            try:
                value = object.__getattribute__(self, name)
            except AttributeError:
                continue
            state[name] = (value, _is_read_only(value))
        return state

    def set_state(self: Any, state: dict[str, tuple[Any, bool]]) -> None:
        for name, (value, read_only) in state.items():
            if read_only:
                value.setflags(write=False)
            object.__setattr__(self, name, value)

    changed: Any = cls
    changed.__getstate__ = get_state
    changed.__setstate__ = set_state
    return cls


def _is_read_only(value: Any) -> bool:
    flags = getattr(value, "flags", None)
    return flags is not None and hasattr(value, "setflags") and not flags.writeable
