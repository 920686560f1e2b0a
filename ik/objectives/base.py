"""The kinds of objective, as small frozen values; ``objectives.py`` makes and checks them.

Each carries a ``key``: what a solver must look up and lay out anew when it differs. Objectives
that differ in their targets alone have the same key.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from armwright.ik.checks import FloatArray, seen

CustomFunction = Callable[[FloatArray], npt.ArrayLike]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _FrameObjective:
    """A target for one frame of the robot.

    Attributes:
        weight: Factor on the error.
        frame_type: Kind of frame.
        index: Number of the frame, or None.
        tag: Tag of the frame's element, or None.
        key: All but the target.
        goal: The target as a pose, shape (4, 4), 0 or 1 where nothing is asked for; writable and
            private, because kernels take writable arrays fastest.
    """

    shown: ClassVar[tuple[str, Any]]  # the target's public name, and which part of the goal it is

    weight: float
    frame_type: str
    index: int | None
    tag: str | None
    key: str = field(repr=False)
    goal: FloatArray = field(repr=False)

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            """Make the public view of the target when it is first asked for; few ever are."""
            public, part = self.shown
            if name != public:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            view = seen(self.goal[part])
            object.__setattr__(self, name, view)
            return view


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PositionObjective(_FrameObjective):
    """Origin of a frame at a point; made by ``position``.

    Attributes:
        xyz: Target in the world, shape (3,) [m]; 0 on free axes.
        fixed: Which axes are wanted, shape (3,).
    """

    name: ClassVar[str] = "position"
    shown: ClassVar[tuple[str, Any]] = ("xyz", np.s_[:3, 3])

    fixed: tuple[bool, bool, bool]
    xyz: FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OrientationObjective(_FrameObjective):
    """Axes of a frame turned as wanted; made by ``orientation``.

    Attributes:
        R_world_frame: Target, shape (3, 3).
    """

    name: ClassVar[str] = "orientation"
    shown: ClassVar[tuple[str, Any]] = ("R_world_frame", np.s_[:3, :3])

    R_world_frame: FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PoseObjective(_FrameObjective):
    """Position and orientation of a frame; made by ``pose``.

    Attributes:
        T_world_frame: Target, shape (4, 4).
    """

    name: ClassVar[str] = "pose"
    shown: ClassVar[tuple[str, Any]] = ("T_world_frame", np.s_[:, :])

    T_world_frame: FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TipAxisObjective(_FrameObjective):
    """z axis of a frame along a direction; made by ``tip_axis``.

    Attributes:
        axis: Unit vector in the world, shape (3,).
    """

    name: ClassVar[str] = "tip_axis"
    shown: ClassVar[tuple[str, Any]] = ("axis", np.s_[:3, 2])

    axis: FloatArray


_Kind = TypeVar("_Kind", bound=_FrameObjective)

_new = object.__new__
# The slots of each kind: Python 3.10 gives a derived class its own in place of the inherited ones.
_SLOTS: dict[type[_FrameObjective], tuple[Callable[[object, object], None], ...]] = {
    kind: tuple(
        getattr(kind, name).__set__
        for name in ("goal", "key", "weight", "frame_type", "index", "tag")
    )
    for kind in (PositionObjective, OrientationObjective, PoseObjective, TipAxisObjective)
}


def made(
    kind: type[_Kind],
    goal: FloatArray,
    key: str,
    weight: float,
    frame_type: str,
    index: int | None,
    tag: str | None,
) -> _Kind:
    """Return a frame objective of checked values, in a third of the time of its constructor."""
    objective = _new(kind)
    put_goal, put_key, put_weight, put_frame_type, put_index, put_tag = _SLOTS[kind]
    put_goal(objective, goal)
    put_key(objective, key)
    put_weight(objective, weight)
    put_frame_type(objective, frame_type)
    put_index(objective, index)
    put_tag(objective, tag)
    return objective


put_fixed = PositionObjective.__dict__["fixed"].__set__


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class JointLimits:
    """Hard limits; made by ``joint_limits``.

    Attributes:
        lower: Shape (n_dof,) [rad or m]; -inf where there is none.
        upper: Shape (n_dof,) [rad or m]; inf where there is none.
    """

    name: ClassVar[str] = "joint_limits"

    lower: FloatArray
    upper: FloatArray
    key: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PostureObjective:
    """Joint positions to stay near, as a secondary goal; made by ``posture``.

    Attributes:
        q_ref: Shape (n_dof,) [rad or m].
        weight: Among several postures.
    """

    name: ClassVar[str] = "posture"

    q_ref: FloatArray
    weight: float
    key: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CenteringObjective:
    """Joints in the middle of their limits, as a secondary goal; made by ``centering``.

    Attributes:
        weight: Against other secondary goals.
    """

    name: ClassVar[str] = "centering"

    weight: float
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ManipulabilityObjective:
    """Room to move a frame, as a secondary goal; made by ``manipulability_goal``.

    Attributes:
        rows: What of the frame's motion counts: "pose", "position" or "orientation".
        weight: Against other secondary goals.
        frame_type: Kind of frame.
        index: Number of the frame, or None.
        tag: Tag of the frame's element, or None.
    """

    name: ClassVar[str] = "manipulability_goal"

    rows: str
    weight: float
    frame_type: str
    index: int | None
    tag: str | None
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EffortObjective:
    """Small holding efforts, as a secondary goal; made by ``least_effort``.

    Attributes:
        gravity: Acceleration of free fall in world axes, shape (3,) [m/s^2].
        weight: Against other secondary goals.
    """

    name: ClassVar[str] = "least_effort"

    gravity: FloatArray
    weight: float
    key: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CustomObjective:
    """A function of the joint positions to drive to zero; made by ``custom``.

    Attributes:
        n_errors: How many numbers the function returns.
        function: Takes q, shape (n_dof,), returns the errors, shape (n_errors,).
        weight: Factor on the errors.
        jacobian: Takes q, returns the derivatives, shape (n_errors, n_dof); None: by differences.
        tolerance: In the function's own units.
        check_jacobian: Whether the derivatives are compared with differences at every call.
    """

    name: ClassVar[str] = "custom"

    n_errors: int
    function: CustomFunction
    weight: float
    jacobian: CustomFunction | None
    tolerance: float
    check_jacobian: bool = False

    @property
    def key(self) -> "CustomObjective":
        """The objective itself: functions are not compared."""
        return self


FrameObjective = PositionObjective | OrientationObjective | PoseObjective | TipAxisObjective
SecondaryObjective = (
    PostureObjective | CenteringObjective | ManipulabilityObjective | EffortObjective
)
Objective = FrameObjective | JointLimits | SecondaryObjective | CustomObjective
FRAME_OBJECTIVES = (PositionObjective, OrientationObjective, PoseObjective, TipAxisObjective)
SECONDARY_OBJECTIVES = (
    PostureObjective,
    CenteringObjective,
    ManipulabilityObjective,
    EffortObjective,
)
OBJECTIVES = (*FRAME_OBJECTIVES, JointLimits, *SECONDARY_OBJECTIVES, CustomObjective)
