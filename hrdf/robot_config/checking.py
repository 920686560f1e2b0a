"""A configuration together with its robot: read both, and everything that is wrong with either."""

import os
from dataclasses import replace
from pathlib import Path

from armwright.errors import ConfigError, HrdfError, Problem
from armwright.hrdf.elements import RobotDescription
from armwright.hrdf.findings import Findings
from armwright.hrdf.reading import read

from .matching import Modules, match_modules
from .reading import read_config


def read_with_robot(
    path: str | os.PathLike[str], *, catalog: Path | None = None
) -> tuple[RobotDescription, Modules]:
    """Read a configuration and the robot that it names.

    Args:
        path: The configuration.
        catalog: A file with further parts.

    Returns:
        The robot, with the warnings of both and with the configuration as its last file; and
        which module is which joint.

    Raises:
        ConfigError: If the configuration is wrong, names no robot, or does not fit it.
        HrdfError: If the robot's own file is wrong.
    """
    findings = Findings()
    config = read_config(path, findings, robot=True)
    if config is None or config.hrdf is None or findings.error_count:
        raise ConfigError(findings.problems)
    robot = read(config.hrdf, catalog=catalog)
    modules = match_modules(config, robot, findings)
    if modules is None or findings.error_count:
        raise ConfigError(findings.problems)
    warnings = (*robot.warnings, *findings.warnings)
    files = (*robot.files, str(config.file))
    return replace(robot, warnings=warnings, files=files), modules


def check_config(path: str | os.PathLike[str]) -> tuple[Problem, ...]:
    """List everything that is wrong or doubtful in a configuration and what it names.

    Its robot is checked too, the names against the joints, and that every file is there. What is
    in gains and other files is not looked at.
    """
    findings = Findings()
    config = read_config(path, findings, files=True)
    problems: tuple[Problem, ...] = ()
    if config is not None and config.hrdf is not None and os.path.exists(config.hrdf):
        try:
            robot = read(config.hrdf)
            problems = robot.warnings
            match_modules(config, robot, findings)
        except HrdfError as error:
            problems = error.problems
    return (*findings.problems, *problems)
