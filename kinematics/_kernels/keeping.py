"""Numba's files of compiled code, trusted only when they are whole.

A power cut, a full disk or a killed process may leave a file empty, cut off or changed, and what
looks like a file may still hold wrong machine code. So each one ends with a hash of what is before
it; what does not fit, or cannot be read, counts as missing: the kernel is compiled again and
the file replaced. Where nothing can be written, everything works, only without being kept. What is
missing in the user's own folder is looked for in those that can only be read.
"""

import hashlib
import io
import os
from contextlib import contextmanager

from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    NullCache,
    UserProvidedCacheLocator,
)

from armwright.kinematics.engine import lost, not_kept, nowhere

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

    def __init__(self, py_func, filled):
        super().__init__(py_func)
        own = self._cache_path
        self._cache_file = self._files_in(own)
        self._filled = [
            self._files_in(os.path.join(folder, os.path.basename(own))) for folder in filled
        ]

    def _files_in(self, folder):
        stamp = self._impl.locator.get_source_stamp()
        return _Files(folder, self._impl.filename_base, stamp)

    def load_overload(self, sig, target_context):
        own = self._cache_file
        for files in (own, *self._filled):
            self._cache_file = files
            try:
                found = super().load_overload(sig, target_context)
            except Exception as error:  # whatever a file can lead to: then it is compiled
                lost(files._index_path, error)
                found = None
            finally:
                self._cache_file = own
            if found is not None:
                return found
        return None

    def save_overload(self, sig, data):
        try:
            super().save_overload(sig, data)
        except OSError as error:
            not_kept(error)


class _Anywhere(UserProvidedCacheLocator):
    """The place of files that are only read."""

    def ensure_cache_path(self):
        pass


class _ReaderImpl(CompileResultCacheImpl):
    _locator_classes = (_Anywhere,)  # type: ignore[assignment]


class _Reader(_Keeper):
    """The cache of one function where nothing can be written."""

    _impl_class = _ReaderImpl  # type: ignore[assignment]

    def save_overload(self, sig, data):
        nowhere()


def keep_safely(function, filled):
    """Let the compiled code of a function be kept as this file says.

    In a release of Numba that is built otherwise, its own cache is left as it is.

    Args:
        function: What ``njit`` made.
        filled: Folders that are only read.
    """
    cache = getattr(function, "_cache", None)
    if isinstance(cache, FunctionCache):
        function._cache = _Keeper(function.py_func, filled)
    elif isinstance(cache, NullCache) and filled:
        function._cache = _Reader(function.py_func, filled)
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
