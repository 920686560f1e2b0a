"""The state of a robot at one moment, with all that follows from it."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt
from numpy import empty, ndarray

from armwright.errors import ModelError

from .engine import lazy
from .inputs import FLOAT, finite_numbers, one_of, read_only
from .model import RobotModel
from .representation import Representation, twist_change
from .robot import GRAVITY
from .state_constrained import StateConstrained
from .state_core import FrameKey, kept_joints
from .state_relative import StateRelative
from .transforms import FloatArray, as_numbers, as_pose, short

StateT = TypeVar("StateT", bound="RobotState")

_terms = lazy(__name__, "_terms", "armwright.kinematics._kernels.dynamics_terms")
_MIXED = Representation.MIXED
_FIELDS = ("position", "velocity", "position_command", "velocity_command")


class Feedback(Protocol):
    """What ``RobotState.from_feedback`` reads, such as ``devices.GroupFeedback``."""

    @property
    def position(self) -> FloatArray:
        """Joint positions, shape (dof,)."""

    @property
    def velocity(self) -> FloatArray:
        """Joint velocities, shape (dof,)."""


class RobotState(StateRelative, StateConstrained):
    """A robot at one moment: how it stands and moves, and everything that follows.

    It never changes: attributes cannot be set, arrays are read-only, ``with_`` returns changed
    copies. What follows is computed when it is first asked for, and kept; for a fixed base the
    call that checks q and v computes the matrices as well. It can be shared between threads,
    pickled and copied. Units are SI, six numbers are linear first.

    A fixed base has size = dof velocities, those of its joints. A floating one has size =
    dof + 6: its own twist comes first, at its origin, in the representation. The base's frame is
    where the first element is attached, or the one that ``model.with_floating_base`` chose.

    Args:
        model: The robot.
        q: Joint positions, shape (dof,) [rad or m].
        v: Joint velocities, shape (dof,); None: zeros.
        a: Joint accelerations, shape (dof,); None: zeros.
        T_world_base: Where the base is, shape (4, 4); None: where the model stands on its base
            frame.
        base_twist: Shape (6,): linear [m/s], angular [rad/s]; None: zeros.
        base_acceleration: Time derivative of the base twist's numbers, shape (6,); None: zeros.
        gravity: Acceleration of free fall in world axes, shape (3,) [m/s^2]; None is
            (0, 0, -9.81).
        floating: Whether the base is free to move; None: as a ``ModelBuilder`` declared it, else
            False.
        representation: How base twist and acceleration are given, and all results are written:
            "mixed", "body" or "inertial", see ``Representation``.

    Attributes:
        model: The robot.
        q: Shape (dof,) [rad or m].
        v: Shape (dof,).
        a: Shape (dof,).
        T_world_base: Shape (4, 4).
        base_twist: Shape (6,), in the representation.
        base_acceleration: Shape (6,), in the representation.
        gravity: Shape (3,) [m/s^2].
        floating: Whether the base is free to move.
        representation: Of all results.
        size: How many velocities there are: dof, or dof + 6.

    Raises:
        JointVectorError: If q, v or a has the wrong length or is not finite.
        ModelError: If anything else has the wrong shape or is not finite, T_world_base is not a
            pose, or a fixed base is said to move.

    Example:
        >>> from armwright.kinematics import RobotState
        >>> state = RobotState(model, np.zeros(6), v=np.full(6, 0.1), floating=True)
        >>> state.jacobian().shape, state.mass_matrix.shape
        ((6, 12), (12, 12))
        >>> bool(np.allclose(state.jacobian() @ state.generalized_velocity, state.twist()))
        True
    """

    def __init__(
        self,
        model: RobotModel,
        q: npt.ArrayLike,
        v: npt.ArrayLike | None = None,
        a: npt.ArrayLike | None = None,
        *,
        T_world_base: npt.ArrayLike | None = None,
        base_twist: npt.ArrayLike | None = None,
        base_acceleration: npt.ArrayLike | None = None,
        gravity: npt.ArrayLike | None = None,
        floating: bool | None = None,
        representation: Representation | str = Representation.MIXED,
    ) -> None:
        # The usual case: one kernel call checks and copies q and v, and computes what is asked for
        # most, in less time than numpy takes to check and copy. What does not fit goes on below.
        if (
            T_world_base is base_twist is base_acceleration is gravity is floating is None
            and representation is _MIXED
            and model.__class__ is RobotModel
            and q.__class__ is ndarray
            and q.dtype is FLOAT
        ):
            plan = model._plan
            if plan is not None and plan.stands:
                v = plan.still if v is None else v
                if v.__class__ is ndarray and v.dtype is FLOAT:
                    try:
                        terms = empty(plan.shape)
                        _terms(model._rows, q, v, terms)
                        terms.setflags(write=False)
                        known = self.__dict__
                        known["model"] = model
                        known["_plan"] = plan
                        known["_terms"] = terms
                        if a is not None:
                            known["a"] = kept_joints(a, model.dof, "a")
                        return
                    except (TypeError, ValueError):
                        pass
        _check_model(model)
        if floating is None:
            floating = model._extras.free_flyer
        down = None if gravity is None else model._rows_under(gravity)[0, GRAVITY]
        base = (T_world_base, base_twist, base_acceleration)
        self._fill(model, (q, v, a), base, down, floating, representation)

    @classmethod
    def from_feedback(
        cls: type[StateT],
        model: RobotModel,
        feedback: Feedback,
        *,
        fields: Sequence[str] = ("position", "velocity"),
    ) -> StateT:
        """Make a state from what a group reports; ``with_`` adds base and accelerations.

        Args:
            model: The robot; its joints are the modules, in order.
            feedback: Such as ``devices.GroupFeedback``.
            fields: What to take: "position" or "position_command" as q, "velocity" or
                "velocity_command" as v. Velocities that are not asked for are 0.

        Raises:
            JointVectorError: If there are too few or too many modules, or one does not report
                what is asked for.
            ModelError: If a field is unknown or said twice, or none is a position.
        """
        _check_model(model)
        found: dict[str, npt.ArrayLike] = {}
        for field in [fields] if isinstance(fields, str) else fields:
            name = one_of(field, _FIELDS, "fields")
            kind = name.partition("_")[0]
            if kind in found:
                raise ModelError(f"fields: expected one {kind}, got {list(fields)}")
            found[kind] = model._joint_vector(getattr(feedback, name), name)
        if "position" not in found:
            raise ModelError(
                f"fields: expected 'position' or 'position_command' among them, got {list(fields)}"
            )
        return cls(model, found["position"], found.get("velocity"))

    def with_(
        self: StateT,
        *,
        model: RobotModel | None = None,
        q: npt.ArrayLike | None = None,
        v: npt.ArrayLike | None = None,
        a: npt.ArrayLike | None = None,
        T_world_base: npt.ArrayLike | None = None,
        base_twist: npt.ArrayLike | None = None,
        base_acceleration: npt.ArrayLike | None = None,
        gravity: npt.ArrayLike | None = None,
        floating: bool | None = None,
        representation: Representation | str | None = None,
    ) -> StateT:
        """Return a copy in which something differs; None: as it is.

        Another representation comes first: it rewrites base twist and acceleration, the motion
        stays. Then every number that is not given stays. A base that is no longer floating stands
        still. Where positions and velocities are the same, so is all that follows from them.

        Args:
            model: See the class; the same holds for all others.
            q: Joint positions.
            v: Joint velocities.
            a: Joint accelerations.
            T_world_base: Where the base is.
            base_twist: In the new representation, as is the acceleration.
            base_acceleration: Of the base.
            gravity: Acceleration of free fall.
            floating: Whether the base is free to move.
            representation: Of base twist, base acceleration and all results.

        Raises:
            JointVectorError: If q, v or a does not fit.
            ModelError: If anything else does not.
        """
        kind = self._kind(representation)
        floats = self.floating if floating is None else floating
        if model is not None:
            _check_model(model)
        twist, acceleration = self._written(kind) if floats else (None, None)
        robot = self.model if model is None else model
        down = self.gravity if gravity is None else robot._rows_under(gravity)[0, GRAVITY]
        state = object.__new__(type(self))
        state._fill(
            robot,
            (self.q if q is None else q, self.v if v is None else v, self.a if a is None else a),
            (
                self._base_pose(floats) if T_world_base is None else T_world_base,
                twist if base_twist is None else base_twist,
                acceleration if base_acceleration is None else base_acceleration,
            ),
            down,
            floats,
            kind,
        )
        base = (model, q, v, T_world_base, base_twist, gravity, floating)
        if all(value is None for value in base):
            known = self.__dict__
            for name in ("_array", "_terms", "_base_twist"):  # the latter to the last bit
                if name in known:
                    state.__dict__[name] = known[name]
        return state

    def with_base(
        self: StateT,
        T_world_base: npt.ArrayLike,
        base_twist: npt.ArrayLike | None = None,
        base_acceleration: npt.ArrayLike | None = None,
    ) -> StateT:
        """Return a copy with a floating base that is there and moves so; None: it rests.

        Args:
            T_world_base: Where the base is, shape (4, 4).
            base_twist: Shape (6,), in the state's representation.
            base_acceleration: Shape (6,), in the state's representation.

        Raises:
            ModelError: If T_world_base is not a pose, or one of the others not six numbers.
        """
        still = np.zeros(6)
        return self.with_(
            T_world_base=T_world_base,
            base_twist=still if base_twist is None else base_twist,
            base_acceleration=still if base_acceleration is None else base_acceleration,
            floating=True,
        )

    def with_base_from_imu(
        self: StateT,
        orientation: npt.ArrayLike,
        angular_velocity: npt.ArrayLike | None = None,
        *,
        frame: FrameKey | None = None,
        offset: npt.ArrayLike | None = None,
    ) -> StateT:
        """Return a copy with a floating base that is turned, and turns, as an IMU says.

        The base's origin and its linear velocity stay, as does its linear acceleration; what the
        joints between base and IMU contribute is taken out. An IMU does not measure angular
        acceleration: the new base has none.

        Args:
            orientation: Of the IMU, as it reports it: a rotation matrix, shape (3, 3), or a
                quaternion, scalar first, shape (4,).
            angular_velocity: Shape (3,) [rad/s], in the IMU's axes; None: the base's stays.
            frame: Where the IMU is: a tag, or (frame type, index or tag); None: in the base.
            offset: The IMU's own world in ours, shape (3, 3); None: they are the same.

        Raises:
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
            ModelError: If the orientation or offset is no rotation, or anything is not finite.
        """
        if not self.floating:
            free = self.with_(floating=True)
            return free.with_base_from_imu(
                orientation, angular_velocity, frame=frame, offset=offset
            )
        R_world_imu = _rotation(orientation, "orientation")
        if offset is not None:
            R_world_imu = _rotation(offset, "offset") @ R_world_imu
        T = np.array(self.T_world_base)
        R_base_imu, relative = np.eye(3), np.zeros(3)
        V = np.array(self._base_twist)
        if frame is not None:
            place = self._keyed(frame)
            R_base_imu = T[:3, :3].T @ place.R
            relative = T[:3, :3].T @ (self._twist_at(place)[3:] - V[3:])  # base axes
        T[:3, :3] = R_world_imu @ R_base_imu.T
        if angular_velocity is not None:
            turn = finite_numbers(angular_velocity, 3, "angular_velocity")
            V[3:] = R_world_imu @ turn - T[:3, :3] @ relative
        A = np.array(self._acceleration[:6])
        A[3:] = 0.0
        mixed = self.with_(representation=Representation.MIXED).with_base(T, V, A)
        return mixed.with_(representation=self.representation)

    def _base_pose(self, floats: bool) -> FloatArray:
        """Return where the base is, once it is free to move or no longer."""
        if floats and not self.floating and self.model._extras.floating_base is not None:
            return self.pose(self._chosen)
        return self.T_world_base

    def _written(self, kind: Representation) -> tuple[FloatArray, FloatArray]:
        """Return base twist and acceleration in a representation."""
        if kind is self.representation or not self.floating:
            return self.base_twist, self.base_acceleration
        C = twist_change(kind, *self._base_axes)
        return C @ self._base_twist, C @ (self._acceleration[:6] - self._drift(kind))

    def __copy__(self: StateT) -> StateT:
        return self  # frozen, so that sharing is safe

    def __deepcopy__(self: StateT, memo: object) -> StateT:
        return self

    def __reduce__(self: StateT) -> tuple[Callable[..., StateT], tuple[object, ...]]:
        arrays = (self.q, self.v, self.a)
        base = (self.T_world_base, self.base_twist, self.base_acceleration)
        rest = (self.gravity, self.floating, self.representation, self._base_twist)
        return _rebuild, (type(self), self.model, arrays, base, *rest)

    def __repr__(self) -> str:
        """Return how the robot stands, in one line."""
        base = "floating" if self.floating else "fixed"
        q = np.array2string(self.q, precision=4, threshold=12, separator=", ", max_line_width=200)
        moving = "moving" if self._velocity.any() else "at rest"
        return f"<RobotState: {self.model.dof} dof, {base} base, {moving}; q {q}>"


def _rebuild(
    kind: type[StateT],
    model: RobotModel,
    joints: tuple[FloatArray, FloatArray, FloatArray],
    base: tuple[FloatArray, FloatArray, FloatArray],
    gravity: FloatArray,
    floating: bool,
    representation: Representation,
    base_twist: FloatArray,
) -> StateT:
    """Make a state again from what was pickled; the mixed twist keeps every bit the same."""
    state = object.__new__(kind)
    state._fill(model, joints, base, gravity, floating, representation)
    state.__dict__["_base_twist"] = read_only(base_twist)
    return state


def _check_model(model: object) -> None:
    """Refuse what is no model.

    Raises:
        ModelError: If it is none.
    """
    if not isinstance(model, RobotModel):
        raise ModelError(f"model: expected a RobotModel, got {short(model)}")


def _rotation(value: npt.ArrayLike, name: str) -> FloatArray:
    """Return a rotation matrix from one, or from a quaternion, scalar first.

    Raises:
        ModelError: If it is neither.
    """
    numbers = as_numbers(value, name, ())
    T = np.eye(4)
    if numbers.shape == (4,):
        length = float(np.sqrt(numbers @ numbers))
        if abs(length - 1.0) > 1e-3:
            raise ModelError(f"{name}: expected a quaternion of length 1, got length {length:g}")
        w, x, y, z = (numbers / length).tolist()
        T[:3, :3] = [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    elif numbers.shape == (3, 3):
        T[:3, :3] = numbers
    else:
        raise ModelError(
            f"{name}: expected a rotation matrix, shape (3, 3), or a quaternion, scalar first, "
            f"shape (4,), got shape {numbers.shape}"
        )
    return as_pose(T, name)[:3, :3]
