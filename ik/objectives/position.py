"""The origin of a frame at a point; axes may be left free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from numpy import ndarray

from armwright.copies import stays_read_only
from armwright.errors import ObjectiveError
from armwright.ik._kernels import layout
from armwright.kinematics.arrays import FLOAT, FloatArray, got, is_masked, number
from armwright.kinematics.naming import FrameKey
from armwright.reprs import one_line_repr

from .base import LARGEST, check_weight
from .target import EYE, KernelRow, TargetObjective, create, slots_of

_ALL = (True, True, True)
_POSITION = f"position{_ALL}"
_EXPECTED = "a finite number of metres, or None for a free axis"


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PositionObjective(TargetObjective):
    """Origin of a frame at a point; made by ``position``.

    Attributes:
        xyz: Target in the world, shape (3,) [m]; 0 on free axes.
        fixed: Which axes are wanted, shape (3,).
    """

    name: ClassVar[str] = "position"
    position_rows: ClassVar[slice | None] = slice(0, 3)
    kernel_code: ClassVar[float] = layout.POSITION
    shown: ClassVar[tuple[str, Any]] = ("xyz", np.s_[:3, 3])

    fixed: tuple[bool, bool, bool]
    xyz: FloatArray

    def count_errors(self) -> int:
        """Return how many axes are wanted."""
        return sum(self.fixed)

    def wanted_point(self) -> FloatArray | None:
        """Return the target, shape (3,), or None when an axis is free."""
        return self.xyz if all(self.fixed) else None

    def kernel_row(self) -> KernelRow:
        """Return the row for the kernels."""
        x, y, z = map(float, self.fixed)
        return KernelRow(layout.POSITION, self.count_errors(), self.weight, 0.0, x, y, z)

    def error_of(self, T_world_frame: FloatArray) -> FloatArray:
        """Return target minus origin, shape (3,) [m], 0 on free axes."""
        to_go: FloatArray = np.where(self.fixed, self.xyz - T_world_frame[:3, 3], 0.0)
        return to_go

    def slope_of(self, T_world_frame: FloatArray, J_world_frame: FloatArray) -> FloatArray:
        """Return the linear rows, 0 on free axes."""
        rows: FloatArray = J_world_frame[:3] * np.array(self.fixed, dtype=np.float64)[:, None]
        return rows

    __repr__ = one_line_repr


_slots = slots_of(PositionObjective)
_put_fixed = PositionObjective.__dict__["fixed"].__set__


def position(
    xyz: Sequence[float | None] | npt.ArrayLike,
    *,
    weight: float = 1.0,
    frame_type: str = "endeffector",
    index: int | None = None,
    tag: str | None = None,
    frame: FrameKey | None = None,
) -> PositionObjective:
    """Ask for the origin of a frame at a point.

    Args:
        xyz: Target in the world, shape (3,) [m]. None leaves an axis free: ``[0.3, None, 0.2]``.
        weight: Positive factor on the error; see ``solve`` for how metres and radians compare.
        frame_type: Kind of frame: "endeffector", "output", "input", "com", ...
        index: Number of the frame among those of its kind.
        tag: Tag of the element, instead of the index.
        frame: The frame by itself, without frame_type, index and tag: a name of
            ``model.frame_names()``, (frame type, index or name), or a ``Frame``.

    Returns:
        The objective; one row per axis that is not free.

    Raises:
        ObjectiveError: If xyz is not three numbers, is not finite, or leaves all axes free.

    Example:
        >>> position([0.3, None, 0.2]).fixed
        (True, False, True)
    """
    values = xyz.tolist() if xyz.__class__ is ndarray and xyz.dtype is FLOAT else xyz
    target = EYE.copy()
    if (
        values.__class__ is list
        and len(values) == 3
        and values[0].__class__ is values[1].__class__ is values[2].__class__ is float
        and values[0] * values[0] + values[1] * values[1] + values[2] * values[2] <= LARGEST
    ):
        target[0, 3], target[1, 3], target[2, 3] = values
        fixed, name = _ALL, _POSITION
    else:
        target[:3, 3], fixed = _coordinates(xyz)
        name = f"position{fixed}"
    if weight.__class__ is not float or weight != 1.0:
        weight = check_weight("position", weight)
    objective = create(
        PositionObjective, _slots, target, name, weight, frame_type, index, tag, frame
    )
    _put_fixed(objective, fixed)
    return objective


def _coordinates(xyz: object) -> tuple[list[float], tuple[bool, bool, bool]]:
    """Check a position: its numbers, 0 where an axis is free, and which axes are not."""
    if is_masked(xyz):
        raise ObjectiveError(f"position: expected 3 numbers, None for a free axis, got {got(xyz)}")
    values = list(xyz) if isinstance(xyz, Sequence) else np.atleast_1d(np.asarray(xyz)).tolist()
    if len(values) != 3:
        raise ObjectiveError(f"position: expected 3 numbers (x, y, z), got {len(values)}")
    numbers = [
        0.0
        if value is None
        else number(
            value, f"position, {axis}", _EXPECTED, low=-LARGEST, high=LARGEST, error=ObjectiveError
        )
        for axis, value in zip("xyz", values, strict=True)
    ]
    fixed = (values[0] is not None, values[1] is not None, values[2] is not None)
    if not any(fixed):
        raise ObjectiveError("position: expected a number for one axis at least, got None for all")
    return numbers, fixed
