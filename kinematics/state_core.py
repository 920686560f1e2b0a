"""What a state holds, and what all its parts read: the base of ``RobotState``.

All that depends on (q, v) comes from one kernel call into one array, when it is first asked for;
the rest is cut out of it, in the mixed representation. ``representation.py`` turns results into
the others, their base columns included.
"""

from functools import lru_cache
from math import hypot
from typing import NamedTuple, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt
from numpy import empty, ndarray

from armwright.errors import JointVectorError, ModelError

from .engine import lazy
from .frame_types import FrameType
from .inputs import FLOAT, finite_numbers, joint_vector
from .model import RobotModel
from .naming import frame_of, one_frame
from .representation import Representation, cross, moved, twist_back, twist_change_rate
from .robot import GRAVITY, LAST, Plan, X
from .state_terms import once
from .transforms import LARGEST, FloatArray, as_pose, short

_KERNELS = "armwright.kinematics._kernels.dynamics_state"
_state = lazy(__name__, "_state", _KERNELS)
_state_free = lazy(__name__, "_state_free", _KERNELS)
_terms = lazy(__name__, "_terms", "armwright.kinematics._kernels.dynamics_terms")

# Columns of the state array, see _kernels/dynamics_state.py.
MOTION = slice(12, 18)
SUM = slice(18, 27)
TWIST = slice(27, 33)
BIAS = slice(33, 39)
WRENCH = slice(48, 54)
EFFORT, HOLD = 54, 55
MOMENTUM = slice(56, 62)
COUPLING = slice(62, 68)
MASSES = 68

FrameKey = str | tuple[FrameType | str, int | str]
"""One frame: a tag, which is the output frame of that element (for an end effector its tool
frame), or (frame type, index or tag)."""

FrameArgument = FrameType | FrameKey | None
"""A frame type, to go with an index or tag; or a key. A text is a frame type before it is a tag."""

Value = TypeVar("Value")


@lru_cache(maxsize=64)
def _zeros(count: int) -> FloatArray:
    """Return read-only zeros."""
    zeros = np.zeros(count)
    zeros.setflags(write=False)
    return zeros


_STILL = _zeros(6)


class Place(NamedTuple):
    """Where a frame is: its body's row, axes R, origin p, and the way from the body's origin."""

    body: int
    R: FloatArray
    p: FloatArray
    arm: FloatArray


class StateCore:
    """Data of a robot state. Frozen: attributes cannot be set, arrays are read-only."""

    model: RobotModel
    base_twist: FloatArray = _STILL
    base_acceleration: FloatArray = _STILL
    floating: bool = False
    representation: Representation = Representation.MIXED
    _plan: Plan | None  # None where the array of ``terms.py`` does not serve

    def _fill(
        self,
        model: RobotModel,
        joints: tuple[npt.ArrayLike | None, npt.ArrayLike | None, npt.ArrayLike | None],
        base: tuple[npt.ArrayLike | None, npt.ArrayLike | None, npt.ArrayLike | None],
        gravity: FloatArray | None,
        floating: object,
        representation: object,
    ) -> None:
        """Check and set every attribute; the only place that does.

        Args:
            model: The robot.
            joints: q, v, a.
            base: T_world_base, twist and acceleration in the representation.
            gravity: Checked, or None.
            floating: Whether the base is free.
            representation: Of twists and accelerations.
        """
        if floating.__class__ is not bool:
            if not isinstance(floating, np.bool_):
                raise ModelError(f"floating: expected True or False, got {short(floating)}")
            floating = bool(floating)
        dof = model.dof
        rows, pose, twist, acceleration = model._rows, model.base_frame, _STILL, _STILL
        kind = Representation.parse(representation)
        T, V, A = base
        if not (gravity is None and T is None and V is None and A is None):
            rows = rows.copy()
            if gravity is not None:
                rows[0, GRAVITY] = gravity
            if T is not None:
                pose = as_pose(T, "T_world_base")
                pose.setflags(write=False)
                rows[0, X] = pose[:3].ravel()
            twist, acceleration = _base_motion((V, A), floating)
        values = self.__dict__
        values["model"] = model
        if joints[0] is None:
            raise JointVectorError(f"q: expected {dof} joint values, got None")
        values["q"] = kept_joints(joints[0], dof, "q")
        values["v"] = kept_joints(joints[1], dof, "v")
        values["a"] = kept_joints(joints[2], dof, "a")
        values["T_world_base"] = pose
        values["base_twist"] = twist
        values["base_acceleration"] = acceleration
        values["floating"] = floating
        values["representation"] = kind
        if rows is not model._rows:
            values["_own_rows"] = rows
        plain = kind is Representation.MIXED and not floating
        values["_plan"] = model._plan if plain else None
        if floating and model._extras.floating_base is not None:
            from .state_elsewhere import settle

            settle(self, standing=T is None)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"a state cannot be changed (tried to set {name!r}); with_ returns a changed copy"
        )

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a state cannot be changed (tried to delete {name!r})")

    @property
    def _rows(self) -> FloatArray:
        """The model's rows, with base and gravity of the state."""
        own: FloatArray | None = self.__dict__.get("_own_rows")
        return self.model._rows if own is None else own

    @once
    def q(self) -> FloatArray:
        """Joint positions, shape (dof,) [rad or m]."""
        q: FloatArray = self._terms[0]
        return q

    @once
    def v(self) -> FloatArray:
        """Joint velocities, shape (dof,)."""
        v: FloatArray = self._terms[1]
        return v

    @once
    def a(self) -> FloatArray:
        """Joint accelerations, shape (dof,)."""
        return _zeros(self.model.dof)

    @once
    def T_world_base(self) -> FloatArray:
        """Where the base is, shape (4, 4)."""
        return self.model.base_frame

    @once
    def size(self) -> int:
        """How many velocities there are: dof, or dof + 6."""
        return self.model.dof + 6 if self.floating else self.model.dof

    @once
    def _terms(self) -> FloatArray:
        """All that a fixed base is asked for most, in one array; see ``terms.py``."""
        plan = self._plan
        assert plan is not None
        terms = empty(plan.shape)
        _terms(self._rows, self.q, self.v, terms)
        return terms

    @property
    def _chosen(self) -> tuple[str, int]:
        """The frame that the model chose as its floating base: type and number."""
        frame = self.model._extras.floating_base
        assert frame is not None
        return frame

    @once
    def gravity(self) -> FloatArray:
        """Acceleration of free fall in world axes, shape (3,) [m/s^2]."""
        return self._rows[0, GRAVITY].copy()

    @once
    def generalized_velocity(self) -> FloatArray:
        """Base twist (when floating), then v: shape (size,). Every Jacobian multiplies it."""
        return np.concatenate([self.base_twist, self.v]) if self.floating else self.v

    @once
    def generalized_acceleration(self) -> FloatArray:
        """Base acceleration (when floating), then a: shape (size,)."""
        return np.concatenate([self.base_acceleration, self.a]) if self.floating else self.a

    @once
    def _array(self) -> FloatArray:
        """Everything that depends on (q, v), shape (n+1, 68+n)."""
        n = self.model.dof
        out = np.empty((n + 1, MASSES + n))
        if self.floating:
            _state_free(self._rows, self.T_world_base, self._base_twist, self.q, self.v, out)
        else:
            _state(self._rows, self.q, self.v, out)
        return out

    @once
    def _poses(self) -> FloatArray:
        """Placement of every body, shape (n+1, 3, 4)."""
        return self._array[:, :12].reshape(-1, 3, 4)

    @once
    def _base_twist(self) -> FloatArray:
        """Twist of the base, mixed, shape (6,)."""
        X = self._base_back(self.representation)
        return self.base_twist if X is None else _bounded(X @ self.base_twist, "base_twist")

    @once
    def _velocity(self) -> FloatArray:
        """Generalized velocity, mixed, shape (size,)."""
        return np.concatenate([self._base_twist, self.v]) if self.floating else self.v

    @once
    def _acceleration(self) -> FloatArray:
        """Generalized acceleration, mixed, shape (size,)."""
        if not self.floating:
            return self.a
        X = self._base_back(self.representation)
        base = self.base_acceleration
        if X is not None:
            base = _bounded(X @ base + self._drift(self.representation), "base_acceleration")
        return np.concatenate([base, self.a])

    def _base_back(self, kind: Representation) -> FloatArray | None:
        """Return the matrix from base twists of a kind to mixed ones; None for mixed."""
        if kind is Representation.MIXED or not self.floating:
            return None
        return twist_back(kind, self.T_world_base[:3, :3], self.T_world_base[:3, 3])

    def _drift(self, kind: Representation) -> FloatArray:
        """Return the mixed acceleration of a base whose acceleration in a kind is 0, (6,)."""
        X = self._base_back(kind)
        if X is None:
            return np.zeros(6)
        V = self._base_twist
        return -X @ (twist_change_rate(kind, self.T_world_base[:3, :3], V[:3], V[3:]) @ V)

    def _kind(self, representation: object) -> Representation:
        """Return the representation that an argument means; None: that of the state."""
        if representation is None:
            return self.representation
        return Representation.parse(representation)

    def _columns(self, J: FloatArray, kind: Representation) -> FloatArray:
        """Return a matrix whose mixed base columns become those of a kind."""
        X = self._base_back(kind)
        if X is None:
            return J
        return np.hstack([J[:, :6] @ X, J[:, 6:]])

    def _drifted(self, bias: FloatArray, J: FloatArray, kind: Representation) -> FloatArray:
        """Return the bias when the base does not accelerate in a kind, from that when mixed."""
        if self._base_back(kind) is None:
            return bias
        return bias + J[:, :6] @ self._drift(kind)

    def _place(
        self, frame_type: object, index: object, tag: object, point: npt.ArrayLike | None = None
    ) -> Place:
        """Resolve the arguments that name a frame, and find it; ``point`` moves its origin."""
        return self._at(*one_frame(self.model, frame_type, index, tag), point)

    def _at(self, kind: FrameType, number: int, point: npt.ArrayLike | None = None) -> Place:
        """Find a frame."""
        row = self.model._pose_tables[kind][0][number]
        body = int(row[0])
        pose = self._poses[body]
        placed = pose[:, :3] @ row[1:].reshape(3, 4)  # axes, and the way from the body's origin
        R, arm = placed[:, :3], placed[:, 3]
        if point is not None:
            arm = arm + R @ finite_numbers(point, 3, "point")
        return Place(body, R, pose[:, 3] + arm, arm)

    def _keyed(self, frame: FrameKey | None) -> Place:
        """Find a frame by its key; None: the end effector."""
        if frame is None:
            return self._at(*self.model._frame(None))
        return self._at(*frame_of(self.model, frame, "frame"))

    def _moves(self, body: int) -> npt.NDArray[np.bool_]:
        """Say which joints move a body, shape (n,)."""
        found: npt.NDArray[np.bool_] = self._rows[1:, LAST] >= body
        found[body:] = False
        return found

    def _jacobian_at(self, place: Place) -> FloatArray:
        """Return the Jacobian of a frame, mixed, shape (6, size)."""
        to_place = moved(place.p - self.T_world_base[:3, 3])
        motions = self._array[1:, MOTION] * self._moves(place.body)[:, None]
        J = to_place @ motions.T
        return np.hstack([to_place, J]) if self.floating else J

    def _twist_at(self, place: Place) -> FloatArray:
        """Return the twist of a frame, mixed, shape (6,)."""
        V = self._array[place.body, TWIST].copy()
        V[:3] += cross(V[3:], place.arm)
        return V

    def _bias_at(self, place: Place) -> FloatArray:
        """Return the acceleration without any generalized acceleration, mixed, shape (6,)."""
        A = self._array[place.body, BIAS].copy()
        w = self._array[place.body, TWIST][3:]
        A[:3] += cross(A[3:], place.arm) + cross(w, cross(w, place.arm))
        return A


def pose_matrix(R: FloatArray, p: FloatArray) -> FloatArray:
    """Return a pose, shape (4, 4)."""
    T = np.eye(4)
    T[:3, :3] = R
    T[:3, 3] = p
    return T


def _base_motion(
    motion: tuple[npt.ArrayLike | None, npt.ArrayLike | None], floating: object
) -> tuple[FloatArray, FloatArray]:
    """Return twist and acceleration of the base, checked.

    Raises:
        ModelError: If one is not six finite numbers, or a fixed base moves.
    """
    found = []
    for name, value in zip(("base_twist", "base_acceleration"), motion, strict=True):
        six = _STILL if value is None else finite_numbers(value, 6, name)
        if not floating and six.any():
            raise ModelError(
                f"{name}: expected zeros, as a fixed base stands still, got {six.tolist()}. "
                "Is floating=True missing?"
            )
        found.append(six)
    return found[0], found[1]


def _bounded(six: FloatArray, name: str) -> FloatArray:
    """Return what a body or inertial motion of the base is when mixed, if it is not too large.

    Raises:
        ModelError: If it is: an inertial motion far from the world's origin, or a fast turn.
    """
    largest = float(np.abs(six).max())
    if largest > LARGEST:
        raise ModelError(
            f"{name}: expected a motion of at most {LARGEST:g} at the base's origin, world axes, "
            f"got {largest:g}"
        )
    return six


def kept_joints(value: npt.ArrayLike | None, dof: int, name: str) -> FloatArray:
    """Return joint values as a read-only copy, shape (dof,); zeros for None."""
    if value is None:
        return _zeros(dof)
    if (
        isinstance(value, ndarray)
        and value.__class__ is ndarray
        and value.dtype is FLOAT
        and value.shape == (dof,)
        and hypot(*value.tolist()) <= LARGEST  # quick; NaN and the huge go on below
    ):
        copied: FloatArray = value.copy()
        copied.setflags(write=False)
        return copied
    checked = joint_vector(value, dof, name)
    checked.setflags(write=False)
    return checked
