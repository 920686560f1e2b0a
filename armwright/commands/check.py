"""``armwright check``: everything wrong or doubtful in robot files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from armwright.commands.shared import NEGATIVE, OK, Line, Report

if TYPE_CHECKING:
    from armwright.errors import Problem

Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE...",
        help="Robot descriptions (HRDF), configurations (*.cfg.yaml), saved models (.npz).",
    ),
]


def check(files: Files) -> Report:
    """Say what is wrong or doubtful in robot files.

    Every problem of a file is listed, with file, line, element and attribute. Of a robot
    configuration its robot is checked too, its names against the joints, and that every file it
    names is there. Warnings alone do not fail. The exit code is 1 when any file has errors.

    Example:
      armwright check examples/arms/six_dof.hrdf examples/arms/gantry.hrdf
    """
    found = [(path, _problems(path)) for path in files]
    blocks = []
    for path, problems in found:
        blocks += [Line(f"{problem.severity}: {problem}") for problem in problems]
        blocks.append(_verdict(path, problems))
    failed = [path for path, problems in found if _count(problems, "error")]
    if len(found) > 1:
        blocks.append(Line(f"{len(failed)} of {len(found)} files failed", "bold"))
    data = {
        "files": [
            {
                "file": path,
                "errors": _count(problems, "error"),
                "warnings": _count(problems, "warning"),
            }
            for path, problems in found
        ],
        "problems": [problem for _, problems in found for problem in problems],
    }
    return Report(data, blocks, NEGATIVE if failed else OK)


def _problems(path: Path) -> "tuple[Problem, ...]":
    """Check a file, whatever it is."""
    from armwright.errors import ModelFileError, Problem
    from armwright.hrdf import check as check_file
    from armwright.hrdf import check_config
    from armwright.hrdf.files import CONFIG, SAVED, UnreadableError, look_at

    try:
        found = look_at(path)
    except UnreadableError:
        found = None  # told below
    if found is CONFIG:
        return check_config(path)
    if found is SAVED:
        from armwright.kinematics import RobotModel

        try:
            return RobotModel.load(path).warnings
        except ModelFileError as error:
            text = str(error).removeprefix(f"{path}: ")
            return (Problem(str(path), 0, "", "", text),)
    return check_file(path)


def _verdict(path: Path, problems: "tuple[Problem, ...]") -> Line:
    """Return one line that says whether a file can be used."""
    errors, warnings = _count(problems, "error"), _count(problems, "warning")
    counts = []
    if errors:
        counts.append(f"{errors} error{'s' * (errors > 1)}")
    if warnings:
        counts.append(f"{warnings} warning{'s' * (warnings > 1)}")
    if errors:
        return Line(f"{path}: FAILED, {', '.join(counts)}", "bold red")
    return Line(f"{path}: {', '.join(['ok', *counts])}", "green")


def _count(problems: "tuple[Problem, ...]", severity: str) -> int:
    """Count the problems of one severity."""
    return sum(problem.severity == severity for problem in problems)
