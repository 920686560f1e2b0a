"""Tags of elements as a mapping that explains what it has not."""

from collections.abc import Mapping

from armwright.errors import FrameNotFoundError, did_you_mean
from armwright.reprs import short


class UnknownTagError(FrameNotFoundError, KeyError):
    """No element has the tag; a KeyError as well, as mappings have it."""

    __str__ = Exception.__str__  # a KeyError shows its text in quotes


class Tags(dict[str, int]):
    """Tag to element number; an unknown tag is an error with the known ones."""

    def __missing__(self, tag: object) -> int:
        """Refuse an unknown tag."""
        raise unknown_tag(tag, self)


def unknown_tag(tag: object, tags: Mapping[str, int]) -> UnknownTagError:
    """Return what to say of a tag that no element has."""
    known = did_you_mean(tag, tags) or " The robot has no tags."
    return UnknownTagError(f"tag: no element has the tag {short(tag)}.{known}")
