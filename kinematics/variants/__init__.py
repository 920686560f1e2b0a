"""Changed copies of a model: another base, other limits, payloads, names, or a part of it."""

from .base import with_base_frame, with_floating_base
from .gravity import with_gravity
from .groups import with_groups
from .joint_dynamics import with_joint_dynamics
from .joint_names import with_joint_names
from .payload import payloads, with_payload
from .position_limits import with_position_limits
from .subtree import subtree

__all__ = [
    "payloads",
    "subtree",
    "with_base_frame",
    "with_floating_base",
    "with_gravity",
    "with_groups",
    "with_joint_dynamics",
    "with_joint_names",
    "with_payload",
    "with_position_limits",
]
