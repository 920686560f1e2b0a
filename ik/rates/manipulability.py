"""How well a robot can move a frame from where it is, and which motions it has lost."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from armwright.copies import stays_read_only
from armwright.errors import ObjectiveError
from armwright.ik.objectives import ROWS, named_frame
from armwright.ik.program import check_model, scaling
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FloatArray, JointValues, frozen, number, one_of
from armwright.kinematics.naming import FrameKey
from armwright.reprs import one_line_repr

SINGULAR = 0.02  # smallest scaled singular value of a pose that is not nearly singular


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False)
class Manipulability:
    """How well a frame can be moved; arrays are read-only.

    The singular values and all that follows from them are scaled, so that metres and radians
    compare: linear rows of the Jacobian times ``length_weight`` = 2 / reach, and one unit of a
    joint is one radian of its output (for a slide the travel that counts like one radian). They
    are then about 1 for motions that an arm does with ease, whatever its size.

    Attributes:
        measure: Product of the singular values of the Jacobian as it is, in SI units: Yoshikawa's
            sqrt(det(J J^T)) when there are at least as many joints as rows; 0 when singular.
        singular_values: Scaled, largest first, shape (min(rows, dof),).
        condition: Largest scaled singular value by the smallest; inf when singular.
        is_singular: Whether the smallest is below the threshold.
        weakest_twist: What the frame can do worst, shape (6,): world axes, linear [m/s] and
            angular [rad/s], of length 1 as a 6-vector; zeros in rows that were not asked for.
        weakest_motion: The joint motion that moves the frame least in proportion, among those
            that the twists need, shape (dof,); of length 1. At a singular pose the frame stands
            still under it.
        lost_twists: All directions that cannot be done: below the threshold, or because there
            are fewer joints than rows; shape (n_lost, 6), like ``weakest_twist``. They are
            perpendicular, when scaled, to every twist that can be done.
        idle_motions: All joint motions under which the frame (nearly) stands still, shape
            (n_idle, dof), like ``weakest_motion``: the null space of the Jacobian.
        length_weight: Radians that count like one metre [1/m].
    """

    measure: float
    singular_values: FloatArray
    condition: float
    is_singular: bool
    weakest_twist: FloatArray
    weakest_motion: FloatArray
    lost_twists: FloatArray
    idle_motions: FloatArray
    length_weight: float

    __repr__ = one_line_repr


def manipulability(
    model: RobotModel,
    q: JointValues,
    *,
    rows: str = "pose",
    threshold: float = SINGULAR,
    frame_type: str = "endeffector",
    index: int | None = None,
    tag: str | None = None,
    frame: FrameKey | None = None,
) -> Manipulability:
    """Tell how well a robot can move a frame, and which directions are lost.

    Args:
        model: The robot.
        q: Joint positions, shape (dof,) [rad or m].
        rows: What of the frame's motion counts: "pose", "position" or "orientation".
        threshold: Scaled singular value below which a direction counts as lost.
        frame_type: Kind of frame.
        index: Number of the frame.
        tag: Tag of its element, instead of the index.
        frame: The frame by itself, without frame_type, index and tag: a name of
            ``model.frame_names()``, (frame type, index or name), or a ``Frame``.

    Returns:
        The measure, the singular values, and the directions that are lost.

    Raises:
        JointVectorError: If q has the wrong length or is not finite.
        ObjectiveError: If ``rows`` or the threshold is not usable.
        FrameNotFoundError: If there is no such frame.

    Example:
        >>> here = manipulability(model, [0.0, 0.9, 0.0, -0.7, 0.2, 0.0])
        >>> here.is_singular, len(here.lost_twists)
        (True, 1)

    References:
        Yoshikawa, Manipulability of robotic mechanisms, 1985, equation 6.
    """
    check_model(model)
    wanted = slice(*ROWS[one_of(rows, tuple(ROWS), "rows", ObjectiveError)])
    limit = number(threshold, "threshold", low=0.0, error=ObjectiveError)
    joints = model._joint_vector(q)
    where = named_frame(model, frame_type, index, tag, frame)
    J = model.jacobian(joints, None, *where)
    weight, unit = scaling(model, (where,))
    row_weights = np.array([weight] * 3 + [1.0] * 3)[wanted]
    J = J[wanted]
    U, values, Vt = np.linalg.svd(J * row_weights[:, None] / unit)
    size = len(row_weights)
    few = min(size, model.dof)
    plain = np.linalg.svd(J, compute_uv=False) if few else np.zeros(0)
    twists = np.zeros((size, 6))
    twists[:, wanted] = U.T / row_weights
    twists = unit_rows(twists)
    motions = unit_rows(Vt / unit)
    all_values = np.zeros(max(size, model.dof))
    all_values[:few] = values
    smallest = float(values[-1]) if few else 0.0
    return Manipulability(
        measure=float(np.prod(plain)) if few else 0.0,
        singular_values=frozen(values),
        condition=float(values[0]) / smallest if smallest > 1e-12 else math.inf,
        is_singular=smallest < limit,
        weakest_twist=frozen(twists[-1].copy()),
        weakest_motion=frozen(motions[few - 1].copy() if few else np.zeros(model.dof)),
        lost_twists=frozen(twists[all_values[:size] < limit]),
        idle_motions=frozen(motions[all_values[: model.dof] < limit]),
        length_weight=weight,
    )


def unit_rows(rows: FloatArray) -> FloatArray:
    """Scale every row to length 1, its largest number positive."""
    scaled: FloatArray = rows / np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    if scaled.size:
        peaks = np.abs(scaled).argmax(axis=1)
        scaled *= np.sign(scaled[np.arange(len(scaled)), peaks])[:, None]
    return scaled
