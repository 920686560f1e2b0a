"""Recognize arms whose inverse kinematics has a closed form, and work out its constants.

Axes within 1e-5 of parallel are taken as parallel, axes that pass each other within 1e-5 of the
reach as meeting: HRDF files turn parts by a pi of single precision, so nothing is exact. The
kernels bring solutions of the chain that was made exact onto the true one.
"""

from typing import NamedTuple

import numpy as np

from armwright.ik._kernels import all_layout as layout
from armwright.kinematics.arrays import FloatArray

SNAP = 1e-5  # rad, and in units of the reach
CLEAR = 1e-3  # what must not be parallel or meet has to be further apart than this


class ZeroPose(NamedTuple):
    """A chain of six turning joints in its zero position, lengths in units of the reach.

    Attributes:
        h: Axes, unit vectors, shape (6, 3).
        o: A point of each axis, shape (6, 3).
        R: Turn of the frame, shape (3, 3).
        p: Origin of the frame, shape (3,).
    """

    h: FloatArray
    o: FloatArray
    R: FloatArray
    p: FloatArray

    def reversed(self) -> "ZeroPose":
        """Return the same arm seen from its tool: the base is the frame, joint 6 comes first."""
        return ZeroPose(
            h=-self.h[::-1] @ self.R,
            o=(self.o[::-1] - self.p) @ self.R,
            R=self.R.T,
            p=-self.p @ self.R,
        )


class ClosedForm(NamedTuple):
    """A family that an arm belongs to.

    Attributes:
        family: ``PARALLEL`` or ``WRIST`` of the layout.
        reversed: Whether it is the arm seen from its tool that belongs there.
        constants: What its kernel needs, shape (64,).
    """

    family: float
    reversed: bool
    constants: FloatArray


def closed_form(zero: ZeroPose) -> ClosedForm | None:
    """Find the closed form of an arm, or None."""
    for backwards in (False, True):
        pose = zero.reversed() if backwards else zero
        for family, recognize in ((layout.PARALLEL, _parallel), (layout.WRIST, _wrist)):
            constants = recognize(pose)
            if constants is not None:
                return ClosedForm(family, backwards, constants)
    return None


def _parallel(zero: ZeroPose) -> FloatArray | None:
    """Constants of an arm whose axes 2, 3, 4 are parallel and whose axes 5 and 6 meet."""
    h, o = zero.h, zero.o
    signs = np.sign(h @ h[1])
    if not (_parallel_axes(h[1], h[2], SNAP) and _parallel_axes(h[1], h[3], SNAP)):
        return None
    pairs = ((h[0], h[1]), (h[1], h[4]), (h[4], h[5]))
    if any(_parallel_axes(a, b, CLEAR) for a, b in pairs):
        return None
    near, far = _feet(h[4], o[4], h[5], o[5])
    if np.linalg.norm(near - far) > SNAP:
        return None
    wrist = 0.5 * (near + far)
    along = h[1] + signs[2] * h[2] + signs[3] * h[3]
    along = along / np.linalg.norm(along)
    link_2, link_3 = (d - (d @ along) * along for d in (o[2] - o[1], o[3] - o[2]))
    if min(np.linalg.norm(link_2), np.linalg.norm(link_3)) < CLEAR:
        return None
    G = _common(zero, wrist, o[0])
    G[layout.AXES : layout.AXES + 18] = h.ravel()
    G[layout.AXES + 3 : layout.AXES + 6] = along
    G[layout.SIGN_3] = signs[2]
    G[layout.SIGN_4] = signs[3]
    G[layout.HEIGHT] = along @ (wrist - o[0])
    G[layout.LINK_2 : layout.LINK_2 + 3] = link_2
    G[layout.LINK_3 : layout.LINK_3 + 3] = link_3
    G[layout.SHOULDER : layout.SHOULDER + 3] = o[0] - o[1]
    G[layout.HAND : layout.HAND + 3] = wrist - o[3]
    return G


def _wrist(zero: ZeroPose) -> FloatArray | None:
    """Constants of an arm whose axes 4, 5 and 6 meet in a point."""
    h, o = zero.h, zero.o
    if _parallel_axes(h[3], h[4], CLEAR) or _parallel_axes(h[4], h[5], CLEAR):
        return None
    near, far = _feet(h[3], o[3], h[4], o[4])
    wrist = 0.5 * (near + far)
    off = wrist - o[5]
    if max(np.linalg.norm(near - far), np.linalg.norm(np.cross(h[5], off))) > SNAP:
        return None
    parallel = _parallel_axes(h[0], h[1], SNAP)
    if _parallel_axes(h[0], h[1], CLEAR) and not parallel:
        return None
    if parallel:
        foot_1 = o[0]
        foot_2 = o[1] - ((o[1] - o[0]) @ h[0]) * h[0]
    else:
        foot_1, foot_2 = _feet(h[0], o[0], h[1], o[1])
    gap = foot_2 - foot_1
    length = float(np.linalg.norm(gap))
    if length <= SNAP:
        foot_1 = foot_2 = 0.5 * (foot_1 + foot_2)
        gap, length = np.zeros(3), 0.0
        shoulder = layout.MEET
    else:
        shoulder = layout.ALONG if parallel else layout.GENERAL
    # The wrist seen from axis 2, as q3 turns: fixed + cosine cos(q3) + sine sin(q3).
    link, arm = o[2] - foot_2, wrist - o[2]
    fixed = link + (h[2] @ arm) * h[2]
    cosine = arm - (h[2] @ arm) * h[2]
    sine = np.cross(h[2], arm)
    size = [link @ link + arm @ arm + 2.0 * (h[2] @ arm) * (link @ h[2])]
    size += [2.0 * link @ cosine, 2.0 * link @ sine]
    rise = [h[1] @ fixed, h[1] @ cosine, h[1] @ sine]
    deciding = {layout.MEET: size, layout.ALONG: rise}.get(shoulder, [0.0, 1.0, 0.0])
    if np.linalg.norm(cosine) < CLEAR or np.hypot(*deciding[1:]) < CLEAR**2:
        return None
    if parallel and shoulder == layout.MEET:
        return None
    G = _common(zero, wrist, foot_1)
    G[layout.AXES : layout.AXES + 18] = h.ravel()
    G[layout.KIND] = shoulder
    G[layout.GAP : layout.GAP + 3] = gap
    G[layout.U_FIXED : layout.U_FIXED + 3] = fixed
    G[layout.U_COS : layout.U_COS + 3] = cosine
    G[layout.U_SIN : layout.U_SIN + 3] = sine
    G[layout.SIZE : layout.SIZE + 3] = size
    G[layout.RISE : layout.RISE + 3] = rise
    G[layout.GAP_LENGTH] = length
    G[layout.COSINE] = h[0] @ h[1]
    if shoulder == layout.GENERAL:
        G[layout.SINE] = h[0] @ np.cross(h[1], gap) / length
    return G


def _common(zero: ZeroPose, wrist: FloatArray, base: FloatArray) -> FloatArray:
    """Begin the constants with what both families need."""
    G = np.zeros(layout.N_CONSTANTS)
    G[layout.ROTATION : layout.ROTATION + 9] = zero.R.ravel()
    G[layout.TOOL : layout.TOOL + 3] = (zero.p - wrist) @ zero.R
    G[layout.BASE : layout.BASE + 3] = base
    return G


def _parallel_axes(a: FloatArray, b: FloatArray, within: float) -> bool:
    """Whether two axes are parallel, pointing either way."""
    return bool(np.linalg.norm(np.cross(a, b)) <= within)


def _feet(
    h_a: FloatArray, o_a: FloatArray, h_b: FloatArray, o_b: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Points of two axes, not parallel, that are nearest to each other."""
    c = h_a @ h_b
    d = o_b - o_a
    s = 1.0 - c * c
    return (
        o_a + ((d @ h_a - c * (d @ h_b)) / s) * h_a,
        o_b + ((c * (d @ h_a) - d @ h_b) / s) * h_b,
    )
