"""The step that makes the largest of some residuals as small as it can be.

Least squares lets one residual be large where that spares the others; what is known is often that
each is within a tolerance. The weights of large residuals grow until the largest are level.

References:
    Lawson, Contributions to the theory of linear least maximum approximation, 1961.
    Rice and Usow, The Lawson algorithm and extensions, 1968.
"""

import numpy as np

from armwright.kinematics.arrays import FloatArray

_WEIGHINGS = 60
_LEVEL = 0.99  # small enough: the residuals count in tolerances


def level_step(residuals: FloatArray, J: FloatArray) -> FloatArray:
    """Return the step x with the smallest largest residual of residuals - J x, nearly.

    It stops where all are within 0.99, as near to the least-squares step as that allows.

    Args:
        residuals: Shape (m,), in tolerances.
        J: Shape (m, k), of rank k.

    Returns:
        Shape (k,).
    """
    weights = np.full(len(residuals), 1.0 / len(residuals))
    best, least = np.zeros(J.shape[1]), np.inf
    for _ in range(_WEIGHINGS):
        roots = np.sqrt(weights)
        x = np.linalg.lstsq(roots[:, None] * J, roots * residuals, rcond=1e-12)[0]
        sizes = np.abs(residuals - J @ x)
        largest = float(sizes.max())
        if largest < least:
            best, least = x, largest
        if least <= _LEVEL:
            break
        weights = weights * sizes
        weights /= weights.sum()
    return best
