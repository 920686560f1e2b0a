"""Changed copies of a state, one of them as an IMU reports its base."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from armwright.kinematics.arrays import (
    FloatArray,
    JointValues,
    as_orientation,
    finite_numbers,
    true_or_false,
)
from armwright.kinematics.dynamics import one_gravity
from armwright.kinematics.model import RobotModel
from armwright.kinematics.naming import FrameKey
from armwright.kinematics.representation import Representation

from .bodies import array, base_velocity, place_of, twist_at
from .coordinates import base_acceleration
from .data import StateData, StateT, check_model, wanted
from .frames import pose
from .twists import twist_change, twist_change_rate

# What stays the same when the motion does; the twist to the last bit.
_SHARED = (array.name, base_velocity.name, "_fixed_base")


def replace(
    state: StateT,
    *,
    model: RobotModel | None = None,
    q: JointValues | None = None,
    v: JointValues | None = None,
    a: JointValues | None = None,
    T_world_base: npt.ArrayLike | None = None,
    base_twist: npt.ArrayLike | None = None,
    base_acceleration: npt.ArrayLike | None = None,
    gravity: npt.ArrayLike | None = None,
    floating: bool | None = None,
    representation: Representation | str | None = None,
    reference: Representation | str | None = None,
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
        reference: Another word for ``representation``.

    Raises:
        JointVectorError: If q, v or a does not fit.
        ModelError: If anything else does not, or both words for the representation were given.
    """
    written = wanted(state, representation, reference)
    floats = state.floating if floating is None else true_or_false(floating, "floating")
    if model is not None:
        check_model(model)
    twist, acceleration = _written(state, written) if floats else (None, None)
    robot = state.model if model is None else model
    down = state.gravity if gravity is None else one_gravity(gravity)
    changed = object.__new__(type(state))
    changed._fill(
        robot,
        (state.q if q is None else q, state.v if v is None else v, state.a if a is None else a),
        (
            _base_pose(state, floats) if T_world_base is None else T_world_base,
            twist if base_twist is None else base_twist,
            acceleration if base_acceleration is None else base_acceleration,
        ),
        down,
        floats,
        written,
    )
    motion = (model, q, v, T_world_base, base_twist, gravity, floating)
    if all(value is None for value in motion):
        known = state.__dict__
        for name in _SHARED:
            if name in known:
                changed.__dict__[name] = known[name]
    return changed


def with_base(
    state: StateT,
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
    rest = np.zeros(6)
    return replace(
        state,
        T_world_base=T_world_base,
        base_twist=rest if base_twist is None else base_twist,
        base_acceleration=rest if base_acceleration is None else base_acceleration,
        floating=True,
    )


def with_base_from_imu(
    state: StateT,
    orientation: npt.ArrayLike,
    angular_velocity: npt.ArrayLike | None = None,
    *,
    offset: npt.ArrayLike | None = None,
    frame: FrameKey | None = None,
) -> StateT:
    """Return a copy with a floating base that is turned, and turns, as an IMU says.

    The base's origin and its linear velocity stay, as does its linear acceleration; what the
    joints between base and IMU contribute is taken out. An IMU does not measure angular
    acceleration: the new base has none.

    Args:
        orientation: Of the IMU, as it reports it: a rotation matrix, shape (3, 3), or a
            quaternion, scalar first, shape (4,).
        angular_velocity: Shape (3,) [rad/s], in the IMU's axes; None: the base's stays.
        offset: The IMU's own world in ours, as ``orientation``; None: they are the same.
        frame: Where the IMU is: a name, (frame type, index or name) or a ``Frame``; None: in the
            base.

    Raises:
        FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
        ModelError: If the orientation or offset is no rotation, or anything is not finite.
    """
    if not state.floating:
        free = replace(state, floating=True)
        return with_base_from_imu(free, orientation, angular_velocity, offset=offset, frame=frame)
    R_world_imu = as_orientation(orientation, "orientation")
    if offset is not None:
        R_world_imu = as_orientation(offset, "offset") @ R_world_imu
    T = np.array(state.T_world_base)
    R_base_imu, relative = np.eye(3), np.zeros(3)
    V = np.array(base_velocity(state))
    if frame is not None:
        imu = place_of(state, frame)
        R_base_imu = T[:3, :3].T @ imu.R
        relative = T[:3, :3].T @ (twist_at(state, imu)[3:] - V[3:])  # base axes
    T[:3, :3] = R_world_imu @ R_base_imu.T
    if angular_velocity is not None:
        turn = finite_numbers(angular_velocity, 3, "angular_velocity")
        V[3:] = R_world_imu @ turn - T[:3, :3] @ relative
    A = np.array(base_acceleration(state))
    A[3:] = 0.0
    mixed = with_base(replace(state, representation=Representation.MIXED), T, V, A)
    return replace(mixed, representation=state.representation)


def _base_pose(state: StateData, floats: bool) -> FloatArray:
    """Return where the base is, once it is free to move or no longer."""
    chosen = state.model.floating_base
    if chosen is None or bool(floats) is state.floating:
        return state.T_world_base
    return pose(state, frame=chosen) if floats else state._root_pose


def _written(state: StateData, representation: Representation) -> tuple[FloatArray, FloatArray]:
    """Return base twist and acceleration in a representation."""
    if representation is state.representation or not state.floating:
        return state.base_twist, state.base_acceleration
    R, p = state.T_world_base[:3, :3], state.T_world_base[:3, 3]
    V = base_velocity(state)
    change = twist_change(representation, R, p)
    rate = twist_change_rate(representation, R, V)
    return change @ V, change @ base_acceleration(state) + rate @ V
