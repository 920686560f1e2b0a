"""Find, compile and hand out kernels on first use, so that imports stay quick.

Numba is imported by the first call of a kernel, not by ``import armwright``. Compiled code is
cached in the user's cache folder, below a hash of every kernel file: Numba looks only at the file
of the entry itself, and would go on using a stale helper. A read-only installation works, and so
does a machine on which nothing can be written: there the code is compiled anew in every process.
A damaged file in the cache costs a compilation (``_kernels/keeping.py``); a warning says so.

With ``NUMBA_DISABLE_JIT=1`` the same functions run as plain Python, behind a check that is as
strict about dtypes and layouts as the compiled entries.
"""

import hashlib
import importlib
import os
import pkgutil
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

Kernel = Callable[..., Any]

_FOLDERS = ("kinematics", "ik", "devices", "gui")
_lock = threading.RLock()
if hasattr(os, "register_at_fork"):  # a child forked while a thread compiles would wait for ever
    os.register_at_fork(
        before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release
    )
_ready: dict[tuple[str, str], Kernel] = {}
_untold: list[str] = []  # troubles with the cache, for the next warning
_told: set[str] = set()


def lazy(owner: str, attribute: str, module: str, name: str | None = None) -> Kernel:
    """Return a stand-in that compiles the kernel at its first call and takes its place.

    Args:
        owner: ``__name__`` of the module whose global is to be replaced.
        attribute: Name of that global.
        module: Full name of the kernels module.
        name: Name of the kernel there; the attribute without leading underscores when None.
    """
    wanted = name or attribute.lstrip("_")

    def first_call(*arguments: Any) -> Any:
        ready = kernel(module, wanted)
        setattr(sys.modules[owner], attribute, ready)
        return ready(*arguments)

    return first_call


def kernel(module: str, name: str) -> Kernel:
    """Return the compiled kernel, compiling it (or loading it from the cache) if needed."""
    key = (module, name)
    if key not in _ready:
        with _lock:
            if key not in _ready:
                _ready[key] = _prepare(getattr(load(module), name))
        _tell()
    return _ready[key]


def load(module: str) -> Any:
    """Import a kernels module."""
    _import_numba()
    with _lock:
        return importlib.import_module(module)


@lru_cache(maxsize=1)  # not when it is interrupted
def _import_numba() -> None:
    """Import Numba in a thread, where Ctrl-C does not reach it.

    An import that is broken off leaves modules behind which no later import mends. So all that
    is imported for the first kernel is imported here. The one who waits can be interrupted, and the
    import goes on meanwhile.
    """

    def attempt() -> None:
        with suppress(Exception):  # who needs it will see the error
            for name in (
                "numba",
                "numba.core.caching",
                "numba.extending",
                "numba.np.numpy_support",
            ):
                importlib.import_module(name)
            target: Any = importlib.import_module("numba.core.registry").cpu_target
            target.typing_context.refresh()  # what Numba puts off until something is compiled
            target.target_context.refresh()

    thread = threading.Thread(target=attempt, name="import of Numba")
    try:
        thread.start()
    except RuntimeError:  # no threads here, or none any more: then without
        attempt()
    else:
        thread.join()


def entries() -> list[tuple[str, str]]:
    """List every entry kernel as (module, name); imports Numba."""
    found = []
    for folder in _FOLDERS:
        package = f"armwright.{folder}._kernels"
        try:
            paths = importlib.import_module(package).__path__
        except ModuleNotFoundError:
            continue  # this folder has no kernels
        for info in pkgutil.iter_modules(paths):
            module = load(f"{package}.{info.name}")
            for name, value in vars(module).items():
                if hasattr(value, "entry_signature") and value.__module__ == module.__name__:
                    found.append((module.__name__, name))
    return found


def compiled_before() -> bool:
    """Say whether this user has compiled kernels of just these files; imports nothing heavy."""
    folder = _writable_cache()
    return folder is not None and any(folder.glob("**/*.nbi"))


def lost(path: str, why: object) -> None:
    """Note that a file of the cache could not be used; the next kernel that is ready warns."""
    reason = getattr(why, "strerror", None) or str(why) or type(why).__name__
    _note(
        f"compiled code in {_writable_cache()} was of no use and is compiled again "
        f"({os.path.basename(path)}: {reason}); that folder may be deleted at any time"
    )


def not_kept(why: OSError) -> None:
    """Note that compiled code could not be written; the next kernel that is ready warns."""
    _note(
        f"compiled code cannot be kept in {_writable_cache()} ({why.strerror or why}): without it "
        "each start compiles anew; NUMBA_CACHE_DIR names another folder"
    )


def _note(text: str) -> None:
    """Keep a text for the next warning, the first of its kind alone."""
    kind = text.partition(" (")[0]
    if kind not in _told:
        _told.add(kind)
        _untold.append(text)


def _tell() -> None:
    """Warn of all that was noted."""
    while _untold:
        warnings.warn(_untold.pop(), stacklevel=3)


def _prepare(function: Any) -> Kernel:
    """Compile for the declared signature alone, or wrap the plain function when jit is off."""
    if not hasattr(function, "compile"):  # NUMBA_DISABLE_JIT=1: njit returned the function
        return _strict(function)
    function.compile(function.entry_signature.args)
    function.disable_compile()
    _refuse_quickly(function)
    ready: Kernel = function
    return ready


def _refuse_quickly(function: Any) -> None:
    """Spare a kernel the search for a longer message when arguments do not fit: 2 us, not 50.

    Batches, float32 and strided arrays come this way on every call. Writable arrays where
    read-only ones are declared are the one conversion there is, and it is made known here. The
    two methods belong to Numba: in a release without them everything works, more slowly.
    """
    declared = function.entry_signature.args
    writable = [
        kind.copy(readonly=False) if hasattr(kind, "ndim") and not kind.mutable else kind
        for kind in declared
    ]
    function.typingctx.install_possible_conversions(writable, declared)

    def refuse(*arguments: Any) -> None:
        raise TypeError(f"{function.__name__}: no matching definition")

    function._search_new_conversions = lambda *arguments: False
    function._explain_matching_error = refuse


def _strict(function: Any) -> Kernel:
    """Refuse what the compiled kernel would refuse, with the same kind of error."""
    types = function.entry_signature.args

    def checked(*arguments: Any) -> Any:
        if len(arguments) != len(types):
            raise TypeError(f"{function.__name__}: expected {len(types)} arguments")
        for value, kind in zip(arguments, types, strict=True):
            if not hasattr(kind, "ndim"):
                continue
            fits = (
                isinstance(value, np.ndarray)
                and value.dtype == np.dtype(kind.dtype.name)
                and value.ndim == kind.ndim
                and value.flags.c_contiguous
                and value.flags.aligned
                and (value.flags.writeable or not kind.mutable)
            )
            if not fits:
                raise TypeError(f"{function.__name__}: no matching definition")
        with np.errstate(all="ignore"):  # compiled code does not warn either
            return function(*arguments)

    return checked


@contextmanager
def cache_folder() -> Iterator[Path | None]:
    """Point Numba's cache at our folder while a kernel is declared, whoever imports it.

    Yields the folder, or None when there is no place for one.
    """
    from numba import config

    settings: Any = config
    folder = _writable_cache()
    before = settings.CACHE_DIR
    if folder is not None:
        settings.CACHE_DIR = str(folder)
    try:
        yield folder
    finally:
        settings.CACHE_DIR = before


@lru_cache(maxsize=1)
def _writable_cache() -> Path | None:
    """Return the first cache folder that can be written; None, and a note, if there is none."""
    name = f"kernels-{_hash_of_kernel_files()}"
    tried = []
    for base in _cache_bases():
        folder = base / "armwright" / name
        tried.append(str(base))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
                continue  # compiled code of somebody else is not run
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    _note(
        f"no folder for compiled code can be written (tried {', '.join(tried)}): each start "
        "compiles anew; NUMBA_CACHE_DIR names another folder"
    )
    return None


def _cache_bases() -> Iterator[Path]:
    """Give the places for a user's cache, best first."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(os.environ["NUMBA_CACHE_DIR"])
    if os.environ.get("XDG_CACHE_HOME"):
        yield Path(os.environ["XDG_CACHE_HOME"])
    if sys.platform == "win32" and os.environ.get("LOCALAPPDATA"):
        yield Path(os.environ["LOCALAPPDATA"])
    try:
        home = Path.home()
    except RuntimeError:
        home = None
    if home is not None:
        yield home / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    user = os.getuid() if hasattr(os, "getuid") else "user"
    with suppress(OSError):  # there may be no place for temporary files either
        yield Path(tempfile.gettempdir()) / f"armwright-{user}"


def _hash_of_kernel_files() -> str:
    """Hash every kernel file of every folder, in a fixed order."""
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for folder in _FOLDERS:
        for path in sorted((root / folder / "_kernels").glob("*.py")):
            digest.update(f"{folder}/{path.name}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
