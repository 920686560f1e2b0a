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
from armwright.hrdf.formula import rotation_problem
from armwright.hrdf.specification import INERTIA_NAMES

_ROW_TOLERANCE = 1e-9
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


def number_of(value: Any, name: str) -> float:
    """Return a finite number.

    Raises:
        ModelError: If it is not one.
    """
    return float(_array(value, name, ((),))[()])


def vector_of(value: npt.ArrayLike, name: str) -> Vector:
    """Return three finite numbers; raises ModelError otherwise."""
    x, y, z = _array(value, name, ((3,),)).tolist()
    return (x, y, z)


def inertia_of(value: npt.ArrayLike, name: str = "inertia") -> Inertia:
    """Return ixx, iyy, izz, ixy, ixz, iyz; raises ModelError for another shape."""
    six = _array(value, name, ((6,),), "ixx, iyy, izz, ixy, ixz, iyz").tolist()
    return tuple(six)


def rotation_of(value: npt.ArrayLike, name: str) -> Rotation:
    """Return a rotation from a 3x3 matrix or its nine numbers, row by row.

    Raises:
        ModelError: If it has another shape or is not a rotation.
    """
    numbers = _array(value, name, ((3, 3), (9,))).ravel().tolist()
    a, b, c, d, e, f, g, h, i = numbers
    rotation: Rotation = (a, b, c, d, e, f, g, h, i)
    problem = rotation_problem(rotation)
    if problem:
        raise ModelError(f"{name}: not a rotation: {problem}")
    return rotation


def pose_of(value: npt.ArrayLike, name: str) -> Pose:
    """Return a placement from a homogeneous matrix (4, 4) or a translation (3,) [m].

    Raises:
        ModelError: If it has another shape, its last row is not 0 0 0 1, or it is not rigid.
    """
    array = _array(value, name, ((4, 4), (3,)))
    if array.shape == (3,):
        return Pose(translation=vector_of(array, name))
    last = array[3]
    if np.abs(last - (0.0, 0.0, 0.0, 1.0)).max() > _ROW_TOLERANCE:
        shown = ", ".join(f"{x:g}" for x in last)
        raise ModelError(
            f"{name}: the last row is [{shown}], expected [0, 0, 0, 1]. Is the matrix transposed? "
            "The translation stands in the last column: pass T.T"
        )
    return Pose(rotation_of(array[:3, :3], name), vector_of(array[:3, 3], name))


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
    return number_of(values[name], name) if name in values else None


def _exclude(values: dict[str, Any], one: str, others: tuple[str, ...]) -> None:
    for other in others:
        if one in values and other in values:
            raise ModelError(f"{one} and {other} exclude each other. Keep one of them")


def _array(
    value: Any, name: str, shapes: tuple[tuple[int, ...], ...], what: str = ""
) -> npt.NDArray[np.float64]:
    """Return a fresh float array of one of the shapes, all finite."""
    expected = " or ".join("a number" if shape == () else f"shape {shape}" for shape in shapes)
    expected += f" ({what})" if what else ""
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        raise ModelError(f"{name}: expected {expected}, got {value!r}") from None
    if isinstance(value, np.ma.MaskedArray) and np.any(
        value.mask
    ):  # what lies under a mask is not meant
        raise ModelError(f"{name}: expected {expected}, got masked numbers")
    if array.dtype.kind not in "iuf":
        raise ModelError(f"{name}: expected {expected}, got {value!r}")
    if array.shape not in shapes:
        got = f"shape {array.shape}" if array.shape else repr(value)
        raise ModelError(f"{name}: expected {expected}, got {got}")
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        raise ModelError(f"{name}: expected finite numbers, got {array.tolist()}")
    return array
