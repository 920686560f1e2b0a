"""The frame around the commands: help, versions, errors, pipes, encodings, quick starts."""

import contextlib
import json
import os
import re
import signal
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import armwright.cli
from armwright.commands.shared import errors, output
from tests.cli.running import ROOT, Cli

try:
    import pty
except ImportError:  # Windows
    pty = None  # type: ignore[assignment]

TARGET = ("--xyz", "0.35", "0.1", "0.25")
FILES = (ROOT / "armwright" / "commands").glob("*.py")
COMMANDS = sorted(path.stem for path in FILES if path.stem != "__init__")


def python(*arguments: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    """Run Python in a process of its own, from the root of the checkout."""
    environment = {**os.environ, **options.pop("env", {})}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **options,
    )


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",)])
def test_help_lists_every_command(cli: Cli, arguments: tuple[str, ...]) -> None:
    outcome = cli(*arguments)
    assert outcome.code == 0
    assert outcome.err == ""
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", outcome.out, re.MULTILINE)
    assert "..." not in outcome.out.split("Commands:")[1]  # no summary is cut


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(cli: Cli, command: str) -> None:
    outcome = cli(command, "--help")
    assert outcome.code == 0
    assert "--json" in outcome.out
    assert "--debug" in outcome.out
    assert re.search(rf"Example:\n    armwright {command}\b", outcome.out)


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "warmup"])
def test_example_in_the_help_works(
    cli: Cli, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)  # pictures go there
    example = re.search(r"Example:\n    armwright (.*)", cli(command, "--help").out)
    assert example is not None
    outcome = cli(*example[1].split())
    assert outcome.code == 0, outcome.err
    assert outcome.out


def test_version(cli: Cli) -> None:
    outcome = cli("--version")
    assert outcome.code == 0
    assert re.fullmatch(
        r"armwright (\d+\.\d+\.\d+.*|\(version unknown: not installed\))\n", outcome.out
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("chek",), "No such command 'chek'."),
        (("check",), "Missing argument 'FILE...'. Try 'armwright check --help'"),
        (("info",), "Missing argument 'ARM'"),
        (("fk", "a.hrdf", "--speed", "3"), "No such option: --speed"),
        (("ik", "a.hrdf"), "Missing option '--xyz'"),
        (
            ("ik", "a.hrdf", "--xyz", "1,2,3"),
            "Option '--xyz' requires 3 arguments, with spaces between them: --xyz 0.3 0.1 0.2.",
        ),
        (("info", "a.hrdf", "b.hrdf"), "unexpected extra argument"),
    ],
)
def test_bad_usage(cli: Cli, arguments: tuple[str, ...], said: str) -> None:
    outcome = cli(*arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert said in outcome.err
    assert outcome.err.startswith("error: ")
    assert outcome.err.count("\n") == 1
    outcome = cli(arguments[0], "--json", *arguments[1:])
    assert outcome.code == 2
    assert said.split(" Try")[0].split(". ")[0] in outcome.json["error"]
    assert outcome.json.keys() == {"error"}


def test_json_is_a_file_name_behind_two_dashes(cli: Cli) -> None:
    outcome = cli("info", "--", "--json")
    assert outcome.code == 2
    assert "--json" in outcome.err
    assert outcome.out == ""


def broken(*_: object, **__: object) -> None:
    raise TypeError("one\ntwo")


def test_bug_is_one_line_without_debug(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "print_report", broken)
    arguments = ("check", ROOT / "examples/arms/six_dof.hrdf")
    outcome = cli(*arguments)
    assert outcome.code == 2
    assert outcome.err.startswith("error: this is a bug in Armwright: TypeError: one two. Please")
    assert "Traceback" not in outcome.err
    assert "Traceback (most recent call last)" in cli(*arguments, "--debug").err


def test_lines_of_errors() -> None:
    missing = FileNotFoundError(2, "No such file or directory", "a b.hrdf")
    assert errors.lines_of(missing) == ["a b.hrdf: No such file or directory"]
    assert errors.lines_of(OSError("disk on fire")) == ["disk on fire"]
    assert errors.lines_of(MemoryError()) == ["not enough memory"]
    assert errors.lines_of(errors.InputError("one\ntwo")) == ["one", "two"]


def test_control_c_is_quiet(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(output, "print_report", interrupted)
    outcome = cli("check", ROOT / "examples/arms/six_dof.hrdf")
    assert (outcome.code, outcome.out, outcome.err) == (130, "", "")


def test_main_exits_with_the_code() -> None:
    with pytest.raises(SystemExit) as caught:
        armwright.cli.main(["check"])
    assert caught.value.code == 2


def test_python_m_and_start_without_heavy_packages() -> None:
    script = (
        "import sys, armwright.cli\n"
        "code = armwright.cli.run(['--help'])\n"
        "heavy = {'numba', 'scipy', 'matplotlib', 'hebi', 'mujoco', 'xmltodict', 'yaml'}\n"
        "print(code, sorted(heavy & set(sys.modules)))\n"
    )
    done = python("-c", script)
    assert done.stdout.endswith("0 []\n"), done.stdout + done.stderr
    done = python("-m", "armwright", "check", "examples/arms/six_dof.hrdf")
    assert done.returncode == 0
    assert done.stdout == "examples/arms/six_dof.hrdf: ok\n"
    assert done.stderr == ""


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="no such pipes on this system")
def test_reader_that_goes_away() -> None:
    script = (
        "import os, sys, armwright.cli\n"
        "read, write = os.pipe()\n"
        "os.close(read)\n"
        "os.dup2(write, 1)\n"
        "armwright.cli.main(sys.argv[1:])\n"
    )
    arm = "examples/arms/six_dof.hrdf"
    for arguments in (["info", arm], ["info", arm, "--json"], ["check", arm]):
        done = python("-c", script, *arguments)
        assert done.stderr == "", done.stderr
        assert done.returncode == 141  # 1 would be a negative answer
    done = python("-c", script, "--help")
    assert (done.returncode in (1, 141), done.stderr) == (True, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_streams_that_are_full() -> None:
    def run(*arguments: str, **streams: Any) -> "subprocess.CompletedProcess[str]":
        command = (sys.executable, "-m", "armwright", *arguments)
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
        return subprocess.run(command, cwd=ROOT, text=True, timeout=120, check=False, **pipes)

    arm = "examples/arms/six_dof.hrdf"
    lost = "error: standard output: No space left on device\n"
    with open("/dev/full", "w") as full:
        for arguments in (
            ["info", arm],
            ["info", arm, "--json"],
            ["info", arm, "--json", "--debug"],
        ):
            done = run(*arguments, stdout=full)
            assert (done.returncode, done.stderr) == (2, lost)
        done = run("fk", arm, "--q", "0", "--json", stdout=full)
        assert done.returncode == 2
        assert "expected 6, got 1" in done.stderr
        assert done.stderr.endswith(lost)
        done = run("fk", arm, "--q", "0", "--json", stderr=full)
        assert done.returncode == 2
        assert "expected 6, got 1" in json.loads(done.stdout)["error"]


def test_output_that_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "größe 机.hrdf"
    path.write_text('<robot version="1.6.0" description="für 机"/>', encoding="utf-8")
    for environment in ({"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}):
        done = python("-m", "armwright", "info", str(path), env=environment)
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        assert "HRDF 1.6.0" in done.stdout
    done = python("-m", "armwright", "info", str(path), "--json", env={"PYTHONIOENCODING": "ascii"})
    assert json.loads(done.stdout)["description"] == "für 机"


def test_no_colors_and_no_cut_paths_in_a_narrow_pipe(tmp_path: Path) -> None:
    path = tmp_path / ("very_" * 20) / "long name [bold] :smile: .hrdf"
    path.parent.mkdir()
    path.write_text('<robot version="1.6.0"><end-effector/></robot>')
    done = python("-m", "armwright", "info", str(path), env={"COLUMNS": "20"})
    assert done.returncode == 0, done.stderr
    assert f"{path}  (HRDF 1.6.0)" in done.stdout
    assert "\x1b" not in done.stdout


@pytest.mark.skipif(pty is None, reason="no pseudo terminals on this system")
@pytest.mark.parametrize("no_color", ["", "1"])
def test_colors_and_progress_on_a_terminal(no_color: str) -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "60"}
    environment.pop("NO_COLOR", None)
    if no_color:
        environment["NO_COLOR"] = no_color
    arguments = ("-m", "armwright", "reach", "examples/arms/six_dof.hrdf", *TARGET)
    child = subprocess.Popen(
        [sys.executable, *arguments], cwd=ROOT, env=environment, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    seen = b""
    with contextlib.suppress(OSError):  # Linux says so when the other end is closed
        while piece := os.read(ours, 65536):
            seen += piece
    os.close(ours)
    assert child.wait(timeout=60) == 0
    text = seen.decode()
    assert "driving" in text
    assert "100%" in text
    assert ("\x1b[32mthe simulated arm reached" in text) is not bool(no_color)
    assert "the simulated arm reached the target" in text


def test_control_characters_are_escaped(cli: Cli, tmp_path: Path) -> None:
    outcome = cli("check", tmp_path / "red\x1b[31m.hrdf")
    assert outcome.code == 1
    assert "\x1b" not in outcome.out + outcome.err
    assert "\\x1b[31m" in outcome.out


def test_closed_output_streams() -> None:
    script = (
        "import sys, armwright.cli\n"
        "sys.stdout = sys.stderr = None\n"
        "armwright.cli.main(['check', 'examples/arms/six_dof.hrdf', 'missing.hrdf'])\n"
    )
    assert python("-c", script).returncode == 1


# ---- tables in terminals


def on_terminal(width: int, *arguments: object) -> list[str]:
    """Run a command with a terminal of this width as standard output; return its lines."""
    pty = pytest.importorskip("pty")  # not on Windows
    fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")
    there, here = pty.openpty()
    fcntl.ioctl(here, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    environment |= {"NO_COLOR": "1", "TERM": "dumb", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "armwright", *map(str, arguments)]
    with subprocess.Popen(command, stdout=here, stderr=here, env=environment) as running:
        os.close(here)
        printed = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while piece := os.read(there, 4096):
                printed += piece
    os.close(there)
    assert running.returncode == 0, printed.decode()
    return printed.decode().replace("\r", "").splitlines()


@pytest.mark.parametrize("columns", ["40", "0", "-3", "x", ""])
def test_columns_count_in_a_pipe_too(six: Path, columns: str) -> None:
    """As with whatever uses rich; what is no width counts as none."""
    done = python("-m", "armwright", "info", str(six), env={"COLUMNS": columns})
    assert done.returncode == 0, done.stderr
    table = [line for line in done.stdout.splitlines() if line[:3].strip().isdigit()]
    if columns == "40":
        assert max(map(len, table)) <= 40
    else:
        assert max(map(len, table)) > 100


@pytest.mark.parametrize("width", [80, 50])
def test_tables_fit_the_terminal(six: Path, cli: Cli, width: int) -> None:
    lines = on_terminal(width, "info", six)
    assert max(map(len, lines)) <= max(width, len(str(six)) + len("  (HRDF 1.6.0)"), 78)
    table = [line for line in lines if line[:2].strip().isdigit()]
    assert max(map(len, table)) <= width
    piped = cli("info", six).out.splitlines()
    (whole,) = (line for line in piped if line.startswith(" 1 "))
    parts = [line for line in table if line.startswith(" 1 ")]
    assert len(parts) > 1
    # Nothing is lost, cut or broken: the parts are the line.
    assert whole.split()[1:] == [word for part in parts for word in part.split()[1:]]


def test_a_wide_terminal_shows_what_a_pipe_gets(six: Path, cli: Cli) -> None:
    lines = on_terminal(200, "info", six)
    assert lines == cli("info", six).out.splitlines()


def test_one_cell_may_be_wider_than_the_terminal() -> None:
    table = output.Table(("a", ">b", "c"), [("1", "x" * 90, "2")])
    parts = output.table_parts(table, 40)
    assert [part.headings for part in parts] == [("a", ">b"), ("a", "c")]
    assert output.table_parts(table, 200) == [table]
