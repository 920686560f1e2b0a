"""Moves that an arm can make: through waypoints, within its positions, speeds and efforts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from armwright.errors import TrajectoryError
from armwright.kinematics.arrays import FloatArray

from .trajectory import DEFAULT_SPEED, Trajectory, estimate_times, minimum_jerk
from .waypoints import limits, numbers

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

_SAMPLES = 50  # per segment, where efforts and positions are looked at
_SLOWEST = 100.0  # a move that would have to be slowed down more than this is refused


def plan(
    model: RobotModel,
    waypoints: npt.ArrayLike,
    *,
    max_speeds: npt.ArrayLike | None = None,
    max_accelerations: npt.ArrayLike | None = None,
    start_time: float = 0.0,
) -> Trajectory:
    """Plan a minimum-jerk move through joint positions, at rest at both ends.

    The times come from ``estimate_times``. Then the move is slowed down, as a whole and just as
    much as needed, until every joint keeps its speed, its acceleration, and its effort: gravity
    plus the efforts that accelerate the masses of the arm as points
    (``RobotModel.point_mass_dynamics_efforts``), looked at in 50 places per segment.

    Args:
        model: The arm.
        waypoints: Joint positions, shape (m, dof), m of at least 2 [rad or m].
        max_speeds: One number or shape (dof,); the model's when None. Joints without a limit
            are planned at 1 rad/s or m/s.
        max_accelerations: One number or shape (dof,); no limit when None.
        start_time: Time of the first waypoint [s].

    Returns:
        The trajectory.

    Raises:
        TrajectoryError: If a waypoint, or the curve between two, is outside the position
            limits, or if a joint is too weak to hold the arm somewhere on the way; the message
            names the joint.

    Example:
        >>> from armwright import ArmBuilder
        >>> model = ArmBuilder().actuator("X5-4").bracket("X5LightRight").actuator("X5-1").build()
        >>> move = plan(model, [[0, 0], [1, -1]])
        >>> bool((move.max_speeds() <= model.max_speeds).all())
        True
    """
    places = numbers(waypoints, "plan, waypoints")
    if places.ndim != 2 or places.shape[1] != model.dof or len(places) < 2:
        raise TrajectoryError(
            f"plan, waypoints: expected at least 2 rows, shape (m, {model.dof}), "
            f"got shape {places.shape}"
        )
    speeds = model.max_speeds if max_speeds is None else max_speeds
    speeds = limits("plan, max_speeds", speeds, model.dof)
    speeds = np.where(np.isinf(speeds), DEFAULT_SPEED, speeds)
    times = estimate_times(places, speeds, max_accelerations, start_time=start_time)
    _check_positions(model, times, places)
    move = minimum_jerk(times, places).within_limits(speeds, max_accelerations)
    at = _sample_times(move)
    states = move.state(at)
    _check_positions(model, at, states[0], "on the way ")
    factor = _slow_down(model, at, *states)
    return move if factor == 1.0 else move.rescale(factor)


def _sample_times(move: Trajectory) -> FloatArray:
    """Return times spread over every segment, ends included."""
    parts = np.linspace(0.0, 1.0, _SAMPLES, endpoint=False)
    inner = move.times[:-1, None] + np.diff(move.times)[:, None] * parts  # (m - 1, samples)
    return np.append(inner.ravel(), move.end_time)


def _check_positions(
    model: RobotModel, times: FloatArray, positions: FloatArray, where: str = ""
) -> None:
    """Refuse positions outside the model's limits; rounding at a limit is no fault."""
    lower, upper = model.position_limits
    slack = 1e-9 * (1.0 + np.abs(positions))
    outside = (positions < lower - slack) | (positions > upper + slack)
    if outside.any():
        row, joint = np.argwhere(outside)[0]
        place = where or f"waypoint {row}, "
        raise TrajectoryError(
            f"plan, {place}joint {model.joint_names[joint]!r}: expected {lower[joint]:g} to "
            f"{upper[joint]:g}, got {positions[row, joint]:.6g} at {times[row]:.3g} s"
        )


def _slow_down(
    model: RobotModel, times: FloatArray, q: FloatArray, v: FloatArray, a: FloatArray
) -> float:
    """Return how many times slower the move must be for its efforts; at least 1.

    In ``factor`` times the time, what accelerates the arm is divided by factor^2 while gravity
    stays: |gravity + moving / factor^2| <= limit.
    """
    holding = model.gravity_efforts(q)  # (k, dof)
    bounds = model.max_efforts
    lacking = np.abs(holding) - bounds
    if (lacking > 0.0).any():
        row, joint = np.unravel_index(int(np.argmax(lacking)), lacking.shape)
        raise TrajectoryError(
            f"plan, joint {model.joint_names[joint]!r}: cannot hold the arm at {times[row]:.3g} s, "
            f"where gravity asks for {abs(holding[row, joint]):.4g} and its limit is "
            f"{bounds[joint]:.4g}; choose another way, a lighter arm or a stronger actuator"
        )
    moving = np.array(
        [model.point_mass_dynamics_efforts(*state) for state in zip(q, q, v, a, strict=True)]
    )
    room = np.where(moving > 0.0, bounds - holding, bounds + holding)
    with np.errstate(divide="ignore", invalid="ignore"):
        needed = np.where(moving == 0.0, 0.0, np.abs(moving) / room)
    factor = math.sqrt(float(np.max(needed, initial=1.0)))
    if factor > _SLOWEST:
        row, joint = np.unravel_index(int(np.argmax(needed)), needed.shape)
        raise TrajectoryError(
            f"plan, joint {model.joint_names[joint]!r}: holding the arm at {times[row]:.3g} s "
            f"takes all of its effort, {bounds[joint]:.4g}, and leaves nothing to move with"
        )
    return factor
