"""Names of frames, joints and groups of a model, and how they hang together."""

from .frame_keys import (
    FrameKey,
    check_frame_words,
    end_effector_number,
    find_frame,
    frame,
    frame_of,
)
from .frame_lookup import frame_count, frame_elements, mesh_path, resolve_frame
from .groups import (
    arm,
    arms,
    chain,
    groups,
    leg,
    legs,
    passive_joints,
    reference_configurations,
)
from .joints import from_map, joint_index, joint_indices, mask_jacobian, selection, to_map
from .named_frames import KINDS, Frame, floating_base, frame_name, frame_names, has_frame
from .placements import (
    FrameInfo,
    JointInfo,
    frame_info,
    joint_axes,
    joint_info,
    joint_placements,
)
from .sparsity import jacobian_sparsity, relative_jacobian_sparsity
from .topology import Topology, topology, topology_of

__all__ = [
    "KINDS",
    "Frame",
    "FrameInfo",
    "FrameKey",
    "JointInfo",
    "Topology",
    "arm",
    "arms",
    "chain",
    "check_frame_words",
    "end_effector_number",
    "find_frame",
    "floating_base",
    "frame",
    "frame_count",
    "frame_elements",
    "frame_info",
    "frame_name",
    "frame_names",
    "frame_of",
    "from_map",
    "groups",
    "has_frame",
    "jacobian_sparsity",
    "joint_axes",
    "joint_index",
    "joint_indices",
    "joint_info",
    "joint_placements",
    "leg",
    "legs",
    "mask_jacobian",
    "mesh_path",
    "passive_joints",
    "reference_configurations",
    "relative_jacobian_sparsity",
    "resolve_frame",
    "selection",
    "to_map",
    "topology",
    "topology_of",
]
