"""Save a picture: whole or not at all."""

import io
from pathlib import Path
from typing import Any

from armwright.errors import DrawingError, FileWriteError, did_you_mean
from armwright.hrdf.files import PathError, path_text, write_file
from armwright.kinematics.arrays import number
from armwright.reprs import short

FORMATS = ("png", "pdf", "svg")
_LEAST_DPI, _MOST_DPI = 10.0, 2400.0


def picture_format(path: str | Path) -> str:
    """Return the format that a file name asks for.

    Raises:
        DrawingError: If the suffix is not one of .png, .pdf, .svg, or the folder is missing.
    """
    try:
        target = Path(path_text(path))
    except PathError as error:
        raise DrawingError(f"picture: {error}") from None
    suffix = target.suffix.lower().lstrip(".")
    if suffix not in FORMATS:
        got = f"suffix {short(target.suffix)}" if suffix else "no suffix"
        known = did_you_mean(f".{suffix}", [f".{name}" for name in FORMATS])
        raise DrawingError(f"{_shown(target)}: {got}, expected the name of a picture.{known}")
    if not target.absolute().parent.is_dir():
        folder = _shown(target.parent)
        raise DrawingError(f"{_shown(target)}: there is no folder {folder!r}. Make it first")
    return suffix


def save_picture(ax: Any, path: str | Path, *, dpi: float = 150.0) -> Path:
    """Save the figure of some axes as PNG, PDF or SVG, by the suffix of the file.

    The file is written beside its place and then moved there: readers never see half a picture,
    and an old picture survives a failure. Devices and pipes are written into.

    Args:
        ax: Axes, as ``plot_model`` returns them, or a figure.
        path: The file; one that is there is replaced.
        dpi: Pixels per inch; in PDF and SVG, of the solids.

    Returns:
        The path.

    Raises:
        DrawingError: If the suffix is unknown, the folder is missing or cannot be written.
    """
    kind = picture_format(path)
    figure = ax if hasattr(ax, "savefig") else getattr(getattr(ax, "figure", None), "figure", None)
    if figure is None or isinstance(ax, type):
        raise DrawingError(f"picture: expected axes or a figure, got {short(ax)}")
    dpi = number(dpi, "picture, dpi", low=_LEAST_DPI, high=_MOST_DPI, error=DrawingError)
    picture = io.BytesIO()
    try:
        figure.savefig(picture, format=kind, dpi=dpi, metadata=_METADATA[kind])
        write_file(path, picture.getvalue())
    except FileWriteError as error:
        raise DrawingError(str(error)) from error
    except OSError as error:  # of a font or the like
        raise DrawingError(f"{path}: cannot be drawn: {error.strerror or error}") from error
    return Path(path)


def _shown(path: Path) -> str:
    """Return a path for a message; nobody reads all of a very long one."""
    text = str(path)
    return text if len(text) <= 300 else f"{text[:140]} ... {text[-140:]}"


_METADATA: dict[str, dict[str, Any]] = {
    "png": {"Software": "Armwright"},
    "pdf": {"Creator": "Armwright", "CreationDate": None},  # the same picture, the same bytes
    "svg": {"Creator": "Armwright", "Date": None},
}
