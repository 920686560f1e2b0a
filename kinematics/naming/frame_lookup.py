"""How the frames of a model are named: by kind and number, or by the tag of an element."""

import numpy as np

from armwright.errors import FrameNotFoundError, did_you_mean
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.robot import ModelData, unknown_tag
from armwright.kinematics.transforms import short


def frame_count(model: ModelData, frame_type: FrameType | str) -> int:
    """Count the frames of one kind.

    Args:
        frame_type: Which kind. There is one input frame per element; one output frame per
            output; one com frame and one mesh frame per element but plain joints; one
            endeffector and one payload frame per end effector.

    Raises:
        FrameNotFoundError: If there is no such kind.
    """
    return len(model._compiled.frame_elements[FrameType.parse(frame_type)])


def mesh_path(model: ModelData, index: int) -> str:
    """Return the path or URL of the mesh of one mesh frame, "" when there is none.

    Args:
        index: Number of the mesh frame, from 0; mesh frames are numbered like com frames.

    Raises:
        FrameNotFoundError: If there is no such frame.
    """
    _, index = resolve_frame(model, FrameType.MESH, index, None)
    element = model.elements[model._compiled.frame_elements[FrameType.MESH][index]]
    return getattr(element, "mesh_path", None) or ""


def resolve_frame(
    model: ModelData, frame_type: object, index: object = None, tag: object = None
) -> tuple[FrameType, int]:
    """Resolve the arguments that name one frame.

    Args:
        frame_type: Kind of frame; None: end effectors.
        index: Number among the frames of that kind, from 0.
        tag: Tag of the frame's element; give one of the two, or neither when there is
            only one frame of that kind.

    Raises:
        FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
    """
    kind = FrameType.END_EFFECTOR if frame_type is None else FrameType.parse(frame_type)
    numbers = model._compiled.frame_elements[kind]
    if index is not None and tag is not None:
        raise FrameNotFoundError(f"expected index or tag, got both ({index!r} and {tag!r})")
    if tag is not None:
        return kind, _index_by_tag(model, kind, tag)
    if index is not None:
        count = len(numbers)
        if isinstance(index, bool | np.bool_) or not isinstance(index, int | np.integer):
            raise FrameNotFoundError(f"index: expected a whole number from 0, got {short(index)}")
        if not 0 <= index < count:
            raise FrameNotFoundError(
                f"index: expected 0 to {count - 1}, got {index}; the robot has {count} "
                f"{kind.value} frames"
                if count
                else f"index: got {index}, but the robot has no {kind.value} frames"
                + _no_end_effector(model, kind)
            )
        return kind, int(index)
    if len(numbers) == 1:
        return kind, 0
    if not numbers:
        raise FrameNotFoundError(
            f"the robot has no {kind.value} frame." + _no_end_effector(model, kind)
        )
    listed = ", ".join(f"{i} ({_describe(model, n)})" for i, n in enumerate(numbers[:12]))
    more = ", ..." if len(numbers) > 12 else ""
    raise FrameNotFoundError(
        f"the robot has {len(numbers)} {kind.value} frames: {listed}{more}. "
        "Say which one by index= or tag="
    )


def _index_by_tag(model: ModelData, kind: FrameType, tag: object) -> int:
    """Return the number of the frame of one kind that a tagged element has."""
    number = _element(model, tag)
    numbers = model._compiled.frame_elements[kind]
    found = [i for i, n in enumerate(numbers) if n == number]
    if len(found) == 1:
        return found[0]
    what_kind = model.elements[number].kind
    what = f"{tag!r} is {'an' if what_kind[0] in 'aeiou' else 'a'} {what_kind}"
    if found:
        listed = ", ".join(map(str, found))
        raise FrameNotFoundError(
            f"tag: {what} with {len(found)} {kind.value} frames. Say which one by index=: {listed}"
        )
    having = [model.elements[n].tag for n in numbers]
    known = did_you_mean(str(tag), [t for t in having if t])
    elsewhere = "; ask for frame_type='output'" if _has_output(model, number, kind) else ""
    raise FrameNotFoundError(f"tag: {what}, which has no {kind.value} frame{elsewhere}.{known}")


def _has_output(model: ModelData, number: int, asked: FrameType) -> bool:
    """Return whether an element without the frame that was asked for has one output frame."""
    outputs = model._compiled.frame_elements[FrameType.OUTPUT]
    return asked is FrameType.END_EFFECTOR and outputs.count(number) == 1


def _element(model: ModelData, tag: object) -> int:
    """Return the number of a tagged element."""
    if isinstance(tag, str):
        return model.tags[tag]
    raise unknown_tag(tag, model.tags)


def _describe(model: ModelData, number: int) -> str:
    """Name an element in a message."""
    element = model.elements[number]
    return f"tag {element.tag!r}" if element.tag else f"element {number}, {element.kind}"


def _no_end_effector(model: ModelData, kind: FrameType) -> str:
    """Return what to do about a robot without end effector."""
    if kind not in (FrameType.END_EFFECTOR, FrameType.PAYLOAD):
        return ""
    return (
        " Close the chain with <end-effector/> in the file or .end_effector() in the "
        "builder, or ask for another frame, such as frame_type='output' with an index"
    )
