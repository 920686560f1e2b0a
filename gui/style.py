"""What can be chosen about a drawing, with its defaults; unknown or misfit choices are errors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from armwright.errors import DrawingError, did_you_mean
from armwright.kinematics.arrays import is_row, numeric
from armwright.reprs import short

from .solids import FloatArray

VIEWS: Mapping[str, tuple[float, float]] = {
    "iso": (22.0, -55.0),
    "top": (90.0, -90.0),
    "front": (0.0, 0.0),
    "side": (0.0, -90.0),
}
"""Elevation and azimuth [degrees]; all but "iso" are drawn without perspective."""
STYLES = ("solid", "print", "stick")
_SWITCHES = ("joint_axes", "triads", "shadow", "floor")
_SWITCHES_OR_NONE = ("labels", "legend")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Style:
    """The choices; see ``plot_model`` for their meaning."""

    style: Literal["solid", "print", "stick"] = "solid"
    view: str | tuple[float, float] = "iso"
    labels: bool | None = None
    joint_axes: bool = True
    triads: bool = True
    shadow: bool = True
    floor: bool = True
    legend: bool | None = None
    title: str | None = None
    ghosts: Sequence[npt.ArrayLike] = ()
    target: FloatArray | None = None
    path: FloatArray | None = None
    size: tuple[float, float] = (8.0, 6.0)

    @property
    def angles(self) -> tuple[float, float]:
        """Elevation and azimuth [degrees]."""
        return VIEWS[self.view] if isinstance(self.view, str) else self.view

    @property
    def perspective(self) -> bool:
        """Whether near things are drawn larger."""
        return self.view == "iso" or not isinstance(self.view, str)


def read_style(choices: Mapping[str, Any]) -> Style:
    """Check the choices of a caller.

    Raises:
        DrawingError: If a name is unknown or a value does not fit; the message says what would.
    """
    known = [field.name for field in fields(Style)]
    for name in choices:
        if name not in known:
            raise DrawingError(
                f"plot_model: unknown style {short(name)}.{did_you_mean(name, known, most=20)}"
            )
    checked = dict(choices)
    if "style" in checked and not (
        isinstance(checked["style"], str) and checked["style"] in STYLES
    ):
        raise _misfit("style", checked["style"], f"one of {', '.join(STYLES)}")
    for name in _SWITCHES + _SWITCHES_OR_NONE:
        may_be_none = name in _SWITCHES_OR_NONE
        value = checked.get(name, True)
        if not isinstance(value, bool | np.bool_) and not (may_be_none and value is None):
            raise _misfit(name, value, "True, False or None" if may_be_none else "True or False")
    if not isinstance(checked.get("title"), str | None):
        raise _misfit("title", checked["title"], "a text or None")
    if "view" in checked:
        checked["view"] = _view(checked["view"])
    if "size" in checked:
        width, height = _numbers("size", checked["size"], [(2,)], "width and height in inches")
        if not (0.5 <= width <= 100 and 0.5 <= height <= 100):
            raise _misfit("size", checked["size"], "width and height from 0.5 to 100 inches")
        checked["size"] = (float(width), float(height))
    if checked.get("target") is not None:
        what = "a point of 3 numbers or a pose of 4x4"
        checked["target"] = _numbers("target", checked["target"], [(3,), (4, 4)], what)
    if checked.get("path") is not None:
        what = "points, shape (n, 3)"
        checked["path"] = _numbers("path", checked["path"], [(None, 3)], what)
    if checked.get("ghosts") is None:
        checked["ghosts"] = ()
    elif not is_row(checked["ghosts"]):
        raise _misfit("ghosts", checked["ghosts"], "a list of joint positions")
    return Style(**checked)


def _view(value: object) -> str | tuple[float, float]:
    """Check a name of a view, or elevation and azimuth."""
    names = ", ".join(VIEWS)
    if isinstance(value, str):
        if value.lower() not in VIEWS:
            raise _misfit("view", value, f"one of {names}, or (elevation, azimuth) in degrees")
        return value.lower()
    what = f"one of {names}, or (elevation, azimuth) in degrees"
    elevation, azimuth = _numbers("view", value, [(2,)], what)
    return float(elevation), float(azimuth)


def _numbers(
    name: str, value: object, shapes: Sequence[tuple[int | None, ...]], what: str
) -> FloatArray:
    """Convert to finite numbers of one of the shapes; None stands for any length."""
    array = numeric(value)
    if array is None:
        raise _misfit(name, value, what)
    fits = any(
        len(shape) == array.ndim
        and all(n is None or n == m for n, m in zip(shape, array.shape, strict=True))
        for shape in shapes
    )
    if not fits:
        raise DrawingError(f"plot_model: {name}: got shape {array.shape}, expected {what}")
    if not np.isfinite(array).all():
        raise _misfit(name, value, f"{what}, all finite")
    return array


def _misfit(name: str, got: object, expected: str) -> DrawingError:
    """Make the error for a value that does not fit."""
    return DrawingError(f"plot_model: {name}: got {short(got)}, expected {expected}")
