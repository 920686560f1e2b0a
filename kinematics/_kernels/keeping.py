"""Numba's files of compiled code, trusted only when they are whole.

A power cut, a full disk or a killed process may leave a file empty, cut off or changed, and what
looks like a file may still hold wrong machine code. So each one ends with a hash of what is before
it; what does not fit, or cannot be read, counts as missing: the kernel is compiled again and
the file replaced. Where nothing can be written, everything works, only without being kept.
"""

import hashlib
import io
from contextlib import contextmanager

from numba.core.caching import FunctionCache, IndexDataCacheFile

from armwright.kinematics.engine import lost, not_kept

_LENGTH = hashlib.sha256().digest_size


class _Files(IndexDataCacheFile):
    """The index and the code of one function; what pickle reads ends before the hash."""

    def _load_index(self):
        return super()._load_index() if _is_whole(self._index_path) else {}

    def _load_data(self, name):
        return super()._load_data(name) if _is_whole(self._data_path(name)) else None

    @contextmanager
    def _open_for_write(self, filepath):
        with super()._open_for_write(filepath) as file:
            content = io.BytesIO()
            yield content
            file.write(content.getvalue())
            file.write(hashlib.sha256(content.getvalue()).digest())


class _Keeper(FunctionCache):
    """Numba's cache of one function, in which no trouble with files is an error."""

    def __init__(self, py_func):
        super().__init__(py_func)
        self._cache_file = _Files(
            self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def load_overload(self, sig, target_context):
        try:
            return super().load_overload(sig, target_context)
        except Exception as error:  # whatever a file can lead to: then it is compiled
            lost(self._cache_file._index_path, error)
            return None

    def save_overload(self, sig, data):
        try:
            super().save_overload(sig, data)
        except OSError as error:
            not_kept(error)


def keep_safely(function):
    """Let the compiled code of a function be kept as this file says.

    In a release of Numba that is built otherwise, its own cache is left as it is.
    """
    if isinstance(getattr(function, "_cache", None), FunctionCache):
        function._cache = _Keeper(function.py_func)
    return function


def _is_whole(path):
    """Whether a file is there and ends with the hash of what is before it."""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except FileNotFoundError:
        return False
    except OSError as error:
        lost(path, error)
        return False
    if hashlib.sha256(content[:-_LENGTH]).digest() == content[-_LENGTH:]:
        return True
    lost(path, "damaged")
    return False
