"""Find, compile and hand out kernels on first use, so that imports stay quick.

Numba is imported by the first call of a kernel, not by ``import armwright``. Compiled code is
cached in the user's cache folder, below a hash of every kernel file: Numba looks only at the file
of the entry itself, and would go on using a stale helper. A read-only installation works, and so
does a machine on which nothing can be written: there the code is compiled anew in every process.
A damaged file in the cache costs a compilation (``_kernels/keeping.py``); a warning says so.
Folders that can be read but not written, such as one that an administrator filled, are looked into
too.

Numba is imported, and kernels are compiled, in a thread that Ctrl-C does not reach (``_aside``).

With ``NUMBA_DISABLE_JIT=1`` the same functions run as plain Python, behind a check that is as
strict about dtypes and layouts as the compiled entries.
"""

import atexit
import ctypes
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
_at_work: set[threading.Thread] = set()
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
        _import_numba()

        def prepare() -> None:
            with _lock:
                if key not in _ready:
                    _ready[key] = _prepare(getattr(load(module), name))

        _aside(prepare, f"compiling {name}")
        _tell()
    return _ready[key]


def load(module: str) -> Any:
    """Import a kernels module."""
    _import_numba()
    with _lock:
        return importlib.import_module(module)


@lru_cache(maxsize=1)  # not when it is interrupted
def _import_numba() -> None:
    """Import Numba, and all that is imported for the first kernel.

    An import that is broken off would leave modules behind which no later import mends.
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

    _aside(attempt, "import of Numba")


def _aside(work: Callable[[], None], name: str) -> None:
    """Do work in a thread, where Ctrl-C does not reach it, and wait for it.

    Ctrl-C in the middle of an import or of a compilation leaves a half behind; and while LLVM calls
    back it is swallowed, and Numba finds "no compiled object yet". The one who waits can be
    interrupted, and the work goes on meanwhile: who needs the same next waits for its end.
    """
    errors: list[BaseException] = []

    def attempt() -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)
        finally:
            _at_work.discard(thread)

    thread = threading.Thread(target=attempt, name=name, daemon=True)
    _at_work.add(thread)
    try:
        thread.start()
    except RuntimeError:  # no threads here, or none any more: then without
        _at_work.discard(thread)
        work()
        return
    while thread.is_alive():
        thread.join(0.1)  # on Windows, Ctrl-C is heard when the time is over
    if errors:
        raise errors.pop()


@atexit.register
def _break_off() -> None:
    """Break off what nobody waits for any more, so that a program which is interrupted ends soon.

    A thread that still runs while the interpreter is taken down could crash it.
    """
    for thread in list(_at_work):
        while thread.is_alive():  # again, as what LLVM calls swallows it
            if thread.ident is not None:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit)
                )
            thread.join(0.05)


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
    own = _writable_cache()
    folders = [*([] if own is None else [own]), *_filled_caches()]
    return any(any(folder.glob("**/*.nbi")) for folder in folders)


def lost(path: str, why: object) -> None:
    """Note that a file of the cache could not be used; the next kernel that is ready warns."""
    reason = getattr(why, "strerror", None) or str(why) or type(why).__name__
    _note(
        f"compiled code in {Path(path).parent.parent} was of no use and is compiled again "
        f"({os.path.basename(path)}: {reason}); that folder may be deleted at any time"
    )


def not_kept(why: OSError) -> None:
    """Note that compiled code could not be written; the next kernel that is ready warns."""
    _note(
        f"compiled code cannot be kept in {_writable_cache()} ({why.strerror or why}): without it "
        "each start compiles anew; NUMBA_CACHE_DIR names another folder"
    )


def nowhere() -> None:
    """Note that there is no place for compiled code; the next kernel that is ready warns."""
    tried = ", ".join(str(base) for base in _cache_bases())
    _note(
        f"no folder for compiled code can be written (tried {tried}): each start "
        "compiles anew; NUMBA_CACHE_DIR names another folder"
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
def cache_folders() -> Iterator[tuple[Path | None, list[Path]]]:
    """Point Numba's cache at our folder while a kernel is declared, whoever imports it.

    Yields that folder, or None when there is no place for one, and those that are only read.
    """
    from numba import config

    settings: Any = config
    own, filled = _writable_cache(), _filled_caches()
    folder = filled[0] if own is None and filled else own
    before = settings.CACHE_DIR
    if folder is not None:
        settings.CACHE_DIR = str(folder)
    try:
        yield own, filled
    finally:
        settings.CACHE_DIR = before


@lru_cache(maxsize=1)
def _writable_cache() -> Path | None:
    """Return the first cache folder that can be written; None, and a note, if there is none."""
    for base in _cache_bases():
        folder = base / "armwright" / _name_of_cache()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
                continue  # compiled code of somebody else is not run
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    if not _filled_caches():
        nowhere()
    return None


@lru_cache(maxsize=1)
def _filled_caches() -> list[Path]:
    """Return the cache folders that hold compiled code but cannot be written, best first.

    Compiled code is run, so it has to be of the user or of the administrator, who can run what they
    like anyway, and no one else may have been able to put it there.
    """
    found = []
    for base in _cache_bases():
        folder = base / "armwright" / _name_of_cache()
        try:
            files = [folder, *folder.glob("*"), *folder.glob("*/*.nb?")]
            if any(path.suffix == ".nbi" for path in files) and all(map(_is_trusted, files)):
                with suppress(OSError), tempfile.TemporaryFile(dir=folder):
                    continue  # can be written: the user's own, or not needed
                found.append(folder)
        except OSError:
            continue
    return found


def _is_trusted(path: Path) -> bool:
    """Whether only the user or the administrator can have written a file or folder."""
    if not hasattr(os, "getuid"):
        return True
    status = path.stat()
    return status.st_uid in (0, os.getuid()) and not status.st_mode & 0o022


@lru_cache(maxsize=1)
def _name_of_cache() -> str:
    """Return the name of the folder for just these kernel files."""
    return f"kernels-{_hash_of_kernel_files()}"


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
