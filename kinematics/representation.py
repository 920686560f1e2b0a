"""The three ways to write six numbers of motion or force down."""

from enum import Enum

from .inputs import one_of


class Representation(str, Enum):
    """How twists, accelerations, wrenches and momenta are written; compares equal to its name.

    Accelerations are the time derivatives of the twist's numbers, so each has its own.

    Attributes:
        MIXED: Axes of the world, at the frame's own origin. The linear acceleration is the one
            that the origin really has.
        BODY: The frame's own axes and origin. The linear acceleration is the spatial one: what
            the origin really has, less angular times linear velocity.
        INERTIAL: Axes of the world, for the point of the frame's body that is at the world's
            origin; moments about the world's origin.
    """

    MIXED = "mixed"
    BODY = "body"
    INERTIAL = "inertial"

    @classmethod
    def parse(cls, representation: object) -> "Representation":
        """Return the representation that was meant, in any case.

        Raises:
            ModelError: If there is no such representation; the message lists them.
        """
        if isinstance(representation, cls):
            return representation
        return cls(one_of(representation, [one.value for one in cls], "representation"))
