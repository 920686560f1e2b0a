"""What the drive of a joint adds to rigid-body dynamics: rotor inertia and friction.

A model has neither until ``with_joint_dynamics`` says so: descriptions do not hold them, and
results are then those of the bare bodies, as other libraries compute them. All are referred to the
joint value q, behind any gear: a rotor of inertia I behind a reduction N counts as N^2 I.
"""

from dataclasses import dataclass

import numpy as np

from armwright.copies import stays_read_only
from armwright.kinematics.arrays import FloatArray, read_only
from armwright.reprs import one_line_repr

from .rows import ROTOR


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False)
class JointDynamics:
    """Drives of all joints; arrays are read-only, in the order of q.

    The efforts of a motion grow by rotor_inertia * a + damping * v + friction * sign(v); at
    v = 0 there is no friction.

    Attributes:
        rotor_inertia: Reflected rotor inertia, shape (dof,) [kg m^2 or kg].
        damping: Viscous friction, shape (dof,) [N m s/rad or N s/m].
        friction: Coulomb friction, shape (dof,) [N m or N].
    """

    rotor_inertia: FloatArray
    damping: FloatArray
    friction: FloatArray

    @classmethod
    def none(cls, dof: int) -> "JointDynamics":
        """Return drives that add nothing."""
        zeros = read_only(np.zeros(dof))
        return cls(zeros, zeros, zeros)

    def take(self, joints: list[int]) -> "JointDynamics":
        """Return the drives of some joints."""
        return JointDynamics(
            read_only(self.rotor_inertia[joints]),
            read_only(self.damping[joints]),
            read_only(self.friction[joints]),
        )

    def frictions(self) -> FloatArray | None:
        """Return what the friction kernel reads, shape (2, dof); None without any friction."""
        if not (self.damping.any() or self.friction.any()):
            return None
        return np.array([self.damping, self.friction])

    def with_rotors(self, rows: FloatArray) -> FloatArray:
        """Return model rows with rotor inertias; the very rows when there are none."""
        if not self.rotor_inertia.any():
            return rows
        rows = rows.copy()
        rows[1:, ROTOR] = self.rotor_inertia
        return rows

    __repr__ = one_line_repr
