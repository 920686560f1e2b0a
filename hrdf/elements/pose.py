"""Placements as plain numbers: a frozen, comparable rotation and translation.

Descriptions must compare and hash by content, which arrays do not; the models turn these into
arrays once. A ``Pose`` named ``T_A_B`` is the placement of B in A: ``p_A = R_A_B p_B + t_A_B``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from armwright.errors import WrongTypeError
from armwright.reprs import (
    one_line_repr,
    short,
)

Vector = tuple[float, float, float]
Rotation = tuple[float, float, float, float, float, float, float, float, float]

IDENTITY_ROTATION: Rotation = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
ZERO: Vector = (0.0, 0.0, 0.0)
_ULP = 2.3e-16  # 1000 * pi / 2 / (pi / 2) is off by one rounding


@dataclass(frozen=True, slots=True)
class Pose:
    """A rigid placement of one frame in another.

    Attributes:
        rotation: Nine numbers, row major.
        translation: Three numbers [m].
    """

    rotation: Rotation = IDENTITY_ROTATION
    translation: Vector = ZERO

    def matrix(self) -> npt.NDArray[np.float64]:
        """Return the homogeneous matrix, shape (4, 4), a fresh array."""
        T = np.eye(4)
        T[:3, :3] = np.reshape(self.rotation, (3, 3))
        T[:3, 3] = self.translation
        return T

    @classmethod
    def from_matrix(cls, T: npt.NDArray[np.float64]) -> Pose:
        """Take the numbers of a homogeneous matrix, shape (4, 4), as they are.

        Raises:
            WrongTypeError: If it is no array of numbers of that shape.
        """
        if not (isinstance(T, np.ndarray) and T.shape == (4, 4) and T.dtype.kind in "fiu"):
            raise WrongTypeError(f"from_matrix: expected numbers, shape (4, 4), got {short(T)}")
        rotation: Rotation = tuple(float(x) for x in T[:3, :3].flat)  # type: ignore[assignment]
        return cls(rotation, (float(T[0, 3]), float(T[1, 3]), float(T[2, 3])))

    __repr__ = one_line_repr


IDENTITY = Pose()


def rotation_product(A: Rotation, B: Rotation) -> Rotation:
    """Multiply two rotations."""
    a, b, c, d, e, f, g, h, i = A
    j, k, l, m, n, o, p, q, r = B  # noqa: E741 - rows of a matrix, spelled in order
    return (
        a * j + b * m + c * p,
        a * k + b * n + c * q,
        a * l + b * o + c * r,
        d * j + e * m + f * p,
        d * k + e * n + f * q,
        d * l + e * o + f * r,
        g * j + h * m + i * p,
        g * k + h * n + i * q,
        g * l + h * o + i * r,
    )


def rotation_about(axis: str, angle: float) -> Rotation:
    """Turn by an angle [rad] about a coordinate axis, "x", "y" or "z"; exact at quarter turns.

    The cosine of the double nearest to pi/2 is 6e-17; a quarter turn that a person wrote is
    meant exactly, and exact zeros keep later products free of that dust.
    """
    s, c = math.sin(angle), math.cos(angle)
    quarters = angle / (math.pi / 2)
    if abs(quarters) < 1e6 and math.isclose(quarters, round(quarters), rel_tol=_ULP):
        s, c = (float(round(s)), float(round(c)))
    if axis == "x":
        return (1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c)
    if axis == "y":
        return (c, 0.0, s, 0.0, 1.0, 0.0, -s, 0.0, c)
    return (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
