"""The matrices between the three representations of six numbers of motion or force.

A twist, linear first, belongs to a frame at p with axes R. MIXED is what all kernels use: axes of
the world, velocity of the frame's origin. With V for it and C for the matrix below, the others are
C V; an acceleration is the time derivative of those numbers, C A + (dC/dt) V; a wrench keeps its
power, C^-T F. All three are told apart in section II.C of Traversaro, Pucci and Nori, On the base
frame choice in free-floating mechanical systems, 2015.
"""

import numpy as np

from armwright.kinematics.arrays import FloatArray
from armwright.kinematics.representation import Representation
from armwright.kinematics.transforms import skew

ONES = np.eye(6)
ONES.setflags(write=False)


def twist_change(representation: Representation, R: FloatArray, p: FloatArray) -> FloatArray:
    """Return the matrix from mixed twists of a frame at p with axes R, shape (6, 6)."""
    if representation is Representation.BODY:
        return turn_both(R.T)
    return ONES if representation is Representation.MIXED else shift(-p)


def twist_back(representation: Representation, R: FloatArray, p: FloatArray) -> FloatArray:
    """Return the inverse of ``twist_change``, shape (6, 6)."""
    if representation is Representation.BODY:
        return turn_both(R)
    return twist_change(representation, R, -p)


def twist_change_rate(representation: Representation, R: FloatArray, V: FloatArray) -> FloatArray:
    """Return the rate of ``twist_change`` for a frame of mixed twist V, shape (6, 6)."""
    C = np.zeros((6, 6))
    if representation is Representation.BODY:
        C[:3, :3] = C[3:, 3:] = -R.T @ skew(V[3:])
    elif representation is Representation.INERTIAL:
        C[:3, 3:] = skew(V[:3])
    return C


def turn_both(R: FloatArray) -> FloatArray:
    """Return the matrix that turns both halves of six numbers, shape (6, 6)."""
    C = np.zeros((6, 6))
    C[:3, :3] = C[3:, 3:] = R
    return C


def shift(d: FloatArray) -> FloatArray:
    """Return the matrix from twists at a point to those at the point d further on, (6, 6)."""
    C = ONES.copy()
    C[0, 5], C[1, 3], C[2, 4] = (-d[1], -d[2], -d[0])
    C[0, 4], C[1, 5], C[2, 3] = (d[2], d[0], d[1])
    return C


def shift_rate(velocity: FloatArray) -> FloatArray:
    """Return the rate of ``shift`` when the way changes with a velocity, shape (6, 6)."""
    C = np.zeros((6, 6))
    C[:3, 3:] = -skew(velocity)
    return C


def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the cross product of two vectors; ``np.cross`` takes ten times as long."""
    ax, ay, az = a.tolist()
    bx, by, bz = b.tolist()
    return np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])
