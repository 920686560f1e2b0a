"""Where the frames are and how they move."""

from .bias import bias_acceleration
from .evaluate import Rows, SampleRows, evaluate, evaluate_at, no_inertia, vectors
from .forward import end_effector, forward_kinematics, poses_of
from .jacobian import jacobian, jacobians, jacobians_of

__all__ = [
    "Rows",
    "SampleRows",
    "bias_acceleration",
    "end_effector",
    "evaluate",
    "evaluate_at",
    "forward_kinematics",
    "jacobian",
    "jacobians",
    "jacobians_of",
    "no_inertia",
    "poses_of",
    "vectors",
]
