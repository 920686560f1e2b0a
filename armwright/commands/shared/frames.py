"""Frames as people type them: a name, ``type:number`` or ``type:name``."""

from typing import TYPE_CHECKING

from .errors import InputError

if TYPE_CHECKING:
    from armwright.kinematics import Frame, RobotModel


def frame_typed(model: "RobotModel", text: str, option: str = "--frame") -> "Frame":
    """Return the frame that was typed: what ``frame=`` takes in Python.

    A text that is a name as it stands is that name, with a colon in it or not.
    """
    from armwright.errors import FrameNotFoundError
    from armwright.kinematics.naming import FrameKey, find_frame

    key: FrameKey = text
    frame_type, colon, which = (part.strip() for part in text.partition(":"))
    if colon and not model.has_frame(text):
        number = which.removeprefix("-")
        whole = number.isascii() and number.isdecimal() and which not in model.tags
        key = (frame_type, int(which) if whole else which)
    try:
        return find_frame(model, frame=key)
    except FrameNotFoundError as error:
        said = str(error).removeprefix("frame: ")
        raise InputError(f"{option} {text}: {said}") from None


def refuse_beside_frame(**given: object) -> None:
    """Refuse options that name a frame in another way than --frame, which names it alone."""
    for option, value in given.items():
        if value is not None:
            raise InputError(f"--frame names a frame by itself: leave out --{option}")
