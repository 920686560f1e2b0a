"""Every function that reads files: what is called, and what has to hold of what was accepted.

``read`` returns what was read, or raises an error of ours; ``use`` then uses it, and raises
``WrongError`` (or anything else) when it should not have been accepted.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import armwright
from armwright import RobotModel, hrdf
from armwright.commands.check import check as check_files
from armwright.commands.shared import InputError, Report, poses_of
from armwright.errors import (
    ArmwrightError,
    ConfigError,
    HrdfError,
    HrdfVersionError,
    ModelFileError,
)
from armwright.hrdf import RobotConfig
from tests.hostile import seeds

_LARGE = 60  # joints; more of them are used less thoroughly


class WrongError(Exception):
    """What was accepted is not as it should be."""


@dataclass(frozen=True)
class Reader:
    """One way into the package.

    Attributes:
        read: Reads a file.
        use: Uses what was read, given the file and a generator.
        refuses: The errors that its documentation names.
    """

    read: Callable[[Path], Any]
    use: Callable[[Any, Path, Random], None]
    refuses: tuple[type[ArmwrightError], ...] = (HrdfError, ConfigError, ModelFileError)


def prepare(folder: Path) -> None:
    """Write what hostile files lie beside."""
    (folder / "deep").mkdir(exist_ok=True)
    (folder / "sub.hrdf").write_bytes(seeds.SUB)
    (folder / "deep" / "inner.hrdf").write_bytes(seeds.INNER)
    (folder / "once.hrdf").write_bytes(seeds.WITH_INCLUDE)
    (folder / "twice.hrdf").write_bytes(seeds.WITH_TWO_INCLUDES)
    (folder / "small.hrdf").write_bytes(seeds.SMALL_ARM)
    (folder / "six_dof.hrdf").write_bytes((seeds.ARMS / "six_dof.hrdf").read_bytes())


def use_model(model: RobotModel, r: Random) -> None:
    """Use a model: finite numbers come out, and it can be written and described."""
    dof = model.dof
    for q in (np.zeros(dof), np.array([r.uniform(-3.2, 3.2) for _ in range(dof)])):
        _finite(model.forward_kinematics("output", q), "forward kinematics")
        _finite(model.gravity_efforts(q), "gravity efforts")
        if r.random() < 0.2 and dof <= _LARGE:
            _finite(model.forward_kinematics("com", q), "centers of mass")
            _finite(model.mass_matrix(q), "mass matrix")
            _finite(model.jacobians("output", q), "Jacobians")
    if r.random() < 0.1:
        if len(repr(model)) > 200:
            raise WrongError("a repr of more than 200 characters")
        model.describe()
        _ = model.total_mass, model.tags, model.topology


def _finite(values: Any, what: str) -> None:
    if not np.isfinite(values).all():
        raise WrongError(f"{what}: not finite")


def _use_hrdf(model: RobotModel, path: Path, r: Random) -> None:
    use_model(model, r)
    if r.random() < 0.25:
        _round_trip(model, path)
    if r.random() < 0.1:
        _save_and_load(model, path.with_name("saved.npz"))
    is_hrdf = model.description.files[:1] == (str(path),)  # and no configuration by that name
    if is_hrdf and r.random() < 0.1 and check_files([path]).exit_code:
        raise WrongError("check finds errors in what load accepts")


def _round_trip(model: RobotModel, path: Path) -> None:
    """Write a description; the same is read back."""
    description = model.description
    try:
        text = hrdf.write(description, version=description.version)
    except HrdfVersionError:
        # A newer file that it includes, or something newer that readers let pass with a warning.
        text = hrdf.write(description)
        description = replace(hrdf.parse(text, folder=path.parent), version=description.version)
    again = hrdf.parse(text, folder=path.parent)
    if replace(again, version=description.version) != description:
        raise WrongError("written and read again it is another robot")


def _save_and_load(model: RobotModel, path: Path) -> None:
    """Save a model; the same is loaded."""
    model.save(path)
    first = path.read_bytes()
    again = RobotModel.load(path)
    if again != model:
        raise WrongError("saved and loaded it is another model")
    again.save(path)
    if path.read_bytes() != first:
        raise WrongError("saved twice it gives other bytes")


def _use_saved(model: RobotModel, path: Path, r: Random) -> None:
    use_model(model, r)
    if r.random() < 0.2:
        _save_and_load(model, path.with_name("saved.npz"))
    for q in model.reference_configurations.values():
        _finite(model.gravity_efforts(q), "gravity efforts at a configuration")
    if r.random() < 0.1 and armwright.load(path) != model:
        raise WrongError("armwright.load gives another model")


@cache
def _two_armed() -> RobotModel:
    return armwright.load(seeds.ARMS / "two_armed.hrdf")


def _use_groups(model: RobotModel, path: Path, r: Random) -> None:
    for q in model.reference_configurations.values():
        _finite(model.forward_kinematics("output", q), "forward kinematics at a configuration")
        _finite(model.gravity_efforts(q), "gravity efforts at a configuration")
    for group in model.groups.values():
        repr(group)
    _ = model.arms, model.legs
    if r.random() < 0.2:
        model.describe()
        _save_and_load(model, path.with_name("saved.npz"))


def _use_config(config: RobotConfig, path: Path, r: Random) -> None:
    if len(repr(config)) > 200:
        raise WrongError("a repr of more than 200 characters")
    if r.random() < 0.2:
        hrdf.check_config(path)
    if r.random() < 0.5:
        with contextlib.suppress(HrdfError, ConfigError):  # its robot may not fit it
            use_model(config.model(), r)


def _use_catalog(catalog: hrdf.Catalog, path: Path, r: Random) -> None:
    """Make a robot of each of a few new parts."""
    old = hrdf.load_catalog()
    new = [
        (kind, type_)
        for kind in catalog.parts
        for type_ in catalog.types(kind)
        if old.find(kind, type_) is None
    ]
    for kind, type_ in r.sample(new, min(2, len(new))):
        more = ' extension="0.2" twist="pi"' if kind == "link" else ""
        text = f'<robot version="1.6.0"><{kind} type="{type_}"{more}/></robot>'
        model = armwright.loads(text, catalog=path)
        use_model(model, r)
        if r.random() < 0.2:
            _save_and_load(model, path.with_name("saved.npz"))


@cache
def _six_dof() -> RobotModel:
    return armwright.load(seeds.ARMS / "six_dof.hrdf")


def _use_poses(poses: Any, _: Path, r: Random) -> None:
    if poses.ndim != 2 or poses.shape[1] != 6:
        raise WrongError(f"poses of shape {poses.shape}")
    _finite(poses, "poses")
    _finite(_six_dof().gravity_efforts(poses[:50]), "gravity efforts")


def _use_check(report: Report, path: Path, r: Random) -> None:
    """What check finds no error in is loaded."""
    for block in report.blocks:
        str(block)
    if report.exit_code == 0:
        model = _config_without_robot(path) or armwright.load(path)
        if isinstance(model, RobotModel):
            use_model(model, r)


def _config_without_robot(path: Path) -> RobotConfig | None:
    """Return a configuration that names no robot, which cannot be loaded as one."""
    try:
        config = hrdf.load_config(path)
    except ArmwrightError:
        return None
    return config if config.hrdf is None else None


def _use_any(model: RobotModel, _: Path, r: Random) -> None:
    use_model(model, r)
    for problem in model.warnings:
        str(problem)


def _loaded_whole(path: Path) -> RobotModel:
    """Load a robot that includes the file: once, or twice, which tags in it forbid."""
    name = "twice.hrdf" if path.stat().st_size % 4 == 0 else "once.hrdf"
    return armwright.load(path.with_name(name))


BY_NAME: dict[str, Reader] = {
    "hrdf": Reader(armwright.load, _use_hrdf),
    "include": Reader(_loaded_whole, lambda model, _, r: use_model(model, r), (HrdfError,)),
    "saved": Reader(RobotModel.load, _use_saved, (ModelFileError,)),
    "config": Reader(hrdf.load_config, _use_config, (ConfigError,)),
    "groups": Reader(lambda path: _two_armed().with_groups(path), _use_groups, (HrdfError,)),
    "srdf": Reader(lambda path: _two_armed().with_groups(path), _use_groups, (HrdfError,)),
    "catalog": Reader(hrdf.load_catalog, _use_catalog, (HrdfError,)),
    "poses": Reader(lambda path: poses_of(None, path, _six_dof()), _use_poses, (InputError,)),
    "check": Reader(lambda path: check_files([path]), _use_check, ()),
    "any": Reader(armwright.load, _use_any),
}
"""Each reader by its name."""
