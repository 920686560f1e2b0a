"""What can be asked for: targets for frames, limits, and functions of one's own.

An objective is a small frozen value (``kinds.py``). It is checked when it is made, as far as that
is possible without a model; frames are looked up when it meets one. All targets are in world axes
and metres.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from armwright.errors import ObjectiveError
from armwright.ik.checks import (
    LARGEST,
    FloatArray,
    array,
    check_size,
    frozen,
    number,
    positive_weight,
    rotation,
    vector,
    words,
)
from armwright.kinematics.engine import lazy

from .base import (
    FRAME_OBJECTIVES,
    OBJECTIVES,
    CustomFunction,
    CustomObjective,
    FrameObjective,
    JointLimits,
    Objective,
    OrientationObjective,
    PoseObjective,
    PositionObjective,
    TipAxisObjective,
    made,
    put_fixed,
)

__all__ = [
    "FRAME_OBJECTIVES",
    "OBJECTIVES",
    "CustomFunction",
    "CustomObjective",
    "FrameObjective",
    "JointLimits",
    "Objective",
    "OrientationObjective",
    "PoseObjective",
    "PositionObjective",
    "TipAxisObjective",
    "custom",
    "joint_limits",
    "orientation",
    "pose",
    "position",
    "tip_axis",
]


# Arrays that are as they should be are judged by kernels, in a twentieth of the time; they say no
# more than that something is wrong, and the slower checks then say what.
_put_right = lazy(__name__, "_put_right", "armwright.ik._kernels.targets")
_in_order = lazy(__name__, "_in_order", "armwright.ik._kernels.targets")

_ndarray = np.ndarray
_FLOAT = np.dtype(np.float64)  # native: Numba may mistake another byte order for it
_EYE = frozen(np.eye(4))
_ALL = (True, True, True)
_POSITION = f"position{_ALL}"


def _key(kind: str, weight: float, frame_type: object, index: object, tag: object) -> str:
    """Everything but the target, as one text: hashes once, compares fast."""
    if index is None and tag is None and weight == 1.0 and frame_type == "endeffector":
        return kind
    return f"{kind} {weight!r} {frame_type!r} {index!r} {tag!r}"


def position(
    xyz: Sequence[float | None] | npt.ArrayLike,
    *,
    weight: float = 1.0,
    frame_type: str = "endeffector",
    index: int | None = None,
    tag: str | None = None,
) -> PositionObjective:
    """Ask for the origin of a frame at a point.

    Args:
        xyz: Target in the world, shape (3,) [m]. None leaves an axis free: ``[0.3, None, 0.2]``.
        weight: Positive factor on the error; see ``solve`` for how metres and radians compare.
        frame_type: Kind of frame: "endeffector", "output", "input", "com", ...
        index: Number of the frame among those of its kind.
        tag: Tag of the element, instead of the index.

    Returns:
        The objective; one row per axis that is not free.

    Raises:
        ObjectiveError: If xyz is not three numbers, is not finite, or leaves all axes free.

    Example:
        >>> position([0.3, None, 0.2]).fixed
        (True, False, True)
    """
    values = xyz.tolist() if xyz.__class__ is _ndarray and xyz.dtype is _FLOAT else xyz
    goal = _EYE.copy()
    if (
        values.__class__ is list
        and len(values) == 3
        and values[0].__class__ is values[1].__class__ is values[2].__class__ is float
        and values[0] * values[0] + values[1] * values[1] + values[2] * values[2] <= LARGEST
    ):
        goal[0, 3], goal[1, 3], goal[2, 3] = values
        fixed, kind = _ALL, _POSITION
    else:
        goal[:3, 3], fixed = _coordinates(xyz)
        kind = f"position{fixed}"
    if weight.__class__ is not float or weight != 1.0:
        weight = positive_weight("position", weight)
    key = _key(kind, weight, frame_type, index, tag)
    objective = made(PositionObjective, goal, key, weight, frame_type, index, tag)
    put_fixed(objective, fixed)
    return objective


def _coordinates(xyz: object) -> tuple[list[float], tuple[bool, bool, bool]]:
    """Check a position: its numbers, 0 where an axis is free, and which axes are not."""
    if isinstance(xyz, np.ma.MaskedArray) and np.any(xyz.mask):
        raise ObjectiveError(f"position: expected numbers, got {xyz!r}; use None for a free axis")
    values = list(xyz) if isinstance(xyz, Sequence) else np.atleast_1d(np.asarray(xyz)).tolist()
    if len(values) != 3:
        raise ObjectiveError(f"position: expected 3 numbers (x, y, z), got {len(values)}")
    numbers = [0.0, 0.0, 0.0]
    for i, value in enumerate(values):
        if value is None:
            continue
        numbers[i] = number("position", f"{'xyz'[i]}", value)
        if not math.isfinite(numbers[i]):
            raise ObjectiveError(
                f"position: {'xyz'[i]} is {numbers[i]}, expected a finite number of metres; "
                "use None for a free axis"
            )
    fixed = (values[0] is not None, values[1] is not None, values[2] is not None)
    if not any(fixed):
        raise ObjectiveError("position: all three axes are free; give at least one a number")
    check_size("position", "xyz", numbers)
    return numbers, fixed


def orientation(
    R: npt.ArrayLike,
    *,
    weight: float = 1.0,
    frame_type: str = "endeffector",
    index: int | None = None,
    tag: str | None = None,
) -> OrientationObjective:
    """Ask for the axes of a frame to be turned as a rotation matrix says.

    Args:
        R: R_world_frame, shape (3, 3): its columns are the frame's axes in the world.
        weight: Positive factor on the error; see ``solve`` for how metres and radians compare.
        frame_type: Kind of frame: "endeffector", "output", "input", "com", ...
        index: Number of the frame among those of its kind.
        tag: Tag of the element, instead of the index.

    Returns:
        The objective; three rows.

    Raises:
        ObjectiveError: If R is not a rotation: wrong shape, not finite, off by more than 1e-4, or
            a reflection.
    """
    goal = _EYE.copy()
    plain = R.__class__ is _ndarray and R.dtype is _FLOAT and R.shape == (3, 3)
    if plain:
        goal[:3, :3] = R
    if not plain or _put_right(goal) != 0:
        goal[:3, :3] = rotation(
            "orientation", array("orientation", R, (3, 3), "a 3x3 rotation matrix")
        )
    if weight.__class__ is not float or weight != 1.0:
        weight = positive_weight("orientation", weight)
    key = _key("orientation", weight, frame_type, index, tag)
    return made(OrientationObjective, goal, key, weight, frame_type, index, tag)


def pose(
    T: npt.ArrayLike,
    *,
    weight: float = 1.0,
    frame_type: str = "endeffector",
    index: int | None = None,
    tag: str | None = None,
) -> PoseObjective:
    """Ask for position and orientation of a frame.

    Args:
        T: T_world_frame, shape (4, 4) [m].
        weight: Positive factor on the error; see ``solve`` for how metres and radians compare.
        frame_type: Kind of frame: "endeffector", "output", "input", "com", ...
        index: Number of the frame among those of its kind.
        tag: Tag of the element, instead of the index.

    Returns:
        The objective; six rows.

    Raises:
        ObjectiveError: If T is not a pose: wrong shape, not finite, last row not 0 0 0 1 (a
            transposed matrix), or its rotation is none.
    """
    if T.__class__ is _ndarray and T.dtype is _FLOAT and T.shape == (4, 4):
        goal = T.copy()
        if _put_right(goal) != 0:
            goal = _pose(T)
    else:
        goal = _pose(T)
    if weight.__class__ is not float or weight != 1.0:
        weight = positive_weight("pose", weight)
    key = _key("pose", weight, frame_type, index, tag)
    return made(PoseObjective, goal, key, weight, frame_type, index, tag)


def _pose(T: npt.ArrayLike) -> FloatArray:
    """Check a pose; a fresh array with the nearest rotation, shape (4, 4)."""
    matrix = array("pose", T, (4, 4), "a 4x4 pose")
    bottom = matrix[3].tolist()
    if bottom != [0.0, 0.0, 0.0, 1.0]:
        ask = "; is the matrix transposed?" if matrix[:3, 3].tolist() == [0.0] * 3 else ""
        raise ObjectiveError(f"pose: the last row is {words(bottom)}, expected 0 0 0 1{ask}")
    check_size("pose", "the position", matrix[:3, 3].tolist())
    matrix[:3, :3] = rotation("pose", matrix[:3, :3])
    return matrix


def tip_axis(
    axis: npt.ArrayLike,
    *,
    weight: float = 1.0,
    frame_type: str = "endeffector",
    index: int | None = None,
    tag: str | None = None,
) -> TipAxisObjective:
    """Ask for the z axis of a frame along a direction; the turn about it stays free.

    Args:
        axis: Direction in the world, shape (3,), of any length but zero.
        weight: Positive factor on the error; see ``solve`` for how metres and radians compare.
        frame_type: Kind of frame: "endeffector", "output", "input", "com", ...
        index: Number of the frame among those of its kind.
        tag: Tag of the element, instead of the index.

    Returns:
        The objective; two rows.

    Raises:
        ObjectiveError: If axis is not three finite numbers, or zero.
    """
    a, b, c = array("tip_axis", axis, (3,), "a direction of 3 numbers").tolist()
    largest = max(abs(a), abs(b), abs(c))
    if largest == 0.0:
        raise ObjectiveError("tip_axis: the axis is zero, expected a direction such as [0, 0, -1]")
    a, b, c = a / largest, b / largest, c / largest  # squares of tiny or huge numbers stay in range
    length = math.sqrt(a * a + b * b + c * c)
    goal = _EYE.copy()
    goal[0, 2], goal[1, 2], goal[2, 2] = a / length, b / length, c / length
    if weight.__class__ is not float or weight != 1.0:
        weight = positive_weight("tip_axis", weight)
    key = _key("tip_axis", weight, frame_type, index, tag)
    return made(TipAxisObjective, goal, key, weight, frame_type, index, tag)


def joint_limits(lower: npt.ArrayLike, upper: npt.ArrayLike) -> JointLimits:
    """Keep every joint within limits, at every step of the search and in the answer.

    They narrow the limits of the model; a seed outside is pulled in.

    Args:
        lower: Shape (n_dof,) [rad or m]; -inf for none.
        upper: Shape (n_dof,) [rad or m]; inf for none.

    Returns:
        The objective; no rows.

    Raises:
        ObjectiveError: If a limit is NaN, lower is above upper, or the lengths differ.
    """
    if (
        lower.__class__ is upper.__class__ is _ndarray
        and lower.dtype is upper.dtype is _FLOAT
        and lower.ndim == upper.ndim == 1
    ):
        low, high = lower.copy(), upper.copy()
        if _in_order(low, high) != 0:
            low, high = _limits(lower, upper)
    else:
        low, high = _limits(lower, upper)
    key = b"limits" + low.tobytes() + high.tobytes()
    low.setflags(write=False)
    high.setflags(write=False)
    return JointLimits(lower=low, upper=high, key=key)


def _limits(lower: npt.ArrayLike, upper: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Check limits; fresh arrays."""
    low = vector("joint_limits", "lower", lower)
    high = vector("joint_limits", "upper", upper)
    if low.size != high.size:
        raise ObjectiveError(
            f"joint_limits: upper has the wrong length: expected {low.size}, got {high.size}"
        )
    for j, (a, b) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        where = f"joint_limits, joint {j + 1} (q[{j}])"
        if math.isnan(a) or math.isnan(b):
            raise ObjectiveError(f"{where}: NaN; use -inf or inf for a joint without a limit")
        if a > b:
            raise ObjectiveError(f"{where}: lower {a:g} is above upper {b:g}; are they swapped?")
        if a == math.inf or b == -math.inf:
            raise ObjectiveError(f"{where}: {a:g} to {b:g} leaves no room")
    return low, high


def custom(
    n_errors: int,
    function: CustomFunction,
    *,
    weight: float = 1.0,
    jacobian: CustomFunction | None = None,
    tolerance: float = 1e-6,
    check_jacobian: bool = False,
) -> CustomObjective:
    """Drive a function of the joint positions to zero.

    Solved with SciPy, in milliseconds instead of microseconds. Exceptions of the function come
    out of ``solve`` unchanged.

    Args:
        n_errors: How many numbers the function returns, at least 1.
        function: Takes q, a read-only copy of shape (n_dof,); returns the errors, (n_errors,).
        weight: Positive factor on the errors.
        jacobian: Takes q, returns d errors / d q, shape (n_errors, n_dof). None: by differences.
        tolerance: The search stops when the largest |error| is below it; met within 10 times it.
        check_jacobian: For debugging: compare every Jacobian with central differences, and make
            the solve raise an ObjectiveError that names the entry that is off the most, if one is
            by more than 1e-5 and 1e-4 of the largest in its row. Costs 2 n_dof calls each time.

    Returns:
        The objective; n_errors rows.

    Raises:
        ObjectiveError: If an argument is not usable.

    Example:
        >>> custom(1, lambda q: [q[0] + q[1]]).tolerance
        1e-06
    """
    if isinstance(n_errors, bool) or not isinstance(n_errors, int | np.integer) or n_errors < 1:
        raise ObjectiveError(f"custom: n_errors is {n_errors!r}, expected a whole number from 1")
    for name, value in (("function", function), ("jacobian", jacobian)):
        if not callable(value) and not (name == "jacobian" and value is None):
            raise ObjectiveError(f"custom: {name} is {value!r}, expected a function of q")
    if check_jacobian and jacobian is None:
        raise ObjectiveError("custom: check_jacobian=True needs a jacobian to check")
    limit = number("custom", "tolerance", tolerance)
    if not 0.0 < limit < math.inf:
        raise ObjectiveError(f"custom: tolerance is {limit:g}, expected a positive number")
    return CustomObjective(
        n_errors=int(n_errors),
        function=function,
        weight=positive_weight("custom", weight),
        jacobian=jacobian,
        tolerance=limit,
        check_jacobian=bool(check_jacobian),
    )


def only_limits(limits: object) -> tuple[JointLimits, ...]:
    """Check the argument ``limits``: none, or what ``joint_limits`` made."""
    if limits is None:
        return ()
    if not isinstance(limits, JointLimits):
        raise ObjectiveError(f"limits: expected ik.joint_limits(lower, upper), got {limits!r}")
    return (limits,)
