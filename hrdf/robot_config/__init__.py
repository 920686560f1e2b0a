"""Robot configurations, ``*.cfg.yaml``: what they say, and whether their robot and files fit."""

from .checking import check_config, read_with_robot
from .contents import PluginConfig, RobotConfig
from .matching import Modules, match_modules
from .reading import load_config

__all__ = [
    "Modules",
    "PluginConfig",
    "RobotConfig",
    "check_config",
    "load_config",
    "match_modules",
    "read_with_robot",
]
