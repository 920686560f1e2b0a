"""Open a file to read it: an ordinary one, never a pipe that waits or a device without end."""

import errno
import os
import stat
from typing import BinaryIO

from armwright.errors import ArmwrightError

from .paths import PathError, path_text

_WITHOUT_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


class UnreadableError(ArmwrightError, ValueError):
    """A file that cannot be read; the message goes behind its name.

    Attributes:
        missing: Whether it is not there.
        folder: Whether it is a folder.
    """

    def __init__(self, message: str, *, missing: bool = False, folder: bool = False) -> None:
        """Keep what kind of fault it is beside the message."""
        super().__init__(message)
        self.missing = missing
        self.folder = folder


def open_file(path: str | os.PathLike[str]) -> BinaryIO:
    """Open an ordinary file.

    Raises:
        UnreadableError: If it cannot be opened, or is a folder, a pipe, a device or a socket.
    """
    try:
        name = path_text(path)
        # A pipe would wait for its writer, were it opened as files are.
        handle = os.open(name, os.O_RDONLY | _WITHOUT_WAITING)
    except PathError as error:
        raise UnreadableError(f"cannot be read: {error}") from None
    except (FileNotFoundError, NotADirectoryError):
        raise UnreadableError("no such file", missing=True) from None
    except OSError as error:
        raise _unreadable(error, os.path.isdir(name)) from None
    try:
        problem = _odd_kind(os.fstat(handle).st_mode)
        if problem is None:
            return os.fdopen(handle, "rb")
    except OSError as error:
        os.close(handle)
        raise _unreadable(error, False) from None
    os.close(handle)
    raise problem


def read_file(path: str | os.PathLike[str], most: int) -> bytes:
    """Return what an ordinary file holds, at most one byte more than ``most``.

    Raises:
        UnreadableError: As ``open_file``, or if reading fails.
    """
    with open_file(path) as stream:
        try:
            return stream.read(most + 1)
        except OSError as error:
            raise _unreadable(error, False) from None


def _odd_kind(mode: int) -> UnreadableError | None:
    """Return what is wrong with what was opened; None for an ordinary file."""
    if stat.S_ISREG(mode):
        return None
    if stat.S_ISDIR(mode):
        return UnreadableError("is a folder", folder=True)
    what = next((name for test, name in _KINDS if test(mode)), "something else")
    return UnreadableError(f"is not an ordinary file, but {what}")


def _unreadable(error: OSError, folder: bool) -> UnreadableError:
    """Return the error for a fault of the system."""
    if folder:  # Windows refuses to open one
        return UnreadableError("is a folder", folder=True)
    if error.errno == errno.ENXIO:
        return UnreadableError("is not an ordinary file, but a socket")
    if error.errno == errno.ELOOP:
        return UnreadableError("cannot be read: its symbolic links form a loop")
    return UnreadableError(f"cannot be read: {error.strerror or error}")
