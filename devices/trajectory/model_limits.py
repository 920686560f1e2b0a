"""The limits of a model, and whether a trajectory keeps them: positions, speeds, efforts.

Positions and speeds are looked at where they are extreme, efforts in places spread over every
segment. A limit that is met up to rounding is kept.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from armwright.devices.kinds import check_model
from armwright.errors import TrajectoryError
from armwright.kinematics.arrays import FloatArray
from armwright.reprs import short

from .extremes import furthest_beyond
from .trajectory import Trajectory

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

ROUNDING = 1e-9
"""How far beyond a limit rounding may take a number, absolute and relative."""

_OF_EFFORT = 1e-6  # the same of efforts, whose samples rounding moves
_MOST_PLACES, _FEWEST_PLACES = 50, 4  # per segment, where efforts are looked at
_PLACES = 6000  # of a whole trajectory, as far as the two before allow


class Violation(NamedTuple):
    """Where a trajectory is furthest beyond a limit.

    Attributes:
        what: "position", "speed" or "effort".
        joint: Number of the joint.
        time: On the trajectory's clock [s].
        value: What it is there.
        lower: The limits.
        upper: The limits.
    """

    what: str
    joint: int
    time: float
    value: float
    lower: float
    upper: float

    def words(self, model: "RobotModel") -> str:
        """Say which joint it is, by how much, and when."""
        wanted = f"{self.lower:g} to {self.upper:g}"
        if self.what != "position":
            wanted = f"at most {self.upper:g}"
        if self.what == "effort":
            wanted = f"an effort of {wanted}"
        elif self.what == "speed":
            wanted = f"a speed of {wanted}"
        value = self.value if self.what == "position" else abs(self.value)
        over = max(self.value - self.upper, self.lower - self.value)
        by = f", {over:.3g} too much," if self.what != "position" else ""
        check_model(model, "words")
        name = model.joint_names[self.joint]
        return f"joint {name!r}: expected {wanted}, got {value:.6g}{by} at {self.time:.3g} s"


def sample_times(move: Trajectory) -> FloatArray:
    """Return times spread over every segment, ends included; they scale with the trajectory."""
    count = min(_MOST_PLACES, max(_FEWEST_PLACES, _PLACES // (len(move.times) - 1)))
    parts = np.linspace(0.0, 1.0, count, endpoint=False)
    inner = move.times[:-1, None] + np.diff(move.times)[:, None] * parts  # (m - 1, count)
    return np.append(inner.ravel(), move.end_time)


def limit_violation(model: "RobotModel", move: Trajectory) -> Violation | None:
    """Return where a trajectory is furthest beyond a limit of a model; None: nowhere.

    Positions are looked at first, then speeds, then efforts, by the full dynamics of the model.
    """
    check_model(model, "limit_violation")
    if not isinstance(move, Trajectory):
        raise TrajectoryError(f"limit_violation: expected a Trajectory, got {short(move)}")
    speeds = model.max_speeds
    return (
        beyond_positions(model, move)
        or _beyond(move, 1, -speeds, speeds, "speed")
        or _beyond_efforts(model, move)
    )


def beyond_positions(model: "RobotModel", move: Trajectory) -> Violation | None:
    """Return where a trajectory is furthest outside the position limits; None: nowhere."""
    lower, upper = model.position_limits
    return _beyond(move, 0, lower, upper, "position")


def _beyond_efforts(model: "RobotModel", move: Trajectory) -> Violation | None:
    """Return where a trajectory needs more than the efforts there are; None: nowhere."""
    times = sample_times(move)
    efforts = model.inverse_dynamics(*move.state(times))  # (k, dof)
    bounds = model.max_efforts
    excess = np.abs(efforts) - bounds * (1.0 + _OF_EFFORT)
    if not efforts.size or not excess.max() > ROUNDING:
        return None
    row, joint = np.unravel_index(int(excess.argmax()), excess.shape)
    bound = float(bounds[joint])
    return Violation(
        "effort", int(joint), float(times[row]), float(efforts[row, joint]), -bound, bound
    )


def _beyond(
    move: Trajectory,
    derivative: int,
    lower: FloatArray,
    upper: FloatArray,
    what: str,
) -> Violation | None:
    """Return where a derivative is furthest outside limits, by more than rounding."""
    low = lower - ROUNDING * (1.0 + np.abs(lower))
    high = upper + ROUNDING * (1.0 + np.abs(upper))
    lengths = np.diff(move.times)
    found = furthest_beyond(move._polynomials, derivative, lengths, low, high)
    if found is None:
        return None
    time = float(move.times[found.segment] + found.s * lengths[found.segment])
    return Violation(
        what, found.joint, time, found.value, float(lower[found.joint]), float(upper[found.joint])
    )
