"""What an element says about its part's mass properties, and what results from it."""

from dataclasses import dataclass

from armwright.errors import WrongTypeError
from armwright.reprs import short

from .parts import Inertia
from .pose import IDENTITY_ROTATION, Pose, Rotation, Vector


@dataclass(frozen=True, slots=True)
class Overrides:
    """What an element says about its part's mass properties; None means not said.

    Attributes:
        mass: Replaces the part's mass [kg].
        mass_offset: Added to the part's mass [kg]; not together with ``mass``.
        com_rot: Replaces the orientation of the com frame.
        com_trans: Replaces the center of mass [m].
        com_trans_offset: Added to the center of mass [m]; not together with ``com_trans``.
        inertia: ixx, iyy, izz, ixy, ixz, iyz [kg m^2] in the com frame; each None keeps the part's.
    """

    mass: float | None = None
    mass_offset: float | None = None
    com_rot: Rotation | None = None
    com_trans: Vector | None = None
    com_trans_offset: Vector | None = None
    inertia: tuple[float | None, ...] = (None,) * 6

    def resolve_mass(self, mass: float) -> float:
        """Return the mass [kg] that results from the part's.

        Raises:
            WrongTypeError: If it is no number.
        """
        if not isinstance(mass, float | int) or isinstance(mass, bool):
            raise WrongTypeError(f"resolve_mass: expected a number, got {short(mass)}")
        if self.mass is not None:
            return self.mass
        try:
            return mass + (self.mass_offset or 0.0)
        except OverflowError:
            raise WrongTypeError(f"resolve_mass: expected a float, got {short(mass)}") from None

    def resolve_com(self, com: Vector) -> Pose:
        """Return the com frame that results from the part's center of mass."""
        if self.com_trans is not None:
            com = self.com_trans
        elif self.com_trans_offset is not None:
            x, y, z = self.com_trans_offset
            com = (com[0] + x, com[1] + y, com[2] + z)
        return Pose(self.com_rot or IDENTITY_ROTATION, com)

    def resolve_inertia(self, inertia: Inertia) -> Inertia:
        """Return the six numbers in the com frame that result from the part's.

        Raises:
            WrongTypeError: If they are not six.
        """
        if not isinstance(inertia, tuple | list) or len(inertia) != 6:
            raise WrongTypeError(f"resolve_inertia: expected six numbers, got {short(inertia)}")
        six = tuple(
            theirs if ours is None else ours
            for ours, theirs in zip(self.inertia, inertia, strict=True)
        )
        return six  # type: ignore[return-value]


NO_OVERRIDES = Overrides()
