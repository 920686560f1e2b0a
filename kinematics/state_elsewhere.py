"""States whose floating base is another frame of the robot than the one it was described from.

The motion is the same, only the six first velocities are others. With nu for those of the chosen
base frame, V = J nu_root + ... for the Jacobian J = (J0, Jj) of that frame gives

    nu_root = B nu,   B = (J0^-1, -J0^-1 Jj; 0, 1),   nu_root' = B nu' + (drift, 0)

so that Jacobians become J B, efforts B^T tau, the mass matrix B^T M B (Traversaro, Pucci and Nori,
On the base frame choice in free-floating mechanical systems, 2015). An ordinary state of the same
moment, the root's, answers everything; a bias is what accelerates when the chosen base does not.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from .dynamics import Wrenches
from .inputs import finite_numbers
from .representation import Representation, moved, twist_change, twist_change_rate
from .state import RobotState
from .state_core import StateCore
from .state_coriolis import jacobian_rate
from .state_terms import once
from .transforms import FloatArray, as_numbers, invert


def settle(state: StateCore, *, standing: bool) -> None:
    """Make a state that floats at another frame one that knows it.

    Args:
        state: All its attributes are set.
        standing: Whether nobody said where the base is: then the frame is where it is when the
            robot stands on its base frame.
    """
    object.__setattr__(state, "__class__", StateElsewhere)
    if standing:
        pose = state.model.forward_kinematics(state._chosen[0], state.q)[state._chosen[1]]
        pose.setflags(write=False)
        state.__dict__["T_world_base"] = pose


class StateElsewhere(RobotState):
    """A state whose base is a frame that ``RobotModel.with_floating_base`` chose."""

    def _fill(self, *arguments: Any) -> None:
        super()._fill(*arguments)
        if not self.floating or self.model._extras.floating_base is None:
            object.__setattr__(self, "__class__", RobotState)

    def _base_pose(self, floats: bool) -> FloatArray:
        return self.T_world_base if floats else self._root.T_world_base

    # The root's state of the same moment

    @once
    def _root(self) -> RobotState:
        """The same moment for the frame that the robot was described from, same representation."""
        place = self.model.forward_kinematics(self._chosen[0], self.q)[self._chosen[1]]
        T = np.asarray(self.T_world_base @ invert(place) @ self.model.base_frame)
        zero = np.zeros(6)
        still = self._plain(T, zero, zero, Representation.MIXED)
        J = still.jacobian(self._chosen)
        back = moved(T[:3, 3] - self.T_world_base[:3, 3])  # the inverse of its base columns
        V = back @ (self._base_twist - J[:, 6:] @ self.v)
        moving = self._plain(T, V, zero, Representation.MIXED)
        rest = self._acceleration[:6] - J[:, 6:] @ self.a
        A = back @ (rest - moving.bias_acceleration(self._chosen))
        kind, R = self.representation, T[:3, :3]
        C = twist_change(kind, R, T[:3, 3])
        A = C @ A + twist_change_rate(kind, R, V[:3], V[3:]) @ V
        root = self._plain(T, C @ V, A, kind)
        root.__dict__["_base_twist"] = V
        root.__dict__["_array"] = moving._array
        return root

    def _plain(self, T: FloatArray, V: FloatArray, A: FloatArray, kind: object) -> RobotState:
        """Return an ordinary state of this one's joints."""
        state = object.__new__(RobotState)
        state._fill(self.model, (self.q, self.v, self.a), (T, V, A), self.gravity, True, kind)
        object.__setattr__(state, "__class__", RobotState)
        return state

    @once
    def _array(self) -> FloatArray:
        """As the root's: bodies move alike."""
        return self._root._array

    @once
    def _to_root(self) -> FloatArray:
        """The matrix B, shape (size, size)."""
        J = self._root.jacobian(self._chosen)
        B = np.eye(self.size)
        B[:6, :6] = np.linalg.inv(J[:, :6])
        B[:6, 6:] = -B[:6, :6] @ J[:, 6:]
        return B

    @once
    def _from_root(self) -> FloatArray:
        """The inverse of B, shape (size, size)."""
        back = np.eye(self.size)
        back[:6] = self._root.jacobian(self._chosen)
        return back

    @once
    def _at_zero(self) -> RobotState:
        """The root's state when neither base nor joints accelerate, in the representation."""
        still = self.with_(a=np.zeros(len(self.a)), base_acceleration=np.zeros(6))
        assert isinstance(still, StateElsewhere)
        return still._root

    def _asked(self, options: dict[str, Any]) -> "StateElsewhere":
        """Return the same state in the representation that was asked for, of all options."""
        return self._as(options.pop("representation", None))

    def _as(self, representation: object) -> "StateElsewhere":
        """Return the same state in another representation; itself when it has that one."""
        kind = self._kind(representation)
        if kind is self.representation:
            return self
        other = self.with_(representation=kind)
        assert isinstance(other, StateElsewhere)
        return other

    # Frames

    def acceleration(self, *frame: Any, **options: Any) -> FloatArray:
        """As of any state."""
        return self._asked(options)._root.acceleration(*frame, **options)

    def bias_acceleration(self, *frame: Any, **options: Any) -> FloatArray:
        """As of any state."""
        return self._asked(options)._at_zero.acceleration(*frame, **options)

    def jacobian(self, *frame: Any, **options: Any) -> FloatArray:
        """As of any state."""
        state = self._asked(options)
        J = state._root.jacobian(*frame, **options) @ state._to_root
        names = {name: options.get(name) for name in ("frame_type", "index", "tag")}
        asked = dict(zip(names, frame, strict=False))
        J[~self.model.jacobian_sparsity(**{**names, **asked}, floating=True)] = 0.0  # exactly
        return J

    def relative_acceleration(self, *frames: Any, **options: Any) -> FloatArray:
        """As of any state."""
        return self._root.relative_acceleration(*frames, **options)

    def relative_bias_acceleration(self, *frames: Any, **options: Any) -> FloatArray:
        """As of any state."""
        return self._root.relative_bias_acceleration(*frames, **options)

    def relative_jacobian(self, *frames: Any, **options: Any) -> FloatArray:
        """As of any state."""
        return self._root.relative_jacobian(*frames, **options)

    def relative_jacobian_explicit(self, *frames: Any, **options: Any) -> FloatArray:
        """As of any state."""
        return self._root.relative_jacobian_explicit(*frames, **options)

    # What momenta and their relatives are made of: mixed, for the chosen base

    @once
    def _centroidal(self) -> FloatArray:
        """Centroidal momentum matrix."""
        mixed = self._as(Representation.MIXED)
        return mixed._root.centroidal_momentum_jacobian @ mixed._to_root

    @once
    def _centroidal_rate(self) -> FloatArray:
        """Rate of the centroidal momentum when the base does not accelerate, mixed."""
        still = self._as(Representation.MIXED)._at_zero
        moved_on = still.centroidal_momentum_jacobian @ still.generalized_acceleration
        return moved_on + still.centroidal_momentum_bias

    @once
    def _inertia(self) -> FloatArray:
        """Locked inertia about the base's origin."""
        there = moved(self._to_com)
        inertia = self._as(Representation.MIXED)._root.centroidal_locked_inertia
        return there.T @ inertia @ there

    @once
    def _about_base(self) -> FloatArray:
        """Momentum Jacobian about the base's origin."""
        return moved(self._to_com).T @ self._centroidal

    # Dynamics

    @once
    def mass_matrix(self) -> FloatArray:
        """As of any state."""
        M = self._to_root.T @ self._root.mass_matrix @ self._to_root
        return 0.5 * (M + M.T)

    def solve_mass(self, b: npt.ArrayLike) -> FloatArray:
        """As of any state."""
        right = as_numbers(b, "b", (), bounded=True)
        if right.ndim not in (1, 2) or right.shape[0] != self.size:
            return self._root.solve_mass(right)  # says what is wrong
        return self._from_root @ self._root.solve_mass(self._from_root.T @ right)

    @once
    def coriolis(self) -> FloatArray:
        """As of any state."""
        mixed = self._as(Representation.MIXED)
        root, B = mixed._root, mixed._to_root
        C: FloatArray = B.T @ (root.coriolis @ B + root.mass_matrix @ mixed._to_root_rate)
        return self._coriolis_written(C)

    @once
    def _to_root_rate(self) -> FloatArray:
        """Rate of B, mixed: with B = (J0^-1, -J0^-1 Jj), its upper rows change by -J0^-1 J' B."""
        rate = np.zeros((self.size, self.size))
        J_rate = jacobian_rate(self._root, self._root._keyed(self._chosen))
        rate[:6] = -self._to_root[:6, :6] @ J_rate @ self._to_root
        return rate

    @once
    def bias_efforts(self) -> FloatArray:
        """As of any state."""
        return self._to_root.T @ self._at_zero.inverse_dynamics()

    @once
    def gravity_efforts(self) -> FloatArray:
        """As of any state."""
        return self._to_root.T @ self._root.gravity_efforts

    @once
    def _rigid_bias(self) -> FloatArray:
        """Bias efforts of the bodies."""
        friction = self._with_friction(np.zeros(self.size))
        return self.bias_efforts - friction

    def inverse_dynamics(self, external_wrenches: Wrenches | None = None) -> FloatArray:
        """As of any state."""
        return self._to_root.T @ self._root.inverse_dynamics(external_wrenches)

    def forward_dynamics(
        self, tau: npt.ArrayLike, external_wrenches: Wrenches | None = None
    ) -> FloatArray:
        """As of any state."""
        efforts = self._from_root.T @ finite_numbers(tau, self.size, "tau")
        moving = self._root.forward_dynamics(efforts, external_wrenches)
        drift = self._at_zero.generalized_acceleration
        return self._from_root @ (moving - drift)

    def external_efforts(self, external_wrenches: Wrenches) -> FloatArray:
        """As of any state."""
        return self._to_root.T @ self._root.external_efforts(external_wrenches)

    def joint_wrenches(self, external_wrenches: Wrenches | None = None) -> FloatArray:
        """As of any state; what carries the base acts there, not on the first element."""
        pushes = dict(external_wrenches or {})
        carried = self.base_wrench(external_wrenches)
        if self._chosen in pushes:
            carried = carried + np.asarray(pushes[self._chosen], dtype=np.float64)
        return self._root.joint_wrenches({**pushes, self._chosen: carried})

    def base_wrench(self, external_wrenches: Wrenches | None = None) -> FloatArray:
        """As of any state."""
        return self.inverse_dynamics(external_wrenches)[:6]

    @once
    def inverse_dynamics_regressor(self) -> FloatArray:
        """As of any state."""
        return self._to_root.T @ self._root.inverse_dynamics_regressor
