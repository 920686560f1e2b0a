"""Ctrl-C while a kernel is compiled is heard, and the next call works."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from armwright.kinematics import engine

ROOT = Path(engine.__file__).resolve().parent.parent

TINY = """
from armwright.kinematics._kernels.declare import IN1, OUT1, entry, helper

@helper
def twice(x):
    return 2.0 * x

@helper
def four_times(x):
    return twice(twice(x))

@entry(IN1, OUT1)
def times(a, out):
    for i in range(a.shape[0]):
        out[i] = four_times(a[i])
"""

INTERRUPTED = """
import importlib, os, signal, sys, tempfile
import numpy as np
from armwright.kinematics import engine

owner, name, folder = sys.argv[1:]
sys.path.insert(0, folder)
signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background ignore it
engine._import_numba()
module, _, kind = owner.rpartition(".")
stage = getattr(importlib.import_module(module), kind)
original = getattr(stage, name)

def answer():
    out = np.empty(2)
    engine.kernel("tiny", "times")(np.array([1.0, 2.5]), out)
    return out.tolist()

for count in range(100):  # at each time that compiling comes by there
    passes = []

    def interrupted(*arguments):
        passes.append(None)
        if len(passes) == count + 1:
            signal.raise_signal(signal.SIGINT)
        return original(*arguments)

    setattr(stage, name, interrupted)
    sys.modules.pop("tiny", None)
    engine._ready.clear()
    os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(dir=folder)
    engine._writable_cache.cache_clear()
    try:
        answer()
        heard = False
    except KeyboardInterrupt:
        heard = True
    assert answer() == [4.0, 10.0]
    if len(passes) <= count:
        break
    assert heard
print(count, heard)
"""


@pytest.mark.parametrize(
    ("owner", "name", "least"),
    [
        ("llvmlite.binding.executionengine.ExecutionEngine", "_find_module_ptr", 2),
        ("numba.core.codegen.JitEngine", "finalize_object", 3),
        ("numba.core.dispatcher.Dispatcher", "add_overload", 3),
    ],
)
def test_ctrl_c_while_compiling(owner: str, name: str, least: int, tmp_path: Path) -> None:
    """LLVM calls back while it compiles, and what is raised there is lost."""
    (tmp_path / "tiny.py").write_text(TINY)
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, owner, name, str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    count, heard = done.stdout.split()
    assert heard == "False"  # the last time nothing came by any more
    assert int(count) >= least


ENDING = """
import signal, sys, threading
from armwright.kinematics import engine

signal.signal(signal.SIGINT, signal.default_int_handler)
begun = threading.Event()

def for_ever():
    begun.set()
    while True:
        try:
            while True:
                pass
        except SystemExit:  # as where LLVM calls back: nothing comes of it, once
            break
    while True:
        pass

threading.Thread(target=lambda: (begun.wait(), signal.raise_signal(signal.SIGINT))).start()
try:
    engine._aside(for_ever, "for ever")
except KeyboardInterrupt:
    print("heard")
"""


def test_a_program_that_is_interrupted_ends() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ENDING],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "heard\n", "")


def test_errors_come_to_who_waits() -> None:
    def fail() -> None:
        raise ZeroDivisionError("so")

    with pytest.raises(ZeroDivisionError, match="so"):
        engine._aside(fail, "failing")
    assert not engine._at_work


def test_without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", refuse)
    done: list[int] = []
    engine._aside(lambda: done.append(1), "without")
    assert done == [1]
    assert not engine._at_work
