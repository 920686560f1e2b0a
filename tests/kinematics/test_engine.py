"""The loader of kernels: strict twins without compilation, and where compiled code is kept."""

import os
import subprocess
import sys
import tempfile
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armwright.kinematics import engine


@pytest.fixture
def plain() -> Any:
    """A kernel as it is when nothing is compiled: (a (n,), b (n, 2), out (n,), x)."""
    declare = engine.load("armwright.kinematics._kernels.declare")

    def add(a: Any, b: Any, out: Any, x: Any) -> None:
        out[:] = a + b[:, 0] + x

    add.entry_signature = declare.void(  # type: ignore[attr-defined]
        declare.IN1, declare.IN2, declare.OUT1, declare.F8
    )
    return engine._prepare(add)


def test_a_plain_kernel_runs(plain: Any) -> None:
    out = np.empty(2)
    a = np.array([1.0, 2.0])
    a.setflags(write=False)
    plain(a, np.ones((2, 2)), out, 3)
    assert out.tolist() == [5, 6]


def test_a_plain_kernel_is_as_strict_as_a_compiled_one(plain: Any) -> None:
    a, b, out = np.zeros(2), np.zeros((2, 2)), np.zeros(2)
    read_only = np.zeros(2)
    read_only.setflags(write=False)
    wrong = [
        (a.astype("f4"), b, out, 0.0),
        ([0.0, 0.0], b, out, 0.0),
        (a, a, out, 0.0),
        (a, np.asfortranarray(np.zeros((3, 2))), out, 0.0),
        (np.zeros(4)[::2], b, out, 0.0),
        (a, b, read_only, 0.0),
        (a, b, out),
    ]
    for arguments in wrong:
        with pytest.raises(TypeError):
            plain(*arguments)


def test_a_stand_in_takes_the_kernels_place() -> None:
    module = types.ModuleType("somewhere")
    sys.modules["somewhere"] = module
    try:
        stand_in = engine.lazy("somewhere", "_gravity", "armwright.kinematics._kernels.gravity")
        module._gravity = stand_in  # type: ignore[attr-defined]
        rows = np.zeros((1, 32))
        stand_in(rows, np.zeros(0), np.zeros(0))
        kernel = engine.kernel("armwright.kinematics._kernels.gravity", "gravity")
        assert module._gravity is kernel
    finally:
        del sys.modules["somewhere"]


@pytest.fixture
def fresh_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the folders be chosen anew, and again afterwards."""
    for name in ("_writable_cache", "_filled_caches"):
        getattr(engine, name).cache_clear()
        monkeypatch.setattr(engine, name, getattr(engine, name).__wrapped__)
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)


def chosen() -> Path:
    """The folder that is chosen."""
    folder = engine._writable_cache()
    assert folder is not None
    return folder


@pytest.mark.usefixtures("fresh_cache")
def test_cache_folders_in_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    assert chosen().parent == tmp_path / "home" / ".cache" / "armwright"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert chosen().parent == tmp_path / "xdg" / "armwright"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    assert chosen().parent == tmp_path / "numba" / "armwright"
    assert chosen().name == f"kernels-{engine._hash_of_kernel_files()}"


@pytest.mark.usefixtures("fresh_cache")
def test_a_cache_that_cannot_be_made_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))

    def homeless() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "temporary"))
    assert chosen().is_relative_to(tmp_path / "temporary")


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners of files here")
@pytest.mark.usefixtures("fresh_cache")
def test_a_cache_of_somebody_else_is_not_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bases = [tmp_path / "theirs", tmp_path / "ours"]
    monkeypatch.setattr(engine, "_cache_bases", lambda: iter(bases))
    users = iter([os.getuid() + 1, os.getuid()])
    monkeypatch.setattr("os.getuid", lambda: next(users))
    assert chosen().is_relative_to(tmp_path / "ours")


def test_the_hash_follows_every_kernel_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for folder in ("kinematics", "ik"):
        (tmp_path / folder / "_kernels").mkdir(parents=True)
    helper = tmp_path / "ik" / "_kernels" / "helper.py"
    helper.write_text("a = 1")
    monkeypatch.setattr(engine, "__file__", str(tmp_path / "kinematics" / "engine.py"))
    first = engine._hash_of_kernel_files()
    assert first == engine._hash_of_kernel_files()
    helper.write_text("a = 2")
    assert engine._hash_of_kernel_files() != first


def test_numbas_own_setting_is_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    from numba import config

    settings: Any = config
    before = settings.CACHE_DIR
    with engine.cache_folders():
        assert str(engine._writable_cache()) == settings.CACHE_DIR
    monkeypatch.setattr(engine, "_writable_cache", lambda: None)
    monkeypatch.setattr(engine, "_filled_caches", lambda: [])
    with engine.cache_folders() as folders:
        assert folders == (None, [])
        assert before == settings.CACHE_DIR
    monkeypatch.setattr(engine, "_filled_caches", lambda: [Path("filled")])
    with engine.cache_folders() as folders:
        assert folders == (None, [Path("filled")])
        assert settings.CACHE_DIR == "filled"
    assert before == settings.CACHE_DIR


FORKS_WHILE_A_THREAD_COMPILES = """
import os, signal, threading, time
from armwright.kinematics import engine

started, prepare = threading.Event(), engine._prepare

def slowly(function):
    started.set()
    time.sleep(0.3)
    return prepare(function)

engine._prepare = slowly
kernels = "armwright.kinematics._kernels."
threading.Thread(target=engine.kernel, args=(kernels + "gravity", "gravity")).start()
started.wait()
child = os.fork()
if child == 0:
    signal.alarm(60)
    engine.kernel(kernels + "frames", "chain_pose")
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_forked_while_a_thread_compiles_can_compile() -> None:
    root = Path(engine.__file__).resolve().parent.parent
    command = [sys.executable, "-c", FORKS_WHILE_A_THREAD_COMPILES]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"


def test_whether_kernels_were_compiled_before(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(engine, "_writable_cache", lambda: tmp_path)
    assert not engine.compiled_before()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "kernel.nbi").touch()
    assert engine.compiled_before()


def filled(base: Path) -> Path:
    """A folder with compiled code below a base."""
    folder = base / "armwright" / f"kernels-{engine._hash_of_kernel_files()}"
    (folder / "of_a_folder").mkdir(parents=True)
    (folder / "of_a_folder" / "kernel.nbi").write_bytes(b"")
    for path in (folder, folder / "of_a_folder", folder / "of_a_folder" / "kernel.nbi"):
        path.chmod(0o755)
    return folder


@pytest.fixture
def read_only_base(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fresh_cache: None) -> Path:
    """A base that comes first and cannot be written, as an administrator has it; others can."""
    first, own = tmp_path / "theirs", tmp_path / "own"
    monkeypatch.setattr(engine, "_cache_bases", lambda: iter([first, own]))
    real = tempfile.TemporaryFile

    def refuse(*, dir: Path) -> Any:  # root may write everywhere
        if dir.is_relative_to(first):
            raise OSError(30, "Read-only file system")
        return real(dir=dir)

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    return first


def test_a_filled_cache_that_cannot_be_written(read_only_base: Path, tmp_path: Path) -> None:
    folder = filled(read_only_base)
    filled(tmp_path / "own")
    assert engine._filled_caches() == [folder]
    assert chosen().is_relative_to(tmp_path / "own")


def test_without_a_place_of_its_own_nothing_is_said_when_one_is_filled(
    read_only_base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes: list[str] = []
    monkeypatch.setattr(engine, "_untold", notes)
    monkeypatch.setattr(engine, "_told", set())
    monkeypatch.setattr(engine, "_cache_bases", lambda: iter([read_only_base]))
    folder = filled(read_only_base)
    assert engine._writable_cache() is None
    assert notes == []
    assert engine.compiled_before()
    (folder / "of_a_folder" / "kernel.nbi").unlink()  # empty: as if there were none
    assert engine._filled_caches() == []
    assert engine._writable_cache() is None
    assert not engine.compiled_before()
    assert f"tried {read_only_base}" in notes[0]


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners of files here")
@pytest.mark.parametrize("which", [".", "of_a_folder", "of_a_folder/kernel.nbi"])
def test_a_filled_cache_that_others_could_write_is_not_run(
    which: str, read_only_base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = filled(read_only_base)
    assert engine._filled_caches() == [folder]
    (folder / which).chmod(0o777)
    assert engine._filled_caches() == []
    (folder / which).chmod(0o775)
    assert engine._filled_caches() == []
    (folder / which).chmod(0o755)
    assert engine._filled_caches() == [folder]
    owner = (folder / which).stat().st_uid
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    assert engine._filled_caches() == ([folder] if owner == 0 else [])
