"""Frames with a name: of bodies, joints, tools and sensors. One name means one frame.

A joint's name is its output frame, an end effector's its tool frame. A body with one output means
that output; one with several means its input, as there is no one output. What was declared to a
``ModelBuilder`` is what was declared.
"""

from collections import Counter
from typing import Literal, NamedTuple

from armwright.hrdf import EndEffector
from armwright.kinematics.arrays import one_of
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.robot import FrameKind, ModelData, NamedFrame

from .frame_lookup import resolve_frame

KINDS: tuple[FrameKind, ...] = ("body", "joint", "operational", "sensor")


class Frame(NamedTuple):
    """Where a frame is found: what every method takes as ``frame=``.

    Attributes:
        frame_type: Its type.
        number: Its number among the frames of that type, from 0.
    """

    frame_type: FrameType
    number: int


class FrameTable:
    """The named frames of one model, found once.

    Attributes:
        named: Every named frame and where it is, in the order of ``frame_names``.
        by_name: The frame of every name that means one: those above, and tags of joints that
            have another name.
        names: The name of every frame that has one.
    """

    __slots__ = ("by_name", "named", "names")

    def __init__(self, model: ModelData) -> None:
        numbers = {
            frame_type: {element: i for i, element in reversed(list(enumerate(elements)))}
            for frame_type, elements in model._compiled.frame_elements.items()
        }
        self.named = tuple((one, _frame_at(numbers, one)) for one in _named_frames(model))
        self.by_name: dict[str, Frame] = {}
        self.names: dict[Frame, str] = {}
        for one, frame in self.named:
            self.by_name[one.name] = frame
            self.names.setdefault(frame, one.name)
        joints = dict(zip(model.joint_elements, model.joint_names, strict=True))
        for tag, element in model.tags.items():
            if joints.get(element) in self.by_name:
                self.by_name.setdefault(tag, self.by_name[joints[element]])
        for name, count in Counter(one.name for one, _ in self.named).items():
            if count > 1:  # a joint without a tag, and an element with that tag
                del self.by_name[name]


def frame_table(model: ModelData) -> FrameTable:
    """Return the named frames of a model; kept after the first time."""
    try:
        table = model._frame_table
    except AttributeError:
        table = FrameTable(model)
        object.__setattr__(model, "_frame_table", table)
    assert isinstance(table, FrameTable)
    return table


def has_frame(
    model: ModelData,
    name: str,
    kind: Literal["body", "joint", "operational", "sensor"] | None = None,
) -> bool:
    """Tell whether there is a frame of that name, of a kind or of any.

    Raises:
        ModelError: If there is no such kind.
    """
    named = frames_of_kind(model, kind)
    return isinstance(name, str) and any(one.name == name for one, _ in named)


def frame_names(
    model: ModelData, kind: Literal["body", "joint", "operational", "sensor"] | None = None
) -> tuple[str, ...]:
    """Return the names of all frames of a kind, or of all: what ``frame=`` takes as a text.

    Raises:
        ModelError: If there is no such kind.
    """
    return tuple(one.name for one, _ in frames_of_kind(model, kind))


def frames_of_kind(model: ModelData, kind: str | None) -> tuple[tuple[NamedFrame, Frame], ...]:
    """Return the named frames of a kind, or of all, and where they are."""
    named = frame_table(model).named
    if kind is None:
        return named
    wanted = one_of(kind, KINDS, "kind")
    return tuple(pair for pair in named if pair[0].kind == wanted)


def floating_base(model: ModelData) -> Frame | None:
    """The frame that ``with_floating_base`` chose; None: where the first element is attached.

    A ``RobotState`` that floats has that frame as its base.
    """
    chosen = model._annotations.floating_base
    return None if chosen is None else Frame(FrameType.parse(chosen[0]), chosen[1])


def frame_name(model: ModelData, frame_type: str, index: int) -> str:
    """Return the name of a frame by its type and number; ``frame`` is the way back.

    Args:
        frame_type: Which type of frame.
        index: Which frame of that type, from 0.

    Returns:
        The name; "" for a frame that has none of its own.

    Raises:
        FrameNotFoundError: If there is no such frame.
    """
    return frame_table(model).names.get(Frame(*resolve_frame(model, frame_type, index)), "")


def _named_frames(model: ModelData) -> tuple[NamedFrame, ...]:
    """Return what was declared, else a frame for every joint and every tagged element."""
    declared = model._annotations.named_frames
    if declared is not None:
        return declared
    joints = dict(zip(model.joint_elements, model.joint_names, strict=True))
    found = []
    for number, element in enumerate(model.elements):
        if number in joints:
            found.append(NamedFrame(joints[number], "joint", number, "output"))
        elif isinstance(element, EndEffector) and element.tag:
            found.append(NamedFrame(element.tag, "operational", number, "output"))
        elif element.tag:
            side: Literal["input", "output"] = (
                "output" if len(element.output_poses) == 1 else "input"
            )
            found.append(NamedFrame(element.tag, "body", number, side))
    return tuple(found)


def _frame_at(numbers: dict[FrameType, dict[int, int]], named: NamedFrame) -> Frame:
    """Return the type and number of a named frame."""
    if named.side == "input":
        return Frame(FrameType.INPUT, named.element)
    frame_type = FrameType.END_EFFECTOR if named.kind == "operational" else FrameType.OUTPUT
    return Frame(frame_type, numbers[frame_type][named.element])
