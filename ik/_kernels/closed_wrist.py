"""Closed form for arms whose axes 4, 5 and 6 meet in one point.

Pieper's way (The kinematics of manipulators under computer control, 1968): distance and height of
the wrist over axis 1 give an equation in q3 alone, of degree four in the half angle's tangent, of
degree two when axes 1 and 2 meet or are parallel. Then q2 and q1 follow, and the wrist is turned
as asked. Up to eight solutions.
"""

import math

from armwright.kinematics._kernels.declare import helper

from .all_layout import ALONG, AXES, BASE, COSINE, GAP, GAP_LENGTH, GENERAL, KIND, RISE, SINE, SIZE, U_COS, U_FIXED, U_SIN  # fmt: skip
from .closed_vectors import angle, cross, dot, minus, plus, rotate, rotate_back, times, turn, turning, vector, waves  # fmt: skip


@helper
def wrist_candidates(G, R, p, C):
    """Write the solutions of the snapped chain into the rows of C; see ``parallel_candidates``."""
    h1 = vector(G, AXES)
    h2 = vector(G, AXES + 3)
    gap = vector(G, GAP)
    v = minus(p, vector(G, BASE))
    height = dot(h1, v)
    size = dot(v, v) - G[GAP_LENGTH] * G[GAP_LENGTH]
    kind = G[KIND]
    roots = (0.0, 0.0, 0.0, 0.0)
    if kind == GENERAL:
        n3, roots, certain = four_roots(G, height, size)
    else:
        if kind == ALONG:
            at = RISE
            c = G[COSINE] * height
        else:
            at = SIZE
            c = size
        n3, a3, b3, certain = waves(G[at + 1], G[at + 2], c - G[at])
        roots = (a3, b3, 0.0, 0.0)
    count = 0
    for i3 in range(n3):
        q3 = roots[i3]
        c3 = math.cos(q3)
        s3 = math.sin(q3)
        u = plus(vector(G, U_FIXED), plus(times(vector(G, U_COS), c3), times(vector(G, U_SIN), s3)))
        reach = size - dot(u, u)
        if kind == GENERAL:
            # u turned about axis 2: its parts along the gap and across gap and axis 2 are known.
            x = times(gap, 0.5 * reach / (G[GAP_LENGTH] * G[GAP_LENGTH]))
            f = (height - G[COSINE] * dot(h2, u)) / (G[SINE] * G[GAP_LENGTH])
            a2, sure = angle(h2, u, plus(x, times(cross(h2, gap), f)))
            b2 = a2
            n2 = 1
        elif kind == ALONG:
            n2, a2, b2, sure = turning(h2, u, gap, 0.5 * reach)
        else:
            n2, a2, b2, sure = turning(h2, u, h1, height)
        certain = certain and sure
        for i2 in range(n2):
            q2 = a2 if i2 == 0 else b2
            q1, sure = angle(h1, plus(gap, turn(h2, q2, u)), v)
            count, sure_wrist = add_wrist(G, R, C, count, q1, q2, q3)
            certain = certain and sure and sure_wrist
    return count, certain


@helper
def add_wrist(G, R, C, count, q1, q2, q3):
    """Turn axes 4 to 6, after the first three; write both solutions."""
    h1 = vector(G, AXES)
    h2 = vector(G, AXES + 3)
    h3 = vector(G, AXES + 6)
    h4 = vector(G, AXES + 9)
    h5 = vector(G, AXES + 12)
    h6 = vector(G, AXES + 15)
    axis_6 = turn(h3, -q3, turn(h2, -q2, turn(h1, -q1, rotate(R, h6))))
    axis_4 = rotate_back(R, turn(h1, q1, turn(h2, q2, turn(h3, q3, h4))))
    n5, a5, b5, certain = turning(h5, h6, h4, dot(h4, axis_6))
    for i5 in range(n5):
        q5 = a5 if i5 == 0 else b5
        q4, sure = angle(h4, turn(h5, q5, h6), axis_6)
        certain = certain and sure
        q6, sure = angle(h6, axis_4, turn(h5, -q5, h4))
        certain = certain and sure
        C[count, 0] = q1
        C[count, 1] = q2
        C[count, 2] = q3
        C[count, 3] = q4
        C[count, 4] = q5
        C[count, 5] = q6
        count += 1
    return count, certain


@helper
def four_roots(G, height, size):
    """Roots of the equation in q3 of the general case.

    With A, B and N the wrist's parts along the gap, across gap and axis 2, and along axis 2, and K
    its square, each of the form a + b cos(q3) + c sin(q3): A^2 + B^2 + N^2 = K.
    """
    f = 0.5 / G[GAP_LENGTH]
    a0 = f * (size - G[SIZE])
    a1 = -f * G[SIZE + 1]
    a2 = -f * G[SIZE + 2]
    f = 1.0 / G[SINE]
    n0 = G[RISE]
    n1 = G[RISE + 1]
    n2 = G[RISE + 2]
    b0 = f * (height - G[COSINE] * n0)
    b1 = -f * G[COSINE] * n1
    b2 = -f * G[COSINE] * n2
    cc = 0.5 * (a1 * a1 + b1 * b1 + n1 * n1)  # of cos^2, which is (1 + cos(2 q3)) / 2
    ss = 0.5 * (a2 * a2 + b2 * b2 + n2 * n2)
    f0 = a0 * a0 + b0 * b0 + n0 * n0 + cc + ss - G[SIZE]
    f1 = 2.0 * (a0 * a1 + b0 * b1 + n0 * n1) - G[SIZE + 1]
    f2 = 2.0 * (a0 * a2 + b0 * b2 + n0 * n2) - G[SIZE + 2]
    f3 = cc - ss
    f4 = a1 * a2 + b1 * b2 + n1 * n2
    return double_waves(f0, f1, f2, f3, f4)


@helper
def double_waves(f0, f1, f2, f3, f4):
    """Solve f0 + f1 cos(x) + f2 sin(x) + f3 cos(2x) + f4 sin(2x) = 0.

    The roots are those on the unit circle of a polynomial in exp(ix), found all at once by
    Durand's and Kerner's iteration.

    Returns:
        How many roots, four numbers that begin with them, and whether that is certain.
    """
    large = abs(f1) + abs(f2)
    if abs(f3) + abs(f4) < 1e-9 * (large + abs(f0)):
        n, a, b, certain = waves(f1, f2, -f0)
        return n, (a, b, 0.0, 0.0), certain
    lead = complex(f3, -f4)
    c3 = complex(f1, -f2) / lead
    c2 = 2.0 * f0 / lead
    c1 = complex(f1, f2) / lead
    c0 = complex(f3, f4) / lead
    r = complex(0.4, 0.9)
    s = r * r
    t = s * r
    u = t * r
    for _ in range(100):
        dr = ((((r + c3) * r + c2) * r + c1) * r + c0) / ((r - s) * (r - t) * (r - u))
        r -= dr
        ds = ((((s + c3) * s + c2) * s + c1) * s + c0) / ((s - r) * (s - t) * (s - u))
        s -= ds
        dt = ((((t + c3) * t + c2) * t + c1) * t + c0) / ((t - r) * (t - s) * (t - u))
        t -= dt
        du = ((((u + c3) * u + c2) * u + c1) * u + c0) / ((u - r) * (u - s) * (u - t))
        u -= du
        if abs(dr) + abs(ds) + abs(dt) + abs(du) < 1e-12:
            break
    n = 0
    certain = True
    x = (0.0, 0.0, 0.0, 0.0)
    for z in (r, s, t, u):
        off = abs(abs(z) - 1.0)
        if not off < 1e-3:
            certain = certain and off == off
            continue
        if off > 1e-7:
            certain = False  # a double root, nearly
        a = math.atan2(z.imag, z.real)
        if n == 0:
            x = (a, x[1], x[2], x[3])
        elif n == 1:
            x = (x[0], a, x[2], x[3])
        elif n == 2:
            x = (x[0], x[1], a, x[3])
        else:
            x = (x[0], x[1], x[2], a)
        n += 1
    return n, x, certain
