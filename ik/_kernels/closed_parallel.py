"""Closed form for arms whose axes 2, 3 and 4 are parallel and whose axes 5 and 6 meet.

With all axes h and points in the zero position: the height of the wrist along axis 2 depends on q1
alone; what axis 6 does along axis 2 on q5 alone; then q6 and the sum of q2, q3, q4 follow from
directions, and the rest is a triangle in the plane across axis 2. Up to eight solutions.
"""

from armwright.kinematics._kernels.declare import helper

from .all_layout import AXES, BASE, HAND, HEIGHT, LINK_2, LINK_3, SHOULDER, SIGN_3, SIGN_4  # fmt: skip
from .closed_vectors import angle, cross, dot, minus, plus, rotate, rotate_back, times, turn, turning, vector, waves  # fmt: skip


@helper
def parallel_candidates(G, R, p, C):
    """Write the solutions of the snapped chain into the rows of C.

    Args:
        G: The constants.
        R: Turn of the frame from its zero position to the target, nine numbers.
        p: The wrist, in units of the reach.
        C: Angles, (8, 6).

    Returns:
        How many, and whether these are certainly all.
    """
    h1 = vector(G, AXES)
    h2 = vector(G, AXES + 3)
    h5 = vector(G, AXES + 12)
    h6 = vector(G, AXES + 15)
    link_2 = vector(G, LINK_2)
    link_3 = vector(G, LINK_3)
    hand = vector(G, HAND)
    straight = dot(link_2, link_3)
    bent = dot(link_2, cross(h2, link_3))
    squares = dot(link_2, link_2) + dot(link_3, link_3)
    v = minus(p, vector(G, BASE))
    count = 0
    n1, a1, b1, certain = turning(h1, v, h2, G[HEIGHT])
    for i1 in range(n1):
        q1 = -(a1 if i1 == 0 else b1)
        k = turn(h1, q1, h2)
        k_target = rotate_back(R, k)
        wrist = plus(turn(h1, -q1, v), vector(G, SHOULDER))
        n5, a5, b5, sure = turning(h5, h6, h2, dot(k_target, h6))
        certain = certain and sure
        for i5 in range(n5):
            q5 = a5 if i5 == 0 else b5
            q6, sure = angle(h6, k_target, turn(h5, -q5, h2))
            certain = certain and sure
            total, sure = angle(h2, h5, turn(h1, -q1, rotate(R, turn(h6, -q6, h5))))
            certain = certain and sure
            d = minus(wrist, turn(h2, total, hand))
            d = minus(d, times(h2, dot(h2, d)))
            n3, a3, b3, sure = waves(straight, bent, 0.5 * (dot(d, d) - squares))
            certain = certain and sure
            for i3 in range(n3):
                q3 = a3 if i3 == 0 else b3
                q2, sure = angle(h2, plus(link_2, turn(h2, q3, link_3)), d)
                certain = certain and sure
                C[count, 0] = q1
                C[count, 1] = q2
                C[count, 2] = G[SIGN_3] * q3
                C[count, 3] = G[SIGN_4] * (total - q2 - q3)
                C[count, 4] = q5
                C[count, 5] = q6
                count += 1
    return count, certain
