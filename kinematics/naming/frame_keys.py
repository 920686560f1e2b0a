"""The one grammar for frames: what every call of models, states and solvers takes to name one."""

import warnings
from typing import Literal

from armwright.errors import FrameNotFoundError, ModelError, did_you_mean
from armwright.hrdf.limits import MAX_ELEMENTS
from armwright.kinematics.arrays import (
    one_of,
    short,
    whole_number,
)
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.robot import ModelData, NamedFrame

from .frame_lookup import frame_elements, number_at, resolve_frame, tagged_element
from .named_frames import KINDS, Frame, frame_table, frames_of_kind

FrameKey = str | tuple[FrameType | str, int | str]
"""One frame: a name, (frame type, index) such as a ``Frame``, or (frame type, name)."""


def find_frame(
    model: ModelData,
    frame_type: object = None,
    index: object = None,
    tag: object = None,
    frame: object = None,
) -> Frame:
    """Resolve the arguments that name one frame, the same for every call that takes them.

    Args:
        model: The robot.
        frame_type: Type of the frame, to go with an index, a tag or neither; or, alone, what
            ``frame`` takes (a text is a frame type before it is a name). None: the end effector,
            or what the tag means as a name.
        index: Number among the frames of that type, from 0.
        tag: Tag of the frame's element.
        frame: Alone: a name, which is one of ``frame_names()`` or a tag; (frame type, index)
            such as a ``Frame``; or (frame type, name) for the frame of that type that the
            element or joint of that name has.

    Raises:
        FrameNotFoundError: If there is no such frame, it is not clear which is meant, or
            ``frame`` came with one of the others.
    """
    if frame is not None:
        if frame_type is not None or index is not None or tag is not None:
            others = {"frame_type": frame_type, "index": index, "tag": tag}
            said = " and ".join(f"{k}={short(v)}" for k, v in others.items() if v is not None)
            raise FrameNotFoundError(
                f"frame: expected it alone, got frame={short(frame)} with {said}. Give one or "
                "the other"
            )
        return frame_of(model, frame, "frame")
    if isinstance(frame_type, tuple):
        if index is not None or tag is not None:
            raise FrameNotFoundError(
                f"expected (frame type, index or name) alone, got {short(frame_type)} with index "
                f"{short(index)} and tag {short(tag)}"
            )
        return frame_of(model, frame_type, "frame")
    if index is None:
        if tag is not None:
            if frame_type is None:
                return _frame_of_tag(model, tag)
        elif (
            isinstance(frame_type, str)
            and frame_type.__class__ is not FrameType
            and not FrameType.names(frame_type)
        ):
            return _frame_or_type(model, frame_type)
    return _frame(resolve_frame(model, frame_type, index, tag))


def check_frame_words(frame_type: object, index: object, tag: object, frame: object) -> None:
    """Check what names a frame as far as that goes without a model.

    Raises:
        FrameNotFoundError: If no model can have such a frame.
    """
    if frame is not None:
        others = (index, tag) if isinstance(frame_type, str) else (frame_type, index, tag)
        if any(one is not None for one in others):
            raise FrameNotFoundError(
                f"frame: expected it alone, got frame={short(frame)} with another word for it. "
                "Give one or the other"
            )
        _check_key(frame, "frame")
    elif isinstance(frame_type, tuple):
        _check_key(frame_type, "frame_type")
    elif not isinstance(frame_type, str | None):
        FrameType.parse(frame_type)
    if index is not None and whole_number(index, "index", 0, FrameNotFoundError) > MAX_ELEMENTS:
        raise FrameNotFoundError(f"index: no robot has a frame {short(index)}")
    if not isinstance(tag, str | None):
        raise FrameNotFoundError(f"tag: expected a text, got {short(tag)}")


def _check_key(key: object, argument: str) -> None:
    """Check a key of a frame by itself."""
    if isinstance(key, str):
        return
    if not isinstance(key, tuple) or len(key) != 2:
        raise FrameNotFoundError(
            f"{argument}: expected a name, or (frame type, index or name), got {short(key)}"
        )
    FrameType.parse(key[0])
    if not isinstance(key[1], str):
        whole_number(key[1], f"{argument}, index", 0, FrameNotFoundError)


def frame_of(model: ModelData, key: object, argument: str) -> Frame:
    """Resolve one key: a name, (frame type, index or name) or a ``Frame``.

    Args:
        model: The robot.
        key: What names the frame.
        argument: Where it came from, for messages.

    Raises:
        FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
    """
    if isinstance(key, str):
        found = frame_table(model).by_name.get(key)
        if found is None:
            raise _no_frame(model, key, argument)
        return found
    if isinstance(key, tuple) and len(key) == 2:
        frame_type, which = key
        if not isinstance(which, str):
            return _frame(resolve_frame(model, frame_type, which))
        wanted = FrameType.parse(frame_type)
        element = _element_of(model, which, argument)
        return Frame(wanted, number_at(model, wanted, element, argument, which))
    raise FrameNotFoundError(
        f"{argument}: expected a tag or joint's name, or (frame type, index or name), as key, got "
        f"{short(key)}"
    )


def end_effector_number(
    model: ModelData, index: object = None, tag: object = None, frame: object = None
) -> int:
    """Return the number of an end effector among the end effectors.

    Args:
        model: The robot.
        index: The number itself.
        tag: Its tag.
        frame: Alone: any way to say its tool frame.

    Raises:
        FrameNotFoundError: If it is none, there is none, or it is not clear which is meant.
    """
    if frame is None:
        return resolve_frame(model, FrameType.END_EFFECTOR, index, tag)[1]
    where, number = find_frame(model, None, index, tag, frame)
    if where is FrameType.OUTPUT:  # that of the end effector is the tool frame as well
        element = model._compiled.frame_elements[where][number]
        if element in model._compiled.frame_elements[FrameType.END_EFFECTOR]:
            return number_at(model, FrameType.END_EFFECTOR, element, "frame", frame)
    if where is not FrameType.END_EFFECTOR:
        tools = [model.elements[n].tag for n in frame_elements(model, FrameType.END_EFFECTOR)]
        raise FrameNotFoundError(
            f"frame: {short(frame)} is no tool frame of an end effector; forward_kinematics has "
            f"the poses of others.{did_you_mean(frame, [tag for tag in tools if tag])}"
        )
    return number


def frame(
    model: ModelData,
    name: FrameKey,
    kind: Literal["body", "joint", "operational", "sensor"] | None = None,
) -> Frame:
    """Find a frame by its name.

    A name means the same frame in every call. Robots from HRDF have these: the output of every
    joint ("joint", also by the names that joints without a tag have), the tool frame of every
    tagged end effector ("operational"), and for every other tagged element ("body") its output,
    or its input when it has several outputs. A ``ModelBuilder`` names all that it adds.

    Args:
        name: Its name; or (frame type, index or name), as everywhere.
        kind: What it must be; None: anything.

    Returns:
        Its type and number: ``model.jacobian(q, frame=frame)``,
        ``model.forward_kinematics(frame.frame_type, q)[frame.number]``.

    Raises:
        FrameNotFoundError: If there is no such frame, with near names, or several kinds have
            that name and kind was not given.
        ModelError: If there is no such kind, or it was given with something else than a name.

    Warns:
        FutureWarning: If the name is that of a body with one output, which meant its input
            frame before.

    Example:
        >>> frame = model.frame("J3_elbow", kind="joint")
        >>> model.forward_kinematics(frame.frame_type, np.zeros(6))[frame.number].shape
        (4, 4)
    """
    found, named = frame_of_kind(model, name, kind)
    if named is not None and named.kind == "body" and model._annotations.named_frames is None:
        _warn_of_outputs(named, found)
    return found


def frame_of_kind(
    model: ModelData, name: object, kind: str | None
) -> tuple[Frame, NamedFrame | None]:
    """Resolve a key of a frame that has to be of a kind; None: of any.

    Returns:
        The frame, and what it is called where the key is its own name.

    Raises:
        FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
        ModelError: If there is no such kind, or it was given with something else than a name.
    """
    if not isinstance(name, str):
        if kind is not None:
            raise ModelError(f"kind: goes with a name, got it with {short(name)}")
        return frame_of(model, name, "frame"), None
    found = [pair for pair in frames_of_kind(model, kind) if pair[0].name == name]
    if len(found) == 1:
        named, where = found[0]
        return where, named
    if found or kind is None:  # a tag of a joint with another name, or an error
        return frame_of(model, name, "frame"), None
    what = f"{one_of(kind, KINDS, 'kind')} frame"
    hint = did_you_mean(name, [one.name for one, _ in frames_of_kind(model, kind)])
    others = [one.kind for one, _ in frame_table(model).named if one.name == name]
    if others:
        hint = f" It is of kind {others[0]!r}"
    raise FrameNotFoundError(f"frame: there is no {what} {short(name)}.{hint}")


def _frame(found: tuple[FrameType, int]) -> Frame:
    """Return a frame; half the time of its own constructor, for calls that take a microsecond."""
    return tuple.__new__(Frame, found)


def _frame_of_tag(model: ModelData, tag: object) -> Frame:
    """Return what a tag means as a name."""
    element, table = tagged_element(model, tag), frame_table(model)
    found = table.by_name.get(model.elements[element].tag or "")
    if found is not None:
        return found
    # A joint without a tag has the same name: the tag is that of the other one.
    return next(where for one, where in table.named if one.element == element)


def _frame_or_type(model: ModelData, text: str) -> Frame:
    """Return the frame of a name that came where a frame type may stand."""
    table = frame_table(model)
    if text in table.by_name or any(one.name == text for one, _ in table.named):
        return frame_of(model, text, "frame")
    names = dict.fromkeys([*(one.value for one in FrameType), *(o.name for o, _ in table.named)])
    raise FrameNotFoundError(
        f"frame: expected a frame type, a tag or joint's name, or (frame type, index or name), "
        f"got {short(text)}.{did_you_mean(text, names)}"
    )


def _element_of(model: ModelData, name: str, argument: str) -> int:
    """Return the element that a name or tag means."""
    tagged = model.tags.get(name)
    if name not in model.joint_names:
        if tagged is None:
            raise _no_frame(model, name, argument)
        return tagged
    element = model.joint_elements[model.joint_names.index(name)]
    if tagged is not None and tagged != element:
        raise _no_frame(model, name, argument)
    return element


def _no_frame(model: ModelData, name: str, argument: str) -> FrameNotFoundError:
    """Return what to say of a name that means no frame, or several."""
    found = [(one, where) for one, where in frame_table(model).named if one.name == name]
    if found:
        kinds = ", ".join(repr(one.kind) for one, _ in found)
        ways = " or ".join(_shown(where) for _, where in found)
        return FrameNotFoundError(
            f"{argument}: {short(name)} is the name of {len(found)} frames. Say which one: {ways}, "
            f"or model.frame({short(name)}, kind=...) with kind {kinds}"
        )
    if FrameType.names(name):
        return FrameNotFoundError(
            f"{argument}: there is no frame {short(name)}, which is a type of frame: say "
            f"({short(name)}, index or name)"
        )
    known = dict.fromkeys([one.name for one, _ in frame_table(model).named])
    hint = did_you_mean(name, known) or " The robot has no names for frames"
    return FrameNotFoundError(
        f"{argument}: there is no frame {short(name)}: no element has the tag {short(name)}, and "
        f"no joint the name.{hint}"
    )


def _shown(where: Frame) -> str:
    """Return a frame as people write it."""
    return f"({where.frame_type.value!r}, {where.number})"


def _warn_of_outputs(named: NamedFrame, where: Frame) -> None:
    """Tell that the name of a body with one output means another frame than before."""
    if where.frame_type is FrameType.OUTPUT:
        warnings.warn(
            f"frame({named.name!r}) is the output frame, {_shown(where)}, as in every other call; "
            f"before it was the input frame, ('input', {named.element}). For that one say "
            f"('input', {named.name!r}); ('output', {named.name!r}) says this one without warning",
            FutureWarning,
            stacklevel=3,
        )
