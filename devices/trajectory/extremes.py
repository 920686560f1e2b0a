"""How far quintics go: exact extremes of their values and derivatives, quickly for many segments.

Where a polynomial has its extremes its derivative is 0. The zeros of a derivative lie between the
zeros of the next one, so they are found from the top: that of a line, then two between its zero and
the ends, and so on, each by bisection, for all segments at once. Bernstein coefficients bound a
polynomial from both sides; only segments whose bound reaches further than what is known are looked
at closely.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from armwright.kinematics.arrays import FloatArray

_HALVINGS = 32  # an extreme is flat: 2^-32 off in s, 2^-64 off in value
_FIRST_LOOK = np.linspace(0.0, 1.0, 5)


class Beyond(NamedTuple):
    """The place where a curve is furthest beyond its limits.

    Attributes:
        segment: Number of the segment.
        joint: Number of the joint.
        s: Where in the segment, 0 to 1.
        value: Value of the derivative there.
        excess: How far that is beyond the limit, above 0.
    """

    segment: int
    joint: int
    s: float
    value: float
    excess: float


def largest(polynomials: FloatArray, derivative: int, lengths: FloatArray) -> FloatArray:
    """Return the largest absolute value of a derivative with respect to time, shape (n,).

    Args:
        polynomials: Shape (k, 6, n).
        derivative: 1 for velocity, 2 for acceleration.
        lengths: Length of each segment, shape (k,) [s].
    """
    low, high = extremes(polynomials, derivative, lengths)
    result: FloatArray = np.maximum(np.abs(low), np.abs(high))
    return result


def extremes(
    polynomials: FloatArray, derivative: int, lengths: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and largest value of a derivative with respect to time, shape (n,) each.

    Args:
        polynomials: Shape (k, 6, n).
        derivative: 0 for position, 1, 2.
        lengths: Length of each segment, shape (k,) [s].
    """
    curves = _derived(polynomials, derivative, lengths)  # (k, degree + 1, n)
    seen = np.einsum("ps,ksn->kpn", _powers(_FIRST_LOOK, curves.shape[1]), curves)
    low, high = seen.min(axis=(0, 1)), seen.max(axis=(0, 1))
    bounds = _bernstein(curves)
    further = (bounds.max(axis=1) > high) | (bounds.min(axis=1) < low)  # (k, n)
    segments, joints = np.nonzero(further)
    if len(segments):
        _, values = _extreme_values(curves[segments, :, joints])
        np.minimum.at(low, joints, values.min(axis=1))
        np.maximum.at(high, joints, values.max(axis=1))
    return low, high


def furthest_beyond(
    polynomials: FloatArray,
    derivative: int,
    lengths: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
) -> Beyond | None:
    """Return where a derivative with respect to time is furthest outside limits; None: nowhere.

    Args:
        polynomials: Shape (k, 6, n).
        derivative: 0 for position, 1, 2.
        lengths: Length of each segment, shape (k,) [s].
        lower: Shape (n,), or (k, n) for limits of each segment.
        upper: Likewise.
    """
    curves = _derived(polynomials, derivative, lengths)
    lower = np.broadcast_to(lower, (len(curves), curves.shape[2]))
    upper = np.broadcast_to(upper, lower.shape)
    bounds = _bernstein(curves)
    suspects = (bounds.max(axis=1) > upper) | (bounds.min(axis=1) < lower)
    segments, joints = np.nonzero(suspects)
    if not len(segments):
        return None
    points, values = _extreme_values(curves[segments, :, joints])
    excess = np.maximum(
        values - upper[segments, joints][:, None], lower[segments, joints][:, None] - values
    )
    row, column = np.unravel_index(int(excess.argmax()), excess.shape)
    if not excess[row, column] > 0.0:
        return None
    return Beyond(
        int(segments[row]),
        int(joints[row]),
        float(points[row, column]),
        float(values[row, column]),
        float(excess[row, column]),
    )


def _derived(polynomials: FloatArray, derivative: int, lengths: FloatArray) -> FloatArray:
    """Return the coefficients of a derivative with respect to time, shape (k, 6 - order, n)."""
    curves = polynomials
    for _ in range(derivative):
        curves = curves[:, 1:] * np.arange(1.0, curves.shape[1])[:, None]
    return curves / lengths[:, None, None] ** derivative


def _powers(points: FloatArray, count: int) -> FloatArray:
    """Return 1, s, s^2, ... of points, shape (..., count)."""
    result: FloatArray = points[..., None] ** np.arange(count)
    return result


def _bernstein(curves: FloatArray) -> FloatArray:
    """Return the Bernstein coefficients on 0..1, which bound the values; the same shape."""
    degree = curves.shape[1] - 1
    change = np.array(
        [[comb(i, j) / comb(degree, j) for j in range(degree + 1)] for i in range(degree + 1)]
    )
    result: FloatArray = np.einsum("ij,kjn->kin", change, curves)
    return result


def _extreme_values(curves: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return where polynomials, shape (c, degree + 1), may be extreme, and their values there."""
    tower = [curves]
    while tower[-1].shape[1] > 1:
        one = tower[-1]
        tower.append(one[:, 1:] * np.arange(1.0, one.shape[1]))
    points = np.tile([0.0, 1.0], (len(curves), 1))
    for slope in reversed(tower[1:-1]):  # from the line up to the first derivative
        points = _with_zeros(slope, points)
    return points, _values(curves, points)


def _with_zeros(curves: FloatArray, points: FloatArray) -> FloatArray:
    """Return points with the zeros of polynomials between them, where they change their sign.

    Where they do not, a point is put somewhere between: points too many do no harm to extremes.
    """
    left, right = points[:, :-1].copy(), points[:, 1:].copy()
    rising = _values(curves, right) > 0.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (left + right)
        beyond = (_values(curves, middle) > 0.0) == rising
        right = np.where(beyond, middle, right)
        left = np.where(beyond, left, middle)
    return np.sort(np.concatenate((points, 0.5 * (left + right)), axis=1), axis=1)


def _values(curves: FloatArray, points: FloatArray) -> FloatArray:
    """Return polynomials, shape (c, degree + 1), at points, shape (c, p)."""
    result = np.zeros_like(points)
    for coefficient in curves.T[::-1]:
        result = result * points + coefficient[:, None]
    return result
