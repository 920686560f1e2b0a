"""Dynamics: what efforts a motion needs, and what motion efforts cause.

Everything follows M(q) a + C(q, v) v + g(q) = tau + J^T w, with rotor inertia in M and friction on
the left where the model has them (``with_joint_dynamics``). The hot methods call their kernel
directly and fall back to the slow path, which converts what can be converted and explains the rest.
"""

import numpy as np
import numpy.typing as npt
from numpy import empty, ndarray

from armwright.errors import ModelError

from .core import ModelCore
from .energy import Energies
from .engine import lazy
from .external import External, Wrenches, efforts_of
from .inputs import FLOAT, array_to_fill, joint_vectors
from .joint_dynamics import WithJointDynamics
from .motions import evaluate, vectors
from .transforms import FloatArray, as_numbers

_KERNELS = "armwright.kinematics._kernels.dynamics_"
_inverse_dynamics = lazy(__name__, "_inverse_dynamics", f"{_KERNELS}inverse")
_inverse_dynamics_batch = lazy(__name__, "_inverse_dynamics_batch", f"{_KERNELS}inverse")
_forward_dynamics = lazy(__name__, "_forward_dynamics", f"{_KERNELS}forward")
_forward_dynamics_batch = lazy(__name__, "_forward_dynamics_batch", f"{_KERNELS}forward")
_mass_matrix = lazy(__name__, "_mass_matrix", f"{_KERNELS}mass")
_mass_matrix_batch = lazy(__name__, "_mass_matrix_batch", f"{_KERNELS}mass")
_solve_mass_one = lazy(__name__, "_solve_mass_one", f"{_KERNELS}mass")
_solve_mass = lazy(__name__, "_solve_mass", f"{_KERNELS}mass")
_solve_mass_batch = lazy(__name__, "_solve_mass_batch", f"{_KERNELS}mass")
_coriolis = lazy(__name__, "_coriolis", f"{_KERNELS}coriolis")
_coriolis_batch = lazy(__name__, "_coriolis_batch", f"{_KERNELS}coriolis")
_friction = lazy(__name__, "_friction", f"{_KERNELS}external")
_friction_batch = lazy(__name__, "_friction_batch", f"{_KERNELS}external")


class Dynamics(Energies, External, WithJointDynamics):
    """Efforts and motions."""

    __slots__ = ()

    def inverse_dynamics(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        a: npt.ArrayLike,
        gravity: npt.ArrayLike | None = None,
        out: FloatArray | None = None,
        external_wrenches: Wrenches | None = None,
    ) -> FloatArray:
        """Compute the efforts that a motion needs: M a + C v + g, less what pushes from outside.

        Full rigid-body dynamics, rotational inertia and payloads included; rotor inertia and
        friction as far as the model has them. ``point_mass_dynamics_efforts`` is HEBI's
        approximation.

        Args:
            q: Joint positions, shape (..., dof) [rad or m].
            v: Joint velocities, shape (..., dof) [rad/s or m/s].
            a: Joint accelerations, shape (..., dof) [rad/s^2 or m/s^2]; leading axes broadcast.
            gravity: Acceleration of free fall in world axes, shape (3,) [m/s^2]; None is
                (0, 0, -9.81).
            out: Array to fill, shape of the result.
            external_wrenches: {tag or (frame type, index or tag): (6,)}. Force [N], then moment
                [N m], on the robot, world axes, at the frame's origin. A tag alone is the output
                frame of that element, for an end effector its tool frame.

        Returns:
            Efforts, shape (..., dof) [N m or N].

        Raises:
            JointVectorError: If q, v or a has the wrong length or is not finite.
            FrameNotFoundError: If a wrench is on a frame that does not exist.
            ModelError: If gravity or a wrench has the wrong shape, or ``out`` cannot be filled.

        References:
            Luh, Walker and Paul 1980; Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 5.
        """
        rows = self._rows if gravity is None else self._rows_under(gravity)
        try:
            if (
                q.__class__ is ndarray
                and q.dtype is FLOAT
                and v.__class__ is ndarray
                and v.dtype is FLOAT
                and a.__class__ is ndarray
                and a.dtype is FLOAT
                and (out is None or out.dtype is FLOAT)
                and external_wrenches is None
            ):
                friction = self._friction
                if friction is None or out is None:
                    efforts = empty(self.dof) if out is None else out
                    _inverse_dynamics(rows, q, v, a, efforts)
                    if friction is not None:
                        _friction(friction, v, 1.0, efforts)
                    return efforts
        except (AttributeError, TypeError, ValueError):
            pass  # other dtypes, batches; what is wrong becomes a clear error below
        Q, V, A = vectors(self, out, q=q, v=v, a=a)
        kernels = (_inverse_dynamics, _inverse_dynamics_batch)
        efforts = evaluate(self, kernels, (rows,), (Q, V, A), out, (self.dof,))
        if external_wrenches is not None:
            efforts -= efforts_of(self, Q, external_wrenches)
        _add_friction(self, V, 1.0, efforts)
        return efforts if out is None else out

    def bias_efforts(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        gravity: npt.ArrayLike | None = None,
        out: FloatArray | None = None,
    ) -> FloatArray:
        """Compute the efforts of a motion without acceleration: C v + g, and friction if any.

        Args:
            q: Joint positions, shape (..., dof) [rad or m].
            v: Joint velocities, shape (..., dof); leading axes broadcast.
            gravity: Acceleration of free fall in world axes, shape (3,) [m/s^2]; None is
                (0, 0, -9.81).
            out: Array to fill, shape of the result.

        Returns:
            Efforts, shape (..., dof) [N m or N].

        Raises:
            JointVectorError: If q or v has the wrong length or is not finite.
            ModelError: If gravity is not three finite numbers, or ``out`` cannot be filled.
        """
        rows = self._rows if gravity is None else self._rows_under(gravity)
        Q, V = vectors(self, out, q=q, v=v)
        kernels = (_inverse_dynamics, _inverse_dynamics_batch)
        values = (Q, V, np.zeros_like(Q))
        efforts = evaluate(self, kernels, (rows,), values, out, (self.dof,))
        _add_friction(self, V, 1.0, efforts)
        return efforts if out is None else out

    def mass_matrix(self, q: npt.ArrayLike, out: FloatArray | None = None) -> FloatArray:
        """Compute the mass matrix, full and symmetric, rotors on its diagonal.

        Args:
            q: Joint positions, shape (..., dof) [rad or m].
            out: Array to fill, shape of the result.

        Returns:
            Shape (..., dof, dof) [kg m^2, kg m or kg].

        Raises:
            JointVectorError: If q has the wrong length or is not finite.
            ModelError: If ``out`` cannot be filled.

        References:
            Walker and Orin 1982; Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.2.
        """
        try:
            if q.__class__ is ndarray and q.dtype is FLOAT and (out is None or out.dtype is FLOAT):
                matrix = empty(self._mass_shape) if out is None else out
                _mass_matrix(self._rows, q, matrix)
                return matrix
        except (AttributeError, TypeError, ValueError):
            pass
        kernels = (_mass_matrix, _mass_matrix_batch)
        return self._evaluate(kernels, (self._rows,), q, out, self._mass_shape)

    def forward_dynamics(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        tau: npt.ArrayLike,
        gravity: npt.ArrayLike | None = None,
        out: FloatArray | None = None,
        external_wrenches: Wrenches | None = None,
    ) -> FloatArray:
        """Compute the accelerations that efforts cause; the inverse of ``inverse_dynamics``.

        Args:
            q: Joint positions, shape (..., dof) [rad or m].
            v: Joint velocities, shape (..., dof) [rad/s or m/s].
            tau: Joint efforts, shape (..., dof) [N m or N]; leading axes broadcast.
            gravity: Acceleration of free fall in world axes, shape (3,) [m/s^2]; None is
                (0, 0, -9.81).
            out: Array to fill, shape of the result.
            external_wrenches: As for ``inverse_dynamics``.

        Returns:
            Accelerations, shape (..., dof) [rad/s^2 or m/s^2].

        Raises:
            JointVectorError: If q, v or tau has the wrong length or is not finite.
            FrameNotFoundError: If a wrench is on a frame that does not exist.
            ModelError: If a joint moves no inertia (an arm that ends in a massless body; names
                the joint), if gravity or a wrench has the wrong shape, or ``out`` cannot be filled.

        References:
            Featherstone, Rigid Body Dynamics Algorithms, 2008, table 7.1.
        """
        rows = self._rows if gravity is None else self._rows_under(gravity)
        try:
            if (
                q.__class__ is ndarray
                and q.dtype is FLOAT
                and v.__class__ is ndarray
                and v.dtype is FLOAT
                and tau.__class__ is ndarray
                and tau.dtype is FLOAT
                and (out is None or out.dtype is FLOAT)
                and external_wrenches is None
                and self._friction is None
            ):
                accelerations = empty(self.dof) if out is None else out
                if not _forward_dynamics(rows, q, v, tau, accelerations):
                    return accelerations
        except (AttributeError, TypeError, ValueError):
            pass
        Q, V, efforts = vectors(self, out, q=q, v=v, tau=tau)
        if external_wrenches is not None:
            efforts = efforts + efforts_of(self, Q, external_wrenches)
        if self._friction is not None:
            efforts = np.array(efforts)  # not the caller's
            _add_friction(self, V, -1.0, efforts)
        kernels = (_forward_dynamics, _forward_dynamics_batch)
        result = evaluate(self, kernels, (rows,), (Q, V, efforts), out, (self.dof,))
        return result if out is None else out

    def solve_mass(
        self, q: npt.ArrayLike, b: npt.ArrayLike, out: FloatArray | None = None
    ) -> FloatArray:
        """Solve M(q) x = b without forming the inverse.

        Args:
            q: Joint positions, shape (..., dof) [rad or m].
            b: Right-hand sides: the leading axes of q, then (dof,) or (dof, k).
            out: Array to fill, shape of b.

        Returns:
            x, shape of b.

        Raises:
            JointVectorError: If q has the wrong length or is not finite.
            ModelError: If a joint moves no inertia (names it), b has the wrong shape or is not
                finite, or ``out`` cannot be filled.

        References:
            Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.5.
        """
        try:
            if (
                q.__class__ is ndarray
                and q.dtype is FLOAT
                and b.__class__ is ndarray
                and (out is None or (out.dtype is FLOAT and _in_place(b, out)))
            ):
                x = empty(self.dof) if out is None else out
                if not _solve_mass_one(self._rows, q, b, x):
                    return x
        except (AttributeError, TypeError, ValueError):
            pass
        Q = joint_vectors(q, self.dof)
        right = as_numbers(b, "b", (), bounded=True)
        single = right.shape == Q.shape
        if not single and (right.ndim != Q.ndim + 1 or right.shape[:-1] != Q.shape):
            raise ModelError(
                f"b: expected shape {Q.shape} or {(*Q.shape, 'k')}, got {right.shape}".replace(
                    "'", ""
                )
            )
        filled = None if out is None else array_to_fill(out, right.shape)
        if single:
            right = right[..., None]
            filled = None if filled is None else filled[..., None]
        kernels = (_solve_mass, _solve_mass_batch)
        x = evaluate(self, kernels, (self._rows,), (Q, right), filled, right.shape[Q.ndim - 1 :])
        if out is not None:
            return out
        return x[..., 0] if single else x

    def coriolis(
        self, q: npt.ArrayLike, v: npt.ArrayLike, out: FloatArray | None = None
    ) -> FloatArray:
        """Compute the Coriolis matrix C, with C v the velocity terms of inverse dynamics.

        It is the matrix of Christoffel symbols: dM/dt = C + C^T, so that dM/dt - 2 C is skew.

        Args:
            q: Joint positions, shape (..., dof) [rad or m].
            v: Joint velocities, shape (..., dof); leading axes broadcast.
            out: Array to fill, shape of the result.

        Returns:
            Shape (..., dof, dof).

        Raises:
            JointVectorError: If q or v has the wrong length or is not finite.
            ModelError: If ``out`` cannot be filled.

        References:
            Echeandia and Wensing, Numerical methods to compute the Coriolis matrix and
            Christoffel symbols for rigid-body systems, 2021.
        """
        try:
            if (
                q.__class__ is ndarray
                and q.dtype is FLOAT
                and v.__class__ is ndarray
                and (out is None or out.dtype is FLOAT)
            ):
                matrix = empty(self._mass_shape) if out is None else out
                _coriolis(self._rows, q, v, matrix)
                return matrix
        except (AttributeError, TypeError, ValueError):
            pass
        values = vectors(self, out, q=q, v=v)
        kernels = (_coriolis, _coriolis_batch)
        C = evaluate(self, kernels, (self._rows,), values, out, self._mass_shape)
        return C if out is None else out


def _in_place(b: npt.ArrayLike, out: FloatArray) -> bool:
    """Whether a kernel that fills out while it reads b reads what was there: all or nothing."""
    return b is out or not np.may_share_memory(b, out)


def _add_friction(model: ModelCore, V: FloatArray, sign: float, efforts: FloatArray) -> None:
    """Add the friction of checked velocities to efforts of the same shape, in place."""
    if model._friction is None:
        return
    if V.ndim == 1:
        _friction(model._friction, V, sign, efforts)
    else:
        rows = (-1, model.dof)
        _friction_batch(model._friction, V.reshape(rows), sign, efforts.reshape(rows))
