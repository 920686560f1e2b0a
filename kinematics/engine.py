"""Find, compile and hand out kernels on first use, so that imports stay quick.

Numba is imported by the first call of a kernel, not by ``import armwright``. Compiled code is
cached in the user's cache folder, below a hash of every kernel file: Numba looks only at the file
of the entry itself, and would go on using a stale helper. A read-only installation works.

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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
    return _ready[key]


def load(module: str) -> Any:
    """Import a kernels module."""
    with _lock:
        return importlib.import_module(module)


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
    return any(_writable_cache().glob("**/*.nbi"))


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
def cache_folder() -> Iterator[None]:
    """Point Numba's cache at our folder while a kernel is declared, whoever imports it."""
    from numba import config

    settings: Any = config
    folder = _writable_cache()
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        settings.CACHE_DIR = before


@lru_cache(maxsize=1)
def _writable_cache() -> Path:
    """Return the first cache folder that can be written."""
    name = f"kernels-{_hash_of_kernel_files()}"
    for base in _cache_bases():
        folder = base / "armwright" / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
                continue  # compiled code of somebody else is not run
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="armwright-kernels-"))


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
