"""Whether an arm is where it was told to be: off its path, silent, arrived."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from armwright.devices.messages import GroupCommand, GroupFeedback
from armwright.devices.trajectory import Trajectory
from armwright.errors import CommandRejectedError
from armwright.kinematics.arrays import FloatArray, check_each, row, warn_of_degrees

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

OFF_FOR = 0.1
"""How long a joint may be beyond its bound before the arm is stopped [s]."""

AT_REST = 0.05
"""Speed below which a joint counts as standing [rad/s or m/s]."""

_LEAST_BOUND = 0.1  # [rad or m]
_STANDING = 0.05  # of the bound, for whatever is not modeled [rad or m]
_LAG = 0.03  # of the bound: how long a module is behind its command [s]
_UNTOLD = 0.2  # part of the largest gravity effort that a model may be wrong by
_MARGIN = 3.0
_FULL_EFFORT_AT = 0.5  # a position loop whose gain nobody told gives all it has at this error [rad]
_SAMPLES = 200  # of the way, where gravity is looked at


class Tracking:
    """How far each joint may be from its command, and for how long it was further.

    The bound is max(0.1, 0.05 + 0.03 |v| + 3 (friction + 0.2 g) / k), with the largest gravity
    effort g on the way and the stiffness k of the position loop, which is taken to give the full
    effort at 0.5 rad; without gravity compensation g / k more.

    Args:
        model: The arm.
        trajectory: The way.
        compensated: Whether gravity is compensated.
        given: Bounds of the caller's, one number or shape (dof,); None: as above.

    Raises:
        CommandRejectedError: If a given bound is not positive.
    """

    def __init__(
        self,
        model: "RobotModel",
        trajectory: Trajectory,
        *,
        compensated: bool,
        given: npt.ArrayLike | None,
    ) -> None:
        self._lag = _LAG
        if given is not None:
            self._lag = 0.0
            self._standing = _given(given, model)
        else:
            times = np.linspace(trajectory.start_time, trajectory.end_time, _SAMPLES)
            heaviest = np.abs(model.gravity_efforts(trajectory.state(times)[0])).max(axis=0)
            softness = _FULL_EFFORT_AT / model.max_efforts  # 0 where the effort has no limit
            untold = _MARGIN * (model.joint_dynamics.friction + _UNTOLD * heaviest)
            sag = 0.0 if compensated else heaviest
            self._standing = _STANDING + (untold + sag) * softness
        self._least = _LEAST_BOUND if given is None else 0.0
        self._off_for = np.zeros(model.dof)
        self._silent_for = np.zeros(model.dof)

    def bound(self, velocity: FloatArray) -> FloatArray:
        """Return how far each joint may be from its command, shape (dof,) [rad or m]."""
        result: FloatArray = np.maximum(self._least, self._standing + self._lag * np.abs(velocity))
        return result

    def watch(self, command: GroupCommand, feedback: GroupFeedback, dt: float) -> None:
        """Compare what is measured with the command that acted until then.

        Args:
            command: With position and velocity.
            feedback: What came after it.
            dt: For how long it acted [s].
        """
        assert command.position is not None
        assert command.velocity is not None
        away = np.abs(feedback.position - command.position)
        beyond = away > self.bound(command.velocity)  # NaN is not
        self._off_for = np.where(beyond, self._off_for + dt, 0.0)
        self._silent_for = np.where(np.isnan(away), self._silent_for + dt, 0.0)

    def off_track(self) -> int | None:
        """Return the joint that is beyond its bound for 0.1 s; None: none is."""
        return _first_beyond(self._off_for, OFF_FOR)

    def silent(self, lost_after: float) -> int | None:
        """Return the joint that has not said for so long where it is; None: none."""
        return _first_beyond(self._silent_for, lost_after)

    def furthest(self, goal: FloatArray, feedback: GroupFeedback) -> tuple[int, float, float]:
        """Return the joint that is furthest from a place, by its bound; how far; and that bound."""
        bound = self.bound(np.zeros_like(goal))
        away = np.nan_to_num(np.abs(feedback.position - goal))
        joint = int(np.argmax(away / bound))
        return joint, float(away[joint]), float(bound[joint])

    def is_near(self, goal: FloatArray, feedback: GroupFeedback) -> bool:
        """Tell whether every joint that says where it is stands within its bound of a place."""
        away = np.abs(feedback.position - goal)
        return not (away > self.bound(np.zeros_like(goal))).any()

    def has_arrived(self, goal: FloatArray, feedback: GroupFeedback) -> bool:
        """Tell whether the arm is near a place, and at rest."""
        moving = np.abs(feedback.velocity) > AT_REST
        return self.is_near(goal, feedback) and not moving.any()


def _first_beyond(durations: FloatArray, bound: float) -> int | None:
    """Return the joint with the longest duration, if that is up to the bound."""
    if not durations.size:
        return None
    joint = int(durations.argmax())
    return joint if durations[joint] >= bound - 1e-9 else None


def _given(bounds: npt.ArrayLike, model: "RobotModel") -> FloatArray:
    """Return the bounds of a caller, checked."""
    what = "follow, off_track"
    given = row(bounds, model.dof, what, CommandRejectedError, one_for_all=True)
    wanted = "a distance above 0, inf for no bound"
    check_each(given, given > 0.0, what, wanted, CommandRejectedError, axes=("joint",))
    warn_of_degrees(what, given, model.joint_slides, model.joint_names)
    return given
