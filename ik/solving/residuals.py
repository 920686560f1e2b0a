"""How far joint positions are from every objective, from the model's own forward kinematics.

Independent of the solver's kernels: this is what a result reports.
"""

import math
from collections.abc import Sequence

import numpy as np

from armwright.errors import ObjectiveError
from armwright.ik.checks import LARGEST, FloatArray, floats, frozen
from armwright.ik.objectives import (
    SECONDARY_OBJECTIVES,
    CustomFunction,
    CustomObjective,
    FrameObjective,
    JointLimits,
    Objective,
    OrientationObjective,
    PoseObjective,
    PositionObjective,
    TipAxisObjective,
)
from armwright.ik.program import combined_limits, secondary_residual
from armwright.kinematics import RobotModel, pose_error, rotation_vector


def residuals(
    model: RobotModel, objectives: Sequence[Objective], q: FloatArray
) -> tuple[FloatArray, ...]:
    """Return what is still to go for each objective, unweighted, read-only.

    Target minus actual: position (3,) [m], orientation and tip axis (3,) rotation vector in world
    axes [rad], pose (6,), custom (n_errors,) as the function gives them, joint_limits (0,);
    secondary goals as ``secondary_residual`` says.
    """
    found = []
    for objective in objectives:
        if isinstance(objective, CustomObjective):
            value = custom_errors(objective, q)
        elif isinstance(objective, SECONDARY_OBJECTIVES):
            limits = combined_limits(model, [o for o in objectives if isinstance(o, JointLimits)])
            value = secondary_residual(model, objective, q, limits)
        elif isinstance(objective, JointLimits):
            value = np.zeros(0)
        else:
            value = frame_residual(model, objective, q)
        found.append(frozen(value))
    return tuple(found)


def frame_residual(model: RobotModel, objective: FrameObjective, q: FloatArray) -> FloatArray:
    """Return what is still to go for one frame objective: shape (6,) for a pose, else (3,)."""
    frame_type, index = model._frame(objective.frame_type, objective.index, objective.tag)
    T = model.forward_kinematics(frame_type, q)[index]
    if isinstance(objective, PoseObjective):
        return pose_error(T, objective.T_world_frame)
    if isinstance(objective, PositionObjective):
        to_go: FloatArray = np.where(objective.fixed, objective.xyz - T[:3, 3], 0.0)
        return to_go
    if isinstance(objective, OrientationObjective):
        return rotation_vector(objective.R_world_frame @ T[:3, :3].T)
    return turn_to_axis(T[:3, :3], objective.axis)


def turn_to_axis(R_world_frame: FloatArray, axis: FloatArray) -> FloatArray:
    """Return the shortest rotation vector that turns a frame's z axis onto an axis, world axes.

    Opposite axes turn about the frame's x axis.
    """
    z = R_world_frame[:, 2]
    across = np.cross(z, axis)
    sine = math.sqrt(float(across @ across))
    angle = math.atan2(sine, float(z @ axis))
    if sine < 1e-12:
        return R_world_frame[:, 0] * (angle if angle > 1.0 else 0.0)
    turn: FloatArray = across * (angle / sine)
    return turn


def largest_errors(
    objectives: Sequence[Objective], values: Sequence[FloatArray]
) -> tuple[float, float]:
    """Return the largest position error [m] and orientation error [rad]; nan if there is none."""
    positions = []
    orientations = []
    for objective, value in zip(objectives, values, strict=True):
        if isinstance(objective, PoseObjective):
            positions.append(value[:3])
            orientations.append(value[3:])
        elif isinstance(objective, PositionObjective):
            positions.append(value)
        elif isinstance(objective, OrientationObjective | TipAxisObjective):
            orientations.append(value)
    return (
        max((float(np.linalg.norm(v)) for v in positions), default=math.nan),
        max((float(np.linalg.norm(v)) for v in orientations), default=math.nan),
    )


def customs_are_met(
    objectives: Sequence[Objective], values: Sequence[FloatArray], factor: float
) -> bool:
    """Whether every custom objective is within ``factor`` times its tolerance."""
    return all(
        float(np.abs(value).max()) <= factor * objective.tolerance
        for objective, value in zip(objectives, values, strict=True)
        if isinstance(objective, CustomObjective)
    )


def custom_errors(objective: CustomObjective, q: FloatArray) -> FloatArray:
    """Call a custom objective with a read-only copy of q; check what comes back, (n_errors,)."""
    return _called(objective.function, "objective", q, (objective.n_errors,))


def custom_jacobian(objective: CustomObjective, q: FloatArray, limits: FloatArray) -> FloatArray:
    """Return d errors / d q, shape (n_errors, n_dof): the user's, or central differences.

    Raises:
        ObjectiveError: If the user's is to be checked, and is not what the differences are.
    """
    if objective.jacobian is None:
        return _differences(objective, q, limits)
    J = _called(objective.jacobian, "jacobian", q, (objective.n_errors, q.size))
    if objective.check_jacobian:
        expected = _differences(objective, q, limits)
        largest = np.maximum(np.abs(J), np.abs(expected)).max(axis=1, initial=0.0)
        excess = np.abs(J - expected) - (1e-4 * largest + 1e-5)[:, None]
        excess[:, limits[1] <= limits[0]] = -1.0  # a joint without room has no differences
        if excess.size and excess.max() > 0.0:
            i, j = (int(k) for k in np.unravel_index(excess.argmax(), excess.shape))
            raise ObjectiveError(
                f"custom: jacobian[{i}, {j}] is {J[i, j]:.6g}, but the function's differences give "
                f"{expected[i, j]:.6g} at q = {q.tolist()}; is it d error[{i}] / d q[{j}]?"
            )
    return J


def _differences(objective: CustomObjective, q: FloatArray, limits: FloatArray) -> FloatArray:
    """Return central differences of a custom objective, shape (n_errors, n_dof).

    They stay inside the limits, (2, n_dof): the function need not work beyond them.
    """
    J = np.zeros((objective.n_errors, q.size))
    for j in range(q.size):
        step = 6e-6 * max(1.0, abs(q[j]))  # the cube root of machine precision
        ahead, behind = q.copy(), q.copy()
        ahead[j] = min(q[j] + step, limits[1, j])
        behind[j] = max(q[j] - step, limits[0, j])
        if ahead[j] > behind[j]:
            rise = custom_errors(objective, ahead) - custom_errors(objective, behind)
            J[:, j] = rise / (ahead[j] - behind[j])
    return J


def _called(
    function: CustomFunction, what: str, q: FloatArray, shape: tuple[int, ...]
) -> FloatArray:
    """Call a user's function; its exceptions pass unchanged."""
    given = function(frozen(q.copy()))
    value = floats(given)
    if value is None:
        raise ObjectiveError(f"custom: {what} returned {given!r}, expected numbers")
    if value.ndim == 0 and shape == (1,):
        value = value.reshape(1)
    if value.shape != shape:
        if value.ndim == len(shape) == 1:
            raise ObjectiveError(
                f"custom: {what} returned the wrong number of errors: "
                f"expected {shape[0]}, got {value.size}"
            )
        raise ObjectiveError(
            f"custom: {what} returned shape {value.shape}, expected {shape}, got {value.shape}"
        )
    if not (np.abs(value) <= LARGEST).all():
        word = "NaN" if np.isnan(value).any() else "infinity"
        if np.isfinite(value).all():
            word = f"numbers beyond {LARGEST:g}"
        raise ObjectiveError(f"custom: {what} returned {word} at q = {q.tolist()}")
    return value
