"""What commands ask of an arm: load it, list its joints, read joint positions typed for it."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from armwright.errors import did_you_mean

from .errors import InputError
from .output import complain
from .values import FloatArray, Typed, needs_unit, refuse_degrees, split_values, typed_value

if TYPE_CHECKING:
    from armwright.hrdf import Actuator, Joint
    from armwright.kinematics import RobotModel


@dataclass(frozen=True, slots=True)
class ArmJoint:
    """One joint of an arm.

    Attributes:
        name: The model's name of it.
        element: The actuator or plain joint.
        slides: Whether it moves in metres instead of radians.
    """

    name: str
    element: "Actuator | Joint"
    slides: bool

    @property
    def unit(self) -> str:
        """Unit of its position."""
        return "m" if self.slides else "rad"

    @property
    def effort_unit(self) -> str:
        """Unit of its effort."""
        return "N" if self.slides else "N m"


def load_arm(path: Path) -> "RobotModel":
    """Load an arm from HRDF, a configuration or a saved model; say when it has warnings.

    On a terminal, also say why the first command takes long: its kernels are being compiled.
    """
    from armwright.kinematics import load
    from armwright.kinematics.engine import compiled_before

    model = load(path)
    if sys.stderr.isatty() and not compiled_before():
        complain(
            ["compiling, this once: half a minute for most commands (armwright warmup does all)"],
            level="note",
        )
    count = len(model.warnings)
    if count:
        seen, them = ("1 warning", "it") if count == 1 else (f"{count} warnings", "them")
        complain([f"{path}: {seen}; see {them} with: armwright check {path}"], level="note")
    return model


def joints(model: "RobotModel") -> tuple[ArmJoint, ...]:
    """Return the joints in the order of q."""
    from armwright.hrdf import Actuator, Joint

    found = []
    for name, number, slides in zip(
        model.joint_names, model.joint_elements, model.joint_slides.tolist(), strict=True
    ):
        element = model.elements[number]
        assert isinstance(element, Actuator | Joint)
        found.append(ArmJoint(name, element, slides))
    return tuple(found)


def joint_values(
    text: str | None, model: "RobotModel", option: str = "--q", *, per: str = ""
) -> FloatArray:
    """Read joint positions typed for an arm, shape (dof,) [rad or m].

    Positions of turning joints of more than one turn need their unit: bare ones are mostly degrees.

    Args:
        text: Comma-separated values; None: the arm's home, where it has one and these are --q.
        model: The arm.
        option: Where they come from, for messages.
        per: "" for positions; " per second" and the like for rates, which may be large.
    """
    if text is None and option == "--q" and "home" in model.reference_configurations:
        return at_reference(model, "home", option)
    entries = split_values(text or "", option)
    if text is None and model.dof:
        example = ",".join(["0"] * model.dof)
        names = ", ".join(model.joint_names)
        raise InputError(
            f"{option} is missing: expected {model.dof} values ({names}), "
            f"such as {option} {example}"
        )
    if len(entries) != model.dof:
        raise InputError(
            f"{option}: expected {model.dof}, got {len(entries)} values; the joints are "
            f"{', '.join(model.joint_names) or 'none'}"
        )
    for i, (typed, joint) in enumerate(zip(entries, joints(model), strict=True), 1):
        _check_unit(typed, joint, f"{option}, entry {i} ({joint.name})", per)
    return np.array([typed.value for typed in entries], dtype=np.float64)


def seed_values(text: str | None, model: "RobotModel") -> FloatArray:
    """Read the positions to search from, shape (dof,) [rad or m].

    When none are given: the arm's ik_seed, or its home, where it has one; else zeros.
    """
    if text is not None:
        return joint_values(text, model, "--seed-q")
    for name in ("ik_seed", "home"):
        if name in model.reference_configurations:
            return at_reference(model, name, "--seed-q")
    return np.zeros(model.dof)


def at_reference(model: "RobotModel", name: str, option: str) -> FloatArray:
    """Return a configuration of the arm in place of what was not typed, and say so."""
    values = np.array(model.reference_configurations[name])
    complain(
        [f"no {option}: at {name} of the arm, {positions_text(model, values, 4)}"], level="note"
    )
    return values


def with_limits(model: "RobotModel", text: str | None) -> "RobotModel":
    """Return a model within the limits typed as lower:upper for every joint, and within its own."""
    if text is None:
        return model
    entries = text.split(",") if text.strip() else []
    if len(entries) != model.dof:
        raise InputError(
            f"--limits: expected {model.dof}, got {len(entries)} ranges lower:upper; the joints "
            f"are {', '.join(model.joint_names) or 'none'}"
        )
    limits = np.array(model.position_limits)
    for i, (entry, joint) in enumerate(zip(entries, joints(model), strict=True)):
        where = f"--limits, entry {i + 1} ({joint.name})"
        sides = entry.split(":")
        if len(sides) != 2:
            raise InputError(
                f"{where}: expected lower:upper, such as -90deg:90deg, got {entry.strip()!r}"
            )
        low, high = (_side(side, joint, where) for side in sides)
        if low is not None and high is not None and low > high:
            raise InputError(f"{where}: lower {low:g} is above upper {high:g}")
        own = limits[:, i].tolist()
        limits[0, i] = own[0] if low is None else max(low, own[0])
        limits[1, i] = own[1] if high is None else min(high, own[1])
        if limits[0, i] > limits[1, i]:
            raise InputError(
                f"{where}: {entry.strip()} has nothing in common with the arm's own limits, "
                f"{own[0]:g} to {own[1]:g} {joint.unit}"
            )
    return model.with_position_limits(limits[0], limits[1])


def end_effector_number(
    model: "RobotModel", tag: str | None = None, index: int | None = None
) -> int:
    """Return the number of the end effector that is meant, from 0; the only one needs no name."""
    tags = [element.tag for element in model.elements if element.kind == "end-effector"]
    if not tags:
        raise InputError("the arm has no end effector; add <end-effector/> to the file")
    listed = ", ".join(f"{i} (tag {name})" if name else str(i) for i, name in enumerate(tags))
    if tag is not None and index is not None:
        raise InputError("--tag and --index: only one of them can name the end effector")
    if tag is not None:
        if tag not in tags:
            if tag in model.tags:
                number = model.tags[tag]
                what = f"{model.elements[number].kind} {number}"
                hint = f" It is the tag of {what}, whose frames go by --frame in fk and ik"
            else:
                hint = did_you_mean(tag, [name for name in tags if name])
            raise InputError(
                f"--tag {tag}: no end effector has this tag; the arm has {listed}.{hint}"
            )
        return tags.index(tag)
    if index is not None:
        if not 0 <= index < len(tags):
            raise InputError(f"--index {index}: no such end effector; the arm has {listed}")
        return index
    if len(tags) > 1:
        raise InputError(f"the arm has several end effectors: {listed}; choose by --tag or --index")
    return 0


def positions_text(model: "RobotModel", q: FloatArray, digits: int = 6) -> str:
    """Return joint positions so that they can be pasted behind --q."""
    return ",".join(
        f"{round(value, digits) + 0.0:.{digits}f}"
        + ("rad" if needs_unit(value) and not slides else "")
        for value, slides in zip(q.tolist(), model.joint_slides.tolist(), strict=True)
    )


def _side(text: str, joint: ArmJoint, where: str) -> float | None:
    """Read one side of a range; None when it is blank."""
    if not text.strip():
        return None
    typed = typed_value(text, where)
    _check_unit(typed, joint, where)
    return typed.value


def _check_unit(typed: Typed, joint: ArmJoint, where: str, per: str = "") -> None:
    """Refuse an angle for a joint that slides, and what looks like degrees for one that turns."""
    if joint.slides:
        if typed.unit:
            raise InputError(
                f"{where} slides: expected plain metres{per}, got an angle in {typed.unit}"
            )
        return
    if not per:
        refuse_degrees(typed, where)
