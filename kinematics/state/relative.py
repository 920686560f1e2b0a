"""One frame as seen from another one: the reference takes the place of the world.

All of it is what an observer sees who moves and turns with the reference and knows of nothing
else. A mixed relative twist so has the reference's axes, an inertial one is for the point that is
at the reference's origin. How a free base moves makes no difference: Jacobians have one column for
each joint, also when the base is free; with ``full`` six columns of zeros stand before these.

All take the same arguments, so that docstrings do not repeat them:
    frame: A name, (frame type, index or name) or a ``Frame``; None: the end effector.
    reference: The same: the observer.
    representation: Mixed: the reference's axes, at the frame's origin; body: the frame's own;
        inertial: at the reference's origin; in any word of ``Representation``. None: as the state.
    out: Array to fill with the result; None: a fresh one.
They raise ``FrameNotFoundError`` if there is no such frame, or it is not clear which is meant, and
``ModelError`` if there is no such representation, or ``out`` cannot be filled.
"""

from __future__ import annotations

import numpy as np

from armwright.kinematics.arrays import FloatArray, filled, true_or_false
from armwright.kinematics.naming import FrameKey
from armwright.kinematics.representation import Representation

from .bodies import MOTION, PlacedFrame, array, bias_at, moving_joints, place_of, twist_at
from .data import StateData, wanted
from .frames import pose_matrix
from .twists import cross, shift, turn_both, twist_change, twist_change_rate


def relative_pose(
    state: StateData,
    frame: FrameKey | None,
    reference: FrameKey | None,
    *,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute where a frame is in the coordinates of another one: T_reference_frame, (4, 4)."""
    one, other = place_of(state, frame), place_of(state, reference, "reference")
    return filled(out, pose_matrix(*_seen(one, other)))


def relative_pose_explicit(
    state: StateData,
    origin: FrameKey | None,
    axes: FrameKey | None,
    reference_origin: FrameKey | None,
    reference_axes: FrameKey | None,
    *,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute the same for two frames that have origin and axes from different frames.

    Args:
        origin: Whose origin the frame has.
        axes: Whose axes it has.
        reference_origin: Whose origin the reference has.
        reference_axes: Whose axes it has.
        out: Array to fill.

    Returns:
        T_reference_frame, shape (4, 4).
    """
    frame = place_of(state, origin, "origin")._replace(R=place_of(state, axes, "axes").R)
    reference = place_of(state, reference_origin, "reference_origin")
    seen_from = reference._replace(R=place_of(state, reference_axes, "reference_axes").R)
    return filled(out, pose_matrix(*_seen(frame, seen_from)))


def relative_twist(
    state: StateData,
    frame: FrameKey | None,
    reference: FrameKey | None,
    *,
    representation: Representation | str | None = None,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute how a frame moves as seen from another one, (6,): linear [m/s], angular [rad/s]."""
    one, other = place_of(state, frame), place_of(state, reference, "reference")
    written = wanted(state, representation)
    return filled(out, twist_change(written, *_seen(one, other)) @ _twist(state, one, other))


def relative_acceleration(
    state: StateData,
    frame: FrameKey | None,
    reference: FrameKey | None,
    *,
    representation: Representation | str | None = None,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute the rate of the relative twist, (6,): linear [m/s^2], angular [rad/s^2]."""
    one, other = place_of(state, frame), place_of(state, reference, "reference")
    A = _jacobian(state, one, other) @ state.a + _bias(state, one, other)
    return filled(out, _derivative(state, one, other, A, wanted(state, representation)))


def relative_bias_acceleration(
    state: StateData,
    frame: FrameKey | None,
    reference: FrameKey | None,
    *,
    representation: Representation | str | None = None,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute the relative acceleration that velocities alone cause: (dJ/dt) times v, (6,)."""
    one, other = place_of(state, frame), place_of(state, reference, "reference")
    A = _bias(state, one, other)
    return filled(out, _derivative(state, one, other, A, wanted(state, representation)))


def relative_jacobian(
    state: StateData,
    frame: FrameKey | None,
    reference: FrameKey | None,
    *,
    representation: Representation | str | None = None,
    full: bool = False,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute the relative Jacobian: the relative twist is J v, shape (6, dof).

    Joints that move both frames, or neither, have columns of zeros. With ``full`` it multiplies
    the generalized velocity: shape (6, size), the columns of a free base 0.
    """
    one, other = place_of(state, frame), place_of(state, reference, "reference")
    written = wanted(state, representation)
    J = twist_change(written, *_seen(one, other)) @ _jacobian(state, one, other)
    return filled(out, _widened(state, J, full))


def relative_jacobian_explicit(
    state: StateData,
    frame: FrameKey | None,
    reference: FrameKey | None,
    *,
    origin: FrameKey | None,
    axes: FrameKey | None,
    full: bool = False,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute the relative Jacobian for any point and in any axes, shape (6, dof).

    Args:
        origin: The linear rows are for the point of the frame's body that is at the origin of
            this frame.
        axes: The frame in whose axes all rows are.
        full: Whether the columns of a free base, which are 0, come first: shape (6, size).
        out: Array to fill.
    """
    one, other = place_of(state, frame), place_of(state, reference, "reference")
    there = shift(other.R.T @ (place_of(state, origin, "origin").p - one.p))
    turn = turn_both(place_of(state, axes, "axes").R.T @ other.R)
    return filled(out, _widened(state, turn @ (there @ _jacobian(state, one, other)), full))


def _widened(state: StateData, J: FloatArray, full: bool) -> FloatArray:
    """Return a Jacobian with the columns of a free base before its own, where these are wanted."""
    if not true_or_false(full, "full") or not state.floating:
        return J
    return np.hstack([np.zeros((len(J), 6)), J])


def _jacobian(state: StateData, frame: PlacedFrame, reference: PlacedFrame) -> FloatArray:
    """Return the relative Jacobian, mixed."""
    mine, others = moving_joints(state, frame.body), moving_joints(state, reference.body)
    motions = array(state)[1:, MOTION] * (mine * 1.0 - others)[:, None]
    to_frame = shift(frame.p - state._root_pose[:3, 3])
    return turn_both(reference.R.T) @ (to_frame @ motions.T)


def _twist(state: StateData, frame: PlacedFrame, reference: PlacedFrame) -> FloatArray:
    """Return the relative twist, mixed."""
    V, W = twist_at(state, frame), twist_at(state, reference)
    return turn_both(reference.R.T) @ (V - shift(frame.p - reference.p) @ W)


def _bias(state: StateData, frame: PlacedFrame, reference: PlacedFrame) -> FloatArray:
    """Return the relative acceleration without joint accelerations, mixed.

    In the axes of the reference the rate of R^T u is R^T (du/dt - w x u), with u the
    relative velocity in world axes and w the reference's own.
    """
    V, W = twist_at(state, frame), twist_at(state, reference)
    way, w = frame.p - reference.p, W[3:]
    there = shift(way)
    u = V - there @ W
    A = bias_at(state, frame) - there @ bias_at(state, reference)
    A[:3] -= cross(w, V[:3] - W[:3]) + cross(w, u[:3])
    A[3:] -= cross(w, u[3:])
    return turn_both(reference.R.T) @ A


def _derivative(
    state: StateData,
    frame: PlacedFrame,
    reference: PlacedFrame,
    A: FloatArray,
    representation: Representation,
) -> FloatArray:
    """Return a mixed relative acceleration in a representation."""
    R, p = _seen(frame, reference)
    A = twist_change(representation, R, p) @ A
    if representation is not Representation.MIXED:
        V = _twist(state, frame, reference)
        A += twist_change_rate(representation, R, V) @ V
    return A


def _seen(frame: PlacedFrame, reference: PlacedFrame) -> tuple[FloatArray, FloatArray]:
    """Return axes and origin of a frame in the coordinates of a reference."""
    turn = np.ascontiguousarray(reference.R.T)
    return turn @ frame.R, turn @ (frame.p - reference.p)
