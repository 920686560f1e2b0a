"""Which way gravity pulls, from the IMU of a module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from armwright.devices.kinds import check_model
from armwright.errors import DeviceError, ModelError
from armwright.kinematics.arrays import (
    LARGEST,
    POSITIVE,
    FloatArray,
    as_array,
    as_orientation,
    number,
    numeric,
    one_of,
    short,
    whole_number,
)

from .messages import GroupFeedback

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

__all__ = ["gravity_from_imu"]

_OFF = 0.5  # an accelerometer that reads so much more or less than gravity is not at rest [m/s^2]
_STANDARD = 9.81


def gravity_from_imu(
    model: RobotModel,
    feedback: GroupFeedback,
    *,
    module: int = 0,
    element: int | None = None,
    offset: npt.ArrayLike | None = None,
    source: Literal["orientation", "accelerometer"] = "orientation",
    before: npt.ArrayLike | None = None,
    dt: float | None = None,
    time_constant: float = 0.5,
) -> FloatArray:
    """Find which way gravity pulls on an arm whose base may be tilted, from the IMU of a module.

    The direction is R_frame(q) R_offset R_imu^T (0, 0, -1), with R_imu how the module says that it
    stands; or, from its accelerometer, the opposite of what that reads at rest, turned by
    R_frame(q) R_offset. Its size is that of ``model.gravity``. Give it to a model as
    ``with_gravity`` or to a call as ``gravity=``. A configuration's plugin
    ``GravityCompensationEffort`` has the numbers:
    ``imu_feedback_index`` is ``module``, ``imu_frame_index`` is ``element`` and
    ``imu_rotation_offset`` is ``offset``.

    Args:
        model: The arm, which knows nothing of the tilt.
        feedback: What the group reports; its positions and one module's IMU are used.
        module: Number of the module whose IMU it is, from 0, in the order of the group.
        element: Number of the element in whose **input** frame the IMU sits; all elements count, as
            in ``model.elements``. None: that of the module's joint.
        offset: R_frame_imu, how the IMU is turned in that frame: a matrix, shape (3, 3), its nine
            numbers, or a quaternion (w, x, y, z). None: not at all.
        source: "orientation", or "accelerometer".
        before: What this returned the last time, shape (3,): the answer moves from there towards
            the new one by a low-pass. None: no low-pass.
        dt: Time since then [s]; goes with ``before``.
        time_constant: Of the low-pass [s].

    Returns:
        Acceleration of free fall in the world axes of the model, shape (3,) [m/s^2]. While an
        accelerometer reads more than 0.5 m/s^2 too much or too little, as it does when something
        moves, it is ``before``.

    Raises:
        DeviceError: If the module does not report it, or the accelerometer is not at rest and there
            is no ``before``.
        ModelError: If another argument does not fit.

    Example:
        >>> from armwright import devices
        >>> with devices.simulate(model) as group:
        ...     gravity = devices.gravity_from_imu(model, group.feedback())
        >>> gravity.round(6) + 0.0
        array([ 0.  ,  0.  , -9.81])
    """
    if not isinstance(feedback, GroupFeedback):
        raise ModelError(f"gravity_from_imu: expected a GroupFeedback, got {short(feedback)}")
    check_model(model, "gravity_from_imu")
    last = None
    if before is not None:
        last = as_array(before, (3,), "gravity_from_imu, before", most=LARGEST)
    share = _share(last, dt, time_constant)
    chosen = one_of(source, ("orientation", "accelerometer"), "gravity_from_imu, source")
    place = _numbered(module, feedback.size, "module", "modules")
    size = float(np.linalg.norm(model.gravity)) or _STANDARD
    reported = getattr(feedback, chosen)[place]
    if np.isnan(reported).any():
        raise DeviceError(f"gravity_from_imu: module {place} reports no {chosen}")
    if chosen == "orientation":
        down = -as_orientation(reported, f"orientation of module {place}", DeviceError)[
            2
        ]  # R_imu^T (0, 0, -1)
    else:
        read = float(np.linalg.norm(reported))
        if not abs(read - size) <= _OFF:
            if last is not None:
                return last
            raise DeviceError(
                f"gravity_from_imu: expected an accelerometer at rest, which reads {size:.4g} "
                f"m/s^2 within {_OFF}, got {read:.4g}. Wait until the arm stands, or say before="
            )
        down = -reported / read
    gravity = size * (_turn(model, feedback, place, element, offset) @ down)
    answer: FloatArray = gravity if last is None else last + share * (gravity - last)
    return answer


def _turn(
    model: RobotModel,
    feedback: GroupFeedback,
    module: int,
    element: object,
    offset: npt.ArrayLike | None,
) -> FloatArray:
    """Return R_world_imu as the model has it, shape (3, 3)."""
    if element is None:
        which = model.joint_elements[_numbered(module, model.dof, "module", "joints")]
    else:
        which = _numbered(element, model.n_elements, "element", "elements")
    q = model._joint_vector(feedback.position, "feedback.position")
    R: FloatArray = model.forward_kinematics("input", q)[which, :3, :3]
    if offset is None:
        return R
    nine = numeric(offset)
    given = nine.reshape(3, 3) if nine is not None and nine.shape == (9,) else offset
    return R @ as_orientation(given, "gravity_from_imu, offset")


def _share(before: FloatArray | None, dt: float | None, time_constant: float) -> float:
    """Return which part of the way to a new answer is gone."""
    if (before is None) != (dt is None):
        raise ModelError("gravity_from_imu: expected before and dt together, or neither")
    seconds = number(
        time_constant, "gravity_from_imu, time_constant", "seconds, more than 0", low=POSITIVE
    )
    if dt is None:
        return 1.0
    passed = number(dt, "gravity_from_imu, dt", "seconds, 0 or more", low=0.0)
    return 1.0 - float(np.exp(-passed / seconds))


def _numbered(value: object, count: int, name: str, what: str) -> int:
    """Return the number of one of some things."""
    place = whole_number(value, f"gravity_from_imu, {name}")
    if place >= count:
        raise ModelError(
            f"gravity_from_imu, {name}: expected 0 to {count - 1}, got {short(place)}; there "
            f"are {count} {what}"
        )
    return place
