"""How large parts are: housings, tubes, adapters, plates, joints, grippers; all lengths in metres.

HRDF says where the frames of a part are, not what it looks like. Whoever needs its extent asks
here, so that drawing, simulation, export and clearance see the same sizes. Bounds of the X, R8 and
T housings were measured on HEBI's published meshes; those of R25 and T25 are estimates. Parts of a
user's own are given sizes that fit their frames.
"""

from dataclasses import dataclass

from .elements import Actuator, Bracket, EndEffector, Link, Vector

FACE_HEIGHT = 0.005
"""Thickness of an actuator's output face, the top of it [m]."""

CHAMFER = 0.35
"""Chamfer of the back of a housing, as a share of the half width."""

PIPE_RADIUS = 0.022
"""Radius of the pipe that stands for a body with outputs [m]."""

BRACKET_RADIUS = 0.016
"""Radius of the pipe that stands for a bracket whose plates are not known [m]."""

DOT_RADIUS = 0.003
"""Radius of the dot at the origin of a tool frame [m]."""

BLOB_RADII = (0.008, 0.15)
"""Least and largest radius of the ellipsoid of inertia that stands for a body without outputs [m];
some files invent their inertias."""


@dataclass(frozen=True, slots=True)
class Housing:
    """Bounds of a housing in its input frame [m]; z runs from 0 to the height.

    Attributes:
        back: Smallest x.
        front: Largest x, where the round end touches.
        half_width: Largest y.
        height: Height including the output face.
        face_radius: Radius of the output face.
    """

    back: float
    front: float
    half_width: float
    height: float
    face_radius: float


HOUSINGS = {
    "X5": Housing(-0.073, 0.0365, 0.0365, 0.031, 0.022),
    "X8": Housing(-0.073, 0.0365, 0.0365, 0.045, 0.022),
    "T5": Housing(-0.089, 0.037, 0.037, 0.034, 0.026),
    "T8": Housing(-0.089, 0.037, 0.037, 0.0475, 0.026),
    "R8": Housing(-0.117, 0.039, 0.039, 0.051, 0.026),
    "R25": Housing(-0.14, 0.055, 0.055, 0.069, 0.034),
    "T25": Housing(-0.12, 0.055, 0.052, 0.067, 0.034),
}
"""By the family of the actuator."""


def housing_of(actuator: Actuator) -> Housing:
    """Return the housing of an actuator; for a part of the user's own an X8 of that height."""
    housing = HOUSINGS.get(actuator.part.family)
    if housing is None:
        height = max(actuator.part.output_z, 2 * FACE_HEIGHT)
        housing = Housing(-0.073, 0.0365, 0.0365, height, 0.022)
    return housing


@dataclass(frozen=True, slots=True)
class Tube:
    """Sizes of a link: a tube between two adapters [m].

    Attributes:
        radius: Of the tube.
        half_height: Of a right-angle adapter, from its face to the middle of the tube.
        inline_length: Length of an inline adapter; shorter where the link is.
    """

    radius: float
    half_height: float
    inline_length: float

    @property
    def flange_radius(self) -> float:
        """Radius of foot and inline adapter."""
        return 1.45 * self.radius

    @property
    def block_half_width(self) -> float:
        """Half width of a right-angle adapter's block."""
        return 1.25 * self.radius

    @property
    def foot_height(self) -> float:
        """Height of a right-angle adapter's foot."""
        return 0.45 * self.half_height


TUBE_RADII = {"X": 0.016, "R8": 0.0175, "R25": 0.022}
"""By the first family that is named in the link's type [m]."""

INLINE_LENGTH = 0.020
"""Length of an inline adapter, where there is room for it [m]."""


def tube_radius(type: str) -> float:
    """Return the tube's radius [m] for a link type, such as "X5" or "R25-R8"."""
    for family, radius in reversed(TUBE_RADII.items()):
        if type.startswith(family):
            return radius
    return TUBE_RADII["X"]


def tube_of(link: Link) -> Tube:
    """Return the sizes of a link."""
    extension = link.extension
    longest = extension / 2 if link.input == link.output == "Inline" else extension
    inline_length = min(INLINE_LENGTH, longest)
    return Tube(tube_radius(link.type), link.part.half_height, inline_length)


@dataclass(frozen=True, slots=True)
class Plates:
    """Sizes of a bracket: a base plate, and an upright behind the output frame [m].

    Attributes:
        base_half_width: Half width of the base plate, along x.
        base_thickness: Thickness of the base plate.
        round_base: Whether the free end of the base is rounded about the input axis.
        upright_radius: Half width of the upright, and radius of its end.
        upright_thickness: Thickness of the upright.
    """

    base_half_width: float
    base_thickness: float
    round_base: bool
    upright_radius: float
    upright_thickness: float


PLATES = {
    "X5Light": Plates(0.0275, 0.005, True, 0.033, 0.005),
    "R8Light": Plates(0.0295, 0.005, True, 0.035, 0.005),
    "R25Light": Plates(0.038, 0.006, True, 0.044, 0.006),
    "X5Heavy": Plates(0.025, 0.010, False, 0.0325, 0.015),
    "R8Heavy": Plates(0.025, 0.010, False, 0.0325, 0.015),
    "R25Heavy": Plates(0.037, 0.015, False, 0.048, 0.020),
}
"""By the beginning of the bracket's type."""


def plates_of(bracket: Bracket) -> Plates | None:
    """Return the sizes of a bracket; None for one whose plates are not known."""
    for name, plates in PLATES.items():
        if bracket.type.startswith(name):
            return plates
    return None


@dataclass(frozen=True, slots=True)
class JointSizes:
    """Sizes of a plain joint, in a frame whose z is its positive direction [m].

    Attributes:
        radius: Of the barrel of one that turns.
        barrel: Lower and upper end of the barrel, along z.
        cap: Upper end of its cap, which begins where the barrel ends.
        cap_radius: Of the cap.
        rail: Half width of the rail of one that slides.
        overhang: How far the rail reaches beyond what was traveled.
        carriage: Half width of the carriage.
    """

    radius: float
    barrel: tuple[float, float]
    cap: float
    cap_radius: float
    rail: float
    overhang: float
    carriage: float


def joint_sizes(size: float = 1.0) -> JointSizes:
    """Return the sizes of a plain joint.

    Args:
        size: Scale of what no catalog fixes; 1 for robots of ordinary size.
    """
    radius = 0.02 * size
    return JointSizes(
        radius=radius,
        barrel=(-0.025 * size, 0.017 * size),
        cap=0.025 * size,
        cap_radius=0.85 * radius,
        rail=0.009 * size,
        overhang=0.03 * size,
        carriage=0.018 * size,
    )


@dataclass(frozen=True, slots=True)
class Gripper:
    """Sizes of a gripper in its input frame [m].

    Attributes:
        flange_radius: Of the round flange that it is bolted on by.
        flange_height: Upper end of the flange, which begins at z = 0.
        boxes: Lowest and highest corner of its other pieces: the housing, then the fingers.
    """

    flange_radius: float
    flange_height: float
    boxes: tuple[tuple[Vector, Vector], ...]


PARALLEL_GRIPPER = Gripper(
    flange_radius=0.030,
    flange_height=0.006,
    boxes=(
        ((-0.035, -0.022, 0.006), (0.035, 0.022, 0.049)),
        ((-0.026, -0.010, 0.045), (-0.014, 0.010, 0.095)),
        ((0.014, -0.010, 0.045), (0.026, 0.010, 0.095)),
    ),
)
"""Its tips reach 0.095 m."""


def gripper_of(end_effector: EndEffector) -> Gripper | None:
    """Return the sizes of a gripper; None for an end effector that is none."""
    return PARALLEL_GRIPPER if "Parallel" in end_effector.type else None
