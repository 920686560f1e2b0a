"""Lists of targets as users give them: arrays of poses or positions, and errors that say which."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from armwright.errors import ArmwrightError, ObjectiveError
from armwright.ik.objectives import LARGEST, Objective, pose, position
from armwright.kinematics.arrays import FloatArray, got, is_masked, nearer_rotation
from armwright.kinematics.engine import lazy

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.ik._kernels import batch as _batch_kernels  # noqa: F401

_check_poses = lazy(__name__, "_check_poses", "armwright.ik._kernels.batch")

SURELY_ROTATION = 1e-4  # of R^T R - 1: what is nearer is one, whatever is measured


def target_array(name: str, given: Any) -> npt.NDArray[Any]:
    """Return targets as one array, (n, 4, 4) or (n, 3); their numbers are not checked.

    Args:
        name: Of the argument, for messages.
        given: What the user gave; an empty list makes shape (0, 4, 4).

    Raises:
        ObjectiveError: If the shape is another one, or some numbers are masked.
    """
    if is_masked(given):
        raise ObjectiveError(f"{name}: expected numbers, got {got(given)}")
    try:
        array = np.array(given)
    except ValueError:
        array = np.array(given, dtype=object)
    if array.size == 0 and array.ndim == 1:
        return np.empty((0, 4, 4))
    if array.shape[1:] not in ((4, 4), (3,)):
        hint = "; one target must stand in a list" if array.shape in ((4, 4), (3,)) else ""
        raise ObjectiveError(f"{name}: expected shape (n, 4, 4) or (n, 3), got {array.shape}{hint}")
    return array


def call_numbered(function: Any, name: str, number: int, target: Any) -> Any:
    """Call a function with a target; an error says which target it was."""
    try:
        return function(target)
    except ArmwrightError as error:
        raise type(error)(f"{name}[{number}]: {error}") from None


def check_targets(targets: npt.ArrayLike) -> tuple[FloatArray, Callable[..., Objective]]:
    """Check the targets; return them as poses, shape (n, 4, 4), and what makes objectives of one.

    The same checks as one by one, and the same rounding, but quick.
    """
    given = target_array("targets", targets)
    if given.shape[1:] == (3,):
        poses = np.zeros((len(given), 4, 4))
        poses[:] = np.eye(4)
        poses[:, :3, 3] = _numbers(given, position)
        return poses, lambda T, **frame: position(T[:3, 3], **frame)
    poses = np.ascontiguousarray(_numbers(given, pose))
    off = np.empty(len(poses))
    _check_poses(poses, off)
    bottom = (poses[:, 3] == [0.0, 0.0, 0.0, 1.0]).all(axis=1)
    suspects = np.flatnonzero(~bottom | (off > SURELY_ROTATION) | (off < 0.0))
    for i in suspects.tolist():  # a few, if any: mended, or refused, as one by one
        poses[i] = call_numbered(pose, "targets", i, given[i]).target
        off[i] = 0.0
    while (rough := off > 1e-15).any():  # as for one: Newton's iteration for the nearest rotation
        nine = poses[rough, :3, :3].reshape(-1, 9).T
        poses[rough, :3, :3] = np.stack(nearer_rotation(*nine), axis=-1).reshape(-1, 3, 3)
        off[rough] = 3.0 * off[rough] * off[rough]
    return poses, pose


def _numbers(given: npt.NDArray[Any], make: Callable[..., Objective]) -> FloatArray:
    """Convert targets to finite floats; the first that is not usable says why."""
    if given.dtype.kind not in "iuf":
        _complain(np.arange(len(given)), given, make)
        raise ObjectiveError("targets: expected numbers; a free axis (None) is for solve alone")
    values = given.astype(np.float64)
    sound = (np.abs(values) <= LARGEST).all(axis=tuple(range(1, values.ndim)))
    _complain(np.flatnonzero(~sound), given, make)
    return values


def _complain(
    suspects: npt.NDArray[np.intp], given: npt.NDArray[Any], make: Callable[..., Objective]
) -> None:
    """Raise what the first of these targets raises on its own, with its number."""
    for i in suspects.tolist():
        call_numbered(make, "targets", i, given[i])
