"""Secondary goals: what to do with the freedom that the other objectives leave.

They are a second level. First the objectives are met, or come as close as they can; then the joints
move within what keeps them met, until the sum of the secondary goals is lowest. They never count
for success. Weights matter only between secondary goals, each of which is about 1 when a joint is a
radian, or the whole arm, from where it should be.
"""

import warnings

import numpy as np
import numpy.typing as npt

from armwright.errors import ObjectiveError, did_you_mean
from armwright.ik.checks import array, check_size, frozen, positive_weight, vector, words

from .base import (
    CenteringObjective,
    EffortObjective,
    ManipulabilityObjective,
    PostureObjective,
)

ROWS = {"pose": (0, 6), "position": (0, 3), "orientation": (3, 6)}  # of a Jacobian, half-open


def posture(q_ref: npt.ArrayLike, *, weight: float = 1.0) -> PostureObjective:
    """Stay near a posture, as far as everything else allows.

    A secondary goal: it moves the joints only where the other objectives leave them free, and
    never counts for success. Alone, it is simply taken, within the limits. Lowers the sum of the
    squared distances, halved, in radians of the joints' outputs (slides: metres times 2 / reach).

    Args:
        q_ref: Shape (n_dof,) [rad or m].
        weight: Positive; matters only between several secondary goals.

    Returns:
        The objective; its residual is q_ref - q, shape (n_dof,).

    Raises:
        ObjectiveError: If q_ref is not a vector of finite numbers.
    """
    reference = vector("posture", "q_ref", q_ref)
    if not np.isfinite(reference).all():
        raise ObjectiveError(
            f"posture: q_ref is {words(reference.tolist())}, expected finite numbers"
        )
    check_size("posture", "q_ref", reference.tolist())
    weight = positive_weight("posture", weight)
    key = b"posture" + np.array(weight).tobytes() + reference.tobytes()
    return PostureObjective(q_ref=frozen(reference), weight=weight, key=key)


def centering(*, weight: float = 1.0) -> CenteringObjective:
    """Keep joints near the middle of their limits, as far as everything else allows.

    A secondary goal. Lowers the sum of ((q - middle) / half range)^2, halved, over the joints with
    two limits, those of ``joint_limits`` included; a joint without them is left alone.

    Args:
        weight: Positive; matters only between several secondary goals.

    Returns:
        The objective; its residual is middle - q, shape (n_dof,) [rad or m], 0 for joints that
        are left alone.

    Raises:
        ObjectiveError: If the weight is not usable.
    """
    weight = positive_weight("centering", weight)
    return CenteringObjective(weight=weight, key=f"centering {weight!r}")


def manipulability_goal(
    *,
    weight: float = 1.0,
    rows: str = "pose",
    frame_type: str = "endeffector",
    index: int | None = None,
    tag: str | None = None,
) -> ManipulabilityObjective:
    """Keep a frame easy to move, away from singular postures, as far as everything else allows.

    A secondary goal. Raises the logarithm of ``ik.manipulability(model, q, rows=rows).measure``:
    twice the measure counts the same, wherever it started.

    Args:
        weight: Positive; matters only between several secondary goals.
        rows: What of the frame's motion counts: "pose", "position" or "orientation".
        frame_type: Kind of frame: "endeffector", "output", "input", "com", ...
        index: Number of the frame among those of its kind.
        tag: Tag of the element, instead of the index.

    Returns:
        The objective; its residual is the measure itself, shape (1,): more is better.

    Raises:
        ObjectiveError: If the weight or the rows are not usable.
    """
    if not isinstance(rows, str) or rows not in ROWS:
        raise ObjectiveError(
            f"manipulability_goal: rows is {rows!r}, expected one of {', '.join(ROWS)}."
            f"{did_you_mean(str(rows), ROWS)}"
        )
    weight = positive_weight("manipulability_goal", weight)
    return ManipulabilityObjective(
        rows=rows,
        weight=weight,
        frame_type=frame_type,
        index=index,
        tag=tag,
        key=f"manipulability {rows} {weight!r} {frame_type!r} {index!r} {tag!r}",
    )


def least_effort(*, weight: float = 1.0, gravity: npt.ArrayLike | None = None) -> EffortObjective:
    """Hold the arm with small efforts against gravity, as far as everything else allows.

    A secondary goal. Lowers the sum of the squares of ``model.gravity_efforts(q, gravity)``,
    payloads included, halved; the unit is moving weight times reach, so that it has no dimension.
    A slide's force counts like a torque with a lever of half the reach.

    Args:
        weight: Positive; matters only between several secondary goals.
        gravity: Acceleration of free fall in world axes, shape (3,) [m/s^2]; None is
            (0, 0, -9.81). Used as it is; one of length 1 warns.

    Returns:
        The objective; its residual is minus the holding efforts, shape (n_dof,) [N m or N].

    Raises:
        ObjectiveError: If gravity is not three finite numbers, or the weight is not usable.
    """
    g = np.array([0.0, 0.0, -9.81])
    if gravity is not None:
        g = array("least_effort", gravity, (3,), "gravity as 3 numbers")
        check_size("least_effort", "gravity", g.tolist())
        if abs(float(np.sqrt(g @ g)) - 1.0) < 1e-3:
            warnings.warn(
                f"gravity {g.tolist()} has length 1: was it normalized? "
                "Expected an acceleration in m/s^2, such as (0, 0, -9.81)",
                stacklevel=2,
            )
    weight = positive_weight("least_effort", weight)
    key = b"effort" + np.array(weight).tobytes() + g.tobytes()
    return EffortObjective(gravity=frozen(g), weight=weight, key=key)
