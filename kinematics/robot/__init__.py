"""What a robot is: its description as frozen arrays, and what is declared beside it."""

from .annotations import Annotations, FrameKind, NamedFrame
from .compile import compile_description
from .contents import attribute, table_of_contents
from .data import ModelData, ModelT, default_joint_names
from .equality import content_hash, is_equal
from .file_poses import fit_pose, fit_rotation
from .fixed_base import POSES, FixedBaseLayout
from .group import Group
from .joint_dynamics import JointDynamics
from .json_values import from_json, to_json
from .payload import NO_PAYLOAD, Payload
from .rows import (
    FIRST_MOMENT,
    GRAVITY,
    LAST,
    MASS,
    PARENT,
    PLACEMENT,
    ROTOR,
    SCALE,
    SECOND_MOMENTS,
    SLIDES,
    STANDARD_GRAVITY,
    chain_to,
    joined,
    under_gravity,
)
from .tags import UnknownTagError, unknown_tag

__all__ = [
    "FIRST_MOMENT",
    "GRAVITY",
    "LAST",
    "MASS",
    "NO_PAYLOAD",
    "PARENT",
    "PLACEMENT",
    "POSES",
    "ROTOR",
    "SCALE",
    "SECOND_MOMENTS",
    "SLIDES",
    "STANDARD_GRAVITY",
    "Annotations",
    "FixedBaseLayout",
    "FrameKind",
    "Group",
    "JointDynamics",
    "ModelData",
    "ModelT",
    "NamedFrame",
    "Payload",
    "UnknownTagError",
    "attribute",
    "chain_to",
    "compile_description",
    "content_hash",
    "default_joint_names",
    "fit_pose",
    "fit_rotation",
    "from_json",
    "is_equal",
    "joined",
    "table_of_contents",
    "to_json",
    "under_gravity",
    "unknown_tag",
]
