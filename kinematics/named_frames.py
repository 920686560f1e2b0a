"""Frames by name and kind: bodies, joints, operational frames and sensors."""

from typing import Literal, NamedTuple

from armwright.errors import FrameNotFoundError, did_you_mean
from armwright.hrdf import EndEffector

from .core import ModelCore
from .extras import FrameKind, Place
from .frames import FrameType
from .inputs import one_of
from .transforms import short

KINDS: tuple[FrameKind, ...] = ("body", "joint", "operational", "sensor")


class Frame(NamedTuple):
    """Where a named frame is found: what every method takes that takes (frame type, index).

    Attributes:
        frame_type: Its type.
        number: Its number among the frames of that type, from 0.
    """

    frame_type: FrameType
    number: int


class NamedFrames(ModelCore):
    """Frames by name."""

    __slots__ = ()

    def frame(
        self,
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
        places = self._places(kind)
        found = [place for place in places if place.name == name]
        if len(found) == 1:
            return self._frame_at(found[0])
        what = "frame" if kind is None else f"{one_of(kind, KINDS, 'kind')} frame"
        if found:
            kinds = ", ".join(repr(place.kind) for place in found)
            raise FrameNotFoundError(
                f"frame: {name!r} is the name of {len(found)} frames. Say which one by kind=: "
                f"{kinds}"
            )
        hint = did_you_mean(str(name), [place.name for place in places])
        others = [place.kind for place in self._places(None) if place.name == name]
        if others:
            hint = f" It is of kind {others[0]!r}"
        raise FrameNotFoundError(f"frame: there is no {what} {short(name)}.{hint}")

    def has_frame(
        self,
        name: str,
        kind: Literal["body", "joint", "operational", "sensor"] | None = None,
    ) -> bool:
        """Tell whether there is a frame of that name, of a kind or of any.

        Raises:
            ModelError: If there is no such kind.
        """
        return any(place.name == name for place in self._places(kind))

    def frame_names(
        self, kind: Literal["body", "joint", "operational", "sensor"] | None = None
    ) -> tuple[str, ...]:
        """Return the names of all frames of a kind, or of all.

        Raises:
            ModelError: If there is no such kind.
        """
        return tuple(place.name for place in self._places(kind))

    def _places(self, kind: str | None) -> tuple[Place, ...]:
        """Return the named frames of a kind."""
        places = self._extras.places
        if places is None:
            joints = dict(zip(self._compiled.joint_elements, self.joint_names, strict=True))
            found = []
            for number, element in enumerate(self.elements):
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

    def _frame_at(self, place: Place) -> Frame:
        """Return the type and number of a frame."""
        if place.side == "input":
            return Frame(FrameType.INPUT, place.element)
        kind = FrameType.END_EFFECTOR if place.kind == "operational" else FrameType.OUTPUT
        return Frame(kind, self._compiled.frame_elements[kind].index(place.element))
