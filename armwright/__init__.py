"""Armwright: describe, compute and drive robot arms made of modular actuators.

Importing this package is silent, quick and needs numpy alone: everything else is loaded when it
is first used. Conventions (units, frames, signs, row orders) stand in the README.
"""

from importlib import import_module as _import_module
from pathlib import Path as _Path
from typing import TYPE_CHECKING

# In a checkout the subpackages lie beside this folder, not in it.
_root = _Path(__file__).resolve().parent.parent
if (_root / "pyproject.toml").is_file() and (_root / "hrdf" / "__init__.py").is_file():
    __path__.insert(0, str(_root))

if TYPE_CHECKING:
    from armwright import devices, examples, gui, hrdf, ik, kinematics
    from armwright.errors import ArmwrightError, Problem
    from armwright.kinematics import ArmBuilder, FrameType, RobotModel, load, loads

__all__ = [
    "ArmBuilder",
    "ArmwrightError",
    "FrameType",
    "Problem",
    "RobotModel",
    "devices",
    "examples",
    "gui",
    "hrdf",
    "ik",
    "kinematics",
    "load",
    "loads",
]

_HOMES = {
    "ArmBuilder": "armwright.kinematics",
    "ArmwrightError": "armwright.errors",
    "FrameType": "armwright.kinematics",
    "Problem": "armwright.errors",
    "RobotModel": "armwright.kinematics",
    "load": "armwright.kinematics",
    "loads": "armwright.kinematics",
}
_FOLDERS = ("devices", "examples", "gui", "hrdf", "ik", "kinematics")


def __getattr__(name: str) -> object:
    """Load public names on first use; the version is read from the installed metadata."""
    if name in _FOLDERS:
        return _import_module(f"armwright.{name}")
    if name in _HOMES:
        value = getattr(_import_module(_HOMES[name]), name)
        globals()[name] = value
        return value
    if name == "__version__":  # importlib.metadata is slow to import
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("armwright")
        except PackageNotFoundError:  # a checkout that was not installed
            lines = (_root / "pyproject.toml").read_text("utf-8").splitlines()
            return next(line.split('"')[1] for line in lines if line.startswith("version = "))
    error = getattr(_import_module("armwright.errors"), name, None)
    if isinstance(error, type) and issubclass(error, Exception):
        return error  # `except aw.HrdfError`; they live in armwright.errors
    if name.startswith("__"):  # Python asks for such names
        raise AttributeError(f"module 'armwright' has no attribute {name!r}")
    raise _import_module("armwright.kinematics.hebi_names").no_attribute("armwright", name)


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__, "__version__"})
