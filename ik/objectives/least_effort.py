"""Small holding efforts against gravity."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from armwright.copies import stays_read_only
from armwright.errors import ObjectiveError
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FloatArray, as_array, frozen, warn_of_gravity
from armwright.kinematics.engine import lazy
from armwright.kinematics.robot import under_gravity
from armwright.reprs import one_line_repr

from .base import LARGEST, check_weight
from .secondary import SecondaryObjective, SecondarySum

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.kinematics._kernels import gravity as _gravity_kernels  # noqa: F401

_gravity = lazy(__name__, "_gravity", "armwright.kinematics._kernels.gravity")


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EffortObjective(SecondaryObjective):
    """Small holding efforts, as a secondary goal; made by ``least_effort``.

    Attributes:
        gravity: Acceleration of free fall in world axes, shape (3,) [m/s^2]; None: the model's.
        weight: Against other secondary goals.
    """

    name: ClassVar[str] = "least_effort"

    gravity: FloatArray | None
    weight: float
    key: bytes = field(repr=False)

    def add_to(self, total: SecondarySum) -> None:
        """Add the weight of the squared efforts.

        Raises:
            ObjectiveError: If another one has another gravity.
        """
        gravity = total.model.gravity if self.gravity is None else self.gravity
        if total.gravity is not None and total.gravity.tolist() != gravity.tolist():
            raise ObjectiveError("least_effort: there can be only one gravity in a problem")
        total.gravity = gravity
        total.effort_weights.append(self.weight)

    def residual(self, model: RobotModel, q: FloatArray, limits: FloatArray) -> FloatArray:
        """Return minus the holding efforts, shape (dof,) [N m or N]."""
        efforts = np.empty(model.dof)
        rows = model._rows if self.gravity is None else under_gravity(model._rows, self.gravity)
        _gravity(rows, np.array(q), efforts)
        return -efforts

    __repr__ = one_line_repr


def least_effort(*, weight: float = 1.0, gravity: npt.ArrayLike | None = None) -> EffortObjective:
    """Hold the arm with small efforts against gravity, as far as everything else allows.

    A secondary goal. Lowers the sum of the squares of ``model.gravity_efforts(q, gravity)``,
    payloads included, halved; the unit is moving weight times reach, so that it has no dimension.
    A slide's force counts like a torque with a lever of half the reach.

    Args:
        weight: Positive; matters only between several secondary goals.
        gravity: Acceleration of free fall in world axes, shape (3,) [m/s^2]; None is
            the model's. Used as it is; one of length 1 or in mm/s^2 warns.

    Returns:
        The objective; its residual is minus the holding efforts, shape (dof,) [N m or N].

    Raises:
        ObjectiveError: If gravity is not three finite numbers, or the weight is not usable.
    """
    g = None
    if gravity is not None:
        g = as_array(gravity, (3,), "least_effort, gravity", ObjectiveError, most=LARGEST)
        warn_of_gravity(g)
    weight = check_weight("least_effort", weight)
    key = b"effort" + np.array(weight).tobytes()
    if g is not None:
        key += frozen(g).tobytes()
    return EffortObjective(gravity=g, weight=weight, key=key)
