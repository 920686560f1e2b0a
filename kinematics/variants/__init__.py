"""Changed copies of a model: another base, other limits, payloads, names, or a part of it."""

from .base import with_base_frame, with_floating_base
from .drive_limits import with_max_efforts, with_max_speeds
from .gravity import with_gravity
from .groups import with_groups
from .joint_dynamics import with_joint_dynamics
from .joint_names import with_joint_names
from .payload import payloads, with_payload
from .position_limits import with_position_limits
from .reference_configurations import with_reference_configurations
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
    "with_max_efforts",
    "with_max_speeds",
    "with_payload",
    "with_position_limits",
    "with_reference_configurations",
]
