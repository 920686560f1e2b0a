"""What files say about a robot's joints in groups: SRDF and YAML, names alone."""

from .semantic_files import beside, read_semantics
from .semantics import Member, Mention, NamedGroup, NamedState, Role, Semantics

__all__ = [
    "Member",
    "Mention",
    "NamedGroup",
    "NamedState",
    "Role",
    "Semantics",
    "beside",
    "read_semantics",
]
