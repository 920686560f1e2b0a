"""Moves that an arm can make: through waypoints, within its positions, speeds and efforts."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from armwright.devices.kinds import check_model
from armwright.errors import TrajectoryError
from armwright.kinematics.arrays import (
    FloatArray,
    JointValues,
    true_or_false,
    values_by_name,
    warn_of_degrees,
)

from .dense import dense_times, is_dense
from .extremes import furthest_beyond
from .model_limits import beyond_positions
from .slowing import slow_down
from .stops import Stops, stop_words
from .timing import DEFAULT_SPEED, TIME_TO_SPEED, estimate_times
from .trajectory import Trajectory, minimum_jerk
from .waypoints import limits, numbers

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

SWING = 0.02
"""How far a flowing path may leave the band of its two waypoints without a warning [rad or m]."""


def plan(
    model: RobotModel,
    waypoints: npt.ArrayLike | Sequence[Mapping[str, float]],
    *,
    max_speeds: JointValues | None = None,
    max_accelerations: JointValues | None = None,
    max_efforts: JointValues | None = None,
    start_time: float = 0.0,
    stop: Stops = "flow",
    joints_first: bool = False,
    allow_beyond_limits: bool = False,
    fastest: bool = False,
) -> Trajectory:
    """Plan a minimum-jerk move through joint positions, at rest at both ends.

    The times come from ``estimate_times``; where rows lie densely, as in a recording, from the way
    and its bends, so that its time does not depend on how many rows there are. Then the move is
    slowed down, as a whole and just as much as needed, until every joint keeps its speed, its
    acceleration and its effort: all that ``RobotModel.inverse_dynamics`` asks for, with inertia,
    drives, friction and payloads as far as the model has them. The estimates are cautious: many
    moves use less than half of what the arm can do. With ``fastest`` the move is brought to its
    limits, as a whole again, by speeding it up as well.

    Waypoints are passed in a flow unless ``stop`` says otherwise, so the curve swings beyond those
    at which it turns round: a joint may go lower than its lowest waypoint. A swing of more than
    0.02 rad or m is warned about.

    Args:
        model: The arm.
        waypoints: Joint positions, one row each, shape (m, dof), m of at least 2 [rad or m]; or m
            mappings of every joint's name to its position.
        max_speeds: One number, shape (dof,) or {joint name: number} of every joint, the model's or
            lower [rad/s or m/s]; the model's when None. Joints without a limit are planned at
            1 rad/s or m/s.
        max_accelerations: The same forms [rad/s^2 or m/s^2]; no limit when None.
        max_efforts: The same forms, the model's or lower [N m or N]; the model's when None.
        start_time: Time of the first waypoint [s].
        stop: How waypoints between the ends are passed, one word for all or one per waypoint:
            "flow", "turn" (a joint that turns round there has velocity 0) or "stop" (at rest).
        joints_first: Waypoints have one column each, shape (dof, m), as hebi-py has them.
        allow_beyond_limits: Let max_speeds and max_efforts be above the model's, and waypoints
            outside its position limits. ``follow`` then needs the same.
        fastest: Speed the move up until a joint reaches its speed, acceleration or effort. Joints
            without an acceleration limit take 0.5 s to their full speed at least.

    Returns:
        The trajectory.

    Raises:
        TrajectoryError: If a waypoint, or the curve between two, is outside the position
            limits, if a limit is above the model's, or if a joint is too weak to hold or to move
            the arm somewhere on the way; the message names the joint.

    Example:
        >>> from armwright import ArmBuilder
        >>> model = ArmBuilder().actuator("X5-4").bracket("X5LightRight").actuator("X5-1").build()
        >>> move = plan(model, [[0, 0], [1, -1]])
        >>> bool((move.max_speeds() <= model.max_speeds).all())
        True
    """
    check_model(model, "plan")
    true_or_false(allow_beyond_limits, "plan, allow_beyond_limits", TrajectoryError)
    places = _places(model, waypoints, joints_first=joints_first)
    warn_of_degrees("plan, waypoints", places, model.joint_slides, model.joint_names)
    accelerations = _in_order(model, max_accelerations, "max_accelerations")
    speeds, efforts = (
        _narrowed(model, given, what, free=allow_beyond_limits)
        for given, what in ((max_speeds, "max_speeds"), (max_efforts, "max_efforts"))
    )
    speeds = np.where(np.isinf(speeds), DEFAULT_SPEED, speeds)
    hurries = true_or_false(fastest, "plan, fastest", TrajectoryError)
    words = stop_words(stop, len(places))
    estimate = estimate_times(places, speeds, accelerations, start_time=start_time)
    if is_dense(places, speeds, accelerations):
        estimate = start_time + dense_times(places, speeds, accelerations, words)
    if not allow_beyond_limits:
        _check_waypoints(model, estimate, places)
    move = minimum_jerk(estimate, places, stop=words)  # type: ignore[arg-type]
    if hurries:
        move = _sped_up(move, speeds, accelerations)
    move = move.within_limits(speeds, accelerations)
    if not allow_beyond_limits:
        outside = beyond_positions(model, move)
        if outside is not None:
            raise TrajectoryError(f"plan, on the way {outside.words(model)}")
    factor = slow_down(model, move, efforts)
    move = move if factor == 1.0 else move.rescale(factor)
    _warn_of_swing(model, move, words)
    return move


def _sped_up(
    move: Trajectory, speeds: FloatArray, max_accelerations: npt.ArrayLike | None
) -> Trajectory:
    """Return a move that reaches a speed or an acceleration, if it reaches none; else itself.

    Efforts come later: they do not scale with the time, since gravity stays.
    """
    bounds = np.full(move.size, np.inf)
    if max_accelerations is not None:
        bounds = limits("plan, max_accelerations", max_accelerations, move.size)
    bounds = np.where(np.isinf(bounds), speeds / TIME_TO_SPEED, bounds)
    with np.errstate(over="ignore"):
        used = float(np.max(move.max_speeds() / speeds, initial=0.0))
        pushed = float(np.max(move.max_accelerations() / bounds, initial=0.0))
    factor = max(used, math.sqrt(pushed))
    return move.rescale(factor) if 0.0 < factor < 1.0 else move


def _places(
    model: RobotModel,
    waypoints: npt.ArrayLike | Sequence[Mapping[str, float]],
    *,
    joints_first: bool,
) -> FloatArray:
    """Return the waypoints, one row each."""
    columns = true_or_false(joints_first, "plan, joints_first", TrajectoryError)
    named = values_by_name(waypoints, model.joint_names, "plan, waypoints", TrajectoryError)
    places = numbers(waypoints, "plan, waypoints") if named is None else named
    came = places.shape
    if columns and named is None and places.ndim == 2:
        places = np.ascontiguousarray(places.T)
    if places.ndim != 2 or places.shape[1] != model.dof or len(places) < 2:
        wanted = f"({model.dof}, m)" if joints_first else f"(m, {model.dof})"
        each = "columns" if joints_first else "rows"
        hint = ""
        if places.ndim == 2 and places.shape[0] == model.dof and places.shape[1] >= 2:
            hint = (
                ". joints_first=True takes one column per waypoint, as hebi-py has them"
                if not joints_first
                else ". Without joints_first=True each row is a waypoint"
            )
        raise TrajectoryError(
            f"plan, waypoints: expected at least 2 {each}, shape {wanted}, got shape {came}{hint}"
        )
    return places


def _in_order(model: RobotModel, given: JointValues | None, what: str) -> npt.ArrayLike | None:
    """Return limits as numbers in the order of the joints when they came by name."""
    if not isinstance(given, Mapping):
        return given
    return values_by_name(given, model.joint_names, f"plan, {what}", TrajectoryError)


def _narrowed(model: RobotModel, given: JointValues | None, what: str, *, free: bool) -> FloatArray:
    """Return the limits of a plan: the model's, or given ones that are not above them."""
    most: FloatArray = getattr(model, what)
    ordered = _in_order(model, given, what)
    if ordered is None:
        return most
    bounds = limits(f"plan, {what}", ordered, model.dof)
    above = np.flatnonzero(bounds > most * (1.0 + 1e-9))
    if len(above) and not free:
        i = int(above[0])
        raise TrajectoryError(
            f"plan, {what}, joint {model.joint_names[i]!r}: expected at most {most[i]:g}, the "
            f"model's limit, got {bounds[i]:g}. If the joint can do more, say so once: "
            f"model.with_{what}(...); allow_beyond_limits=True allows it in this call"
        )
    return bounds


def _check_waypoints(model: RobotModel, times: FloatArray, places: FloatArray) -> None:
    """Refuse waypoints outside the model's limits; rounding at a limit is no fault."""
    lower, upper = model.position_limits
    slack = 1e-9 * (1.0 + np.abs(places))
    outside = (places < lower - slack) | (places > upper + slack)
    if outside.any():
        row, joint = np.argwhere(outside)[0]
        raise TrajectoryError(
            f"plan, waypoint {row}, joint {model.joint_names[joint]!r}: expected {lower[joint]:g} "
            f"to {upper[joint]:g}, got {places[row, joint]:.6g} at {times[row]:.3g} s"
        )


def _warn_of_swing(model: RobotModel, move: Trajectory, words: list[str]) -> None:
    """Warn when a path leaves the band of two waypoints, of which it flows through one."""
    flows = np.array([word == "flow" for word in words])
    flows[[0, -1]] = False
    if not flows.any():
        return
    places = move.waypoints[:, 0]
    wide = np.where(flows[:-1] | flows[1:], SWING, np.inf)[:, None]
    found = furthest_beyond(
        move._polynomials,
        0,
        np.diff(move.times),
        np.minimum(places[:-1], places[1:]) - wide,
        np.maximum(places[:-1], places[1:]) + wide,
    )
    if found is None:
        return
    unit = "m" if model.joint_slides[found.joint] else "rad"
    warnings.warn(
        f"plan: joint {model.joint_names[found.joint]!r} swings {found.excess + SWING:.3g} {unit} "
        f"beyond waypoints {found.segment} and {found.segment + 1}, between which it goes. "
        'stop="turn" lets joints turn round at their waypoints, stop="stop" stops there',
        UserWarning,
        stacklevel=3,
    )
