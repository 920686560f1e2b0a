"""The one gate for what users hand over: numbers, vectors, rotations and poses.

``conversion`` says what counts as a number, ``checks`` holds numbers, rows and arrays to fill,
``named`` joint values by name, ``poses`` rotations, directions and poses; ``degrees`` and
``plausible`` warn of what is mostly in another unit. Every function takes the value, what it has to
be, what to call it in messages and, last, the class of the error.
"""

from armwright.kinematics._kernels.nearest import nearer_rotation
from armwright.reprs import short

from .checks import (
    FINITE,
    LARGEST,
    POSITIVE,
    Hints,
    array_to_fill,
    as_array,
    check_each,
    filled,
    finite_numbers,
    frozen,
    is_row,
    joint_vector,
    joint_vectors,
    number,
    one_of,
    read_only,
    read_only_view,
    row,
    true_or_false,
    whole_number,
    within,
)
from .conversion import FLOAT, BoolArray, FloatArray, got, is_masked, numeric, words
from .degrees import looks_like_degrees, warn_of_degrees, warn_outside
from .inertias import as_inertia
from .named import JointValues, some_by_name, values_by_name
from .plausible import warn_of_gravity, warn_of_payload
from .poses import (
    KEPT,
    ROTATION_TOLERANCE,
    as_direction,
    as_orientation,
    as_pose,
    as_poses,
    as_rotation,
    check_angles,
    mend_rotation,
    nearest_rotation,
    quaternions_from_rotations,
    rotation_from_quaternion,
    scaled_quaternions,
)

__all__ = [
    "FINITE",
    "FLOAT",
    "KEPT",
    "LARGEST",
    "POSITIVE",
    "ROTATION_TOLERANCE",
    "BoolArray",
    "FloatArray",
    "Hints",
    "JointValues",
    "array_to_fill",
    "as_array",
    "as_direction",
    "as_inertia",
    "as_orientation",
    "as_pose",
    "as_poses",
    "as_rotation",
    "check_angles",
    "check_each",
    "filled",
    "finite_numbers",
    "frozen",
    "got",
    "is_masked",
    "is_row",
    "joint_vector",
    "joint_vectors",
    "looks_like_degrees",
    "mend_rotation",
    "nearer_rotation",
    "nearest_rotation",
    "number",
    "numeric",
    "one_of",
    "quaternions_from_rotations",
    "read_only",
    "read_only_view",
    "rotation_from_quaternion",
    "row",
    "scaled_quaternions",
    "short",
    "some_by_name",
    "true_or_false",
    "values_by_name",
    "warn_of_degrees",
    "warn_of_gravity",
    "warn_of_payload",
    "warn_outside",
    "whole_number",
    "within",
    "words",
]
