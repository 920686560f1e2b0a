"""How the frames of a model are named: by kind and number, or by the tag of an element."""

from collections.abc import Mapping

import numpy as np

from armwright.errors import FrameNotFoundError, did_you_mean
from armwright.hrdf import Element

from .compile import Compiled
from .frames import FrameType
from .transforms import short


class UnknownTagError(FrameNotFoundError, KeyError):
    """No element has the tag; a KeyError as well, as mappings have it."""

    __str__ = Exception.__str__  # a KeyError shows its text in quotes


class Tags(dict[str, int]):
    """Tag to element number; an unknown tag is an error with the known ones."""

    def __missing__(self, tag: object) -> int:
        """Refuse an unknown tag."""
        raise _unknown_tag(tag, self)


class Lookup:
    """Finds frames; ``core.py`` holds the data."""

    __slots__ = ()

    elements: tuple[Element, ...]
    tags: Mapping[str, int]
    _compiled: Compiled

    def frame_count(self, frame_type: FrameType | str) -> int:
        """Count the frames of one kind.

        Args:
            frame_type: Which kind. There is one input frame per element; one output frame per
                output; one com frame and one mesh frame per element but plain joints; one
                endeffector and one payload frame per end effector.

        Raises:
            FrameNotFoundError: If there is no such kind.
        """
        return len(self._compiled.frame_elements[FrameType.parse(frame_type)])

    def mesh_path(self, index: int) -> str:
        """Return the path or URL of the mesh of one mesh frame, "" when there is none.

        Args:
            index: Number of the mesh frame, from 0; mesh frames are numbered like com frames.

        Raises:
            FrameNotFoundError: If there is no such frame.
        """
        _, index = self._frame(FrameType.MESH, index, None)
        element = self.elements[self._compiled.frame_elements[FrameType.MESH][index]]
        return getattr(element, "mesh_path", None) or ""

    def _frame(
        self, frame_type: object, index: object = None, tag: object = None
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
        numbers = self._compiled.frame_elements[kind]
        if index is not None and tag is not None:
            raise FrameNotFoundError(f"expected index or tag, got both ({index!r} and {tag!r})")
        if tag is not None:
            return kind, self._index_by_tag(kind, tag)
        if index is not None:
            count = len(numbers)
            if isinstance(index, bool | np.bool_) or not isinstance(index, int | np.integer):
                raise FrameNotFoundError(
                    f"index: expected a whole number from 0, got {short(index)}"
                )
            if not 0 <= index < count:
                raise FrameNotFoundError(
                    f"index: expected 0 to {count - 1}, got {index}; the robot has {count} "
                    f"{kind.value} frames"
                    if count
                    else f"index: got {index}, but the robot has no {kind.value} frames"
                    + self._no_end_effector(kind)
                )
            return kind, int(index)
        if len(numbers) == 1:
            return kind, 0
        if not numbers:
            raise FrameNotFoundError(
                f"the robot has no {kind.value} frame." + self._no_end_effector(kind)
            )
        listed = ", ".join(f"{i} ({self._describe(n)})" for i, n in enumerate(numbers[:12]))
        more = ", ..." if len(numbers) > 12 else ""
        raise FrameNotFoundError(
            f"the robot has {len(numbers)} {kind.value} frames: {listed}{more}. "
            "Say which one by index= or tag="
        )

    def _index_by_tag(self, kind: FrameType, tag: object) -> int:
        """Return the number of the frame of one kind that a tagged element has."""
        number = self._element(tag)
        numbers = self._compiled.frame_elements[kind]
        found = [i for i, n in enumerate(numbers) if n == number]
        if len(found) == 1:
            return found[0]
        what_kind = self.elements[number].kind
        what = f"{tag!r} is {'an' if what_kind[0] in 'aeiou' else 'a'} {what_kind}"
        if found:
            listed = ", ".join(map(str, found))
            raise FrameNotFoundError(
                f"tag: {what} with {len(found)} {kind.value} frames. Say which one by index=: "
                f"{listed}"
            )
        having = [self.elements[n].tag for n in numbers]
        known = did_you_mean(str(tag), [t for t in having if t])
        elsewhere = "; ask for frame_type='output'" if self._has_output(number, kind) else ""
        raise FrameNotFoundError(f"tag: {what}, which has no {kind.value} frame{elsewhere}.{known}")

    def _has_output(self, number: int, asked: FrameType) -> bool:
        """Return whether an element without the frame that was asked for has one output frame."""
        outputs = self._compiled.frame_elements[FrameType.OUTPUT]
        return asked is FrameType.END_EFFECTOR and outputs.count(number) == 1

    def _element(self, tag: object) -> int:
        """Return the number of a tagged element."""
        if isinstance(tag, str):
            return self.tags[tag]
        raise _unknown_tag(tag, self.tags)

    def _describe(self, number: int) -> str:
        """Name an element in a message."""
        element = self.elements[number]
        return f"tag {element.tag!r}" if element.tag else f"element {number}, {element.kind}"

    def _no_end_effector(self, kind: FrameType) -> str:
        """Return what to do about a robot without end effector."""
        if kind not in (FrameType.END_EFFECTOR, FrameType.PAYLOAD):
            return ""
        return (
            " Close the chain with <end-effector/> in the file or .end_effector() in the "
            "builder, or ask for another frame, such as frame_type='output' with an index"
        )


def _unknown_tag(tag: object, tags: Mapping[str, int]) -> UnknownTagError:
    """Return what to say of a tag that no element has."""
    known = did_you_mean(str(tag), tags) or " The robot has no tags."
    return UnknownTagError(f"tag: no element has the tag {tag!r}.{known}")
