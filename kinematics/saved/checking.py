"""The values of a saved model: checked by the rules that readers and builders keep.

Types have been checked where the values were made (``robot/json_values.py``).
"""

import dataclasses
from collections.abc import Iterable, Sequence

import numpy as np

from armwright.errors import ModelFileError
from armwright.hrdf import Actuator, EndEffector, Joint, Pose, RobotDescription, walk
from armwright.hrdf.checking import check_description, inertia_doubt
from armwright.hrdf.elements import ActuatorPart
from armwright.hrdf.findings import Findings
from armwright.hrdf.formula import rotation_problem
from armwright.hrdf.limits import MAX_MAGNITUDE
from armwright.hrdf.specification import INTERFACE_CHECK_SINCE, VERSIONS, is_newer
from armwright.kinematics.arrays import FloatArray, short
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.robot import Annotations, Payload

_WORDS = ("type", "interface_in", "interface_out")
_SIGNED = ("output_z",)  # numbers of parts that may be negative


def check_values(
    description: RobotDescription,
    payloads: tuple[object, ...],
    annotations: Annotations,
    limits: FloatArray | None,
    drives: FloatArray | None,
) -> None:
    """Refuse values that no reader or builder gives.

    Args:
        description: What the robot is made of.
        payloads: One for each end effector.
        annotations: Groups, names, configurations.
        limits: Position limits, shape (2, dof); None when they are no doubles.
        drives: Rotor inertia, damping, friction, shape (3, dof); likewise.

    Raises:
        ModelFileError: With the first fault.
    """
    if description.version not in VERSIONS:
        raise _damaged(f"unknown HRDF version {short(description.version)}")
    elements = [one.element for one in walk(description)]
    parts = {id(e.part): e.part for e in elements if hasattr(e, "part")}
    for part in parts.values():
        _check_part(part)
    findings = Findings()
    fits = not is_newer(INTERFACE_CHECK_SINCE, description.version)
    check_description(description, findings, interfaces=fits)
    first = next((one for one in findings.problems if one.severity == "error"), None)
    if first is not None:
        raise _damaged(f"{first.element or 'robot'}, {first.attribute or 'value'}: {first.message}")
    dof = sum(isinstance(element, Actuator | Joint) for element in elements)
    for name, array, rows in (("position_limits", limits, 2), ("joint_dynamics", drives, 3)):
        if array is None or array.shape != (rows, dof) or np.isnan(array).any():
            raise _damaged(f"{name} are not {rows} x {dof} numbers")
    assert limits is not None
    assert drives is not None
    lower, upper = limits
    if (lower > upper).any() or (lower == np.inf).any() or (upper == -np.inf).any():
        raise _damaged("a lower position limit is above the upper one, or infinite on its side")
    if (drives < 0).any() or (drives > MAX_MAGNITUDE).any():
        raise _damaged("a rotor inertia or friction is negative, or beyond the limit")
    ends = sum(isinstance(element, EndEffector) for element in elements)
    _check_payloads(payloads, ends)
    _check_annotations(annotations, dof, len(elements))


def _check_part(part: object) -> None:
    """Refuse numbers that the catalog would refuse."""
    for field in dataclasses.fields(part):  # type: ignore[arg-type]
        value = getattr(part, field.name)
        where = f"part {short(getattr(part, 'type', ''))}, {field.name}"
        if isinstance(value, Pose):
            problem = rotation_problem(value.rotation)
            if problem:
                raise _damaged(f"{where}: not a rotation: {problem}")
            _check_numbers(value.translation, where)
        elif field.name == "inertia":
            _check_numbers(value, where)
            _check_numbers(value[:3], where, low=0.0)
        elif field.name == "com":
            _check_numbers(value, where)
        elif field.name == "extra_masses":
            _check_numbers([one for one in value if one is not None], where, low=0.0)
        elif field.name == "since" and value not in VERSIONS:
            raise _damaged(f"{where}: unknown HRDF version {short(value)}")
        elif isinstance(value, float | int) and not isinstance(value, bool):
            low = -MAX_MAGNITUDE if field.name in _SIGNED else 0.0
            _check_numbers([value], where, low=low)
        elif field.name in _WORDS and value is not None and not value.strip():
            raise _damaged(f"{where}: empty")
    if isinstance(part, ActuatorPart) and not (part.max_speed > 0 and part.max_effort > 0):
        raise _damaged(f"part {short(part.type)}: a top speed or effort of 0")


def _check_numbers(
    values: Iterable[float], where: str, low: float = -MAX_MAGNITUDE, high: float = MAX_MAGNITUDE
) -> None:
    """Refuse numbers outside a range, and what is none."""
    for value in values:
        if not low <= value <= high:
            raise _damaged(
                f"{where}: expected a number from {low:g} to {high:g}, got {short(value)}"
            )


def _check_payloads(payloads: tuple[object, ...], ends: int) -> None:
    """Refuse masses that no payload has."""
    if len(payloads) != ends or not all(isinstance(one, Payload) for one in payloads):
        raise _damaged(f"payloads are not those of {ends} end effectors")
    for one in payloads:
        assert isinstance(one, Payload)
        _check_numbers([one.mass], "a payload's mass", low=0.0)
        _check_numbers(one.com, "a payload's center of mass")
        _check_numbers(one.inertia, "a payload's inertia")
        doubt = inertia_doubt(one.inertia) if any(one.inertia) else ""
        if doubt or (any(one.inertia) and not one.mass > 0.0):
            raise _damaged(f"a payload's inertia: {doubt or 'expected none without mass'}")


def _check_annotations(annotations: Annotations, dof: int, n_elements: int) -> None:
    """Refuse names and numbers of joints, groups and frames that are not there."""
    names = annotations.joint_names
    if names is not None and (len(names) != dof or len(set(names)) != dof or not all(names)):
        raise _damaged(f"joint_names are not {dof} names")
    for what in ("max_speeds", "max_efforts"):
        values = getattr(annotations, what)
        if values is not None:
            if len(values) != dof:
                raise _damaged(f"{what} are not {dof} numbers")
            _check_numbers(values, what, low=0.0, high=np.inf)
    if annotations.gravity is not None:
        _check_numbers(annotations.gravity, "gravity")
    for name, positions in annotations.configurations:
        if len(positions) != dof:
            raise _damaged(f"configuration {short(name)}: expected {dof} numbers")
        _check_numbers(positions, f"configuration {short(name)}")
    _check_distinct([name for name, _ in annotations.configurations], "configurations")
    _check_distinct([group.name for group in annotations.groups], "groups")
    for group in annotations.groups:
        _check_indices(group.joints, dof, f"group {short(group.name)}")
        if len(group.joint_names) != len(group.joints):
            raise _damaged(f"group {short(group.name)}: expected {len(group.joints)} names")
        for _, values in group.state_values:
            _check_numbers([value for _, value in values], f"states of {short(group.name)}")
    _check_indices(annotations.passive, dof, "passive joints")
    known = {group.name for group in annotations.groups}
    if not known >= {*annotations.arms, *annotations.legs}:
        raise _damaged("arms or legs that are no groups")
    frames = annotations.named_frames or ()
    _check_indices([frame.element for frame in frames], n_elements, "named frames", distinct=False)
    base = annotations.floating_base
    if base is not None:
        FrameType(base[0])  # a ValueError names it
        _check_indices([base[1]], 2 * n_elements + 1, "floating base")


def _check_indices(
    numbers: Sequence[int], count: int, where: str, *, distinct: bool = True
) -> None:
    """Refuse numbers of what is not there."""
    if not all(0 <= number < count for number in numbers):
        raise _damaged(f"{where}: expected numbers below {count}")
    if distinct and len(set(numbers)) != len(numbers):
        raise _damaged(f"{where}: a number is there twice")


def _check_distinct(names: Sequence[str], what: str) -> None:
    """Refuse names that are there twice."""
    if len(set(names)) != len(names):
        raise _damaged(f"{what}: a name is there twice")


def _damaged(text: str) -> ModelFileError:
    """Return the error for a value."""
    return ModelFileError(f"damaged: {text}")
