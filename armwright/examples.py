"""The example arms, wherever Armwright is: in a checkout and once installed.

Their one home is the folder ``examples/arms`` of the checkout, where the README names them. Wheels
hold that same folder as ``armwright/arms`` (``pyproject.toml`` maps it there, as it maps the other
folders), so nothing is stored twice, and no symbolic link is needed, which checkouts on Windows
would turn into a file of text.
"""

from pathlib import Path

from armwright.errors import ModelError, did_you_mean
from armwright.reprs import short

__all__ = ["names", "path"]

_HERE = Path(__file__).resolve().parent
_FOLDERS = (_HERE / "arms", _HERE.parent / "examples" / "arms")  # installed; a checkout


def names() -> tuple[str, ...]:
    """Return the names of the example arms.

    Example:
        >>> "six_dof" in names()
        True
    """
    return tuple(sorted(file.stem for file in _folder().glob("*.hrdf")))


def path(name: str) -> Path:
    """Return the path of an example arm, or of another file beside the arms.

    Args:
        name: Name of an arm, such as "six_dof", or of a file, such as "six_dof.cfg.yaml".

    Raises:
        ModelError: If there is none of that name.

    Example:
        >>> import armwright as aw
        >>> aw.load(aw.examples.path("six_dof")).dof
        6
    """
    if not isinstance(name, str):
        raise ModelError(f"examples: expected the name of an arm, got {short(name)}")
    folder = _folder()
    files = {file.name: file for file in folder.glob("*") if file.is_file()}
    found = files.get(f"{name}.hrdf") or files.get(name)
    if found is None:
        hint = did_you_mean(name, [*names(), *sorted(files)])
        raise ModelError(f"examples: there is no arm {short(name)}.{hint}")
    return found


def _folder() -> Path:
    """Return the folder of the example arms."""
    for folder in _FOLDERS:
        if folder.is_dir():
            return folder
    raise ModelError(
        f"examples: no arms at {_FOLDERS[0]}; was the package installed without its data?"
    )
