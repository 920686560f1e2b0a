"""What users hand to the builder, as numbers of a description: checked, copied, exact.

Lists, tuples, arrays of any numeric type and numpy scalars are taken; shapes, finiteness and
placements are checked with a message that says what was expected.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from armwright.errors import (
    ModelError,
    WrongTypeError,
    did_you_mean,
)
from armwright.hrdf import Overrides, Pose
from armwright.hrdf.elements import NO_OVERRIDES, Inertia, Rotation, Vector
from armwright.hrdf.specification import INERTIA_NAMES
from armwright.kinematics.arrays import (
    FINITE,
    Hints,
    as_array,
    as_pose,
    as_rotation,
    looks_like_degrees,
    number,
    whole_number,
)
from armwright.kinematics.robot import fit_pose, fit_rotation

LONGEST = 10.0
"""Longest extension of a link [m]; the reader warns of longer ones too."""

FARTHEST = 20.0
"""Farthest a placement on a part or body may be [m]; those of the catalog are below 0.2 m."""

HEAVIEST = 100.0
"""Heaviest part or body [kg]; the catalog's heaviest is below 3 kg."""

_ELSEWHERE = "Anything larger is for ModelBuilder or a file"
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


def length_of(value: float, name: str) -> float:
    """Return a length of at most ``LONGEST`` [m]; raises ModelError otherwise."""
    return _metres(number(value, name), name, LONGEST)


def angle_of(value: float, name: str) -> float:
    """Return an angle [rad]; raises ModelError for one that looks like degrees."""
    angle = number(value, name)
    if looks_like_degrees(np.array([angle])):
        raise ModelError(
            f"{name}: expected radians, got {angle:g}: degrees? Write np.radians({angle:g})"
        )
    return angle


def mass_of(value: float, name: str) -> float:
    """Return a mass of at most ``HEAVIEST`` [kg]; raises ModelError otherwise."""
    mass = number(value, name)
    if abs(mass) > HEAVIEST:
        raise ModelError(
            f"{name}: expected kilograms, at most {HEAVIEST:g}, got {mass:g}: grams? "
            f"Write {mass / 1000:g}. {_ELSEWHERE}"
        )
    return mass


def vector_of(value: npt.ArrayLike, name: str) -> Vector:
    """Return three finite numbers; raises ModelError otherwise."""
    x, y, z = as_array(value, (3,), name).tolist()
    return (x, y, z)


def point_of(value: npt.ArrayLike, name: str) -> Vector:
    """Return a point on a part, at most ``FARTHEST`` [m] along each axis; see ``vector_of``."""
    x, y, z = vector_of(value, name)
    return (_metres(x, name, FARTHEST), _metres(y, name, FARTHEST), _metres(z, name, FARTHEST))


def _metres(value: float, name: str, most: float) -> float:
    """Return a coordinate or length; far ones are an error that asks for millimetres."""
    if abs(value) > most:
        raise ModelError(
            f"{name}: expected metres, at most {most:g}, got {value:g}: millimetres? "
            f"Write {value / 1000:g}. {_ELSEWHERE}"
        )
    return value


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


def place_of(value: npt.ArrayLike, name: str) -> Pose:
    """Return a placement on a part, which is at most ``FARTHEST`` [m] away; see ``pose_of``."""
    pose = pose_of(value, name)
    for coordinate in pose.translation:
        _metres(coordinate, name, FARTHEST)
    return pose


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
            raise WrongTypeError(f"{kind}: unknown keyword {key!r}.{hint}")
    values = {key: value for key, value in given.items() if value is not None}
    if not values:
        return NO_OVERRIDES
    _exclude(values, "com", ("com_rot", "com_trans"))
    _exclude(values, "com_offset", ("com_trans_offset",))
    _exclude(values, "inertia", INERTIA_NAMES)
    com_rot = rotation_of(values["com_rot"], "com_rot") if "com_rot" in values else None
    com_trans = point_of(values["com_trans"], "com_trans") if "com_trans" in values else None
    if "com" in values:
        pose = place_of(values["com"], "com")
        com_rot = pose.rotation if np.ndim(values["com"]) == 2 else None
        com_trans = pose.translation
    offset = values.get("com_offset", values.get("com_trans_offset"))
    inertia: tuple[float | None, ...]
    if "inertia" in values:
        inertia = inertia_of(values["inertia"])
    else:
        inertia = tuple(_optional(values, name) for name in INERTIA_NAMES)
    return Overrides(
        mass=_optional_mass(values, "mass"),
        mass_offset=_optional_mass(values, "mass_offset"),
        com_rot=com_rot,
        com_trans=com_trans,
        com_trans_offset=None if offset is None else point_of(offset, "com_offset"),
        inertia=inertia,
    )


def output_number(output: int, count: int, kind: str) -> int:
    """Return the number of an output."""
    index = whole_number(output, "branch", None, expected="the number of an output")
    if not 0 <= index < count:
        raise ModelError(
            f"branch: the {kind} has {count} outputs, numbered from 0; expected 0 to {count - 1}, "
            f"got {index}"
        )
    return index


def _optional_mass(values: dict[str, Any], name: str) -> float | None:
    return mass_of(values[name], name) if name in values else None


def _optional(values: dict[str, Any], name: str) -> float | None:
    return number(values[name], name) if name in values else None


def _exclude(values: dict[str, Any], one: str, others: tuple[str, ...]) -> None:
    for other in others:
        if one in values and other in values:
            raise ModelError(f"{one} and {other} exclude each other. Keep one of them")
