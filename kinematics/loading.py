"""From a file or from text straight to a model."""

from pathlib import Path

from armwright.errors import ConfigError, ModelError, Problem
from armwright.hrdf import parse, read
from armwright.hrdf.files import CONFIG, SAVED, UnreadableError, look_at, path_text
from armwright.hrdf.robot_config import read_with_robot

from .model import RobotModel


def load(path: str | Path, *, catalog: Path | None = None) -> RobotModel:
    """Load a robot from an HRDF file, a robot configuration or a saved model.

    A configuration (``*.cfg.yaml``) gives the robot that it names: its joints are called like their
    modules, and ``home_position`` and ``ik_seed_pos`` are the reference configurations ``home`` and
    ``ik_seed``, in the order of the joints. Modules and joints belong together by the joints' tags,
    and without tags by their order.

    Args:
        path: The file; what it is is told by its contents.
        catalog: A file with further parts, of the same form as the built-in catalog; saved
            models have theirs inside.

    Returns:
        The model. What the reader found doubtful is in its ``warnings``.

    Raises:
        HrdfError: If something in the file, or in a file it includes, is wrong; lists it all. One
            of another format is called by its name.
        ConfigError: If a configuration is wrong, names no robot, or does not fit it.
        ModelFileError: If a saved model cannot be read.

    Example:
        >>> import armwright as aw
        >>> arm = aw.load("examples/arms/six_dof.cfg.yaml")
        >>> arm.joint_names[:2], arm.reference_configurations["home"].tolist()
        (('J1_base', 'J2_shoulder'), [0.0, 0.6, 0.9, -0.5, 0.7, 0.3])
    """
    try:
        found = look_at(path)
    except UnreadableError:
        found = None  # told below
    if found is SAVED:
        return RobotModel.load(path)
    if found is CONFIG:
        return _load_config(path, catalog)
    return RobotModel(read(path, catalog=catalog))


def _load_config(path: str | Path, catalog: Path | None) -> RobotModel:
    """Load the robot that a configuration names."""
    robot, modules = read_with_robot(path, catalog=catalog)
    model = RobotModel(robot)
    names = {joint: name for joint, name in enumerate(modules.joint_names) if name is not None}
    try:
        model = model.with_joint_names(names)
    except ModelError as error:
        raise ConfigError([Problem(path_text(path), 0, "names", "", str(error))]) from None
    return model.with_reference_configurations(modules.configurations)


def loads(
    text: str | bytes, *, folder: str | Path | None = None, catalog: Path | None = None
) -> RobotModel:
    """Load a robot from HRDF text.

    Args:
        text: The text.
        folder: Where included files are; None: an include is an error.
        catalog: A file with further parts, of the same form as the built-in catalog.

    Returns:
        The model. What the reader found doubtful is in its ``warnings``.

    Raises:
        HrdfError: If something in the text, or in a file it includes, is wrong; lists it all.
    """
    return RobotModel(parse(text, folder=folder, catalog=catalog))
