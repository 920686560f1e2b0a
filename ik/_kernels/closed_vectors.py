"""Vectors as three numbers, and the equations in one angle that closed forms are made of."""

import math

from armwright.kinematics._kernels.declare import helper

CLAMP = 1e-4  # a cosine beyond 1 by less is a double root, to be looked at closely ...
BLUR = 3e-5  # ... and so is an equation missed by less: what making the chain exact may change
NONE = 1e-14  # squared length, in units of the reach, below which a direction is undefined


@helper
def dot(a, b):
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@helper
def cross(a, b):
    """Vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@helper
def plus(a, b):
    """Sum."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@helper
def minus(a, b):
    """Difference."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@helper
def times(a, b):
    """A vector times a number."""
    return a[0] * b, a[1] * b, a[2] * b


@helper
def vector(G, i):
    """Three numbers of a table."""
    return G[i], G[i + 1], G[i + 2]


@helper
def turn(h, x, v):
    """Turn v about the unit vector h by the angle x (Rodrigues)."""
    c = math.cos(x)
    s = math.sin(x)
    along = (1.0 - c) * dot(h, v)
    return (
        c * v[0] + s * (h[1] * v[2] - h[2] * v[1]) + along * h[0],
        c * v[1] + s * (h[2] * v[0] - h[0] * v[2]) + along * h[1],
        c * v[2] + s * (h[0] * v[1] - h[1] * v[0]) + along * h[2],
    )


@helper
def rotate(R, v):
    """R v, with R as nine numbers."""
    return (
        R[0] * v[0] + R[1] * v[1] + R[2] * v[2],
        R[3] * v[0] + R[4] * v[1] + R[5] * v[2],
        R[6] * v[0] + R[7] * v[1] + R[8] * v[2],
    )


@helper
def rotate_back(R, v):
    """R^T v, with R as nine numbers."""
    return (
        R[0] * v[0] + R[3] * v[1] + R[6] * v[2],
        R[1] * v[0] + R[4] * v[1] + R[7] * v[2],
        R[2] * v[0] + R[5] * v[1] + R[8] * v[2],
    )


@helper
def angle(h, v, w):
    """The x for which turn(h, x, v) points as w does, seen along h; and whether there is one."""
    vh = dot(h, v)
    wh = dot(h, w)
    s = dot(h, cross(v, w))
    c = dot(v, w) - vh * wh
    return math.atan2(s, c), s * s + c * c > NONE * NONE


@helper
def waves(a, b, c):
    """Solve a cos(x) + b sin(x) = c.

    Returns:
        How many roots, the roots, and whether that is certain: it is not where both roots are one,
        nor where any x is a root.
    """
    r = math.sqrt(a * a + b * b)
    if r < 1e-7:
        return 0, 0.0, 0.0, abs(c) > BLUR
    u = c / r
    middle = math.atan2(b, a)
    if abs(u) <= 1.0:
        x = math.acos(u)
        return 2, middle - x, middle + x, True
    if abs(u) <= 1.0 + CLAMP or abs(c) <= r + BLUR:
        x = 0.0 if u > 0.0 else math.pi
        return 1, middle + x, middle + x, False
    return 0, 0.0, 0.0, True


@helper
def turning(h, v, k, c):
    """Solve k . turn(h, x, v) = c; see ``waves``."""
    kh = dot(k, h)
    vh = dot(v, h)
    return waves(dot(k, v) - kh * vh, dot(k, cross(h, v)), c - kh * vh)
