#!/usr/bin/env python3
"""Print the paths of this checkout's virtual environments; make them first where needed.

    scripts/environment.py run      the folder of one; known are the NAME.in of constraints/

The other scripts start with this one. It needs a Python and nothing else: it makes the environment
"tools", which holds nox, and lets nox make the others (noxfile.py). They lie outside the tree, in
$ARMWRIGHT_ENVIRONMENTS or else in the user's cache folder, apart for each checkout. A file written
last holds a hash of what an environment was made from: what is outdated, or was begun and not
finished, is made anew, by one process at a time. Progress goes to stderr, paths alone to stdout.

Nothing here is newer than Python 3.6, as this file has to say that a Python is too old.
"""

import contextlib
import glob
import hashlib
import os
import shutil
import subprocess
import sys
from typing import IO, Iterator

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
LISTS = os.path.join(ROOT, "constraints")
PYTHONS = ("3.11", "3.12", "3.13", "3.10")  # the order in which one is chosen for the tools
PYENV = os.path.join(
    os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv"), "versions", "%s.*", "bin"
)
PROBE = (
    "import sys\n"
    "try:\n import ensurepip, venv; able = 'able'\n"
    "except ImportError:\n able = 'unable'\n"
    "print('%d.%d' % sys.version_info[:2], able)"
)
HELD: "list[IO[str]]" = []  # the lock, while this process makes environments


class Failure(Exception):
    """Something the user has to know."""

    status = 1  # to exit with


class NoPython(Failure):
    """There is no Python of the versions that an environment accepts."""

    status = 3


def main(names: "list[str]") -> int:
    """Print the folder of each environment; return the exit status."""
    known = sorted(os.path.basename(path)[:-3] for path in glob.glob(os.path.join(LISTS, "*.in")))
    if not names or not set(names) <= set(known):
        print("scripts/environment.py NAME...; known: " + ", ".join(known), file=sys.stderr)
        return 2
    try:
        if not all(map(is_whole, names)):
            with locked():
                make([name for name in names if not is_whole(name)])
    except Failure as failure:
        say(str(failure))
        return failure.status
    except KeyboardInterrupt:
        say("interrupted; the next run begins anew")
        return 130
    print("\n".join(map(folder, names)))
    return 0


def folder(name: str = "") -> str:
    """Return the folder of an environment, or without a name the one that holds all, made."""
    caches = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser(caches)
    given = os.environ.get("ARMWRIGHT_ENVIRONMENTS") or os.path.join(cache, "armwright", "nox")
    tree = "%s-%s" % (os.path.basename(ROOT), hashlib.sha256(ROOT.encode()).hexdigest()[:8])
    path = os.path.join(os.path.abspath(given), tree)
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise Failure(
            "cannot write there (%s). Set ARMWRIGHT_ENVIRONMENTS to a folder with room for 3 GB."
            % error
        ) from None
    return os.path.join(path, name) if name else path


def program(name: str, command: str) -> str:
    """Return the path of a program of an environment."""
    return os.path.join(folder(name), "Scripts" if os.name == "nt" else "bin", command)


def requirements(name: str) -> "list[str]":
    """Return what to tell pip to install: everything at versions that are pinned."""
    return ["-r", os.path.join("constraints", name + ".in"), "-c", pins(name)]


def pins(name: str) -> str:
    """Return the constraint file of an environment, relative to the checkout."""
    return os.path.join("constraints", "hebi.txt" if name == "hebi" else "numpy2.txt")


def state(name: str) -> str:
    """Return a hash of everything that an environment is made from."""
    text = ""
    for path in requirements(name)[1::2]:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            text += file.read()
    if "-e ." in text:
        text += packaging_part()
    return hashlib.sha256(text.encode()).hexdigest()


def packaging_part() -> str:
    """Return what pyproject.toml says about installing; tool settings change no environment."""
    kept, keep = [], True
    with open(os.path.join(ROOT, "pyproject.toml"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("["):
                keep = not line.startswith("[tool.") or line.startswith("[tool.setuptools")
            if keep:
                kept.append(line)
    return "".join(kept)


def is_whole(name: str) -> bool:
    """Tell whether an environment is finished, is up to date and still has its Python."""
    try:
        with open(os.path.join(folder(name), "whole"), encoding="utf-8") as file:
            return file.read() == state(name) and os.path.exists(program(name, "python"))
    except OSError:
        return False


def mark_whole(name: str) -> None:
    """Note that an environment is finished."""
    with open(os.path.join(folder(name), "whole"), "w", encoding="utf-8") as file:
        file.write(state(name))


@contextlib.contextmanager
def locked() -> "Iterator[None]":
    """Let one process at a time make environments of this checkout."""
    import fcntl  # not on Windows, where nox is called without this file's help

    with open(folder("lock"), "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("waiting for another run, which makes environments")
            fcntl.flock(file, fcntl.LOCK_EX)
        HELD.append(file)
        yield
    HELD.clear()


def make(names: "list[str]") -> None:
    """Make environments: the tools with a Python's own means, the others with nox."""
    if names and not is_whole("tools"):
        python = find_python()
        say("making the environment 'tools' with %s" % python)
        shutil.rmtree(folder("tools"), ignore_errors=True)
        run(python, "-m", "venv", folder("tools"))
        pip = [program("tools", "python"), "-m", "pip", "install", "--quiet", "--no-input"]
        run(*pip, *requirements("tools"))
        mark_whole("tools")
    others = [name for name in names if name != "tools"]
    if others:
        say("making %s in %s" % (" and ".join(map(repr, others)), folder()))
        run(program("tools", "python"), "-m", "nox", "-s", *others)
    for name in others:
        if not is_whole(name):
            raise NoPython("no Python was found that the environment %r accepts" % name)
    if "run" in others:
        say("made. What a command needs first is compiled now: up to half a minute, once")


def run(*command: str) -> None:
    """Run a command from the checkout, with its output on stderr.

    It inherits the lock: should this process be killed, nobody begins before it has ended too.
    """
    environment = dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1")
    for name in ("PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PIP_PREFIX", "PIP_USER"):
        environment.pop(name, None)
    status = subprocess.call(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr.fileno(),
        pass_fds=[file.fileno() for file in HELD],
    )
    if status != 0:
        raise Failure("this failed, see above: %s" % " ".join(command[:6]))


def find_python() -> str:
    """Return a Python of ours that can make virtual environments, asking each candidate itself."""
    unable = ""
    for path in candidates():
        try:
            answer = subprocess.check_output(
                [path, "-c", PROBE], stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL
            )
        except (OSError, subprocess.CalledProcessError):
            continue  # such as a pyenv shim of a version that is not chosen
        version, able = answer.decode().split()
        if version in PYTHONS and able == "able":
            return path
        if version in PYTHONS and not unable:
            unable = (
                "Python %s at %s cannot make virtual environments (it has no ensurepip). On Debian"
                " and Ubuntu: apt-get install python%s-venv" % (version, path, version)
            )
    raise NoPython(
        unable
        or "Python 3.10, 3.11, 3.12 or 3.13 is needed and none was found, neither as python3 or"
        " python3.X on the path nor with pyenv. This is Python %d.%d."
        % sys.version_info[:2]
    )


def candidates() -> "Iterator[str]":
    """Give paths that may be a Python of ours, best first."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    for version in PYTHONS:
        for place in [*folders, *sorted(glob.glob(PYENV % version), reverse=True)]:
            path = os.path.join(place, "python" + version)
            if os.access(path, os.X_OK):
                yield path
    yield getattr(sys, "_base_executable", sys.executable)
    yield "python3"


def say(text: str) -> None:
    """Tell the user what happens."""
    print("armwright: %s" % text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
