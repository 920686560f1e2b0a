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
    JointValues,
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
    q: JointValues,
    feedback: GroupFeedback,
    *,
    source: Literal["orientation", "accelerometer"] | None = None,
    module: int = 0,
    element: int | None = 0,
    offset: npt.ArrayLike | None = None,
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
        q: Where its joints are, shape (dof,) [rad or m]: ``feedback.position``, or a part of it.
        feedback: What the group reports; the IMU of one module is used.
        source: "orientation", or "accelerometer" of an arm at rest. None: the orientation where the
            module reports one, else the accelerometer.
        module: Number of the module whose IMU it is, from 0, in the order of the group.
        element: Number of the element in whose **input** frame the IMU sits; all elements count, as
            in ``model.elements``. None: the element of joint number ``module``, which is
            right where the group is the arm.
        offset: R_frame_imu, how the IMU is turned in that frame: a matrix, shape (3, 3), its nine
            numbers, or a quaternion (w, x, y, z). None: not at all.
        before: What this returned the last time, shape (3,): the answer moves from there toward
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
        JointVectorError: If q has the wrong length or is not finite.
        ModelError: If another argument does not fit.

    Example:
        >>> from armwright import devices
        >>> with devices.simulate(model) as group:
        ...     feedback = group.feedback()
        >>> gravity = devices.gravity_from_imu(model, feedback.position, feedback)
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
    place = _numbered(module, feedback.size, "module", "modules")
    chosen, reported = _reported(feedback, place, source)
    size = float(np.linalg.norm(model.gravity)) or _STANDARD
    if chosen == "orientation":
        R_world_imu = as_orientation(reported, f"orientation of module {place}", DeviceError)
        down = -R_world_imu[2]  # R_imu^T (0, 0, -1)
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
    gravity = size * (_turn(model, q, place, element, offset) @ down)
    answer: FloatArray = gravity if last is None else last + share * (gravity - last)
    return answer


def _reported(feedback: GroupFeedback, module: int, source: object) -> tuple[str, FloatArray]:
    """Return which of the two is used, and what the module says.

    Raises:
        DeviceError: If it says nothing.
        ModelError: If there is no such source.
    """
    known = ("orientation", "accelerometer")
    wanted = known if source is None else (one_of(source, known, "gravity_from_imu, source"),)
    for one in wanted:
        reported: FloatArray = getattr(feedback, one)[module]
        if not np.isnan(reported).any():
            return one, reported
    raise DeviceError(f"gravity_from_imu: module {module} reports no {' and no '.join(wanted)}")


def _turn(
    model: RobotModel,
    q: JointValues,
    module: int,
    element: object,
    offset: npt.ArrayLike | None,
) -> FloatArray:
    """Return R_world_imu as the model has it, shape (3, 3)."""
    if element is None:
        which = model.joint_elements[_numbered(module, model.dof, "module", "joints")]
    else:
        which = _numbered(element, model.n_elements, "element", "elements")
    joints = model._joint_vector(q, "q")
    R: FloatArray = model.forward_kinematics("input", joints)[which, :3, :3]
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
