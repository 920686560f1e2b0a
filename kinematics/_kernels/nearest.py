"""The step to the nearest rotation, the one home of it.

Imports no Numba: ``kinematics.arrays`` calls it as plain Python, on floats or on arrays, kernels
compile it. All get the same bits.
"""

from typing import TypeVar

import numpy as np
import numpy.typing as npt

N = TypeVar("N", float, npt.NDArray[np.float64])


def nearer_rotation(a: N, b: N, c: N, d: N, e: N, f: N, g: N, h: N, i: N) -> tuple[N, ...]:
    """Take one Newton step to the nearest rotation: squares the distance (Higham 1986).

    The nine numbers, row by row, are floats or arrays of them. Written out, since the bits of a
    matrix product depend on the library that numpy was built with.
    """
    aa = 1.5 - 0.5 * (a * a + d * d + g * g)
    bb = 1.5 - 0.5 * (b * b + e * e + h * h)
    cc = 1.5 - 0.5 * (c * c + f * f + i * i)
    ab = -0.5 * (a * b + d * e + g * h)
    ac = -0.5 * (a * c + d * f + g * i)
    bc = -0.5 * (b * c + e * f + h * i)
    return (
        a * aa + b * ab + c * ac, a * ab + b * bb + c * bc, a * ac + b * bc + c * cc,
        d * aa + e * ab + f * ac, d * ab + e * bb + f * bc, d * ac + e * bc + f * cc,
        g * aa + h * ab + i * ac, g * ab + h * bb + i * bc, g * ac + h * bc + i * cc,
    )  # fmt: skip
