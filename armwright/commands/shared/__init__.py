"""What commands share: options, arms that were typed, answers, and how both are written."""

from . import errors, options, output
from .arm import (
    ArmJoint,
    end_effector_number,
    joint_values,
    joints,
    load_arm,
    positions_text,
    seed_values,
    with_limits,
)
from .doctor_report import report_of
from .errors import NEGATIVE, OK, InputError
from .extent import reach_of
from .faults import faults_of, heavier
from .frames import frame_typed, refuse_beside_frame
from .loading import com_of, gravity_of, percent, poses_of, share, with_payload
from .output import Line, Report, Table, complain, number, numbers, progress
from .start import home_of, start_of
from .targets import Target, target_typed
from .values import (
    FloatArray,
    direction,
    lengths,
    quaternion_wxyz,
    refuse_degrees,
    rotation_from_quaternion,
    rotation_from_rpy,
    rpy_of,
    split_values,
    typed_value,
)

__all__ = [
    "NEGATIVE",
    "OK",
    "ArmJoint",
    "FloatArray",
    "InputError",
    "Line",
    "Report",
    "Table",
    "Target",
    "com_of",
    "complain",
    "direction",
    "end_effector_number",
    "errors",
    "faults_of",
    "frame_typed",
    "gravity_of",
    "heavier",
    "home_of",
    "joint_values",
    "joints",
    "lengths",
    "load_arm",
    "number",
    "numbers",
    "options",
    "output",
    "percent",
    "poses_of",
    "positions_text",
    "progress",
    "quaternion_wxyz",
    "reach_of",
    "refuse_beside_frame",
    "refuse_degrees",
    "report_of",
    "rotation_from_quaternion",
    "rotation_from_rpy",
    "rpy_of",
    "seed_values",
    "share",
    "split_values",
    "start_of",
    "target_typed",
    "typed_value",
    "with_limits",
    "with_payload",
]
