"""``repr`` of a value in one line that fits a screen, whatever the value holds.

Descriptions and models can be large; their ``repr`` stays at most ``LONGEST`` characters, and takes
no longer to make for a robot of thousands of parts. This file imports nothing of ours.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

LONGEST = 200
"""No ``repr`` of a public value has more characters."""

_PART = 80  # characters of one field
_FEW = 6  # members of a tuple or mapping that are looked at


def one_line_repr(value: Any) -> str:
    """Return class and fields of a dataclass, as its own ``repr`` does, cut to one line."""
    head = f"{type(value).__qualname__}("
    parts: list[str] = []
    room = LONGEST - len(head) - len(", ...)")
    for field in dataclasses.fields(value):
        if not field.repr:
            continue
        text = f"{field.name}={_short(getattr(value, field.name, None))}"
        room -= len(text) + 2
        if room < 0:
            parts.append("...")
            break
        parts.append(text)
    return f"{head}{', '.join(parts)})"


def cut_to_line(text: str, most: int = LONGEST) -> str:
    """Return a text in one line of at most so many characters."""
    line = " ".join(text[: 8 * most].split())
    if len(line) <= most:
        return line
    end = line[-1] if line[-1] in ")>]}" else ""
    return line[: most - 3 - len(end)] + "..." + end


def _short(value: Any) -> str:
    """Return the repr of a field, in one line, not much longer than ``_PART``."""
    if isinstance(value, str | bytes):
        return repr(value) if len(value) <= _PART else repr(value[: _PART - 3]) + "..."
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        if value.size > _FEW * 2:
            return f"<array of {value.dtype}, shape {value.shape}>"
    elif type(value) in (tuple, list):
        texts = [_short(one) for one in value[:_FEW]]
        rest = ["..."] if len(value) > _FEW else []
        inside = ", ".join(texts + rest)
        if isinstance(value, list):
            return cut_to_line(f"[{inside}]", _PART)
        return cut_to_line(f"({inside},)" if len(value) == 1 else f"({inside})", _PART)
    elif isinstance(value, Mapping):
        keys = [key for key, _ in zip(value, range(_FEW), strict=False)]
        texts = [f"{_short(key)}: {_short(value[key])}" for key in keys]
        rest = ["..."] if len(value) > _FEW else []
        return cut_to_line(f"{{{', '.join(texts + rest)}}}", _PART)
    return cut_to_line(repr(value), _PART)
