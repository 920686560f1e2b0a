"""Dynamics of a state: M times acceleration + bias = efforts + what pushes from outside.

All follow the size of the state: joints alone for a fixed base, or six rows for the base first,
wrenches at its origin in the state's representation. Friction and rotor inertia count as they do
in ``RobotModel``.
"""

import numpy as np
import numpy.typing as npt

from armwright.errors import ModelError

from .dynamics import Wrenches, parameters_of, wrench_table
from .engine import lazy
from .inputs import finite_numbers
from .motion import no_inertia
from .representation import Representation, cross, twist_change, twist_change_rate
from .robot import GRAVITY
from .state_core import EFFORT, HOLD, MASSES, WRENCH
from .state_coriolis import free_coriolis
from .state_momentum import StateMomentum
from .state_terms import joint_term, once
from .transforms import FloatArray, as_numbers

_KERNELS = "armwright.kinematics._kernels.dynamics_"
_inverse_dynamics = lazy(__name__, "_inverse_dynamics", f"{_KERNELS}inverse")
_inverse_dynamics_free = lazy(__name__, "_inverse_dynamics_free", f"{_KERNELS}inverse")
_joint_wrenches = lazy(__name__, "_joint_wrenches", f"{_KERNELS}inverse")
_joint_wrenches_free = lazy(__name__, "_joint_wrenches_free", f"{_KERNELS}inverse")
_forward_dynamics = lazy(__name__, "_forward_dynamics", f"{_KERNELS}forward")
_forward_dynamics_free = lazy(__name__, "_forward_dynamics_free", f"{_KERNELS}forward")
_solve_mass = lazy(__name__, "_solve_mass", f"{_KERNELS}mass")
_coriolis = lazy(__name__, "_coriolis", f"{_KERNELS}coriolis")
_friction = lazy(__name__, "_friction", f"{_KERNELS}external")
_wrench_efforts = lazy(__name__, "_wrench_efforts", f"{_KERNELS}external")
_body_wrenches = lazy(__name__, "_body_wrenches", f"{_KERNELS}external")
_regressor = lazy(__name__, "_regressor", f"{_KERNELS}external")
_regressor_free = lazy(__name__, "_regressor_free", f"{_KERNELS}external")


class StateDynamics(StateMomentum):
    """Efforts, matrices and wrenches."""

    @joint_term
    def mass_matrix(self) -> FloatArray:
        """Mass matrix, full and symmetric, rotors on its diagonal, shape (size, size)."""
        joints = self._array[1:, MASSES:]
        if not self.floating:
            return joints.copy()
        M = np.empty((self.size, self.size))
        M[:6] = self.momentum_jacobian
        M[:6, :6] = 0.5 * (M[:6, :6] + M[:6, :6].T)
        M[6:, :6] = M[:6, 6:].T
        M[6:, 6:] = joints
        return M

    def solve_mass(self, b: npt.ArrayLike) -> FloatArray:
        """Solve M x = b without forming the inverse.

        Args:
            b: Right-hand sides, shape (size,) or (size, k).

        Returns:
            x, shape of b.

        Raises:
            ModelError: If a joint or the free base moves no inertia (names it), or b has the
                wrong shape or is not finite.

        References:
            Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.5; table 9.4 for a free
            base.
        """
        right = as_numbers(b, "b", (), bounded=True)
        if right.ndim not in (1, 2) or right.shape[0] != self.size:
            raise ModelError(
                f"b: expected shape ({self.size},) or ({self.size}, k), got {right.shape}"
            )
        columns = right.reshape(self.size, -1)
        x = np.empty_like(columns)
        if not self.floating:
            self._refuse_singular(_solve_mass(self._rows, self.q, columns, x))
            return x.reshape(right.shape)
        C = twist_change(self.representation, *self._base_axes)
        columns[:6] = C.T @ columns[:6]
        rows, still = self._rows.copy(), np.zeros(self.size)
        rows[0, GRAVITY] = 0.0
        for k in range(columns.shape[1]):
            one = np.empty(self.size)
            self._refuse_singular(
                _forward_dynamics_free(
                    rows, self.T_world_base, self.q, still, columns[:, k].copy(), one
                )
            )
            x[:, k] = one
        x[:6] = C @ x[:6]
        return x.reshape(right.shape)

    @once
    def coriolis(self) -> FloatArray:
        """Coriolis matrix C of Christoffel symbols, shape (size, size): dM/dt = C + C^T.

        C times the generalized velocity are the velocity terms of inverse dynamics.
        """
        if not self.floating:
            C = np.empty((self.size, self.size))
            _coriolis(self._rows, self.q, self.v, C)
            return C
        return self._coriolis_written(free_coriolis(self))

    def _coriolis_written(self, C: FloatArray) -> FloatArray:
        """Return a mixed Coriolis matrix of a free base in the representation; changes it."""
        X = self._base_back(self.representation)
        if X is None:
            return C
        rate = twist_change_rate(
            self.representation, self._base_axes[0], self._base_twist[:3], self._base_twist[3:]
        )
        C[:, :6] = (C[:, :6] - self._about_base.T @ X @ rate) @ X
        C[:6] = X.T @ C[:6]
        return C

    @joint_term
    def bias_efforts(self) -> FloatArray:
        """Efforts without generalized acceleration: velocity terms, gravity, friction, (size,)."""
        return self._with_friction(self._rigid_bias.copy())

    @joint_term
    def gravity_efforts(self) -> FloatArray:
        """Holding efforts, shape (size,); of a free base the wrench that carries it."""
        joints = self._array[1:, HOLD]
        if not self.floating:
            return joints
        force = -self.mass * self.gravity
        base = np.concatenate([force, cross(self._to_com, force)])
        return np.concatenate([self._base_change @ base, joints])

    @once
    def coriolis_efforts(self) -> FloatArray:
        """Velocity terms alone, C times the generalized velocity, shape (size,)."""
        return self._rigid_bias - self.gravity_efforts

    def inverse_dynamics(self, external_wrenches: Wrenches | None = None) -> FloatArray:
        """Compute the efforts that the state's acceleration needs.

        Args:
            external_wrenches: {tag or (frame type, index or tag): (6,)}. Force [N], then moment
                [N m], on the robot, at the frame's origin: axes of the world when the state is
                mixed, of the frame when it is body; axes and origin of the world when inertial.

        Returns:
            Shape (size,) [N m or N]; for a free base first the wrench that it needs from outside,
            zeros when it really is free and the acceleration is right.

        Raises:
            FrameNotFoundError: If a wrench is on a frame that does not exist.
            ModelError: If a wrench is not six finite numbers.
        """
        efforts = np.empty(self.size)
        if self.floating:
            arguments = (self.q, self._velocity, self._acceleration)
            _inverse_dynamics_free(self._rows, self.T_world_base, *arguments, efforts)
            efforts[:6] = self._base_change @ efforts[:6]
        else:
            _inverse_dynamics(self._rows, self.q, self.v, self.a, efforts)
        if external_wrenches is not None:
            efforts -= self.external_efforts(external_wrenches)
        return self._with_friction(efforts)

    def forward_dynamics(
        self, tau: npt.ArrayLike, external_wrenches: Wrenches | None = None
    ) -> FloatArray:
        """Compute the generalized acceleration that efforts cause; the state's own plays no part.

        Args:
            tau: Efforts, shape (size,) [N m or N]; for a free base first the wrench on it (zeros
                when nothing holds it).
            external_wrenches: As for ``inverse_dynamics``.

        Returns:
            Shape (size,).

        Raises:
            FrameNotFoundError: If a wrench is on a frame that does not exist.
            ModelError: If tau has the wrong length or is not finite, a joint or the free base
                moves no inertia (names it), or a wrench is not six finite numbers.
        """
        efforts = self._with_friction(-finite_numbers(tau, self.size, "tau"))
        np.negative(efforts, out=efforts)
        if external_wrenches is not None:
            efforts += self.external_efforts(external_wrenches)
        result = np.empty(self.size)
        if not self.floating:
            state = (self._rows, self.q, self.v)
            self._refuse_singular(_forward_dynamics(*state, efforts, result))
            return result
        R, p = self._base_axes
        C = twist_change(self.representation, R, p)
        efforts[:6] = C.T @ efforts[:6]
        arguments = (self._rows, self.T_world_base, self.q, self._velocity)
        self._refuse_singular(_forward_dynamics_free(*arguments, efforts, result))
        V = self._base_twist
        rate = twist_change_rate(self.representation, R, V[:3], V[3:])
        result[:6] = C @ result[:6] + rate @ V
        return result

    def external_efforts(self, external_wrenches: Wrenches) -> FloatArray:
        """Compute what wrenches on the robot do: the sum of J^T w.

        Args:
            external_wrenches: As for ``inverse_dynamics``.

        Returns:
            Shape (size,).

        Raises:
            FrameNotFoundError: If a wrench is on a frame that does not exist.
            ModelError: If a wrench is not six finite numbers.
        """
        frames, wrenches, points = self._pushes(external_wrenches)
        joints = np.empty(self.model.dof)
        _wrench_efforts(self._rows, frames, self.q, wrenches, joints)
        if not self.floating:
            return joints
        base = wrenches.sum(axis=0)
        base[3:] += np.cross(points - self._base_axes[1], wrenches[:, :3]).sum(axis=0)
        return np.concatenate([self._base_change @ base, joints])

    def joint_wrenches(self, external_wrenches: Wrenches | None = None) -> FloatArray:
        """Compute the wrench that each joint hands on to its body, bearings included.

        Args:
            external_wrenches: As for ``inverse_dynamics``.

        Returns:
            Shape (dof, 6): force [N], moment [N m], from the parent on the body that the joint
            moves, about the joint's origin: axes of the world when the state is mixed; of the
            joint, z along its positive direction, when it is body; axes and origin of the world
            when inertial. Rotors and friction are not in it.

        Raises:
            FrameNotFoundError: If a wrench is on a frame that does not exist.
            ModelError: If a wrench is not six finite numbers.
        """
        wrenches = self._wrenches(external_wrenches)[1:]
        if self.representation is Representation.BODY:
            return wrenches
        R, p = self._poses[1:, :, :3], self._poses[1:, :, 3]
        halves: FloatArray = np.einsum("bij,bkj->bki", R, wrenches.reshape(-1, 2, 3))
        if self.representation is Representation.INERTIAL:
            halves[:, 1] += np.cross(p, halves[:, 0])
        return halves.reshape(-1, 6)

    def base_wrench(self, external_wrenches: Wrenches | None = None) -> FloatArray:
        """Compute the wrench that the base needs from what carries it.

        Args:
            external_wrenches: As for ``inverse_dynamics``.

        Returns:
            Shape (6,): force [N], moment [N m] about the base's origin, world axes when the state
            is mixed, those of the base when it is body; about the world's origin when inertial.
            The mounting of a fixed base bears the opposite.

        Raises:
            FrameNotFoundError: If a wrench is on a frame that does not exist.
            ModelError: If a wrench is not six finite numbers.
        """
        wrench = self._wrenches(external_wrenches)[0]
        R, _ = self._base_axes
        mixed: FloatArray = np.concatenate([R @ wrench[:3], R @ wrench[3:]])
        return self._base_change @ mixed

    @once
    def inertial_parameters(self) -> FloatArray:
        """Inertial parameters as in ``RobotModel``, those of a free base first.

        Shape (10 dof,) or (10 (dof + 1),); the base's are in its own frame.
        """
        return parameters_of(self._rows if self.floating else self._rows[1:])

    @once
    def inverse_dynamics_regressor(self) -> FloatArray:
        """Matrix Y with efforts = Y ``inertial_parameters``, shape (size, 10 (dof or dof + 1)).

        Rotor inertia, friction and external wrenches are not in it.
        """
        if not self.floating:
            Y = np.empty((self.size, 10 * self.size))
            _regressor(self._rows, self.q, self.v, self.a, Y)
            return Y
        Y = np.empty((self.size, 10 * (self.model.dof + 1)))
        arguments = (self.q, self._velocity, self._acceleration)
        _regressor_free(self._rows, self.T_world_base, *arguments, Y)
        Y[:6] = self._base_change @ Y[:6]
        return Y

    @property
    def kinetic_energy(self) -> float:
        """Kinetic energy, rotors included [J]."""
        if self._plan is not None:
            return self._terms.item(self._plan.energies[0])
        return float(self._array[0, EFFORT])

    @property
    def potential_energy(self) -> float:
        """Potential energy of gravity, base included; 0 for a mass at the world's origin [J]."""
        if self._plan is not None:
            return self._terms.item(self._plan.energies[1])
        return float(self._array[0, HOLD])

    @property
    def energy(self) -> float:
        """Sum of both; constant without efforts and friction [J]."""
        return self.kinetic_energy + self.potential_energy

    @joint_term
    def _rigid_bias(self) -> FloatArray:
        """Bias efforts of the bodies."""
        joints = self._array[1:, EFFORT]
        if not self.floating:
            return joints
        R = self._base_axes[0]
        wrench = self._array[0, WRENCH]
        bias = np.concatenate([R @ wrench[:3], R @ wrench[3:], joints])
        bias = self._drifted(bias, self._about_base.T, self.representation)
        bias[:6] = self._base_change @ bias[:6]
        return bias

    def _with_friction(self, efforts: FloatArray) -> FloatArray:
        """Add friction to efforts, in place."""
        friction = self.model._friction
        if friction is not None:
            _friction(friction, self.v, 1.0, efforts[self.size - self.model.dof :])
        return efforts

    def _pushes(self, external_wrenches: Wrenches) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return frames (k, 13), mixed wrenches on them (k, 6) and their origins (k, 3)."""
        frames, wrenches = wrench_table(self.model, external_wrenches)
        bodies = self._poses[frames[:, 0].astype(int)]
        Ts = bodies[:, :, :3] @ frames[:, 1:].reshape(-1, 3, 4)
        points = Ts[:, :, 3] + bodies[:, :, 3]
        if self.representation is Representation.BODY:
            halves = np.einsum("bij,bkj->bki", Ts[:, :, :3], wrenches.reshape(-1, 2, 3))
            wrenches = np.ascontiguousarray(halves.reshape(-1, 6))
        elif self.representation is Representation.INERTIAL:
            wrenches[:, 3:] -= np.cross(points, wrenches[:, :3])
        return frames, wrenches, points

    def _wrenches(self, external_wrenches: Wrenches | None) -> FloatArray:
        """Return what the base and every body get, their own axes and origins, (n+1, 6)."""
        pushes = np.zeros((self.model.dof + 1, 6))
        out = np.zeros_like(pushes)
        if external_wrenches is not None:
            frames, wrenches, _ = self._pushes(external_wrenches)
            _body_wrenches(self._rows, frames, self.q, wrenches, pushes)
        if self.floating:
            arguments = (self.q, self._velocity, self._acceleration, pushes)
            _joint_wrenches_free(self._rows, self.T_world_base, *arguments, out)
        else:
            _joint_wrenches(self._rows, self.q, self.v, self.a, pushes, out)
        return out

    def _refuse_singular(self, joint: int) -> None:
        """Raise for what a kernel found to move no inertia: a joint from 1, or -1, the base.

        Raises:
            ModelError: If there is such a joint.
        """
        if joint < 0:
            raise ModelError("the free base moves no inertia; the robot has too little mass")
        if joint:
            raise no_inertia(self.model, joint)
