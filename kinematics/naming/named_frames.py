"""Frames by name and kind: bodies, joints, operational frames and sensors."""

from typing import Literal, NamedTuple

from armwright.errors import FrameNotFoundError, did_you_mean
from armwright.hrdf import EndEffector
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.inputs import one_of
from armwright.kinematics.robot import FrameKind, ModelData, Place
from armwright.kinematics.transforms import short

from .frame_lookup import resolve_frame

KINDS: tuple[FrameKind, ...] = ("body", "joint", "operational", "sensor")


class Frame(NamedTuple):
    """Where a named frame is found: what every method takes that takes (frame type, index).

    Attributes:
        frame_type: Its type.
        number: Its number among the frames of that type, from 0.
    """

    frame_type: FrameType
    number: int


def frame(
    model: ModelData,
    name: str,
    kind: Literal["body", "joint", "operational", "sensor"] | None = None,
) -> Frame:
    """Find a frame by its name.

    Robots from HRDF have these: the input of every tagged element that is no joint ("body"),
    the output of every joint ("joint", also by the names that joints without a tag have), and
    the tool frame of every tagged end effector ("operational"). A ``ModelBuilder`` names all
    that it adds.

    Args:
        name: Its name.
        kind: What it must be; None: anything.

    Returns:
        Its type and number: ``model.jacobian(q, None, *frame)``,
        ``model.forward_kinematics(frame.frame_type, q)[frame.number]``.

    Raises:
        FrameNotFoundError: If there is no such frame, with near names, or several kinds have
            that name and kind was not given.
        ModelError: If there is no such kind.

    Example:
        >>> frame = model.frame("J3_elbow", kind="joint")
        >>> model.forward_kinematics(frame.frame_type, np.zeros(6))[frame.number].shape
        (4, 4)
    """
    places = named_places(model, kind)
    found = [place for place in places if place.name == name]
    if len(found) == 1:
        return frame_at(model, found[0])
    what = "frame" if kind is None else f"{one_of(kind, KINDS, 'kind')} frame"
    if found:
        kinds = ", ".join(repr(place.kind) for place in found)
        raise FrameNotFoundError(
            f"frame: {name!r} is the name of {len(found)} frames. Say which one by kind=: {kinds}"
        )
    hint = did_you_mean(str(name), [place.name for place in places])
    others = [place.kind for place in named_places(model, None) if place.name == name]
    if others:
        hint = f" It is of kind {others[0]!r}"
    raise FrameNotFoundError(f"frame: there is no {what} {short(name)}.{hint}")


def has_frame(
    model: ModelData,
    name: str,
    kind: Literal["body", "joint", "operational", "sensor"] | None = None,
) -> bool:
    """Tell whether there is a frame of that name, of a kind or of any.

    Raises:
        ModelError: If there is no such kind.
    """
    return any(place.name == name for place in named_places(model, kind))


def frame_names(
    model: ModelData, kind: Literal["body", "joint", "operational", "sensor"] | None = None
) -> tuple[str, ...]:
    """Return the names of all frames of a kind, or of all.

    Raises:
        ModelError: If there is no such kind.
    """
    return tuple(place.name for place in named_places(model, kind))


def named_places(model: ModelData, kind: str | None) -> tuple[Place, ...]:
    """Return the named frames of a kind."""
    places = model._extras.places
    if places is None:
        joints = dict(zip(model._compiled.joint_elements, model.joint_names, strict=True))
        found = []
        for number, element in enumerate(model.elements):
            if number in joints:
                found.append(Place(joints[number], "joint", number, "output"))
            elif isinstance(element, EndEffector) and element.tag:
                found.append(Place(element.tag, "operational", number, "output"))
            elif element.tag:
                found.append(Place(element.tag, "body", number, "input"))
        places = tuple(found)
    if kind is None:
        return places
    wanted = one_of(kind, KINDS, "kind")
    return tuple(place for place in places if place.kind == wanted)


def frame_at(model: ModelData, place: Place) -> Frame:
    """Return the type and number of a frame."""
    if place.side == "input":
        return Frame(FrameType.INPUT, place.element)
    kind = FrameType.END_EFFECTOR if place.kind == "operational" else FrameType.OUTPUT
    return Frame(kind, model._compiled.frame_elements[kind].index(place.element))


def floating_base(model: ModelData) -> Frame | None:
    """The frame that ``with_floating_base`` chose; None: where the first element is attached.

    A ``RobotState`` that floats has that frame as its base.
    """
    chosen = model._extras.floating_base
    return None if chosen is None else Frame(FrameType.parse(chosen[0]), chosen[1])


def frame_name(model: ModelData, frame_type: str, index: int) -> str:
    """Return the name of a frame by its type and number; ``frame`` is the way back.

    Args:
        frame_type: Which kind of frame.
        index: Which frame of that kind, from 0.

    Returns:
        The name; "" for a frame that has none of its own.

    Raises:
        FrameNotFoundError: If there is no such frame.
    """
    wanted = resolve_frame(model, frame_type, index)
    return next(
        (place.name for place in named_places(model, None) if frame_at(model, place) == wanted), ""
    )
