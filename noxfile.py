"""Everything that is run on this project, as nox sessions; `scripts/nox -l` lists them.

The sessions named after a list in ``constraints/`` make environments, each once for a state of its
pins (scripts/environment.py). They run alone, since two installations of one checkout would write
the same build files. The others run in one of these, or in a throw-away environment of their own.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from glob import glob
from pathlib import Path

import nox
from python_discovery import get_interpreter

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))
from scripts import environment, pins  # noqa: E402

nox.needs_version = ">=2026.10.20"  # ranges of Pythons, sessions in parallel
nox.options.envdir = environment.folder()
nox.options.allow_parallel = True
nox.options.error_on_missing_interpreters = False

# pyenv keeps the Pythons that are not activated off the path.
os.environ["PATH"] = os.pathsep.join([os.environ["PATH"], *sorted(glob(environment.PYENV % "3"))])
for name in ("PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PIP_PREFIX", "PIP_USER"):
    os.environ.pop(name, None)
os.environ["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
os.environ["PIP_BUILD_CONSTRAINT"] = environment.pins("numpy2")  # relative: it may hold no spaces
os.environ["MPLBACKEND"] = "Agg"
os.environ.setdefault("ARMWRIGHT_ROUNDS", "8")  # of three random states each; 34 outside nox

PYTHONS = ["3.10", "3.11", "3.12", "3.13"]
ACCEPTED = {
    "hebi": ">=3.10,<3.13",  # hebi-py has no wheel for more
    "numpy2": ">=3.10,<3.14",
    "run": ">=3.10,<3.14",
    "benchmarks": ">=3.10,<3.14",
}
LINES = [name for name in ("hebi", "numpy2") if get_interpreter(ACCEPTED[name])]  # of numpy
MAIN = LINES[0]
FLOORS = {"hrdf": 90, "kinematics": 90, "ik": 90}  # percent of statements and branches
QUICK = [  # touches every folder and compiles the kernels of daily use
    "tests/hrdf",
    "tests/devices",
    *(f"tests/cli/test_{name}.py" for name in ("check", "fk", "ik", "info", "reach", "values")),
    *(f"tests/kinematics/test_{name}.py" for name in ("builder", "gravity", "jacobian", "model")),
    "tests/ik/test_solve.py",
    "tests/gui/test_plot.py",
]
MEASURED = environment.folder("coverage")  # the file that coverage.py leaves
nox.options.sessions = [
    "lint",
    "types",
    "tests",
    "tests-numpy2",
    "plain",
    "slow",
    "bits",
    "coverage",
]


def define_environment(name: str, python: str) -> None:
    """Define the session that makes an environment."""
    text = (ROOT / "constraints" / f"{name}.in").read_text(encoding="utf-8")

    def make(session: nox.Session) -> None:
        if environment.is_whole(name):
            return
        session.log("once; a minute or a few, mostly downloads")
        session.install(*environment.requirements(name))
        if name == "benchmarks":  # hebi-py asks for numpy < 2 but works with 2
            session.install("--no-deps", "-c", environment.pins("hebi"), "hebi-py")
        environment.mark_whole(name)

    make.__doc__ = "Environment: " + text.splitlines()[0].lstrip("# ")
    whole = environment.is_whole(name)
    nox.session(name=name, python=python, reuse_venv=whole, allow_parallel=False)(make)


for name, python in ACCEPTED.items():
    define_environment(name, python)


def run(session: nox.Session, name: str, command: str, *arguments: str, **env: str) -> None:
    """Run a program of an environment."""
    session.run(environment.program(name, command), *arguments, env=env, external=True)


@nox.session(venv_backend="none", requires=["numpy2"])
def lint(session: nox.Session) -> None:
    """Check format and lint with ruff; `-- --fix` repairs what ruff can."""
    if "--fix" in session.posargs:
        run(session, "numpy2", "ruff", "check", "--fix", "--exit-zero", ".")
        run(session, "numpy2", "ruff", "format", ".")
    run(session, "numpy2", "ruff", "format", "--check", ".")
    run(session, "numpy2", "ruff", "check", ".")


@nox.session(venv_backend="none", requires=LINES)
def types(session: nox.Session) -> None:
    """Check types with mypy; numpy 1.26 and numpy 2 describe themselves differently."""
    for name in LINES:
        run(session, name, "mypy")


def pytest(session: nox.Session, name: str, *options: str, **env: str) -> None:
    """Run tests in an environment."""
    run(session, name, "python", "-m", "pytest", *options, *session.posargs, **env)


@nox.session(venv_backend="none", requires=[MAIN])
def tests(session: nox.Session) -> None:
    """Run the main tests and measure coverage; arguments after `--` go to pytest."""
    options = ["-m", "not slow", "--durations=15", "--cov", "--cov-branch", "--cov-report="]
    profile = os.environ.get("ARMWRIGHT_HYPOTHESIS", "ci")  # more random robots and files
    pytest(session, MAIN, *options, COVERAGE_FILE=MEASURED, ARMWRIGHT_HYPOTHESIS=profile)


@nox.session(name="tests-numpy2", venv_backend="none", requires=["numpy2"])
def tests_numpy2(session: nox.Session) -> None:
    """Run the tests on numpy 2, with the oracles that need it."""
    if MAIN == "numpy2":
        session.skip("the main tests ran there")
    pytest(session, "numpy2", "-m", "not slow or idyntree")


@nox.session(venv_backend="none", requires=[MAIN])
def plain(session: nox.Session) -> None:
    """Run the tests of kernels once more, with the kernels as plain Python."""
    pytest(session, MAIN, "-m", "kernels", NUMBA_DISABLE_JIT="1")


@nox.session(venv_backend="none", requires=[MAIN])
def slow(session: nox.Session) -> None:
    """Run the tests marked slow: the same checks on many more random robots and states."""
    pytest(session, MAIN, "-m", "slow")


@nox.session(venv_backend="none", requires=LINES)
def bits(session: nox.Session) -> None:
    """Compare the bits of inverse kinematics between the two lines of numpy."""
    pythons = [environment.program(name, "python") for name in LINES]
    answers = [session.run(p, "scripts/ik_bits.py", silent=True, external=True) for p in pythons]
    session.log("hashes of the answers: %s", answers)
    if len(set(answers)) > 1:
        session.error("inverse kinematics gives other bits on numpy 2")


@nox.session(venv_backend="none", requires=["tests"])
def coverage(session: nox.Session) -> None:
    """Check that no folder lies below its floor of coverage."""
    for folder, floor in FLOORS.items():
        options = [f"--include={folder}/*", f"--fail-under={floor}", "--format=total"]
        run(session, MAIN, "coverage", "report", *options, COVERAGE_FILE=MEASURED)


@nox.session(python=PYTHONS)
def quick(session: nox.Session) -> None:
    """Run a selection of the tests on each Python, with the bare dependencies."""
    project = nox.project.load_toml("pyproject.toml")["project"]
    constraint = ["-c", environment.pins("numpy2")]
    session.install(*constraint, *project["dependencies"], "pytest", "hypothesis")
    markers = ["-m", "not slow and not hebi and not shared"]
    left_out = ["--ignore-glob", "*doctor*", "-k", "not all_solutions"]
    chosen = session.posargs or QUICK
    session.run("pytest", "-q", "-p", "no:cacheprovider", *markers, *left_out, *chosen)


@nox.session(requires=["numpy2"])
def package(session: nox.Session) -> None:
    """Build wheel and source distribution; install in every way and try each away from the tree."""
    work = Path(session.create_tmp())
    source, dist, elsewhere = work / "source", work / "dist", work / "elsewhere"
    copy_tree(source)
    python = environment.program("numpy2", "python")
    build = [python, "-m", "build", "--outdir", str(dist), str(source)]
    limits = {"PIP_CONSTRAINT": environment.pins("numpy2")}
    session.run(*build, env=limits, silent=True, external=True)
    (wheel,), (archive,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        doubled = [
            n for n in tar.getnames() if n.partition("/")[2] in ("armwright/hrdf", "armwright/ik")
        ]
    if doubled:
        session.error("the links of armwright/ put the folders twice into the source distribution")

    shutil.copytree(ROOT / "examples" / "arms", elsewhere / "arms")
    session.install("-c", environment.pins("numpy2"), str(wheel))
    for way in ([], [str(archive)], [str(source)], ["-e", str(source)]):
        if way:
            session.run("python", "-m", "pip", "uninstall", "-q", "-y", "armwright")
            session.install("--no-deps", *way)
        with session.chdir(elsewhere):
            session.run("python", "-I", str(ROOT / "scripts" / "smoke.py"), "arms")
    session.run("python", "-m", "pip", "check")


@nox.session(venv_backend="none", requires=["numpy2"])
def readme(session: nox.Session) -> None:
    """Run the README's first command on a fresh copy that has no environments yet."""
    with tempfile.TemporaryDirectory() as work:
        copy_tree(Path(work, "copy"))
        environments = os.path.join(work, "environments")
        script = "scripts/main_job.py"
        run(
            session, "numpy2", "python", script, f"{work}/copy", ARMWRIGHT_ENVIRONMENTS=environments
        )


@nox.session(venv_backend="none", requires=["benchmarks"])
def benchmark(session: nox.Session) -> None:
    """Run a benchmark: `-- kinematics [ARGUMENTS...]`; let nothing else run meanwhile."""
    files = (ROOT / "benchmarks").glob("*.py")
    found = sorted(file.stem for file in files if "__main__" in file.read_text(encoding="utf-8"))
    name, *arguments = session.posargs or [""]
    if name not in found:
        session.error("name a benchmark after --: " + ", ".join(found))
    run(session, "benchmarks", "python", "-m", f"benchmarks.{name}", *arguments)


@nox.session(python=PYTHONS, reuse_venv=True, allow_parallel=False)
def refresh(session: nox.Session) -> None:
    """Pin the newest releases in constraints/, on each Python that is found."""
    for name, pythons in {"hebi": PYTHONS[:3], "numpy2": PYTHONS}.items():
        if session.python in pythons:
            report = Path(session.create_tmp(), "report.json")
            what = ["--dry-run", "--ignore-installed", "--report", str(report)]
            session.install(
                *what, "-r", f"constraints/{name}.in", env={"PIP_BUILD_CONSTRAINT": None}
            )
            path = ROOT / environment.pins(name)
            pins.replace(path, pythons, str(session.python), pins.resolved(report))


def copy_tree(target: Path) -> None:
    """Copy the checkout as git would commit it; without git, all but what builds leave."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(
            listing, cwd=ROOT, capture_output=True, check=True, text=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        ignore = shutil.ignore_patterns("__pycache__", "*.egg-info", "build", "dist")
        shutil.copytree(ROOT, target, symlinks=True, ignore=ignore)
        return
    for name in filter(None, listed.split("\0")):
        if os.path.lexists(ROOT / name):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name, follow_symlinks=False)
