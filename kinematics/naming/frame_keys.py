"""Frames as people write them: a tag, or a type with an index or tag."""

from armwright.errors import FrameNotFoundError, did_you_mean
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.robot import ModelData
from armwright.kinematics.transforms import short

from .frame_lookup import resolve_frame


def frame_of(model: ModelData, key: object, name: str) -> tuple[FrameType, int]:
    """Resolve a key: a tag, or (frame type, index or tag); ``name`` is for the message."""
    if isinstance(key, str):
        return resolve_frame(model, FrameType.OUTPUT, None, key)
    if isinstance(key, tuple) and len(key) == 2:
        kind, which = key
        if isinstance(which, str):
            return resolve_frame(model, kind, None, which)
        return resolve_frame(model, kind, which)
    raise FrameNotFoundError(
        f"{name}: expected a tag or (frame type, index or tag) as key, got {short(key)}"
    )


def one_frame(
    model: ModelData, frame_type: object, index: object = None, tag: object = None
) -> tuple[FrameType, int]:
    """Resolve the arguments that name a frame of a state: those of ``RobotModel``, or one key.

    Args:
        model: The robot.
        frame_type: Kind of frame, or one key: a tag, or (frame type, index or tag); None: end
            effectors, or the output frame of a tag.
        index: Number among the frames of that kind.
        tag: Tag of the frame's element.

    Raises:
        FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
    """
    if isinstance(frame_type, tuple):
        if index is not None or tag is not None:
            raise FrameNotFoundError(
                f"expected (frame type, index or tag) alone, got {frame_type!r} with index "
                f"{index!r} and tag {tag!r}"
            )
        return frame_of(model, frame_type, "frame")
    if index is not None:
        return resolve_frame(model, frame_type, index, tag)
    if tag is not None:
        return resolve_frame(
            model, FrameType.OUTPUT if frame_type is None else frame_type, None, tag
        )
    if isinstance(frame_type, str) and not FrameType.names(frame_type):
        if frame_type in model.tags:
            return frame_of(model, frame_type, "frame")
        known = did_you_mean(frame_type, [*(kind.value for kind in FrameType), *model.tags])
        raise FrameNotFoundError(
            f"frame: expected a frame type, a tag or (frame type, index or tag), "
            f"got {frame_type!r}.{known}"
        )
    return resolve_frame(model, frame_type)
