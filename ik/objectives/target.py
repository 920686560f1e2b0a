"""Objectives that the kernels know: a target for a frame, and a row of their table.

These are made in loops of many kilohertz, so that their constructor is gone around.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from armwright.ik.checks import FloatArray, frozen, seen

from .base import FrameObjective


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

    Attributes:
        weight: Factor on the error.
        frame_type: Kind of frame.
        index: Number of the frame, or None.
        tag: Tag of the frame's element, or None.
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
            """Make the public view of the target when it is first asked for; few ever are."""
            public, part = self.shown
            if name != public:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            view = seen(self.target[part])
            object.__setattr__(self, name, view)
            return view


Put = Callable[[object, object], None]
_Any = TypeVar("_Any", bound=TargetObjective)

_new = object.__new__
EYE = frozen(np.eye(4))


def slots_of(cls: type[TargetObjective]) -> tuple[Put, ...]:
    """Return what fills the slots of a class, for ``create``."""
    names = ("target", "key", "weight", "frame_type", "index", "tag")
    return tuple(getattr(cls, name).__set__ for name in names)


def create(
    cls: type[_Any],
    slots: tuple[Put, ...],
    target: FloatArray,
    key: str,
    weight: float,
    frame_type: str,
    index: int | None,
    tag: str | None,
) -> _Any:
    """Return an objective of checked values, in a third of the time of its constructor."""
    objective = _new(cls)
    put_target, put_key, put_weight, put_frame_type, put_index, put_tag = slots
    put_target(objective, target)
    put_key(objective, key)
    put_weight(objective, weight)
    put_frame_type(objective, frame_type)
    put_index(objective, index)
    put_tag(objective, tag)
    return objective


def key_of(name: str, weight: float, frame_type: object, index: object, tag: object) -> str:
    """Everything but the target, as one text: hashes once, compares fast."""
    if index is None and tag is None and weight == 1.0 and frame_type == "endeffector":
        return name
    return f"{name} {weight!r} {frame_type!r} {index!r} {tag!r}"
