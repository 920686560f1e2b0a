"""The numbers of minimum-jerk curves: one quintic per segment, all segments found together.

Each joint has at every waypoint a position, a velocity and an acceleration. Those that are given
stay; those left open take the values that make the integral of the squared jerk over the whole
curve smallest. With the end states d of a segment the integral is d' H d, so the open values solve
a linear system whose matrix is block tridiagonal with 3x3 blocks: a band of six.

Times are scaled by the mean length of a segment, so that segments of milliseconds and of minutes
are equally well solved. Positions are taken relative to the first given one.
"""

import numpy as np

from armwright.kinematics.arrays import BoolArray, FloatArray

HERMITE = np.array(
    [
        [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.5, 0.0, 0.0, 0.0],
        [-10.0, -6.0, -1.5, 10.0, -4.0, 0.5],
        [15.0, 8.0, 1.5, -15.0, 7.0, -1.0],
        [-6.0, -3.0, -0.5, 6.0, -3.0, 0.5],
    ]
)
"""Coefficients of 1, s, ..., s^5 from (p0, v0, a0, p1, v1, a1) of a segment of unit length."""

_K = np.array([6.0, 24.0, 60.0])  # third derivative of s^3, s^4, s^5 at s = 1
_ORDERS = np.arange(3)
_JERK = np.outer(_K, _K) / (_ORDERS[:, None] + _ORDERS[None, :] + 1.0)
_COST = HERMITE[3:].T @ _JERK @ HERMITE[3:]  # H of a segment of unit length
_BAND = 5


def solve_open_values(times: FloatArray, states: FloatArray) -> FloatArray:
    """Fill in the values that are NaN so that the squared jerk is smallest.

    Args:
        times: Increasing, shape (m,) [s].
        states: Position, velocity, acceleration per waypoint, shape (m, 3, n); NaN is open.

    Returns:
        The same with every NaN replaced, shape (m, 3, n).

    Raises:
        numpy.linalg.LinAlgError: If so little is given that the curve is not determined.
    """
    if not np.isnan(states).any():
        return states.copy()
    m, _, n = states.shape
    unit = (times[-1] - times[0]) / (m - 1)
    scale = unit ** np.arange(3.0)[:, None]  # v and a in units of the mean segment
    scaled: FloatArray = np.ascontiguousarray(states * scale)
    start = _first_given(scaled[:, 0])  # (n,)
    scaled[:, 0] -= start
    rows = scaled.reshape(3 * m, n)  # index 3 * waypoint + derivative
    band = _cost_band(np.diff(times) / unit)
    motions = _motions_without_jerk((times - times[0]) / (times[-1] - times[0]))
    patterns, which = np.unique(np.isnan(rows), axis=1, return_inverse=True)
    which = which.ravel()
    for index in range(patterns.shape[1]):  # joints with the same open values share a matrix
        columns = np.flatnonzero(which == index)
        is_open = patterns[:, index]
        if np.linalg.matrix_rank(motions[~is_open]) < 3:
            raise np.linalg.LinAlgError("what is given does not determine the curve")
        rows[:, columns] = _solve(band, is_open, rows[:, columns])
    scaled[:, 0] += start
    filled: FloatArray = scaled / scale
    given = ~np.isnan(states)
    filled[given] = states[given]  # untouched by the scaling
    return filled


def coefficients(times: FloatArray, states: FloatArray) -> FloatArray:
    """Return the polynomials of all segments in s = (t - start) / length, 0 to 1.

    Args:
        times: Increasing, shape (m,) [s].
        states: Position, velocity, acceleration per waypoint, shape (m, 3, n), no NaN.

    Returns:
        Coefficients of 1, s, ..., s^5, shape (m - 1, 6, n).
    """
    length = np.diff(times)[:, None, None] ** np.arange(3.0)[None, :, None]  # (m - 1, 3, 1)
    ends = np.concatenate((states[:-1] * length, states[1:] * length), axis=1)  # (m - 1, 6, n)
    base = ends[:, :1].copy()
    ends[:, [0, 3]] -= base  # the shape comes from differences: no digits are lost far from 0
    result: FloatArray = np.einsum("ij,kjn->kin", HERMITE, ends)
    result[:, :1] += base
    return result


def evaluate(
    polynomials: FloatArray, s: FloatArray, length: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return position, velocity and acceleration of quintics.

    Args:
        polynomials: Shape (k, 6, n).
        s: Where in each, 0 to 1, shape (k,).
        length: Length of each segment, shape (k,) [s].

    Returns:
        Three arrays, each of shape (k, n).
    """
    x = s[:, None]
    c0, c1, c2, c3, c4, c5 = (polynomials[:, i] for i in range(6))
    position = ((((c5 * x + c4) * x + c3) * x + c2) * x + c1) * x + c0
    velocity = (((5 * c5 * x + 4 * c4) * x + 3 * c3) * x + 2 * c2) * x + c1
    acceleration = ((20 * c5 * x + 12 * c4) * x + 6 * c3) * x + 2 * c2
    return position, velocity / length[:, None], acceleration / length[:, None] ** 2


def _first_given(positions: FloatArray) -> FloatArray:
    """Return the first position of each joint that is given, 0 where none is; (m, n) to (n,)."""
    first = np.argmin(np.isnan(positions), axis=0)
    result: FloatArray = np.nan_to_num(positions[first, np.arange(positions.shape[1])])
    return result


def _motions_without_jerk(s: FloatArray) -> FloatArray:
    """Return position, velocity, acceleration of 1, s and s^2 at the waypoints, shape (3 m, 3).

    They cost nothing, so what is given must pin all three down.
    """
    one, zero = np.ones_like(s), np.zeros_like(s)
    rows = np.array([[one, s, s**2], [zero, one, 2 * s], [zero, zero, 2 * one]])  # (3, 3, m)
    result: FloatArray = rows.transpose(2, 0, 1).reshape(-1, 3)
    return result


def _cost_band(lengths: FloatArray) -> FloatArray:
    """Return the lower band of the cost of all segments, shape (6, 3 m).

    Element (d, i) belongs to row i + d, column i.
    """
    m = len(lengths) + 1
    ends = np.tile(lengths[:, None] ** np.arange(3.0), 2)  # (m - 1, 6)
    blocks = _COST * (ends[:, :, None] * ends[:, None, :]) / lengths[:, None, None] ** 5
    band = np.zeros((_BAND + 1, 3 * m))
    for d in range(_BAND + 1):
        for column in range(6 - d):
            band[d, column : 3 * m - 5 + column : 3] += blocks[:, column + d, column]
    return band


def _solve(band: FloatArray, is_open: BoolArray, rows: FloatArray) -> FloatArray:
    """Fill the open rows of the joints that share a pattern; rows has shape (3 m, k)."""
    from scipy.linalg import solveh_banded

    n_open = int(is_open.sum())
    if n_open == 0:
        return rows
    filled = np.where(is_open[:, None], 0.0, rows)
    load = -_product(band, filled)[is_open]
    small = np.zeros((_BAND + 1, n_open))
    original = np.flatnonzero(is_open)
    for d in range(min(_BAND + 1, n_open)):  # neighbors move closer together, never apart
        apart = original[d:] - original[: n_open - d]
        inside = apart <= _BAND
        columns = original[: n_open - d][inside]
        small[d, : n_open - d][inside] = band[apart[inside], columns]
    root = 1.0 / np.sqrt(small[0])  # to a unit diagonal
    for d in range(min(_BAND + 1, n_open)):
        small[d, : n_open - d] *= root[: n_open - d] * root[d:]
    solution = solveh_banded(small, load * root[:, None], lower=True) * root[:, None]
    filled[is_open] = solution
    rest = -_product(band, filled)[is_open]
    filled[is_open] += solveh_banded(small, rest * root[:, None], lower=True) * root[:, None]
    return filled


def _product(band: FloatArray, x: FloatArray) -> FloatArray:
    """Multiply the symmetric band matrix with columns, shape (3 m, k)."""
    result: FloatArray = band[0][:, None] * x
    for d in range(1, _BAND + 1):
        below = band[d, : x.shape[0] - d][:, None]
        result[d:] += below * x[:-d]
        result[:-d] += below * x[d:]
    return result
