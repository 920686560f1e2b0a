"""How much slower a move must be for the efforts that it needs, by the full dynamics.

In f times the time, gravity and dry friction stay, viscous friction is divided by f and what
accelerates the arm by f^2. With x = 1 / f every joint at every place asks for |h + b x + c x^2| of
its limit, and x is the largest for which all of them, and all slower moves, keep it.
"""

from typing import TYPE_CHECKING

import numpy as np

from armwright.errors import TrajectoryError
from armwright.kinematics.arrays import FloatArray

from .model_limits import sample_times
from .trajectory import Trajectory

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

_AT_MOST = 1.05  # a little faster than planned, to see what is near a limit
_LOOK_CLOSER_BELOW = 1.02
_CLOSER_LOOKS = 2
_CLOSELY, _PLACES = 8, 41  # around so many samples; places around each
_ROOM = 1e-7  # left for rounding
_SLOWEST = 100.0  # a move that would have to be slowed down more than this is refused


def slow_down(model: "RobotModel", move: Trajectory, bounds: FloatArray) -> float:
    """Return how many times slower a move must be for its efforts; at least 1.

    Args:
        model: The arm.
        move: The move.
        bounds: Largest efforts, shape (dof,) [N m or N].

    Raises:
        TrajectoryError: If a joint is too weak to hold the arm somewhere, or to move it.
    """
    times = sample_times(move)
    speed, fits = _speeds(model, move, times, bounds)
    if speed.min(initial=_AT_MOST) >= _LOOK_CLOSER_BELOW:
        return 1.0
    for _ in range(_CLOSER_LOOKS):  # peaks lie between samples
        times = _between_neighbors(times, speed)
        speed, still = _speeds(model, move, times, bounds)
        fits = fits and still
    if fits:
        return 1.0
    row, joint = np.unravel_index(int(speed.argmin()), speed.shape)
    x = min(1.0, float(speed[row, joint]) * (1.0 - _ROOM))
    if not x >= 1.0 / _SLOWEST:
        raise TrajectoryError(
            f"plan, joint {model.joint_names[joint]!r}: holding the arm at {times[row]:.3g} s "
            f"takes all of its effort, {bounds[joint]:.4g}, and leaves nothing to move with"
        )
    return 1.0 / x


def _speeds(
    model: "RobotModel", move: Trajectory, times: FloatArray, bounds: FloatArray
) -> tuple[FloatArray, bool]:
    """Return how fast every joint may go at times, shape (k, dof), and whether the move fits.

    Raises:
        TrajectoryError: If a joint is too weak to hold the arm, or to overcome its friction.
    """
    q, v, a = move.state(times)
    holding = model.gravity_efforts(q)  # (k, dof)
    drives = model.joint_dynamics
    rubbing = holding + drives.friction * np.sign(v)
    _refuse_weak(model, times, holding, rubbing, bounds)
    viscous = drives.damping * v
    efforts = model.inverse_dynamics(q, v, a)
    moving = efforts - rubbing - viscous
    speed = np.minimum(
        _first_crossing(moving, viscous, rubbing - bounds),
        _first_crossing(-moving, -viscous, -rubbing - bounds),
    )
    return speed, bool((np.abs(efforts) <= bounds).all())


def _between_neighbors(times: FloatArray, speed: FloatArray) -> FloatArray:
    """Return times close to those where the speeds are smallest, increasing."""
    least = speed.min(axis=1)
    worst = np.argsort(least)[:_CLOSELY]
    around = np.concatenate(
        [
            np.linspace(times[max(i - 1, 0)], times[min(i + 1, len(times) - 1)], _PLACES)
            for i in worst
        ]
    )
    result: FloatArray = np.unique(around)
    return result


def _refuse_weak(
    model: "RobotModel",
    times: FloatArray,
    holding: FloatArray,
    rubbing: FloatArray,
    bounds: FloatArray,
) -> None:
    """Refuse a way on which a joint cannot hold the arm, or cannot overcome its friction."""
    for needed, asks, what in (
        (holding, "gravity asks", "cannot hold the arm"),
        (rubbing, "gravity and friction ask", "cannot move the arm"),
    ):
        lacking = np.abs(needed) - bounds
        if (lacking > 0.0).any():
            row, joint = np.unravel_index(int(np.argmax(lacking)), lacking.shape)
            raise TrajectoryError(
                f"plan, joint {model.joint_names[joint]!r}: {what} at {times[row]:.3g} s, where "
                f"{asks} for {abs(needed[row, joint]):.4g} and its limit is {bounds[joint]:.4g}; "
                "choose another way, a lighter arm or a stronger actuator"
            )


def _first_crossing(c: FloatArray, b: FloatArray, h: FloatArray) -> FloatArray:
    """Return the first x from 0 on at which c x^2 + b x + h, with h <= 0, goes above 0; else 1.05.

    The two roots are taken in the form that loses no digits.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt(b * b - 4.0 * c * h)  # NaN: never
        q = -0.5 * (b + np.copysign(root, b))
        roots = np.stack((q / c, h / q))
    there = np.isfinite(roots) & (roots >= 0.0)
    roots = np.where(there, roots, 0.0)
    slope = 2.0 * c * roots + b
    rising = there & ((slope > 0.0) | ((roots == 0.0) & (slope == 0.0) & (c > 0.0)))
    result: FloatArray = np.minimum(np.where(rising, roots, np.inf).min(axis=0), _AT_MOST)
    return result
