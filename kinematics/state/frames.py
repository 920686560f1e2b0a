"""Frames of a state: where they are, how they move, and how that follows from the joints.

Arguments that name one frame are those of ``RobotModel``, and mean the same. Where they are the
same for all, a docstring does not repeat them:
    frame_type, index, tag: A type of frame with an index or tag, the end effector when there are
        none; or, as the first argument alone, what ``frame`` takes.
    frame: Alone: a name, which is one of ``model.frame_names()`` or a tag; (frame type, index) such
        as a ``Frame``; or (frame type, name). Where another argument names a frame, it takes these.
    point: Use this point of the frame instead of its origin, shape (3,) [m], in its coordinates.
    expressed_in: Turn mixed numbers into the axes of this frame, whatever the representation.
    representation: How to write twist or acceleration, and the base's, which columns and biases are
        for; ``Representation`` lists the words. None: as the state.
    reference: Another word for ``representation``; of ``position`` and ``orientation``, a frame.
    out: Array to fill with the result; None: a fresh one.
Every function raises ``FrameNotFoundError`` if there is no such frame, it is not clear which is
meant, or ``frame`` came with another way to name it; and ``ModelError`` if a point is not three
finite numbers, there is no such representation, both words for it were given, or ``out`` cannot be
filled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from armwright.kinematics.arrays import FloatArray, array_to_fill, filled
from armwright.kinematics.engine import lazy
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.naming import FrameKey, find_frame
from armwright.kinematics.representation import Representation

from .bodies import PlacedFrame, bias_at, body_poses, motions_of, place, place_of, twist_at
from .coordinates import Coordinates, coordinates, root_acceleration, to_bias, to_columns
from .data import StateData, wanted
from .momentum import com
from .twists import ONES, shift, turn_both, twist_change, twist_change_rate

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.kinematics._kernels import dynamics_terms as _dynamics_terms_kernels  # noqa: F401

_KERNELS = "armwright.kinematics._kernels.dynamics_terms"
_frame_pose = lazy(__name__, "_frame_pose", _KERNELS)
_frame_jacobian = lazy(__name__, "_frame_jacobian", _KERNELS)

FrameArgument = FrameType | FrameKey | None
"""A frame type, to go with an index or tag; or a frame. A text is a type before it is a name."""


def pose(
    state: StateData,
    frame_type: FrameArgument = None,
    index: int | None = None,
    tag: str | None = None,
    frame: FrameKey | None = None,
    *,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute where a frame is.

    Args:
        frame_type: Which type of frame; or, alone, what ``frame`` takes. None: end effectors.
        index: Which frame of that type, from 0; not needed when there is only one.
        tag: The same by the tag of its element; without a type, what it means as a name.
        frame: The same by itself: its name, (frame type, index or name) or a ``Frame``.
        out: Array to fill, shape (4, 4).

    Returns:
        T_world_frame, shape (4, 4).

    Raises:
        FrameNotFoundError: If there is no such frame, it is not clear which is meant, or
            ``frame`` came with one of the others.
        ModelError: If ``out`` cannot be filled.

    Example:
        >>> state.pose(frame="J3_elbow").shape
        (4, 4)
    """
    if state._layout is not None:
        T = np.empty((4, 4)) if out is None else array_to_fill(out, (4, 4))
        row = _row(state, frame_type, index, tag, frame)
        _frame_pose(state._rows, state._fixed_base, row, T)
        return T if out is None else out
    found = place(state, frame_type, index, tag, frame)
    return filled(out, pose_matrix(found.R, found.p))


def poses(
    state: StateData,
    frame_type: FrameType | str | list[FrameKey],
    *,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute where all frames of one type are, or those of a list.

    Args:
        frame_type: Which type of frame; n is how many the robot has. Or a list of n frames.

    Returns:
        T_world_frame of each, shape (n, 4, 4).
    """
    if isinstance(frame_type, list):
        frames = [place_of(state, key) for key in frame_type]
        some = [pose_matrix(one.R, one.p) for one in frames]
        return filled(out, np.array(some).reshape(len(some), 4, 4))
    table = state.model._pose_tables[FrameType.parse(frame_type)][0]
    bodies = body_poses(state)[table[:, 0].astype(int)]
    local = table[:, 1:].reshape(-1, 3, 4)
    Ts = np.zeros((len(table), 4, 4))
    Ts[:, :3] = bodies[:, :, :3] @ local
    Ts[:, :3, 3] += bodies[:, :, 3]
    Ts[:, 3, 3] = 1.0
    return Ts if out is None else filled(out, Ts)


def position(
    state: StateData,
    frame_type: FrameArgument = None,
    index: int | None = None,
    tag: str | None = None,
    *,
    point: npt.ArrayLike | None = None,
    reference: FrameKey | None = None,
    frame: FrameKey | None = None,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute where a frame's origin is, or a point that is fixed in the frame.

    Args:
        point: Coordinates in the frame, shape (3,) [m]; None: its origin.
        reference: The frame whose coordinates are wanted; None: the world.

    Returns:
        Shape (3,) [m].
    """
    p = place(state, frame_type, index, tag, frame, point).p
    if reference is None:
        return filled(out, p.copy())
    origin = place_of(state, reference, "reference")
    return filled(out, origin.R.T @ (p - origin.p))


def orientation(
    state: StateData,
    frame_type: FrameArgument = None,
    index: int | None = None,
    tag: str | None = None,
    *,
    reference: FrameKey | None = None,
    frame: FrameKey | None = None,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute how a frame is turned.

    Args:
        reference: The frame in whose axes; None: those of the world.

    Returns:
        R_reference_frame, shape (3, 3): it turns coordinates of the frame into those axes.
    """
    R = place(state, frame_type, index, tag, frame).R
    if reference is None:
        return filled(out, R.copy())
    return filled(out, place_of(state, reference, "reference").R.T @ R)


def twist(
    state: StateData,
    frame_type: FrameArgument = None,
    index: int | None = None,
    tag: str | None = None,
    *,
    point: npt.ArrayLike | None = None,
    expressed_in: FrameKey | None = None,
    representation: Representation | str | None = None,
    reference: Representation | str | None = None,
    frame: FrameKey | None = None,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute how a frame, or a point of it, moves.

    Returns:
        Shape (6,): linear [m/s], angular [rad/s].
    """
    if _mixed_at_origin(state, point, expressed_in, representation, reference):
        return filled(out, _quick_jacobian(state, frame_type, index, tag, frame, None) @ state.v)
    found = place(state, frame_type, index, tag, frame, point)
    written = wanted(state, representation, reference)
    return filled(out, _change(state, found, expressed_in, written) @ twist_at(state, found))


def acceleration(
    state: StateData,
    frame_type: FrameArgument = None,
    index: int | None = None,
    tag: str | None = None,
    *,
    point: npt.ArrayLike | None = None,
    expressed_in: FrameKey | None = None,
    representation: Representation | str | None = None,
    reference: Representation | str | None = None,
    frame: FrameKey | None = None,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute the acceleration of a frame: the time derivative of its twist.

    In ``expressed_in`` axes it is the mixed acceleration, turned: what the point really has.

    Returns:
        Shape (6,): linear [m/s^2], angular [rad/s^2]. Gravity is not in it.
    """
    found = place(state, frame_type, index, tag, frame, point)
    A = bias_at(state, found) + _jacobian_at(state, found, None) @ root_acceleration(state)
    written = wanted(state, representation, reference)
    return filled(out, _derivative(state, found, A, expressed_in, written))


def bias_acceleration(
    state: StateData,
    frame_type: FrameArgument = None,
    index: int | None = None,
    tag: str | None = None,
    *,
    point: npt.ArrayLike | None = None,
    expressed_in: FrameKey | None = None,
    representation: Representation | str | None = None,
    reference: Representation | str | None = None,
    frame: FrameKey | None = None,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute the acceleration that velocities alone cause: (dJ/dt) times the velocity.

    The acceleration is J times the generalized acceleration, plus this.

    Returns:
        Shape (6,): linear [m/s^2], angular [rad/s^2].
    """
    found = place(state, frame_type, index, tag, frame, point)
    written = wanted(state, representation, reference)
    A, change = bias_at(state, found), coordinates(state, written)
    if change is not None:
        A = to_bias(A, _jacobian_at(state, found, None), change)
    return filled(out, _derivative(state, found, A, expressed_in, written))


def jacobian(
    state: StateData,
    frame_type: FrameArgument = None,
    index: int | None = None,
    tag: str | None = None,
    *,
    point: npt.ArrayLike | None = None,
    expressed_in: FrameKey | None = None,
    representation: Representation | str | None = None,
    reference: Representation | str | None = None,
    frame: FrameKey | None = None,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute the Jacobian of a frame: its twist is J times the generalized velocity.

    Returns:
        Shape (6, size); six columns for a free base, then one for each joint. Joints that do not
        move the frame have columns of zeros, as have those that move the base along with it.
    """
    if _mixed_at_origin(state, point, expressed_in, representation, reference):
        return _quick_jacobian(state, frame_type, index, tag, frame, out)
    found = place(state, frame_type, index, tag, frame, point)
    written = wanted(state, representation, reference)
    J = _jacobian_at(state, found, coordinates(state, written))
    if expressed_in is None and written is Representation.MIXED:
        return filled(out, J)
    return filled(out, _change(state, found, expressed_in, written) @ J)


def gravity_in(
    state: StateData,
    frame_type: FrameArgument = None,
    index: int | None = None,
    tag: str | None = None,
    frame: FrameKey | None = None,
) -> FloatArray:
    """Turn the acceleration of free fall into the axes of a frame, shape (3,) [m/s^2]."""
    return place(state, frame_type, index, tag, frame).R.T @ state.gravity


def com_in(
    state: StateData,
    frame_type: FrameArgument = None,
    index: int | None = None,
    tag: str | None = None,
    frame: FrameKey | None = None,
) -> FloatArray:
    """Compute where the center of mass is in the coordinates of a frame, shape (3,) [m].

    Raises:
        FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
        ModelError: If the robot has no mass.
    """
    found = place(state, frame_type, index, tag, frame)
    return found.R.T @ (com(state) - found.p)


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
    state: StateData,
    point: object,
    expressed_in: object,
    representation: object,
    reference: object,
) -> bool:
    """Say whether what is asked for of a frame with a fixed base is mixed, at its origin."""
    return (
        state._layout is not None
        and point is expressed_in is reference is None
        and (representation is None or representation is Representation.MIXED)
    )


def _quick_jacobian(
    state: StateData,
    frame_type: object,
    index: object,
    tag: object,
    frame: object,
    out: FloatArray | None,
) -> FloatArray:
    """Return the mixed Jacobian of a frame with a fixed base, (6, dof)."""
    shape = (6, state.model.dof)
    J = np.empty(shape) if out is None else array_to_fill(out, shape)
    row = _row(state, frame_type, index, tag, frame)
    _frame_jacobian(state._rows, state._fixed_base, row, J)
    return J if out is None else out


def _row(
    state: StateData, frame_type: object, index: object, tag: object, frame: object
) -> FloatArray:
    """Return the row of a frame in its table: body, placement; (13,)."""
    model = state.model
    found, number = find_frame(model, frame_type, index, tag, frame)
    row: FloatArray = model._pose_tables[found][0][number]
    return row


def _change(
    state: StateData,
    frame: PlacedFrame,
    expressed_in: FrameKey | None,
    representation: Representation,
) -> FloatArray:
    """Return the matrix from mixed twists of a frame to the ones that are wanted."""
    if expressed_in is not None:
        return turn_both(place_of(state, expressed_in, "expressed_in").R.T)
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
