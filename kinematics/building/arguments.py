"""What users hand to the builder, as numbers of a description: checked, copied, exact.

Lists, tuples, arrays of any numeric type and numpy scalars are taken; shapes, finiteness and
placements are checked with a message that says what was expected.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from armwright.errors import ModelError, did_you_mean
from armwright.hrdf import Overrides, Pose
from armwright.hrdf.elements import NO_OVERRIDES, Inertia, Rotation, Vector
from armwright.hrdf.specification import INERTIA_NAMES
from armwright.kinematics.arrays import FINITE, Hints, as_array, as_pose, as_rotation, number
from armwright.kinematics.robot import fit_pose, fit_rotation

_SIX_NUMBERS: Hints = {None: "They are ixx, iyy, izz, ixy, ixz, iyz"}
_KEYS = (
    "mass",
    "mass_offset",
    "com",
    "com_rot",
    "com_trans",
    "com_offset",
    "com_trans_offset",
    "inertia",
    *INERTIA_NAMES,
)


def vector_of(value: npt.ArrayLike, name: str) -> Vector:
    """Return three finite numbers; raises ModelError otherwise."""
    x, y, z = as_array(value, (3,), name).tolist()
    return (x, y, z)


def inertia_of(value: npt.ArrayLike, name: str = "inertia") -> Inertia:
    """Return ixx, iyy, izz, ixy, ixz, iyz; raises ModelError for another shape."""
    six = as_array(value, (6,), name, hints=_SIX_NUMBERS).tolist()
    return tuple(six)


def rotation_of(value: npt.ArrayLike, name: str) -> Rotation:
    """Return a rotation from a 3x3 matrix or its nine numbers, row by row.

    Raises:
        ModelError: If it has another shape or is not a rotation.
    """
    return fit_rotation(as_rotation(value, name, nine=True))


def pose_of(value: npt.ArrayLike, name: str) -> Pose:
    """Return a placement from a homogeneous matrix (4, 4) or a translation (3,) [m].

    Raises:
        ModelError: If it has another shape, its last row is not 0 0 0 1, or it is not rigid.
    """
    array = as_array(value, [(4, 4), (3,)], name)
    if array.shape == (3,):
        x, y, z = array.tolist()
        return Pose(translation=(x, y, z))
    return fit_pose(as_pose(array, name, most=FINITE))


def overrides_of(kind: str, given: dict[str, Any]) -> Overrides:
    """Turn keywords into overrides; None means not said.

    Raises:
        TypeError: If there is no such keyword.
        ModelError: If a value has the wrong shape, or two keywords say the same thing.
    """
    for key in given:
        if key not in _KEYS:
            hint = did_you_mean(key, _KEYS, most=20)
            raise TypeError(f"{kind}: unknown keyword {key!r}.{hint}")
    values = {key: value for key, value in given.items() if value is not None}
    if not values:
        return NO_OVERRIDES
    _exclude(values, "com", ("com_rot", "com_trans"))
    _exclude(values, "com_offset", ("com_trans_offset",))
    _exclude(values, "inertia", INERTIA_NAMES)
    com_rot = rotation_of(values["com_rot"], "com_rot") if "com_rot" in values else None
    com_trans = vector_of(values["com_trans"], "com_trans") if "com_trans" in values else None
    if "com" in values:
        pose = pose_of(values["com"], "com")
        com_rot = pose.rotation if np.ndim(values["com"]) == 2 else None
        com_trans = pose.translation
    offset = values.get("com_offset", values.get("com_trans_offset"))
    inertia: tuple[float | None, ...]
    if "inertia" in values:
        inertia = inertia_of(values["inertia"])
    else:
        inertia = tuple(_optional(values, name) for name in INERTIA_NAMES)
    return Overrides(
        mass=_optional(values, "mass"),
        mass_offset=_optional(values, "mass_offset"),
        com_rot=com_rot,
        com_trans=com_trans,
        com_trans_offset=None if offset is None else vector_of(offset, "com_offset"),
        inertia=inertia,
    )


def _optional(values: dict[str, Any], name: str) -> float | None:
    return number(values[name], name) if name in values else None


def _exclude(values: dict[str, Any], one: str, others: tuple[str, ...]) -> None:
    for other in others:
        if one in values and other in values:
            raise ModelError(f"{one} and {other} exclude each other. Keep one of them")
