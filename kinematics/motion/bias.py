"""What velocities alone do to a frame: (dJ/dt) times v, also called Jdot qdot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from armwright.kinematics.arrays import FloatArray, JointValues, array_to_fill
from armwright.kinematics.engine import lazy
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.naming import FrameKey, find_frame
from armwright.kinematics.representation import Reference, Representation
from armwright.kinematics.robot import ModelData, chain_to

from .evaluate import evaluate, vectors
from .forward import poses_of
from .jacobian import jacobians_of, one_point

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.kinematics._kernels import bias as _bias_kernels  # noqa: F401

_chain_bias = lazy(__name__, "_chain_bias", "armwright.kinematics._kernels.bias")
_chain_bias_batch = lazy(__name__, "_chain_bias_batch", "armwright.kinematics._kernels.bias")


def bias_acceleration(
    model: ModelData,
    q: JointValues,
    v: JointValues,
    out: FloatArray | None = None,
    frame_type: FrameType | str | None = None,
    index: int | None = None,
    tag: str | None = None,
    reference: Reference | None = None,
    point: npt.ArrayLike | None = None,
    representation: Reference | None = None,
    frame: FrameKey | None = None,
) -> FloatArray:
    """Compute the acceleration of a frame that velocities alone cause: (dJ/dt) times v.

    The frame's acceleration is J a plus this, with the ``jacobian`` of the same arguments. With
    a floating base, and for one frame as seen from another, a ``RobotState`` has it.

    Args:
        q: Joint positions, shape (..., dof) [rad or m].
        v: Joint velocities, shape (..., dof); leading axes broadcast.
        out: Array to fill, shape of the result.
        frame_type: Which type of frame, as for ``jacobian``.
        index: As for ``jacobian``.
        tag: As for ``jacobian``.
        reference: As for ``jacobian``: "world" (None is the same), "body" or "spatial".
        point: As for ``jacobian``.
        representation: Another word for ``reference``.
        frame: As for ``jacobian``.

    Returns:
        Shape (..., 6): linear [m/s^2], angular [rad/s^2].

    Raises:
        JointVectorError: If q or v has the wrong length or is not finite.
        FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
        ModelError: If ``out`` cannot be filled, the point is not (3,), there is no such
            reference, or both words for it were given.

    Example:
        >>> q, v = np.full(6, 0.3), np.full(6, 0.5)
        >>> J = lambda t: model.jacobian(q + t * v)
        >>> rate = (J(1e-6) - J(-1e-6)) / 2e-6
        >>> bool(np.allclose(model.bias_acceleration(q, v), rate @ v, atol=1e-8))
        True
    """
    wanted = Representation.choose(reference, representation)
    where, number = find_frame(model, frame_type, index, tag, frame)
    row = model._pose_tables[where][0][number].copy()
    if point is not None:
        placement = row[1:].reshape(3, 4)
        placement[:, 3] += placement[:, :3] @ one_point(point)
    Q, V = vectors(model, out, q=q, v=v)
    kernels = (_chain_bias, _chain_bias_batch)
    chain = chain_to(model._rows, row)
    if wanted is Representation.MIXED:
        bias = evaluate(model, kernels, (chain,), (Q, V), out, (6,))
        return bias if out is None else out
    result = evaluate(model, kernels, (chain,), (Q, V), None, (6,))
    table = row[None]
    Ts, J = poses_of(model, table, Q)[..., 0, :, :], jacobians_of(model, table, Q)[..., 0, :, :]
    twist = np.einsum("...ij,...j->...i", J, V)
    _turn_bias(result, Ts, twist, wanted is Representation.BODY)
    if out is None:
        return result
    array_to_fill(out, result.shape)[...] = result
    return out


def _turn_bias(A: FloatArray, Ts: FloatArray, twist: FloatArray, body: bool) -> None:
    """Turn world bias accelerations into those of another reference, in place.

    With v, w the frame's twist and a, e its acceleration: body is the rate of (R^T v, R^T w),
    spatial that of (v + p x w, w).
    """
    v, w = twist[..., :3], twist[..., 3:]
    if body:
        A[..., :3] -= np.cross(w, v)
        halves = A.reshape(*A.shape[:-1], 2, 3)
        halves[...] = np.einsum("...ji,...kj->...ki", Ts[..., :3, :3], halves.copy())
    else:
        A[..., :3] += np.cross(v, w) + np.cross(Ts[..., :3, 3], A[..., 3:])
