"""What a state holds, checked once: the base of ``RobotState``.

What follows from it is in one file per topic, as functions of a state; ``robot_state.py`` puts
them together. Nothing here changes after construction.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import hypot
from types import FunctionType
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
from numpy import empty, ndarray

from armwright.errors import JointVectorError, ModelError
from armwright.kinematics.arrays import (
    FLOAT,
    LARGEST,
    FloatArray,
    JointValues,
    as_pose,
    finite_numbers,
    is_row,
    joint_vector,
    one_of,
    short,
)
from armwright.kinematics.dynamics import one_gravity
from armwright.kinematics.engine import lazy
from armwright.kinematics.model import RobotModel
from armwright.kinematics.naming import Frame, Topology, topology_of
from armwright.kinematics.representation import Representation
from armwright.kinematics.robot import GRAVITY, PLACEMENT, FixedBaseLayout
from armwright.kinematics.transforms import invert

from .cached import cached

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.kinematics._kernels import dynamics_terms as _dynamics_terms_kernels  # noqa: F401

StateT = TypeVar("StateT", bound="StateData")

_terms = lazy(__name__, "_terms", "armwright.kinematics._kernels.dynamics_terms")
_MIXED = Representation.MIXED


@lru_cache(maxsize=64)
def _zeros(count: int) -> FloatArray:
    """Return read-only zeros."""
    zeros = np.zeros(count)
    zeros.setflags(write=False)
    return zeros


_AT_REST = _zeros(6)
_FIELDS = ("position", "velocity", "position_command", "velocity_command")


class Feedback(Protocol):
    """What ``RobotState.from_feedback`` reads, such as ``devices.GroupFeedback``."""

    @property
    def position(self) -> FloatArray:
        """Joint positions, shape (dof,)."""

    @property
    def velocity(self) -> FloatArray:
        """Joint velocities, shape (dof,)."""


class StateData:
    """Data of a robot state. Frozen: attributes cannot be set, arrays are read-only.

    ``RobotState`` tells what each of them is.
    """

    model: RobotModel
    base_twist: FloatArray = _AT_REST
    base_acceleration: FloatArray = _AT_REST
    floating: bool = False
    representation: Representation = _MIXED
    _layout: FixedBaseLayout | None  # of the array of a fixed base; None where it does not serve

    def __init__(
        self,
        model: RobotModel,
        q: JointValues,
        v: JointValues | None = None,
        a: JointValues | None = None,
        *,
        T_world_base: npt.ArrayLike | None = None,
        base_twist: npt.ArrayLike | None = None,
        base_acceleration: npt.ArrayLike | None = None,
        gravity: npt.ArrayLike | None = None,
        floating: bool | None = None,
        representation: Representation | str | None = None,
        reference: Representation | str | None = None,
    ) -> None:
        # The usual case: one kernel call checks and copies q and v, and computes what is asked for
        # most, in less time than numpy takes to check and copy. What does not fit goes on below.
        if (
            T_world_base is base_twist is base_acceleration is gravity is floating is None
            and reference is None
            and (representation is None or representation is _MIXED)
            and model.__class__ is RobotModel
            and q.__class__ is ndarray
            and q.dtype is FLOAT
        ):
            layout = model._plan
            if layout is not None and layout.fixed_base:
                v = layout.zeros if v is None else v
                if v.__class__ is ndarray and v.dtype is FLOAT:
                    try:
                        terms = empty(layout.shape)
                        _terms(model._rows, q, v, terms)
                        terms.setflags(write=False)
                        known = self.__dict__
                        known["model"] = model
                        known["_layout"] = layout
                        known["_fixed_base"] = terms
                        if a is not None:
                            known["a"] = kept_joints(a, model, "a")
                        return
                    except (TypeError, ValueError):
                        pass
        check_model(model)
        if floating is None:
            floating = model._annotations.free_flyer
        down = None if gravity is None else one_gravity(gravity)
        base = (T_world_base, base_twist, base_acceleration)
        written = Representation.choose(reference, representation)
        self._fill(model, (q, v, a), base, down, floating, written)

    @classmethod
    def from_feedback(
        cls: type[StateT],
        model: RobotModel,
        feedback: Feedback,
        *,
        fields: Sequence[str] = ("position", "velocity"),
    ) -> StateT:
        """Make a state from what a group reports; ``replace`` adds base and accelerations.

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
        check_model(model)
        if not isinstance(fields, str) and not is_row(fields):
            raise ModelError(f"fields: expected names of fields, got {short(fields)}")
        found: dict[str, npt.ArrayLike] = {}
        for field in [fields] if isinstance(fields, str) else fields:
            name = one_of(field, _FIELDS, "fields")
            quantity = name.partition("_")[0]
            if quantity in found:
                raise ModelError(f"fields: expected one {quantity}, got {short(list(fields))}")
            given: Any = getattr(feedback, name, None)
            found[quantity] = model._joint_vector(given, name)
        if "position" not in found:
            raise ModelError(
                "fields: expected 'position' or 'position_command' among them, got "
                f"{short(list(fields))}"
            )
        return cls(model, found["position"], found.get("velocity"))

    def _fill(
        self,
        model: RobotModel,
        joints: tuple[JointValues | None, JointValues | None, JointValues | None],
        base: tuple[npt.ArrayLike | None, npt.ArrayLike | None, npt.ArrayLike | None],
        gravity: FloatArray | None,
        floating: object,
        representation: Representation,
    ) -> None:
        """Check and set every attribute; the only place that does, but for the quick one above.

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
        rows, pose, twist, acceleration = model._rows, model.base_frame, _AT_REST, _AT_REST
        T, V, A = base
        if not (gravity is None and T is None and V is None and A is None):
            rows = rows.copy()
            if gravity is not None:
                rows[0, GRAVITY] = gravity
            if T is not None:
                pose = as_pose(T, "T_world_base")
                pose.setflags(write=False)
                rows[0, PLACEMENT] = pose[:3].ravel()
            twist, acceleration = _base_motion((V, A), floating)
        values = self.__dict__
        values["model"] = model
        if joints[0] is None:
            raise JointVectorError(f"q: expected {dof} joint values, got None")
        values["q"] = kept_joints(joints[0], model, "q")
        values["v"] = kept_joints(joints[1], model, "v")
        values["a"] = kept_joints(joints[2], model, "a")
        values["base_twist"] = twist
        values["base_acceleration"] = acceleration
        values["floating"] = floating
        values["representation"] = representation
        root = pose
        if floating and self._chosen is not None:
            root, pose = _root_and_base(self, None if T is None else pose)
            rows = rows.copy()
            rows[0, PLACEMENT] = root[:3].ravel()
        values["T_world_base"], values["_root_pose"] = pose, root
        if rows is not model._rows:
            values["_own_rows"] = rows
        usual = representation is _MIXED and not floating
        values["_layout"] = model._plan if usual else None

    def __init_subclass__(cls, **options: Any) -> None:
        """Name the functions of a table as its methods, for tracebacks and messages."""
        super().__init_subclass__(**options)
        for name, value in {**vars(StateData), **vars(cls)}.items():
            function = getattr(value, "__func__", value)
            bare = function.__name__ if isinstance(function, FunctionType) else None
            if bare and function.__qualname__ in (bare, f"StateData.{bare}"):
                function.__qualname__ = f"{cls.__qualname__}.{name}"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"a state cannot be changed (tried to set {name!r}); replace returns a changed copy"
        )

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a state cannot be changed (tried to delete {name!r})")

    @property
    def _rows(self) -> FloatArray:
        """The model's rows, with base and gravity of the state."""
        own: FloatArray | None = self.__dict__.get("_own_rows")
        return self.model._rows if own is None else own

    @property
    def _chosen(self) -> Frame | None:
        """The frame that the model chose as its floating base; None: the root."""
        return self.model.floating_base if self.floating else None

    @cached
    def _fixed_base(self) -> FloatArray:
        """All that a fixed base is asked for most, in one array; see ``FixedBaseLayout``."""
        layout = self._layout
        assert layout is not None
        terms = empty(layout.shape)
        _terms(self._rows, self.q, self.v, terms)
        return terms

    @cached
    def q(self) -> FloatArray:
        """Joint positions, shape (dof,) [rad or m]."""
        q: FloatArray = self._fixed_base[0]
        return q

    @cached
    def v(self) -> FloatArray:
        """Joint velocities, shape (dof,)."""
        v: FloatArray = self._fixed_base[1]
        return v

    @cached
    def a(self) -> FloatArray:
        """Joint accelerations, shape (dof,)."""
        return _zeros(self.model.dof)

    @cached
    def T_world_base(self) -> FloatArray:
        """Where the base is, shape (4, 4)."""
        return self.model.base_frame

    @cached
    def _root_pose(self) -> FloatArray:
        """Where the frame is that the robot was described from, shape (4, 4)."""
        return self.T_world_base

    @cached
    def size(self) -> int:
        """How many velocities there are: dof, or dof + 6."""
        return self.model.dof + 6 if self.floating else self.model.dof

    @cached
    def gravity(self) -> FloatArray:
        """Acceleration of free fall in world axes, shape (3,) [m/s^2]."""
        return self._rows[0, GRAVITY].copy()

    @cached
    def topology(self) -> Topology:
        """How the joints hang together; v_starts and the names of velocities fit this state."""
        return topology_of(self.model, self.floating)

    @cached
    def velocity_names(self) -> tuple[str, ...]:
        """Name of each number of the generalized velocity: the base's six first, when it floats."""
        return self.topology.velocity_names

    @cached
    def generalized_velocity(self) -> FloatArray:
        """Base twist (when floating), then v: shape (size,). Every Jacobian multiplies it."""
        return np.concatenate([self.base_twist, self.v]) if self.floating else self.v

    @cached
    def generalized_acceleration(self) -> FloatArray:
        """Base acceleration (when floating), then a: shape (size,)."""
        return np.concatenate([self.base_acceleration, self.a]) if self.floating else self.a


def wanted(state: StateData, representation: object, reference: object = None) -> Representation:
    """Return the representation that either argument means; None: that of the state.

    Raises:
        ModelError: If both were given, or there is no such one.
    """
    return Representation.choose(reference, representation, state.representation)


def check_model(model: object) -> None:
    """Refuse what is no model.

    Raises:
        ModelError: If it is none.
    """
    if not isinstance(model, RobotModel):
        raise ModelError(f"model: expected a RobotModel, got {short(model)}")


def kept_joints(value: JointValues | None, model: RobotModel, name: str) -> FloatArray:
    """Return joint values as a read-only copy, shape (dof,); zeros for None."""
    dof = model.dof
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
    checked = joint_vector(value, dof, name, joints=model.joint_names)
    checked.setflags(write=False)
    return checked


def _root_and_base(state: StateData, T: FloatArray | None) -> tuple[FloatArray, FloatArray]:
    """Return where root and chosen base are; T None: as when the robot stands on its base frame."""
    assert state._chosen is not None
    frame_type, number = state._chosen
    place = state.model.forward_kinematics(frame_type, state.q)[number]
    if T is None:
        place.setflags(write=False)
        return state.model.base_frame, place
    root = np.asarray(T @ invert(place) @ state.model.base_frame)
    root.setflags(write=False)
    return root, T


def _base_motion(
    motion: tuple[npt.ArrayLike | None, npt.ArrayLike | None], floating: object
) -> tuple[FloatArray, FloatArray]:
    """Return twist and acceleration of the base, checked.

    Raises:
        ModelError: If one is not six finite numbers, or a fixed base moves.
    """
    found = []
    for name, value in zip(("base_twist", "base_acceleration"), motion, strict=True):
        six = _AT_REST if value is None else finite_numbers(value, 6, name)
        if not floating and six.any():
            raise ModelError(
                f"{name}: expected zeros, as a fixed base stands still, got {six.tolist()}. "
                "Is floating=True missing?"
            )
        found.append(six)
    return found[0], found[1]
