"""Which joint positions get me there: inverse kinematics with objectives and hard limits."""

from typing import TYPE_CHECKING

from .all_solutions import AllSolutions, solve_all
from .objectives import (
    centering,
    custom,
    joint_limits,
    least_effort,
    manipulability_goal,
    orientation,
    pose,
    position,
    posture,
    tip_axis,
)
from .rates import manipulability, twist, velocity
from .solving import IKProblem, IKResult, IKStatus, solve, solve_batch
from .tracking import Tracker, TrackStatus, track

__all__ = [
    "AllSolutions",
    "IKProblem",
    "IKResult",
    "IKStatus",
    "TrackStatus",
    "Tracker",
    "centering",
    "custom",
    "joint_limits",
    "least_effort",
    "manipulability",
    "manipulability_goal",
    "orientation",
    "pose",
    "position",
    "posture",
    "solve",
    "solve_all",
    "solve_batch",
    "tip_axis",
    "track",
    "twist",
    "velocity",
]

if not TYPE_CHECKING:  # a name that is gone is an error for static tools

    def __getattr__(name):
        """Know the older name of ``IKProblem`` for one release."""
        if name == "Problem":
            import warnings

            warnings.warn(
                "armwright.ik.Problem is now armwright.ik.IKProblem; the old name goes with the "
                "next release",
                DeprecationWarning,
                stacklevel=2,
            )
            return IKProblem
        from armwright.kinematics.hebi_names import no_attribute

        raise no_attribute(__name__, name)
