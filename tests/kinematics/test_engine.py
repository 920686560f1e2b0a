"""The loader of kernels: strict twins without compilation, and where compiled code is kept."""

import os
import subprocess
import sys
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
    """Let the folder be chosen anew, and again afterwards."""
    engine._writable_cache.cache_clear()
    monkeypatch.setattr(engine, "_writable_cache", engine._writable_cache.__wrapped__)
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
    with engine.cache_folder():
        assert str(engine._writable_cache()) == settings.CACHE_DIR
    monkeypatch.setattr(engine, "_writable_cache", lambda: None)
    with engine.cache_folder() as folder:
        assert folder is None
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
