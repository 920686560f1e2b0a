"""Jacobians: how the frames move when the joints do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy.typing as npt
from numpy import empty, ndarray

from armwright.errors import ModelError
from armwright.kinematics.arrays import (
    FLOAT,
    LARGEST,
    FloatArray,
    JointValues,
    array_to_fill,
    as_array,
    joint_vectors,
)
from armwright.kinematics.engine import lazy
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.naming import FrameKey, find_frame
from armwright.kinematics.representation import Reference, Representation
from armwright.kinematics.robot import PLACEMENT, ModelData, joined

from .evaluate import evaluate, evaluate_at

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.kinematics._kernels import frames as _frames_kernels  # noqa: F401

_KERNELS = "armwright.kinematics._kernels.frames"
_jacobians = lazy(__name__, "_jacobians", _KERNELS)
_jacobians_batch = lazy(__name__, "_jacobians_batch", _KERNELS)
_chain_jacobian = lazy(__name__, "_chain_jacobian", _KERNELS)
_chain_jacobian_batch = lazy(__name__, "_chain_jacobian_batch", _KERNELS)
_poses = lazy(__name__, "_poses", _KERNELS)
_poses_batch = lazy(__name__, "_poses_batch", _KERNELS)
_change_reference = lazy(__name__, "_change_reference", _KERNELS)


def jacobians(
    model: ModelData,
    frame_type: FrameType | str,
    q: JointValues,
    out: FloatArray | None = None,
    reference: Reference = "world",
    representation: Reference | None = None,
) -> FloatArray:
    """Compute the Jacobians of all frames of one type.

    Maps joint velocities to twists, V = J v, linear first. Joints that do not move a frame
    have columns of zeros.

    Args:
        frame_type: Which type of frame; n is how many the robot has (``frame_count``).
        q: Joint positions, shape (..., dof) [rad or m].
        out: Array to fill, shape of the result.
        reference: "world": world axes, velocity of each frame's own origin; "body": the
            frame's own axes and origin; "spatial": world axes, velocity of the point of
            the frame's body that is at the world's origin.
        representation: Another word for ``reference``, which stays at its default then;
            ``Representation`` lists what both take.

    Returns:
        Shape (..., n, 6, dof); rows 0-2 linear [m per unit of q], rows 3-5 angular
        [rad per unit of q].

    Raises:
        JointVectorError: If q has the wrong length or is not finite.
        FrameNotFoundError: If there is no such type of frame.
        ModelError: If ``out`` cannot be filled, there is no such reference, or both words for it
            were given.

    References:
        Lynch and Park, Modern Robotics, 2017, section 5.1 (angular first there).
    """
    if representation is None and reference.__class__ is str and reference == "world":
        try:
            if q.__class__ is ndarray and q.dtype is FLOAT:
                rows, _, shape = model._joined[frame_type]
                if out is None:
                    J = empty(shape)
                    _jacobians(rows, q, J)
                    return J
                if out.dtype is FLOAT:
                    _jacobians(rows, q, out)
                    return out
        except (AttributeError, KeyError, TypeError, ValueError):
            pass  # other dtypes, batches, spellings; clear errors below
    if representation is None:
        wanted = Representation.parse(reference, "reference")
    else:
        given = None if isinstance(reference, str) and reference == "world" else reference
        wanted = Representation.choose(given, representation)
    rows, _, shape = model._joined[FrameType.parse(frame_type)]
    return _jacobians_in(model, rows, q, out, shape, wanted)


def jacobian(
    model: ModelData,
    q: JointValues,
    out: FloatArray | None = None,
    frame_type: FrameType | str | None = None,
    index: int | None = None,
    tag: str | None = None,
    reference: Reference | None = None,
    point: npt.ArrayLike | None = None,
    representation: Reference | None = None,
    frame: FrameKey | None = None,
) -> FloatArray:
    """Compute the Jacobian of one frame: of the end effector, unless another is named.

    Maps joint velocities to the frame's twist, V = J v, linear first. Joints that do not move
    the frame have columns of zeros.

    Args:
        q: Joint positions, shape (..., dof) [rad or m].
        out: Array to fill, shape of the result.
        frame_type: Which type of frame; None: end effectors, or the frame that a tag alone means.
        index: Which frame of that type, from 0; not needed when there is only one.
        tag: The same by the tag of its element.
        reference: "world" (None is the same): world axes, velocity of the frame's own origin;
            "body": the frame's own axes and origin; "spatial": world axes, velocity of the
            point of the frame's body that is at the world's origin.
        point: Use this point of the frame instead of its origin, shape (3,) [m], in the
            frame's coordinates.
        representation: Another word for ``reference``; ``Representation`` lists what both take.
        frame: The frame by itself, without frame_type, index and tag: a name, (frame type,
            index or name) or a ``Frame``.

    Returns:
        Shape (..., 6, dof); rows 0-2 linear [m per unit of q], rows 3-5 angular
        [rad per unit of q].

    Raises:
        JointVectorError: If q has the wrong length or is not finite.
        FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
        ModelError: If ``out`` cannot be filled, the point is not (3,), there is no such
            reference, or both words for it were given.

    Example:
        >>> q = np.zeros(6)
        >>> elbow = model.jacobian(q, frame="J3_elbow", representation="body")
        >>> bool((elbow == model.jacobian(q, None, "output", 5, reference="body")).all())
        True

    References:
        Lynch and Park, Modern Robotics, 2017, section 5.1 (angular first there).
    """
    if (
        frame_type is None
        and index is None
        and tag is None
        and reference is None
        and point is None
        and representation is None
        and frame is None
    ):
        try:
            if q.__class__ is ndarray and q.dtype is FLOAT:
                if out is None:
                    J = empty(model._jacobian_shape)
                    _chain_jacobian(model._end_chain, q, J)
                    return J
                if out.dtype is FLOAT:
                    _chain_jacobian(model._end_chain, q, out)
                    return out
        except (AttributeError, TypeError, ValueError):
            pass
        _, number = find_frame(model)
        kernels = (_chain_jacobian, _chain_jacobian_batch)
        chain = model._end_chains[number]
        return evaluate_at(model, kernels, (chain,), q, out, model._jacobian_shape)
    wanted = Representation.choose(reference, representation)
    where, number = find_frame(model, frame_type, index, tag, frame)
    rows = joined(model._rows, model._pose_tables[where][0][number : number + 1])
    if point is not None:
        placement = rows[-1, PLACEMENT].reshape(3, 4)
        placement[:, 3] += placement[:, :3] @ one_point(point)
    return _jacobians_in(model, rows, q, out, model._jacobian_shape, wanted)


def _jacobians_in(
    model: ModelData,
    rows: FloatArray,
    q: JointValues,
    out: FloatArray | None,
    shape: tuple[int, ...],
    wanted: Representation,
) -> FloatArray:
    """Compute the Jacobians of the frames below the model rows, in any representation."""
    tail = (len(rows) - len(model._rows), 6, model.dof)  # of one frame, shape is (6, dof)
    # A copy, that filling ``out`` cannot change.
    Q = joint_vectors(q, model.dof, joints=model.joint_names)
    leading = Q.shape[:-1]
    filled = None if out is None else array_to_fill(out, leading + shape).reshape(leading + tail)
    if Q.ndim == 1 and out is None:  # one Jacobian: no need of the rest
        J: FloatArray = empty(tail)
        _jacobians(rows, Q, J)
    else:
        J = evaluate(model, (_jacobians, _jacobians_batch), (rows,), (Q,), filled, tail)
    if wanted is not Representation.MIXED and J.size:
        poses = (tail[0], 4, 4)
        Ts = evaluate(model, (_poses, _poses_batch), (rows,), (Q,), None, poses)
        body = float(wanted is Representation.BODY)
        _change_reference(Ts.reshape(-1, 4, 4), body, J.reshape(-1, 6, model.dof))
    return J.reshape(leading + shape) if out is None else out


def jacobians_of(model: ModelData, table: FloatArray, q: JointValues) -> FloatArray:
    """Compute the Jacobians of the frames in a table, shape (..., len(table), 6, dof)."""
    fixed = (joined(model._rows, table),)
    shape = (len(table), 6, model.dof)
    return evaluate_at(model, (_jacobians, _jacobians_batch), fixed, q, None, shape)


def one_point(point: npt.ArrayLike) -> FloatArray:
    """Return a point, shape (3,)."""
    p = as_array(point, (..., 3), "point", most=LARGEST)
    if p.ndim != 1:
        raise ModelError(f"point: expected shape (3,), got {p.shape}")
    return p
