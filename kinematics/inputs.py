"""Names of ``arrays`` under their older address."""

from .arrays import (
    FLOAT,
    array_to_fill,
    finite_numbers,
    joint_vector,
    joint_vectors,
    one_of,
    read_only,
)

__all__ = [
    "FLOAT",
    "array_to_fill",
    "finite_numbers",
    "joint_vector",
    "joint_vectors",
    "one_of",
    "read_only",
]
