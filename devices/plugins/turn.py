"""One turn of the control loop, as plugins see it: what was measured, and what is asked for."""

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from armwright.copies import stays_read_only
from armwright.devices.messages import GroupFeedback
from armwright.kinematics.arrays import FloatArray
from armwright.reprs import one_line_repr

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel


class ArmState(Enum):
    """What the loop is doing with the arm."""

    HOLDING = "holding"
    MOVING = "moving"
    STOPPING = "stopping"


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """One turn of the loop; nothing of it can be written to.

    Attributes:
        t: Time since the loop began, on the clock of the feedback [s].
        dt: Time that this turn has [s]; 0 at the first, and never more than one feedback period,
            however late the loop is.
        goal_position: Where the arm is told to be now, shape (dof,) [rad or m].
        goal_velocity: How fast, shape (dof,) [rad/s or m/s].
        goal_acceleration: Shape (dof,) [rad/s^2 or m/s^2].
        state: What the loop is doing.
        model: The arm.
        feedback: What the modules reported last; nan where nothing came, while the arm is being
            stopped for that.
    """

    t: float
    dt: float
    goal_position: FloatArray
    goal_velocity: FloatArray
    goal_acceleration: FloatArray
    state: ArmState
    model: "RobotModel"
    feedback: GroupFeedback

    @property
    def q(self) -> FloatArray:
        """Measured positions, shape (dof,) [rad or m]; NaN where a module does not report."""
        return self.feedback.position

    @property
    def v(self) -> FloatArray:
        """Measured velocities, shape (dof,) [rad/s or m/s]; NaN where a module does not report."""
        return self.feedback.velocity

    @property
    def effort(self) -> FloatArray:
        """Measured efforts, shape (dof,) [N m or N]; NaN where a module does not report."""
        return self.feedback.effort

    __repr__ = one_line_repr
