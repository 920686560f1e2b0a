"""The grid behind or below the robot, with numbers in metres: where its lines and numbers go."""

from dataclasses import dataclass

import numpy as np

from .solids import FloatArray

_LINES = 5
"""Fields of the grid along the longer side, about."""
_ROOM = 0.15
"""What a grid reaches beyond the robot at least, in steps."""


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """A grid in a plane.

    Attributes:
        lines: Shape (n, 2, 3) [m, world].
        corners: Shape (4, 3) [m, world].
        numbers: Points [m, world] and their texts.
        height: z of a floor [m]; None for a grid that stands behind the robot.
    """

    lines: FloatArray
    corners: FloatArray
    numbers: tuple[tuple[FloatArray, str], ...]
    height: float | None


def make_grid(points: FloatArray, base: FloatArray, elevation: float, azimuth: float) -> Grid:
    """Plan a grid for a view: a floor, or when looking along it a grid behind the robot.

    Args:
        points: What is drawn, shape (n, 3) [m, world].
        base: Origin of the robot's base, shape (3,) [m, world].
        elevation: Of the viewer [degrees].
        azimuth: Of the viewer [degrees].
    """
    low, high = points.min(axis=0), points.max(axis=0)
    toward = np.array([np.cos(np.deg2rad(azimuth)), np.sin(np.deg2rad(azimuth))])
    flat = abs(elevation) < 4.0
    across = int(np.argmax(np.abs(toward))) if flat else 2
    i, j = (n for n in range(3) if n != across)
    longest = float(max(high[i] - low[i], high[j] - low[j], 0.7 * np.max(high - low)))
    step = nice_step((longest or 0.5) / _LINES)
    if flat:
        place = low[across] if toward[across] > 0 else high[across]
    else:
        place = floor_height(float(low[2]), float(base[2]), float(high[2]))
    along_i = _ticks(low[i], high[i], step)
    along_j = _ticks(low[j], high[j], step, room=0.0 if flat else _ROOM)
    ends = []
    for value in along_i:
        ends.append([_point(i, value, j, along_j[n], across, place) for n in (0, -1)])
    for value in along_j:
        ends.append([_point(i, along_i[n], j, value, across, place) for n in (0, -1)])
    corners = [
        _point(i, along_i[m], j, along_j[n], across, place) for m in (0, -1) for n in (0, -1)
    ]
    # Numbers stand along the edges next to the viewer; of a standing grid below and at the left.
    near_i = along_i[-1] + 0.45 * step if _side(i, flat, toward) else along_i[0] - 0.45 * step
    near_j = along_j[-1] + 0.45 * step if _side(j, flat, toward) else along_j[0] - 0.45 * step
    numbers = []
    every_i, every_j = 1 + len(along_i) // 9, 1 + len(along_j) // 9
    texts_i = _texts(along_i[::every_i], step)
    texts_j = _texts(along_j[::every_j], step)
    for value, text in zip(along_i[::every_i], texts_i, strict=True):
        numbers.append((_point(i, value, j, near_j, across, place), text))
    for value, text in zip(along_j[::every_j], texts_j, strict=True):
        numbers.append((_point(i, near_i, j, value, across, place), text))
    return Grid(np.array(ends), np.array(corners), tuple(numbers), None if flat else place)


def floor_height(lowest: float, base: float, highest: float) -> float:
    """Return z of the floor [m]: the base's, or below a robot that hangs from its base.

    Below a hanging robot the floor is z = 0 where that is near, else the lowest point.
    """
    tall = max(highest - lowest, 1e-9)
    if base - 0.02 * tall <= lowest:
        return base
    return 0.0 if 0.0 <= lowest < tall else lowest


def nice_step(about: float) -> float:
    """Return 1, 2 or 5 times a power of ten, next to a positive length."""
    power = 10.0 ** np.floor(np.log10(about))
    for factor in (1.0, 2.0, 5.0, 10.0):
        if about <= factor * power * 1.2:
            return float(factor * power)
    return float(10 * power)


def _side(axis: int, flat: bool, toward: FloatArray) -> bool:
    """Return whether the upper end of an axis lies next to the viewer."""
    if axis == 2:
        return False
    if flat:  # numbers of the height stand at the left
        left = (toward[1], -toward[0])
        return bool(left[axis] > 0)
    return bool(toward[axis] > 1e-6)


def _ticks(low: float, high: float, step: float, room: float = _ROOM) -> FloatArray:
    """Return multiples of the step that reach around an interval, with room below, in steps."""
    first = np.floor(low / step - room + 1e-6)
    last = np.ceil(high / step + _ROOM - 1e-6)
    ticks: FloatArray = np.arange(first, last + 1) * step
    return ticks


def _point(i: int, u: float, j: int, v: float, k: int, w: float) -> FloatArray:
    """Return the point with three coordinates on the axes i, j, k."""
    point = np.empty(3)
    point[i], point[j], point[k] = u, v, w
    return point


def _texts(values: FloatArray, step: float) -> list[str]:
    """Write numbers with as many decimals as the step has, and the unit after the last."""
    decimals = max(0, -int(np.floor(np.log10(step) + 1e-9)))
    texts = [f"{value if abs(value) > 1e-3 * step else 0.0:.{decimals}f}" for value in values]
    return [*texts[:-1], f"{texts[-1]} m"]
