"""Reading takes time and memory in proportion to the file, and says nothing at length.

Each kind of file is read at a size and at twice the size: what grows faster than the file shows in
the ratio, which does not depend on the machine.
"""

import gc
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

import pytest

import armwright as aw
from armwright import devices, hrdf
from armwright.errors import ArmwrightError, did_you_mean
from armwright.hrdf.limits import MAX_FILE_BYTES, MAX_NAME_LENGTH, MAX_PROBLEMS
from armwright.hrdf.reading import XmlError, parse_xml

J, B = '<joint axis="rz"/>', '<rigid-body mass="1"/>'
HEAD = "version: 1.1\nfamilies: A\n"
TWO = HEAD + "names: [a, b]\n"


def robot(content: str) -> str:
    return f'<robot version="1.6.0">{content}</robot>'


def each(count: int, form: str) -> str:
    """Write a form for every number."""
    return "".join(form.replace("#", str(i)) for i in range(count))


def nested_names(size: int) -> str:
    names = [f"a{i}".ljust(MAX_NAME_LENGTH - 10, "x") for i in range(100)]
    opened = "".join(f"<{name}>" for name in names)
    return opened + "<b/>" * size + "".join(f"</{name}>" for name in reversed(names))


def fan(size: int) -> str:
    outputs = "<output><end-effector/></output>" * (size // 2)
    return robot(J * size + f'<rigid-body mass="1">{outputs}</rigid-body>')


HRDF: dict[str, tuple[int, Callable[[int], str]]] = {
    "a chain": (1200, lambda n: robot((J + B) * n)),
    "many end effectors": (8000, fan),
    "long names": (400_000, lambda n: robot(f"<{'a' * n}/>")),
    "nested names": (16_000, nested_names),
    "attributes": (10_000, lambda n: robot(f'<joint axis="rz" {each(n, " a#=" + chr(34) * 2)}/>')),
    "types": (4000, lambda n: robot(each(n, '<actuator type="X5-#"/>'))),
    "elements": (4000, lambda n: robot(each(n, "<actuatr#/>"))),
    "tags": (4000, lambda n: robot(each(n, '<joint axis="rz" tag="a"/>'))),
    "text": (50_000, lambda n: robot("x<!-- -->" * n)),
    "remarks": (50_000, lambda n: "<!---->" * n + '<?xml version="1.0"?>' + robot("")),
    "a page": (400_000, lambda n: "<!DOCTYPE " * (n // 10)),
    "numbers": (100, lambda n: robot(f'<rigid-body mass="{"9" * 9990}x"/>' * n)),
    "lines": (400_000, lambda n: "\n" * n + "<robot"),
}
YAML: dict[str, tuple[int, Callable[[int], str]]] = {
    "modules": (28_000, lambda n: HEAD + f"names: [{each(n, 'J#, ')}J]\n"),
    "the same module": (14_000, lambda n: HEAD + f"names: [{'J, ' * n}J]\n"),
    "a long key": (60_000, lambda n: TWO + f'? "{"x" * n}"\n: 1\n'),
    "keys": (6000, lambda n: TWO + each(n, "name#: 1\n")),
    "keys of a plugin": (
        5000,
        lambda n: TWO + "plugins:\n  - type: EffortOffset\n" + each(n, "    offst#: 1\n"),
    ),
    "plugins": (1500, lambda n: TWO + "plugins:\n" + each(n, "  - {type: Fo#, name: a}\n")),
    "doubled joints": (
        2500,
        lambda n: (
            TWO + "plugins:\n" + each(n, "  - {type: DoubledJoint, index: 0, group_name: b}\n")
        ),
    ),
    "files": (1500, lambda n: TWO + "gains:\n" + each(n, "  g#: x#.xml\n")),
    "a long name": (100_000, lambda n: HEAD + f'names: ["{"[" * n}"]\n'),
    "a long number": (100_000, lambda n: TWO + f"command_lifetime: {'9' * n}x\n"),
}
GROUPS: dict[str, tuple[int, Callable[[int], str]]] = {
    "unknown joints": (3000, lambda n: "version: 1\ngroups:\n" + each(n, "  g#: {joints: [x#]}\n")),
    "the same group": (
        3000,
        lambda n: (
            f"version: 1\ngroups:\n  a: {{joints: [{each(400, 'joint1#,')}]}}\n"
            + each(n, "  g#: {groups: [a]}\n")
        ),
    ),
    "states": (
        1500,
        lambda n: "version: 1\nreference_configurations:\n" + each(n, "  s#: {joint1: 1}\n"),
    ),
    "groups and states": (
        4000,
        lambda n: (
            "version: 1\ngroups:\n"
            + each(n, "  g#: {joints: [joint1]}\n")
            + "reference_configurations:\n"
            + each(n, "  s#: {joint1: 1}\n")
        ),
    ),
}
LONG = robot(J * 600)


@cache
def long_model() -> aw.RobotModel:
    return aw.loads(LONG)


def measured(read: Callable[[], object]) -> tuple[float, float]:
    """Return time [s] and memory [bytes] of a read; an error has to be short."""
    told = ""
    gc.disable()  # what others left is not collected on this read's account
    start = time.thread_time()  # of this thread alone: other work on the machine does not count
    try:
        read()
    except ArmwrightError as error:
        told = str(error)
    finally:
        seconds = time.thread_time() - start
        gc.enable()
    lines = told.splitlines()
    assert len(lines) <= 2 * MAX_PROBLEMS + 2
    assert max(map(len, lines), default=0) <= 2000
    tracemalloc.start()
    try:
        read()
    except ArmwrightError:
        pass
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return seconds, float(peak)


def grows_evenly(read: Callable[[int], object], size: int, length: int) -> None:
    """Check a read at a size and at twice that size."""
    with suppress(ArmwrightError):
        read(size // 4)
    measured(partial(read, 1))
    (half, less), (whole, more) = (measured(partial(read, n)) for n in (size, 2 * size))
    # Bounds are wide: what is quadratic has a ratio of 4 in both, of what is large enough to tell.
    assert whole < 3.2 * half + 0.3
    assert more < 3.2 * less + 30e6
    assert more < 100e6 + 50 * length


def test_what_is_quadratic_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "thread_time", lambda: now[0])

    def take(seconds: float) -> None:
        now[0] += seconds

    grows_evenly(lambda n: take(1e-3 * n), 1000, 1)
    with pytest.raises(AssertionError):
        grows_evenly(lambda n: take(1e-6 * n * n), 1000, 1)
    with pytest.raises(AssertionError):
        grows_evenly(lambda n: bytearray(n * n), 7000, 10**9)


@pytest.mark.parametrize("name", HRDF)
def test_robots(name: str, tmp_path: Path) -> None:
    size, text = HRDF[name][0] // 4, HRDF[name][1]
    texts = {n: text(n) for n in (1, size // 4, size, 2 * size)}
    grows_evenly(lambda n: aw.loads(texts[n]), size, len(texts[2 * size]))


@pytest.mark.parametrize("name", YAML)
def test_configurations(name: str, tmp_path: Path) -> None:
    size, text = YAML[name][0] // 4, YAML[name][1]
    for n in (1, size // 4, size, 2 * size):
        (tmp_path / f"{n}.cfg.yaml").write_text(text(n), encoding="utf-8")
    length = (tmp_path / f"{2 * size}.cfg.yaml").stat().st_size
    assert length < 256 * 1024
    grows_evenly(lambda n: devices.load_config(tmp_path / f"{n}.cfg.yaml"), size, length)
    if name == "files":
        grows_evenly(lambda n: hrdf.check_config(tmp_path / f"{n}.cfg.yaml"), size, length)


@pytest.mark.parametrize("name", GROUPS)
def test_groups(name: str, tmp_path: Path) -> None:
    size, text = GROUPS[name][0] // 4, GROUPS[name][1]
    for n in (1, size // 4, size, 2 * size):
        (tmp_path / f"{n}.yaml").write_text(text(n), encoding="utf-8")
    model = long_model()
    length = (tmp_path / f"{2 * size}.yaml").stat().st_size + len(LONG)
    grows_evenly(lambda n: model.with_groups(tmp_path / f"{n}.yaml"), size, length)


def test_names_and_paths_have_a_length() -> None:
    with pytest.raises(XmlError, match=f"longer than the limit of {MAX_NAME_LENGTH} characters"):
        parse_xml(f"<r><{'a' * (MAX_NAME_LENGTH + 1)}/></r>", file="a")
    node = parse_xml(nested_names(1), file="a")
    while node.children:
        node = node.children[0]
    assert len(node.path) < 2500
    assert node.path.endswith("/b[1]")
    assert MAX_FILE_BYTES >= 1e6


def test_a_problem_is_short_and_says_its_ends() -> None:
    problem = aw.Problem("f" * 9000, 7, "e" * 9000, "a" * 9000, "m" * 4999 + "!")
    assert len(str(problem)) <= 2000
    assert str(problem).endswith("!")
    assert problem.file == "f" * 9000  # the place itself is whole


def test_near_names_among_very_many() -> None:
    names = [f"joint{i}" for i in range(10_000)]
    start = time.thread_time()
    said = [did_you_mean(f"joimt{i}", names) for i in range(20)]
    assert time.thread_time() - start < 5
    assert all(len(text) < 2000 for text in said)
    assert "Did you mean 'elbow'?" in did_you_mean("elbw", [*names, "elbow"])
    assert did_you_mean("x" * 1_000_000, ["y" * 1_000_000]).startswith(" Known: yyy")
