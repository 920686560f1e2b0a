"""The three ways to write six numbers of motion or force down, and the matrices between them.

A twist, linear first, belongs to a frame at p with axes R. MIXED is what all kernels use: axes of
the world, velocity of the frame's origin. With V for it and C for the matrix below, the others are
C V; an acceleration is the time derivative of those numbers, C A + (dC/dt) V; a wrench keeps its
power, C^-T F. All three are told apart in section II.C of Traversaro, Pucci and Nori, On the base
frame choice in free-floating mechanical systems, 2015.
"""

from enum import Enum

import numpy as np

from .inputs import one_of
from .transforms import FloatArray, skew

_ONES = np.eye(6)


class Representation(str, Enum):
    """How twists, accelerations, wrenches and momenta are written; compares equal to its name.

    Accelerations are the time derivatives of the twist's numbers, so each kind has its own.

    Attributes:
        MIXED: Axes of the world, at the frame's own origin. The linear acceleration is the one
            that the origin really has.
        BODY: The frame's own axes and origin. The linear acceleration is the spatial one: what
            the origin really has, less angular times linear velocity.
        INERTIAL: Axes of the world, for the point of the frame's body that is at the world's
            origin; moments about the world's origin.
    """

    MIXED = "mixed"
    BODY = "body"
    INERTIAL = "inertial"

    @classmethod
    def parse(cls, representation: object) -> "Representation":
        """Return the kind that was meant, in any case.

        Raises:
            ModelError: If there is no such kind; the message lists them.
        """
        if isinstance(representation, cls):
            return representation
        return cls(one_of(representation, [kind.value for kind in cls], "representation"))


def twist_change(kind: Representation, R: FloatArray, p: FloatArray) -> FloatArray:
    """Return the matrix from mixed twists of a frame at p with axes R, shape (6, 6)."""
    if kind is Representation.BODY:
        return turned(R.T)
    return _ONES.copy() if kind is Representation.MIXED else moved(-p)


def twist_back(kind: Representation, R: FloatArray, p: FloatArray) -> FloatArray:
    """Return the inverse of ``twist_change``, shape (6, 6)."""
    return turned(R) if kind is Representation.BODY else twist_change(kind, R, -p)


def twist_change_rate(
    kind: Representation, R: FloatArray, velocity: FloatArray, turn: FloatArray
) -> FloatArray:
    """Return the rate of ``twist_change`` for a frame whose p and axes move, shape (6, 6)."""
    C = np.zeros((6, 6))
    if kind is Representation.BODY:
        C[:3, :3] = C[3:, 3:] = -R.T @ skew(turn)
    elif kind is Representation.INERTIAL:
        C[:3, 3:] = skew(velocity)
    return C


def wrench_change(kind: Representation, R: FloatArray, p: FloatArray) -> FloatArray:
    """Return the matrix from mixed wrenches and momenta at a frame, shape (6, 6)."""
    C = twist_change(kind, R, p)
    if kind is Representation.INERTIAL:
        C[3:, :3], C[:3, 3:] = C[:3, 3:].copy(), 0.0
    return C


def wrench_change_rate(
    kind: Representation, R: FloatArray, velocity: FloatArray, turn: FloatArray
) -> FloatArray:
    """Return the rate of ``wrench_change``, shape (6, 6)."""
    C = twist_change_rate(kind, R, velocity, turn)
    if kind is Representation.INERTIAL:
        C[3:, :3], C[:3, 3:] = C[:3, 3:].copy(), 0.0
    return C


def turned(R: FloatArray) -> FloatArray:
    """Return the matrix that turns both halves of six numbers, shape (6, 6)."""
    C = np.zeros((6, 6))
    C[:3, :3] = C[3:, 3:] = R
    return C


def moved(d: FloatArray) -> FloatArray:
    """Return the matrix from twists at a point to those at the point d further on, (6, 6)."""
    C = _ONES.copy()
    C[0, 5], C[1, 3], C[2, 4] = (-d[1], -d[2], -d[0])
    C[0, 4], C[1, 5], C[2, 3] = (d[2], d[0], d[1])
    return C


def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the cross product of two vectors; ``np.cross`` takes ten times as long."""
    ax, ay, az = a.tolist()
    bx, by, bz = b.tolist()
    return np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])
