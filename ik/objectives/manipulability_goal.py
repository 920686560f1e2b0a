"""A frame that is easy to move, away from singular postures."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from armwright.errors import ObjectiveError
from armwright.ik._kernels import layout
from armwright.kinematics import Frame, RobotModel
from armwright.kinematics.arrays import FloatArray, one_of
from armwright.kinematics.naming import (
    FrameKey,
    check_frame_words,
)
from armwright.reprs import one_line_repr

from .base import check_weight, named_frame
from .secondary import SecondaryObjective, SecondarySum

ROWS = {"pose": (0, 6), "position": (0, 3), "orientation": (3, 6)}  # of a Jacobian, half-open


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ManipulabilityObjective(SecondaryObjective):
    """Room to move a frame, as a secondary goal; made by ``manipulability_goal``.

    Attributes:
        rows: What of the frame's motion counts: "pose", "position" or "orientation".
        weight: Against other secondary goals.
        frame_type: Kind of frame.
        index: Number of the frame, or None.
        tag: Tag of the frame's element, or None.
        frame: The frame by itself, or None.
    """

    name: ClassVar[str] = "manipulability_goal"

    rows: str
    weight: float
    frame_type: str
    index: int | None
    tag: str | None
    frame: FrameKey | None
    key: str = field(repr=False)

    def add_to(self, total: SecondarySum) -> None:
        """Add a row for the kernels, and the chain of the frame.

        Raises:
            FrameNotFoundError: If the model has no such frame.
        """
        frame_type, index = self._find_frame(total.model)
        chain = total.model._chain(frame_type, index)
        row = np.zeros(16)
        row[layout.GOAL_WEIGHT] = self.weight
        row[layout.N_JOINTS] = len(chain) - 1
        row[layout.GOAL_ROW], row[layout.GOAL_END] = ROWS[self.rows]
        total.manipulabilities.append(row)
        total.manipulability_weights.append(self.weight)
        total.chains.append(chain)

    def residual(self, model: RobotModel, q: FloatArray, limits: FloatArray) -> FloatArray:
        """Return the measure itself, shape (1,): it has no target."""
        frame_type, index = self._find_frame(model)
        J = model.jacobian(q, None, frame_type, index)[slice(*ROWS[self.rows])]
        n_moving = len(model._chain(frame_type, index)) - 1  # other columns are zero
        values = np.linalg.svd(J, compute_uv=False)[:n_moving] if n_moving else np.zeros(1)
        return np.array([np.prod(values)], dtype=np.float64)

    def _find_frame(self, model: RobotModel) -> Frame:
        return named_frame(model, self.frame_type, self.index, self.tag, self.frame)

    __repr__ = one_line_repr


def manipulability_goal(
    *,
    weight: float = 1.0,
    rows: str = "pose",
    frame_type: str = "endeffector",
    index: int | None = None,
    tag: str | None = None,
    frame: FrameKey | None = None,
) -> ManipulabilityObjective:
    """Keep a frame easy to move, away from singular postures, as far as everything else allows.

    A secondary goal. Raises the logarithm of ``ik.manipulability(model, q, rows=rows).measure``:
    twice the measure counts the same, wherever it started.

    Args:
        weight: Positive; matters only between several secondary goals.
        rows: What of the frame's motion counts: "pose", "position" or "orientation".
        frame_type: Kind of frame; this and the next three as in ``ik.position``.
        index: Number of the frame, or None.
        tag: Tag of the frame's element, or None.
        frame: The frame by itself, or None.

    Returns:
        The objective; its residual is the measure itself, shape (1,): more is better.

    Raises:
        ObjectiveError: If the weight or the rows are not usable.
    """
    rows = one_of(rows, tuple(ROWS), "manipulability_goal, rows", ObjectiveError)
    weight = check_weight("manipulability_goal", weight)
    check_frame_words(frame_type, index, tag, frame)
    return ManipulabilityObjective(
        rows=rows,
        weight=weight,
        frame_type=frame_type,
        index=index,
        tag=tag,
        frame=frame,
        key=f"manipulability {rows} {weight!r} {frame_type!r} {index!r} {tag!r} {frame!r}",
    )
