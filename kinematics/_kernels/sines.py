"""Sines and cosines of all joints at once, several at a time in the vector unit of the processor.

The library's functions take one angle after the other: 150 ns for the pairs of six joints, where
this takes 50. Only additions, products and selections are used, in a fixed order, so that results
do not depend on how many are done at a time, nor on whether the code is compiled.

Error: below 1.6e-16 (the library's: 0.6e-16), exact at 0. Beyond ``FAR`` the library does it.

References:
    Cody and Waite, Software Manual for the Elementary Functions, 1980, chapter 8 (reduction).
    Muller, Elementary Functions, 3rd ed., 2016, sections 3.3 (minimax) and 11.2 (reduction).
    Coefficients on +-pi/4: the minimax polynomials of fdlibm (Ng, 1993), errors below 2**-57.
"""

import numpy as np

from .declare import inline
from .layout import CHAIN_JOINT, CHAIN_SCALE, SCALE

LANES = 8  # tables have room for a multiple of this many angles: no rest is done singly
FAR = 1e5  # multiples of pi / 2 up to here have few enough bits for an exact product
PER_QUARTER = 0.6366197723675814  # 2 / pi
ROUND = 6755399441055744.0  # 1.5 * 2**52: adding and subtracting it rounds to a whole number
# pi / 2 = A + B + C, where A and B have 33 bits
QUARTER_A = 1.5707963267341256
QUARTER_B = 6.077100506303966e-11
QUARTER_C = 2.0222662487959506e-21


@inline
def room(n):
    """Columns of a table for n angles."""
    return (n + LANES - 1) // LANES * LANES


@inline
def fill(T, n):
    """Sines into T[1] and cosines into T[2] of the n angles in T[0]; T is (3, >= room(n))."""
    m = room(n)
    for i in range(n, m):
        T[0, i] = 0.0
    far = 0
    for i in range(m):
        x = T[0, i]
        k = (x * PER_QUARTER + ROUND) - ROUND
        r = ((x - k * QUARTER_A) - k * QUARTER_B) - k * QUARTER_C
        z = r * r
        sine = r + r * z * (
            -0.16666666666666632 + z * (0.00833333333332249 + z * (-0.0001984126982985795
            + z * (2.7557313707070068e-06 + z * (-2.5050760253406863e-08 + z * 1.58969099521155e-10))))
        )  # fmt: skip
        half = 0.5 * z
        w = 1.0 - half
        cosine = w + (((1.0 - w) - half) + z * z * (
            0.0416666666666666 + z * (-0.001388888888887411 + z * (2.480158728947673e-05
            + z * (-2.7557314351390663e-07 + z * (2.087572321298175e-09 + z * -1.1359647557788195e-11))))
        ))  # fmt: skip
        quarter = k - 4.0 * ((k * 0.25 - 0.375 + ROUND) - ROUND)  # 0, 1, 2 or 3
        odd = (quarter == 1.0) | (quarter == 3.0)
        s = cosine if odd else sine
        c = sine if odd else cosine
        T[1, i] = -s if quarter >= 2.0 else s
        T[2, i] = -c if (quarter == 1.0) | (quarter == 2.0) else c
        if not abs(x) <= FAR:
            far += 1
    if far:
        for i in range(n):
            T[1, i] = np.sin(T[0, i])
            T[2, i] = np.cos(T[0, i])


@inline
def turns(M, q, T):
    """Joint motions, their sines and cosines, into T (3, >= room(n))."""
    n = q.shape[0]
    for i in range(n):
        T[0, i] = q[i] * M[i + 1, SCALE]
    fill(T, n)


@inline
def chain_turns(C, q, T):
    """The same for the joints of a chain, (joints on it + 1, 16)."""
    k = C.shape[0] - 1
    for i in range(k):
        T[0, i] = q[np.uint64(int(C[i, CHAIN_JOINT]))] * C[i, CHAIN_SCALE]
    fill(T, k)
