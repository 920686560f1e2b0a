"""The frames of a model by type and number, or by type and the element that has them."""

from armwright.errors import FrameNotFoundError, did_you_mean
from armwright.kinematics.arrays import whole_number
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.robot import ModelData, UnknownTagError, unknown_tag
from armwright.reprs import short


def frame_count(model: ModelData, frame_type: FrameType | str) -> int:
    """Count the frames of one type.

    Args:
        frame_type: Which type. There is one input frame per element; one output frame per
            output; one com frame and one mesh frame per element but plain joints; one
            endeffector and one payload frame per end effector.

    Raises:
        FrameNotFoundError: If there is no such type.
    """
    return len(frame_elements(model, frame_type))


def frame_elements(model: ModelData, frame_type: FrameType | str) -> tuple[int, ...]:
    """Return the number of the element that has each frame of one type, in their order.

    Frames are depth first. A body with several outputs gives the first output, then everything
    that hangs on it, then the second, and so on, so that its number is there several times.

    Args:
        frame_type: Which type.

    Raises:
        FrameNotFoundError: If there is no such type.

    Example:
        >>> [model.elements[n].tag for n in model.frame_elements("endeffector")]
        ['probe']
    """
    return model._compiled.frame_elements[FrameType.parse(frame_type)]


def mesh_path(model: ModelData, index: int) -> str:
    """Return the path or URL of the mesh of one mesh frame, "" when there is none.

    Args:
        index: Number of the mesh frame, from 0; mesh frames are numbered like com frames.

    Raises:
        FrameNotFoundError: If there is no such frame.
    """
    _, index = resolve_frame(model, FrameType.MESH, index, None)
    element = model.elements[frame_elements(model, FrameType.MESH)[index]]
    return getattr(element, "mesh_path", None) or ""


def resolve_frame(
    model: ModelData, frame_type: object, index: object = None, tag: object = None
) -> tuple[FrameType, int]:
    """Resolve a type with an index, a tag or neither; ``find_frame`` takes every other way too.

    Args:
        model: The robot.
        frame_type: Type of the frame; None: end effectors.
        index: Number among the frames of that type, from 0.
        tag: Tag of the frame's element; give one of the two, or neither when there is
            only one frame of that type.

    Raises:
        FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
    """
    wanted = FrameType.END_EFFECTOR if frame_type is None else FrameType.parse(frame_type)
    numbers = model._compiled.frame_elements[wanted]
    if index is not None and tag is not None:
        raise FrameNotFoundError(
            f"expected index or tag, got both ({short(index)} and {short(tag)})"
        )
    if tag is not None:
        return wanted, number_at(model, wanted, tagged_element(model, tag), "tag", tag)
    if index is not None:
        count = len(numbers)
        number = (
            index if type(index) is int else whole_number(index, "index", None, FrameNotFoundError)
        )
        if not 0 <= number < count:
            raise FrameNotFoundError(
                f"index: expected 0 to {count - 1}, got {short(number)}; the robot has {count} "
                f"{wanted.value} frames"
                if count
                else f"index: got {short(number)}, but the robot has no {wanted.value} frames"
                + _no_end_effector(wanted)
            )
        return wanted, number
    if len(numbers) == 1:
        return wanted, 0
    if not numbers:
        raise FrameNotFoundError(
            f"the robot has no {wanted.value} frame." + _no_end_effector(wanted)
        )
    listed = ", ".join(f"{i} ({_describe(model, n)})" for i, n in enumerate(numbers[:12]))
    more = ", ..." if len(numbers) > 12 else ""
    raise FrameNotFoundError(
        f"the robot has {len(numbers)} {wanted.value} frames: {listed}{more}. "
        "Say which one by index= or tag="
    )


def number_at(
    model: ModelData, frame_type: FrameType, element: int, argument: str, name: object
) -> int:
    """Return the number of the one frame of a type that an element has.

    Args:
        model: The robot.
        frame_type: Type of the frame.
        element: Number of the element.
        argument: What the name came as, for messages.
        name: What the element was called.

    Raises:
        FrameNotFoundError: If it has none or several.
    """
    numbers = model._compiled.frame_elements[frame_type]
    found = [i for i, n in enumerate(numbers) if n == element]
    if len(found) == 1:
        return found[0]
    what_kind = model.elements[element].kind
    what = f"{short(name)} is {'an' if what_kind[0] in 'aeiou' else 'a'} {what_kind}"
    if found:
        listed = ", ".join(map(str, found))
        raise FrameNotFoundError(
            f"{argument}: {what} with {len(found)} {frame_type.value} frames. "
            f"Say which one by index: {listed}"
        )
    having = [model.elements[n].tag for n in numbers]
    known = did_you_mean(name, [tag for tag in having if tag])
    elsewhere = "; ask for frame_type='output'" if _has_output(model, element, frame_type) else ""
    raise FrameNotFoundError(
        f"{argument}: {what}, which has no {frame_type.value} frame{elsewhere}.{known}"
    )


def tagged_element(model: ModelData, tag: object) -> int:
    """Return the number of a tagged element.

    Raises:
        FrameNotFoundError: If no element has that tag.
    """
    number = model.tags.get(tag) if isinstance(tag, str) else None
    if number is not None:
        return number
    if isinstance(tag, str) and tag in model.joint_names:
        raise UnknownTagError(
            f"tag: no element has the tag {tag!r}. It is the name of a joint: say frame={tag!r}"
        )
    raise unknown_tag(tag, model.tags)


def _has_output(model: ModelData, element: int, asked: FrameType) -> bool:
    """Return whether an element without the frame that was asked for has one output frame."""
    outputs = model._compiled.frame_elements[FrameType.OUTPUT]
    return asked is FrameType.END_EFFECTOR and outputs.count(element) == 1


def _describe(model: ModelData, number: int) -> str:
    """Name an element in a message."""
    element = model.elements[number]
    return f"tag {element.tag!r}" if element.tag else f"element {number}, {element.kind}"


def _no_end_effector(frame_type: FrameType) -> str:
    """Return what to do about a robot without end effector."""
    if frame_type not in (FrameType.END_EFFECTOR, FrameType.PAYLOAD):
        return ""
    return (
        " Close the chain with <end-effector/> in the file or .end_effector() in the "
        "builder, or ask for another frame, such as frame_type='output' with an index"
    )
