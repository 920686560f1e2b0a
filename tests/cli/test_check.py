"""``armwright check``."""

from pathlib import Path

from tests.cli.running import ARMS, Cli, Hrdf

WRONG = '<actuator type="X5-99"/>\n<link type="X5" extension="-1" twist="0"/>'


def test_good_files(cli: Cli) -> None:
    paths = sorted(ARMS.glob("*.hrdf"))
    assert len(paths) >= 6
    outcome = cli("check", *paths)
    assert outcome.code == 0
    assert outcome.out.count(": ok") == len(paths)
    assert outcome.out.endswith(f"0 of {len(paths)} files failed\n")
    assert outcome.err == ""


def test_says_which_files_fail_and_every_problem(cli: Cli, hrdf: Hrdf, six: Path) -> None:
    bad = hrdf(WRONG, "my arms/bad arm.hrdf")
    outcome = cli("check", six, bad)
    assert outcome.code == 1
    lines = outcome.out.splitlines()
    assert f"{six}: ok" in lines
    assert f"{bad}: FAILED, 2 errors" in lines
    assert lines[-1] == "1 of 2 files failed"
    assert any(f"error: {bad}:1, robot/actuator[1], type: " in line for line in lines)
    assert any(f"error: {bad}:2, robot/link[1], extension: " in line for line in lines)


def test_warnings_do_not_fail(cli: Cli, hrdf: Hrdf) -> None:
    path = hrdf('<joint axis="-rz"/><end-effector/>')
    outcome = cli("check", path)
    assert outcome.code == 0
    assert outcome.out.startswith(f"warning: {path}:1, robot/joint[1], axis: ")
    assert outcome.out.endswith(f"{path}: ok, 1 warning\n")


def test_json(cli: Cli, hrdf: Hrdf, six: Path) -> None:
    bad = hrdf(WRONG)
    outcome = cli("check", six, bad, "--json")
    assert outcome.code == 1
    assert outcome.json["files"] == [
        {"file": str(six), "errors": 0, "warnings": 0},
        {"file": str(bad), "errors": 2, "warnings": 0},
    ]
    problems = outcome.json["problems"]
    assert [problem["attribute"] for problem in problems] == ["type", "extension"]
    expected = {"file", "line", "element", "attribute", "message", "severity"}
    assert problems[0].keys() == expected
    assert cli("check", six, "--json").json["problems"] == []


def test_what_is_no_file(cli: Cli, six: Path, tmp_path: Path) -> None:
    missing = tmp_path / "missing.hrdf"
    windows = r"C:\arms\a.hrdf"
    outcome = cli("check", missing, tmp_path, six, windows)
    assert outcome.code == 1
    assert f"error: {missing}: " in outcome.out
    assert f"{missing}: FAILED, 1 error" in outcome.out
    assert f"{tmp_path}: FAILED, 1 error" in outcome.out
    assert f"{windows}: FAILED, 1 error" in outcome.out
    assert f"{six}: ok" in outcome.out
    assert outcome.out.endswith("3 of 4 files failed\n")


def test_syntax_error_comes_alone(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "cut.hrdf"
    path.write_text('<robot version="1.6.0"><actuator type="X5-99">')
    outcome = cli("check", path, "--json")
    assert outcome.code == 1
    assert len(outcome.json["problems"]) == 1
