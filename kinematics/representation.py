"""The three ways to write six numbers of motion or force down."""

from difflib import get_close_matches
from enum import Enum
from typing import Literal

from armwright.errors import ModelError

from .arrays import short


class Representation(str, Enum):
    """How twists, accelerations, wrenches and momenta are written; compares equal to its name.

    ``representation=`` and ``reference=`` take the same words: these names, in any case; "world",
    "body" and "spatial" for the three in this order; and Pinocchio's LOCAL_WORLD_ALIGNED, LOCAL
    and WORLD likewise, as texts or as members of its ``ReferenceFrame``. Pinocchio's WORLD is
    "spatial", and not what "world" means here: the one word in which case decides, so that
    "World" is an error.

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
    def parse(cls, representation: object, name: str = "representation") -> "Representation":
        """Return the one that was meant: any of the words that the class lists.

        Args:
            representation: What was said.
            name: Which argument said it, "representation" or "reference", for the message.

        Raises:
            ModelError: If there is no such one; the message lists them.
        """
        if isinstance(representation, cls):
            return representation
        if type(representation).__name__ == "ReferenceFrame":  # an enumeration of Pinocchio
            representation = getattr(representation, "name", representation)
        if isinstance(representation, str):
            if representation in _AS_WRITTEN:
                return _AS_WRITTEN[representation]
            found = _IN_ANY_CASE.get(representation.casefold())
            if found is not None:
                return found
        raise _unknown(representation, name)

    @classmethod
    def choose(
        cls, reference: object, representation: object, default: "Representation | None" = None
    ) -> "Representation":
        """Return the one that either argument means; one that was not given is None.

        Args:
            reference: What ``reference=`` said.
            representation: What ``representation=`` said.
            default: When both are None; None: mixed.

        Raises:
            ModelError: If both were given, or there is no such one.
        """
        if representation is None:
            if reference is None:
                return default or cls.MIXED
            return cls.parse(reference, "reference")
        if reference is not None:
            raise ModelError(
                "reference and representation are two words for one thing: expected one of them, "
                f"got reference={short(reference)} with representation={short(representation)}"
            )
        return cls.parse(representation)


Reference = (
    Literal["world", "body", "spatial", "mixed", "inertial"]
    | Literal["LOCAL", "WORLD", "LOCAL_WORLD_ALIGNED"]
    | Representation
)
"""What ``reference=`` and ``representation=`` take."""

_AS_WRITTEN = {
    "world": Representation.MIXED,
    "WORLD": Representation.INERTIAL,  # Pinocchio's
}
_IN_ANY_CASE = {
    **{one.value: one for one in Representation},
    "spatial": Representation.INERTIAL,
    "local": Representation.BODY,
    "local_world_aligned": Representation.MIXED,
}


def _unknown(got: object, name: str) -> ModelError:
    """Return what to say of a word that means none of the three."""
    if isinstance(got, str) and got.casefold() == "world":
        return ModelError(
            f"{name}: got {got!r}, which can be 'world' (world axes, at the frame's origin) or "
            "Pinocchio's 'WORLD' (at the world's origin), here also 'spatial'. Say which"
        )
    words = [one.value for one in Representation]
    if name == "reference":
        words = ["world", "body", "spatial"]
    text = got[:60].casefold() if isinstance(got, str) else ""
    near = get_close_matches(text, [*words, "world", *_IN_ANY_CASE], 1, 0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    known = ", ".join(map(repr, words))
    return ModelError(f"{name}: expected one of {known}, got {short(got)}.{hint}")
