"""Save a picture: whole or not at all."""

import os
import tempfile
from pathlib import Path
from typing import Any

from armwright.errors import DrawingError, did_you_mean

FORMATS = ("png", "pdf", "svg")


def picture_format(path: str | Path) -> str:
    """Return the format that a file name asks for.

    Raises:
        DrawingError: If the suffix is not one of .png, .pdf, .svg, or the folder is missing.
    """
    target = Path(path)
    suffix = target.suffix.lower().lstrip(".")
    if suffix not in FORMATS:
        got = f"suffix {target.suffix!r}" if suffix else "no suffix"
        known = did_you_mean(f".{suffix}", [f".{name}" for name in FORMATS])
        raise DrawingError(f"{target}: {got}, expected the name of a picture.{known}")
    if not target.absolute().parent.is_dir():
        raise DrawingError(f"{target}: there is no folder {str(target.parent)!r}. Make it first")
    return suffix


def save_picture(ax: Any, path: str | Path, *, dpi: float = 150.0) -> Path:
    """Save the figure of some axes as PNG, PDF or SVG, by the suffix of the file.

    The file is written beside its place and then moved there: readers never see half a picture,
    and an old picture survives a failure.

    Args:
        ax: Axes, as ``plot_model`` returns them, or a figure.
        path: The file; one that is there is replaced.
        dpi: Pixels per inch; in PDF and SVG, of the solids.

    Returns:
        The path.

    Raises:
        DrawingError: If the suffix is unknown, the folder is missing or cannot be written.
    """
    target = Path(path)
    kind = picture_format(target)
    figure = ax if hasattr(ax, "savefig") else ax.figure.figure
    try:
        handle, name = tempfile.mkstemp(
            suffix=f".{kind}", prefix=".saving-", dir=target.absolute().parent
        )
    except OSError as error:
        raise DrawingError(f"{target}: cannot write there: {error.strerror}") from error
    try:
        with os.fdopen(handle, "wb") as file:
            figure.savefig(file, format=kind, dpi=dpi, metadata=_METADATA[kind])
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, target)
    except OSError as error:
        raise DrawingError(f"{target}: cannot write there: {error.strerror}") from error
    finally:
        Path(name).unlink(missing_ok=True)
    return target


_METADATA: dict[str, dict[str, Any]] = {
    "png": {"Software": "Armwright"},
    "pdf": {"Creator": "Armwright", "CreationDate": None},  # the same picture, the same bytes
    "svg": {"Creator": "Armwright", "Date": None},
}


def _umask() -> int:
    """Return the mask of file permissions."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
