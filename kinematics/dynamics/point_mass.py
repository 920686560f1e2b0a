"""The efforts of HEBI's dynamics compensation, under its own name; not inverse dynamics."""

from __future__ import annotations

import numpy as np

from armwright.errors import JointVectorError
from armwright.kinematics.arrays import FloatArray, JointValues, joint_vectors, number
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.motion import jacobians_of, poses_of
from armwright.kinematics.robot import ModelData


def point_mass_dynamics_efforts(
    model: ModelData,
    q_feedback: JointValues,
    q: JointValues,
    v: JointValues,
    a: JointValues,
    dt: float = 1e-3,
) -> FloatArray:
    """Compute efforts that accelerate all masses as points, as HEBI's compensation does.

    The sum over all masses, payloads included, of J_linear^T m a_com. Jacobians are those of
    the measured positions; a_com comes from differencing the positions of the centers of mass
    at q - v dt + a dt^2/2, q and q + v dt + a dt^2/2. Rotational inertia and gravity are not
    in it: add ``gravity_efforts``. It compares with what HEBI's tools send.

    Args:
        q_feedback: Measured joint positions, shape (..., dof) [rad or m].
        q: Commanded joint positions, shape (..., dof).
        v: Commanded velocities, shape (..., dof).
        a: Commanded accelerations, shape (..., dof).
        dt: Step of the differences [s]. HEBI's library takes 1e-2 whatever it is told, as
            measured: ``dt=1e-2`` gives its numbers.

    Returns:
        Efforts, shape (..., dof) [N m or N]; leading axes broadcast.

    Raises:
        JointVectorError: If an argument has the wrong length or is not finite.
        ModelError: If dt is not positive, or the leading axes do not fit.
    """
    measured = joint_vectors(q_feedback, model.dof, "q_feedback", joints=model.joint_names)
    q, v, a = (
        joint_vectors(value, model.dof, name, joints=model.joint_names)
        for value, name in ((q, "q"), (v, "v"), (a, "a"))
    )
    step = number(dt, "dt", "a positive number of seconds", low=1e-9)
    try:
        ahead = a * (0.5 * step * step)
        before, after = q - v * step + ahead, q + v * step + ahead
        shape = np.broadcast_shapes(before.shape, measured.shape)
    except ValueError:
        shapes = ", ".join(str(x.shape) for x in (measured, q, v, a))
        raise JointVectorError(
            f"q_feedback, q, v, a: expected shapes that broadcast, got {shapes}"
        ) from None
    masses = np.concatenate([model.masses, [payload.mass for payload in model._payloads]])
    frames = np.concatenate(
        [model._pose_tables[frame_type][0] for frame_type in (FrameType.COM, FrameType.PAYLOAD)]
    )
    past, now, next_ = (poses_of(model, frames, x)[..., :3, 3] for x in (before, q, after))
    forces = masses[:, None] * (past + next_ - 2 * now) / (step * step)  # (..., n, 3)
    J = jacobians_of(model, frames, measured)[..., :3, :]  # (..., n, 3, dof)
    efforts: FloatArray = np.einsum("...nij,...ni->...j", J, forces).reshape(shape)
    return efforts
