"""Hostile files over every reader, and whether the judge sees what is wrong with one.

The first thousands of a fixed seed: about half a minute of one core. A million of them are run by
``python -m tests.hostile --count 1000000``.
"""

import gc
import os
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from armwright import RobotModel, loads
from armwright.errors import HrdfError, Problem
from tests.hostile import running
from tests.hostile.__main__ import main
from tests.hostile.files import NAMES, READERS, Case, case, kinds_of, reader_of
from tests.hostile.judge import LONGEST, Judge
from tests.hostile.readers import BY_NAME, Reader, WrongError, prepare, use_model
from tests.hostile.running import merge, run, run_numbers

SEED = 20
NUMBERS = 16_000  # of which every reader gets its share
FILE = Case(SEED, 0, "planted", "planted", "arm.hrdf", b"<robot/>")
ARM = '<robot version="1.6.0"><joint axis="rz"/></robot>'


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    prepare(tmp_path)
    return Judge(tmp_path)


@pytest.mark.kernels
@pytest.mark.parametrize("reader", READERS)
def test_hostile_files_are_used_or_refused(reader: str, judge: Judge) -> None:
    share = 20 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 1
    numbers = [n for n in range(NUMBERS // share) if reader_of(n) == reader]
    table = run_numbers(SEED, numbers, judge)
    wrong = [(kind, *fault) for (_, kind), tally in table.items() for fault in tally.faults]
    assert wrong == [], f"python -m tests.hostile --seed {SEED} --only NUMBER repeats one"
    counts = {
        verdict: sum(tally.counts[verdict] for tally in table.values())
        for verdict in ("accepted", "refused")
    }
    assert counts["accepted"] > len(numbers) * 0.04, "too few pass the first gate"
    assert counts["refused"] > 0 or reader == "check"


def test_a_number_is_the_same_file_everywhere() -> None:
    for number in range(200):
        assert case(3, number) == case(3, number)
    assert len({case(3, number).data for number in range(200)}) > 150
    assert case(3, 7) != case(4, 7)


@pytest.mark.parametrize("form", NAMES)
def test_every_kind_of_hostility_changes_something(form: str) -> None:
    numbers = [n for n in range(12_000) if reader_of(n) == form]
    seen = {case(5, number).kind for number in numbers}
    assert seen == set(kinds_of(form))


def _raise(error: BaseException) -> Any:
    raise error


def _warn() -> Any:
    np.float64(1e308) * np.float64(10)  # a RuntimeWarning of numpy


def _leave_open(path: Path) -> Any:
    open(path, "rb")  # noqa: SIM115
    gc.collect()


def _spend() -> Any:
    deadline = os.times().user + 0.3
    while os.times().user < deadline:
        sum(range(10_000))


def _problem(message: str) -> HrdfError:
    error = HrdfError([Problem("a.hrdf", 1, "robot", "", "x")])
    error.args = (message,)
    error.problems = (type("Long", (), {"__str__": lambda _: message})(),)
    return error


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (lambda _: _raise(KeyError("mass")), r"KeyError: 'mass' \(test_hostile.py:\d+\)"),
        (lambda _: _raise(RecursionError("deep")), "RecursionError: deep"),
        (lambda _: _raise(SystemExit(3)), "SystemExit: 3"),
        (lambda _: _raise(MemoryError()), "MemoryError"),
        (lambda _: _raise(_problem("x" * (LONGEST + 1))), "a message of 2001 characters"),
        (lambda _: _raise(_problem("")), "HrdfError says nothing"),
        (lambda _: _raise(_problem("a\x1b[2Jb")), r"the control character '\\x1b'"),
        (lambda _: _raise(_problem("a\nb")), "a problem of several lines"),
        (lambda _: _raise(_problem("a\ud800b")), "cannot be printed"),
        (lambda _: _raise(_problem("a\u202eb")), r"U\+202E, which turns the text around"),
        (lambda _: _warn(), "RuntimeWarning: overflow"),
        (_leave_open, "ResourceWarning: unclosed file"),
        (lambda _: warnings.warn("old", DeprecationWarning, stacklevel=1), "Deprecation"),
    ],
)
def test_the_judge_sees_what_is_wrong(judge: Judge, read: Callable[[Path], Any], said: str) -> None:
    judge.readers = {"planted": Reader(read, lambda *_: None)}
    verdict = judge(FILE)
    assert verdict.name == "wrong"
    assert re.search(said, verdict.wrong), verdict.wrong


def test_other_errors_of_ours_are_wrong_where_they_are_not_documented(judge: Judge) -> None:
    for refuses, name in (((HrdfError,), "refused"), ((), "wrong")):
        error = HrdfError([Problem("a.hrdf", 1, "robot", "", "x")])
        reader = Reader(lambda _, error=error: _raise(error), lambda *_: None, refuses)  # type: ignore[misc]
        judge.readers = {"planted": reader}
        assert judge(FILE).name == name


def test_the_judge_sees_numbers_that_are_not_finite(judge: Judge) -> None:
    class Broken:
        """A model whose gravity is nan."""

        dof = 1

        def forward_kinematics(self, *_: object) -> Any:
            return np.eye(4)

        def gravity_efforts(self, *_: object) -> Any:
            return np.array([np.nan])

    judge.readers = {"planted": Reader(lambda _: Broken(), lambda m, _, r: use_model(m, r))}
    assert judge(FILE).wrong == "accepted, but gravity efforts: not finite"
    use_model(loads(ARM), Random(1))


def test_the_judge_sees_time_and_memory(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.hostile.judge.SECONDS", 0.1)
    judge.readers = {"planted": Reader(lambda _: _spend(), lambda *_: None)}
    assert judge(FILE).wrong == "more than 0.1 s"
    monkeypatch.setattr("tests.hostile.judge.HANGING", 0.05)
    assert judge(FILE).wrong == "more than 0.05 s"
    peaks = iter([1000, 300 * 2**20, 300 * 2**20])
    monkeypatch.setattr("tests.hostile.judge.peak_memory", lambda: next(peaks))
    counted = Judge(judge.folder, {"planted": Reader(lambda _: None, lambda *_: None)})
    assert counted(FILE).wrong == "memory: grown by 300 MB"
    assert counted(FILE).wrong == ""  # told once


def test_what_cannot_be_used_is_wrong(judge: Judge) -> None:
    def use(*_: object) -> None:
        raise WrongError("it is empty")

    judge.readers = {"planted": Reader(lambda _: 1, use)}
    assert judge(FILE).wrong == "accepted, but it is empty"
    judge.readers = {"planted": Reader(lambda _: 1, lambda *_: _raise(_problem("refused late")))}
    assert "HrdfError: refused late" in judge(FILE).wrong


def test_a_process_that_dies_is_noted_and_the_run_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(running, "_serve", _serve_and_die)
    table = run(SEED, 60, 1)
    assert sum(tally.tried for tally in table.values()) == 60
    faults = [fault for tally in table.values() for fault in tally.faults]
    assert faults == [(33, "the process died: 9")]


def _serve_and_die(pipe: Any, now: Any, seed: int, folder: Path) -> None:
    """As the run's own, with a reader that ends its process at one number."""

    def read(path: Path) -> RobotModel:
        if now.value == 33:
            os._exit(9)
        return loads(ARM)

    readers = dict.fromkeys(BY_NAME, Reader(read, lambda *_: None))
    judge = Judge(folder, readers)
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        pipe.send(run_numbers(seed, job, judge, now))


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["--count", "40", "--processes", "1", "--seed", str(SEED)]) == 0
    out = capsys.readouterr().out
    assert "reader          kind" in out
    assert "40 files in" in out
    assert main(["--only", "4", "--seed", str(SEED)]) == 0
    kept = Path(capsys.readouterr().out.split(" bytes: ")[1].splitlines()[0])
    assert kept.read_bytes() == case(SEED, 4).data


def test_tables_are_merged(judge: Judge) -> None:
    whole = run_numbers(SEED, range(40), judge)
    parts = run_numbers(SEED, range(20), judge)
    merge(parts, run_numbers(SEED, range(20, 40), judge))
    assert {k: t.counts for k, t in parts.items()} == {k: t.counts for k, t in whole.items()}
