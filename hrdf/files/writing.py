"""Write a file in one step: whoever reads it sees the old one or the new one, whole.

What is no ordinary file is never replaced: a character device and a pipe that somebody reads are
written into, everything else is refused.
"""

import errno
import os
import secrets
import shutil
import stat
from pathlib import Path

from armwright.errors import FileWriteError

from .paths import PathError, path_text


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write beside the file, then put it in its place in one step; links stay links.

    Raises:
        FileWriteError: If the path cannot be that of a file, its folder is missing, there is
            something that is no file, or the disk does not take it; an older file is as it was.
    """
    name = file_to_write(path)
    try:
        mode = os.stat(name).st_mode
    except FileNotFoundError:
        mode = None
    except OSError as error:
        raise _failed(error, name) from error
    try:
        if mode is None or (stat.S_ISREG(mode) and not _is_stream(name)):
            _replace(name, data)
        else:
            _write_into(name, mode, data)
    except FileWriteError:
        raise
    except OSError as error:
        raise _failed(error, name) from error


def file_to_write(path: object) -> str:
    """Return a path as text.

    Raises:
        FileWriteError: If it cannot be the name of a file.
    """
    try:
        return path_text(path)
    except PathError as error:
        raise FileWriteError(errno.EINVAL, f"cannot be written: {error}") from None


class _NoFolderError(FileWriteError, FileNotFoundError):
    """The folder of a file is not there."""


def _replace(name: str, data: bytes) -> None:
    """Put a new file in the place of a name."""
    target = Path(os.path.realpath(name))
    if not target.name or name.endswith(("/", os.sep)):
        raise FileWriteError(errno.EISDIR, "cannot be written: the name of a folder", name)
    if not target.parent.is_dir():
        text = f"cannot be written: no such folder: {str(target.parent)!r}. Make it first"
        raise _NoFolderError(errno.ENOENT, text, name)
    beside = target.with_name(f".saving-{secrets.token_hex(8)}.tmp")
    try:
        with open(beside, "xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            shutil.copymode(target, beside)
        os.replace(beside, target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _write_into(name: str, mode: int, data: bytes) -> None:
    """Write into a stream that is there; refuse what is neither a file nor a stream."""
    if stat.S_ISDIR(mode):
        raise FileWriteError(errno.EISDIR, "cannot be written: it is a folder", name)
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)):
        what = "a socket" if stat.S_ISSOCK(mode) else "a disk"
        text = f"cannot be written: it is not a file, but {what}"
        raise FileWriteError(errno.EINVAL, text, name)
    flags = os.O_WRONLY | os.O_NOCTTY
    try:
        handle = os.open(name, flags | os.O_NONBLOCK)
    except OSError as error:
        if error.errno == errno.ENXIO and stat.S_ISFIFO(mode):
            text = "cannot be written: it is a pipe that nobody reads"
            raise FileWriteError(errno.ENXIO, text, name) from None
        raise
    os.set_blocking(handle, True)
    with open(handle, "wb") as stream:
        stream.write(data)


def _is_stream(name: str) -> bool:
    """Tell whether a name means an open stream of this process, such as /dev/stdout."""
    place = os.path.abspath(name)
    for _ in range(40):
        if os.path.realpath(os.path.dirname(place)).startswith(("/proc/", "/dev/fd")):
            return True
        if not os.path.islink(place):
            return False
        place = os.path.join(os.path.dirname(place), os.readlink(place))
    return False


def _failed(error: OSError, name: str) -> FileWriteError:
    """Return the error for a fault of the system."""
    code = error.errno or errno.EIO
    return FileWriteError(code, f"cannot be written: {error.strerror or error}", name)
