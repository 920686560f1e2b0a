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
_DEEPEST = 4  # tuples in tuples that are looked into
_SHORT = 60  # characters of what a message shows


def short(value: Any) -> str:
    """Describe a value in a message: its text, cut, or the type of an array.

    Whatever the value is, this returns: a list without an end, an integer of too many digits and
    what cannot say what it is have a ``repr`` that raises.
    """
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if isinstance(shape, tuple) and hasattr(dtype, "kind"):  # numpy is not loaded here
        if hasattr(value, "__setitem__"):
            kind = "a masked array" if hasattr(value, "mask") else "an array"
            return f"{kind} of {dtype} with shape {shape}"
        value = value.item()  # numpy 2 writes its numbers with their type, which says nothing here
    text = safe_repr(value)
    return text if len(text) <= _SHORT else text[: _SHORT - 3] + "..."


def printable(text: object) -> str:
    """Return a text that any terminal takes; lone surrogates, as in odd names, are spelled out."""
    return str(text).encode("utf-8", "backslashreplace").decode("utf-8")


def escaped(text: str) -> str:
    """Return a text in one line that no terminal obeys: what cannot be seen is spelled out."""
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )


def safe_repr(value: Any) -> str:
    """Return the ``repr``, or the name of the type where there is none that ends."""
    try:
        return repr(value)
    except Exception:
        if isinstance(value, int):
            return f"an integer of {value.bit_length()} bits"
        return f"<{type(value).__name__}>"


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


def _short(value: Any, deep: int = 0) -> str:
    """Return the repr of a field, in one line, not much longer than ``_PART``."""
    if isinstance(value, str | bytes):
        return repr(value) if len(value) <= _PART else repr(value[: _PART - 3]) + "..."
    if deep >= _DEEPEST:
        return "..."
    if hasattr(value, "dtype") and isinstance(getattr(value, "shape", None), tuple):
        if value.size > _FEW * 2:
            return f"<array of {value.dtype}, shape {value.shape}>"
    elif type(value) in (tuple, list):
        texts = [_short(one, deep + 1) for one in value[:_FEW]]
        rest = ["..."] if len(value) > _FEW else []
        inside = ", ".join(texts + rest)
        if isinstance(value, list):
            return cut_to_line(f"[{inside}]", _PART)
        return cut_to_line(f"({inside},)" if len(value) == 1 else f"({inside})", _PART)
    elif isinstance(value, Mapping):
        keys = [key for key, _ in zip(value, range(_FEW), strict=False)]
        texts = [f"{_short(key)}: {_short(value[key], deep + 1)}" for key in keys]
        rest = ["..."] if len(value) > _FEW else []
        return cut_to_line(f"{{{', '.join(texts + rest)}}}", _PART)
    return cut_to_line(safe_repr(value), _PART)
