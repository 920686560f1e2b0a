"""Plant small faults, one at a time, and see whether the tests of the same folder notice.

    python scripts/mutants.py            all of them, half an hour on two cores
    python scripts/mutants.py NAME...    some of them
    python scripts/mutants.py --list     their names

Each fault of ``scripts/mutants.txt`` replaces one text by another in one file of a copy of the
tree, and runs the tests of that folder up to the first failure. A fault that survives asks for a
test. Exit status 1 when more than two survive, 2 when a text is no longer there or the tests fail
without any fault.

A fault is a paragraph: a name, the file, the tests that have to notice, ``-`` and the old text,
``+`` and the new one (both on one line; the old text must stand exactly once in the file).
"""

import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
MOST_SURVIVORS = 2


class Fault(NamedTuple):
    """One fault to plant.

    Attributes:
        name: What it does.
        file: Where, from the root.
        tests: What has to notice.
        old: The text that is there.
        new: What takes its place.
    """

    name: str
    file: str
    tests: str
    old: str
    new: str


def read_faults() -> list[Fault]:
    """Return all faults of the list."""
    paragraphs = (ROOT / "scripts" / "mutants.txt").read_text("utf-8").strip().split("\n\n")
    faults = []
    for paragraph in paragraphs:
        name, file, tests, old, new = paragraph.splitlines()
        faults.append(Fault(name, file, tests, old.removeprefix("- "), new.removeprefix("+ ")))
    return faults


def misfits(faults: list[Fault]) -> list[str]:
    """Return what is wrong with the list: texts that are not there just once."""
    found = []
    for fault in faults:
        path = ROOT / fault.file
        count = path.read_text("utf-8").count(fault.old) if path.is_file() else -1
        if count != 1:
            what = "no such file" if count < 0 else f"the old text is there {count} times"
            found.append(f"{fault.name}: {fault.file}: {what}")
    return found


def is_noticed(fault: Fault) -> tuple[bool, float, str]:
    """Plant a fault in a copy; return whether the tests failed, after how long, and their end.

    A fault without a file plants nothing.
    """
    with tempfile.TemporaryDirectory(prefix="armwright-mutant.") as folder:
        copy = Path(folder) / "tree"
        leave = shutil.ignore_patterns("__pycache__", ".git", ".*_cache", "*.egg-info", "build")
        shutil.copytree(ROOT, copy, symlinks=True, ignore=leave)
        if fault.file:
            path = copy / fault.file
            text = path.read_text("utf-8")
            path.write_text(text.replace(fault.old, fault.new), "utf-8")
        start = time.monotonic()
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        run = subprocess.run(
            [*command, "-m", "not slow and not shared", *fault.tests.split()],
            cwd=copy,
            capture_output=True,
            text=True,
            check=False,
        )
        lines = [line for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return run.returncode != 0, time.monotonic() - start, lines[0] if lines else ""


def main(arguments: list[str]) -> int:
    """Plant the faults that were asked for, two at a time; print a line for each."""
    faults = read_faults()
    if arguments == ["--list"]:
        print("\n".join(fault.name for fault in faults))
        return 0
    if arguments:
        faults = [fault for fault in faults if fault.name in arguments]
    wrong = misfits(faults)
    if wrong or not faults:
        print("\n".join(wrong or ["no such fault; --list names them"]), file=sys.stderr)
        return 2
    survivors = 0
    with ThreadPoolExecutor(2) as pool:
        # Tests that fail anyway notice nothing.
        sound = [Fault("", "", tests, "", "") for tests in sorted({one.tests for one in faults})]
        for fault, (failed, seconds, by) in zip(sound, pool.map(is_noticed, sound), strict=True):
            verdict = "FAILS" if failed else "passes"
            print(f"{verdict:8} {seconds:4.0f} s  {fault.tests} as it is  {by[:100]}", flush=True)
            if failed:
                return 2
        for fault, (noticed, seconds, by) in zip(faults, pool.map(is_noticed, faults), strict=True):
            survivors += not noticed
            verdict = "noticed" if noticed else "SURVIVED"
            print(f"{verdict:8} {seconds:4.0f} s  {fault.name}  {by[:100]}", flush=True)
    print(f"{len(faults) - survivors} of {len(faults)} noticed")
    return 1 if survivors > MOST_SURVIVORS else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
