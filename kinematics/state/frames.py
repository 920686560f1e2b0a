"""Frames of a state: where they are, how they move, and how that follows from the joints.

Arguments that name one frame are those of ``RobotModel``: a frame type with an index or tag, and
the end effector when there are none; a tag alone is the output frame of that element, for an end
effector its tool frame. Instead of the frame type there may be one key, a tag or (frame type, index
or tag); where one argument names a frame, it is a key.

Where they are the same for all, a docstring does not repeat them:
    frame_type, index, tag: Which frame.
    point: Use this point of the frame instead of its origin, shape (3,) [m], in its coordinates.
    expressed_in: Turn mixed numbers into the axes of this frame, whatever the representation.
    representation: How to write twist or acceleration, and the base's, which columns and biases are
        for; None: as the state.
Every function raises ``FrameNotFoundError`` if there is no such frame, or it is not clear which is
meant, and ``ModelError`` if a point is not three finite numbers or there is no such representation.
"""

import numpy as np
import numpy.typing as npt

from armwright.kinematics.arrays import FloatArray
from armwright.kinematics.engine import lazy
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.model import RobotModel
from armwright.kinematics.naming import frame_of, one_frame
from armwright.kinematics.representation import Representation
from armwright.kinematics.robot import POSES

from .bodies import (
    MOTION,
    PlacedFrame,
    array,
    bias_at,
    body_poses,
    motions_of,
    placed,
    twist_at,
)
from .cached import cached, cached_with_whole
from .coordinates import Coordinates, coordinates, root_acceleration, to_bias, to_columns
from .data import StateData, wanted
from .twists import ONES, shift, turn_both, twist_change, twist_change_rate

_KERNELS = "armwright.kinematics._kernels.dynamics_terms"
_frame_pose = lazy(__name__, "_frame_pose", _KERNELS)
_frame_jacobian = lazy(__name__, "_frame_jacobian", _KERNELS)

FrameKey = str | tuple[FrameType | str, int | str]
"""One frame: a tag, which is the output frame of that element (for an end effector its tool
frame), or (frame type, index or tag)."""

FrameArgument = FrameType | FrameKey | None
"""A frame type, to go with an index or tag; or a key. A text is a frame type before it is a tag."""


def pose(
    state: StateData,
    frame_type: FrameArgument = None,
    index: int | None = None,
    tag: str | None = None,
) -> FloatArray:
    """Compute where a frame is.

    Args:
        frame_type: Which kind of frame; or one key, a tag or (frame type, index or tag); None:
            end effectors, or the output frame of a tag.
        index: Which frame of that kind, from 0; not needed when there is only one.
        tag: The same by the tag of its element.

    Returns:
        T_world_frame, shape (4, 4).

    Raises:
        FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
    """
    if state._layout is not None:
        T = np.empty((4, 4))
        _frame_pose(state._rows, state._fixed_base, _row(state, frame_type, index, tag), T)
        return T
    frame = place(state, frame_type, index, tag)
    return pose_matrix(frame.R, frame.p)


def poses(state: StateData, frame_type: FrameType | str | list[FrameKey]) -> FloatArray:
    """Compute where all frames of one type are, or those of a list.

    Args:
        frame_type: Which type of frame; n is how many the robot has. Or a list of n keys.

    Returns:
        T_world_frame of each, shape (n, 4, 4).
    """
    if isinstance(frame_type, list):
        frames = [place_of(state, key) for key in frame_type]
        some = [pose_matrix(frame.R, frame.p) for frame in frames]
        return np.array(some).reshape(len(some), 4, 4)
    table = state.model._pose_tables[FrameType.parse(frame_type)][0]
    bodies = body_poses(state)[table[:, 0].astype(int)]
    local = table[:, 1:].reshape(-1, 3, 4)
    Ts = np.zeros((len(table), 4, 4))
    Ts[:, :3] = bodies[:, :, :3] @ local
    Ts[:, :3, 3] += bodies[:, :, 3]
    Ts[:, 3, 3] = 1.0
    return Ts


def position(
    state: StateData,
    frame_type: FrameArgument = None,
    index: int | None = None,
    tag: str | None = None,
    *,
    point: npt.ArrayLike | None = None,
    reference: FrameKey | None = None,
) -> FloatArray:
    """Compute where a frame's origin is, or a point that is fixed in the frame.

    Args:
        point: Coordinates in the frame, shape (3,) [m]; None: its origin.
        reference: The frame whose coordinates are wanted; None: the world.

    Returns:
        Shape (3,) [m].
    """
    p = place(state, frame_type, index, tag, point).p
    if reference is None:
        return p.copy()
    origin = place_of(state, reference)
    return origin.R.T @ (p - origin.p)


def orientation(
    state: StateData,
    frame_type: FrameArgument = None,
    index: int | None = None,
    tag: str | None = None,
    *,
    reference: FrameKey | None = None,
) -> FloatArray:
    """Compute how a frame is turned.

    Args:
        reference: The frame in whose axes; None: those of the world.

    Returns:
        R_reference_frame, shape (3, 3): it turns coordinates of the frame into those axes.
    """
    R = place(state, frame_type, index, tag).R
    return R.copy() if reference is None else place_of(state, reference).R.T @ R


def twist(
    state: StateData,
    frame_type: FrameArgument = None,
    index: int | None = None,
    tag: str | None = None,
    *,
    point: npt.ArrayLike | None = None,
    expressed_in: FrameKey | None = None,
    representation: Representation | str | None = None,
) -> FloatArray:
    """Compute how a frame, or a point of it, moves.

    Returns:
        Shape (6,): linear [m/s], angular [rad/s].
    """
    if _mixed_at_origin(state, point, expressed_in, representation):
        return _quick_jacobian(state, frame_type, index, tag) @ state.v
    frame = place(state, frame_type, index, tag, point)
    written = wanted(state, representation)
    return _change(state, frame, expressed_in, written) @ twist_at(state, frame)


def acceleration(
    state: StateData,
    frame_type: FrameArgument = None,
    index: int | None = None,
    tag: str | None = None,
    *,
    point: npt.ArrayLike | None = None,
    expressed_in: FrameKey | None = None,
    representation: Representation | str | None = None,
) -> FloatArray:
    """Compute the acceleration of a frame: the time derivative of its twist.

    In ``expressed_in`` axes it is the mixed acceleration, turned: what the point really has.

    Returns:
        Shape (6,): linear [m/s^2], angular [rad/s^2]. Gravity is not in it.
    """
    frame = place(state, frame_type, index, tag, point)
    A = bias_at(state, frame) + _jacobian_at(state, frame, None) @ root_acceleration(state)
    return _derivative(state, frame, A, expressed_in, wanted(state, representation))


def bias_acceleration(
    state: StateData,
    frame_type: FrameArgument = None,
    index: int | None = None,
    tag: str | None = None,
    *,
    point: npt.ArrayLike | None = None,
    expressed_in: FrameKey | None = None,
    representation: Representation | str | None = None,
) -> FloatArray:
    """Compute the acceleration that velocities alone cause: (dJ/dt) times the velocity.

    The acceleration is J times the generalized acceleration, plus this.

    Returns:
        Shape (6,): linear [m/s^2], angular [rad/s^2].
    """
    frame = place(state, frame_type, index, tag, point)
    written = wanted(state, representation)
    A, change = bias_at(state, frame), coordinates(state, written)
    if change is not None:
        A = to_bias(A, _jacobian_at(state, frame, None), change)
    return _derivative(state, frame, A, expressed_in, written)


def jacobian(
    state: StateData,
    frame_type: FrameArgument = None,
    index: int | None = None,
    tag: str | None = None,
    *,
    point: npt.ArrayLike | None = None,
    expressed_in: FrameKey | None = None,
    representation: Representation | str | None = None,
) -> FloatArray:
    """Compute the Jacobian of a frame: its twist is J times the generalized velocity.

    Returns:
        Shape (6, size); six columns for a free base, then one for each joint. Joints that do not
        move the frame have columns of zeros, as have those that move the base along with it.
    """
    if _mixed_at_origin(state, point, expressed_in, representation):
        return _quick_jacobian(state, frame_type, index, tag)
    frame = place(state, frame_type, index, tag, point)
    written = wanted(state, representation)
    J = _jacobian_at(state, frame, coordinates(state, written))
    if expressed_in is None and written is Representation.MIXED:
        return J
    return _change(state, frame, expressed_in, written) @ J


def gravity_in(
    state: StateData,
    frame_type: FrameArgument = None,
    index: int | None = None,
    tag: str | None = None,
) -> FloatArray:
    """Turn the acceleration of free fall into the axes of a frame, shape (3,) [m/s^2]."""
    return place(state, frame_type, index, tag).R.T @ state.gravity


@cached
def joint_poses(state: StateData) -> FloatArray:
    """Where the bodies of all joints are, shape (dof, 4, 4): T_world_body of each.

    A joint's body is all parts up to the next joint; its frame sits in the joint and moves
    with it, z along the joint's positive direction.
    """
    if state._layout is not None:
        return state._fixed_base[POSES].reshape(-1, 4, 4)
    Ts = np.zeros((state.model.dof, 4, 4))
    Ts[:, :3] = body_poses(state)[1:]
    Ts[:, 3, 3] = 1.0
    return Ts


@cached_with_whole
def joint_motions(state: StateData) -> FloatArray:
    """How each joint alone moves all that hangs on it, per unit of its velocity, (6, dof).

    Twists in the inertial representation, whatever the state's: linear of the point at the
    world's origin, angular. Where all joints move a frame, these are the joints' columns of
    its Jacobian in that representation.
    """
    motions = array(state)[1:, MOTION].T
    return shift(-state._root_pose[:3, 3]) @ motions


@cached
def postural_jacobian(state: StateData) -> FloatArray:
    """What maps the generalized velocity to v: zeros for a free base, ones, (dof, size)."""
    return np.eye(state.model.dof, state.size, state.size - state.model.dof)


def frame_number(
    model: RobotModel,
    frame_type: object = None,
    index: object = None,
    tag: object = None,
    *,
    key: bool = False,
) -> tuple[FrameType, int]:
    """Resolve what names one frame; all methods of a state come this way.

    Args:
        model: The robot.
        frame_type: Frame type or key; None: end effectors, or the output frame of a tag.
        index: Number among the frames of that type.
        tag: Tag of the frame's element.
        key: Whether the argument stands alone, so that a text is a tag, never a frame type.

    Raises:
        FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
    """
    if key and frame_type is not None:
        return frame_of(model, frame_type, "frame")
    return one_frame(model, frame_type, index, tag)


def place(
    state: StateData,
    frame_type: object = None,
    index: object = None,
    tag: object = None,
    point: npt.ArrayLike | None = None,
) -> PlacedFrame:
    """Find the frame that the arguments of a method name; ``point`` moves its origin."""
    return placed(state, frame_number(state.model, frame_type, index, tag), point)


def place_of(state: StateData, key: FrameKey | None) -> PlacedFrame:
    """Find a frame by its key; None: the end effector."""
    return placed(state, frame_number(state.model, key, key=True))


def pose_matrix(R: FloatArray, p: FloatArray) -> FloatArray:
    """Return a pose, shape (4, 4)."""
    T = np.eye(4)
    T[:3, :3] = R
    T[:3, 3] = p
    return T


def _jacobian_at(state: StateData, frame: PlacedFrame, change: Coordinates | None) -> FloatArray:
    """Return the Jacobian of a frame, mixed, for the velocities of some coordinates, (6, size)."""
    to_frame = shift(frame.p - state._root_pose[:3, 3])
    motions = motions_of(state, frame.body).T
    if not state.floating:
        return to_frame @ motions
    if change is None:
        return np.hstack([to_frame, to_frame @ motions])
    return to_frame @ to_columns(np.hstack([ONES, motions]), change)  # here, zeros stay exact


def _mixed_at_origin(
    state: StateData, point: object, expressed_in: object, representation: object
) -> bool:
    """Say whether what is asked for of a frame with a fixed base is mixed, at its origin."""
    return (
        state._layout is not None
        and point is None
        and expressed_in is None
        and (representation is None or representation is Representation.MIXED)
    )


def _quick_jacobian(state: StateData, frame_type: object, index: object, tag: object) -> FloatArray:
    """Return the mixed Jacobian of a frame with a fixed base, (6, dof)."""
    J = np.empty((6, state.model.dof))
    _frame_jacobian(state._rows, state._fixed_base, _row(state, frame_type, index, tag), J)
    return J


def _row(state: StateData, frame_type: object, index: object, tag: object) -> FloatArray:
    """Return the row of a frame in its table: body, placement; (13,)."""
    found, number = frame_number(state.model, frame_type, index, tag)
    row: FloatArray = state.model._pose_tables[found][0][number]
    return row


def _change(
    state: StateData,
    frame: PlacedFrame,
    expressed_in: FrameKey | None,
    representation: Representation,
) -> FloatArray:
    """Return the matrix from mixed twists of a frame to the ones that are wanted."""
    if expressed_in is not None:
        return turn_both(place_of(state, expressed_in).R.T)
    return twist_change(representation, frame.R, frame.p)


def _derivative(
    state: StateData,
    frame: PlacedFrame,
    A: FloatArray,
    expressed_in: FrameKey | None,
    representation: Representation,
) -> FloatArray:
    """Return a mixed acceleration as it is wanted."""
    result = _change(state, frame, expressed_in, representation) @ A
    if expressed_in is None and representation is not Representation.MIXED:
        V = twist_at(state, frame)
        result += twist_change_rate(representation, frame.R, V) @ V
    return result
