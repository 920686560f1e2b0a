"""Where the starts after the first are: an additive recurrence from a seeded offset.

Start number k lies at offset + k * stride, modulo 1, stretched over the window of each joint
(``_kernels/joints.py``). The starts fill the windows more evenly than random numbers would, and
the kernels need no generator.
"""

import numpy as np

from armwright.kinematics.arrays import FloatArray

_MASK = (1 << 64) - 1


def strides(n: int) -> FloatArray:
    """Steps of an additive recurrence that fills the n-dimensional cube evenly, shape (n,).

    g^-1 to g^-n, g the positive root of g^(n + 1) = g + 1 (Roberts, "The unreasonable
    effectiveness of quasirandom sequences", 2018).
    """
    g = 1.5
    for _ in range(64):
        g = (1.0 + g) ** (1.0 / (n + 1))
    # Python's floats: the powers of numpy's arrays differ in the last bit between its releases.
    return np.array([g**-j for j in range(1, n + 1)])


def offsets(random_seed: int, n: int) -> FloatArray:
    """Numbers in [0, 1) from a seed, shape (n,); splitmix64."""
    state = random_seed & _MASK
    found = []
    for _ in range(n):
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
        found.append(((z ^ (z >> 31)) >> 11) / float(1 << 53))
    return np.array(found)
