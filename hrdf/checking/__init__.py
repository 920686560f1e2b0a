"""The rules that a robot must keep, whoever made it: reader, builder and writer ask here."""

from .interfaces import check_all_interfaces, check_interfaces
from .rules import check_element, check_finite, check_text, inertia_doubt
from .validate import check_description, check_follows, check_tag
from .words import find_part, match_word, other_case_text, unknown_text

__all__ = [
    "check_all_interfaces",
    "check_description",
    "check_element",
    "check_finite",
    "check_follows",
    "check_interfaces",
    "check_tag",
    "check_text",
    "find_part",
    "inertia_doubt",
    "match_word",
    "other_case_text",
    "unknown_text",
]
