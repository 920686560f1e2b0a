"""Ideal physics: joints that do what they are told, as far as their limits let them.

What a joint does depends on what is commanded, in this order:

- position: it reaches the position one feedback period after the command, at constant speed, or
  later when its speed limit is lower than that. A velocity or effort beside it is feed-forward;
  as there is no lag to make up for, it changes nothing.
- velocity: it moves at that velocity, within its speed limit.
- effort alone: inertia * acceleration = effort - gravity effort - damping * velocity. The damping
  is the largest effort over the largest speed, as back-EMF damps a motor, 5 N m s/rad (N s/m)
  where one of them has no limit; the inertia is the damping times 0.05 s. So a joint settles
  within a tenth of a second at the speed that its surplus effort is worth.
- nothing: it stops at once, as a module with much friction, and stays.

Joints stop at the model's position limits. Measured efforts are what it takes to hold the arm
still where it is, within the effort limits. Every module has an IMU in its housing, which tells
how that is turned and turns, and which way is up. Joints do not push one another, so there is no
coupling, no friction, no sag and no overshoot: for those use other physics.

Between two events every joint moves at constant speed, so results do not depend on how time is
cut into steps. Joints under effort alone change their speed on a grid of 1 ms, like the
controller of a module.
"""

import math
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from armwright.devices.messages import Imu
from armwright.kinematics.arrays import FloatArray

from .imu import imu_of

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

SETTLING_TIME = 0.05
"""Time constant of a joint under effort alone: inertia over damping [s]."""

DAMPING_WITHOUT_LIMITS = 5.0
"""Damping of a joint without an effort or speed limit [N m s/rad or N s/m]."""

_CONTROL_RATE = 1000.0  # how often joints under effort change their speed [Hz]
_DECAY = math.exp(-1.0 / (_CONTROL_RATE * SETTLING_TIME))
_SLACK = 1e-9  # moments closer together than this are one [s]


class IdealPhysics:
    """The joints of one model under ideal physics.

    Args:
        model: The arm.
        q0: Where it starts, shape (dof,), within the position limits [rad or m].

    Attributes:
        position: Joint positions now, shape (dof,) [rad or m].
        velocity: Joint velocities over the moment that just passed, shape (dof,).
        commands: What is followed now, within the limits, shape (3, dof); NaN for none.
        dampings: Damping under effort alone, shape (dof,) [N m s/rad or N s/m].
        inertias: Inertia under effort alone, shape (dof,) [kg m^2 or kg].
    """

    def __init__(self, model: "RobotModel", q0: FloatArray) -> None:
        self._model = model
        self._lower, self._upper = model.position_limits
        self._speeds, self._efforts = model.max_speeds, model.max_efforts
        limited = np.isfinite(self._efforts) & np.isfinite(self._speeds) & (self._speeds > 0.0)
        self.dampings = np.full(model.dof, DAMPING_WITHOUT_LIMITS)
        np.divide(self._efforts, self._speeds, out=self.dampings, where=limited)
        self.inertias = self.dampings * SETTLING_TIME
        self.position = q0.copy()
        self.velocity = np.zeros(model.dof)
        self.commands = np.full((3, model.dof), np.nan)
        self._target = q0.copy()  # every joint moves toward its target ...
        self._pace = np.zeros(model.dof)  # ... at this speed, and stops there
        self._by_effort = np.zeros(model.dof, dtype=bool)
        self._tick = -1  # of the control grid

    def effort(self) -> FloatArray:
        """Return what it takes to hold the arm where it is, within the effort limits."""
        holding = self._model.gravity_efforts(self.position)
        result: FloatArray = np.clip(holding, -self._efforts, self._efforts)
        return result

    def imu(self, position: FloatArray, velocity: FloatArray) -> Imu:
        """Return what the IMUs report when the joints stand and move so; see ``imu_of``."""
        return imu_of(self._model, position, velocity)

    def command(self, rows: FloatArray, period: float) -> None:
        """Follow other commands from now on; see ``Physics.command``."""
        before = self.commands[0]
        position = np.clip(rows[0], self._lower, self._upper)
        velocity = np.clip(rows[1], -self._speeds, self._speeds)
        effort = np.clip(rows[2], -self._efforts, self._efforts)
        self.commands = np.stack((position, velocity, effort))
        by_position = ~np.isnan(position)
        by_velocity = ~by_position & ~np.isnan(velocity)
        self._by_effort = ~by_position & ~by_velocity & ~np.isnan(effort)

        moving = np.where(self.position != self._target, self.velocity, 0.0)
        kept = np.where(self._by_effort, moving, 0.0)
        self._aim(np.where(by_velocity, velocity, kept), ~by_position)
        # The same position sent again does not slow a move down that is under way.
        new = by_position & (position != before)
        self._target[by_position] = position[by_position]
        with np.errstate(over="ignore"):  # inf is as good: the speed limit holds
            needed = np.abs(self._target - self.position) / period
        self._pace[new] = np.minimum(needed, self._speeds)[new]

    def release(self) -> None:
        """Follow no command: every joint stops."""
        self.command(np.full_like(self.commands, np.nan), math.inf)

    def advance(self, start: float, end: float) -> None:
        """Let time go by while the same commands act; see ``Physics.advance``."""
        t = start
        while t < end:
            stop = end
            if self._by_effort.any():
                tick = math.floor((t + max(_SLACK, 4.0 * math.ulp(t))) * _CONTROL_RATE)
                if tick != self._tick:
                    self._tick = tick
                    self._accelerate()
                stop = min(end, max((tick + 1) / _CONTROL_RATE, math.nextafter(t, end)))
            self._move(stop - t)
            t = stop

    def _aim(self, velocity: FloatArray, chosen: npt.NDArray[np.bool_]) -> None:
        """Let the chosen joints move at a velocity until a position limit stops them."""
        ends = np.where(velocity > 0.0, self._upper, self._lower)
        target = np.where(velocity == 0.0, self.position, ends)
        self._target = np.where(chosen, target, self._target)
        self._pace = np.where(chosen, np.abs(velocity), self._pace)

    def _accelerate(self) -> None:
        """Give the joints under effort alone their speed for the next tick."""
        surplus = self.commands[2] - self._model.gravity_efforts(self.position)
        final = np.clip(surplus / self.dampings, -self._speeds, self._speeds)
        velocity = final + (self.velocity - final) * _DECAY
        self._aim(velocity, self._by_effort)

    def _move(self, dt: float) -> None:
        """Move every joint toward its target; one that arrives stands for the rest of dt."""
        way = self._target - self.position
        direction = np.sign(way)
        arrives = np.abs(way) <= self._pace * dt
        self.position = np.where(arrives, self._target, self.position + direction * self._pace * dt)
        standing = arrives & (np.abs(way) < self._pace * (dt - _SLACK))
        self.velocity = np.where(standing, 0.0, direction * self._pace)
