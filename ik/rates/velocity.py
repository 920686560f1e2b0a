"""One step of differential inverse kinematics: joint velocities for wanted twists.

Made for jogging: always an answer, never faster than the joints may, never further into a limit,
and calm near singular poses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from armwright.copies import stays_read_only
from armwright.errors import ObjectiveError
from armwright.ik.objectives import JointLimits, check_weight, named_frame, only_limits
from armwright.ik.program import check_model, combine_limits, one_or_each, scaling
from armwright.kinematics import Representation, RobotModel
from armwright.kinematics.arrays import (
    POSITIVE,
    FloatArray,
    JointValues,
    frozen,
    got,
    is_masked,
    number,
    true_or_false,
)
from armwright.kinematics.naming import (
    FrameKey,
    check_frame_words,
)
from armwright.kinematics.representation import Reference
from armwright.reprs import one_line_repr

from .bounded_step import box_step, scaled_step
from .manipulability import SINGULAR, unit_rows

_PLAIN = (float, int)
_FASTEST = 1e9  # m/s or rad/s
_EXPECTED = "a finite number of m/s or rad/s, or None for a free row"


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Twist:
    """A wanted motion of one frame; made by ``twist``.

    Attributes:
        V: Linear [m/s] and angular [rad/s], shape (6,); 0 where nothing is asked.
        wanted: Which of the six are asked for, shape (6,).
        weight: Factor on its errors, next to other twists.
        reference: Axes and point of V.
        frame_type: Kind of frame.
        index: Number of the frame, or None.
        tag: Tag of the frame's element, or None.
        frame: The frame by itself, or None.
    """

    V: FloatArray
    wanted: tuple[bool, ...]
    weight: float
    reference: Representation
    frame_type: str
    index: int | None
    tag: str | None
    frame: FrameKey | None

    __repr__ = one_line_repr


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False)
class VelocityResult:
    """Joint velocities, and what becomes of the wanted twists; arrays are read-only.

    Attributes:
        v: Joint velocities, shape (dof,) [rad/s or m/s]; always finite and within all limits.
        twists: What each frame then does, shape (n_twists, 6), in the axes it was asked in; also
            the rows that were not asked for.
        scale: Part of the wanted twists that is done, 0 to 1; 1 when nothing was limited.
        success: Whether the wanted twists are done, within 1e-6 of their size, whatever their
            weights.
        lost: Directions that are damped because the arm is (nearly) singular in them, shape
            (n_lost, n_twists, 6), in the axes of the twists, of length 1; empty when there are
            none.
        limited: Numbers of the joints that are held by a limit of speed or position.
    """

    v: FloatArray
    twists: FloatArray
    scale: float
    success: bool
    lost: FloatArray
    limited: tuple[int, ...]

    __repr__ = one_line_repr


def twist(
    V: Sequence[float | None] | npt.ArrayLike,
    *,
    weight: float = 1.0,
    reference: Reference | None = None,
    frame_type: str = "endeffector",
    index: int | None = None,
    tag: str | None = None,
    representation: Reference | None = None,
    frame: FrameKey | None = None,
) -> Twist:
    """Ask for a motion of a frame, for ``velocity``.

    Args:
        V: Linear [m/s], then angular velocity [rad/s] of the frame's origin, shape (6,), or the
            linear one alone, (3,), with any rotation. None leaves a row free.
        weight: Positive factor on the error; one metre counts like 2 / reach radians.
        reference: Axes and point of V: "world" (also when None), world axes at the frame's origin;
            "body", the frame's own; "spatial", world axes at the world's origin.
        frame_type: Kind of frame: "endeffector", "output", "input", "com", ...
        index: Number of the frame among those of its kind.
        tag: Tag of the element, instead of the index.
        representation: Another word for the reference; give one of the two.
        frame: The frame by itself, without frame_type, index and tag: a name of
            ``model.frame_names()``, (frame type, index or name), or a ``Frame``.

    Returns:
        The wanted motion.

    Raises:
        ModelError: If there is no such reference.
        ObjectiveError: If V is not six or three finite numbers, or nothing is asked for.

    Example:
        >>> twist([0.1, None, 0, None, None, None]).wanted
        (True, False, True, False, False, False)
    """
    if is_masked(V):
        raise ObjectiveError(f"twist, V: expected numbers, None for a free row, got {got(V)}")
    values = list(V) if isinstance(V, Sequence) else np.atleast_1d(np.asarray(V)).tolist()
    if len(values) not in (3, 6):
        raise ObjectiveError(
            f"twist, V: expected 6 numbers (linear, angular) or 3 (linear), got {len(values)}"
        )
    values += [None] * (6 - len(values))
    numbers = [0.0] * 6
    for i, value in enumerate(values):
        if value is None:
            continue
        if value.__class__ in _PLAIN and -_FASTEST <= value <= _FASTEST:
            numbers[i] = value  # texts of errors are not put together for nothing
            continue
        numbers[i] = number(
            value, f"twist, V[{i}]", _EXPECTED, low=-_FASTEST, high=_FASTEST, error=ObjectiveError
        )
    wanted = tuple(value is not None for value in values)
    if not any(wanted):
        raise ObjectiveError("twist: expected a number for one row at least, got None for all")
    named = index is not None or tag is not None or frame is not None
    if named or frame_type.__class__ is not str:
        check_frame_words(frame_type, index, tag, frame)
    return Twist(
        V=frozen(np.array(numbers)),
        wanted=wanted,
        weight=check_weight("twist", weight),
        reference=Representation.choose(reference, representation),
        frame_type=frame_type,
        index=index,
        tag=tag,
        frame=frame,
    )


def velocity(
    model: RobotModel,
    q: JointValues,
    *twists: Twist | Sequence[float | None] | npt.ArrayLike,
    dt: float | None = None,
    limits: JointLimits | None = None,
    max_speed: JointValues | None = None,
    keep_direction: bool = True,
    damping: float = 2 * SINGULAR,
    reference: Reference | None = None,
    frame_type: str = "endeffector",
    index: int | None = None,
    tag: str | None = None,
    representation: Reference | None = None,
    frame: FrameKey | None = None,
) -> VelocityResult:
    """Find the joint velocities that move frames as wanted, as far as the limits allow.

    The smallest joint velocities that do it, in joint units (see ``manipulability``). Limits of
    speed, and of position where ``dt`` says how long the velocities will last, form a box that
    always holds standing still: there is always an answer. A joint outside its position limits may
    move inwards only.

    Near singular poses directions are damped one by one, by s^2 + s0^2 - s^2 in the place of s^2
    where the singular value s of the scaled Jacobian is below s0 = ``damping``: joint velocities
    are then s / s0^2 times a rate, not 1 / s times it. That is continuous, goes to zero with s,
    and leaves all other directions exact.

    Args:
        model: The robot.
        q: Joint positions, shape (dof,) [rad or m].
        twists: Wanted motions, made by ``twist``; or arrays, (6,) linear and angular or (3,)
            linear alone, of the frame that the other arguments name.
        dt: How long the velocities will last [s]; None: only joints at a limit are held.
        limits: ``joint_limits`` that narrow those of the model.
        max_speed: Most that each joint may move, one number, (dof,), or {joint name: number} of
            some joints [rad/s or m/s]; lowers the ``max_speeds`` of the model.
        keep_direction: When limits do not allow the twists: True slows all of them down by one
            factor, after other joints took over what they can, so that frames move straight.
            False comes as near to them as it can by weighted least squares, and slides along.
        damping: Scaled singular value s0 below which a direction is damped; positive.
        reference: Axes and point of arrays, as for ``twist``.
        frame_type: Kind of the frame of arrays.
        index: Number of that frame.
        tag: Tag of its element, instead of the index.
        representation: Another word for the reference; give one of the two.
        frame: The frame by itself, without frame_type, index and tag: a name of
            ``model.frame_names()``, (frame type, index or name), or a ``Frame``.

    Returns:
        Joint velocities within all limits, and what the frames then do.

    Raises:
        JointVectorError: If q has the wrong length or is not finite.
        ModelError: If there is no such reference.
        ObjectiveError: If a twist or an option is not usable, or there is no twist.
        FrameNotFoundError: If there is no such frame.

    Example:
        >>> q = np.array([0.0, 0.9, 1.6, -0.7, 0.2, 0.0])
        >>> step = velocity(model, q, [0, 0, 0.05, 0, 0, 0], dt=0.01)
        >>> step.success, round(float(step.twists[0, 2]), 6)
        (True, 0.05)

    References:
        Maciejewski and Klein, Numerical filtering for the operation of robotic manipulators
        through kinematically singular configurations, 1988. Flacco, De Luca and Khatib, Motion
        control of redundant robots under joint constraints, 2012 (``keep_direction``).
    """
    check_model(model)
    joints = model._joint_vector(q)
    wanted = [
        one
        if isinstance(one, Twist)
        else twist(
            one,
            reference=reference,
            frame_type=frame_type,
            index=index,
            tag=tag,
            representation=representation,
            frame=frame,
        )
        for one in twists
    ]
    if not wanted:
        raise ObjectiveError("velocity: no twist; pass one such as [0, 0, 0.05, 0, 0, 0]")
    smallest = number(damping, "damping", low=POSITIVE, error=ObjectiveError)
    smallest = min(smallest, 1e100)  # its square stays far from overflow
    box = _box(model, joints, dt, only_limits(limits), max_speed)

    frames = [named_frame(model, one.frame_type, one.index, one.tag, one.frame) for one in wanted]
    scales = scaling(model, tuple(frames))
    Js: FloatArray = np.array(
        [
            model.jacobian(joints, None, *where, None, one.reference)
            for one, where in zip(wanted, frames, strict=True)
        ]
    )  # (n_twists, 6, dof)
    top = max(one.weight for one in wanted)
    sizes = np.array([[scales.length_weight] * 3 + [1.0] * 3] * len(wanted))
    weights = sizes * np.array([[max(one.weight / top, 1e-100)] for one in wanted])
    asked = np.array([one.wanted for one in wanted])
    V = np.array([one.V for one in wanted])
    A = (weights[:, :, None] * Js / scales.unit)[asked]  # (rows, dof), scaled
    b = (weights * V)[asked]
    keep = true_or_false(keep_direction, "velocity, keep_direction", ObjectiveError)
    step = scaled_step if keep else box_step
    x, held = step(A, b, box[0] * scales.unit, box[1] * scales.unit, smallest)
    v = np.clip(x / scales.unit, box[0], box[1])
    done: FloatArray = Js @ v  # (n_twists, 6)
    # Whether it is done does not depend on the weights: what counts little is wanted all the same.
    rates = (sizes * V)[asked]
    size = float(rates @ rates)
    part = float((sizes * done)[asked] @ rates) / size if size > 0.0 else 1.0
    missing = (sizes * (V - done))[asked]
    success = bool(float(missing @ missing) <= 1e-12 * size)
    return VelocityResult(
        v=frozen(v),
        twists=frozen(done),
        scale=1.0 if success else min(max(part, 0.0), 1.0),
        success=success,
        lost=frozen(_lost(A, asked, weights, smallest)),
        limited=tuple(np.flatnonzero(held).tolist()),
    )


def _box(
    model: RobotModel,
    q: FloatArray,
    dt: object,
    limits: tuple[JointLimits, ...],
    max_speed: JointValues | None,
) -> FloatArray:
    """Return the least and largest joint velocities, shape (2, dof); 0 is always between."""
    speeds = model.max_speeds
    if max_speed is not None:
        speeds = np.minimum(speeds, one_or_each(max_speed, "max_speed", model.joint_names))
    room = combine_limits(model, limits) - q  # (2, dof)
    if dt is not None:
        seconds = number(
            dt, "dt", "a positive number of seconds", low=POSITIVE, error=ObjectiveError
        )
        with np.errstate(over="ignore"):
            room = room / seconds
    else:
        room = np.where(room * [[-1.0], [1.0]] > 0.0, [[-np.inf], [np.inf]], 0.0)
    return np.array(
        [
            np.minimum(np.maximum(room[0], -speeds), 0.0),
            np.maximum(np.minimum(room[1], speeds), 0.0),
        ]
    )


def _lost(
    A: FloatArray, asked: npt.NDArray[np.bool_], weights: FloatArray, s0: float
) -> FloatArray:
    """Return the directions in which A is weak, unscaled, shape (n_lost, n_twists, 6)."""
    U, s, _ = np.linalg.svd(A)
    strength = np.zeros(len(U))
    strength[: s.size] = s
    weak = strength < s0
    lost = np.zeros((int(np.count_nonzero(weak)), *asked.shape))
    lost[:, asked] = U[:, weak].T / weights[asked]
    return unit_rows(lost.reshape(len(lost), asked.size)).reshape(lost.shape)
