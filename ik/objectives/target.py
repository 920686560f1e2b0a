"""Objectives that the kernels know: a target for a frame, and a row of their table.

These are made in loops of many kilohertz, so that their constructor is gone around.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from armwright.kinematics.arrays import FloatArray, frozen, read_only_view
from armwright.kinematics.naming import (
    FrameKey,
    check_frame_words,
)

from .base import DEFAULT_FRAME_TYPE, FrameObjective


class KernelRow(NamedTuple):
    """How an objective stands in the table of the kernels (``_kernels/layout.py``).

    Attributes:
        code: Which one it is, of the layout.
        n_errors: How many error rows it has.
        weight_position: Per metre, before metres and radians are made comparable.
        weight_orientation: Per radian.
        x: 1 where the position along x is wanted, 0 where it is free.
        y: The same.
        z: The same.
    """

    code: float
    n_errors: int
    weight_position: float
    weight_orientation: float
    x: float
    y: float
    z: float


@dataclass(frozen=True, eq=False, kw_only=True)
class TargetObjective(FrameObjective):
    """A target for one frame of the robot, which the kernels know.

    Attributes, beside those of every ``FrameObjective``:
        key: All but the target.
        target: A pose, shape (4, 4), 0 or 1 where nothing is asked for; writable and private,
            because kernels take writable arrays fastest.
    """

    __slots__ = ()

    kernel_code: ClassVar[float]
    shown: ClassVar[tuple[str, Any]]  # the target's public name, and which part of it that is

    key: str = field(repr=False)
    target: FloatArray = field(repr=False)

    def kernel_row(self) -> KernelRow:
        """Return the row for the kernels."""
        raise NotImplementedError

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            """Make what is seldom asked for when it is: defaults, and the target's public view."""
            public, part = self.shown
            if name == public:
                value = read_only_view(self.target[part])
            elif name in _DEFAULTS:
                value = _DEFAULTS[name]
            else:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            object.__setattr__(self, name, value)
            return value


Put = Callable[[object, object], None]
_Any = TypeVar("_Any", bound=TargetObjective)

_new = object.__new__
EYE = frozen(np.eye(4))


_DEFAULTS = {
    "weight": 1.0,
    "frame_type": DEFAULT_FRAME_TYPE,
    "index": None,
    "tag": None,
    "frame": None,
}


def slots_of(cls: type[TargetObjective]) -> tuple[Put, ...]:
    """Return what fills the slots of a class, for ``create``."""
    return tuple(getattr(cls, name).__set__ for name in ("target", "key", *_DEFAULTS))


def create(
    cls: type[_Any],
    slots: tuple[Put, ...],
    target: FloatArray,
    name: str,
    weight: float,
    frame_type: str,
    index: int | None,
    tag: str | None,
    frame: FrameKey | None,
) -> _Any:
    """Return an objective of checked values, in a quarter of the time of its constructor.

    The key is one text for all but the target: it hashes once and compares fast. Defaults are put
    in when they are asked for.
    """
    objective = _new(cls)
    put_target, put_key, put_weight, put_frame_type, put_index, put_tag, put_frame = slots
    put_target(objective, target)
    if (
        index is None
        and tag is None
        and frame is None
        and weight == 1.0
        and frame_type.__class__ is str
        and frame_type == DEFAULT_FRAME_TYPE
    ):
        put_key(objective, name)
        return objective
    check_frame_words(frame_type, index, tag, frame)
    put_weight(objective, weight)
    put_frame_type(objective, frame_type)
    if index is not None:
        put_index(objective, index)
    if tag is not None:
        put_tag(objective, tag)
    if frame is None:
        put_key(objective, f"{name} {weight!r} {frame_type!r} {index!r} {tag!r}")
    else:
        put_frame(objective, frame)
        put_key(objective, f"{name} {weight!r} {frame_type!r} {index!r} {tag!r} {frame!r}")
    return objective
