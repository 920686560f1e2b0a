"""The types of frame a robot has, and the spellings that name them."""

from enum import Enum

from armwright.errors import FrameNotFoundError, did_you_mean
from armwright.reprs import short


class FrameType(str, Enum):
    """A type of frame; compares equal to its name.

    Attributes:
        INPUT: Where an element is attached; one per element.
        OUTPUT: Where the next element is attached, or the tool frame of an end effector; a body
            with k outputs has k.
        COM: At the center of mass, turned as the element says; one per element but plain joints.
        END_EFFECTOR: Tool frame of each end effector.
        MESH: Where a mesh is drawn: the input frame times the mesh placement; one per com frame.
        PAYLOAD: At the center of mass of each end effector's payload, which is the end effector's
            input when there is none; axes of the tool.
    """

    INPUT = "input"
    OUTPUT = "output"
    COM = "com"
    END_EFFECTOR = "endeffector"
    MESH = "mesh"
    PAYLOAD = "payload"

    @classmethod
    def parse(cls, frame_type: object) -> "FrameType":
        """Return the type that was meant: any case, "CoM", "end_effector", "end-effector".

        Raises:
            FrameNotFoundError: If there is no such type; the message has near names.
        """
        if isinstance(frame_type, cls):
            return frame_type
        if isinstance(frame_type, str) and cls.names(frame_type):
            return cls(_folded(frame_type))
        known = did_you_mean(frame_type, [one.value for one in cls])
        raise FrameNotFoundError(f"expected a frame type, got {short(frame_type)}.{known}")

    @classmethod
    def names(cls, text: str) -> bool:
        """Tell whether a text means one of the types."""
        return _folded(text) in _TYPES


def _folded(text: str) -> str:
    """Return a spelling of a type as it is written here."""
    folded = text.strip().casefold()
    for mark in "_- ":
        folded = folded.replace(mark, "")
    return _OTHER_NAMES.get(folded, folded)


_OTHER_NAMES = {"centerofmass": "com", "centreofmass": "com"}
_TYPES = frozenset(one.value for one in FrameType)
