"""From a file or from text straight to a model."""

from pathlib import Path

from armwright.hrdf import parse, read

from .model import RobotModel


def load(path: str | Path, *, catalog: Path | None = None) -> RobotModel:
    """Load a robot from an HRDF file.

    Args:
        path: The file.
        catalog: A file with further parts, of the same form as the built-in catalogue.

    Returns:
        The model. What the reader found doubtful is in its ``warnings``.

    Raises:
        HrdfError: If something in the file, or in a file it includes, is wrong; lists it all.
    """
    return RobotModel(read(path, catalog=catalog))


def loads(
    text: str | bytes, *, folder: str | Path | None = None, catalog: Path | None = None
) -> RobotModel:
    """Load a robot from HRDF text.

    Args:
        text: The text.
        folder: Where included files are; None: an include is an error.
        catalog: A file with further parts, of the same form as the built-in catalogue.

    Returns:
        The model. What the reader found doubtful is in its ``warnings``.

    Raises:
        HrdfError: If something in the text, or in a file it includes, is wrong; lists it all.
    """
    return RobotModel(parse(text, folder=folder, catalog=catalog))
