"""How near to a point a frame comes, and how far from it, for messages: what it really reaches.

Cyclic coordinate descent from a few starts at once: seen along one joint, the distance of a frame
from a point is the cosine of an angle (or a parabola, for a slide), so that the best value of each
joint is known; from the last joint to the first, and over again.
"""

import math
import threading
from typing import NamedTuple

import numpy as np

from armwright.ik.program import CHAIN_ORIGIN, Target, strides
from armwright.kinematics import RobotModel
from armwright.kinematics._kernels.layout import (
    CHAIN_JOINT,
    CHAIN_PLACEMENT,
    CHAIN_SCALE,
    CHAIN_SLIDES,
)
from armwright.kinematics.arrays import FloatArray

STARTS = 16
SWEEPS = 60
MOST_KEPT = 32
AT_REST = 1e-7  # of the largest distance: a sweep that changes less is the last
NOTHING = 1e-4  # of the largest distance: the least counts as 0
MEET = 1e-4  # of the reach: axes as near as this count as meeting


class Span(NamedTuple):
    """Distances of a frame from a point, over all that the joints can do within their limits.

    Attributes:
        point: The point, in world axes, shape (3,) [m].
        name: What to call it.
        least: The smallest distance [m].
        most: The largest [m].
    """

    point: FloatArray
    name: str
    least: float
    most: float


_kept: dict[tuple[int, str, int, bytes], tuple[RobotModel, tuple[Span, ...]]] = {}
_lock = threading.Lock()


def spans(model: RobotModel, target: Target, limits: FloatArray) -> tuple[Span, ...]:
    """Return the spans that tell most: from the first joint, and from where two axes meet.

    Whatever the first two joints do, they leave the distance from that point as it is. None for
    a chain with a slide that has no end. Those of the last frames are kept.
    """
    if not _has_ends(target.chain, limits):
        return ()
    key = (id(model), target.frame_type.value, target.index, limits.tobytes())
    with _lock:
        found = _kept.get(key)
    if found is None:
        points = [(target.chain[0, CHAIN_ORIGIN], "the first joint")]
        middle = _where_axes_meet(target)
        if middle is not None:
            x, y, z = (middle.round(3) + 0.0).tolist()
            points.append((middle, f"({x:g}, {y:g}, {z:g}), where the first two axes meet"))
        made = tuple(
            Span(point, name, *extremes(target.chain, limits, point)) for point, name in points
        )
        found = (model, made)  # the model is kept alive, so that its id stays its own
        with _lock:
            while len(_kept) >= MOST_KEPT:
                del _kept[next(iter(_kept))]
            _kept[key] = found
    return found[1]


def nearest_distance(target: Target, limits: FloatArray, point: FloatArray) -> float:
    """Return how near a frame comes to a point [m], or a little more; nan with endless slides."""
    return extremes(target.chain, limits, point)[0] if _has_ends(target.chain, limits) else math.nan


def extremes(chain: FloatArray, limits: FloatArray, point: FloatArray) -> tuple[float, float]:
    """Return the smallest and the largest distance of a frame from a point [m].

    Args:
        chain: Joints on the way to the frame, and the frame, shape (k + 1, 16).
        limits: Of all joints of the model, shape (2, dof).
        point: In world axes, shape (3,) [m].
    """
    k = len(chain) - 1
    scale = chain[:-1, CHAIN_SCALE]
    slides = chain[:-1, CHAIN_SLIDES] != 0.0
    ends = limits[:, chain[:-1, CHAIN_JOINT].astype(np.intp)] * scale  # of the outputs
    lower, upper = np.minimum(*ends), np.maximum(*ends)
    low = np.where(np.isfinite(lower), lower, np.where(np.isfinite(upper), upper - math.tau, -3.0))
    high = np.minimum(np.where(np.isfinite(upper), upper, low + math.tau), low + math.tau)
    high = np.where(slides, upper, high)
    u = np.arange(1, STARTS + 1)[:, None] * strides(max(k, 1))[:k] % 1.0
    x = np.concatenate([low + u * (high - low)] * 2)  # the first half for the least distance
    sign = np.repeat([1.0, -1.0], STARTS)
    least = most = math.inf
    for _ in range(SWEEPS):
        origins, axes, p = _forward(chain, x)
        distances = np.linalg.norm(p - point, axis=1)
        before = least, most
        least, most = float(distances[:STARTS].min()), float(distances[STARTS:].max())
        small = AT_REST * most
        near = least <= NOTHING * most or before[0] - least <= small
        if near and most - before[1] <= small and before[1] < math.inf:
            break
        for i in reversed(range(k)):
            z = axes[i]
            if slides[i]:
                along = np.sum((point - p) * z, axis=1)
                best = x[:, i] + along
                far = np.where(best - lower[i] > upper[i] - best, lower[i], upper[i])
                new = np.where(sign > 0.0, np.clip(best, lower[i], upper[i]), far)
                p = p + (new - x[:, i])[:, None] * z
            else:
                out, to = p - origins[i], sign[:, None] * (point - origins[i])
                sine = np.sum(np.cross(out, to) * z, axis=1)
                out_z, to_z = np.sum(out * z, axis=1), np.sum(to * z, axis=1)
                turn = np.arctan2(sine, np.sum(out * to, axis=1) - out_z * to_z)
                new = _fit(x[:, i] + turn, lower[i], upper[i])
                turn = (new - x[:, i])[:, None]
                across = np.cross(z, out)
                p = origins[i] + (
                    out * np.cos(turn)
                    + across * np.sin(turn)
                    + z * out_z[:, None] * (1.0 - np.cos(turn))
                )
            x[:, i] = new
    return (least if least > NOTHING * most else 0.0), most


def _forward(
    chain: FloatArray, x: FloatArray
) -> tuple[list[FloatArray], list[FloatArray], FloatArray]:
    """Return origin and axis of every joint, (m, 3) each, and where the frame is, (m, 3)."""
    T = np.tile(np.eye(4), (len(x), 1, 1))
    origins, axes = [], []
    for i, row in enumerate(chain):
        placement = np.eye(4)
        placement[:3] = row[CHAIN_PLACEMENT : CHAIN_PLACEMENT + 12].reshape(3, 4)
        T = T @ placement
        if i == len(chain) - 1:
            break
        origins.append(T[:, :3, 3].copy())
        axes.append(T[:, :3, 2].copy())
        motion = np.tile(np.eye(4), (len(x), 1, 1))
        if row[CHAIN_SLIDES] != 0.0:
            motion[:, 2, 3] = x[:, i]
        else:
            motion[:, 0, 0] = motion[:, 1, 1] = np.cos(x[:, i])
            motion[:, 1, 0] = np.sin(x[:, i])
            motion[:, 0, 1] = -motion[:, 1, 0]
        T = T @ motion
    return origins, axes, T[:, :3, 3]


def _fit(x: FloatArray, lower: float, upper: float) -> FloatArray:
    """Bring angles into limits: a twin if one lies inside, else the end nearer on the circle."""
    if lower > -math.inf:
        x = x + math.tau * np.ceil((lower - x) / math.tau)
        nearer_end = np.where(x - upper < lower + math.tau - x, upper, lower)
    else:
        x = x - math.tau * np.ceil(np.maximum(x - upper, 0.0) / math.tau) if upper < math.inf else x
        nearer_end = x
    inside: FloatArray = np.where(x <= upper, x, nearer_end)
    return inside


def _has_ends(chain: FloatArray, limits: FloatArray) -> bool:
    """Whether there are joints, and every slide among them has two ends."""
    sliding = chain[:-1, CHAIN_JOINT].astype(np.intp)[chain[:-1, CHAIN_SLIDES] != 0.0]
    return len(chain) > 1 and bool(np.isfinite(limits[:, sliding]).all())


def _where_axes_meet(target: Target) -> FloatArray | None:
    """Return the point on the first two axes, if they turn and meet elsewhere than at the first."""
    chain = target.chain
    if len(chain) < 3 or chain[:2, CHAIN_SLIDES].any():
        return None
    (one, two), (z, a), _ = (part[:2] for part in _forward(chain[:3], np.zeros((1, 2))))
    cross = np.cross(z, a)[0]
    square = float(cross @ cross)
    if square < 1e-8:
        return None
    gap = (two - one)[0]
    if abs(float(gap @ cross)) > MEET * target.reach * math.sqrt(square):
        return None
    along = float(np.cross(gap, a[0]) @ cross) / square
    middle: FloatArray = one[0] + along * z[0]
    return middle if abs(along) > MEET * target.reach else None
