"""Kinds of catalog part: what is known of a type before an element gives it a length or a tag.

All values are SI, in the part's input frame. The numbers themselves are data, in ``catalog/``,
whose ``form.py`` reads them into these classes.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from armwright.reprs import one_line_repr

from .pose import (
    IDENTITY,
    ZERO,
    Pose,
    Vector,
    rotation_about,
    rotation_product,
)

Inertia = tuple[float, float, float, float, float, float]
"""ixx, iyy, izz, ixy, ixz, iyz [kg m^2], about the center of mass."""


@dataclass(frozen=True, slots=True)
class ActuatorPart:
    """An actuator type: the joint turns about z of its output frame.

    Attributes:
        type: Type name, such as "X8-9".
        family: Family name, such as "X8"; decides the housing that is drawn.
        mass: [kg].
        com: Center of mass [m].
        inertia: About the center of mass, axes of the input frame.
        inertia_estimated: True when nobody publishes the inertia and a stated rule gave it.
        output_z: Height of the output frame above the input frame [m].
        max_speed: [rad/s].
        max_effort: Peak torque [N m].
        continuous_effort: Torque that can be held for long [N m]; inferred from the type name.
        damping: Viscous friction [N m s/rad], or None where nobody says.
        friction: Coulomb friction [N m], or None where nobody says.
        gear_reduction: Turns of the motor for one of the output, or None where nobody says.
        rotor_inertia: Of the motor, as the output sees it: times gear_reduction squared [kg m^2],
            or None where nobody says.
        rotor_inertia_estimated: True when nobody publishes it and a stated rule gave it.
        interface_in: What it is bolted to.
        interface_out: What can be bolted to its output.
        since: First HRDF version that has it.
        source: Where the numbers come from.
    """

    type: str
    family: str
    mass: float
    com: Vector
    inertia: Inertia
    inertia_estimated: bool
    output_z: float
    max_speed: float
    max_effort: float
    continuous_effort: float | None
    damping: float | None
    friction: float | None
    gear_reduction: float | None
    rotor_inertia: float | None
    rotor_inertia_estimated: bool
    interface_in: str
    interface_out: str
    since: str
    source: str

    __repr__ = one_line_repr


@dataclass(frozen=True, slots=True)
class LinkPart:
    """A link type: a tube between two adapters, cut to a length and turned by a twist.

    Attributes:
        type: Type name, such as "X5".
        base_mass: Mass at zero extension [kg], right-angle adapters.
        mass_per_length: [kg/m].
        half_height: Half height of the right-angle adapter [m].
        extra_masses: Mass added by inline adapters [kg]: (input only, output only, both); None
            where that combination does not exist.
        interface_in: What it is bolted to.
        interface_out: What can be bolted to it.
        since: First HRDF version that has it.
        source: Where the numbers come from.
    """

    type: str
    base_mass: float
    mass_per_length: float
    half_height: float
    extra_masses: tuple[float | None, float | None, float | None]
    interface_in: str
    interface_out: str
    since: str
    source: str

    def mass(self, extension: float, input: str, output: str) -> float:
        """Return the mass [kg] at an extension [m] with the given adapter styles."""
        on_input, on_output, both = self.extra_masses
        styles = {
            ("RightAngle", "RightAngle"): 0.0,
            ("Inline", "RightAngle"): on_input,
            ("RightAngle", "Inline"): on_output,
            ("Inline", "Inline"): both,
        }
        extra = styles[input, output]
        if extra is None:
            raise ValueError(f"link {self.type} has no {input} input with {output} output")
        return self.base_mass + self.mass_per_length * extension + extra

    def com(self, extension: float, input: str) -> Vector:
        """Return the center of mass [m]: the middle of the tube."""
        if input == "RightAngle":
            return (extension / 2, 0.0, self.half_height)
        return (0.0, 0.0, extension / 2)

    def output(self, extension: float, twist: float, input: str, output: str) -> Pose:
        """Return the output frame in the input frame."""
        e, h = extension, self.half_height
        about_x = rotation_about("x", twist)
        about_z = rotation_about("z", twist)
        sin_t, cos_t = about_x[7], about_x[8]
        if input == "RightAngle":
            if output == "RightAngle":
                return Pose(about_x, (e, -h * sin_t, h + h * cos_t))
            return Pose(rotation_product(about_x, rotation_about("y", math.pi / 2)), (e, 0.0, h))
        if output == "RightAngle":
            return Pose(
                rotation_product(about_z, rotation_about("y", -math.pi / 2)),
                (-h * cos_t, -h * sin_t, e),
            )
        return Pose(about_z, (0.0, 0.0, e))

    __repr__ = one_line_repr


@dataclass(frozen=True, slots=True)
class BracketPart:
    """A bracket type: a fixed piece with one output.

    Attributes:
        type: Type name, such as "X5LightLeft".
        mass: [kg].
        com: Center of mass [m].
        inertia_radius: Radius of the solid sphere that stands for the unknown inertia [m].
        output: Output frame in the input frame.
        interface_in: What it is bolted to.
        interface_out: What can be bolted to it.
        since: First HRDF version that has it.
        source: Where the numbers come from.
    """

    type: str
    mass: float
    com: Vector
    inertia_radius: float
    output: Pose
    interface_in: str
    interface_out: str
    since: str
    source: str

    __repr__ = one_line_repr


@dataclass(frozen=True, slots=True)
class EndEffectorPart:
    """An end-effector type.

    Attributes:
        type: Type name, such as "X5Parallel".
        mass: [kg].
        com: Center of mass [m].
        inertia_radius: Radius of the solid sphere that stands for the unknown inertia [m].
        output: Tool frame in the input frame.
        interface_in: What it is bolted to; None fits anything.
        since: First HRDF version that has it.
        source: Where the numbers come from.
    """

    type: str
    mass: float = 0.0
    com: Vector = ZERO
    inertia_radius: float = 0.0
    output: Pose = IDENTITY
    interface_in: str | None = None
    since: str = "1.2.0"
    source: str = ""

    interface_out: ClassVar[None] = None

    __repr__ = one_line_repr


Part = ActuatorPart | LinkPart | BracketPart | EndEffectorPart


def interfaces_fit(output: str, input: str) -> bool:
    """Tell whether an output can be bolted to an input: same type, opposite polarity."""
    return output[:-2] == input[:-2] and output[-2:] != input[-2:]
