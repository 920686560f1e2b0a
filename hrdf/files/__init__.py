"""Files as all rooms open and write them: within bounds, and called by what they are."""

from .formats import CONFIG, HEAD, HRDF, SAVED, Format, format_of
from .looking import look_at
from .opening import UnreadableError, open_file, read_file
from .paths import PathError, path_text
from .writing import file_to_write, write_file

__all__ = [
    "CONFIG",
    "HEAD",
    "HRDF",
    "SAVED",
    "Format",
    "PathError",
    "UnreadableError",
    "file_to_write",
    "format_of",
    "look_at",
    "open_file",
    "path_text",
    "read_file",
    "write_file",
]
