"""What can be the name of a file; what cannot is told in words, before anything is opened."""

import os


class PathError(ValueError):
    """What was given cannot be the name of a file; the message says why."""


def path_text(path: object) -> str:
    """Return a path as text.

    Raises:
        PathError: If it is no path, is empty, or has a character that no file's name can have.
    """
    try:
        given = path if isinstance(path, bytes) else os.fspath(path)  # type: ignore[call-overload]
    except TypeError:
        raise PathError(f"expected the path of a file, got {_short(path)}") from None
    text = os.fsdecode(given)
    if not text:
        raise PathError("the path is empty; expected the name of a file")
    if "\0" in text:
        raise PathError(f"{_short(text)} has a NUL character, which no name of a file can have")
    try:
        os.fsencode(text)
    except UnicodeEncodeError as error:
        odd = f"U+{ord(text[error.start]):04X}"
        raise PathError(
            f"{_short(text)} has the character {odd}, which no name of a file can have here"
        ) from None
    return text


def _short(value: object) -> str:
    """Return a value for a message, cut to a readable length."""
    shown = ascii(value) if isinstance(value, str | bytes) else type(value).__name__
    return shown if len(shown) <= 80 else shown[:77] + "..."
