"""Center of mass, momentum and average velocity of a state, with Jacobians and biases.

Bodies alone count: the base and payloads do, rotors do not. Momenta and locked inertias are about
the base's origin, centroidal ones about the center of mass, by representation:

    MIXED     axes of the world, about the base's origin
    BODY      axes of the base, about the base's origin
    INERTIAL  axes of the world, about the world's origin

and centroidal ones in the axes of the world, of the base for BODY. The average velocity is that of
a rigid body with the robot's present shape, mass and momentum. A bias is the time derivative of a
value without generalized acceleration, so that its rate is Jacobian times acceleration plus bias.
"""

import numpy as np

from armwright.errors import ModelError

from .representation import (
    Representation,
    cross,
    moved,
    turned,
    twist_back,
    twist_change,
    twist_change_rate,
    wrench_change,
    wrench_change_rate,
)
from .robot import MASS, H, J
from .state_core import COUPLING, MOMENTUM, SUM, TWIST, FrameArgument, StateCore
from .state_terms import central_term, once
from .transforms import FloatArray, skew

COM = slice(12, 15)  # of row 0, as is the next one
TOTAL = 15
FLAT = 1e-12  # a rotational inertia with a smaller part of the largest one is none
NOISE = 1e-14  # nor is one with a smaller part of that about the base's origin


class StateMomentum(StateCore):
    """Masses in motion as one."""

    @property
    def mass(self) -> float:
        """Mass of everything, base and payloads included [kg]."""
        return float(self._array[0, TOTAL])

    @central_term
    def com(self) -> FloatArray:
        """Center of mass in the world, shape (3,) [m]."""
        self._need_mass()
        return self._array[0, COM]

    def com_in(
        self, frame_type: FrameArgument = None, index: int | None = None, tag: str | None = None
    ) -> FloatArray:
        """Compute where the center of mass is in the coordinates of a frame.

        Args:
            frame_type: Which frame, as for ``pose``.
            index: As for ``pose``.
            tag: As for ``pose``.

        Returns:
            Shape (3,) [m].

        Raises:
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
            ModelError: If the robot has no mass.
        """
        place = self._place(frame_type, index, tag)
        return place.R.T @ (self.com - place.p)

    @central_term
    def com_velocity(self) -> FloatArray:
        """Velocity of the center of mass in world axes, shape (3,) [m/s]."""
        return self._array[0, MOMENTUM][:3] / self._need_mass()

    @once
    def com_acceleration(self) -> FloatArray:
        """Acceleration of the center of mass in world axes, shape (3,) [m/s^2]."""
        rate = self._centroidal[:3] @ self._acceleration + self._centroidal_rate[:3]
        return rate / self._need_mass()

    @central_term
    def com_jacobian(self) -> FloatArray:
        """What maps the generalized velocity to the com velocity, shape (3, size)."""
        return self._columns(self._centroidal[:3], self.representation) / self._need_mass()

    @once
    def com_bias_acceleration(self) -> FloatArray:
        """Com acceleration without generalized acceleration, (dJ/dt) times velocity, (3,)."""
        rate = self._drifted(self._centroidal_rate[:3], self._centroidal[:3], self.representation)
        return rate / self._need_mass()

    @once
    def momentum(self) -> FloatArray:
        """Momentum of the robot, shape (6,): linear [kg m/s], angular [kg m^2/s]."""
        return self._as_momentum(self._momentum)

    @once
    def momentum_jacobian(self) -> FloatArray:
        """What maps the generalized velocity to the momentum, shape (6, size)."""
        return self._as_momentum(self._columns(self._about_base, self.representation))

    @once
    def momentum_bias(self) -> FloatArray:
        """Rate of the momentum without generalized acceleration, shape (6,)."""
        velocity, turn = self._base_twist[:3], self._base_twist[3:]
        rate: FloatArray = self._centroidal_rate.copy()
        rate[3:] += cross(self._to_com, rate[:3]) - cross(velocity, self._momentum[:3])
        rate = self._drifted(rate, self._about_base, self.representation)
        R = self.T_world_base[:3, :3]
        change = wrench_change_rate(self.representation, R, velocity, turn)
        return self._base_change @ rate + change @ self._momentum

    @central_term
    def centroidal_momentum(self) -> FloatArray:
        """Momentum about the center of mass, shape (6,): linear, angular."""
        return self._in_axes(self._array[0, MOMENTUM])

    @central_term
    def centroidal_momentum_jacobian(self) -> FloatArray:
        """Centroidal momentum matrix: generalized velocity to that momentum, shape (6, size).

        For a fixed base it is ``RobotModel.momentum_matrix``.
        """
        return self._in_axes(self._columns(self._centroidal, self.representation))

    @once
    def centroidal_momentum_bias(self) -> FloatArray:
        """Rate of the centroidal momentum without generalized acceleration, shape (6,)."""
        return self._bias_in_axes(self._centroidal_rate, self._centroidal, self._array[0, MOMENTUM])

    @once
    def locked_inertia(self) -> FloatArray:
        """What maps the twist of the base to the momentum with all joints locked, (6, 6)."""
        back = twist_back(self.representation, *self._base_axes)
        return self._base_change @ self._inertia @ back

    @once
    def centroidal_locked_inertia(self) -> FloatArray:
        """The same about the center of mass: mass, and rotational inertia, shape (6, 6)."""
        return self._in_axes(self._in_axes(self._centroidal_inertia).T)

    @once
    def average_velocity(self) -> FloatArray:
        """Locked inertia^-1 times momentum: average twist of the base's frame, shape (6,)."""
        R, p = self._base_axes
        return twist_change(self.representation, R, p) @ self._average

    @once
    def average_velocity_jacobian(self) -> FloatArray:
        """What maps the generalized velocity to the average velocity, shape (6, size)."""
        R, p = self._base_axes
        average = self._columns(self._average_matrix, self.representation)
        return twist_change(self.representation, R, p) @ average

    @once
    def average_velocity_bias(self) -> FloatArray:
        """Rate of the average velocity without generalized acceleration, shape (6,)."""
        R, p = self._base_axes
        velocity, turn = self._base_twist[:3], self._base_twist[3:]
        rate = moved(-self._to_com) @ self._centroidal_average_rate
        rate[:3] += cross(self._average[3:], velocity - self.com_velocity)
        rate = self._drifted(rate, self._average_matrix, self.representation)
        change = twist_change_rate(self.representation, R, velocity, turn)
        return twist_change(self.representation, R, p) @ rate + change @ self._average

    @once
    def centroidal_average_velocity(self) -> FloatArray:
        """Average twist at the center of mass: its velocity, average angular, shape (6,)."""
        return self._in_axes(self._centroidal_average)

    @once
    def centroidal_average_velocity_jacobian(self) -> FloatArray:
        """What maps the generalized velocity to that twist, shape (6, size)."""
        average = self._columns(self._centroidal_average_matrix, self.representation)
        return self._in_axes(average)

    @once
    def centroidal_average_velocity_bias(self) -> FloatArray:
        """Rate of that twist without generalized acceleration, shape (6,)."""
        return self._bias_in_axes(
            self._centroidal_average_rate, self._centroidal_average_matrix, self._centroidal_average
        )

    @property
    def _base_axes(self) -> tuple[FloatArray, FloatArray]:
        """Axes and origin of the base."""
        return self.T_world_base[:3, :3], self.T_world_base[:3, 3]

    @once
    def _base_change(self) -> FloatArray:
        """From mixed momenta to those of the representation, (6, 6)."""
        return wrench_change(self.representation, *self._base_axes)

    def _as_momentum(self, value: FloatArray) -> FloatArray:
        """Return six rows as momenta of the representation, from mixed ones."""
        if self.representation is Representation.MIXED:
            return value
        return self._base_change @ value

    def _in_axes(self, value: FloatArray) -> FloatArray:
        """Return six rows in the axes of centroidal values, from those of the world."""
        if self.representation is Representation.BODY:
            return turned(self._base_axes[0].T) @ value
        return value

    @once
    def _to_com(self) -> FloatArray:
        """From the base's origin to the center of mass, world axes."""
        return self._array[0, COM] - self._base_axes[1]

    @once
    def _inertia(self) -> FloatArray:
        """Locked inertia about the base's origin, mixed, (6, 6)."""
        R = self._base_axes[0]
        sums = self._array[0, SUM]
        moments = R @ _symmetric(sums[3:]) @ R.T
        return _inertia(self._array[0, TOTAL], R @ sums[:3], moments)

    @once
    def _about_base(self) -> FloatArray:
        """Momentum Jacobian, mixed, (6, size)."""
        joints = self._array[1:, COUPLING].T
        return np.hstack([self._inertia, joints]) if self.floating else joints

    @once
    def _momentum(self) -> FloatArray:
        """Momentum about the base's origin, mixed."""
        momentum = self._array[0, MOMENTUM].copy()
        momentum[3:] += cross(self._to_com, momentum[:3])
        return momentum

    @once
    def _centroidal(self) -> FloatArray:
        """Centroidal momentum matrix, mixed, (6, size)."""
        joints = self._array[1:, MOMENTUM].T
        if not self.floating:
            return joints
        base = moved(-self._to_com).T @ self._inertia
        return np.hstack([base, joints])

    @once
    def _centroidal_rate(self) -> FloatArray:
        """Rate of the centroidal momentum without generalized acceleration, mixed."""
        return self._array[0, COUPLING]

    @once
    def _centroidal_inertia(self) -> FloatArray:
        """Locked inertia about the center of mass, world axes, (6, 6)."""
        I_com = np.zeros((6, 6))
        I_com.flat[:18:7] = self._array[0, TOTAL]
        d = skew(self._to_com)
        I_com[3:, 3:] = self._inertia[3:, 3:] + self._array[0, TOTAL] * (d @ d)
        return I_com

    @once
    def _centroidal_average_matrix(self) -> FloatArray:
        """Jacobian of the average velocity at the center of mass, mixed, (6, size)."""
        return self._divided(self._centroidal)

    @once
    def _centroidal_average(self) -> FloatArray:
        """Average velocity at the center of mass, mixed."""
        return self._divided(self._array[0, MOMENTUM])

    @once
    def _average_matrix(self) -> FloatArray:
        """Jacobian of the average velocity at the base's origin, mixed, (6, size)."""
        return moved(-self._to_com) @ self._centroidal_average_matrix

    @once
    def _average(self) -> FloatArray:
        """Average velocity at the base's origin, mixed."""
        return moved(-self._to_com) @ self._centroidal_average

    @once
    def _centroidal_average_rate(self) -> FloatArray:
        """Rate of the centroidal average velocity without generalized acceleration, mixed."""
        rate = self._centroidal_rate.copy()
        rate[3:] -= self._inertia_rate @ self._centroidal_average[3:]
        return self._divided(rate)

    @once
    def _inertia_rate(self) -> FloatArray:
        """Rate of the rotational inertia about the center of mass, world axes, (3, 3).

        Second moments about the base's origin change by x y^T + y x^T for every mass at x with
        velocity y, both seen from there.
        """
        m, h, moments = self._masses
        velocity, turn = self._array[:, TWIST][:, :3], skew(self._array[:, TWIST][:, 3:])
        way = self._poses[:, :, 3] - self._base_axes[1]
        y = velocity - self._base_twist[:3]  # of the body's origin
        whole = m[:, None] * way + h
        spin = np.einsum("bij,bj->bi", turn, h)
        rates = np.einsum("bi,bj->ij", y, whole) + np.einsum("bi,bj->ij", spin, way)
        rates += np.einsum("bij,bjk->ik", turn, moments)
        com, drift = self._to_com, self.com_velocity - self._base_twist[:3]
        rates -= self._array[0, TOTAL] * np.outer(drift, com)
        both: FloatArray = rates + rates.T
        return float(both.trace()) * np.eye(3) - both

    @once
    def _masses(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Mass, first and second moments of each body about its own origin, world axes."""
        R = self._poses[:, :, :3]
        h = np.einsum("bij,bj->bi", R, self._rows[:, H])
        local = np.array([_symmetric(row) for row in self._rows[:, J]])
        return self._rows[:, MASS], h, R @ local @ R.transpose(0, 2, 1)

    def _need_mass(self) -> float:
        """Return the mass.

        Raises:
            ModelError: If there is none.
        """
        mass = self.mass
        if not mass > 0.0:
            raise ModelError("the robot has no mass, and so no center of mass")
        return mass

    def _divided(self, momentum: FloatArray) -> FloatArray:
        """Return centroidal momenta over the inertia.

        Raises:
            ModelError: If all masses are on one line.
        """
        mass = self._need_mass()
        inertia = self._centroidal_inertia[3:, 3:]
        values, vectors = np.linalg.eigh(inertia)
        # Of a single point nothing is left but the rounding of what it has about the base.
        rounding = NOISE * float(np.trace(self._inertia[3:, 3:]))
        if not values[0] > max(FLAT * values[2], rounding):
            raise ModelError(
                "the robot has no average velocity: all its masses are points on one line, "
                "which can turn about itself without momentum"
            )
        turn = (vectors / values) @ (vectors.T @ momentum[3:])
        return np.concatenate([momentum[:3] / mass, turn])

    def _bias_in_axes(self, rate: FloatArray, J: FloatArray, value: FloatArray) -> FloatArray:
        """Return the bias of a centroidal value from the mixed one."""
        rate = self._drifted(rate, J, self.representation)
        if self.representation is Representation.BODY:
            turn = self._base_twist[3:]
            rate = rate - np.concatenate([cross(turn, value[:3]), cross(turn, value[3:])])
        return self._in_axes(rate)


def _symmetric(six: FloatArray) -> FloatArray:
    """Return the matrix of xx, yy, zz, xy, xz, yz."""
    xx, yy, zz, xy, xz, yz = six.tolist()
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _inertia(mass: float, h: FloatArray, moments: FloatArray) -> FloatArray:
    """Return the inertia of mass, first and second moments, about their origin, (6, 6)."""
    inertia = np.zeros((6, 6))
    inertia.flat[:18:7] = mass
    inertia[:3, 3:] = -skew(h)
    inertia[3:, :3] = skew(h)
    inertia[3:, 3:] = np.trace(moments) * np.eye(3) - moments
    return inertia
