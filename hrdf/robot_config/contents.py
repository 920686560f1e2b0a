"""What a robot configuration says, as frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from armwright.errors import Problem
from armwright.hooks import find
from armwright.reprs import one_line_repr

REFERENCES = {"home_position": "home", "ik_seed_pos": "ik_seed"}
"""Entries of ``user_data`` that are configurations, one number per module, and what models call
them."""


@dataclass(frozen=True, slots=True)
class PluginConfig:
    """One plug-in of a configuration.

    Attributes:
        type: Its type, such as "EffortOffset".
        name: Its own name; "" when it has none.
        enabled: Whether it acts.
        ramp_time: How long it takes to begin [s].
        settings: The keys of its own, as plain values.
    """

    type: str
    name: str = ""
    enabled: bool = True
    ramp_time: float = 0.0
    settings: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RobotConfig:
    """What a configuration says.

    Attributes:
        file: The file.
        version: Version of its form.
        families: Family of each module, as many as names.
        names: Name of each module, in the order of the file, which other lists follow.
        hrdf: The robot's description; None when the file names none.
        gains: Gains files by name; a single one is called "default".
        feedback_frequency: [Hz]; None when not said.
        command_lifetime: [s]; None when not said.
        plugins: In document order.
        user_data: Whatever the user put there, as plain values.
        warnings: What is doubtful.
    """

    file: Path
    version: str
    families: tuple[str, ...]
    names: tuple[str, ...]
    hrdf: Path | None = None
    gains: Mapping[str, Path] = field(default_factory=dict)
    feedback_frequency: float | None = None
    command_lifetime: float | None = None
    plugins: tuple[PluginConfig, ...] = ()
    user_data: Mapping[str, object] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()

    def active(self, *types: str) -> tuple[PluginConfig, ...]:
        """Return the enabled plug-ins of some types; all that are enabled when none are named."""
        return tuple(
            plugin
            for plugin in self.plugins
            if plugin.enabled and (plugin.type in types or not types)
        )

    def model(self, *, catalog: Path | None = None) -> Any:
        """Return the robot, as ``armwright.load`` of the file does.

        Its joints are called like their modules, and home and seed are reference configurations.

        Args:
            catalog: A file with further parts, of the same form as the built-in catalog.

        Returns:
            The ``RobotModel``.

        Raises:
            HrdfError: If something in the robot's description is wrong.
            ConfigError: If the file is gone or wrong by now, names no robot, or does not fit it.

        Example:
            >>> config = aw.hrdf.load_config("examples/arms/six_dof.cfg.yaml")
            >>> config.model().joint_names == config.names
            True
        """
        return find("load")(self.file, catalog=catalog)

    __repr__ = one_line_repr
