"""What lies at a path: looked at before it is decided who reads it."""

import os

from .formats import CONFIG, HEAD, SAVED, Format, format_of
from .opening import read_file
from .paths import path_text


def look_at(path: str | os.PathLike[str]) -> Format | None:
    """Return the format of a file; None when nothing tells, which may well be HRDF.

    What could be a configuration or a saved model by its ending, and is nothing else, is taken for
    one: its reader says best what is wrong.

    Raises:
        UnreadableError: If there is no ordinary file.
    """
    found = format_of(read_file(path, HEAD), path_text(path))
    ending = os.path.splitext(path_text(path))[1].casefold()
    if ending == ".npz" and (found is None or found.key == "npz"):
        return SAVED
    if ending in (".yaml", ".yml") and (found is None or found.key == "yaml"):
        return CONFIG
    return found
