"""Where an arm starts when nobody types it: the home position of its robot configuration."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from armwright.errors import ConfigError

from .arm import at_reference, joint_values
from .errors import InputError
from .output import complain
from .values import FloatArray

if TYPE_CHECKING:
    from armwright.devices import RobotConfig
    from armwright.kinematics import RobotModel


def start_of(
    model: "RobotModel", arm: Path, typed: str | None, config: Path | None = None
) -> tuple[FloatArray, str]:
    """Choose where an arm starts; the one place that does.

    What was typed; else the home position of the configuration that was given, the home or else
    the ik_seed of the arm itself, where its file is a configuration or a saved model that has one,
    or the home position of the configuration that lies beside the robot file and names it; else
    zeros. Only what was typed may be beyond the limits.

    Args:
        model: The arm.
        arm: Its file.
        typed: Positions typed behind --seed-q.
        config: A configuration that was given.

    Returns:
        The positions, shape (dof,) [rad or m], and where they come from, in words.
    """
    if typed is not None:
        return joint_values(typed, model, "--seed-q"), "--seed-q"
    if config is None:
        for name in ("home", "ik_seed"):
            if name in model.reference_configurations:
                return model.clip(at_reference(model, name, "--seed-q")), f"{name} of {arm}"
    settings = _beside(arm) if config is None else _read(config)
    if settings is None or "home_position" not in settings.user_data:
        return model.clip(np.zeros(model.dof)), "zeros"
    try:
        home = home_of(settings, model)
    except InputError as error:
        if config is not None:
            raise
        complain([f"{error}; starting from zeros"], level="note")
        return model.clip(np.zeros(model.dof)), "zeros"
    return model.clip(home), f"home_position of {settings.file}"


def home_of(settings: "RobotConfig", model: "RobotModel") -> FloatArray:
    """Return the home position of a configuration, shape (dof,); zeros when it has none.

    It is the ``home`` of a model that is loaded from the configuration: in the order of the joints.
    One that does not fit is refused: ``load_config`` only warns of what belongs to the user.
    """
    from armwright.hrdf.findings import Findings
    from armwright.hrdf.robot_config import match_modules

    if settings.user_data.get("home_position") is None:
        return np.zeros(model.dof)
    modules = match_modules(settings, model.description, Findings())
    home = None if modules is None else modules.configurations.get("home")
    if home is None:
        raise InputError(
            f"{settings.file}, home_position: expected {model.dof} plain numbers [rad or m]; "
            "say where the arm stands by --q"
        )
    return np.array(home)


def _read(config: Path) -> "RobotConfig":
    """Read a configuration that was given, and say what is doubtful about it."""
    from armwright.devices import load_config

    settings = load_config(config)
    complain([str(problem) for problem in settings.warnings], level="warning")
    return settings


def _beside(arm: Path) -> "RobotConfig | None":
    """Return the configuration beside a robot file that names it; None without one, or several."""
    from armwright.devices import load_config

    found = []
    for file in sorted(arm.parent.glob("*.cfg.yaml")):
        try:
            settings = load_config(file)
        except ConfigError:
            continue  # it was not asked for
        if settings.hrdf is not None and settings.hrdf.resolve() == arm.resolve():
            found.append(settings)
    if len(found) > 1:
        names = ", ".join(settings.file.name for settings in found)
        complain(
            [f"several configurations are for {arm}: {names}; choose by --config"], level="note"
        )
    return found[0] if len(found) == 1 else None
