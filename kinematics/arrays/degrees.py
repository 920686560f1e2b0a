"""What looks like degrees where radians are expected, and the one warning about it.

Never asked in kinematics calls: there any angle is an angle.
"""

import math
import sys
import warnings
from collections.abc import Sequence

import numpy as np

from .conversion import BoolArray, FloatArray, words

_ONE_TURN = 2 * math.pi
_TWO_TURNS = 4 * math.pi
_NONE = 1000.0  # or more stands for no limit
_FEW = 40


def looks_like_degrees(values: FloatArray, slides: BoolArray | None = None) -> bool:
    """Whether angles look like degrees: one beyond 4 pi, or beyond 2 pi and all multiples of 5.

    Args:
        values: Angles, shape (..., n) [rad]; what is not finite is left out, and 1000 or more,
            which stands for no limit.
        slides: Which of the n are lengths and left out, shape (n,).
    """
    angles = values[_is_angle(values, slides)]
    largest = float(np.abs(angles).max(initial=0.0))
    return largest > _TWO_TURNS or (largest > _ONE_TURN and not (angles % 5.0).any())


def warn_of_degrees(
    name: str, values: FloatArray, slides: BoolArray | None = None, joints: Sequence[str] = ()
) -> None:
    """Warn once a place, at the user's line, when angles look like degrees.

    Args:
        name: What to call them.
        values: Angles, shape (..., n) [rad].
        slides: Which of the n are lengths, shape (n,).
        joints: Names of the n.
    """
    if values.size <= _FEW and math.hypot(*values.ravel().tolist()) <= _ONE_TURN:
        return  # the usual case, quickly
    if not looks_like_degrees(values, slides):
        return
    angles = np.atleast_2d(np.where(_is_angle(values, slides), values, 0.0))
    sizes = np.abs(angles).max(axis=0)
    worst = int(np.argmax(sizes))
    who = f" of joint {joints[worst]!r}" if joints else ""
    turned = words(np.radians(angles[-1]).round(4))
    warn_outside(
        f"{name}{who}: {sizes[worst]:g} rad looks like degrees; angles are radians: "
        f"np.radians(...) gives {turned}"
    )


def _is_angle(values: FloatArray, slides: BoolArray | None) -> BoolArray:
    """Tell which values are angles that somebody may mean, of the shape of the values."""
    meant: BoolArray = np.abs(values) < _NONE  # neither infinite nor NaN
    return meant if slides is None else meant & ~slides


def warn_outside(text: str) -> None:
    """Warn at the line outside of this package that led here; once a line, as Python's filter says.

    Slow: it walks the stack.
    """
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("armwright."):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, stacklevel=level)
