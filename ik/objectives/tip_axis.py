"""The z axis of a frame along a direction; the turn about it stays free."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from numpy import ndarray

from armwright.copies import stays_read_only
from armwright.errors import ObjectiveError
from armwright.ik._kernels import layout
from armwright.kinematics.arrays import FLOAT, FloatArray, as_direction
from armwright.kinematics.naming import FrameKey
from armwright.reprs import one_line_repr

from .base import check_weight
from .target import EYE, KernelRow, TargetObjective, create, slots_of


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TipAxisObjective(TargetObjective):
    """z axis of a frame along a direction; made by ``tip_axis``.

    Attributes:
        axis: Unit vector in the world, shape (3,).
    """

    name: ClassVar[str] = "tip_axis"
    orientation_rows: ClassVar[slice | None] = slice(0, 3)
    kernel_code: ClassVar[float] = layout.TIP_AXIS
    shown: ClassVar[tuple[str, Any]] = ("axis", np.s_[:3, 2])

    axis: FloatArray

    def count_errors(self) -> int:
        """Return 2: the turn about the axis does not count."""
        return 2

    def kernel_row(self) -> KernelRow:
        """Return the row for the kernels."""
        return KernelRow(layout.TIP_AXIS, self.count_errors(), 0.0, self.weight, 0.0, 0.0, 0.0)

    def error_of(self, T_world_frame: FloatArray) -> FloatArray:
        """Return the shortest turn still to go, a rotation vector, world axes, (3,) [rad]."""
        return turn_to_axis(T_world_frame[:3, :3], self.axis)

    def slope_of(self, T_world_frame: FloatArray, J_world_frame: FloatArray) -> FloatArray:
        """Return the angular rows, without turns about the axis itself."""
        z = T_world_frame[:3, 2]
        rows: FloatArray = J_world_frame[3:] - np.outer(z, z @ J_world_frame[3:])
        return rows

    __repr__ = one_line_repr


_slots = slots_of(TipAxisObjective)


def tip_axis(
    axis: npt.ArrayLike,
    *,
    weight: float = 1.0,
    frame_type: str = "endeffector",
    index: int | None = None,
    tag: str | None = None,
    frame: FrameKey | None = None,
) -> TipAxisObjective:
    """Ask for the z axis of a frame along a direction; the turn about it stays free.

    Args:
        axis: Direction in the world, shape (3,), of any length but zero.
        weight: Positive factor on the error; see ``solve`` for how metres and radians compare.
        frame_type: Kind of frame; this and the next three as in ``ik.position``.
        index: Number of the frame, or None.
        tag: Tag of the frame's element, or None.
        frame: The frame by itself, or None.

    Returns:
        The objective; two rows.

    Raises:
        ObjectiveError: If axis is not three finite numbers, or zero.
    """
    values = axis.tolist() if axis.__class__ is ndarray and axis.dtype is FLOAT else axis
    target = EYE.copy()
    if (
        values.__class__ is list
        and len(values) == 3
        and values[0].__class__ is values[1].__class__ is values[2].__class__ is float
        and 1e-200 < values[0] * values[0] + values[1] * values[1] + values[2] * values[2] < 1e200
    ):  # as ``as_direction`` does, in a third of the time
        a, b, c = values
        largest = max(abs(a), abs(b), abs(c))
        a, b, c = a / largest, b / largest, c / largest
        length = math.sqrt(a * a + b * b + c * c)
        target[0, 2], target[1, 2], target[2, 2] = a / length, b / length, c / length
    else:
        target[:3, 2] = as_direction(axis, "tip_axis", ObjectiveError)
    if weight.__class__ is not float or weight != 1.0:
        weight = check_weight("tip_axis", weight)
    return create(
        TipAxisObjective, _slots, target, "tip_axis", weight, frame_type, index, tag, frame
    )


def turn_to_axis(R_world_frame: FloatArray, axis: FloatArray) -> FloatArray:
    """Return the shortest rotation vector that turns a frame's z axis onto an axis, world axes.

    Opposite axes turn about the frame's x axis.
    """
    z = R_world_frame[:, 2]
    across = np.cross(z, axis)
    sine = math.sqrt(float(across @ across))
    angle = math.atan2(sine, float(z @ axis))
    if sine < 1e-12:
        return R_world_frame[:, 0] * (angle if angle > 1.0 else 0.0)
    turn: FloatArray = across * (angle / sine)
    return turn
