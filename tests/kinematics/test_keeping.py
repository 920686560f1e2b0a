"""Files of compiled code that are damaged, or cannot be written, cost a compilation and no more."""

import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armwright.cli
from armwright.kinematics import engine

ROOT = Path(engine.__file__).resolve().parent.parent


def double(a: Any, out: Any) -> None:
    for i in range(a.shape[0]):
        out[i] = 2.0 * a[i]


@pytest.fixture
def untold(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Troubles with the cache, none of them known yet."""
    notes: list[str] = []
    monkeypatch.setattr(engine, "_untold", notes)
    monkeypatch.setattr(engine, "_told", set())
    return notes


def prepared() -> tuple[Any, int]:
    """Declare and compile the function anew; return it, and how often it came from the cache."""
    declare = engine.load("armwright.kinematics._kernels.declare")
    kernel = engine._prepare(declare.entry(declare.IN1, declare.OUT1)(double))
    out = np.empty(2)
    kernel(np.array([1.0, 2.5]), out)
    assert out.tolist() == [2.0, 5.0]
    return kernel, sum(kernel.stats.cache_hits.values())  # type: ignore[attr-defined]


def test_what_is_missing_is_taken_from_a_folder_that_is_only_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, untold: list[str]
) -> None:
    theirs, own = tmp_path / "theirs", tmp_path / "own"
    monkeypatch.setattr(engine, "_writable_cache", lambda: theirs)
    assert prepared()[1] == 0
    before = {path: path.read_bytes() for path in theirs.glob("*/*")}
    assert len(before) == 2
    monkeypatch.setattr(engine, "_filled_caches", lambda: [tmp_path / "none", theirs])
    monkeypatch.setattr(engine, "_writable_cache", lambda: own)
    assert prepared()[1] == 1
    assert list(own.glob("*/*")) == []
    monkeypatch.setattr(engine, "_writable_cache", lambda: None)
    assert prepared()[1] == 1
    assert untold == []
    (index,) = theirs.glob("*/*.nbi")
    cut(index)
    assert prepared()[1] == 0
    assert str(theirs) in untold[0]
    assert "no folder for compiled code can be written" in untold[1]
    index.write_bytes(before[index])
    assert {path: path.read_bytes() for path in theirs.glob("*/*")} == before
    cut(index)
    monkeypatch.setattr(engine, "_writable_cache", lambda: own)
    assert prepared()[1] == 0
    assert prepared()[1] == 1
    assert len(list(own.glob("*/*"))) == 2


def empty(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100])


def lengthen(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"more")


def fill_with_garbage(path: Path) -> None:
    path.write_bytes(np.random.default_rng(0).bytes(3000))


def change_one_byte(path: Path) -> None:
    """What no unpickling notices, when it hits the machine code."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x10
    path.write_bytes(content)


DAMAGES = [empty, cut, lengthen, fill_with_garbage, change_one_byte]


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_replaced(
    damage: Callable[[Path], None],
    ending: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    untold: list[str],
) -> None:
    monkeypatch.setattr(engine, "_writable_cache", lambda: tmp_path)
    assert prepared()[1] == 0
    assert prepared()[1] == 1
    assert untold == []
    (path,) = tmp_path.glob(f"**/*.{ending}")
    damage(path)
    assert prepared()[1] == 0
    (note,) = untold
    assert str(tmp_path) in note
    assert f"({path.name}: damaged)" in note
    assert prepared()[1] == 1


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_folder_in_place_of_a_file(
    ending: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, untold: list[str]
) -> None:
    monkeypatch.setattr(engine, "_writable_cache", lambda: tmp_path)
    prepared()
    (path,) = tmp_path.glob(f"**/*.{ending}")
    path.unlink()
    path.mkdir()
    assert prepared()[1] == 0
    assert len(untold) == 2
    assert all(str(tmp_path) in note for note in untold)
    assert "cannot be kept" in untold[1]


def test_what_cannot_be_made_code_again_is_compiled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, untold: list[str]
) -> None:
    """A whole file of which Numba can make nothing."""
    from numba.core.caching import CompileResultCacheImpl

    monkeypatch.setattr(engine, "_writable_cache", lambda: tmp_path)
    prepared()

    def fail(*_: object) -> None:
        raise EOFError

    with monkeypatch.context() as patch:
        patch.setattr(CompileResultCacheImpl, "rebuild", fail)
        assert prepared()[1] == 0
    assert "EOFError" in untold[0]
    assert prepared()[1] == 1


def test_a_full_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, untold: list[str]) -> None:
    monkeypatch.setattr(engine, "_writable_cache", lambda: tmp_path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    prepared()
    prepared()
    (note,) = untold  # once
    assert f"cannot be kept in {tmp_path} (No space left on device)" in note
    assert "NUMBA_CACHE_DIR" in note
    assert [path for path in tmp_path.glob("**/*") if path.is_file()] == []


def test_nowhere_to_write(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, untold: list[str]
) -> None:
    (tmp_path / "file").write_text("in the way")

    def nowhere() -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", nowhere)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "file")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    engine._writable_cache.cache_clear()
    monkeypatch.setattr(engine, "_writable_cache", engine._writable_cache.__wrapped__)
    assert not engine.compiled_before()
    untold.clear()
    engine._told.clear()
    assert prepared()[1] == 0
    (note,) = untold
    assert "no folder for compiled code can be written" in note
    assert f"tried {tmp_path / 'file'}, " in note
    assert "NUMBA_CACHE_DIR" in note


def test_the_next_kernel_warns(monkeypatch: pytest.MonkeyPatch, untold: list[str]) -> None:
    monkeypatch.setattr(engine, "_ready", {})
    monkeypatch.setattr(engine, "_prepare", lambda function: function)
    engine._note("one (a)")
    engine._note("one (b)")
    with pytest.warns(UserWarning, match=r"one \(a\)"):
        engine.kernel("armwright.kinematics._kernels.gravity", "gravity")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        engine.kernel("armwright.kinematics._kernels.gravity", "gravity")
    assert untold == []


BROKEN_OFF = """
import _thread, signal, sys, threading, time
import armwright.kinematics.engine as engine

signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background ignore it

class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "numba.core":
            _thread.interrupt_main()
            time.sleep(0.3)

sys.meta_path.insert(0, Slow())
name = "armwright.kinematics._kernels.checks"
try:
    engine.load(name)
    print("not interrupted")
except KeyboardInterrupt:
    print("interrupted")
print(hasattr(engine.load(name), "fits_rows"))
"""


def test_an_import_of_numba_is_not_broken_off() -> None:
    """Half an import of Numba could not be mended in the same process."""
    command = [sys.executable, "-c", BROKEN_OFF]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n") == ["interrupted", "True", ""]


def test_the_end_of_a_file_is_not_the_end_of_what_is_typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It came from a damaged cache, and typer ended with 130 and not a word."""

    def ran_out(*_: object, **__: object) -> None:
        raise EOFError("Ran out of input")

    monkeypatch.setattr("armwright.kinematics.load", ran_out)
    assert armwright.cli.run(["info", str(ROOT / "examples/arms/six_dof.hrdf")]) == 2
    assert "EOFError: Ran out of input" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("damage", [empty, cut])
def test_a_command_with_a_damaged_cache(damage: Callable[[Path], None], tmp_path: Path) -> None:
    """Case C71: every file of a kernel that was filled by one run."""
    arm = tmp_path / "one.hrdf"
    arm.write_text(
        '<robot version="1.6.0"><joint axis="rz"/><rigid-body mass="1" output_trans="1 0 0"/>'
        "<end-effector/></robot>"
    )
    command = [sys.executable, "-m", "armwright", "gravity", str(arm), "--q", "0.1"]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def answer() -> tuple[str, str]:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout, done.stderr

    first, said = answer()
    assert said == ""
    for path in (tmp_path / "cache").glob("**/*.nb?"):
        damage(path)
    again, said = answer()
    assert again == first
    assert said.startswith("warning: ")
    assert said.count("\n") == 1
    assert str(tmp_path / "cache") in said
    assert answer() == (first, "")
    shutil.rmtree(tmp_path / "cache")
